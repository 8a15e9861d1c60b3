//! Shares of 1 (footprint weight, centrality) as integers, so that what is equal compares equal.
//!
//! A sum of thirds may come out as 0.9999999999999999, and 1/20 may come out above 0.05. Every
//! comparison that decides something is therefore made in units of 2⁻⁴⁰, about 10⁻¹²: far below
//! what centrality is known to (10⁻⁹), far above what summing loses. Artifacts carry [`rounded`]
//! ones. Deliberately *not* here: any threshold.

/// A share in units of 2⁻⁴⁰, rounded to the nearest; 0 for what is no positive number.
pub(crate) fn fixed(share: f64) -> u64 {
    const ONE: f64 = (1_u64 << 40) as f64;
    // `as` saturates and sends NaN to 0.
    (share * ONE + 0.5) as u64
}

/// A share as artifacts show it: to nine decimals, which is what centrality is known to. So short a
/// number is the same after it was written as JSON and read again, whatever reads it.
pub(crate) fn rounded(share: f64) -> f64 {
    const UNITS: f64 = 1e9;
    // Adding 0 turns a negative zero into a plain one.
    (share * UNITS).round() / UNITS + 0.0
}

#[cfg(test)]
mod tests {
    use super::{fixed, rounded};

    #[test]
    fn what_is_shown_is_short() {
        assert_eq!(rounded(1.0 / 3.0), 0.333333333);
        assert_eq!(rounded(-1e-12).to_string(), "0");
    }

    #[test]
    fn rounding_noise_does_not_count() {
        assert_eq!(fixed(1.0 / 3.0 + 1.0 / 3.0 + 1.0 / 3.0), fixed(1.0));
        assert_eq!(fixed((0..7).map(|_| 1.0 / 14.0).sum()), fixed(0.5));
        assert_eq!(fixed(0.1 + 0.2), fixed(0.3));
        assert!(fixed(0.3) < fixed(0.3 + 1e-11));
    }

    #[test]
    fn what_is_no_share_is_nothing() {
        assert_eq!([f64::NAN, -1.0, f64::NEG_INFINITY, 0.0].map(fixed), [0; 4]);
        assert_eq!(fixed(f64::INFINITY), u64::MAX);
    }
}
