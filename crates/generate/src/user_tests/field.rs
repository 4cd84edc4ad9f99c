//! Fields of the test object and static fields, as far as the test itself sets them.

use raddle_classfile::MemberRef;
use raddle_classfile::descriptor::FieldType;
use raddle_plan::Primitive;
use raddle_program::{ClassId, FieldId, FieldInfo};

use super::callee::shown;
use super::machine::{Cut, Frame, Machine};
use super::value::Value;
use crate::visible::is_visible;

impl<'p> Machine<'p> {
    pub(super) fn get_field(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = field_ref(frame, index)?;
        let types = FieldType::parse(&member.descriptor).map_err(|_| Cut::broken())?;
        let object = frame.pop()?;
        let what = || format!("the field {}", shown(&member.class, &member.name));
        let value = if object == Value::This {
            let field = self.resolve(&member);
            match self.world.fields.get(&field) {
                Some(value) => value.clone(),
                // Mocks, rules and temporary directories are set before the test by what runs it.
                None if self.is_annotated(field) => Value::unknown_of(&types, what()),
                None => Value::zero(&types),
            }
        } else {
            Value::unknown_of(&types, what())
        };
        frame.push(value);
        Ok(())
    }

    pub(super) fn put_field(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = field_ref(frame, index)?;
        let value = frame.pop()?;
        if frame.pop()? != Value::This {
            let field = shown(&member.class, &member.name);
            return Err(Cut::new(format!(
                "the field {field} is set, and a plan only calls"
            )));
        }
        let field = self.resolve(&member);
        self.world.fields.insert(field, value);
        Ok(())
    }

    pub(super) fn get_static(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = field_ref(frame, index)?;
        let types = FieldType::parse(&member.descriptor).map_err(|_| Cut::broken())?;
        let value = self
            .known_static(&member, &types, frame.depth)
            .unwrap_or_else(|| {
                let field = shown(&member.class, &member.name);
                Value::unknown_of(&types, format!("the static field {field}"))
            });
        frame.push(value);
        Ok(())
    }

    fn known_static(&mut self, member: &MemberRef<'_>, types: &FieldType<'_>, depth: usize) -> Option<Value> {
        if member.class == "java/lang/System" && matches!(&*member.name, "out" | "err") {
            return Some(Value::Console);
        }
        if member.name == "$assertionsDisabled" {
            // Assertions of the language are left out like those of libraries.
            return Some(Value::Int(1));
        }
        if member.name == "TYPE"
            && let Some(primitive) = Primitive::from_wrapper(&member.class)
        {
            // That is what `int.class` is compiled to.
            return Some(Value::Class(primitive.keyword().to_owned()));
        }
        let field = self.resolve(member);
        let FieldInfo { owner, access, .. } = *self.program().field(field);
        let access = access?;
        let is_constant = access.is_static() && access.is_final();
        let is_own_kind = *types == FieldType::Object(self.program().internal_name(owner));
        if is_constant && is_own_kind && access.is_public() && is_visible(self.program(), owner) {
            return Some(Value::Constant {
                class: self.program().name(owner),
                name: member.name.to_string(),
            });
        }
        if is_constant && let Some(value) = self.written_constant(field, owner) {
            return Some(value);
        }
        if !self.own.includes(owner) || self.world.statics.out_of_sight {
            return None;
        }
        let is_complete = self.initialise(owner, depth);
        match self.world.statics.values.get(&field) {
            Some(value) => Some(value.clone()),
            None => is_complete.then(|| Value::zero(types)),
        }
    }

    pub(super) fn put_static(&mut self, frame: &mut Frame<'p>, index: u16) -> Result<(), Cut> {
        let member = field_ref(frame, index)?;
        let value = frame.pop()?;
        let field = self.resolve(&member);
        let owner = self.program().field(field).owner;
        if !self.own.includes(owner) || self.world.statics.out_of_sight {
            let field = shown(&member.class, &member.name);
            return Err(Cut::new(format!(
                "the static field {field} is set, and a plan only calls"
            )));
        }
        self.initialise(owner, frame.depth);
        self.world.statics.values.insert(field, value);
        Ok(())
    }

    /// Follows the static initialiser of a class, once; whether it could be followed to its end. One that could not
    /// leaves nothing behind.
    fn initialise(&mut self, class: ClassId, depth: usize) -> bool {
        if let Some(&is_complete) = self.world.statics.classes.get(&class) {
            return is_complete;
        }
        // Whatever the initialiser itself reads has been set by it, or not yet.
        self.world.statics.classes.insert(class, true);
        let program = self.program();
        let initialiser = program
            .class(class)
            .and_then(|class| class.method(program.symbol("<clinit>"), program.symbol("()V")));
        let Some(initialiser) = initialiser else {
            return true;
        };
        let before = self.world.clone();
        let is_complete = self.run(initialiser, Vec::new(), depth + 1).is_ok();
        if !is_complete {
            self.world = before;
            self.world.statics.classes.insert(class, false);
        }
        is_complete
    }

    /// The value that the class file itself gives a static field.
    fn written_constant(&self, field: FieldId, owner: ClassId) -> Option<Value> {
        let class = self.program().class(owner)?;
        let name = self.program().text(self.program().field(field).name);
        let declared = class.file().fields().find(|field| field.name() == name)?;
        let constant = class.file().pool().constant(declared.constant_value()?).ok()?;
        Some(self.constant(constant))
    }

    fn is_annotated(&self, field: FieldId) -> bool {
        let FieldInfo { owner, name, .. } = *self.program().field(field);
        let name = self.program().text(name);
        self.program().class(owner).is_some_and(|class| {
            let mut fields = class.file().fields();
            fields.any(|field| field.name() == name && !field.annotations().is_empty())
        })
    }

    fn resolve(&self, member: &MemberRef<'_>) -> FieldId {
        let program = self.program();
        program.resolve_field(
            program.class_id(&member.class),
            program.symbol(&member.name),
            program.symbol(&member.descriptor),
        )
    }
}

fn field_ref<'p>(frame: &Frame<'p>, index: u16) -> Result<MemberRef<'p>, Cut> {
    frame.pool.member_ref(index).map_err(|_| Cut::broken())
}
