#!/usr/bin/env python3
"""The engine under python-chess: analysis, play, pondering, several lines, chances, options."""

import logging

import common

chess = common.python_chess()


class Complaints(logging.Handler):
    """Whatever python-chess does not like it logs."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def check(condition, text):
    if not condition:
        raise SystemExit(f"FAILED: {text}")
    print(f"ok: {text}")


def analysis(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3")
    info = engine.analyse(board, chess.engine.Limit(depth=8))
    check(info["score"].relative == chess.engine.Mate(1), "a mate in one is seen")
    check([move.uci() for move in info["pv"]] == ["f3f7"], "its line is one move")

    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=4)
    check(len(lines) == 4, "four lines come")
    scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
    check(scores == sorted(scores, reverse=True), "they are sorted")
    check(len({line["pv"][0] for line in lines}) == 4, "they begin differently")
    for field in ("depth", "seldepth", "nodes", "nps", "hashfull", "tbhits", "time", "pv"):
        check(all(field in line for line in lines), f"each line has {field}")

    chosen = chess.Move.from_uci("a2a3")
    info = engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000), root_moves=[chosen])
    check(info["pv"][0] == chosen, "only the root move asked for is searched")

    with engine.analysis(chess.Board(), chess.engine.Limit(time=0.5)) as running:
        depths = [info["depth"] for info in running if "depth" in info]
        check(depths == sorted(depths) and len(depths) > 3, "depths grow")
    with engine.analysis(chess.Board()) as running:
        for info in running:
            if info.get("depth", 0) >= 5:
                break
        running.stop()
        check(running.wait().move in chess.Board().legal_moves, "an endless analysis can be stopped")


def chances(engine):
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), chess.engine.Limit(depth=8))
    wdl = info["wdl"].white()
    check(wdl.wins + wdl.draws + wdl.losses == 1000, "chances add up to 1000")
    check(wdl.wins > 900, "a queen wins")
    engine.configure({"UCI_ShowWDL": False})


def play(engine, chess960):
    board = chess.Board.from_chess960_pos(512) if chess960 else chess.Board()
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 80:
        limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
        ponder = board.ply() % 3 == 0
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ponder)
        if result.move not in board.legal_moves:
            raise SystemExit(f"FAILED: {result.move} in {board.fen()}")
        if result.info["pv"][0] != result.move:
            raise SystemExit(f"FAILED: {result.move} does not head {result.info['pv']}")
        board.push(result.move)
    check(board.ply() > 20, f"a game is played, Chess960: {chess960}")


def pondering(engine):
    board = chess.Board()
    for _ in range(6):
        limit = chess.engine.Limit(white_clock=5, black_clock=5)
        result = engine.play(board, limit, ponder=True)
        board.push(result.move)
        answer = result.ponder or next(iter(board.legal_moves))
        board.push(answer)
    check(board.is_valid(), "pondering hits and goes on")
    other = next(move for move in board.legal_moves if move != board.peek())
    board.push(other)
    result = engine.play(board, chess.engine.Limit(time=0.1))
    check(result.move in board.legal_moves, "a miss is survived")


def options(engine):
    engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 100, "Skill Level": 20})
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500, "Clear Hash": None})
    engine.configure({"UCI_LimitStrength": False, "Threads": 1})
    engine.ping()
    result = engine.play(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), chess.engine.Limit(depth=3))
    check(result.move is None, "stalemate has no move")


def main():
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    with chess.engine.SimpleEngine.popen_uci(common.engine()) as engine:
        check(engine.id["name"].startswith("Ferz"), "it says its name")
        analysis(engine)
        chances(engine)
        play(engine, chess960=False)
        play(engine, chess960=True)
        pondering(engine)
        options(engine)
    check(not complaints.messages, f"python-chess has no complaint {complaints.messages[:3]}")
    print("PASSED")


main()
