//! Lists of method numbers.

/// Numbers as they are printed: `1–3, 5, 7`. Takes ascending indices; numbers start at 1.
pub(super) fn ranges(indices: impl IntoIterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in indices.into_iter().map(|index| index + 1) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts = runs.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(ranges([0, 1, 2, 4, 6, 7]), "1–3, 5, 7, 8");
        assert_eq!(ranges([]), "");
    }
}
