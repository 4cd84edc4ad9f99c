//! Charts as SVG, written by hand: lines in [`LineChart`], horizontal bars in [`Bars`].
//!
//! They have no background and can be read on a light and on a dark page. The same data give the same bytes.

mod axis;
mod bars;
mod document;
mod line;
mod palette;

pub(crate) use self::axis::{Axis, Scale};
pub(crate) use self::bars::{Arrangement, Bar, Bars};
pub(crate) use self::line::{LineChart, Range, Series};
