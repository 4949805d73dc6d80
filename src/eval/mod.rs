//! The hand-made evaluation.
//!
//! Every term is a pair of values for a full and an empty board; the pieces left decide the mix.
//! [`weights`] holds the numbers, fitted to the results and scores of engine games.

mod endgame;
mod king;
mod material;
mod pawns;
mod survey;
mod tapered;
mod threats;
mod weights;

use survey::Survey;
use tapered::Tapered;

use crate::board::Position;
use crate::types::{Color, Score};

/// The largest evaluation, far from the scores that announce a certain result.
const LIMIT: Score = 15_000;

/// The evaluation of a quiet position in centipawns, from the view of the side to move: 100 is an
/// even chance to win. It depends on the men, the side to move and the castling rights only.
pub fn evaluate(position: &Position) -> Score {
    let score = known_ending(position)
        .unwrap_or_else(|| from_view(white_view(position), position.side_to_move()));
    score.clamp(-LIMIT, LIMIT)
}

/// The value, from the view of the side to move, of an ending that is certainly drawn or that a
/// plan wins against a bare king; `None` for all others.
pub fn known_ending(position: &Position) -> Option<Score> {
    let for_white = endgame::known(position)?;
    Some(from_view(for_white, position.side_to_move()).clamp(-LIMIT, LIMIT))
}

fn from_view(for_white: Score, us: Color) -> Score {
    if us == Color::White { for_white } else { -for_white }
}

/// All terms, mixed by phase and scaled by how well the better side can win, from White's view.
fn white_view(position: &Position) -> Score {
    let survey = gather(position);
    let [white, black] = Color::ALL.map(|us| {
        let them = (!us).index();
        survey.score[us.index()] + danger_value(survey.danger[them])
    });
    let tempo = weights::TEMPO * if position.side_to_move() == Color::White { 1 } else { -1 };
    let total = white - black + tempo;
    let better = if total.endgame() > 0 { Color::White } else { Color::Black };
    let phase = material::phase(position);
    let scale = endgame::scale(position, better);
    let endgame = total.endgame() * scale / endgame::FULL_SCALE;
    let middlegame = if scale <= endgame::DRAWISH {
        total.middlegame() * scale / endgame::FULL_SCALE
    } else {
        total.middlegame()
    };
    (middlegame * phase + endgame * (material::FULL_PHASE - phase)) / material::FULL_PHASE
}

/// Runs every term of both sides.
fn gather(position: &Position) -> Survey<'_> {
    let mut survey = Survey::new(position);
    for us in Color::ALL {
        survey.material(us);
        survey.pieces(us);
    }
    for us in Color::ALL {
        let passed = survey.pawn_structure(us);
        survey.passed_pawns(us, passed);
        survey.king_safety(us);
        survey.threats(us);
        survey.space(us);
    }
    survey
}

