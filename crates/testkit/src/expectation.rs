//! The `//@` lines of fixtures: what an analysis must say about a class. `fixtures/README.md` describes them.

use std::collections::BTreeSet;
use std::fmt;

const MARK: &str = "//@";
const EMPTY_SET: &str = "-";

/// One `//@` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Line in the file, from 1.
    pub line: usize,
    /// Binary name of the class it speaks of: `fixtures.calls.Inherited$Child`.
    pub class: String,
    /// The only analysis it holds for; `None` for every one.
    pub only: Option<Analysis>,
    /// What it says.
    pub claim: Claim,
}

/// An analysis that a line can be restricted to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// `[paper]`.
    Paper,
    /// `[precise]`.
    Precise,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The summary of a method is exactly this set.
    Exactly {
        /// Which of its summaries.
        summary: Summary,
        /// Whose.
        method: MethodRef,
        /// Elements in one spelling: `R(this.n)`, `this.lock`, `<this, o>`.
        elements: BTreeSet<String>,
    },
    /// Two methods are related, or are not.
    Related {
        /// How.
        relation: Relation,
        /// Whether they are.
        holds: bool,
        /// One of them.
        first: MethodRef,
        /// The other.
        second: MethodRef,
    },
}

/// The summaries of a method.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Summary {
    /// `AS`: accesses.
    Accesses,
    /// `LS`: locks.
    Locks,
    /// `DS`: pairs of locks.
    DoubleLocks,
}

/// The relations between methods.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `P`.
    Parallel,
    /// `C`.
    Conflict,
    /// `D`.
    DoubleLock,
    /// `PC`: member of M_pc.
    ParallelConflict,
}

/// A method as a line names it: `read` or `read(byte[],int,int)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodRef(String);

/// A `//@` line that says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl MethodRef {
    /// Whether this names the method with the given signature: `read(byte[], int, int)`.
    pub fn names(&self, signature: &str) -> bool {
        if self.0.contains('(') {
            signature.replace(' ', "") == self.0
        } else {
            signature.split('(').next() == Some(self.0.as_str())
        }
    }

    fn parse(text: &str) -> Result<MethodRef, String> {
        let (name, parameters) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')')),
            None => (text, Some("")),
        };
        let is_name = |name: &str| !name.is_empty() && name.chars().all(is_name_part);
        let is_type = |name: &str| is_name(name.trim_end_matches("[]").replace('.', "").as_str());
        match parameters {
            Some(parameters)
                if is_name(name) && (parameters.is_empty() || parameters.split(',').all(is_type)) =>
            {
                Ok(MethodRef(text.to_owned()))
            }
            _ => Err(format!(
                "`{text}` is no method; write `m` or `m(int,java.lang.Object)`, without blanks"
            )),
        }
    }
}

impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Summary::Accesses => "AS",
            Summary::Locks => "LS",
            Summary::DoubleLocks => "DS",
        })
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Parallel => "P",
            Relation::Conflict => "C",
            Relation::DoubleLock => "D",
            Relation::ParallelConflict => "PC",
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Exactly {
                summary,
                method,
                elements,
            } => {
                write!(f, "{summary} {method} = ")?;
                if elements.is_empty() {
                    return f.write_str(EMPTY_SET);
                }
                for (position, element) in elements.iter().enumerate() {
                    let separator = if position == 0 { "" } else { ", " };
                    write!(f, "{separator}{element}")?;
                }
                Ok(())
            }
            Claim::Related {
                relation,
                holds,
                first,
                second,
            } => {
                let negation = if *holds { "" } else { "!" };
                write!(f, "{negation}{relation} {first} {second}")
            }
        }
    }
}

/// The expectations of a file, or everything that is wrong with them.
pub fn parse(text: &str) -> Result<Vec<Expectation>, Vec<Mistake>> {
    let mut expectations = Vec::new();
    let mut mistakes = Vec::new();
    let mut class = None;
    for (index, source) in text.lines().enumerate() {
        let Some((_, said)) = source.split_once(MARK) else {
            continue;
        };
        let line = index + 1;
        let said = said.trim();
        if let Some(name) = said.strip_prefix("class ") {
            class = Some(name.trim().to_owned());
            continue;
        }
        match (restriction(said), &class) {
            (Err(message), _) => mistakes.push(Mistake { line, message }),
            (Ok(_), None) => {
                let message =
                    format!("no class is under test yet; write `{MARK} class ...` before this line");
                mistakes.push(Mistake { line, message });
            }
            (Ok((only, rest)), Some(class)) => match claim(rest) {
                Ok(claim) => expectations.push(Expectation {
                    line,
                    class: class.clone(),
                    only,
                    claim,
                }),
                Err(message) => mistakes.push(Mistake { line, message }),
            },
        }
    }
    if mistakes.is_empty() {
        Ok(expectations)
    } else {
        Err(mistakes)
    }
}

