//! Classes that were matched but not analysed.

use serde::Serialize;

/// A class that was matched but not analysed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Java name.
    pub class: String,
    /// The reason as one of few, for counting.
    pub kind: SkipKind,
    /// The reason as a sentence.
    pub reason: String,
}

/// Why a class was skipped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipKind {
    /// Interfaces have no state of their own.
    Interface,
    /// Annotation types are never shared between threads.
    Annotation,
    /// Nothing another class could call.
    NoPublicMethods,
    /// The class could not be loaded.
    Unreadable,
}

impl SkipKind {
    const ALL: [SkipKind; 4] = [
        SkipKind::Interface,
        SkipKind::Annotation,
        SkipKind::NoPublicMethods,
        SkipKind::Unreadable,
    ];

    fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            SkipKind::Interface => ("interface", "interfaces"),
            SkipKind::Annotation => ("annotation type", "annotation types"),
            SkipKind::NoPublicMethods => ("class without public methods", "classes without public methods"),
            SkipKind::Unreadable => ("class that cannot be read", "classes that cannot be read"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

/// `2 interfaces, 1 class without public methods`; empty if nothing was skipped.
pub fn skip_counts(skipped: &[Skipped]) -> String {
    let counts = SkipKind::ALL.into_iter().filter_map(|kind| {
        let count = skipped.iter().filter(|skipped| skipped.kind == kind).count();
        (count > 0).then(|| kind.counted(count))
    });
    counts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(kind: SkipKind) -> Skipped {
        Skipped {
            class: "a.B".to_owned(),
            kind,
            reason: "it is so".to_owned(),
        }
    }

    #[test]
    fn reasons_are_counted_in_a_fixed_order() {
        let all = [
            skipped(SkipKind::NoPublicMethods),
            skipped(SkipKind::Interface),
            skipped(SkipKind::Interface),
        ];
        assert_eq!(skip_counts(&all), "2 interfaces, 1 class without public methods");
        assert_eq!(skip_counts(&[]), "");
    }
}
