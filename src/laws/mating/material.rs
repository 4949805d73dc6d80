//! What the men on the board say by themselves: a proof of "no", and the cheap rules of others.

use crate::board::Position;
use crate::types::{Bitboard, Color, PieceKind};

/// Whether the men alone prove that this side can never mate.
///
/// Holds for a bare king; for a single knight against nothing but queens; for bishops of one
/// square colour, whatever their number, while no knight, no pawn and no bishop of the other
/// colour is on the board: a square next to the mated king that such a bishop cannot reach would
/// have to be blocked by a man that can leave it or step in between.
pub fn material_forbids_mate(position: &Position, color: Color) -> bool {
    let own = position.by_color(color);
    if own.count() == 1 {
        return true;
    }
    let kinds = |kind| position.by_kind(kind);
    let officers = own & !kinds(PieceKind::King);
    if officers.count() == 1 && officers.is_subset(kinds(PieceKind::Knight)) {
        let enemy = position.by_color(!color);
        return enemy.is_subset(kinds(PieceKind::King) | kinds(PieceKind::Queen));
    }
    officers.is_subset(kinds(PieceKind::Bishop))
        && kinds(PieceKind::Knight).is_empty()
        && kinds(PieceKind::Pawn).is_empty()
        && one_square_color(kinds(PieceKind::Bishop))
}

fn one_square_color(squares: Bitboard) -> bool {
    squares.is_subset(Bitboard::DARK) || squares.is_subset(Bitboard::LIGHT)
}

/// Whether no side can mate by the material rule that programs share: bare kings, one minor piece,
/// or only bishops that all stand on one square colour.
pub fn insufficient_material(position: &Position) -> bool {
    let bishops = position.by_kind(PieceKind::Bishop);
    let minors = bishops | position.by_kind(PieceKind::Knight);
    let men = position.occupied() & !position.by_kind(PieceKind::King);
    men.is_subset(minors)
        && (men.count() <= 1 || men.is_subset(bishops) && one_square_color(bishops))
}

/// A cheap rule by which other software decides whether a side could win on time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheapRule {
    /// A bare king, or a king with one knight or one bishop, cannot win.
    MaterialOnly,
    /// Lichess (scalachess): the side's men, and what the opponent has to block squares with.
    Lichess,
    /// fastchess: a flag loses unless the material rule draws the position for both sides.
    Fastchess,
    /// US Chess 14E: a bare king, one minor piece, or two knights against no pawn cannot win (its
    /// exception for a forced win is left out: no cheap rule sees one).
    UsChess,
}

impl CheapRule {
    /// All of them.
    pub const ALL: [CheapRule; 4] =
        [CheapRule::MaterialOnly, CheapRule::Lichess, CheapRule::Fastchess, CheapRule::UsChess];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            CheapRule::MaterialOnly => "material-only",
            CheapRule::Lichess => "lichess",
            CheapRule::Fastchess => "fastchess",
            CheapRule::UsChess => "US Chess",
        }
    }

    /// Whether this side could win on time by the rule.
    pub fn can_win(self, position: &Position, color: Color) -> bool {
        let own = |kind| position.of(color, kind);
        let enemy = |kind| position.of(!color, kind);
        let men = position.by_color(color).count() - 1;
        let knights = own(PieceKind::Knight).count();
        let bishops = own(PieceKind::Bishop).count();
        let lone_minor = men == 1 && knights + bishops == 1;
        match self {
            CheapRule::MaterialOnly => men > 0 && !lone_minor,
            CheapRule::Fastchess => !fastchess_draws(position),
            CheapRule::UsChess => {
                let two_knights = men == 2 && knights == 2 && enemy(PieceKind::Pawn).is_empty();
                men > 0 && !lone_minor && !two_knights
            }
            CheapRule::Lichess => {
                let helpers =
                    position.by_color(!color) & !enemy(PieceKind::King) & !enemy(PieceKind::Queen);
                let hopeless_knight = men == 1 && knights == 1 && helpers.is_empty();
                let hopeless_bishops = men > 0
                    && men == bishops
                    && one_square_color(position.by_kind(PieceKind::Bishop))
                    && (enemy(PieceKind::Knight) | enemy(PieceKind::Pawn)).is_empty();
                men > 0 && !hopeless_knight && !hopeless_bishops
            }
        }
    }
}

/// Bare kings, one minor piece, or two bishops on one square colour and nothing else.
fn fastchess_draws(position: &Position) -> bool {
    let bishops = position.by_kind(PieceKind::Bishop);
    let minors = bishops | position.by_kind(PieceKind::Knight);
    match position.occupied().count() {
        2 => true,
        3 => minors.any(),
        4 => bishops.count() == 2 && one_square_color(bishops),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(placement: &str) -> Position {
        Position::from_fen(&format!("{placement} w - - 0 1")).unwrap()
    }

    #[test]
    fn material_proves_no_only_where_it_is_proven() {
        for (placement, white, black) in [
            ("8/8/3rk3/8/8/2K5/8/8", true, false),
            ("3q3k/8/8/8/8/8/8/4KN2", true, false),
            ("3r3k/8/8/8/8/8/8/4KN2", false, false),
            ("7k/8/8/8/8/8/8/KB5r", true, false),
            ("7k/8/8/8/8/8/p7/KB6", false, false),
            ("5K2/8/8/1B6/8/k7/6b1/8", true, true),
            ("7k/8/7K/2Bb4/8/8/8/8", false, false),
            ("7k/8/8/8/8/8/8/KNN5", false, true),
        ] {
            let position = position(placement);
            assert_eq!(material_forbids_mate(&position, Color::White), white, "{placement}");
            assert_eq!(material_forbids_mate(&position, Color::Black), black, "{placement}");
        }
    }

    #[test]
    fn cheap_rules_rule_as_their_owners_do() {
        use CheapRule::{Fastchess, Lichess, MaterialOnly, UsChess};
        for (placement, rule, white_can_win) in [
            ("8/8/8/4k3/4p3/4N3/4K3/8", MaterialOnly, false),
            ("8/8/8/4k3/4p3/4N3/4K3/8", Lichess, true),
            ("8/8/8/4k3/4p3/4N3/4K3/8", Fastchess, true),
            ("8/8/8/4k3/4p3/4N3/4K3/8", UsChess, false),
            ("8/8/3rk3/8/8/2K5/8/8", Lichess, false),
            ("8/8/3rk3/8/8/2K5/8/8", Fastchess, true),
            ("7k/8/8/8/8/8/8/KNN5", UsChess, false),
            ("7k/p7/8/8/8/8/8/KNN5", UsChess, true),
            ("7k/8/8/8/8/8/8/KNN5", Lichess, true),
            ("3q3k/8/8/8/8/8/8/4KN2", Lichess, false),
            ("3q3k/8/8/8/8/8/8/4KB2", Lichess, false),
            ("5K2/8/8/1B6/8/k7/6b1/8", Fastchess, false),
        ] {
            let answer = rule.can_win(&position(placement), Color::White);
            assert_eq!(answer, white_can_win, "{placement} {}", rule.name());
        }
    }
}
