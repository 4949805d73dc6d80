//! What an engine says of a search: `info` lines.

use std::fmt;

/// A score from the engine's own view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves, negative when it is the one to be mated.
    Mate(i32),
}

impl EngineScore {
    /// The score as one number for thresholds: mates lie beyond all centipawns.
    pub fn value(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            EngineScore::Centipawns(value) => value.clamp(-MATE / 2, MATE / 2),
            EngineScore::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 4),
            EngineScore::Mate(moves) => -MATE - moves.max(-MATE / 4),
        }
    }
}

impl fmt::Display for EngineScore {
    /// Writes pawns (`+0.35`) or a mate (`+M5`), as comments in games have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EngineScore::Centipawns(0) => f.write_str("0.00"),
            EngineScore::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)
            }
            EngineScore::Mate(moves) => {
                write!(f, "{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs())
            }
        }
    }
}

/// The last word of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The deepest line, in plies.
    pub sel_depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// The engine's own count of time, in ms.
    pub time: Option<u64>,
    /// The score.
    pub score: Option<EngineScore>,
    /// Whether the score is only a bound.
    pub bound: bool,
    /// Which of several lines it is, from 1.
    pub multi_pv: Option<u32>,
    /// The line, in UCI moves.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads an `info` line; fields that are no numbers are left out.
    pub fn parse(line: &str) -> Info {
        let mut info = Info::default();
        let mut words = line.split_ascii_whitespace().skip(1).peekable();
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "pv" => {
                    info.pv = words.map(str::to_owned).collect();
                    break;
                }
                "score" => {
                    let kind = words.next().unwrap_or_default();
                    let number = words.next().and_then(|text| text.parse().ok());
                    info.score = match (kind, number) {
                        ("cp", Some(value)) => Some(EngineScore::Centipawns(value)),
                        ("mate", Some(moves)) => Some(EngineScore::Mate(moves)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => info.bound = true,
                _ => {
                    let Some(value) = words.peek().and_then(|text| text.parse::<u64>().ok()) else {
                        continue;
                    };
                    let small = u32::try_from(value).ok();
                    match word {
                        "depth" => info.depth = small,
                        "seldepth" => info.sel_depth = small,
                        "multipv" => info.multi_pv = small,
                        "nodes" => info.nodes = Some(value),
                        "nps" => info.nps = Some(value),
                        "time" => info.time = Some(value),
                        _ => continue,
                    }
                    words.next();
                }
            }
        }
        info
    }

    /// Whether a line is worth keeping as the last word: it has a score and is the first line.
    pub fn is_last_word(line: &str) -> bool {
        let first = match line.split_once(" multipv ") {
            Some((_, rest)) => rest.split_ascii_whitespace().next() == Some("1"),
            None => true,
        };
        first && line.contains(" score ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_line_is_read() {
        let info = Info::parse(
            "info depth 12 seldepth 18 multipv 1 score cp -35 upperbound wdl 1 2 3 nodes 123 \
             nps 456 hashfull 7 tbhits 0 time 89 pv e2e4 e7e5",
        );
        assert_eq!((info.depth, info.sel_depth, info.nodes), (Some(12), Some(18), Some(123)));
        assert_eq!((info.nps, info.time, info.bound), (Some(456), Some(89), true));
        assert_eq!(info.score, Some(EngineScore::Centipawns(-35)));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
    }

    #[test]
    fn odd_lines_do_no_harm() {
        let info = Info::parse("info depth x score cp nodes nps 5 string score cp 4 pv a");
        assert_eq!(info, Info { nps: Some(5), ..Info::default() });
        assert_eq!(Info::parse("info"), Info::default());
        assert_eq!(Info::parse("info score mate -3").score, Some(EngineScore::Mate(-3)));
        assert!(!Info::is_last_word("info depth 3 multipv 2 score cp 1 pv e2e4"));
        assert!(Info::is_last_word("info depth 3 score cp 1"));
    }

    #[test]
    fn scores_are_ordered_and_written() {
        let scores = [
            EngineScore::Mate(-1),
            EngineScore::Mate(-9),
            EngineScore::Centipawns(-4000),
            EngineScore::Centipawns(5),
            EngineScore::Mate(9),
            EngineScore::Mate(1),
        ];
        assert!(scores.is_sorted_by_key(|score| score.value()));
        let texts = scores.map(|score| score.to_string());
        assert_eq!(texts, ["-M1", "-M9", "-40.00", "+0.05", "+M9", "+M1"]);
    }
}
