#!/usr/bin/env python3
"""A game of the engine against itself in xboard, through polyglot, on a virtual display.

The saved game must be legal to its end and must not end by a crash, an illegal move or the clock.
"""

import os
import pathlib
import subprocess
import tempfile
import time

import common

chess = common.python_chess()
import chess.pgn

PATIENCE = 240
BAD_ENDS = ("illegal", "exited", "died", "forfeit", "flag", "time")

ADAPTER = """[PolyGlot]
EngineDir = {folder}
EngineCommand = {engine}
EngineName = Ferz
Log = false
[Engine]
Hash = 16
Threads = 1
"""


def finished(path):
    """The game in the file, once it has a result."""
    if not path.exists():
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        game = chess.pgn.read_game(file)
    return game if game and game.headers["Result"] != "*" else None


def main():
    xboard = common.program("xboard")
    adapter = common.program("polyglot")
    display = common.program("xvfb-run", "xvfb")
    common.program("xauth")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        engine = folder / "ferz"
        os.symlink(common.engine(), engine)
        settings = folder / "ferz.ini"
        settings.write_text(ADAPTER.format(folder=folder, engine=engine))
        player = f"{adapter} {settings}"
        saved = folder / "game.pgn"
        command = [display, "-a", xboard, "-fcp", player, "-scp", player, "-fd", str(folder),
                   "-sd", str(folder), "-matchGames", "1", "-mps", "0", "-tc", "0:15", "-inc",
                   "0.1", "-saveGameFile", str(saved), "-size", "petite"]
        with open(os.devnull, "w", encoding="utf-8") as null:
            # A session of its own, so that what xboard starts ends with it.
            running = subprocess.Popen(command, stdout=null, stderr=null, start_new_session=True)
            end = time.monotonic() + PATIENCE
            game = None
            while game is None and time.monotonic() < end and running.poll() is None:
                time.sleep(0.5)
                game = finished(saved)
            game = game or finished(saved)
            if running.poll() is None:
                os.killpg(running.pid, 15)
            running.wait()
    if game is None:
        raise SystemExit("FAILED: no game was finished and saved")
    if game.errors:
        raise SystemExit(f"FAILED: {game.errors[0]}")
    last = game.end()
    print(f"{game.headers['Result']} after {last.ply()} plies: {last.comment}")
    if last.ply() < 10 or any(word in last.comment.lower() for word in BAD_ENDS):
        raise SystemExit("FAILED: the game did not end as a game ends")
    print("PASSED")


main()
