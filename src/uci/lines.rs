//! From events to the lines that clients read.

use std::fmt::Write as _;

use super::wording;
use crate::board::{Board, Position};
use crate::engine::Event;
use crate::nnue::Network;
use crate::notation::to_uci;
use crate::search::{Bound, SearchInfo, static_eval};
use crate::types::score::{DRAW, TABLEBASE_WIN, is_decisive, mate_moves};
use crate::types::{Color, File, Move, Piece, Rank, Score, Square};

/// How moves and chances are to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Castling is written king takes rook.
    pub chess960: bool,
    /// Lines carry the chances to win, draw and lose.
    pub show_wdl: bool,
}

/// What a won table position counts in centipawns, less the plies to get there.
const TABLEBASE_CENTIPAWNS: Score = 20_000;

/// The line of an event.
pub fn line(event: &Event, style: Style) -> String {
    match event {
        Event::Info(info) => info_line(info, style),
        Event::CurrentMove { depth, mv, number } => {
            let mv = to_uci(*mv, style.chess960);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Event::Message(text) => format!("info string {}", wording::message(text)),
        Event::BestMove { best, ponder } => best_move(*best, *ponder, style),
        Event::PerftMove(mv, nodes) => format!("{}: {nodes}", to_uci(*mv, style.chess960)),
        Event::PerftTotal(Some(nodes)) => format!("Nodes searched: {nodes}"),
        Event::PerftTotal(None) => "info string perft stopped".to_owned(),
        Event::BenchPosition { number, fen, nodes } => {
            format!("info string bench {number}: {nodes} nodes, {fen}")
        }
        Event::BenchTotal(Some(summary)) => summary.to_string(),
        Event::BenchTotal(None) => "info string bench stopped".to_owned(),
    }
}

fn best_move(best: Option<Move>, ponder: Option<Move>, style: Style) -> String {
    match (best, ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {}", to_uci(best, style.chess960)),
        (Some(best), Some(ponder)) => format!(
            "bestmove {} ponder {}",
            to_uci(best, style.chess960),
            to_uci(ponder, style.chess960)
        ),
    }
}

fn info_line(info: &SearchInfo, style: Style) -> String {
    let SearchInfo { depth, sel_depth, nodes, table_hits, time, hashfull, line } = info;
    let milliseconds = time.as_millis();
    let rate = u128::from(*nodes) * 1000 / milliseconds.max(1);
    let mut text = format!("info depth {depth}");
    // A root without a legal move has been searched to no depth at all.
    if *depth > 0 {
        let _ = write!(text, " seldepth {sel_depth} multipv {}", line.multi_pv);
    }
    let _ = write!(text, " score {}", score(line.score));
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if style.show_wdl {
        // A root without a legal move is decided.
        let decided = *depth == 0 && line.score == DRAW;
        let [win, draw, loss] = if decided { [0, 1000, 0] } else { chances(line.score) };
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(text, " nodes {nodes} nps {rate} hashfull {hashfull} tbhits {table_hits}");
    let _ = write!(text, " time {milliseconds}");
    if !line.pv.is_empty() {
        text.push_str(" pv");
        for &mv in &line.pv {
            text.push(' ');
            text.push_str(&to_uci(mv, style.chess960));
        }
    }
    text
}

/// Chances to win, draw and lose in permille, for a score of the side to move.
///
/// Two logistic curves around the score that is an even chance to win; what they leave is drawn.
fn chances(score: Score) -> [u32; 3] {
    const EVEN: f64 = 100.0;
    const WIDTH: f64 = 45.0;
    if is_decisive(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let curve = |score: f64| (1000.0 / (1.0 + ((EVEN - score) / WIDTH).exp())).round() as u32;
    let (win, loss) = (curve(f64::from(score)), curve(f64::from(-score)));
    [win, 1000 - win - loss, loss]
}

/// A score as the protocol writes it: centipawns, or full moves to mate.
fn score(score: Score) -> String {
    if let Some(moves) = mate_moves(score) {
        return format!("mate {moves}");
    }
    if is_decisive(score) {
        let plies = TABLEBASE_WIN - score.abs();
        return format!("cp {}", score.signum() * (TABLEBASE_CENTIPAWNS - plies));
    }
    format!("cp {score}")
}

/// The answer to `eval`: what each man is worth where it stands, and what the position is.
pub fn evaluation(board: &Board, network: &Network) -> String {
    if board.in_check() {
        return "Static evaluation: none (in check)".to_owned();
    }
    let pawns = |score: Score| f64::from(for_white(board.side_to_move(), score)) / 100.0;
    let eval = static_eval(board.position(), network);
    let mut text = String::new();
    for rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let square = Square::new(file, *rank);
            let letter = board.piece_at(square).map_or('.', Piece::letter);
            let worth = worth(board.position(), square, network, eval.score);
            let worth = worth.map_or(String::new(), |worth| format!("{:+.2}", pawns(worth)));
            let _ = write!(text, "{letter} {worth:<7}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let _ = writeln!(text, "Network {:+.2}", pawns(eval.network));
    let _ = writeln!(text, "Hand-made {:+.2}", pawns(eval.hand_made));
    let _ = write!(text, "Static evaluation: {:+.2} (White's view)", pawns(eval.score));
    text
}

/// A score of the side to move as White sees it.
fn for_white(side: Color, score: Score) -> Score {
    if side == Color::White { score } else { -score }
}

/// By how much the evaluation falls for the side to move when a man is taken off; `None` where that
/// leaves no position.
fn worth(position: &Position, square: Square, network: &Network, whole: Score) -> Option<Score> {
    position.piece_at(square)?;
    let mut setup = position.to_setup();
    setup.pieces[square.index()] = None;
    setup.drop_impossible();
    let without = Position::from_setup(&setup).ok()?;
    Some(whole - static_eval(&without, network).score)
}

/// The answer to `d`: a diagram, the FEN, the key and who gives check.
pub fn diagram(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let piece = board.piece_at(Square::new(file, *rank));
            let letter = piece.map_or('.', |piece| {
                let letter = piece.kind().letter();
                if piece.color() == Color::White { letter.to_ascii_uppercase() } else { letter }
            });
            text.push(letter);
            text.push(if file == File::H { '\n' } else { ' ' });
        }
    }
    let checkers: Vec<String> =
        board.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = writeln!(text, "Fen: {}", board.fen());
    let _ = writeln!(text, "Shredder-Fen: {}", board.shredder_fen());
    let _ = writeln!(text, "Key: {:016X}", board.key());
    let _ = write!(text, "Checkers: {}", checkers.join(" "));
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        for (value, text) in [
            (35, "cp 35"),
            (-120, "cp -120"),
            (mate_in(1), "mate 1"),
            (mate_in(4), "mate 2"),
            (mated_in(2), "mate -1"),
            (mated_in(0), "mate 0"),
            (TABLEBASE_WIN - 3, "cp 19997"),
            (3 - TABLEBASE_WIN, "cp -19997"),
        ] {
            assert_eq!(score(value), text);
        }
    }

    #[test]
    fn chances_add_up_and_grow() {
        let mut last = 0;
        for score in (-2000..=2000).chain([mate_in(3)]) {
            let [win, draw, loss] = chances(score);
            assert_eq!((win + draw + loss, chances(-score)), (1000, [loss, draw, win]));
            assert!(win >= last);
            last = win;
        }
        assert_eq!(last, 1000);
    }

    #[test]
    fn no_move_is_written_as_none() {
        assert_eq!(best_move(None, None, Style::default()), "bestmove (none)");
    }
}
