//! Games: real ones, odd ones, broken ones.

use ferz::board::Board;
use ferz::notation::pgn::{Fault, FaultKind, Game, GameResult, Games, read};
use ferz::notation::{SanError, to_uci};
use ferz::types::PieceKind;
use pretty_assertions::assert_eq;

use crate::{data, data_bytes, rows};

fn games(file: &str) -> Vec<Game> {
    read(&data_bytes(&format!("games/{file}"))).collect()
}

fn replay(game: &Game) -> Board {
    let mut board = Board::new(game.start.expect("a start position"));
    for ply in &game.plies {
        match ply.mv {
            Some(mv) => board.play(mv),
            None => board.make_null(),
        }
    }
    board
}

/// The index's words for what is in a game.
fn features(game: &Game) -> String {
    let end = replay(game);
    let any = |fits: &dyn Fn(ferz::types::Move) -> bool| {
        game.plies.iter().filter_map(|ply| ply.mv).any(fits)
    };
    let under = |mv: ferz::types::Move| mv.promotion().is_some_and(|to| to != PieceKind::Queen);
    let found = [
        ("castling", any(&|mv| mv.is_castling())),
        ("comment", game.plies.iter().any(|ply| !ply.comments.is_empty())),
        ("ep", any(&|mv| mv.is_en_passant())),
        ("fifty", end.halfmove_clock() >= 100),
        ("mate", end.is_checkmate()),
        ("nag", game.plies.iter().any(|ply| !ply.nags.is_empty())),
        ("promotion", any(&|mv| mv.is_promotion())),
        ("stalemate", end.is_stalemate()),
        ("threefold", end.repetitions() >= 2),
        ("underpromotion", any(&under)),
    ];
    let names: Vec<&str> = found.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    names.join(",")
}

