//! From the text of `position` to a board with its past.

use super::command::{PositionCommand, Root};
use crate::board::{Board, Position};
use crate::notation::parse_uci;
use crate::types::{CastlingSide, Color, File};

/// A board, and what was changed to get it; or what is wrong, naming the field or the move.
pub(super) fn build(
    command: &PositionCommand,
    chess960: bool,
) -> Result<(Board, Option<String>), String> {
    let (root, note) = match &command.root {
        Root::Start => (Position::startpos(), None),
        Root::Fen(fen) => {
            let position = Position::from_fen(fen).map_err(|error| format!("{error}"))?;
            if chess960 { (position, None) } else { without_foreign_castling(position)? }
        }
    };
    let mut board = Board::new(root);
    for (index, text) in command.moves.iter().enumerate() {
        if text == "0000" {
            continue;
        }
        let mv = parse_uci(board.position(), text)
            .map_err(|error| format!("move {}: {error}", index + 1))?;
        board.play(mv);
    }
    Ok((board, note))
}

/// Takes away the rights that only Chess960 knows: king not on the e-file, rook not on a or h.
fn without_foreign_castling(position: Position) -> Result<(Position, Option<String>), String> {
    if !position.needs_chess960() {
        return Ok((position, None));
    }
    let mut setup = position.to_setup();
    for color in [Color::White, Color::Black] {
        for side in CastlingSide::ALL {
            let usual = match side {
                CastlingSide::Short => File::H,
                CastlingSide::Long => File::A,
            };
            let rook = setup.castling.rook_file(color, side);
            if position.king(color).file() != File::E || rook.is_some_and(|file| file != usual) {
                setup.castling.revoke(color, side);
            }
        }
    }
    let position = Position::from_setup(&setup).map_err(|error| format!("{error}"))?;
    let note = "castling rights outside of ordinary chess are dropped while UCI_Chess960 is off";
    Ok((position, Some(note.to_owned())))
}
