//! Random games: JSON there and back at every ply, PGN read again, no event that breaks anything.

use ferz::board::Position;
use ferz::laws::{
    ClaimKind, Decision, Event, Game, Ply, Ruleset, Score, StoreError, Touch, WrittenMove,
};
use ferz::notation::pgn;
use ferz::types::{Color, PieceKind, Square};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn start(random: &mut Random) -> Position {
    match random.below(4) {
        0 => Position::chess960(random.below(960) as u16).unwrap(),
        1 => Position::from_fen("4k3/2p1p3/8/8/8/8/3P1P2/R3K2R w KQ - 90 60").unwrap(),
        _ => Position::startpos(),
    }
}

/// Plays a random move; the answer is whether the game can go on.
fn random_move(game: &mut Game, random: &mut Random) -> bool {
    let moves = game.legal_moves();
    let mv = moves[random.below(moves.len())];
    let thought = random.below(5_000) as u64;
    game.play(mv, thought).unwrap();
    game.outcome().is_none()
}

#[test]
fn a_thousand_random_games_go_through_json_at_every_ply() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for number in 0..1_000 {
        let name = Ruleset::PROFILES[number % Ruleset::PROFILES.len()];
        let rules = Ruleset::profile(name).unwrap();
        let control = (number % 3 > 0).then(|| "40/60+1:30b2".parse().unwrap());
        let mut game =
            Game::from_position(start(&mut random), rules, [control.clone(), control]).unwrap();
        let plies = 10 + random.below(40);
        for _ in 0..plies {
            let going_on = random_move(&mut game, &mut random);
            let text = game.to_json();
            let again = Game::from_json(&text).unwrap();
            assert!(again == game, "game {number}: {text}");
            if !going_on {
                break;
            }
        }
    }
}

#[test]
fn the_pgn_of_random_games_reads_back_as_the_same_moves() {
    let mut random = Random(0x9E6C_63D0_876A_9A35);
    for _ in 0..200 {
        let mut game =
            Game::from_position(start(&mut random), Ruleset::engine(), [None, None]).unwrap();
        while game.plies().len() < 300 && random_move(&mut game, &mut random) {}
        let text = game.pgn();
        let read: Vec<pgn::Game> = pgn::read(text.as_bytes()).collect();
        assert_eq!(read.len(), 1);
        assert!(read[0].faults.is_empty(), "{:?}\n{text}", read[0].faults);
        let moves: Vec<Ply> = read[0].plies.iter().map(|ply| Ply::Legal(ply.mv.unwrap())).collect();
        assert_eq!(moves, game.plies());
        let result = game.outcome().map_or("*", |outcome| outcome.score.pgn());
        assert_eq!(read[0].result().text(), result);
    }
}

