//! Images made by hand: every kind of damage, without a JDK at hand.

use super::*;

const OBJECT: &str = "java/lang/Object";

/// Writer of small images, the reverse of the reader.
struct Builder {
    strings: Vec<u8>,
    resources: Vec<u8>,
    /// Full name and encoded attributes.
    locations: Vec<(String, Vec<u8>)>,
    is_compressed: bool,
}

impl Builder {
    fn new() -> Self {
        // Offset zero is the empty string, which stands for absent parts of names.
        Self {
            strings: vec![0],
            resources: Vec::new(),
            locations: Vec::new(),
            is_compressed: false,
        }
    }

    fn string(&mut self, text: &str) -> u64 {
        let wanted = [text.as_bytes(), &[0]].concat();
        let found = self
            .strings
            .windows(wanted.len())
            .position(|window| window == wanted);
        let at = found.unwrap_or(self.strings.len());
        if found.is_none() {
            self.strings.extend(wanted);
        }
        at as u64
    }

    fn resource(&mut self, module: &str, parent: &str, base: &str, extension: &str, content: &[u8]) {
        let slash = if parent.is_empty() { "" } else { "/" };
        let dot = if extension.is_empty() { "" } else { "." };
        let name = format!("/{module}/{parent}{slash}{base}{dot}{extension}");
        let mut attributes = Vec::new();
        let mut put = |kind: usize, value: u64| {
            let bytes = value.to_be_bytes();
            let skip = (value.leading_zeros() as usize / 8).min(7);
            attributes.push((kind << 3 | (7 - skip)) as u8);
            attributes.extend(&bytes[skip..]);
        };
        put(MODULE, self.string(module));
        put(PARENT, self.string(parent));
        put(BASE, self.string(base));
        put(EXTENSION, self.string(extension));
        put(OFFSET, self.resources.len() as u64);
        put(COMPRESSED, if self.is_compressed { 9 } else { 0 });
        put(UNCOMPRESSED, content.len() as u64);
        attributes.push(END);
        self.resources.extend(content);
        self.locations.push((name, attributes));
    }

    fn class(&mut self, module: &str, name: &str, content: &[u8]) {
        let (parent, base) = name.rsplit_once('/').unwrap_or(("", name));
        self.resource(module, parent, base, "class", content);
    }

