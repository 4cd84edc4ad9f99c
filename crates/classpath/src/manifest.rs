//! The main section of `META-INF/MANIFEST.MF`.

/// The attributes that matter to a class path.
#[derive(Default)]
pub(crate) struct Manifest {
    /// Whether `META-INF/versions` counts.
    pub(crate) is_multi_release: bool,
    class_path: String,
}

impl Manifest {
    /// Reads the main section; what is not understood is ignored, as in the JDK.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut manifest = Self::default();
        // Lines are joined as bytes: a continuation may split a UTF-8 sequence.
        let mut attribute = Vec::new();
        // An empty line ends the main section.
        for line in lines_of(bytes).take_while(|line| !line.is_empty()) {
            if let Some(continuation) = line.strip_prefix(b" ") {
                attribute.extend_from_slice(continuation);
            } else {
                manifest.set(&attribute);
                attribute.clear();
                attribute.extend_from_slice(line);
            }
        }
        manifest.set(&attribute);
        manifest
    }

    /// References of the `Class-Path` attribute, as written: relative URLs.
    pub(crate) fn class_path(&self) -> impl Iterator<Item = &str> {
        self.class_path.split_ascii_whitespace()
    }

    fn set(&mut self, attribute: &[u8]) {
        let attribute = String::from_utf8_lossy(attribute);
        let Some((name, value)) = attribute.split_once(':') else {
            return;
        };
        let value = value.strip_prefix(' ').unwrap_or(value);
        // Attribute names are case-insensitive, and the last of several wins, as in java.util.jar.Attributes.
        if name.eq_ignore_ascii_case("Multi-Release") {
            self.is_multi_release = value.eq_ignore_ascii_case("true");
        } else if name.eq_ignore_ascii_case("Class-Path") {
            value.clone_into(&mut self.class_path);
        }
    }
}

/// Lines ended by CR LF, LF or CR.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\r' | b'\n'))
            .unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = tail
            .strip_prefix(b"\r\n")
            .unwrap_or_else(|| tail.get(1..).unwrap_or_default());
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class_path(text: &str) -> Vec<String> {
        Manifest::parse(text.as_bytes())
            .class_path()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn lines_may_be_continued() {
        assert_eq!(
            class_path("Class-Path: a.jar lib\n /b.jar  c\n .jar\n"),
            ["a.jar", "lib/b.jar", "c.jar"]
        );
        assert_eq!(class_path("Class-Path: a\r\n b.jar\r\n"), ["ab.jar"]);
        assert_eq!(class_path("Class-Path: a\r b.jar"), ["ab.jar"]);
    }

    #[test]
    fn continuation_may_split_a_character() {
        let bytes = [b"Class-Path: \xC3".as_slice(), b"\n \xA4.jar\n"].concat();
        assert_eq!(
            Manifest::parse(&bytes).class_path().collect::<Vec<_>>(),
            ["ä.jar"]
        );
    }

    #[test]
    fn only_the_main_section_counts() {
        assert!(!Manifest::parse(b"Manifest-Version: 1.0\n\nMulti-Release: true\n").is_multi_release);
        assert_eq!(class_path("\nClass-Path: a.jar\n"), [""; 0]);
    }

    #[test]
    fn attribute_names_have_no_case() {
        assert!(Manifest::parse(b"multi-release: TRUE\n").is_multi_release);
        assert!(!Manifest::parse(b"Multi-Release: yes\n").is_multi_release);
        assert!(!Manifest::parse(b"Multi-Release: false\n").is_multi_release);
        assert_eq!(class_path("CLASS-PATH: A.jar\n"), ["A.jar"]);
    }

    #[test]
    fn nonsense_is_survived() {
        for text in [
            "",
            " ",
            " leading continuation\n",
            ":\n",
            "no colon\n",
            "Class-Path",
            "\r\r\r",
            "\0\n\u{FFFD}",
        ] {
            assert_eq!(class_path(text), [""; 0], "{text:?}");
        }
        assert!(!Manifest::parse(&[0xFF; 100]).is_multi_release);
    }
}
