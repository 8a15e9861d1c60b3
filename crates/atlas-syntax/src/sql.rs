//! Tables that an SQL text reads and writes.
