#!/usr/bin/env python3
"""How soon UCI engines answer, with a table of 1 GiB and two threads: by turns, median and most of ROUNDS.

usage: answers.py ROUNDS ENGINE ENGINE...

For each engine, in milliseconds: `isready` to `readyok` while idle; `stop` to `bestmove` after 0.3 s of `go infinite`;
`movetime 200` to `bestmove`, less 200; `position` with 600 plies and `isready` to `readyok`.
"""

import statistics
import subprocess
import sys
import time

PLIES = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 150
NAMES = ["readyok", "stop", "movetime", "600 plies"]


class Engine:
    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")
        self.ask("setoption name Hash value 1024\nsetoption name Threads value 2\nisready", "readyok")
        self.taken = {name: [] for name in NAMES}

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def ask(self, text, answer):
        """Milliseconds until a line begins with the answer."""
        start = time.perf_counter()
        self.send(text)
        while not (line := self.process.stdout.readline()).startswith(answer):
            if not line:
                sys.exit(f"{self.path} ended without `{answer}`")
        return (time.perf_counter() - start) * 1000

    def round(self, number):
        self.taken["readyok"].append(self.ask("isready", "readyok"))
        self.send("position startpos moves " + ["e2e4", "d2d4", "c2c4", "g1f3"][number % 4])
        self.send("go infinite")
        time.sleep(0.3)
        self.taken["stop"].append(self.ask("stop", "bestmove"))
        self.taken["movetime"].append(self.ask("go movetime 200", "bestmove") - 200)
        self.taken["600 plies"].append(self.ask(PLIES + "\nisready", "readyok"))


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or sys.argv[1] == "0":
        sys.exit(__doc__)
    engines = [Engine(path) for path in sys.argv[2:]]
    for number in range(int(sys.argv[1])):
        for engine in engines:
            engine.round(number)
    print("".join(f"{name:>18}" for name in NAMES))
    for engine in engines:
        cells = (f"{statistics.median(taken):.2f} / {max(taken):.2f}" for taken in engine.taken.values())
        print("".join(f"{cell:>18}" for cell in cells), "", engine.path)
        engine.send("quit")


if __name__ == "__main__":
    main()
