//! The numbers are those of the JDK's own header.

use raddle_classpath::Jdk;

use super::{Event, capability, slot};

fn header() -> String {
    let jdk = Jdk::locate(None).unwrap();
    std::fs::read_to_string(jdk.home().join("include/jvmti.h")).unwrap()
}

#[test]
fn slots_are_those_of_the_header() {
    let header = header();
    for (name, slot) in [
        ("SetEventNotificationMode", slot::SET_EVENT_NOTIFICATION_MODE),
        ("GetThreadInfo", slot::GET_THREAD_INFO),
        ("GetCurrentContendedMonitor", slot::GET_CURRENT_CONTENDED_MONITOR),
        ("Deallocate", slot::DEALLOCATE),
        ("GetClassSignature", slot::GET_CLASS_SIGNATURE),
        ("GetSourceFileName", slot::GET_SOURCE_FILE_NAME),
        ("GetObjectMonitorUsage", slot::GET_OBJECT_MONITOR_USAGE),
        ("GetMethodName", slot::GET_METHOD_NAME),
        ("GetMethodDeclaringClass", slot::GET_METHOD_DECLARING_CLASS),
        ("GetLineNumberTable", slot::GET_LINE_NUMBER_TABLE),
        ("GetAllStackTraces", slot::GET_ALL_STACK_TRACES),
        ("GetStackTrace", slot::GET_STACK_TRACE),
        ("SetEventCallbacks", slot::SET_EVENT_CALLBACKS),
        ("AddCapabilities", slot::ADD_CAPABILITIES),
    ] {
        // The header numbers each function in a comment before it.
        let (before, _) = header.split_once(&format!("(JNICALL *{name}) (")).unwrap();
        let (_, number) = before.rsplit_once("/*").unwrap();
        let number: usize = number.split(':').next().unwrap().trim().parse().unwrap();
        assert_eq!(number, slot, "{name}");
    }
}

#[test]
fn capabilities_are_those_of_the_header() {
    let header = header();
    let (_, rest) = header.split_once("unsigned int can_tag_objects").unwrap();
    let names: Vec<&str> = std::iter::once("can_tag_objects")
        .chain(
            rest.lines()
                .skip(1)
                .map_while(|line| line.trim().strip_prefix("unsigned int ")),
        )
        .map(|name| name.split(' ').next().unwrap())
        .collect();
    for (name, bit) in [
        (
            "can_get_current_contended_monitor",
            capability::GET_CURRENT_CONTENDED_MONITOR,
        ),
        ("can_get_monitor_info", capability::GET_MONITOR_INFO),
        ("can_get_source_file_name", capability::GET_SOURCE_FILE_NAME),
        ("can_get_line_numbers", capability::GET_LINE_NUMBERS),
        ("can_generate_early_vmstart", capability::GENERATE_EARLY_VMSTART),
    ] {
        assert_eq!(names[bit as usize], name);
    }
}

#[test]
fn events_are_those_of_the_header() {
    let header = header();
    for (name, event) in [("THREAD_START", Event::ThreadStart), ("VM_START", Event::VmStart)] {
        assert!(
            header.contains(&format!("JVMTI_EVENT_{name} = {}", event as i32)),
            "{name}"
        );
    }
}
