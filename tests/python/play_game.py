"""Whole games and analyses with python-chess, which checks every move, every line and every word of the protocol.

usage: play_game.py ENGINE
"""

import logging
import sys
import time

import chess
import chess.engine

# Seconds of each side's clock and per move, and of these what the engine is told to leave alone: a machine that is busy
# with other things may well take that long, but a clock that is not read at all would still show.
CLOCK, INCREMENT, OVERHEAD = 5.0, 0.03, 2.5


class Complaints(logging.Handler):
    """Collects what python-chess finds strange: unexpected output, lines that do not parse, illegal variations."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        self.seen.append(record.getMessage())


def play(engine, board, nodes, ponder):
    """One game of the engine against itself, on a clock and with at most so many nodes a move."""
    game = object()
    clock = {chess.WHITE: CLOCK, chess.BLACK: CLOCK}
    plies = 0
    while not board.is_game_over(claim_draw=True) and plies < 500:
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clock[chess.WHITE],
            black_clock=clock[chess.BLACK],
            white_inc=INCREMENT,
            black_inc=INCREMENT,
            nodes=nodes,
        )
        start = time.monotonic()
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ponder)
        clock[side] += INCREMENT - (time.monotonic() - start)
        assert clock[side] > 0, f"lost on time after {plies} plies of {board.root().fen()}"
        assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
        assert "score" in result.info and "depth" in result.info, result.info
        assert result.info["pv"][0] == result.move, f"{result.info} but {result.move}"
        board.push(result.move)
        plies += 1
    return board.result(claim_draw=True), plies


def games(engine):
    chess960 = [chess.Board.from_chess960_pos(number) for number in (0, 362, 959)]
    double = chess.Board("rkbqnrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBfa - 0 1", chess960=True)
    starts = [("on the clock", chess.Board(), None, False), ("pondering", chess.Board(), 10000, True)]
    starts += [("Chess960", board, 5000, False) for board in (*chess960, double)]
    for name, board, nodes, ponder in starts:
        result, plies = play(engine, board, nodes, ponder)
        print(f"{name}: {result} after {plies} plies")
        assert result != "*", f"{name}: no end after {plies} plies, {board.fen()}"


def analyses(engine):
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8")
    lines = engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
    assert len(lines) == 4 and len({line["pv"][0] for line in lines}) == 4, lines
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores

    wanted = [chess.Move.from_uci("e1g1"), chess.Move.from_uci("h2h4")]
    info = engine.analyse(board, chess.engine.Limit(nodes=5000), root_moves=wanted)
    assert info["pv"][0] in wanted, info
    # An empty list of root moves is sent as `searchmoves 0000`.
    assert engine.play(board, chess.engine.Limit(depth=3), root_moves=[]).move in board.legal_moves

    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 10:
                break
    assert analysis.wait().move in board.legal_moves

    mate = engine.analyse(chess.Board("5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1"), chess.engine.Limit(mate=2))
    assert mate["score"].relative == chess.engine.Mate(2) and len(mate["pv"]) == 3, mate
    for over in ("R6k/6pp/8/8/8/8/8/7K b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):
        assert engine.play(chess.Board(over), chess.engine.Limit(depth=5)).move is None
    engine.ping()


def main(path):
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        assert engine.id["name"].startswith("Sleight "), engine.id
        # What lichess-bot sets unless told otherwise.
        engine.configure({"Move Overhead": 100, "Threads": 1, "Hash": 32})
        engine.configure({"Move Overhead": int(1000 * OVERHEAD)})
        analyses(engine)
        games(engine)
    assert not complaints.seen, complaints.seen


if __name__ == "__main__":
    main(sys.argv[1])