fn random_event(game: &Game, random: &mut Random) -> Event {
    let player = Color::ALL[random.below(2)];
    let square = |random: &mut Random| Square::ALL[random.below(64)];
    let legal = game.legal_moves();
    let mv = match random.below(4) {
        0 => WrittenMove::new(square(random), square(random)),
        _ if legal.is_empty() => WrittenMove::new(Square::A1, Square::A2),
        _ => legal[random.below(legal.len())].into(),
    };
    let score = Some(Score::DRAW).filter(|_| random.below(2) == 0);
    match random.below(60) {
        0 => Event::Arrive { player },
        1 => Event::Adjust { player },
        2..=4 => Event::Touch {
            player,
            squares: (0..random.below(3)).map(|_| square(random)).collect(),
            how: [Touch::Plain, Touch::Intent, Touch::Accident][random.below(3)],
        },
        5 => Event::Release { player, from: mv.from, to: mv.to },
        6 => Event::Promote { player, piece: PieceKind::ALL[random.below(6)] },
        7 | 8 => Event::UnnoticedIllegalMove { player, mv },
        9 => Event::FoundIllegalMove { ply: None },
        10 => Event::FoundIllegalMove { ply: Some(random.below(9)) },
        11 => Event::TouchComplaint { player, squares: vec![square(random), square(random)] },
        12 | 13 => Event::OfferDraw { player },
        14 => Event::DeclineDraw { player },
        15 => Event::Claim { player, claim: ClaimKind::Threefold, mv: Some(mv) },
        16 => Event::Claim { player, claim: ClaimKind::FiftyMoves, mv: None },
        17 => Event::Seal { player, text: Some(mv.to_string()) },
        18 | 19 => Event::Resume,
        20 => Event::Arbiter(Decision::Restore { plies: random.below(6) }),
        21 => Event::Arbiter(Decision::AddTime { player, ms: 1_000 }),
        22 => Event::Arbiter(Decision::StopClocks),
        23 => Event::Arbiter(Decision::StartClock),
        24 => Event::Tick,
        25 => match random.below(30) {
            0 => Event::Resign { player },
            1 => Event::Flag { player },
            2 => Event::Default { player, score },
            3 => Event::RefusePlay { player, score },
            4 => Event::RefuseComply { player, score },
            5 => Event::GrossBreach { player, score },
            6 => Event::Crash { player },
            7 => Event::AcceptDraw { player },
            8 => Event::IllegalAction { player, words: "none".to_owned() },
            _ => Event::Arbiter(Decision::Warn { player, words: "quiet".to_owned() }),
        },
        26..=40 => Event::Press { player: game.on_move() },
        41..=50 => Event::Press { player: !game.on_move() },
        _ => Event::Move { player: game.on_move(), mv, two_hands: random.below(20) == 0 },
    }
}

#[test]
fn no_sequence_of_events_panics_and_an_error_changes_nothing() {
    let mut random = Random(0xC2B2_AE3D_27D4_EB4F);
    let (mut errors, mut rulings) = (0, 0);
    for number in 0..400 {
        let rules = Ruleset::profile(Ruleset::PROFILES[number % 5]).unwrap();
        let control = (number % 2 > 0).then(|| "300+2".parse().unwrap());
        let mut game =
            Game::from_position(start(&mut random), rules, [control.clone(), control]).unwrap();
        for _ in 0..80 {
            let event = random_event(&game, &mut random);
            let at = game.now_ms() + random.below(3_000) as u64;
            let before = game.clone();
            let over = before.outcome().is_some();
            match game.apply(at, event.clone()) {
                Ok(_) => rulings += 1,
                Err(error) => {
                    errors += 1;
                    assert!(game == before, "{event:?} changed the game: {error}");
                }
            }
            if over {
                break;
            }
        }
        let text = game.to_json();
        assert!(Game::from_json(&text).unwrap() == game, "{text}");
        // Whatever happened, the record can be written.
        assert!(game.pgn().contains("[Termination"));
    }
    assert!(errors > 1_000 && rulings > 1_000, "{errors} {rulings}");
}

#[test]
fn a_stored_game_that_contradicts_the_laws_is_refused() {
    let mut game = Game::new(Ruleset::engine(), [None, None]).unwrap();
    let mut random = Random(7);
    for _ in 0..4 {
        random_move(&mut game, &mut random);
    }
    let text = game.to_json();
    assert!(matches!(Game::from_json("{}"), Err(StoreError::Json(_))));
    let format = text.replace("\"format\":1", "\"format\":2");
    assert!(matches!(Game::from_json(&format), Err(StoreError::Format(2))));
    let color = text.replacen("\"player\":\"white\"", "\"player\":\"black\"", 1);
    assert!(matches!(Game::from_json(&color), Err(StoreError::Event { number: 1, .. })));
    let ruling = text.replacen("\"ruling\":\"accepted\"", "\"ruling\":\"rejected\"", 1);
    assert!(matches!(Game::from_json(&ruling), Err(StoreError::Ruling { number: 1, .. })));
    let fen = text.replacen("RNBQKBNR", "RNBQ1BNR", 1);
    assert!(matches!(Game::from_json(&fen), Err(StoreError::Setup(_))));
}
