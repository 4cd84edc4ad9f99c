//! The loop: generate, run, judge, minimise, confirm; emits events.
