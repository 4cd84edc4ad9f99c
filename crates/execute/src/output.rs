//! What a worker prints: read at once, so that it never waits for us; kept up to a bound, the rest only counted.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes that are kept of each stream. An error message of a JVM comes first; a test that floods comes after.
const KEPT: usize = 64 << 10;

/// One stream of a worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output(Arc<Mutex<Captured>>);

#[derive(Debug, Default)]
struct Captured {
    kept: Vec<u8>,
    length: u64,
}

impl Output {
    /// Reads the stream to its end on a thread of its own.
    pub(crate) fn of(stream: Option<impl Read + Send + 'static>) -> std::io::Result<Output> {
        let output = Output::default();
        let Some(mut stream) = stream else {
            return Ok(output);
        };
        let captured = output.clone();
        thread::Builder::new()
            .name("raddle-output".to_owned())
            .spawn(move || {
                let mut buffer = vec![0; 64 << 10];
                while let Ok(length) = stream.read(&mut buffer) {
                    if length == 0 {
                        break;
                    }
                    captured.add(&buffer[..length]);
                }
            })?;
        Ok(output)
    }

    fn add(&self, bytes: &[u8]) {
        let mut captured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT - captured.kept.len();
        captured.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        captured.length += bytes.len() as u64;
    }

    /// The beginning, as text.
    pub(crate) fn text(&self) -> String {
        let captured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&captured.kept).into_owned()
    }

    /// How many bytes there were.
    pub(crate) fn length(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_flood_is_counted_and_its_beginning_kept() {
        let flood = std::io::repeat(b'x').take(10 << 20);
        let output = Output::of(Some(flood)).unwrap();
        let begun = Instant::now();
        while output.length() < 10 << 20 && begun.elapsed() < Duration::from_secs(30) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(output.length(), 10 << 20);
        assert_eq!(output.text().len(), KEPT);
    }
}