/// `[paper] rest`.
fn restriction(said: &str) -> Result<(Option<Analysis>, &str), String> {
    let Some(bracketed) = said.strip_prefix('[') else {
        return Ok((None, said));
    };
    let (name, rest) = bracketed.split_once(']').ok_or("`[` is not closed")?;
    let only = match name.trim() {
        "paper" => Analysis::Paper,
        "precise" => Analysis::Precise,
        other => return Err(format!("`{other}` is no precision; write `paper` or `precise`")),
    };
    Ok((Some(only), rest.trim_start()))
}

fn claim(said: &str) -> Result<Claim, String> {
    let (keyword, rest) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
    let summary = match keyword {
        "AS" => Some(Summary::Accesses),
        "LS" => Some(Summary::Locks),
        "DS" => Some(Summary::DoubleLocks),
        _ => None,
    };
    if let Some(summary) = summary {
        let (method, elements) = rest
            .split_once('=')
            .ok_or_else(|| format!("write `{keyword} method = set`"))?;
        let method = MethodRef::parse(method.trim())?;
        return Ok(Claim::Exactly {
            summary,
            method,
            elements: set(summary, elements.trim())?,
        });
    }
    let (holds, name) = match keyword.strip_prefix('!') {
        Some(name) => (false, name),
        None => (true, keyword),
    };
    let relation = match name {
        "P" => Relation::Parallel,
        "C" => Relation::Conflict,
        "D" => Relation::DoubleLock,
        "PC" => Relation::ParallelConflict,
        _ => {
            return Err(format!(
                "`{keyword}` says nothing; write class, AS, LS, DS, P, C, D or PC"
            ));
        }
    };
    let methods: Vec<&str> = rest.split_whitespace().collect();
    let [first, second] = methods[..] else {
        return Err(format!("`{keyword}` is about two methods, not {}", methods.len()));
    };
    Ok(Claim::Related {
        relation,
        holds,
        first: MethodRef::parse(first)?,
        second: MethodRef::parse(second)?,
    })
}

fn set(summary: Summary, said: &str) -> Result<BTreeSet<String>, String> {
    let mut elements = BTreeSet::new();
    if said == EMPTY_SET {
        return Ok(elements);
    }
    for written in split_elements(said) {
        let element = match summary {
            Summary::Accesses => access(written),
            Summary::Locks => path(written),
            Summary::DoubleLocks => double_lock(written),
        };
        let element = element.ok_or_else(|| {
            let form = match summary {
                Summary::Accesses => "R(location) or W(location)",
                Summary::Locks => "lock",
                Summary::DoubleLocks => "<lock, lock>",
            };
            format!(
                "`{written}` does not belong in {summary}; write {form}, or {EMPTY_SET} for the empty set"
            )
        })?;
        if !elements.insert(element) {
            return Err(format!("`{written}` is there twice"));
        }
    }
    Ok(elements)
}

/// At commas, but not at the one within `<a, b>`.
fn split_elements(said: &str) -> impl Iterator<Item = &str> {
    let mut is_within = false;
    said.split(move |c| {
        match c {
            '<' => is_within = true,
            '>' => is_within = false,
            _ => {}
        }
        c == ',' && !is_within
    })
    .map(str::trim)
}

fn access(written: &str) -> Option<String> {
    let kind = written.chars().next().filter(|kind| matches!(kind, 'R' | 'W'))?;
    let inner = written[1..].trim_start().strip_prefix('(')?.strip_suffix(')')?;
    Some(format!("{kind}({})", path(inner.trim())?))
}

fn double_lock(written: &str) -> Option<String> {
    let (first, second) = written.strip_prefix('<')?.strip_suffix('>')?.split_once(',')?;
    Some(format!("<{}, {}>", path(first.trim())?, path(second.trim())?))
}

