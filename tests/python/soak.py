"""Random UCI sessions against the rules of docs/uci.md, for as long as wanted. Not part of the test suite.

usage: soak.py ENGINE [--seconds N] [--seed N]

Needs python-chess, as play_game.py does. A failure prints the session's seed, which repeats its commands, and the last
lines of the conversation. At the end the slowest answers are printed.
"""

import argparse
import collections
import queue
import random
import subprocess
import sys
import threading
import time

import chess

# Longer than any answer takes on a busy machine, in seconds.
TIMEOUT = 30.0

FENS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/P1k5/8/8/8/8/5p1K/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R6k/6pp/8/8/8/8/8/7K b - - 0 1",
    "5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 99 80",
    "rkbqnrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBfa - 0 1",
]
BAD_POSITIONS = ["fen nonsense", "startpos moves e2e5", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "", "startpos moves e2e4 0000"]
NOISE = [b"", b"xboard", b"\xff\xfe\x80", b"nonsense", b"# remark", b"setoption", b"setoption name Hash value -1",
         b"setoption name Nothing value 3", b"debug perhaps", b"go\0ne", b"position\xc3", b"perft x", b"x" * 70000]
OPTIONS = ["Hash value 1", "Hash value 33", "Clear Hash", "Threads value 1", "Threads value 3", "MultiPV value 1",
           "MultiPV value 4", "UCI_ShowWDL value true",
           "UCI_ShowWDL value false", "Move Overhead value 0", "Move Overhead value 10", "Skill Level value 3",
           "Skill Level value 20", "UCI_LimitStrength value true", "UCI_LimitStrength value false",
           "UCI_Elo value 1900", "UCI_AnalyseMode value true", "UCI_AnalyseMode value false"]
BOUNDED = ["depth {d}", "nodes {n}", "movetime {t}", "wtime {c} btime {c} winc 5 binc 5", "wtime {c} btime {c}",
           "wtime {c}", "btime {c}", "mate 1", "depth 0", "nodes 0", "movetime 0", "wtime -3 btime -3",
           "depth {d} nodes {n} movetime {t}", "depth {d} garbage", "nodes x depth 2", "searchmoves 0000 depth 3"]
UNBOUNDED = ["infinite", "", "ponder wtime {c} btime {c}", "ponder depth 2", "infinite depth 1", "ponder"]


class Broken(Exception):
    pass


