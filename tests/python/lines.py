"""Random searches whose lines are checked: each move in one line, sorted, legal, and complete at the end.

usage: lines.py ENGINE [--searches N] [--seed N]

Needs python-chess, as play_game.py does. Positions are those of tests/data and random games from them; options, limits
and the time of `stop` are random. A failure prints the conversation since the last `ucinewgame` and the seed.
"""

import argparse
import collections
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

import chess

# Longer than any answer takes on a busy machine, in seconds.
TIMEOUT = 60.0
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FIELDS = ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"]


class Broken(Exception):
    pass


def positions():
    """Every FEN of tests/data with a legal move, and whether it is of Chess960."""
    found = []
    for name in ["standard", "tricky", "mates", "chess960"]:
        for line in (DATA / f"{name}.epd").read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                fen = line.split(" dm ")[0] + " 0 1" if name == "mates" else line.split(";")[0].strip()
                board = chess.Board(fen, chess960=True)
                standard = chess.Board(fen).clean_castling_rights() == board.castling_rights
                if any(board.legal_moves):
                    found.append((fen, name == "chess960" or not standard))
    return found


class Line:
    """A scored `info` line, whose PV is legal on `board`."""

    def __init__(self, text, board):
        self.text = text
        words = text.split(" ")
        for name in FIELDS:
            setattr(self, name, int(words[words.index(name) + 1]))
        at = words.index("score")
        kind, value = words[at + 1], int(words[at + 2])
        self.score = value if kind == "cp" else (100_000 - value if value > 0 else -100_000 - value)
        self.bound = words[at + 3] if words[at + 3].endswith("bound") else None
        self.pv = words[words.index("pv") + 1:]
        after = board.copy()
        for index, move in enumerate(self.pv):
            after.push_uci(move)
            if index == 0:
                is_drawn = after.is_repetition(3) or after.is_fifty_moves() or after.is_insufficient_material()
                self.has_reply = any(after.legal_moves) and not is_drawn
            elif self.is_over:
                raise Broken(f"goes on after the end of the game: {text}")
            self.is_over = after.is_repetition(3) or after.halfmove_clock >= 100
        # Quiescence search sees no stalemate, and a reply may be the only one.
        is_drawn = len(self.pv) > 2 and (self.is_over or after.is_insufficient_material())
        self.ends = "mate" if after.is_checkmate() else "draw" if is_drawn else None


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        self.log = collections.deque(maxlen=200)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        self.log.append("> " + text)
        self.process.stdin.write(text + "\n")

    def until(self, word):
        seen = []
        while True:
            try:
                line = self.lines.get(timeout=TIMEOUT)
            except queue.Empty:
                raise Broken("no answer in time") from None
            if line is None:
                raise Broken("the engine has exited")
            self.log.append("< " + line)
            if line.split(" ")[0] == word:
                return seen, line
            seen.append(line)