/// A location or a lock, by the characters it is made of.
fn path(written: &str) -> Option<String> {
    let is_part = |c: char| is_name_part(c) || matches!(c, '.' | '[' | ']' | '*');
    (written.starts_with(is_name_part) && written.chars().all(is_part)).then(|| written.to_owned())
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims of lines about class `A`, as they are written when nothing is left to choice.
    fn claims(lines: &[&str]) -> Vec<String> {
        let lines: Vec<String> = lines.iter().map(|line| format!("{MARK} {line}")).collect();
        let expectations = parse(&format!("{MARK} class A\n{}\n", lines.join("\n"))).unwrap();
        expectations
            .iter()
            .map(|expectation| expectation.claim.to_string())
            .collect()
    }

    fn mistake(line: &str) -> String {
        let mistakes = parse(&format!("{MARK} class A\n{MARK} {line}\n")).unwrap_err();
        assert_eq!((mistakes.len(), mistakes[0].line), (1, 2), "{mistakes:?}");
        mistakes[0].message.clone()
    }

    #[test]
    fn every_kind_of_line_is_understood() {
        let lines = [
            "AS m = R(this.n), W(this.cells[])",
            "AS read(byte[],int,int) = W(Statics.shared)",
            "AS m = -",
            "LS m = StaticLock.class, this.lock",
            "LS m = -",
            "DS m = <o, this.f[]>, <this, o>",
            "DS m = -",
            "P a b",
            "!P a b",
            "C read() read(java.lang.Object)",
            "!C a a",
            "D a b",
            "!D a b",
            "PC a b",
            "!PC a b",
        ];
        assert_eq!(claims(&lines), lines);
    }

    #[test]
    fn blanks_between_parts_do_not_matter() {
        assert_eq!(
            claims(&[
                "  AS   m=R( this.n ),W (this.m)",
                "DS m =< this,o >,<this , p>",
                "LS m=this,o",
                "!P  a   b "
            ]),
            [
                "AS m = R(this.n), W(this.m)",
                "DS m = <this, o>, <this, p>",
                "LS m = o, this",
                "!P a b"
            ]
        );
    }

    #[test]
    fn a_line_knows_its_number_its_class_and_its_restriction() {
        let text = "class X {\n    //@ class p.X$Y\n    //@ [paper] P a b\n    int n; //@[ precise ]LS m = -\n\
                    // @ P a b\n    //@ class p.Z\n    //@ C a b\n}\n";
        let found = parse(text).unwrap();
        let seen: Vec<_> = found
            .iter()
            .map(|expectation| (expectation.line, &*expectation.class, expectation.only))
            .collect();
        assert_eq!(
            seen,
            [
                (3, "p.X$Y", Some(Analysis::Paper)),
                (4, "p.X$Y", Some(Analysis::Precise)),
                (7, "p.Z", None)
            ]
        );
    }

    #[test]
    fn lines_that_say_nothing_are_mistakes() {
        for (line, part) in [
            ("", "`` says nothing"),
            ("X m = -", "`X` says nothing"),
            ("!AS m = -", "`!AS` says nothing"),
            ("[rough] P a b", "`rough` is no precision"),
            ("[paper P a b", "not closed"),
            ("AS m", "write `AS method = set`"),
            ("AS = -", "`` is no method"),
            ("AS m =", "`` does not belong in AS"),
            ("AS m = this.n", "`this.n` does not belong in AS"),
            ("AS m = R(this.n) W(this.n)", "does not belong in AS"),
            ("AS m = X(this.n)", "does not belong in AS"),
            ("AS m = -, R(this.n)", "`-` does not belong in AS"),
            ("LS m = <this, o>", "does not belong in LS"),
            ("LS m = this o", "does not belong in LS"),
            ("DS m = this", "does not belong in DS"),
            ("DS m = <this>", "does not belong in DS"),
            ("LS m = this, this", "`this` is there twice"),
            ("P a", "two methods, not 1"),
            ("P a b c", "two methods, not 3"),
            ("P read(int, int) b", "two methods, not 3"),
            ("P read(int b", "`read(int` is no method"),
            ("P read(int,) b", "`read(int,)` is no method"),
        ] {
            let message = mistake(line);
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn all_mistakes_of_a_file_are_told() {
        let mistakes = parse("//@ P a b\n//@ class A\n//@ Q a b\n//@ P a b\n//@ P a\n").unwrap_err();
        assert_eq!(
            mistakes.iter().map(|mistake| mistake.line).collect::<Vec<_>>(),
            [1, 3, 5]
        );
        assert!(
            mistakes[0]
                .to_string()
                .starts_with("1: no class is under test yet")
        );
    }

    #[test]
    fn methods_are_named_with_or_without_their_parameters() {
        let method = |text| MethodRef::parse(text).unwrap();
        assert!(method("read").names("read(byte[], int, int)"));
        assert!(method("read(byte[],int,int)").names("read(byte[], int, int)"));
        assert!(method("read()").names("read()"));
        assert!(!method("read()").names("read(byte[], int, int)"));
        assert!(!method("read").names("readAll()"));
        assert!(!method("read(int)").names("read(long)"));
    }
}
