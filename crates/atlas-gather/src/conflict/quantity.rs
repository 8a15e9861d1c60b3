//! Numbers with their units and bounds (contract §10.4, by words): `16 KiB`, `half an hour`, `at most
//! ten`, `status 403`.

/// What a number counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Dimension {
    /// In seconds.
    Time,
    /// In bytes.
    Size,
    Percent,
    Port,
    /// Of HTTP.
    Status,
    /// The stem of the noun that follows.
    Of(String),
    Bare,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Exactly,
    AtMost,
    AtLeast,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    pub value: f64,
    pub dimension: Dimension,
    pub bound: Bound,
}

impl Quantity {
    /// Whether no number fits both. Two bounds of one kind that differ cannot both be the bound.
    pub fn excludes(&self, other: &Self) -> bool {
        // "is 512" and "is 1024 entries" count the same.
        let counts = |one: &Dimension, two: &Dimension| *one == Dimension::Bare && matches!(two, Dimension::Of(_));
        let alike = counts(&self.dimension, &other.dimension) || counts(&other.dimension, &self.dimension);
        if self.dimension != other.dimension && !alike {
            return false;
        }
        // A megabyte is a million bytes to some and 2²⁰ to others.
        let tolerance = if self.dimension == Dimension::Size { 0.08 } else { 1e-9 };
        let same = (self.value - other.value).abs() <= tolerance * self.value.abs().max(other.value.abs());
        match (self.bound, other.bound) {
            (a, b) if a == b => !same,
            (Bound::AtMost, Bound::Exactly) => other.value > self.value && !same,
            (Bound::Exactly, Bound::AtMost) => self.value > other.value && !same,
            (Bound::AtLeast, Bound::Exactly) => other.value < self.value && !same,
            (Bound::Exactly, Bound::AtLeast) => self.value < other.value && !same,
            _ => false,
        }
    }
}

/// Seconds or bytes of one unit, by its name in lower case.
pub fn unit(word: &str) -> Option<(f64, Dimension)> {
    const K: f64 = 1024.0;
    let time = |seconds: f64| Some((seconds, Dimension::Time));
    let size = |bytes: f64| Some((bytes, Dimension::Size));
    match word {
        "ns" | "nanosecond" | "nanoseconds" => time(1e-9),
        "us" | "µs" | "microsecond" | "microseconds" => time(1e-6),
        "ms" | "msec" | "millisecond" | "milliseconds" | "millis" => time(1e-3),
        "s" | "sec" | "secs" | "second" | "seconds" => time(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => time(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => time(3600.0),
        "d" | "day" | "days" => time(86_400.0),
        "week" | "weeks" => time(604_800.0),
        "month" | "months" => time(2_592_000.0),
        "year" | "years" => time(31_536_000.0),
        "b" | "byte" | "bytes" | "octet" | "octets" => size(1.0),
        "kb" | "kilobyte" | "kilobytes" => size(1e3),
        "mb" | "megabyte" | "megabytes" => size(1e6),
        "gb" | "gigabyte" | "gigabytes" => size(1e9),
        "tb" | "terabyte" | "terabytes" => size(1e12),
        "kib" | "kibibyte" | "kibibytes" | "k" => size(K),
        "mib" | "mebibyte" | "mebibytes" => size(K * K),
        "gib" | "gibibyte" | "gibibytes" => size(K * K * K),
        "percent" | "pct" => Some((1.0, Dimension::Percent)),
        _ => None,
    }
}

/// The number that a word is.
pub fn number_word(word: &str) -> Option<f64> {
    const WORDS: [(&str, f64); 32] = [
        ("zero", 0.0),
        ("two", 2.0),
        ("three", 3.0),
        ("four", 4.0),
        ("five", 5.0),
        ("six", 6.0),
        ("seven", 7.0),
        ("eight", 8.0),
        ("nine", 9.0),
        ("ten", 10.0),
        ("eleven", 11.0),
        ("twelve", 12.0),
        ("thirteen", 13.0),
        ("fourteen", 14.0),
        ("fifteen", 15.0),
        ("sixteen", 16.0),
        ("seventeen", 17.0),
        ("eighteen", 18.0),
        ("nineteen", 19.0),
        ("twenty", 20.0),
        ("thirty", 30.0),
        ("forty", 40.0),
        ("fifty", 50.0),
        ("sixty", 60.0),
        ("seventy", 70.0),
        ("eighty", 80.0),
        ("ninety", 90.0),
        ("hundred", 100.0),
        ("thousand", 1000.0),
        ("million", 1e6),
        ("dozen", 12.0),
        ("half", 0.5),
    ];
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(value: f64, bound: Bound) -> Quantity {
        Quantity { value, dimension: Dimension::Time, bound }
    }

    #[test]
    fn numbers_exclude_each_other_where_their_ranges_do_not_meet() {
        use Bound::{AtLeast, AtMost, Exactly};
        for (a, a_bound, b, b_bound, excludes) in [
            (3.0, Exactly, 5.0, Exactly, true),
            (3.0, Exactly, 3.0, Exactly, false),
            (3.0, AtMost, 5.0, Exactly, true),
            (5.0, AtMost, 3.0, Exactly, false),
            (3.0, AtMost, 5.0, AtMost, true),
            (3.0, AtLeast, 2.0, Exactly, true),
            (3.0, AtLeast, 4.0, Exactly, false),
            (3.0, AtLeast, 2.0, AtMost, false),
            (1800.0, Exactly, 0.5 * 3600.0, Exactly, false),
        ] {
            let (a, b) = (quantity(a, a_bound), quantity(b, b_bound));
            assert_eq!((a.excludes(&b), b.excludes(&a)), (excludes, excludes), "{a:?} {b:?}");
        }
        let port = Quantity { value: 1.0, dimension: Dimension::Port, bound: Exactly };
        assert!(!port.excludes(&quantity(2.0, Exactly)));
    }
}
