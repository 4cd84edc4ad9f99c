//! One method: what it is rewritten to.

use raddle_classfile::{ClassFileError, Code, LineMap, MethodView};

use crate::drafts::{Drafts, Hooks};
use crate::emit;
use crate::layout::Layout;
use crate::left_alone::Reason;
use crate::refs::Refs;
use crate::scan::{Circumstances, Scanned, scan};
use crate::wrapper::Wrapper;

/// The longest code a method may have.
const MAX_LEN: u32 = 65535;
/// The slots that the arguments of one call can take.
const MAX_ARGUMENTS: u16 = 255;

/// The new parts of a method.
#[derive(Debug)]
pub(crate) struct NewMethod {
    /// The content of its Code attribute.
    pub(crate) code: Vec<u8>,
    /// Whether it is no longer synchronized.
    pub(crate) is_unlocked: bool,
    /// Whether its code loads the class as a constant.
    pub(crate) loads_class: bool,
}

/// The class that a method is in.
#[derive(Debug)]
pub(crate) struct Owner<'a> {
    /// Internal name.
    pub(crate) name: &'a str,
    /// Pool index.
    pub(crate) index: u16,
    /// Whether its static state is made anew between runs.
    pub(crate) is_resettable: bool,
    /// Whether it is initialised in the run, when it is first used.
    pub(crate) is_deferred: bool,
}

/// Rewrites one method; `None` when nothing in it is hooked.
pub(crate) fn rewrite<'a>(
    owner: &Owner<'_>,
    method: MethodView<'a>,
    code: Code<'a>,
    with_data: bool,
    refs: &mut Refs<'_>,
    drafts: &mut Drafts,
) -> Result<Option<NewMethod>, Reason> {
    let name = method.name();
    let wrapper = Wrapper::new(
        owner,
        (&name, &method.descriptor()),
        method.access(),
        code.max_locals(),
    );
    let handlers = code.exception_table();
    let mut hooks = Hooks::new(drafts, method, code);
    let free_slot = code
        .max_locals()
        .checked_add(wrapper.slots())
        .filter(|slot| slot.checked_add(MAX_ARGUMENTS).is_some())
        .ok_or(Reason::TooWide)?;
    let circumstances = Circumstances {
        with_data,
        is_constructor: name == "<init>",
        is_class_initializer: name == "<clinit>",
        free_slot,
    };
    let prologue = wrapper.prologue(&mut hooks);
    let Scanned {
        mut edits,
        used_slots,
        loads_class,
    } = scan(&code, &handlers, &wrapper, circumstances, refs, &mut hooks)?;
    if wrapper.is_empty() && edits.is_empty() {
        return Ok(None);
    }
    let layout = Layout::new(code.bytes(), &mut edits, prologue.code.len() as u32);
    if layout.end() > MAX_LEN {
        return Err(Reason::TooLong);
    }
    let mut table = Vec::with_capacity(handlers.len());
    for handler in &handlers {
        layout.move_handler(handler, &mut table);
    }
    let mut bytes = prologue.code.clone();
    layout.write(&mut bytes);
    wrapper.handlers(&prologue, &layout, &mut hooks, &mut bytes, &mut table);
    if bytes.len() > MAX_LEN as usize {
        return Err(Reason::TooLong);
    }
    let max_stack = code
        .max_stack()
        .checked_add(hooks.extra_stack())
        .ok_or(Reason::TooWide)?
        .max(wrapper.stack());
    let max_locals = free_slot + used_slots;
    let handler_count = u16::try_from(table.len()).map_err(|_| Reason::TooWide)?;

    let mut out = Vec::with_capacity(bytes.len() + table.len() * 8 + 64);
    emit::half(&mut out, max_stack);
    emit::half(&mut out, max_locals);
    emit::word(&mut out, bytes.len() as u32);
    out.extend(&bytes);
    emit::half(&mut out, handler_count);
    for handler in &table {
        emit::handler(&mut out, handler);
    }
    write_lines(&code, &method.line_map(), &layout, &mut out)?;
    Ok(Some(NewMethod {
        code: out,
        is_unlocked: wrapper.locks(),
        loads_class: loads_class || wrapper.loads_class(),
    }))
}

/// Writes the attributes of the new code: its line numbers, moved.
///
/// All others are left out, since what they say of pcs is no longer true. Stack maps are needed by the JVM's
/// verifier only, which is off where rewritten classes are loaded; the rest is for debuggers.
fn write_lines(
    code: &Code<'_>,
    map: &LineMap,
    layout: &Layout<'_, '_>,
    out: &mut Vec<u8>,
) -> Result<(), Reason> {
    let tables: Vec<_> = code
        .raw_attributes()
        .filter(|attribute| attribute.name == b"LineNumberTable")
        .collect();
    emit::half(out, tables.len() as u16);
    for table in tables {
        emit::half(out, table.name_index);
        emit::word(out, table.body.len() as u32);
        let Some((count, entries)) = table.body.split_first_chunk::<2>() else {
            return Err(ClassFileError::BadAttributeLength {
                name: "LineNumberTable",
                offset: 0,
            }
            .into());
        };
        out.extend(count);
        let (entries, _) = entries.as_chunks::<4>();
        for &[pc_high, pc_low, line_high, line_low] in entries {
            let position = match u16::from_be_bytes([pc_high, pc_low]) {
                // So that what is done on entry has a line too.
                0 => 0,
                pc => layout.position(u32::from(pc)) as u16,
            };
            emit::half(out, position);
            // What was compiled into the class from elsewhere gets the line that stack traces are to show.
            emit::half(out, map.line(u16::from_be_bytes([line_high, line_low])));
        }
    }
    Ok(())
}

/// The content of a Code attribute in today's layout, otherwise as it is.
pub(crate) fn widen(code: &Code<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(code.bytes().len() + 64);
    emit::half(&mut out, code.max_stack());
    emit::half(&mut out, code.max_locals());
    emit::word(&mut out, code.bytes().len() as u32);
    out.extend(code.bytes());
    let handlers = code.exception_table();
    emit::half(&mut out, handlers.len() as u16);
    for handler in &handlers {
        emit::handler(&mut out, handler);
    }
    let attributes: Vec<_> = code.raw_attributes().collect();
    emit::half(&mut out, attributes.len() as u16);
    for attribute in attributes {
        emit::half(&mut out, attribute.name_index);
        emit::word(&mut out, attribute.body.len() as u32);
        out.extend(attribute.body);
    }
    out
}