class Session:
    """A conversation, and what the engine owes by now."""

    def __init__(self, path, seed, slowest):
        self.rng = random.Random(seed)
        self.slowest = slowest
        self.log = collections.deque(maxlen=60)
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.board = chess.Board()
        self.chess960 = False

    def listen(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.decode().rstrip("\n")))
        self.lines.put((time.monotonic(), None))

    def send(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        self.log.append("> " + repr(text[:100]))
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def receive(self):
        try:
            when, line = self.lines.get(timeout=TIMEOUT)
        except queue.Empty:
            raise Broken("no answer in time") from None
        self.log.append(f"< {line}")
        if line is None:
            raise Broken("the engine has exited")
        return when, line

    def until(self, word, since=None, what=None):
        seen = []
        while True:
            when, line = self.receive()
            if line.split(" ")[0] == word:
                if what:
                    self.slowest[what] = max(self.slowest[what], when - since)
                return seen, line
            if line.startswith(("bestmove", "readyok")):
                raise Broken(f"`{line}` while waiting for {word}")
            seen.append(line)

    def sync(self, what=None):
        start = time.monotonic()
        self.send("isready")
        return self.until("readyok", start, what)[0]

    def check_move(self, infos, answer):
        scored = [line for line in infos if line.startswith("info depth") and " score " in line]
        best = answer.split(" ")[1]
        if self.board is None or not any(self.board.legal_moves):
            if best != "(none)":
                raise Broken(f"`{answer}` where there is no move")
            return
        move = self.board.parse_uci(best)
        if not any(" pv " in line for line in scored):
            raise Broken("no scored line before the move")
        firsts = [line for line in scored if " multipv 1 " in line]
        if " pv " + best not in firsts[-1]:
            raise Broken(f"the last line is not about `{best}`")
        if answer.split(" ")[2:3] == ["ponder"]:
            after = self.board.copy()
            after.push(move)
            after.parse_uci(answer.split(" ")[3])

    def set_position(self):
        if self.rng.random() < 0.1:
            self.board = None
            self.send("position " + self.rng.choice(BAD_POSITIONS))
            return
        fen = self.rng.choice([None] + FENS)
        board = chess.Board(fen or chess.STARTING_FEN, chess960=self.chess960)
        moves = []
        for _ in range(self.rng.choice([0, 1, 5, 40, 200])):
            legal = list(board.legal_moves)
            if not legal:
                break
            moves.append(board.uci(legal[self.rng.randrange(len(legal))]))
            board.push_uci(moves[-1])
        self.board = board
        self.send(("position fen " + fen if fen else "position startpos") + (" moves " + " ".join(moves) if moves else ""))

    def filled(self, template):
        rng = self.rng
        return "go " + template.format(d=rng.randrange(1, 7), n=rng.randrange(1, 20000), t=rng.randrange(1, 60),
                                       c=rng.randrange(1, 800))

    def search_bounded(self):
        template = self.rng.choice(BOUNDED)
        if self.board is not None and template in ("wtime {c}", "btime {c}"):
            template = "wtime {c}" if self.board.turn else "btime {c}"
        command = self.filled(template)
        start = time.monotonic()
        self.send(command)
        if self.rng.random() < 0.3:
            self.send("isready")
            seen = []
            while not seen or len([line for line in seen if line.startswith(("bestmove", "readyok"))]) < 2:
                seen.append(self.receive()[1])
            answer = next(line for line in seen if line.startswith("bestmove"))
            infos = seen[:seen.index(answer)]
        else:
            infos, answer = self.until("bestmove")
            words = command.split(" ")
            if "movetime" in words and "depth" not in words:
                over = time.monotonic() - start - int(words[words.index("movetime") + 1]) / 1000
                self.slowest["movetime overrun"] = max(self.slowest["movetime overrun"], over)
            elif "wtime" in words or "btime" in words:
                clock = max(0, int(words[2])) / 1000
                self.slowest["clock overrun"] = max(self.slowest["clock overrun"], time.monotonic() - start - clock)
        self.check_move(infos, answer)

    def search_unbounded(self):
        self.send(self.filled(self.rng.choice(UNBOUNDED)))
        pondering = "ponder" in self.log[-1]
        seen = []
        for _ in range(self.rng.randrange(4)):
            time.sleep(self.rng.random() * 0.03)
            kind = self.rng.randrange(3)
            if kind == 0:
                seen += self.sync("isready while searching")
            elif kind == 1:
                self.send(self.rng.choice(NOISE))
            else:
                self.send("setoption name " + self.rng.choice(OPTIONS))
        if pondering and self.rng.random() < 0.3 and self.board is not None:
            self.send("ponderhit")
        start = time.monotonic()
        # A new search ends the old one as well, whose move comes first.
        again = self.rng.random() < 0.3
        self.send("go depth 2" if again else "stop")
        infos, answer = self.until("bestmove", start, "stop")
        self.check_move(seen + infos, answer)
        if again:
            self.check_move(*self.until("bestmove"))

    def step(self):
        kind = self.rng.randrange(10)
        if kind == 0:
            self.send("ucinewgame")
        elif kind == 1:
            self.send(self.rng.choice(NOISE))
        elif kind == 2:
            self.send("setoption name " + self.rng.choice(OPTIONS))
        elif kind == 3:
            self.chess960 = not self.chess960
            self.send(f"setoption name UCI_Chess960 value {str(self.chess960).lower()}")
            self.set_position()
        elif kind == 4:
            self.send(self.rng.choice(["d", "eval", "flip\nflip", "perft 1", "stop", "ponderhit", "uci", "sliders"]))
            if self.log[-1].startswith("> b'flip"):
                self.set_position()
        elif kind in (5, 6):
            self.set_position()
        elif kind in (7, 8):
            self.search_bounded()
        else:
            self.search_unbounded()
        if self.rng.random() < 0.3:
            self.sync()

    def run(self, steps):
        self.send("uci")
        self.until("uciok")
        for _ in range(steps):
            self.step()
        self.sync()
        self.send("quit") if self.rng.random() < 0.5 else None
        self.process.stdin.close()
        code = self.process.wait(TIMEOUT)
        errors = self.process.stderr.read()
        if code != 0 or errors:
            raise Broken(f"exit code {code}, standard error {errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    slowest = collections.defaultdict(float)
    end = time.monotonic() + wanted.seconds
    seed = wanted.seed
    while time.monotonic() < end:
        session = Session(wanted.engine, seed, slowest)
        try:
            session.run(200)
        except (Broken, ValueError, BrokenPipeError) as fault:
            session.process.kill()
            print(*session.log, sep="\n")
            sys.exit(f"seed {seed}: {fault!r}")
        seed += 1
    print(f"{seed - wanted.seed} sessions, seeds {wanted.seed} to {seed - 1}, no fault")
    for what, seconds in sorted(slowest.items()):
        print(f"  worst {what}: {1000 * seconds:.1f} ms")


if __name__ == "__main__":
    main()
