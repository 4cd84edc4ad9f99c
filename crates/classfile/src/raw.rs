//! The parts of a class file as they are in it, for those who copy most of one and replace some.

use std::ops::Range;

use crate::annotation::skip_elements;
use crate::attribute::Attributes;
use crate::class::ClassFile;
use crate::pool::Pool;
use crate::reader::Cursor;

/// One attribute, undecoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawAttribute<'a> {
    /// Pool index of the name.
    pub name_index: u16,
    /// The name as it is in the pool.
    pub name: &'a [u8],
    /// The content, without name and length.
    pub body: &'a [u8],
}

/// Magic number, versions and the pool's count field.
const HEAD: usize = 10;
/// The two-byte fields between the pool and the interfaces: flags, this class, superclass.
const IDENTITY: usize = 6;
/// A count field.
const COUNT: usize = 2;

impl ClassFile {
    /// Where the entries of the constant pool are, without their count, which has the two bytes before them.
    pub fn pool_span(&self) -> Range<usize> {
        HEAD..self.layout().interfaces as usize - IDENTITY
    }

    /// Where each field is, flags to last attribute.
    pub fn field_spans(&self) -> impl Iterator<Item = Range<usize>> {
        spans(&self.layout().fields, self.method_count_at())
    }

    /// Where each method is, flags to last attribute.
    pub fn method_spans(&self) -> impl Iterator<Item = Range<usize>> {
        let layout = self.layout();
        spans(&layout.methods, layout.attributes as usize)
    }

    /// Where the methods' count is: in the two bytes between the last field and the first method.
    pub fn method_count_at(&self) -> usize {
        let layout = self.layout();
        let methods = layout.methods.first().copied().unwrap_or(layout.attributes);
        methods as usize - COUNT
    }

    /// Where the attributes of the class are, with their count.
    pub fn attributes_span(&self) -> Range<usize> {
        self.layout().attributes as usize..self.bytes().len()
    }

    /// Pool index of the class itself.
    pub fn this_class_index(&self) -> u16 {
        self.layout().this_class
    }
}

/// From each start to the next, and from the last one to the end.
fn spans(starts: &[u32], end: usize) -> impl Iterator<Item = Range<usize>> {
    let start = |&start: &u32| start as usize;
    let ends = starts.iter().skip(1).map(start).chain(std::iter::once(end));
    starts.iter().map(start).zip(ends).map(|(start, end)| start..end)
}

impl RawAttribute<'_> {
    /// The content of an annotations attribute without the annotations of one type. `None` when there is
    /// none of that type, or the content cannot be read.
    pub fn without_annotation(&self, pool: Pool<'_>, descriptor: &str) -> Option<Vec<u8>> {
        let mut cursor = Cursor::new(self.body);
        let count = cursor.u2().ok()?;
        let mut kept = 0_u16;
        let mut content = vec![0, 0];
        for _ in 0..count {
            let start = cursor.position();
            let name = pool.utf8_bytes(cursor.u2().ok()?).ok()?;
            skip_elements(&mut cursor).ok()?;
            if name != descriptor.as_bytes() {
                kept += 1;
                content.extend(self.body.get(start..cursor.position())?);
            }
        }
        let [high, low] = kept.to_be_bytes();
        if let Some(field) = content.first_chunk_mut() {
            *field = [high, low];
        }
        (kept < count && cursor.is_empty()).then_some(content)
    }
}

/// A list of attributes that was walked once already, from its count field on.
pub(crate) fn attributes<'a>(
    pool: Pool<'a>,
    list: Cursor<'a>,
) -> impl Iterator<Item = RawAttribute<'a>> + use<'a> {
    Attributes::checked(pool, list).map(|mut attribute| {
        let len = attribute.body.remaining();
        RawAttribute {
            name_index: attribute.name_index,
            name: attribute.name,
            body: attribute.body.take(len).unwrap_or_default(),
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::ClassFile;
    use crate::assembler::{Assembler, be, sample};

    #[test]
    fn spans_follow_each_other_to_the_end() {
        let bytes = sample();
        let class = ClassFile::parse(&bytes).unwrap();
        let pool = class.pool_span();
        assert_eq!(pool.start, 10);
        // Flags and this class follow the pool.
        assert_eq!(
            bytes[pool.end..pool.end + 4],
            be(&[0x21, class.this_class_index()])
        );
        let methods: Vec<_> = class.method_spans().collect();
        assert_eq!(methods.len(), 2);
        let fields: Vec<_> = class.field_spans().collect();
        assert_eq!(fields.len(), class.fields().len());
        for (field, span) in class.fields().zip(&fields) {
            assert_eq!(bytes[span.start..span.start + 2], be(&[field.access().0]));
        }
        assert_eq!(fields.last().unwrap().end, class.method_count_at());
        assert_eq!(class.method_count_at() + 2, methods[0].start);
        assert_eq!(bytes[methods[0].start - 2..methods[0].start], be(&[2]));
        assert_eq!(methods[0].end, methods[1].start);
        assert_eq!(methods[1].end, class.attributes_span().start);
        assert_eq!(class.attributes_span().end, bytes.len());
    }

    #[test]
    fn attributes_come_as_they_are() {
        let class = ClassFile::parse_owned(sample().into()).unwrap();
        let method = class.methods().next().unwrap();
        let names: Vec<_> = method.raw_attributes().map(|a| a.name).collect();
        assert_eq!(names, [&b"Code"[..], b"RuntimeVisibleAnnotations"]);
        let code = method.code().unwrap().unwrap();
        let lines = code.raw_attributes().next().unwrap();
        assert_eq!(lines.name, b"LineNumberTable");
        assert_eq!(lines.body, be(&[2, 3, 12, 0, 11]));
        assert_eq!(
            class.pool().utf8_bytes(lines.name_index).unwrap(),
            b"LineNumberTable"
        );
    }

    #[test]
    fn one_annotation_is_taken_out_and_the_others_stay() {
        let mut class = Assembler::new("A");
        let (keep, drop, value) = (class.utf8("LKeep;"), class.utf8("LDrop;"), class.utf8("v"));
        let mut body = be(&[3, keep, 1, value]);
        body.push(b's');
        body.extend(be(&[value, drop, 0, keep, 0]));
        let annotations = class.attribute("RuntimeVisibleAnnotations", &body);
        class.method(0x401, "m", "()V", &[annotations]);
        let class = ClassFile::parse_owned(class.finish().into()).unwrap();
        let attribute = class.methods().next().unwrap().raw_attributes().next().unwrap();
        let mut rest = be(&[2, keep, 1, value]);
        rest.push(b's');
        rest.extend(be(&[value, keep, 0]));
        assert_eq!(attribute.without_annotation(class.pool(), "LDrop;"), Some(rest));
        assert_eq!(attribute.without_annotation(class.pool(), "LOther;"), None);
    }
}
