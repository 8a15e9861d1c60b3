//! What holds for the project as a whole.

mod layers;
mod tidy;