#[test]
fn real_games_are_what_the_index_says() {
    let text = data("games/index.tsv");
    let rows = rows(&text, 10);
    assert_eq!(rows.len(), 66);
    let files = ["classic.pgn", "lichess.pgn", "long.pgn"];
    let read: Vec<Game> = files.iter().flat_map(|file| games(file)).collect();
    assert_eq!(read.len(), rows.len());
    for (game, row) in read.iter().zip(rows) {
        let [file, number, white, black, date, result, plies, names, final_fen, _] = row[..] else {
            panic!("{row:?}")
        };
        let id = format!("{file} {number}");
        assert_eq!(game.faults, Vec::new(), "{id}");
        for (name, value) in [("White", white), ("Black", black), ("Date", date)] {
            assert_eq!(game.tag(name), Some(value), "{id}");
        }
        assert_eq!(game.result().text(), result, "{id}");
        assert_eq!(game.plies.len().to_string(), plies, "{id}");
        assert_eq!(game.final_position().unwrap().fen(), final_fen, "{id}");
        assert_eq!(replay(game).fen(), final_fen, "{id}");
        // Material alone is not the board's business.
        let known: Vec<&str> =
            names.split(',').filter(|name| !matches!(*name, "insufficient" | "-")).collect();
        let found = features(game);
        let mut found: Vec<&str> = found.split(',').filter(|name| !name.is_empty()).collect();
        found.retain(|name| known.contains(name) || !matches!(*name, "comment" | "nag"));
        let mut known = known;
        known.sort();
        assert_eq!(found, known, "{id}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    for file in ["classic.pgn", "lichess.pgn", "long.pgn", "odd.pgn"] {
        let first = games(file);
        let text: Vec<String> = first.iter().map(Game::to_string).collect();
        let again: Vec<Game> = read(text.join("\n").as_bytes()).collect();
        assert_eq!(again.len(), first.len(), "{file}");
        for (one, other) in first.iter().zip(&again) {
            assert_eq!(other.faults, Vec::new(), "{file}");
            assert_eq!(other.result(), one.result(), "{file}");
            assert_eq!(other.final_position(), one.final_position(), "{file}");
            for (name, value) in &one.tags {
                if name != "Result" {
                    assert_eq!(other.tag(name), Some(value.as_str()), "{file} {name}");
                }
            }
            assert_eq!(other.to_string(), one.to_string(), "{file}");
            let moves = one.to_string();
            let (_, moves) = moves.split_once("\n\n").unwrap();
            let long_word = moves.split_ascii_whitespace().any(|word| word.len() > 60);
            assert!(long_word || moves.lines().all(|line| line.len() <= 80), "{file}: {moves}");
        }
    }
}

fn uci_line(game: &Game) -> String {
    if game.plies.is_empty() {
        return "-".to_string();
    }
    let chess960 = game.start.is_some_and(|start| start.needs_chess960());
    let text = |mv: Option<_>| mv.map_or("0000".to_string(), |mv| to_uci(mv, chess960));
    game.plies.iter().map(|ply| text(ply.mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn odd_games_mean_what_they_should() {
    let text = data("games/odd.tsv");
    let rows = rows(&text, 6);
    let games = games("odd.pgn");
    assert_eq!((games.len(), rows.len()), (33, 33));
    for (game, row) in games.iter().zip(rows) {
        let [number, kind, line, result, final_fen, _] = row[..] else { panic!("{row:?}") };
        assert_eq!(uci_line(game), line, "{number} {kind}");
        assert_eq!(game.result().text(), result, "{number} {kind}");
        assert_eq!(game.final_position().unwrap().fen(), final_fen, "{number} {kind}");
        let faulty = matches!(number, "13" | "32" | "33");
        assert_eq!(!game.faults.is_empty(), faulty, "{number} {kind}: {:?}", game.faults);
    }
    assert_eq!(games[4].plies[0].comments, ["[%clk 0:05:00] [%eval 0.17]"]);
    assert_eq!(
        games[7].plies.iter().map(|ply| ply.nags.clone()).collect::<Vec<_>>(),
        [vec![1, 10], vec![2, 2, 14], vec![5], vec![6], vec![3], vec![4]]
    );
    assert_eq!(games[23].tag("Event"), Some("An \"odd\" one \\ here"));
    assert_eq!(games[24].tag("Black"), Some("Алехин, Александр"));
}

/// Line and column of a word in a text, from 1.
fn place(text: &str, word: &str) -> (usize, usize) {
    let (line, content) = (1..).zip(text.lines()).find(|(_, line)| line.contains(word)).unwrap();
    (line, content[..content.find(word).unwrap()].chars().count() + 1)
}

#[test]
fn faults_of_odd_games_are_named_by_line_and_column() {
    let text = data("games/odd.pgn");
    let games = games("odd.pgn");
    let at = |game: usize| games[game - 1].faults.iter().map(|fault| (fault.line, fault.column));
    assert_eq!(at(32).collect::<Vec<_>>(), [place(&text, "Ke3")]);
    assert_eq!(at(33).collect::<Vec<_>>(), [place(&text, "{never")]);
    let ended = place(&text, "1. e4 e5 1/2-1/2");
    assert_eq!(at(13).collect::<Vec<_>>(), [(ended.0, ended.1 + "1. e4 e5 ".len())]);
    let words = games[31].faults[0].to_string();
    let line = place(&text, "Ke3").0;
    let expected =
        format!("line {line}, column 13: move 2 of White: \"Ke3\" is not a legal move here");
    assert_eq!(words, expected);
}

#[test]
fn line_ends_and_encodings() {
    let odd = games("odd.pgn");
    let crlf = games("odd_crlf_bom.pgn");
    assert_eq!(crlf.len(), 6);
    for (one, other) in odd.iter().zip(&crlf) {
        assert_eq!((&one.tags, &one.plies), (&other.tags, &other.plies));
        assert_eq!(one.line, other.line);
        assert_eq!(other.faults, Vec::new());
    }
    let cr = games("odd_cr_only.pgn");
    assert_eq!(cr.len(), 1);
    assert_eq!((&cr[0].tags, &cr[0].plies), (&odd[9].tags, &odd[9].plies));
    let latin = games("odd_latin1.pgn");
    assert_eq!(latin[0].tag("White"), Some("Réti, Richárd"));
    assert_eq!(latin[0].tag("Event"), Some("Größe"));
}

#[test]
fn a_broken_game_costs_only_itself() {
    let text = "[Event \"one\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {open\nto the end 1-0\n\n\
        [Event \"two\"]\n[Result \"*\"]\n\n1. d4 (1. c4 c5 d5 *\n\n\
        [Event \"three\"\n[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# $x ) Kd6 1-0\n\n\
        [Event \"four\"]\n[FEN \"8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n\
        [Event \"five\"]\n\n1. Nf3 d5 zz9 2. g3 0-1\n\n\
        [Event \"six\"]\n\n1. e4 e5 1/2-1/2 {agreed}\n";
    let games: Vec<Game> = read(text.as_bytes()).collect();
    let names: Vec<&str> = games.iter().map(|game| game.tag("Event").unwrap_or("-")).collect();
    assert_eq!(names, ["one", "two", "-", "four", "five", "six"]);
    let faults: Vec<Vec<String>> =
        games.iter().map(|game| game.faults.iter().map(Fault::to_string).collect()).collect();
    assert_eq!(faults[0], ["line 4, column 17: a comment that is not closed"]);
    assert_eq!(faults[1], ["line 10, column 7: a variation that is not closed"]);
    assert_eq!(
        faults[2],
        [
            "line 12, column 1: an unreadable tag",
            "line 15, column 30: an unreadable annotation glyph",
            "line 15, column 31: move 3 of Black: \"x\" is not a move",
            "line 15, column 33: unexpected character ')'",
        ]
    );
    assert_eq!(faults[3], ["line 18, column 1: FEN: piece placement: 4 ranks instead of 8"]);
    assert_eq!(faults[4], ["line 24, column 11: move 2 of White: \"zz9\" is not a move"]);
    assert_eq!(faults[5], Vec::<String>::new());
    let lines: Vec<String> = games.iter().map(uci_line).collect();
    assert_eq!(
        lines,
        ["e2e4 e7e5 g1f3", "d2d4", "e2e4 e7e5 d1h5 e8e7 h5e5", "-", "g1f3 d7d5", "e2e4 e7e5"]
    );
    assert_eq!(games[3].start, None);
    assert_eq!(games[4].result(), GameResult::BlackWins);
    assert_eq!(games[5].plies[1].comments, ["agreed"]);
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 7, 12, 17, 22, 26]);
}

#[test]
fn a_null_move_in_check_breaks_the_line() {
    let game = read(b"1. e4 f5 2. Qh5+ -- 3. d4 *").next().unwrap();
    assert_eq!(uci_line(&game), "e2e4 f7f5 d1h5");
    assert!(matches!(
        game.faults[..],
        [Fault { line: 1, column: 18, kind: FaultKind::NullMoveInCheck { number: 2, .. } }]
    ));
    let game = read(b"1. e4 e5 2. Ke3 Nc6 1-0").next().unwrap();
    let FaultKind::Move { number: 2, error: SanError::Illegal(_), .. } = &game.faults[0].kind
    else {
        panic!("{:?}", game.faults)
    };
}

#[test]
fn deep_brackets_and_endless_lines_are_no_danger() {
    let deep = "(".repeat(200_000) + "1. e4 *";
    assert_eq!(Games::new(deep.as_bytes()).count(), 1);
    let open = "1. e4 {x\n\n[Event \"a\"]\n".repeat(20_000);
    // The first has no tags, the last no moves.
    assert_eq!(read(open.as_bytes()).count(), 20_001);
    let line = "1. e4 e5 * ".repeat(20_000);
    assert_eq!(read(line.as_bytes()).filter(|game| game.faults.is_empty()).count(), 20_000);
    assert_eq!(read(b"").count() + read(b" \n% nothing\n").count(), 0);
}
