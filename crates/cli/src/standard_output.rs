//! Writing to standard output, whose reader may go away at any time.

use std::io::{self, Write};

/// Writes and flushes. That the reader has seen enough, as with `raddle … | head -1`, is no problem, and changes nothing about
/// what was found.
pub(crate) fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    heard(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// A line on standard error. Who does not listen there is told nothing; the macro of the standard library would panic.
macro_rules! complain {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
pub(crate) use complain;

fn heard(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reader_that_has_gone_is_no_problem() {
        assert!(heard(Err(io::Error::from(io::ErrorKind::BrokenPipe))).is_ok());
        assert!(heard(Err(io::Error::from(io::ErrorKind::StorageFull))).is_err());
    }
}
