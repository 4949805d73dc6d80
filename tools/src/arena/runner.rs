//! Plays a schedule: workers, results, files.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ferz::laws::mating::Solver;
use ferz::tablebase::Tablebase;
use ferz::types::Color;
use serde_json::{Value, json};
use thiserror::Error;

use super::book::Book;
use super::client::{Client, Failure, Patience};
use super::config::{ConfigError, Settings};
use super::date::today;
use super::fault::{Fault, FaultClass};
use super::game::{GameOver, GamePlan, Played, play, to_pgn};
use super::journal::{Entry, Journal, JournalError};
use super::openings::{Opening, OpeningError, load};
use super::picture::{PictureError, Point, draw};
use super::referee::Referee;
use super::report::{Cast, live_line, summary};
use super::schedule::{Schedule, Slot};
use super::standings::{FaultRecord, GameRecord, Standings};
use super::stop::Stop;
use crate::stats::Verdict;

/// How often one game may be void before it is given up.
const MAX_VOIDS: u32 = 20;

/// Why a run could not be played.
#[derive(Debug, Error)]
pub enum RunError {
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The openings cannot be used.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A file cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
    move |source| RunError::File { path: path.to_owned(), source }
}

/// What a run tells while it goes on.
pub trait Observer: Sync {
    /// The state after each game, and how many games are counted of how many.
    fn live(&self, line: &str, games: u64, total: u32);
    /// Something worth a line of its own.
    fn note(&self, line: &str);
}

/// How a run ended.
#[derive(Debug)]
pub struct RunEnd {
    /// Who played.
    pub cast: Cast,
    /// What the games add up to.
    pub standings: Standings,
    /// The engines that were set aside, and why.
    pub set_aside: Vec<(usize, String)>,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// Games of the schedule.
    pub total: u32,
    /// What this process took between an answer and the next question, on average.
    pub overhead: Option<Duration>,
}

