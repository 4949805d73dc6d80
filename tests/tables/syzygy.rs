//! Syzygy probes against reference values, endings played out, and damaged folders.

use std::fs;
use std::path::{Path, PathBuf};

use ferz::board::{Board, Position};
use ferz::tablebase::{Opened, Tablebase, WIN_RANK, Warning, Wdl};
use pretty_assertions::assert_eq;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
const SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

fn tables() -> Tablebase {
    Tablebase::open(FOLDER).tablebase
}

fn at(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

struct Row {
    position: Position,
    wdl: i32,
    dtz: i32,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/syzygy/probes.tsv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: &str| field.parse().expect(line);
        Row { position: at(fields[0]), wdl: number(fields[1]), dtz: number(fields[2]) }
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// A folder of its own for one test, taken away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("ferz-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a scratch folder");
        Scratch(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the system's own temporary folder harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Numbers without a pattern, the same on every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn all_probes_are_right() {
    let tables = tables();
    let rows = rows();
    assert_eq!(rows.len(), 354);
    for row in rows {
        let fen = row.position.fen();
        let wdl = match row.wdl {
            2 => Wdl::Win,
            0 => Wdl::Draw,
            -2 => Wdl::Loss,
            other => panic!("no such result in the file: {other}"),
        };
        assert_eq!(tables.probe_wdl(&row.position), Some(wdl), "{fen}");
        assert_eq!(tables.probe_dtz(&row.position), Some(row.dtz), "{fen}");
    }
    assert_eq!(tables.fault(), None);
}

#[test]
fn positions_outside_the_tables_are_not_answered() {
    let tables = tables();
    assert_eq!(tables.max_men(), 4);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    ] {
        assert_eq!(tables.probe_wdl(&at(fen)), None, "{fen}");
        assert_eq!(tables.probe_dtz(&at(fen)), None, "{fen}");
        let moves = at(fen).legal_moves();
        assert_eq!(tables.rank_root(&at(fen), &moves, true, false), None, "{fen}");
    }
    let bare = at("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(tables.probe_wdl(&bare), Some(Wdl::Draw));
}

/// Plays a won position out, the winner with any move of the first rank, the loser at random or
/// with its longest defence; panics unless the game ends in mate by the fifty-move rule.
fn play_out(tables: &Tablebase, start: &Position, draw: &mut Draw, stubborn: bool, strict: bool) {
    let mut board = Board::new(*start);
    let winner = start.side_to_move();
    while board.position().has_legal_move() {
        let position = *board.position();
        assert!(position.halfmove_clock() < 100, "{} from {}", position.fen(), start.fen());
        let moves = position.legal_moves();
        let ours = position.side_to_move() == winner;
        let ranked = tables.rank_root(&position, &moves, true, strict || board.repetitions() > 0);
        let ranked = ranked.unwrap_or_else(|| panic!("{} is in the tables", position.fen()));
        let best = ranked.iter().take_while(|it| it.rank == ranked[0].rank).count();
        assert_eq!(ours, ranked[0].wdl == Wdl::Win, "{} from {}", position.fen(), start.fen());
        let among = if ours || stubborn { best } else { ranked.len() };
        board.play(ranked[draw.below(among)].mv);
    }
    assert!(board.position().is_checkmate(), "{} from {}", board.position().fen(), start.fen());
    assert!(board.position().side_to_move() != winner);
}

#[test]
fn won_endings_are_won_inside_fifty_moves() {
    let tables = tables();
    let mut draw = Draw(20);
    let won: Vec<Row> = rows().into_iter().filter(|row| row.wdl == 2).collect();
    assert!(won.len() > 80, "{}", won.len());
    for row in &won {
        play_out(&tables, &row.position, &mut draw, true, true);
        play_out(&tables, &row.position, &mut draw, false, true);
    }
}

#[test]
fn free_choice_among_winning_moves_still_wins() {
    let tables = tables();
    let mut draw = Draw(21);
    for row in rows().iter().filter(|row| row.wdl == 2).step_by(4) {
        play_out(&tables, &row.position, &mut draw, false, false);
    }
}

#[test]
fn the_fifty_move_count_decides_close_cases() {
    let tables = tables();
    let fen = "8/8/8/3k4/8/8/8/KBN5 w - - 0 1";
    let dtz = tables.probe_dtz(&at(fen)).expect("in the tables");
    assert!(dtz > 20);
    let with_clock = |clock: i32| {
        let fen = fen.replace("- - 0", &format!("- - {clock}"));
        let position = at(&fen);
        let moves = position.legal_moves();
        let rank = |rule| tables.rank_root(&position, &moves, rule, false).expect("in the tables");
        (rank(true)[0], rank(false)[0])
    };
    let (early, _) = with_clock(0);
    assert_eq!((early.wdl, early.rank), (Wdl::Win, WIN_RANK));
    let (tight, _) = with_clock(100 - dtz);
    assert_eq!(tight.wdl, Wdl::Win);
    assert!(tight.rank < WIN_RANK, "only the shortest way is left");
    let (late, without_rule) = with_clock(101 - dtz);
    assert_eq!(late.wdl, Wdl::CursedWin);
    assert!(late.rank < WIN_RANK / 2 && without_rule.rank > WIN_RANK / 2);
    assert_eq!(Wdl::CursedWin.sign(true), 0);
    assert_eq!(Wdl::CursedWin.sign(false), 1);
}

#[test]
fn half_a_set_still_ranks_by_result() {
    let scratch = Scratch::new("wdl-only");
    for entry in fs::read_dir(FOLDER).expect("the tables") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "rtbw") {
            let name = path.file_name().expect("a name");
            fs::copy(&path, scratch.0.join(name)).expect("a copy");
        }
    }
    let opened = Tablebase::open(scratch.text());
    assert_eq!(opened.files, 35);
    // The pawn must not step forward: the king has to go first.
    let position = at("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let moves = position.legal_moves();
    let ranked = opened.tablebase.rank_root(&position, &moves, true, false).expect("by result");
    let best: Vec<_> = ranked.iter().filter(|it| it.rank == ranked[0].rank).collect();
    assert!(best.iter().all(|it| it.wdl == Wdl::Win));
    assert!(best.len() < moves.len());
    assert_eq!(opened.tablebase.probe_dtz(&at("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")), None);
}

fn texts(opened: &Opened) -> Vec<String> {
    opened.warnings.iter().map(Warning::to_string).collect()
}

#[test]
fn path_lists_may_be_odd() {
    for (list, files, warnings) in [
        (String::new(), 0, 0),
        (SEPARATOR.repeat(3), 0, 0),
        (FOLDER.to_string(), 70, 0),
        (format!("{FOLDER}{SEPARATOR}"), 70, 0),
        (format!("{SEPARATOR}{SEPARATOR}{FOLDER}"), 70, 0),
        (format!("/nonexistent{SEPARATOR}{FOLDER}"), 70, 1),
        ("/nonexistent;".to_string(), 0, 1),
        ("\0".to_string(), 0, 1),
        (format!("{FOLDER}/README.md"), 0, 1),
        (concat!(env!("CARGO_MANIFEST_DIR"), "/src").to_string(), 0, 1),
    ] {
        let opened = Tablebase::open(&list);
        assert_eq!((opened.files, opened.warnings.len()), (files, warnings), "{list:?}");
        let answer = opened.tablebase.probe_wdl(&at("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"));
        assert_eq!(answer.is_some(), files > 0, "{list:?}");
    }
}

#[test]
fn files_that_are_no_tables_are_named() {
    let scratch = Scratch::new("foreign");
    let good = fs::read(Path::new(FOLDER).join("KRvK.rtbw")).expect("a table");
    let write = |name: &str, bytes: &[u8]| fs::write(scratch.0.join(name), bytes).expect("a file");
    write("notes.txt", b"not a table");
    write("KQvK.rtbw", b"");
    write("KQvKR.rtbw", &good[..good.len() - 7]);
    write("KRvK.rtbz", &good);
    write("holiday.rtbw", &good);
    write("KRvK.rtbw", &good);
    fs::create_dir(scratch.0.join("KBNvK.rtbw")).expect("a folder");
    let opened = Tablebase::open(scratch.text());
    assert_eq!(opened.files, 1, "{:?}", texts(&opened));
    assert_eq!(opened.warnings.len(), 5, "{:?}", texts(&opened));
    for name in ["KQvK.rtbw", "KQvKR.rtbw", "KRvK.rtbz", "holiday.rtbw", "KBNvK.rtbw"] {
        assert!(texts(&opened).iter().any(|text| text.contains(name)), "{name}");
    }
    let tables = &opened.tablebase;
    assert_eq!(tables.probe_wdl(&at("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")), None);
    assert_eq!(tables.probe_wdl(&at("8/8/8/3k4/8/8/8/KR6 w - - 0 1")), Some(Wdl::Win));
}

#[test]
fn damage_inside_a_file_does_no_harm() {
    let scratch = Scratch::new("damaged");
    let mut draw = Draw(22);
    let positions: Vec<Position> = rows().into_iter().map(|row| row.position).collect();
    for name in ["KQvKR", "KPvKP", "KRvK"] {
        for ending in ["rtbw", "rtbz"] {
            let path = scratch.0.join(format!("{name}.{ending}"));
            let good = fs::read(Path::new(FOLDER).join(path.file_name().expect("a name")));
            let good = good.expect("a table");
            for _ in 0..25 {
                let mut bytes = good.clone();
                // Most of what steers the decoder stands near the beginning.
                let reach = if draw.below(2) == 0 { 400.min(bytes.len()) } else { bytes.len() };
                for _ in 0..=draw.below(8) {
                    bytes[4 + draw.below(reach - 4)] = draw.below(256) as u8;
                }
                fs::write(&path, &bytes).expect("a file");
                let tables = Tablebase::open(scratch.text()).tablebase;
                for position in positions.iter().filter(|it| tables.covers(it)) {
                    tables.probe_wdl(position);
                    tables.probe_dtz(position);
                }
            }
            fs::write(&path, &good).expect("a file");
        }
    }
}
