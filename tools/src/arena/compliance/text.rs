//! Checks of the text: start-up, options, odd input, the end.

use std::time::Duration;

use super::session::Session;
use super::{Check, Result, must, should};

/// The checks, in the order of the table.
pub const CHECKS: &[Check] = &[
    must("id name and id author come before uciok", names),
    must("nothing comes after uciok", nothing_after_uciok),
    must("options are written as the protocol has it", options_are_sound),
    must("uci is answered again", uci_again),
    should("Hash, Threads, MultiPV and Move Overhead are offered", usual_options),
    must("isready is answered while searching, and the search goes on", ready_in_search),
    must("stop and ponderhit without a search are ignored", idle_stop),
    must("unknown commands and empty lines are ignored", unknown_commands),
    should("a known command after an unknown word is obeyed", unknown_word_first),
    must("tabs, several blanks and CRLF separate words", blanks),
    should("bytes that are no text do no harm", odd_bytes),
    should("xboard before uci does no harm", xboard),
    must("options: case of names, unknown names, missing and wrong values", odd_options),
    must("go and stop at once give one bestmove", go_stop_at_once),
    must("ucinewgame in a search gives its bestmove first", new_game_in_search),
    must("a broken FEN does no harm", broken_fen),
    should("a line of 50 kB is read", long_line),
    must("quit ends the process, in a search too, with code 0", quit_in_search),
    should("the end of the input ends the process", end_of_input),
];

fn names(session: &mut Session) -> Result {
    for word in ["id name ", "id author "] {
        let found = session
            .greeting
            .iter()
            .any(|line| line.strip_prefix(word).is_some_and(|name| !name.trim().is_empty()));
        if !found {
            return Err(format!("no {word:?}").into());
        }
    }
    Ok(())
}

fn nothing_after_uciok(session: &mut Session) -> Result {
    session.send("uci");
    session.until("uciok", session.patience)?;
    session.quiet("option")
}

fn options_are_sound(session: &mut Session) -> Result {
    let options: Vec<&String> =
        session.greeting.iter().filter(|line| line.starts_with("option")).collect();
    for line in options {
        if let Some(reason) = wrong_option(line) {
            return Err(format!("{line:?}: {reason}").into());
        }
    }
    Ok(())
}

/// What is wrong with an `option` line.
fn wrong_option(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let Some(end) = words.iter().position(|&word| word == "type") else { return Some("no type") };
    if words.get(1) != Some(&"name") || end < 3 {
        return Some("no name");
    }
    let reserved = ["name", "default", "min", "max", "var", "value"];
    if words[2..end].iter().any(|word| reserved.contains(word)) {
        return Some("a reserved word in the name");
    }
    let after = |key: &str| {
        let place = words.iter().skip(end).position(|&word| word == key)? + end;
        words.get(place + 1).copied()
    };
    let number = |key: &str| after(key).and_then(|text| text.parse::<i32>().ok());
    match words.get(end + 1).copied() {
        Some("button") => None,
        Some("check") => match after("default") {
            Some("true" | "false") => None,
            _ => Some("no default true or false"),
        },
        Some("spin") => match (number("default"), number("min"), number("max")) {
            (Some(default), Some(min), Some(max)) if min <= default && default <= max => None,
            (Some(_), Some(_), Some(_)) => Some("the default is out of range"),
            _ => Some("default, min and max are not three whole numbers of 32 bits"),
        },
        Some("combo") => {
            let choices: Vec<&str> =
                words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]).collect();
            match after("default") {
                Some(default) if choices.contains(&default) => None,
                _ => Some("the default is not among the choices"),
            }
        }
        Some("string") if words.contains(&"default") => match after("default") {
            Some(_) => None,
            None => Some("an empty default must be written <empty>"),
        },
        Some("string") => Some("no default"),
        _ => Some("an unknown type"),
    }
}

fn uci_again(session: &mut Session) -> Result {
    session.send("uci");
    let again = session.until("uciok", session.patience)?;
    let count = |lines: &[String]| lines.iter().filter(|l| l.starts_with("option")).count();
    match count(&again) == count(&session.greeting) {
        true => Ok(()),
        false => Err("other options than the first time".into()),
    }
}

fn usual_options(session: &mut Session) -> Result {
    for name in ["Hash", "Threads", "MultiPV", "Move Overhead"] {
        if !session.offers(name) {
            return Err(format!("no option {name}").into());
        }
    }
    Ok(())
}

fn ready_in_search(session: &mut Session) -> Result {
    session.position("startpos")?;
    session.send("go infinite");
    for _ in 0..3 {
        if session.ready()?.iter().any(|line| line.starts_with("bestmove")) {
            return Err("isready ended the search".into());
        }
    }
    session.quiet("bestmove")?;
    session.send("stop");
    let search = session.answer(session.patience)?;
    session.legal(&search).map(drop)
}

