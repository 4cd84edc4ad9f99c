//! The slot numbers are those of the JDK's own header.

use raddle_classpath::Jdk;

use super::{slot, vm_slot};

/// Names of the functions in one of the header's tables, by slot.
fn names(header: &str, table: &str) -> Vec<String> {
    let (_, rest) = header.split_once(&format!("struct {table} {{")).unwrap();
    let (body, _) = rest.split_once("\n};").unwrap();
    let code: String = body
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n");
    let mut plain = String::new();
    let mut rest = code.as_str();
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").unwrap().1;
    }
    plain.push_str(rest);
    let members = plain
        .split(';')
        .map(str::trim)
        .filter(|member| !member.is_empty());
    members
        .map(|member| {
            let name = member.split_once("JNICALL *").map_or("", |(_, name)| name);
            name.split(')').next().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn slots_are_those_of_the_header() {
    let jdk = Jdk::locate(None).unwrap();
    let header = std::fs::read_to_string(jdk.home().join("include/jni.h")).unwrap();
    let functions = names(&header, "JNINativeInterface_");
    for (name, slot) in [
        ("DefineClass", slot::DEFINE_CLASS),
        ("FindClass", slot::FIND_CLASS),
        ("ExceptionOccurred", slot::EXCEPTION_OCCURRED),
        ("ExceptionClear", slot::EXCEPTION_CLEAR),
        ("FatalError", slot::FATAL_ERROR),
        ("PushLocalFrame", slot::PUSH_LOCAL_FRAME),
        ("PopLocalFrame", slot::POP_LOCAL_FRAME),
        ("NewGlobalRef", slot::NEW_GLOBAL_REF),
        ("DeleteLocalRef", slot::DELETE_LOCAL_REF),
        ("GetObjectClass", slot::GET_OBJECT_CLASS),
        ("GetMethodID", slot::GET_METHOD_ID),
        ("CallObjectMethodA", slot::CALL_OBJECT_METHOD_A),
        ("GetStaticMethodID", slot::GET_STATIC_METHOD_ID),
        ("CallStaticObjectMethodA", slot::CALL_STATIC_OBJECT_METHOD_A),
        ("CallStaticVoidMethodA", slot::CALL_STATIC_VOID_METHOD_A),
        ("NewString", slot::NEW_STRING),
        ("GetStringLength", slot::GET_STRING_LENGTH),
        ("GetArrayLength", slot::GET_ARRAY_LENGTH),
        ("NewObjectArray", slot::NEW_OBJECT_ARRAY),
        ("GetObjectArrayElement", slot::GET_OBJECT_ARRAY_ELEMENT),
        ("SetObjectArrayElement", slot::SET_OBJECT_ARRAY_ELEMENT),
        ("NewByteArray", slot::NEW_BYTE_ARRAY),
        ("GetByteArrayRegion", slot::GET_BYTE_ARRAY_REGION),
        ("SetByteArrayRegion", slot::SET_BYTE_ARRAY_REGION),
        ("RegisterNatives", slot::REGISTER_NATIVES),
        ("GetStringRegion", slot::GET_STRING_REGION),
    ] {
        assert_eq!(functions[slot], name);
    }
    let invocation = names(&header, "JNIInvokeInterface_");
    assert_eq!(invocation[vm_slot::GET_ENV], "GetEnv");
    assert_eq!(
        invocation[vm_slot::ATTACH_CURRENT_THREAD_AS_DAEMON],
        "AttachCurrentThreadAsDaemon"
    );
}
