//! Foreign text made fit for a message.

/// The longest message, in characters.
const MESSAGE_LENGTH: usize = 240;

/// The longest piece of foreign text that a message repeats, in characters.
const QUOTE_LENGTH: usize = 60;

/// Words that old parsers look for anywhere in a line.
const TELLING: [&str; 7] = ["score", "pv", "bestmove", "readyok", "uciok", "option", "info"];

/// A message on one line, with single blanks, of bounded length, and without the words that mean
/// something elsewhere in the protocol.
pub(super) fn message(text: &str) -> String {
    tame(text, MESSAGE_LENGTH)
}

/// Foreign text in quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", tame(text, QUOTE_LENGTH))
}

fn tame(text: &str, limit: usize) -> String {
    let mut tamed = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let shown = if TELLING.iter().any(|telling| telling.eq_ignore_ascii_case(bare)) {
            "…"
        } else {
            word
        };
        let blank = if tamed.is_empty() { "" } else { " " };
        for c in blank.chars().chain(shown.chars()) {
            if length == limit {
                tamed.push('…');
                return tamed;
            }
            tamed.push(if c.is_control() { '?' } else { c });
            length += 1;
        }
    }
    tamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_becomes_short_and_harmless() {
        assert_eq!(quoted("a  b\u{7}"), "'a b?'");
        assert_eq!(quoted("bestmove e2e4"), "'… e2e4'");
        assert_eq!(message("move 1: \"PV\" is no move"), "move 1: … is no move");
        for text in ["é".repeat(100_000), "é ".repeat(100_000)] {
            assert!(quoted(&text).chars().count() <= QUOTE_LENGTH + 3);
            assert!(message(&text).chars().count() <= MESSAGE_LENGTH + 1);
        }
    }
}
