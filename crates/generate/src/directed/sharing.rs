//! Setter calls that make two calls share an object (Intruder, Algorithm 5, lines 6 to 10).

use raddle_predict::{AccessPath, Root, Shared, Sharing};

use super::{Piece, TracedTest, Variable};

/// The pieces of a test, and which of their variables are the same.
pub(crate) type Shape<'s> = (Vec<Piece<'s>>, Vec<(Variable, Variable)>);

/// Two calls of threads with the setters before them that make them share an object.
pub(crate) fn share<'s>(
    seeds: &'s [TracedTest],
    local: Piece<'s>,
    remote: Piece<'s>,
    sharing: &Sharing,
) -> Option<Shape<'s>> {
    let setters = [&sharing.local.setters, &sharing.remote.setters];
    // A setter may be the constructor of what it sets; the first piece that has a variable makes it.
    let mut pieces: Vec<Piece<'s>> = Vec::new();
    for setter in setters.into_iter().flatten() {
        let seed = seeds.get(setter.trace)?;
        pieces.push(Piece {
            seed,
            call: seed.call_at(setter.enter),
            in_thread: false,
        });
    }
    let threads = pieces.len();
    pieces.push(local);
    pieces.push(remote);
    let mut same = Vec::new();
    let one = shared(&pieces, 0, threads, &sharing.local, &mut same)?;
    let other = shared(
        &pieces,
        sharing.local.setters.len(),
        threads + 1,
        &sharing.remote,
        &mut same,
    )?;
    same.push((one, other));
    Some((pieces, same))
}

/// The variable that holds the shared object for one of the calls; its setters begin at piece number `first`.
fn shared(
    pieces: &[Piece<'_>],
    first: usize,
    thread: usize,
    wanted: &Shared,
    same: &mut Vec<(Variable, Variable)>,
) -> Option<Variable> {
    let mut holder = parameter(pieces, thread, &wanted.path)?;
    // The last setter puts something into what the call is given, the one before it something into that.
    for (number, setter) in wanted.setters.iter().enumerate().rev() {
        let number = first + number;
        same.push((parameter(pieces, number, &setter.target)?, holder));
        holder = parameter(pieces, number, &setter.source)?;
    }
    Some(holder)
}

/// The variable at the root of a path of a piece's call.
fn parameter(pieces: &[Piece<'_>], number: usize, path: &AccessPath) -> Option<Variable> {
    let Root::Parameter(at) = path.root else {
        return None;
    };
    let piece = pieces.get(number)?;
    let name = piece.seed.parameter(piece.call, at)?;
    Some((number, name.to_owned()))
}