/// What danger to the enemy king is worth: little for one attacker, much for several together.
fn danger_value(units: i32) -> Tapered {
    let units = units.clamp(0, 2000);
    Tapered::new(units * units / 2048, units / 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    fn value(fen: &str) -> Score {
        evaluate(&at(fen))
    }

    /// The same position with colours exchanged and ranks mirrored.
    fn mirrored(position: &Position) -> Position {
        let swap = |text: &str| -> String {
            let other = |c: char| {
                if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            text.chars().map(other).collect()
        };
        let fen = position.shredder_fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        at(&format!("{} {side} {} - 0 1", ranks.join("/"), swap(fields[2])))
    }

    /// Positions along random games from several starts.
    fn random_positions(count: usize) -> Vec<Position> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = Position::chess960(next(960) as u16).expect("a number below 960");
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[next(moves.len())]);
                positions.push(position);
            }
        }
        positions
    }

    #[test]
    fn colours_are_judged_alike() {
        for position in random_positions(3_000) {
            assert_eq!(evaluate(&position), evaluate(&mirrored(&position)), "{}", position.fen());
        }
    }

    #[test]
    fn stays_in_bounds() {
        let crowd = "kn6/pp6/5QQQ/5QQQ/5QQ1/6QR/6RB/5BNK b - - 0 1";
        assert!((-LIMIT..-5_000).contains(&value(crowd)));
        for position in random_positions(3_000) {
            assert!(evaluate(&position).abs() <= LIMIT);
        }
    }

    #[test]
    fn the_start_is_balanced() {
        let start = evaluate(&Position::startpos());
        assert!((0..60).contains(&start), "{start}");
    }

    #[test]
    fn more_men_are_better() {
        let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let mut last = value(full);
        for without in [
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Kk - 0 1",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ] {
            assert!(value(without) < last - 40, "{without}: {} after {last}", value(without));
            last = value(without);
        }
    }

    #[test]
    fn open_kings_are_in_danger() {
        let sheltered = "r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQ1RK1 b - - 0 1";
        let stripped = "r1bq1rk1/ppppp3/2n2n2/4p3/4P2Q/2N2N2/PPPP1PPP/R1B2RK1 b - - 0 1";
        assert!(value(stripped) < value(sheltered) - 200);
    }

    #[test]
    fn passed_pawns_grow_with_rank() {
        let mut last = value("4k3/1n6/8/8/8/P7/8/1N2K3 w - - 0 1");
        for rank in 4..=6 {
            let gap = |before: usize| (0..before).map(|_| "8/").collect::<String>();
            let (above, below) = (gap(6 - rank), gap(rank - 2));
            let fen = format!("4k3/1n6/{above}P7/{below}1N2K3 w - - 0 1");
            assert!(value(&fen) > last, "{fen}");
            last = value(&fen);
        }
    }

    #[test]
    fn a_runaway_pawn_wins() {
        assert!(value("8/8/8/7k/P7/8/8/4K3 w - - 0 1") > 300);
        assert!(value("8/8/8/3k4/P7/8/8/4K3 w - - 0 1") < 300);
    }

    #[test]
    fn dead_material_is_a_draw() {
        for fen in [
            "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
            "8/8/4k3/8/8/4K3/5N2/8 w - - 0 1",
            "8/8/4k3/8/8/4K3/5B2/8 b - - 0 1",
            "8/8/4k3/8/8/4K3/5NN1/8 w - - 0 1",
            // The bishop does not guard the pawn's corner.
            "1k6/8/P7/8/8/4K3/8/2B5 w - - 0 1",
        ] {
            assert_eq!(value(fen), 0, "{fen}");
        }
    }

    #[test]
    fn drawish_material_is_scaled() {
        // A rook against a bishop, and pawns with bishops of opposite shades.
        assert!(value("8/8/4k3/3b4/8/4K3/5R2/8 w - - 0 1") < 60);
        let opposite = value("8/8/3bk3/8/3P1P2/4K3/4B3/8 w - - 0 1");
        let equal = value("8/8/2b1k3/8/3P1P2/4K3/4B3/8 w - - 0 1");
        assert!(opposite < equal, "{opposite} {equal}");
    }

    #[test]
    fn bare_kings_are_driven() {
        for men in ["Q", "R"] {
            let centre = value(&format!("8/8/8/3k4/8/3K4/8/{men}7 w - - 0 1"));
            let edge = value(&format!("3k4/8/3K4/8/8/8/8/{men}7 w - - 0 1"));
            let corner = value(&format!("7k/8/6K1/8/8/8/{men}7/8 w - - 0 1"));
            assert!(centre > 2_000 && edge > centre && corner > edge, "{men}");
        }
        // A rook that cuts the king off is worth more than one that does not.
        let cut_off = value("8/8/8/3k4/R7/8/3K4/8 w - - 0 1");
        let idle = value("8/8/8/3k4/8/8/3K4/3R4 w - - 0 1");
        assert!(cut_off > idle + 100, "{cut_off} {idle}");
        // A dark bishop mates in a dark corner.
        let right = value("8/8/8/8/8/2K5/8/k1B1N3 w - - 0 1");
        let wrong = value("k7/8/2K5/8/8/8/8/2B1N3 w - - 0 1");
        assert!(right > wrong + 300, "{right} {wrong}");
    }
}
