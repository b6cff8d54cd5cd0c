"""Games, pondering, analyses and options with python-chess, which checks every move, line and word of the protocol.

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


class Sent(logging.Handler):
    """Collects the commands that python-chess sends."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        _, mark, line = record.getMessage().partition("<< ")
        if mark:
            self.lines.append(line)


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
    starts = [("on the clock", chess.Board(), None, False), ("guessing wrong", chess.Board(), 10000, True)]
    starts += [("Chess960", board, 5000, False) for board in (*chess960, double)]
    for name, board, nodes, ponder in starts:
        result, plies = play(engine, board, nodes, ponder)
        print(f"{name}: {result} after {plies} plies")
        assert result != "*", f"{name}: no end after {plies} plies, {board.fen()}"


def ponders(engine, sent):
    """Games in which every other reply is the one that the engine ponders on: against itself it never is."""
    hits = misses = 0
    clocks = dict(white_clock=CLOCK, black_clock=CLOCK, white_inc=INCREMENT, black_inc=INCREMENT)
    sent.lines.clear()
    board, game = chess.Board(), object()
    while misses < 5:
        result = engine.play(board, chess.engine.Limit(nodes=20000, **clocks), game=game, ponder=True)
        board.push(result.move)
        others = [move for move in board.legal_moves if move != result.ponder]
        if result.ponder is None or not others:
            board, game = chess.Board(), object()
            continue
        hit = hits == misses
        hits, misses = hits + hit, misses + (not hit)
        # At times the search that ponders has used up its nodes, and holds its move back.
        time.sleep(0.1 * (hits % 2))
        board.push(result.ponder if hit else others[hits % len(others)])
    # This ends the last search that pondered.
    assert engine.play(board, chess.engine.Limit(nodes=1000), game=game).move in board.legal_moves
    counts = [sum(line.startswith(word) for line in sent.lines) for word in ("go ponder", "ponderhit", "stop")]
    print(f"pondering: {counts[0]} times, {counts[1]} hits and {counts[2]} misses")
    # A game given up while pondering ends in one more stop.
    assert counts[0] >= 10 and counts[1] == hits == 5 and counts[2] == counts[0] - 5, (counts, hits, misses)


def streams(engine):
    """Analyses without an end, as a chess program shows them."""
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    wanted = [chess.Move.from_uci(move) for move in ("e2a6", "e5g6")]
    for root_moves, asked, shown in ((None, 3, 3), (wanted, 5, 2), (None, None, 1)):
        with engine.analysis(board, multipv=asked, root_moves=root_moves) as analysis:
            for info in analysis:
                assert 1 <= info.get("multipv", 1) <= shown, info
                if "pv" in info and info["depth"] >= 9 and info.get("multipv", 1) == shown:
                    break
            lines = list(analysis.multipv)
            analysis.stop()
        best = analysis.wait().move
        assert len(lines) == shown and best in (root_moves or board.legal_moves), lines
        assert len({line["pv"][0] for line in lines}) == shown, lines
        for line in lines:
            assert {"depth", "seldepth", "score", "nodes", "nps", "hashfull", "tbhits", "time"} <= line.keys(), line
        print(f"analysis: {shown} lines of depth {lines[0]['depth']}")


def options(engine):
    """Every option accepts its default, and the settings of lichess-bot's `config.yml.default` are known."""
    for option in engine.options.values():
        if option.type == "spin":
            assert option.min <= option.default <= option.max, option
        if not option.is_managed():
            engine.configure({option.name: option.default if option.type != "button" else None})
    # A directory that is not there is complained of in an `info string`, which is no reason to leave a game.
    lichess_bot = {"Move Overhead": 100, "Threads": 4, "Hash": 512, "SyzygyPath": "./syzygy/", "UCI_ShowWDL": True}
    engine.configure(lichess_bot)
    assert "wdl" in engine.analyse(chess.Board(), chess.engine.Limit(depth=4)), "UCI_ShowWDL shows nothing"
    # The clock of a correspondence game, in milliseconds, does not fit into 32 bits.
    years = chess.engine.Limit(white_clock=3.2e8, black_clock=3.2e8, nodes=1000)
    engine.send_opponent_information(opponent=chess.engine.Opponent("Somebody", "GM", 2500, False))
    assert engine.play(chess.Board(), years, game=object()).move
    engine.configure({name: engine.options[name].default for name in lichess_bot})
    engine.ping()


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
    complaints, sent = Complaints(), Sent()
    log = logging.getLogger("chess.engine")
    log.setLevel(logging.DEBUG)
    log.addHandler(complaints)
    log.addHandler(sent)
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        assert engine.id["name"].startswith("Sleight "), engine.id
        options(engine)
        engine.configure({"Move Overhead": int(1000 * OVERHEAD), "Hash": 32})
        analyses(engine)
        streams(engine)
        ponders(engine, sent)
        games(engine)
    assert not complaints.seen, complaints.seen


if __name__ == "__main__":
    main(sys.argv[1])
