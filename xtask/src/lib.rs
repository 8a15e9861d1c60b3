//! Checks over the project as a whole: they are the tests of this crate.
