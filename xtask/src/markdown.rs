//! Markdown tables whose source can be read as well.

use std::fmt::{self, Write};

/// Adds formatted text.
pub(crate) fn add(text: &mut String, arguments: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
}

/// Which side the cells of a column keep to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A table, row by row.
pub(crate) struct Table {
    head: Vec<(&'static str, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[(&'static str, Side)]) -> Table {
        Table {
            head: head.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Cells that are missing at the end are empty.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn render(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|(title, _)| (*title).to_owned()).collect();
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| {
                let cells = self.rows.iter().chain([&head]).filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
            })
            .collect();
        let mut text = String::new();
        self.line(&mut text, &head, &widths);
        for ((_, side), width) in self.head.iter().zip(&widths) {
            let end = match side {
                Side::Left => '-',
                Side::Right => ':',
            };
            add(&mut text, format_args!("|-{}{end}", "-".repeat(*width)));
        }
        text.push_str("|\n");
        for row in &self.rows {
            self.line(&mut text, row, &widths);
        }
        text
    }

    fn line(&self, text: &mut String, row: &[String], widths: &[usize]) {
        for (column, ((_, side), width)) in self.head.iter().zip(widths).enumerate() {
            let cell = row.get(column).map_or("", String::as_str);
            match side {
                Side::Left => add(text, format_args!("| {cell:<width$} ")),
                Side::Right => add(text, format_args!("| {cell:>width$} ")),
            }
        }
        text.push_str("|\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("name", Side::Left), ("n", Side::Right)]);
        table.row(vec!["a ∥ b".to_owned(), "10".to_owned()]);
        table.row(vec!["c".to_owned()]);
        let expected = "\
| name  |   n |
|-------|----:|
| a ∥ b |  10 |
| c     |     |
";
        assert_eq!(table.render(), expected);
    }
}
