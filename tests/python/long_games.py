"""Games of two engines on the clock, both of which ponder, with python-chess, which checks every move and line. Not part
of the test suite.

usage: long_games.py ENGINE OPPONENT --openings FILE [--games N] [--tc 60+0.6] [--option NAME=VALUE]

ENGINE loses on time as soon as its clock is at zero; OPPONENT, which may be the same file, has --margin seconds more. The
games start from lines of the EPD file chosen at random, each opening with both colors. Ends with an error at a loss on
time of either, an illegal move, or anything that python-chess warns of.
"""

import argparse
import collections
import logging
import random
import sys
import time

import chess
import chess.engine

from play_game import Complaints, Sent


def play(players, board, clock, increment, margins):
    """Plays one game; the result, and the least time that each side had left after its increment was taken off."""
    game = object()
    clocks, least = {chess.WHITE: clock, chess.BLACK: clock}, {chess.WHITE: clock, chess.BLACK: clock}
    while not board.is_game_over(claim_draw=True):
        side = board.turn
        limit = chess.engine.Limit(white_clock=max(clocks[True], 0.001), black_clock=max(clocks[False], 0.001),
                                   white_inc=increment, black_inc=increment)
        start = time.monotonic()
        result = players[side].play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=True)
        clocks[side] -= time.monotonic() - start
        least[side] = min(least[side], clocks[side])
        if clocks[side] + margins[side] <= 0:
            sys.exit(f"{players[side].id['name']} lost on time in {board.fen()}")
        clocks[side] += increment
        if result.move not in board.legal_moves:
            sys.exit(f"{players[side].id['name']}: {result.move} in {board.fen()}")
        board.push(result.move)
    return board.result(claim_draw=True), least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("opponent")
    parser.add_argument("--openings", required=True, help="FEN or EPD lines")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--tc", default="60+0.6", help="seconds and increment (default: 60+0.6)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of ENGINE; repeatable")
    parser.add_argument("--margin", type=float, default=1.0, help="seconds more for OPPONENT (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    clock, increment = map(float, wanted.tc.split("+"))
    complaints, sent = Complaints(), Sent()
    log = logging.getLogger("chess.engine")
    log.setLevel(logging.DEBUG)
    log.addHandler(complaints)
    log.addHandler(sent)
    with open(wanted.openings) as lines:
        openings = random.Random(wanted.seed).sample([" ".join(line.split()[:4]) for line in lines], (wanted.games + 1) // 2)
    score = collections.Counter()
    with chess.engine.SimpleEngine.popen_uci(wanted.engine, timeout=60) as engine, \
            chess.engine.SimpleEngine.popen_uci(wanted.opponent, timeout=60) as opponent:
        engine.configure(dict(option.split("=", 1) for option in wanted.option))
        for number in range(wanted.games):
            color = number % 2 == 0
            players = {color: engine, not color: opponent}
            margins = {color: 0, not color: wanted.margin}
            board = chess.Board(openings[number // 2] + " 0 1")
            result, least = play(players, board, clock, increment, margins)
            points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[result]
            points = points if color else 1 - points
            score[points] += 1
            hits = sum(line == "ponderhit" for line in sent.lines)
            print(f"{number + 1}: {result}, {board.fullmove_number} moves, {hits} ponder hits; least on the clock: "
                  f"{least[color]:.2f} s and {least[not color]:.2f} s", flush=True)
            sent.lines.clear()
            if complaints.seen:
                sys.exit("\n".join(complaints.seen))
    print(f"{score[1]} won, {score[0.5]} drawn, {score[0]} lost by {wanted.engine}")


if __name__ == "__main__":
    main()
