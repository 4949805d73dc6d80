#!/usr/bin/env python3
"""Twenty games against Stockfish at UCI_Elo 1500, 2 s + 0.02 s, two at once, moderated by
python-chess.

Fails on an illegal move, a crash or a loss on time; the result is only shown.
Usage: match_stockfish.py [ENGINE [GAMES]]
"""

import concurrent.futures
import sys
import time

import common

chess = common.python_chess()

BASE, INCREMENT, MARGIN = 2.0, 0.02, 0.05
AT_ONCE = 2
OPENINGS = ("", "e2e4 c7c5", "d2d4 d7d5 c2c4", "e2e4 e7e5", "c2c4", "g1f3 d7d5", "e2e4 e7e6",
            "d2d4 g8f6", "e2e4 c7c6", "b2b3")


def game(white, black, opening, own):
    """One game; returns its result for White, and how it ended."""
    board = chess.Board()
    for text in opening.split():
        board.push_uci(text)
    clocks = {chess.WHITE: BASE, chess.BLACK: BASE}
    identity = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 500:
        side = board.turn
        player = white if side else black
        limit = chess.engine.Limit(
            white_clock=max(clocks[chess.WHITE], 0.001),
            black_clock=max(clocks[chess.BLACK], 0.001),
            white_inc=INCREMENT, black_inc=INCREMENT)
        start = time.perf_counter()
        result = player.play(board, limit, game=identity)
        clocks[side] -= time.perf_counter() - start
        if result.move is None or result.move not in board.legal_moves:
            raise SystemExit(f"FAILED: {result.move} in {board.fen()}")
        if clocks[side] < -MARGIN:
            if side == own:
                raise SystemExit(f"FAILED: {-clocks[side]:.3f} s over time in {board.fen()}")
            return ("0-1" if side else "1-0"), "time"
        clocks[side] += INCREMENT
        board.push(result.move)
    return board.result(claim_draw=True), f"{board.ply()} plies"


def play(numbers, opponent):
    """The games of these numbers, one after the other; returns the points."""
    points = 0.0
    with chess.engine.SimpleEngine.popen_uci(common.engine()) as own, \
            chess.engine.SimpleEngine.popen_uci(opponent) as other:
        other.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
        for number in numbers:
            opening = OPENINGS[number // 2 % len(OPENINGS)]
            colour = number % 2 == 0
            pair = (own, other) if colour else (other, own)
            result, end = game(*pair, opening, colour)
            won = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
            points += won if colour else 1 - won
            print(f"game {number + 1}: {result}, {end}", flush=True)
    return points


def main():
    opponent = common.program("stockfish")
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        shares = [range(first, games, AT_ONCE) for first in range(AT_ONCE)]
        points = sum(pool.map(lambda share: play(share, opponent), shares))
    print(f"{points} of {games} points, no illegal move, no crash, no loss on time")
    print("PASSED")


main()
