//! Which methods depend on which: a matrix for small classes, lists of partners for large ones.

use std::fmt::Write;

use raddle_summary::{ClassFacts, PairFacts};

use super::numbers;

/// A wider matrix no longer fits beside its labels.
const MAX_MATRIX: usize = 40;
const LEGEND: &str = "x M_pc   D M_d   B both";

/// How two methods depend on each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Dependency {
    None,
    Conflict,
    DoubleLock,
    Both,
}

impl Dependency {
    const SOME: [Dependency; 3] = [Dependency::Conflict, Dependency::DoubleLock, Dependency::Both];

    fn of(pair: &PairFacts) -> Dependency {
        match (pair.mpc, pair.double_lock.is_some()) {
            (false, false) => Dependency::None,
            (true, false) => Dependency::Conflict,
            (false, true) => Dependency::DoubleLock,
            (true, true) => Dependency::Both,
        }
    }

    fn symbol(self) -> char {
        match self {
            Dependency::None => '·',
            Dependency::Conflict => 'x',
            Dependency::DoubleLock => 'D',
            Dependency::Both => 'B',
        }
    }
}

pub(super) fn section(facts: &ClassFacts) -> String {
    if facts.methods.len() <= MAX_MATRIX {
        matrix(facts)
    } else {
        partners(facts)
    }
}

/// Lower triangle, one character a pair, the method's signature at the end of its row.
fn matrix(facts: &ClassFacts) -> String {
    let count = facts.methods.len();
    let mut rows: Vec<Vec<Dependency>> = (0..count).map(|row| vec![Dependency::None; row + 1]).collect();
    for pair in &facts.pairs {
        rows[pair.second][pair.first] = Dependency::of(pair);
    }
    let mut text = format!("Dependencies   · none   {LEGEND}\n");
    if count >= 10 {
        let tens = (1..=count).map(|number| match number % 10 {
            0 => char::from_digit(number as u32 / 10, 10).unwrap_or(' '),
            _ => ' ',
        });
        let _ = writeln!(text, "      {}", tens.collect::<String>().trim_end());
    }
    let units = (1..=count).filter_map(|number| char::from_digit(number as u32 % 10, 10));
    let _ = writeln!(text, "      {}", units.collect::<String>());
    for (row, method) in rows.iter().zip(&facts.methods) {
        let symbols: String = row.iter().map(|dependency| dependency.symbol()).collect();
        let _ = writeln!(text, "{:>4}  {symbols:<count$}  {}", row.len(), method.signature);
    }
    text
}

/// One line per method that has partners, then those that have none.
fn partners(facts: &ClassFacts) -> String {
    let mut partners: Vec<Vec<(usize, Dependency)>> = vec![Vec::new(); facts.methods.len()];
    for pair in &facts.pairs {
        let dependency = Dependency::of(pair);
        if dependency != Dependency::None {
            partners[pair.first].push((pair.second, dependency));
            if pair.first != pair.second {
                partners[pair.second].push((pair.first, dependency));
            }
        }
    }
    let mut text = format!("Dependencies   {LEGEND}\n");
    for (index, (partners, method)) in partners.iter_mut().zip(&facts.methods).enumerate() {
        if partners.is_empty() {
            continue;
        }
        partners.sort_by_key(|(partner, _)| *partner);
        let _ = write!(text, "{:>4}  {}:", index + 1, method.signature);
        for kind in Dependency::SOME {
            let of_kind = partners.iter().filter(|(_, dependency)| *dependency == kind);
            let list = numbers::ranges(of_kind.map(|(partner, _)| *partner));
            if !list.is_empty() {
                let _ = write!(text, "  {} {list}", kind.symbol());
            }
        }
        text.push('\n');
    }
    let alone: Vec<usize> = partners
        .iter()
        .enumerate()
        .filter(|(_, partners)| partners.is_empty())
        .map(|(index, _)| index)
        .collect();
    if !alone.is_empty() {
        let _ = writeln!(text, "      without partner: {}", numbers::ranges(alone));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn small_classes_get_a_triangle() {
        let facts = sample::class_of(
            11,
            &[(0, 1, true, false), (1, 1, false, true), (3, 10, true, true)],
        );
        let expected = "\
Dependencies   · none   x M_pc   D M_d   B both
               1
      12345678901
   1  ·            m1()
   2  xD           m2()
   3  ···          m3()
   4  ····         m4()
   5  ·····        m5()
   6  ······       m6()
   7  ·······      m7()
   8  ········     m8()
   9  ·········    m9()
  10  ··········   m10()
  11  ···B·······  m11()
";
        assert_eq!(section(&facts), expected);
    }

    #[test]
    fn large_classes_get_lists() {
        let pairs = [
            (0, 0, true, false),
            (0, 1, true, false),
            (0, 2, true, false),
            (0, 40, true, true),
            (2, 2, false, true),
        ];
        let expected = "\
Dependencies   x M_pc   D M_d   B both
   1  m1():  x 1–3  B 41
   2  m2():  x 1
   3  m3():  x 1  D 3
  41  m41():  B 1
      without partner: 4–40
";
        assert_eq!(section(&sample::class_of(41, &pairs)), expected);
    }
}
