//! Texts whose order means nothing: the order in which a hash table writes itself follows from when it grew.
//!
//! Results that are maps or sets come without an order already. In the middle of a text, only `{…}` is left of a map; sets look
//! like lists there, and stay as they are.

use std::borrow::Cow;

/// What stands between two `{` and `}`.
#[derive(Default)]
struct Group {
    parts: Vec<String>,
    last: String,
    /// Other brackets that are open.
    depth: usize,
}

impl Group {
    fn sorted(mut self) -> String {
        self.parts.push(self.last);
        self.parts.sort_unstable();
        self.parts.join(", ")
    }

    fn unsorted(mut self) -> String {
        self.parts.push(self.last);
        self.parts.join(", ")
    }
}

/// A quoted text with the parts of each `{…}` in one order; anything else as it is.
pub(crate) fn text(value: &str) -> Cow<'_, str> {
    if !(value.starts_with('"') && value.contains('{') && value.contains(", ")) {
        return Cow::Borrowed(value);
    }
    let mut outer = String::new();
    let mut open: Vec<Group> = Vec::new();
    let mut rest = value.chars().peekable();
    while let Some(unit) = rest.next() {
        match (unit, open.last_mut()) {
            ('{', _) => open.push(Group::default()),
            ('}', Some(_)) => {
                if let Some(group) = open.pop() {
                    let text = format!("{{{}}}", group.sorted());
                    open.last_mut()
                        .map_or(&mut outer, |group| &mut group.last)
                        .push_str(&text);
                }
            }
            (',', Some(group)) if group.depth == 0 && rest.peek() == Some(&' ') => {
                rest.next();
                group.parts.push(std::mem::take(&mut group.last));
            }
            (_, Some(group)) => {
                match unit {
                    '[' | '(' => group.depth += 1,
                    ']' | ')' => group.depth = group.depth.saturating_sub(1),
                    _ => {}
                }
                group.last.push(unit);
            }
            (_, None) => outer.push(unit),
        }
    }
    // A text that was cut.
    for group in open {
        outer.push('{');
        outer.push_str(&group.unsorted());
    }
    Cow::Owned(outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_in_a_text_have_one_order() {
        let one = r#""Users [map={b={y=1, x=[2, 1]}, a={}}, size=2]""#;
        let other = r#""Users [map={a={}, b={x=[2, 1], y=1}}, size=2]""#;
        assert_eq!(text(one), text(other));
        assert_eq!(text(other), other);
    }

    #[test]
    fn all_else_keeps_its_order() {
        for same in [r#""[b, a]""#, "{b=1, a=2}", r#""b, a""#, r#""x} {b, a""#] {
            assert_eq!(text(same), same);
        }
    }
}
