//! Whether what is printed has colour.

use std::env;
use std::io::{self, IsTerminal};

use clap::ColorChoice;
use raddle_report::Paint;

/// Colour where somebody sees it, unless `NO_COLOR` is set (<https://no-color.org>) or the terminal has none.
pub(crate) fn paint(choice: ColorChoice) -> Paint {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let has_colour = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
    };
    if has_colour { Paint::Colour } else { Paint::Plain }
}
