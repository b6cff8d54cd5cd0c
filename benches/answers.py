#!/usr/bin/env python3
"""How soon UCI engines answer, with a table of 1 GiB and two threads: by turns, median and most of ROUNDS.

usage: answers.py [--limits] ROUNDS ENGINE ENGINE...

For each engine, in milliseconds: `isready` to `readyok` while idle; `stop` to `bestmove` after 0.3 s of `go infinite`;
`movetime 200` to `bestmove`, less 200; `position` with 600 plies and `isready` to `readyok`; the start of a process to
`uciok`. With --limits, the exit status is 1 if even the best of the rounds takes longer than it may: a busy machine makes
some rounds slow, a slow engine all of them.
"""

import statistics
import sys
import time

from uci_process import Engine

PLIES = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 150
# What is timed, and how long the best round may take in milliseconds, also in a build with assertions.
LIMITS = {"readyok": 1, "stop": 5, "movetime": 5, "600 plies": 3, "start": 50}
NAMES = list(LIMITS)


class Timed(Engine):
    def __init__(self, path):
        super().__init__(path)
        self.ask("uci", "uciok")
        self.ask("setoption name Hash value 1024\nsetoption name Threads value 2\nisready", "readyok")
        self.taken = {name: [] for name in NAMES}

    def round(self, number):
        self.taken["readyok"].append(self.ask("isready", "readyok"))
        self.send("position startpos moves " + ["e2e4", "d2d4", "c2c4", "g1f3"][number % 4])
        self.send("go infinite")
        time.sleep(0.3)
        self.taken["stop"].append(self.ask("stop", "bestmove"))
        self.taken["movetime"].append(self.ask("go movetime 200", "bestmove") - 200)
        self.taken["600 plies"].append(self.ask(PLIES + "\nisready", "readyok"))
        start = time.perf_counter()
        fresh = Engine(self.path)
        fresh.ask("uci", "uciok")
        self.taken["start"].append((time.perf_counter() - start) * 1000)
        fresh.quit()


def main():
    arguments = sys.argv[1:]
    has_limits = arguments[:1] == ["--limits"]
    rounds, *paths = arguments[has_limits:] or ["0"]
    if not paths or not rounds.isdigit() or rounds == "0":
        sys.exit(__doc__)
    engines = [Timed(path) for path in paths]
    for number in range(int(rounds)):
        for engine in engines:
            engine.round(number)
    print("".join(f"{name:>18}" for name in NAMES))
    for engine in engines:
        cells = (f"{statistics.median(taken):.2f} / {max(taken):.2f}" for taken in engine.taken.values())
        print("".join(f"{cell:>18}" for cell in cells), "", engine.path)
        engine.quit()
    best = [(engine.path, name, min(taken)) for engine in engines for name, taken in engine.taken.items()]
    slow = [f"{path}: {name} takes {time:.2f} ms, of {LIMITS[name]}" for path, name, time in best if time > LIMITS[name]]
    if has_limits and slow:
        sys.exit("\n".join(slow))


if __name__ == "__main__":
    main()