    fn package(&mut self, name: &str, modules: &[(&str, bool)]) {
        let mut content = Vec::new();
        for &(module, is_empty) in modules {
            content.extend(u32::from(is_empty).to_le_bytes());
            content.extend((self.string(module) as u32).to_le_bytes());
        }
        let (base, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_compressed = std::mem::take(&mut self.is_compressed);
        self.resource("packages", "", base, extension, &content);
        self.is_compressed = is_compressed;
    }

    /// Perfect hash as jlink makes it: crowded buckets first, each with the first seed that spreads it.
    fn build(self) -> Vec<u8> {
        let count = self.locations.len();
        let slot = |name: &str, seed: u32| hash(name, seed) as usize % count;
        let mut buckets = vec![Vec::new(); count];
        for (index, (name, _)) in self.locations.iter().enumerate() {
            buckets[slot(name, HASH_MULTIPLIER)].push(index);
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
        let mut redirect = vec![0_i32; count];
        let mut taken = vec![None; count];
        for bucket in order {
            match buckets[bucket].as_slice() {
                [] => {}
                &[index] => {
                    let free = taken.iter().position(Option::is_none).unwrap();
                    taken[free] = Some(index);
                    redirect[bucket] = -1 - i32::try_from(free).unwrap();
                }
                crowd => {
                    let spread = |seed: u32| -> Option<Vec<usize>> {
                        let mut slots = Vec::new();
                        for &index in crowd {
                            let slot = slot(&self.locations[index].0, seed);
                            if taken[slot].is_some() || slots.contains(&slot) {
                                return None;
                            }
                            slots.push(slot);
                        }
                        Some(slots)
                    };
                    let (seed, slots) = (1..).find_map(|seed| Some((seed, spread(seed)?))).unwrap();
                    redirect[bucket] = seed.cast_signed();
                    for (&index, slot) in crowd.iter().zip(slots) {
                        taken[slot] = Some(index);
                    }
                }
            }
        }
        let mut locations: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        for index in taken {
            offsets.push(locations.len() as u32);
            locations.extend(&self.locations[index.unwrap()].1);
        }
        let sizes = [count, count, locations.len(), self.strings.len()].map(|size| size as u32);
        let header = [MAGIC, 1 << 16, 0, sizes[0], sizes[1], sizes[2], sizes[3]];
        let mut image: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        image.extend(redirect.iter().flat_map(|word| word.to_le_bytes()));
        image.extend(offsets.iter().flat_map(|word| word.to_le_bytes()));
        image.extend(locations);
        image.extend(self.strings);
        image.extend(self.resources);
        image
    }
}

fn sample() -> Builder {
    let mut builder = Builder::new();
    builder.class("java.base", "module-info", b"java.base descriptor");
    builder.class("java.base", OBJECT, b"object");
    builder.class("java.base", "java/lang/String", b"string");
    builder.class("java.base", "java/lang/package-info", b"package descriptor");
    builder.resource("java.base", "java/lang", "names", "properties", b"a=b");
    builder.class("java.sql", "module-info", b"java.sql descriptor");
    builder.class("java.sql", "java/sql/Driver", b"driver");
    builder.package("java", &[("java.base", true), ("java.sql", true)]);
    builder.package("java.lang", &[("java.sql", true), ("java.base", false)]);
    builder.package("java.sql", &[("java.sql", false)]);
    builder
}

/// Asks everything there is to ask; only panics and hangs are wrong here.
fn ask_everything<B: Deref<Target = [u8]>>(image: &Image<B>) {
    for name in [
        OBJECT,
        "java/sql/Driver",
        "java/lang/Missing",
        "missing/Class",
        "Unnamed",
        "",
    ] {
        let _ = image.find(name);
        let _ = image.module_of(name);
    }
    if let Ok(modules) = image.modules() {
        for module in modules {
            let _ = image.classes_of(module);
        }
    }
}

fn error_of(bytes: &[u8]) -> ImageError {
    Image::new(bytes).err().unwrap()
}

#[test]
fn finds_classes_and_their_modules() {
    let image = Image::new(sample().build()).unwrap();
    assert_eq!(image.find(OBJECT), Ok(Some((b"object".as_slice(), "java.base"))));
    assert_eq!(
        image.find("java/sql/Driver"),
        Ok(Some((b"driver".as_slice(), "java.sql")))
    );
    assert_eq!(image.find("java/sql/Missing"), Ok(None));
    assert_eq!(image.find("java/Object"), Ok(None));
    assert_eq!(image.find("Object"), Ok(None));
    assert_eq!(image.find(""), Ok(None));
}

#[test]
fn package_decides_the_module() {
    let image = Image::new(sample().build()).unwrap();
    assert_eq!(image.module_of(OBJECT), Ok(Some("java.base")));
    assert_eq!(image.module_of("java/lang/NoSuchClass"), Ok(Some("java.base")));
    assert_eq!(image.module_of("java/Empty"), Ok(None));
    assert_eq!(image.module_of("Unnamed"), Ok(None));
}

#[test]
fn lists_modules_and_classes_sorted_without_descriptors() {
    let image = Image::new(sample().build()).unwrap();
    assert_eq!(
        image.modules().unwrap().collect::<Vec<_>>(),
        ["java.base", "java.sql"]
    );
    let names = |module| -> Vec<String> {
        let classes = image.classes_of(module).unwrap().unwrap();
        classes.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names("java.base"), [OBJECT, "java/lang/String"]);
    assert_eq!(names("java.sql"), ["java/sql/Driver"]);
    assert_eq!(image.classes_of("packages"), Ok(None));
    assert_eq!(image.classes_of("java.desktop"), Ok(None));
}

#[test]
fn foreign_headers_are_named() {
    let good = sample().build();
    let mut big_endian = good.clone();
    big_endian[..4].reverse();
    assert_eq!(error_of(&big_endian), ImageError::BigEndian);
    assert_eq!(
        error_of(&[b'x'; 100]),
        ImageError::NotAnImage { magic: 0x7878_7878 }
    );
    let mut newer = good.clone();
    newer[4] = 7;
    assert_eq!(error_of(&newer), ImageError::Version { major: 1, minor: 7 });
    assert_eq!(error_of(&good[..27]), ImageError::Truncated { part: "header" });
    assert_eq!(error_of(b""), ImageError::Truncated { part: "header" });
    let mut huge = good;
    huge[16..20].fill(0xFF);
    assert_eq!(
        error_of(&huge),
        ImageError::Truncated {
            part: "redirect table"
        }
    );
}

#[test]
fn compressed_resources_are_refused_with_a_remedy() {
    let mut builder = Builder::new();
    builder.is_compressed = true;
    builder.class("java.base", OBJECT, b"object");
    builder.package("java.lang", &[("java.base", false)]);
    let image = Image::new(builder.build()).unwrap();
    let error = ImageError::Compressed {
        resource: OBJECT.to_owned(),
    };
    assert!(error.to_string().contains("jimage extract"));
    assert_eq!(image.find(OBJECT), Err(error.clone()));
    assert_eq!(image.classes_of("java.base"), Err(error));
}

#[test]
fn cut_anywhere_gives_an_error() {
    let good = sample().build();
    for length in 0..good.len() {
        if let Ok(image) = Image::new(&good[..length]) {
            ask_everything(&image);
            let all = ["java.base", "java.sql"].map(|module| image.classes_of(module));
            let cut = Err(ImageError::Truncated { part: "resources" });
            // The package table is last: cutting it hides nothing from the listing.
            assert!(
                all.contains(&cut) || image.find("java/sql/Driver").is_err(),
                "cut at {length}"
            );
        }
    }
}

#[test]
fn every_flipped_bit_is_survived() {
    let mut bytes = sample().build();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            if let Ok(image) = Image::new(bytes.as_slice()) {
                ask_everything(&image);
            }
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn empty_tables_hold_nothing() {
    let header = [MAGIC, 1 << 16, 0, 0, 0, 0, 0];
    let bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
    let image = Image::new(bytes).unwrap();
    assert_eq!(image.find(OBJECT), Ok(None));
    assert_eq!(image.modules().unwrap().count(), 0);
}

#[test]
fn shared_long_names_do_not_fill_the_memory() {
    let mut builder = Builder::new();
    builder.class("m", &format!("p/{}", "x".repeat(60_000)), b"");
    let mut bytes = builder.build();
    // A thousand slots that all point to the one location: 60 MB of names from 68 kB.
    let slots = 1000_u32;
    bytes[16..20].copy_from_slice(&slots.to_le_bytes());
    bytes.splice(
        HEADER_SIZE + 4..HEADER_SIZE + 4,
        vec![0; (slots as usize - 1) * 8],
    );
    let image = Image::new(bytes).unwrap();
    assert_eq!(
        image.classes_of("m"),
        Err(ImageError::Corrupt { part: "string table" })
    );
}

#[test]
fn endless_attributes_and_names_are_refused() {
    let with = |locations: &[u8], strings: &[u8]| {
        let header = [
            MAGIC,
            1 << 16,
            0,
            1,
            1,
            locations.len() as u32,
            strings.len() as u32,
            u32::MAX,
            0,
        ];
        let tables = header
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>();
        Image::new([tables.as_slice(), locations, strings].concat()).unwrap()
    };
    let error = |part| Err(ImageError::Corrupt { part });
    assert_eq!(with(&[8; 10_000], &[0]).find("p/C"), error("location table"));
    assert_eq!(
        with(&[8, 0, 0], &vec![b'x'; 100_000]).find("p/C"),
        error("string table")
    );
    assert_eq!(with(&[8, 0, 0], &[0xFF, 0]).find("p/C"), error("string table"));
}

#[test]
fn flipped_bits_of_a_real_image_are_survived() {
    let home = crate::Jdk::locate(None).unwrap().home().to_owned();
    let map = crate::mapping::map(&home.join("lib/modules")).unwrap();
    let tables = Image::new(&map[..]).unwrap().strings.end;
    // All tables and a piece of the resources: what lies beyond is an error as well.
    let mut bytes = map[..tables + 100_000].to_vec();
    let mut random = 1_u64;
    for _ in 0..50 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (at, flip) = ((random >> 16) as usize % tables, (random >> 8) as u8 | 1);
        bytes[at] ^= flip;
        if let Ok(image) = Image::new(bytes.as_slice()) {
            ask_everything(&image);
        }
        bytes[at] ^= flip;
    }
}
