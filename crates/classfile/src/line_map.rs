//! Lines of code that was compiled into a class from elsewhere, such as inline functions of Kotlin.
//!
//! The compiler numbers such lines beyond the end of the file, and says in the attribute `SourceDebugExtension` (JSR 45) what
//! they stand for: strata of lines, each with files and runs of numbers. Only lines of the class's own file can be shown, so
//! a line of another file is that of the call, which a later stratum has.

/// What line numbers of a class stand for in its own source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// By stratum, in their order.
    strata: Vec<Vec<Run>>,
}

/// `input#file,repeat:output,step`: so many lines, each of which stands for `step` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    input: u32,
    repeat: u32,
    output: u32,
    step: u32,
}

impl Run {
    fn line(self, number: u32) -> Option<u32> {
        let after = number.checked_sub(self.output)?;
        let at = after.checked_div(self.step)?;
        (at < self.repeat).then(|| self.input.checked_add(at))?
    }
}

impl LineMap {
    /// Reads the attribute of a class whose source file has that name. What cannot be read is left out: it is about lines for
    /// people, and nothing else depends on it.
    pub(crate) fn read(text: &str, source_file: &str) -> LineMap {
        let mut strata = Vec::new();
        let mut section = "";
        let mut own = Vec::new();
        let mut current = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with('*') {
                section = line.get(..2).unwrap_or_default();
                match section {
                    "*S" => strata.push(Vec::new()),
                    "*F" => own.clear(),
                    _ => {}
                }
                current = "";
                continue;
            }
            match section {
                "*F" => {
                    // With a plus sign, the next line is a path.
                    let named = line.strip_prefix("+ ");
                    let (id, name) = named.unwrap_or(line).split_once(' ').unwrap_or_default();
                    if named.is_some() {
                        lines.next();
                    }
                    if name == source_file {
                        own.push(id);
                    }
                }
                "*L" => {
                    let Some((run, file)) = run(line) else { continue };
                    // A run without a file is about the same one as the run before.
                    current = file.unwrap_or(current);
                    if own.contains(&current)
                        && let Some(stratum) = strata.last_mut()
                    {
                        stratum.push(run);
                    }
                }
                _ => {}
            }
        }
        LineMap { strata }
    }

    /// The line that a number of the line table stands for.
    pub fn line(&self, number: u16) -> u16 {
        let line = self.strata.iter().find_map(|stratum| {
            let line = stratum.iter().find_map(|run| run.line(u32::from(number)))?;
            u16::try_from(line).ok()
        });
        line.unwrap_or(number)
    }
}

fn run(line: &str) -> Option<(Run, Option<&str>)> {
    let (input, output) = line.split_once(':')?;
    let (input, repeat) = input.split_once(',').unwrap_or((input, "1"));
    let (input, file) = match input.split_once('#') {
        Some((input, file)) => (input, Some(file)),
        None => (input, None),
    };
    let (output, step) = output.split_once(',').unwrap_or((output, "1"));
    let run = Run {
        input: input.parse().ok()?,
        repeat: repeat.parse().ok()?,
        output: output.parse().ok()?,
        step: step.parse().ok()?,
    };
    Some((run, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the Kotlin compiler writes it: line 12 calls an inline function of the library, line 20 one of the same file.
    const KOTLIN: &str = "SMAP\nCache.kt\nKotlin\n*S Kotlin\n*F\n+ 1 Cache.kt\ncom/acme/Cache\n+ 2 _Maps.kt\nkotlin/collections/MapsKt\n\
        *L\n1#1,50:1\n30#1:53\n361#2,2:51\n*S KotlinDebug\n*F\n+ 1 Cache.kt\ncom/acme/Cache\n*L\n12#1:51,2\n20#1:53\n*E\n";

    #[test]
    fn a_line_of_another_file_is_that_of_the_call() {
        let map = LineMap::read(KOTLIN, "Cache.kt");
        assert_eq!([51, 52].map(|number| map.line(number)), [12, 12]);
    }

    #[test]
    fn a_line_of_the_same_file_is_that_of_the_inline_function() {
        assert_eq!(LineMap::read(KOTLIN, "Cache.kt").line(53), 30);
    }

    #[test]
    fn other_lines_are_as_they_are() {
        let map = LineMap::read(KOTLIN, "Cache.kt");
        assert_eq!([1, 50, 54].map(|number| map.line(number)), [1, 50, 54]);
        assert_eq!(LineMap::default().line(7), 7);
    }

    #[test]
    fn what_is_broken_changes_nothing() {
        for text in [
            "",
            "*L\n1#1,5:9",
            "SMAP\n*S A\n*F\n1 A\n*L\n1#1,5:9,0\n#:,\n:\n4294967295#1,9:9\n",
            "*F\n+ 1 A",
            "*S\n*F\n+\n*L\n70000#1:9\n",
        ] {
            assert_eq!(LineMap::read(text, "A").line(9), 9, "{text:?}");
        }
    }
}