/// Plays a run to its end. `resumed` are the entries of the journal when it is gone on with.
///
/// # Errors
/// If the settings or openings are wrong or a file cannot be written. Faults of engines are results.
pub fn run(
    settings: &Settings,
    journal: Journal,
    resumed: Option<&[Entry]>,
    stop: &Stop,
    observer: &dyn Observer,
) -> Result<RunEnd, RunError> {
    settings.validate()?;
    let openings = load(&settings.openings, settings.seed, settings.chess960)?;
    let cast = Cast {
        names: settings.engines.iter().map(|engine| engine.name.clone()).collect(),
        sprt: settings.sprt,
    };
    let schedule = Schedule::new(settings);
    let mut book = Book::new(journal, settings.engines.len());
    let tables = open_tables(settings, observer)?;
    let solver = Referee::solver();
    let run = Run { settings, cast, schedule, openings, solver, tables, stop, observer };
    for entry in resumed.unwrap_or_default() {
        run.restore(&mut book, entry);
    }
    run.open_files(&mut book, resumed.is_some())?;
    run.event(&mut book, "run", json!({"engines": run.cast.names, "games": run.schedule.games()}));
    let book = Mutex::new(book);
    run.try_engines(&book);
    std::thread::scope(|scope| {
        for _ in 0..settings.concurrency {
            scope.spawn(|| run.work(&book));
        }
    });
    run.close(book.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Opens the endgame tables that decide games, if any are asked for.
fn open_tables(
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Option<Tablebase>, ConfigError> {
    let Some(folder) = &settings.adjudication.syzygy else { return Ok(None) };
    let opened = Tablebase::open(folder);
    for warning in &opened.warnings {
        observer.note(&format!("syzygy: {warning}"));
    }
    match opened.files {
        0 => Err(ConfigError::value("syzygy", format!("no tables in {folder}"))),
        _ => Ok(Some(opened.tablebase)),
    }
}

/// What all workers share and none changes.
struct Run<'a> {
    settings: &'a Settings,
    cast: Cast,
    schedule: Schedule,
    openings: Vec<Opening>,
    solver: Solver,
    tables: Option<Tablebase>,
    stop: &'a Stop,
    observer: &'a dyn Observer,
}

/// The engines that one worker has running.
type Running<'a> = Vec<(usize, Client<'a>)>;

impl<'a> Run<'a> {
    fn lock<'b>(&self, book: &'b Mutex<Book>) -> MutexGuard<'b, Book> {
        // A panic of another worker leaves counts that are whole: each is changed in one go.
        book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_files(&self, book: &mut Book, resumed: bool) -> Result<(), RunError> {
        let output = &self.settings.output;
        if let Some(path) = &output.pgn {
            if !resumed && path.metadata().is_ok_and(|file| file.len() > 0) {
                return Err(JournalError::Exists(path.clone()).into());
            }
            let open = || -> io::Result<File> {
                let options =
                    OpenOptions::new().write(true).create(true).truncate(false).open(path);
                let mut file = options?;
                file.set_len(book.pgn_bytes)?;
                file.seek(SeekFrom::End(0))?;
                Ok(file)
            };
            book.pgn = Some(open().map_err(file_error(path))?);
        }
        if let Some(path) = &output.events {
            let file = OpenOptions::new().append(true).create(true).open(path);
            book.events = Some(file.map_err(file_error(path))?);
        }
        Ok(())
    }

    /// Takes up an entry of the journal.
    fn restore(&self, book: &mut Book, entry: &Entry) {
        match entry {
            Entry::Run { .. } => {}
            Entry::Game { record, pgn_bytes } => {
                book.pgn_bytes = *pgn_bytes;
                self.count(book, record);
            }
            Entry::Void { .. } => book.standings.voids += 1,
            Entry::SetAside { engine, reason } => {
                book.set_aside[*engine] = Some(reason.clone());
            }
        }
    }

    /// Counts a game, and looks whether the test is decided with it.
    fn count(&self, book: &mut Book, record: &GameRecord) {
        book.done.insert(record.game);
        book.standings.add(record);
        let first = &book.standings.engines[0];
        let state = self.settings.sprt.map(|sprt| sprt.state(&first.pairs));
        book.decided |= state.is_some_and(|state| state.verdict != Verdict::Open);
        book.history.push(Point {
            games: book.standings.games,
            score: first.all.score(),
            llr: state.map(|state| state.llr),
        });
    }

    /// Starts every engine once, so that one that cannot play is known before the first game.
    fn try_engines(&self, book: &Mutex<Book>) {
        for (engine, config) in self.settings.engines.iter().enumerate() {
            if self.lock(book).set_aside[engine].is_some() {
                continue;
            }
            match self.start(engine) {
                Ok(client) => {
                    for option in &client.unknown_options {
                        self.observer.note(&format!("{} has no option {option}", config.name));
                    }
                    client.quit();
                }
                Err(Failure::Stopped) => return,
                Err(Failure::Fault(fault)) => {
                    let evidence = self.keep(&fault, engine, 0);
                    let reason = format!("it does not start: {}", fault.detail);
                    let mut book = self.lock(book);
                    let faults = &mut book.standings.engines[engine].faults;
                    *faults.entry(FaultClass::Start).or_default() += 1;
                    self.fault_event(&mut book, engine, &fault, evidence.as_deref());
                    self.set_aside(&mut book, engine, &reason);
                }
            }
        }
    }

    fn start(&self, engine: usize) -> Result<Client<'a>, Failure> {
        let settings = self.settings;
        let mut extra = Vec::new();
        if settings.chess960 {
            extra.push(("UCI_Chess960", "true"));
        }
        if settings.ponder {
            extra.push(("Ponder", "true"));
        }
        let patience = Patience {
            ready: Duration::from_millis(settings.start_ms),
            stall: Duration::from_millis(settings.stall_ms),
        };
        let config = &settings.engines[engine];
        Client::start(config, &extra, self.log_file(engine), patience, &self.stop.now)
    }

    /// The file for an engine's error output; a match goes on without it.
    fn log_file(&self, engine: usize) -> Option<File> {
        let folder = self.settings.output.logs.as_ref()?;
        std::fs::create_dir_all(folder).ok()?;
        let path = folder.join(format!("engine{engine}.stderr.log"));
        OpenOptions::new().append(true).create(true).open(path).ok()
    }

    /// Plays games until there are no more.
    fn work(&self, book: &Mutex<Book>) {
        let mut running: Running<'a> = Vec::new();
        while let Some(slot) = self.next_slot(book) {
            let plan = GamePlan {
                settings: self.settings,
                opening: &self.openings[slot.opening as usize % self.openings.len()],
                engines: [slot.white, slot.black],
                solver: &self.solver,
                tables: self.tables.as_ref(),
            };
            let about = json!({
                "game": slot.game, "pair": slot.pair, "opening": slot.opening,
                "white": self.cast.names[slot.white], "black": self.cast.names[slot.black],
            });
            self.event(&mut self.lock(book), "game-start", about);
            let played = self.play_slot(plan, &mut running);
            self.take(book, slot, plan, played);
            if self.settings.restart {
                running.drain(..).for_each(|(_, client)| client.quit());
            }
        }
        running.into_iter().for_each(|(_, client)| client.quit());
    }

    fn next_slot(&self, book: &Mutex<Book>) -> Option<Slot> {
        let mut book = self.lock(book);
        if self.stop.now.load(Ordering::Relaxed) || book.decided || book.error.is_some() {
            return None;
        }
        loop {
            let game = match book.again.pop_front() {
                Some(game) => game,
                None if book.next < self.schedule.games() => {
                    book.next += 1;
                    book.next - 1
                }
                None => return None,
            };
            let slot = self.schedule.slot(game);
            let aside = [slot.white, slot.black].iter().any(|&e| book.set_aside[e].is_some());
            if !aside && !book.done.contains(&game) {
                return Some(slot);
            }
        }
    }

    fn play_slot(&self, plan: GamePlan<'_>, running: &mut Running<'a>) -> Played {
        let mut seats = Vec::with_capacity(2);
        for (engine, side) in plan.engines.into_iter().zip(Color::ALL) {
            let place = running.iter().position(|(running, _)| *running == engine);
            let client = match place {
                Some(place) => running.swap_remove(place).1,
                None => match self.start(engine) {
                    Ok(client) => client,
                    Err(Failure::Stopped) => return Played::Stopped,
                    Err(Failure::Fault(fault)) => {
                        running.extend(seats);
                        let over = GameOver::not_started(plan, side, fault);
                        return Played::Over(Box::new(over));
                    }
                },
            };
            seats.push((engine, client));
        }
        // Engines of other pairings are not needed again soon.
        running.drain(..).for_each(|(_, client)| client.quit());
        let played = match &mut seats[..] {
            [(_, white), (_, black)] => play(plan, [white, black]),
            _ => Played::Stopped,
        };
        let broken = match &played {
            Played::Over(over) => over.fault.as_ref().and_then(|(side, fault)| {
                let usable = matches!(fault.class, FaultClass::Flag | FaultClass::IllegalMove);
                (!usable).then_some(side.index())
            }),
            _ => None,
        };
        for (seat, kept) in seats.into_iter().enumerate() {
            if broken != Some(seat) {
                running.push(kept);
            }
        }
        played
    }

    /// Books what came of a game.
    fn take(&self, book: &Mutex<Book>, slot: Slot, plan: GamePlan<'_>, played: Played) {
        let result = match played {
            Played::Stopped => return,
            Played::Void { side, late } => self.take_void(&mut self.lock(book), slot, side, late),
            Played::Over(over) => {
                let kept = over.fault.as_ref().map(|(side, fault)| {
                    let engine = plan.engines[side.index()];
                    FaultRecord {
                        engine,
                        class: fault.class,
                        detail: fault.detail.clone(),
                        evidence: self.keep(fault, engine, slot.game),
                    }
                });
                self.take_game(&mut self.lock(book), slot, plan, &over, kept)
            }
        };
        if let Err(error) = result {
            self.lock(book).error.get_or_insert(error);
            self.stop.now.store(true, Ordering::Relaxed);
        }
    }

    fn take_void(
        &self,
        book: &mut Book,
        slot: Slot,
        side: Color,
        late: Duration,
    ) -> Result<(), RunError> {
        let engine = if side == Color::White { slot.white } else { slot.black };
        let late_ms = late.as_secs_f64() * 1e3;
        book.standings.voids += 1;
        book.journal.write(&Entry::Void { game: slot.game, engine, late_ms })?;
        let about = json!({
            "game": slot.game, "engine": self.cast.names[engine], "late_ms": late_ms,
        });
        self.event(book, "void", about);
        let times = book.voids.entry(slot.game).or_default();
        *times += 1;
        if *times < MAX_VOIDS {
            book.again.push_back(slot.game);
        }
        self.observer.note(&format!("game {}: void, {late_ms:.0} ms late ourselves", slot.game));
        Ok(())
    }

    fn take_game(
        &self,
        book: &mut Book,
        slot: Slot,
        plan: GamePlan<'_>,
        over: &GameOver,
        fault: Option<FaultRecord>,
    ) -> Result<(), RunError> {
        // What another worker decided while this game went on, it went on for nothing.
        if book.decided || book.error.is_some() {
            return Ok(());
        }
        let names = [slot.white, slot.black].map(|engine| &*self.cast.names[engine]);
        if let (Some(file), Some(path)) = (&mut book.pgn, &self.settings.output.pgn) {
            let mut text = to_pgn(plan, over, names, (slot.pair + 1, slot.half + 1), &today());
            if !text.ends_with("\n\n") {
                text.push('\n');
            }
            file.write_all(text.as_bytes()).map_err(file_error(path))?;
            book.pgn_bytes += text.len() as u64;
        }
        let record = GameRecord {
            game: slot.game,
            pair: slot.pair,
            white: slot.white,
            black: slot.black,
            opening: slot.opening,
            result: over.verdict.result,
            ending: Some(over.verdict.ending),
            plies: over.moves.len() as u32,
            fault,
            oddities: over.oddities,
        };
        book.journal.write(&Entry::Game { record: record.clone(), pgn_bytes: book.pgn_bytes })?;
        self.count(book, &record);
        book.overhead += over.overhead;
        book.gaps += over.gaps;
        let about = json!({
            "game": slot.game, "pair": slot.pair, "opening": slot.opening,
            "white": names[0], "black": names[1], "result": record.result,
            "ending": record.ending, "why": over.verdict.words, "plies": record.plies,
        });
        self.event(book, "game-end", about);
        if let (Some(kept), Some((_, fault))) = (&record.fault, &over.fault) {
            self.after_fault(book, kept, fault, slot.game)?;
        }
        let total = self.schedule.games();
        let line = live_line(&self.cast, &book.standings, total);
        self.observer.live(&line, book.standings.games, total);
        if book.decided {
            self.stop.now.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn after_fault(
        &self,
        book: &mut Book,
        kept: &FaultRecord,
        fault: &Fault,
        game: u32,
    ) -> Result<(), RunError> {
        let (engine, name) = (kept.engine, &self.cast.names[kept.engine]);
        self.fault_event(book, engine, fault, kept.evidence.as_deref());
        let place =
            kept.evidence.as_deref().map_or_else(String::new, |path| format!(", see {path}"));
        let class = fault.class.name();
        self.observer.note(&format!("game {game}: {name}: {class}: {}{place}", fault.detail));
        let most = u64::from(self.settings.max_faults);
        if most > 0 && book.standings.faults(engine) >= most && book.set_aside[engine].is_none() {
            let reason = format!("{most} faults");
            book.journal.write(&Entry::SetAside { engine, reason: reason.clone() })?;
            self.set_aside(book, engine, &reason);
        }
        Ok(())
    }

    fn set_aside(&self, book: &mut Book, engine: usize, reason: &str) {
        book.set_aside[engine] = Some(reason.to_owned());
        let name = &self.cast.names[engine];
        self.observer.note(&format!("{name} is set aside: {reason}"));
        self.event(book, "set-aside", json!({"engine": name, "reason": reason}));
    }

    /// Writes the evidence of a fault; its place.
    fn keep(&self, fault: &Fault, engine: usize, game: u32) -> Option<String> {
        let folder = self.settings.output.logs.as_ref()?;
        let written = fault.write(folder, &self.cast.names[engine], game);
        written.ok().map(|path| path.display().to_string())
    }

    fn fault_event(&self, book: &mut Book, engine: usize, fault: &Fault, evidence: Option<&str>) {
        let about = json!({
            "engine": self.cast.names[engine], "class": fault.class, "detail": fault.detail,
            "exit": fault.exit, "evidence": evidence,
        });
        self.event(book, "fault", about);
    }

    fn event(&self, book: &mut Book, name: &str, mut about: Value) {
        let Some(file) = &mut book.events else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        about["event"] = json!(name);
        about["time"] = json!(now.as_secs_f64());
        // Events are for onlookers: a full disk must not end the run.
        let _ = writeln!(file, "{about}");
    }

    fn close(&self, mut book: Book) -> Result<RunEnd, RunError> {
        if let Some(error) = book.error {
            return Err(error);
        }
        let report = summary(&self.cast, &book.standings);
        self.event(&mut book, "end", json!({"summary": report}));
        let output = &self.settings.output;
        if let Some(path) = &output.json {
            let text = format!("{report:#}\n");
            std::fs::write(path, text).map_err(file_error(path))?;
        }
        if let Some(path) = &output.svg {
            let title = self.cast.names.join(" - ");
            draw(path, &title, &book.history, self.settings.sprt.map(|sprt| sprt.bounds()))?;
        }
        let set_aside = book.set_aside.into_iter().enumerate();
        Ok(RunEnd {
            cast: self.cast.clone(),
            standings: book.standings,
            set_aside: set_aside.filter_map(|(engine, why)| Some((engine, why?))).collect(),
            interrupted: self.stop.by_user.load(Ordering::Relaxed),
            total: self.schedule.games(),
            overhead: (book.gaps > 0).then(|| book.overhead / book.gaps),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::EngineConfig;
    use super::*;

    struct Silent;

    impl Observer for Silent {
        fn live(&self, _: &str, _: u64, _: u32) {}
        fn note(&self, _: &str) {}
    }

    #[test]
    fn a_void_game_is_played_again_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let engine = |name: &str| EngineConfig { name: name.to_owned(), ..EngineConfig::default() };
        let settings =
            Settings { games: 2, engines: vec![engine("A"), engine("B")], ..Settings::default() };
        let path = folder.path().join("x.journal");
        let journal = Journal::create(&path, &settings).unwrap();
        let stop = Stop::default();
        let run = Run {
            settings: &settings,
            cast: Cast { names: vec!["A".to_owned(), "B".to_owned()], sprt: None },
            schedule: Schedule::new(&settings),
            openings: Vec::new(),
            solver: Referee::solver(),
            tables: None,
            stop: &stop,
            observer: &Silent,
        };
        let book = Mutex::new(Book::new(journal, 2));
        let first = run.next_slot(&book).unwrap();
        let second = run.next_slot(&book).unwrap();
        assert_eq!((first.game, second.game), (0, 1));
        assert_eq!(run.next_slot(&book), None);
        let late = Duration::from_millis(30);
        for round in 1..=MAX_VOIDS {
            run.take_void(&mut run.lock(&book), first, Color::Black, late).unwrap();
            let again = (round < MAX_VOIDS).then_some(first);
            assert_eq!(run.next_slot(&book), again, "round {round}");
        }
        let mut restored = Book::new(Journal::resume(&path).unwrap().0, 2);
        for entry in Journal::resume(&path).unwrap().2 {
            run.restore(&mut restored, &entry);
        }
        assert_eq!(restored.standings.voids, u64::from(MAX_VOIDS));
        assert_eq!(restored.standings.games, 0);
    }
}
