//! Times as a mission may write them.

use std::ops::RangeInclusive;

/// A day, or a day and a time, as RFC 3339 writes them; a space may stand for the `T`, a day alone
/// means its midnight in UTC, a time without an offset is UTC.
pub(super) fn timestamp(text: &str) -> Option<String> {
    let day = text.get(..10)?;
    let number = |text: &str, bounds: RangeInclusive<u32>| {
        text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse().is_ok_and(|number| bounds.contains(&number))
    };
    let [year, month, date] = day.split('-').collect::<Vec<_>>()[..] else { return None };
    if year.len() != 4 || month.len() != 2 || !number(year, 0..=9999) || !number(month, 1..=12) || !number(date, 1..=31)
    {
        return None;
    }
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(format!("{day}T00:00:00Z"));
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = match rest.find(['Z', 'z', '+', '-']) {
        Some(at) => rest.split_at(at),
        None => (rest, "Z"),
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let clock_ok = match parts[..] {
        [h, m] => h.len() == 2 && m.len() == 2 && number(h, 0..=23) && number(m, 0..=59),
        [h, m, s] => {
            parts.iter().all(|part| part.len() == 2) && number(h, 0..=23) && number(m, 0..=59) && number(s, 0..=60)
        }
        _ => false,
    };
    let offset_ok = matches!(offset, "Z" | "z")
        || offset[1..]
            .split_once(':')
            .is_some_and(|(h, m)| h.len() == 2 && m.len() == 2 && number(h, 0..=23) && number(m, 0..=59));
    let fraction_ok = !fraction.is_empty() && fraction.len() <= 9 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !(clock_ok && offset_ok && fraction_ok) {
        return None;
    }
    let seconds = if parts.len() == 2 { ":00" } else { "" };
    let fraction = if fraction == "0" { String::new() } else { format!(".{fraction}") };
    Some(format!("{day}T{clock}{seconds}{fraction}{}", offset.to_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, read) in [
            ("2026-01-01", Some("2026-01-01T00:00:00Z")),
            ("2026-01-01 09:30", Some("2026-01-01T09:30:00Z")),
            ("2026-01-01T09:30:05Z", Some("2026-01-01T09:30:05Z")),
            ("2026-01-01t09:30:05.123z", Some("2026-01-01T09:30:05.123Z")),
            ("2026-01-01T09:30:05+02:00", Some("2026-01-01T09:30:05+02:00")),
            ("2026-13-01", None),
            ("2026-01-01T25:00Z", None),
            ("2026-01-01T09:30:05+2", None),
            ("2026-1-1", None),
            ("2026-01-01é", None),
            ("", None),
        ] {
            assert_eq!(timestamp(text).as_deref(), read, "{text:?}");
        }
    }
}