fn idle_stop(session: &mut Session) -> Result {
    session.send("stop");
    session.send("ponderhit");
    session.quiet("bestmove")?;
    session.position("startpos")?;
    session.plays("depth 1").map(drop)
}

fn unknown_commands(session: &mut Session) -> Result {
    for line in ["", "   ", "banana", "joho debug on", "register later", "debug off", "go_home"] {
        session.send(line);
    }
    session.quiet("bestmove")?;
    session.position("startpos")?;
    session.plays("banana 7 depth 2").map(drop)
}

fn unknown_word_first(session: &mut Session) -> Result {
    session.send("joho isready");
    session.until("readyok", session.patience).map(drop)
}

fn blanks(session: &mut Session) -> Result {
    session.position("startpos moves e2e4")?;
    session.send("\t position \t startpos  moves \t e2e4 \r");
    session.send(" go \t depth  3 \r");
    let search = session.answer(session.patience)?;
    session.legal(&search).map(drop)
}

fn odd_bytes(session: &mut Session) -> Result {
    session.send_bytes(b"\xff\xfe\x80 \x00 go");
    session.send_bytes("position startpos moves e2e4 \u{e9}\u{e9}".as_bytes());
    session.ready().map(drop)
}

fn xboard(session: &mut Session) -> Result {
    session.send("xboard");
    session.send("protover 2");
    session.send("uci");
    session.until("uciok", session.patience).map(drop)
}

fn odd_options(session: &mut Session) -> Result {
    for line in [
        "setoption name HASH value 8",
        "setoption name hash",
        "setoption name Hash value",
        "setoption name Hash value abc",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name No Such Option value 1",
        "setoption name",
        "setoption",
        "setoption name Threads value 0",
        "setoption name Clear Hash",
    ] {
        session.send(line);
        session.ready().map_err(|_| format!("no readyok after {line:?}"))?;
    }
    session.position("startpos")?;
    session.plays("depth 2").map(drop)
}

fn go_stop_at_once(session: &mut Session) -> Result {
    for _ in 0..5 {
        session.position("startpos")?;
        session.send("go infinite\nstop");
        let search = session.answer(session.patience)?;
        session.legal(&search)?;
    }
    session.quiet("bestmove")
}

fn new_game_in_search(session: &mut Session) -> Result {
    session.position("startpos")?;
    session.send("go infinite");
    session.send("ucinewgame");
    let before = session.ready()?;
    let answers = before.iter().filter(|line| line.starts_with("bestmove")).count();
    match answers {
        1 => session.quiet("bestmove"),
        0 => {
            session.send("stop");
            session.answer(session.patience).map(drop)
        }
        _ => Err(format!("{answers} bestmoves for one go").into()),
    }
}

fn broken_fen(session: &mut Session) -> Result {
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1 extra words here",
        "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K2p w - - 0 1",
        "x",
    ] {
        session.send(&format!("position fen {fen}"));
        session.ready().map_err(|_| format!("no readyok after the FEN {fen:?}"))?;
    }
    session.position("startpos")?;
    session.plays("depth 2").map(drop)
}

fn long_line(session: &mut Session) -> Result {
    let round = " g1f3 g8f6 f3g1 f6g8";
    let text = format!("startpos moves{}", round.repeat(2500));
    session.position(&text)?;
    session.plays("depth 2").map(drop)
}

fn quit_in_search(session: &mut Session) -> Result {
    session.position("startpos")?;
    session.send("go infinite");
    session.send("quit");
    session.ends(Duration::from_secs(1).max(session.patience))
}

fn end_of_input(session: &mut Session) -> Result {
    session.position("startpos")?;
    session.send("go infinite");
    session.close_input();
    let search = session.answer(session.patience)?;
    session.legal(&search)?;
    session.ends(Duration::from_secs(1).max(session.patience))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_lines_are_judged() {
        for line in [
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name SyzygyPath type string default <empty>",
            "option name Style type combo default Solid var Solid var Risky",
        ] {
            assert_eq!(wrong_option(line), None, "{line}");
        }
        for line in [
            "option name Hash type spin default 0 min 1 max 4096",
            "option name Hash type spin default 16 min 1 max 9999999999",
            "option name Hash type spin default 16",
            "option name Max value type check default true",
            "option name Ponder type check",
            "option name Path type string default",
            "option name Path type string",
            "option name Style type combo default Odd var Solid",
            "option name X type slider",
            "option name type spin default 1 min 1 max 1",
            "option Hash",
        ] {
            assert!(wrong_option(line).is_some(), "{line}");
        }
    }
}