class Search:
    """One search and what is wanted of its lines."""

    def __init__(self, rng, found):
        self.rng = rng
        fen, self.chess960 = rng.choice(found)
        self.board = chess.Board(fen, chess960=self.chess960)
        self.position = "position fen " + fen
        moves = []
        for _ in range(rng.choice([0, 0, 1, 4, 12, 60])):
            legal = list(self.board.legal_moves)
            move = self.board.uci(rng.choice(legal))
            self.board.push_uci(move)
            if not any(self.board.legal_moves):
                self.board.pop()
                break
            moves.append(move)
        if moves:
            self.position += " moves " + " ".join(moves)
        self.multi_pv = rng.randrange(1, 9)
        self.limited = rng.random() < 0.3
        self.threads = rng.choice([1, 1, 2])
        self.moves = [self.board.uci(move) for move in self.board.legal_moves]
        self.search_moves = rng.random() < 0.1
        if self.search_moves:
            self.moves = rng.sample(self.moves, rng.randrange(1, len(self.moves) + 1))

    def options(self):
        rng = self.rng
        return {
            "UCI_Chess960": str(self.chess960).lower(),
            "MultiPV": self.multi_pv,
            "UCI_LimitStrength": str(self.limited).lower(),
            "UCI_Elo": rng.randrange(1350, 2601),
            "Threads": self.threads,
        }

    def go(self):
        rng = self.rng
        nodes = int(10 ** (rng.random() * 4.7))
        limits = rng.choice([f"nodes {nodes}", f"nodes {nodes}", f"depth {rng.randrange(1, 11)} nodes 60000",
                             f"movetime {rng.randrange(1, 60)}", "wtime 500 btime 500", "infinite", "ponder movetime 9",
                             "ponder wtime 400 btime 400", "mate 2 nodes 20000", f"infinite depth {rng.randrange(1, 6)}"])
        return f"go {limits}" + (" searchmoves " + " ".join(self.moves) if self.search_moves else "")

    def sets(self, infos):
        """The scored lines as sets, each of which begins with the first line."""
        sets = []
        for text in infos:
            if text.startswith("info string") and not text.startswith("info string kernel "):
                raise Broken(text)
            if " score " not in text:
                continue
            line = Line(text, self.board)
            if line.multipv == 1:
                sets.append([])
            sets[-1].append(line)
            if line.multipv != len(sets[-1]):
                raise Broken(f"out of turn: {text}")
        return sets

    def check_set(self, lines, chosen):
        """`chosen`: the first line may be worse than the others, as it is what a weak player plays."""
        if len(lines) != min(self.multi_pv, len(self.moves)):
            raise Broken(f"{len(lines)} lines")
        firsts = [line.pv[0] for line in lines]
        if len(set(firsts)) != len(firsts) or not set(firsts) <= set(self.moves):
            raise Broken(f"first moves {firsts}")
        scores = [line.score for line in lines][int(chosen):]
        if scores != sorted(scores, reverse=True):
            raise Broken(f"scores {scores} are not in order")

    def check(self, infos, answer):
        sets = self.sets(infos)
        last = sets[-1] if sets else []
        for lines in sets:
            self.check_set(lines, self.limited and lines is last)
        if [line.nodes for line in last] != [max(line.nodes for lines in sets for line in lines)] * len(last):
            raise Broken("the last lines lack the final node count")
        words = answer.split(" ")
        if words[1::2] != last[0].pv[:2]:
            raise Broken(f"`{answer}` is not the first line")
        exact = {}
        for line in (line for lines in sets[:-1] for line in lines if line.bound is None):
            exact[line.pv[0]] = line
        for index, line in enumerate(last):
            if len(line.pv) < 2 and line.has_reply and max(line.depth for line in last) >= 2:
                raise Broken(f"no reply: {line.text}")
            known = exact.get(line.pv[0])
            is_mate = abs(line.score) > 50_000
            if line.bound and known and self.threads == 1 and not is_mate:
                raise Broken(f"a bound, though the score is known: {line.text}")
            # A move that was not searched has the evaluation of the position before it.
            fitting = "mate" if is_mate else "draw" if line.score == 0 else None
            is_capped = index > 0 and line.score == last[index - 1].score
            if line.bound is None and line.depth > 1 and not is_capped and line.ends not in (None, fitting):
                raise Broken(f"the PV ends in a {line.ends}: {line.text}")
            if known and (known.depth, known.score) == (line.depth, line.score) and len(known.pv) > len(line.pv):
                raise Broken(f"shorter than before: {line.text}")

    def run(self, engine):
        engine.log.clear()
        engine.send("ucinewgame")
        for name, value in self.options().items():
            engine.send(f"setoption name {name} value {value}")
        engine.send(self.position)
        engine.send("isready")
        engine.until("readyok")
        go = self.go()
        engine.send(go)
        if "infinite" in go or "ponder" in go:
            time.sleep(self.rng.random() ** 2 * 0.08)
            engine.send("ponderhit" if "ponder" in go and self.rng.random() < 0.6 else "stop")
        elif self.rng.random() < 0.3:
            time.sleep(self.rng.random() * 0.02)
            engine.send("stop")
        infos, answer = engine.until("bestmove")
        self.check(infos, answer)
        last = [Line(text, self.board) for text in infos if " score " in text][-1]
        return "bound" if last.bound else "exact"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--searches", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    found = positions()
    engine = Engine(wanted.engine)
    ends = collections.Counter()
    for seed in range(wanted.seed, wanted.seed + wanted.searches):
        try:
            ends[Search(random.Random(seed), found).run(engine)] += 1
        except (Broken, ValueError, IndexError) as fault:
            engine.process.kill()
            print(*engine.log, sep="\n")
            sys.exit(f"seed {seed}: {fault!r}")
    engine.send("quit")
    if engine.process.wait(TIMEOUT) != 0:
        sys.exit("the engine did not exit well")
    print(f"{wanted.searches} searches, seeds {wanted.seed} to {seed}, no fault; the last line is {dict(ends)}")


if __name__ == "__main__":
    main()
