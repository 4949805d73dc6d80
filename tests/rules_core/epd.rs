//! The records of real test suites.

use ferz::notation::epd;
use pretty_assertions::assert_eq;

use crate::data;

const SUITES: [(&str, usize); 14] = [
    ("bk", 24),
    ("bt2630", 30),
    ("classic280", 280),
    ("ecm", 879),
    ("eet", 100),
    ("iq4", 183),
    ("kaufman", 23),
    ("lct2", 35),
    ("mates2000", 2000),
    ("nolot", 11),
    ("pet", 48),
    ("sbd", 134),
    ("sts", 1497),
    ("wac", 300),
];

#[test]
fn suites_are_read_and_written() {
    for (name, expected) in SUITES {
        let text = data(&format!("tactics/{name}.epd"));
        let mut count = 0;
        for (line, record) in epd::parse_lines(&text) {
            let record = record.unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            let best = record.moves("bm").unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            let avoid = record.moves("am").unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            let mate = record.number("dm").unwrap_or_else(|error| panic!("{name}:{line}: {error}"));
            assert!(!best.is_empty() || !avoid.is_empty() || mate.is_some(), "{name}:{line}");
            assert!(record.text("id").is_some_and(|id| !id.is_empty()), "{name}:{line}");
            let written = record.to_string();
            let again = epd::parse(&written).unwrap();
            assert_eq!(again.operations, record.operations, "{name}:{line}");
            assert_eq!(again.position.key(), record.position.key(), "{name}:{line}");
            count += 1;
        }
        assert_eq!(count, expected, "{name}");
    }
}
