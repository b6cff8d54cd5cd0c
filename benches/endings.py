#!/usr/bin/env python3
"""How often an engine without tablebases wins won endings against the defense that the tablebases call the longest.

    endings.py ./sleight --tables DIR --go "movetime 100"
    endings.py ./sleight --tables DIR --endings KQvK KRvK --option UCI_LimitStrength=true --option UCI_Elo=1350

Starts are random positions that the tables call won, half of them with the attacker to move, half with the defender; the
same for the same seed. The defender plays the reply with the longest distance to zeroing (DTZ), or any that draws. For each
ending: games that were won and drawn, the moves to mate, and the starts that were drawn. Needs python-chess.
"""

import argparse
import random
import re
import sys
from pathlib import Path

import chess
import chess.syzygy

from matches import check_options
from uci_process import Engine

ENDINGS = ["KQvK", "KRvK", "KBBvK", "KBNvK", "KQvKR"]
# Random positions of an ending, of which hardly any are won, or whose tables are missing.
MAX_DRAWS = 100_000


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--tables", required=True, help="directory of Syzygy tablebases, of the defender alone")
    parser.add_argument("--endings", nargs="+", default=ENDINGS, help=f"default: {' '.join(ENDINGS)}")
    parser.add_argument("--games", type=int, default=100, help="games of each ending (default: 100)")
    parser.add_argument("--go", default="nodes 50000", help='limits of a move (default: "nodes 50000")')
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="UCI option; repeatable")
    parser.add_argument("--seed", type=int, default=1, help="of starts and of equal replies (default: 1)")
    options = parser.parse_args()
    for ending in options.endings:
        if not re.fullmatch("K[QRBNP]{1,3}vK[QRBNP]{0,3}", ending):
            parser.error(f"{ending}: write endings as KBNvK, the attacker first")
    if not Path(options.tables).is_dir():
        parser.error(f"{options.tables}: no such directory")
    return options


class Attacker(Engine):
    def __init__(self, path, options):
        super().__init__(path)
        self.ask("uci", "uciok")
        for option in options:
            name, value = option.split("=", 1)
            self.send(f"setoption name {name} value {value}")

    def new_game(self):
        self.ask("ucinewgame\nisready", "readyok")

    def best_move(self, start, moves, go):
        played = " ".join(move.uci() for move in moves)
        line = self.line(f"position fen {start}" + (f" moves {played}" if played else "") + f"\ngo {go}", "bestmove")
        return chess.Move.from_uci(line.split()[1])


def random_start(ending, attacker, attacker_to_move, tables, rng):
    """A random legal position of the ending that is won for the attacker, whatever its clock of fifty moves allows."""
    sides = ending.split("v")
    for _ in range(MAX_DRAWS):
        board = chess.Board(None)
        squares = rng.sample(range(64), sum(map(len, sides)))
        for side, color in zip(sides, [attacker, not attacker]):
            for letter in side:
                board.set_piece_at(squares.pop(), chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color))
        board.turn = attacker if attacker_to_move else not attacker
        if board.is_valid() and not board.is_game_over():
            if tables.get_wdl(board) == (2 if attacker_to_move else -2):
                return board
    sys.exit(f"{ending}: no won position among {MAX_DRAWS:,}, or no tables")


def defend(board, tables, rng):
    """The reply that delays the loss most; the first that does not lose, if there is one."""
    best, replies = None, []
    for move in board.legal_moves:
        board.push(move)
        is_drawn = board.is_repetition(3) or tables.probe_wdl(board) < 2
        delay = (is_drawn, 0 if is_drawn else tables.probe_dtz(board))
        board.pop()
        if best is None or delay > best:
            best, replies = delay, []
        if delay == best:
            replies.append(move)
    return rng.choice(replies)


def play(engine, start, attacker, tables, go, rng):
    """The number of moves to mate, or None after a draw."""
    engine.new_game()
    board, moves = start.copy(), []
    while not (board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100):
        if board.turn == attacker:
            move = engine.best_move(start.fen(), moves, go)
        else:
            move = defend(board, tables, rng)
        board.push(move)
        moves.append(move)
    return (len(moves) + 1) // 2 if board.is_checkmate() and board.turn != attacker else None


def main():
    options = parse_arguments()
    check_options(options.engine, options.option)
    engine = Attacker(options.engine, options.option)
    with chess.syzygy.open_tablebase(options.tables) as tables:
        for ending in options.endings:
            rng = random.Random(f"{options.seed} {ending}")
            lengths, drawn = [], []
            for game in range(options.games):
                attacker = chess.WHITE if game // 2 % 2 == 0 else chess.BLACK
                start = random_start(ending, attacker, game % 2 == 0, tables, rng)
                length = play(engine, start, attacker, tables, options.go, rng)
                lengths.extend([length] if length else [])
                drawn.extend([] if length else [start.fen()])
            longest = f", at most {max(lengths)} moves, {sum(lengths) / len(lengths):.1f} on average" if lengths else ""
            print(f"{ending}: {len(lengths)} won, {len(drawn)} drawn{longest}", flush=True)
            for fen in drawn:
                print(f"  drawn: {fen}", flush=True)
    engine.send("quit")


if __name__ == "__main__":
    main()
