//! The date for PGN files.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date of today (UTC) as PGN writes it; Howard Hinnant's `civil_from_days`.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(now.as_secs() / 86_400)
}

fn date(days_since_1970: u64) -> String {
    let shifted = days_since_1970 + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, text) in
            [(0, "1970.01.01"), (59, "1970.03.01"), (11_016, "2000.02.29"), (20_787, "2026.11.30")]
        {
            assert_eq!(date(days), text);
        }
    }
}
