//! Whether a hunt can be resumed: it must be the same hunt, in the same world.

use std::path::Path;

use raddle_report::{HuntFolder, HuntRequest};

use crate::failure::Failure;
use crate::hunt_arguments::HuntArguments;

/// What the hunt that is to be resumed was told, unless the arguments say otherwise; none if a new one is wanted.
pub(crate) fn earlier(
    arguments: &HuntArguments,
    folder: &HuntFolder,
) -> Result<Option<HuntRequest>, Failure> {
    if !arguments.resume {
        return Ok(None);
    }
    let earlier = folder.request()?;
    if !earlier.cage && !arguments.jvm.no_cage {
        // Whoever made the folder may not be who runs this.
        return Err(Failure::bad_input(vec![format!(
            "the hunt in {} was begun with --no-cage, which is not taken from a file; say --no-cage again to resume it",
            arguments.out.display()
        )]));
    }
    match arguments.contradicts(&earlier)? {
        None => Ok(Some(earlier)),
        Some(then) => Err(Failure::bad_input(vec![format!(
            "the hunt in {} was begun {then}; drop the option that differs to resume it, or leave --resume out to begin a \
             new one",
            arguments.out.display()
        )])),
    }
}

/// Refuses to go on where the same plans would do something else.
pub(crate) fn check_same(now: &HuntRequest, earlier: &HuntRequest, out: &Path) -> Result<(), Failure> {
    let out = out.display();
    let problem = if now.raddle != earlier.raddle {
        format!(
            "the hunt in {out} was begun by raddle {}, and this is {}; resume it with that one",
            earlier.raddle, now.raddle
        )
    } else if now.jdk_version != earlier.jdk_version {
        format!(
            "the hunt in {out} ran on JDK {}, and this is JDK {}; name that JDK with --jdk",
            earlier.jdk_version, now.jdk_version
        )
    } else if now.class_path_fingerprint != earlier.class_path_fingerprint {
        format!(
            "the classes on the class path have changed since the hunt in {out} was begun; bring them back"
        )
    } else {
        return Ok(());
    };
    Err(Failure::bad_input(vec![format!(
        "{problem}, or leave --resume out to begin a new hunt"
    )]))
}
