//! From the numbers of `go` to the limits of a search.

use std::time::Duration;

use super::command::GoCommand;
use crate::board::Board;
use crate::notation::parse_uci;
use crate::search::{Clock, Limits};
use crate::types::score::MAX_PLY;
use crate::types::{Color, Depth, Move};

/// The limits that a `go` means in this position, and what of it could not be used.
///
/// Presence counts, not value: a limit of zero or less is the smallest one. Without any limit the
/// search is infinite, except in the opponent's time, where `ponderhit` ends the waiting.
pub(super) fn limits(command: &GoCommand, board: Option<&Board>) -> (Limits, Vec<String>) {
    let mut faults = command.faults.clone();
    let positive = |value: i64| value.max(1) as u64;
    let mut limits = Limits {
        depth: command.depth.map(|depth| depth.clamp(1, MAX_PLY as i64) as Depth),
        nodes: command.nodes.map(positive),
        mate: command.mate.map(|mate| mate.clamp(1, i64::from(u32::MAX)) as u32),
        move_time: command.move_time.map(|time| Duration::from_millis(positive(time))),
        ponder: command.ponder,
        ..Limits::default()
    };
    if let Some(board) = board {
        limits.clock = clock(command, board.side_to_move());
        limits.search_moves = search_moves(command, board, &mut faults);
    }
    let limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.move_time.is_some()
        || limits.clock.is_some();
    limits.infinite = command.infinite || !(limited || command.ponder);
    (limits, faults)
}

/// The clock of the side to move; when only the other one is known, that is the best estimate.
fn clock(command: &GoCommand, side: Color) -> Option<Clock> {
    let white = (command.white_time, command.white_increment);
    let black = (command.black_time, command.black_increment);
    let ((own_time, own_increment), (other_time, other_increment)) = match side {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    if [own_time, own_increment, other_time, other_increment].iter().all(Option::is_none) {
        return None;
    }
    let increment =
        if own_time.is_some() { own_increment } else { own_increment.or(other_increment) };
    let milliseconds = |value: Option<i64>| Duration::from_millis(value.unwrap_or(0).max(0) as u64);
    Some(Clock {
        time: milliseconds(own_time.or(other_time)),
        increment: milliseconds(increment),
        moves_to_go: command
            .moves_to_go
            .filter(|&moves| moves > 0)
            .map(|moves| moves.min(i64::from(u32::MAX)) as u32),
    })
}

/// The root moves asked for; when none of them is legal, the restriction is dropped.
fn search_moves(command: &GoCommand, board: &Board, faults: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    let Some(texts) = &command.search_moves else { return moves };
    for text in texts {
        match parse_uci(board.position(), text) {
            Ok(mv) if !moves.contains(&mv) => moves.push(mv),
            Ok(_) => {}
            Err(error) => faults.push(format!("searchmoves: {error}")),
        }
    }
    if moves.is_empty() {
        faults.push("searchmoves has no legal move, all are searched".to_owned());
    }
    moves
}
