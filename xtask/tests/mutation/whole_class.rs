//! Every question that can be asked about a class file. Also used by the fuzz targets.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{ClassFile, Code, Header, Insn, MethodView, Pool};

/// Asks everything; returns whether the bytes are a class file.
pub(crate) fn read(bytes: &[u8]) -> bool {
    let header = Header::read(bytes);
    let Ok(class) = ClassFile::parse(bytes) else {
        return false;
    };
    if let Ok(header) = header {
        assert_eq!(header.name, class.name());
        assert_eq!(header.super_name.as_deref(), class.super_name().as_deref());
        assert_eq!((header.access, header.major), (class.access(), class.major()));
    }
    class_level(&class);
    pool(class.pool());
    for field in class.fields() {
        let _ = (field.access(), field.name(), field.index(), field.annotations());
        let _ = field
            .constant_value()
            .map(|index| class.pool().constant(index).is_ok());
        let descriptor = field.descriptor();
        if let Ok(parsed) = FieldType::parse(&descriptor) {
            let _ = (parsed.java(), parsed.slots());
        }
    }
    for view in class.methods() {
        method(&class, &view);
    }
    true
}

fn class_level(class: &ClassFile) {
    let _ = (class.minor(), class.interfaces().count(), class.source_file());
    let _ = (
        class.nest_host(),
        class.nest_members(),
        class.permitted_subclasses(),
    );
    let _ = (class.is_record(), class.inner_classes(), class.annotations());
    let _ = (class.bootstrap_methods().is_ok(), format!("{class:?}"));
}

fn pool(pool: Pool<'_>) {
    assert!(pool.utf8(0).is_err());
    for index in 0..=pool.len() {
        let _ = (pool.utf8(index).is_ok(), pool.class_name(index).is_ok());
        let _ = (pool.member_ref(index).is_ok(), pool.constant(index).is_ok());
        let _ = (
            pool.invoke_dynamic(index).is_ok(),
            pool.method_handle(index).is_ok(),
        );
    }
}

fn method(class: &ClassFile, view: &MethodView<'_>) {
    let _ = (view.access(), view.name(), view.index());
    let _ = (view.parameter_names(), view.annotations());
    let descriptor = view.descriptor();
    if let Ok(parsed) = MethodType::parse(&descriptor) {
        let _ = parsed.parameter_slots();
    }
    if let Ok(Some(body)) = view.code() {
        code(class, &body);
    }
}

fn code(class: &ClassFile, body: &Code<'_>) {
    let length = body.bytes().len();
    let _ = (body.max_stack(), body.max_locals(), body.local_variables());
    assert!(body.line_numbers().iter().all(|(pc, _)| (*pc as usize) < length));
    for handler in body.exception_table() {
        assert!(handler.start < handler.end && handler.end as usize <= length);
        let _ = body.instruction_at(handler.handler).is_ok();
    }
    let mut end = 0;
    for decoded in body.instructions() {
        let Ok((pc, instruction)) = decoded else { break };
        assert!(pc >= end, "instructions go backwards");
        end = pc + 1;
        for target in instruction.branch_targets() {
            assert!((target as usize) < length, "{instruction:?} leaves the code");
            let _ = body.instruction_at(target).is_ok();
        }
        let _ = (instruction.falls_through(), instruction.opcode_name());
        operand(class.pool(), &instruction);
    }
}

fn operand(pool: Pool<'_>, instruction: &Insn<'_>) {
    match *instruction {
        Insn::Ldc(index) | Insn::Ldc2(index) => drop(pool.constant(index)),
        Insn::GetField(index)
        | Insn::PutField(index)
        | Insn::GetStatic(index)
        | Insn::PutStatic(index)
        | Insn::InvokeVirtual(index)
        | Insn::InvokeSpecial(index)
        | Insn::InvokeStatic(index)
        | Insn::InvokeInterface(index) => drop(pool.member_ref(index)),
        Insn::InvokeDynamic(index) => drop(pool.invoke_dynamic(index)),
        Insn::New(index)
        | Insn::ANewArray(index)
        | Insn::MultiANewArray(index, _)
        | Insn::CheckCast(index)
        | Insn::InstanceOf(index) => drop(pool.class_name(index)),
        _ => {}
    }
}
