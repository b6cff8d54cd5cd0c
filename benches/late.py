#!/usr/bin/env python3
"""Answers later than the clock, of UCI engines on a busy machine: by turns, ROUNDS moves each with 60 to 250 ms left.

usage: late.py ROUNDS BUSY THREADS ENGINE ENGINE...

BUSY processes do nothing but take processor time meanwhile. For each engine: how many answers came later than the time
left, and the median, the 90th and 99th percentile and the most milliseconds of an answer.
"""

import pathlib
import random
import subprocess
import sys

from uci_process import Engine

LEFT = 60, 250
SEED = 5


def main():
    if len(sys.argv) < 5 or not all(number.isdigit() for number in sys.argv[1:4]):
        sys.exit(__doc__)
    rounds, busy, threads = map(int, sys.argv[1:4])
    rng = random.Random(SEED)
    lines = (pathlib.Path(__file__).parent.parent / "bench.epd").read_text().splitlines()
    positions = [" ".join(line.split()[:4]) for line in lines if line.strip()]
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        engines = [Engine(path) for path in sys.argv[4:]]
        for engine in engines:
            engine.ask("uci", "uciok")
            engine.ask(f"setoption name Threads value {threads}\nisready", "readyok")
        taken = [[] for _ in engines]
        late = [0] * len(engines)
        for _ in range(rounds):
            position, left = rng.choice(positions), rng.randint(*LEFT)
            for at, engine in enumerate(engines):
                engine.send(f"position fen {position} 0 1")
                taken[at].append(engine.ask(f"go wtime {left} btime {left}", "bestmove"))
                late[at] += taken[at][-1] > left
    finally:
        for other in others:
            other.kill()
    print("  late   median      90%      99%     most")
    for engine, times, count in zip(engines, map(sorted, taken), late):
        shares = [times[int(share * (len(times) - 1))] for share in (0.5, 0.9, 0.99, 1)]
        print(f"{count:6}" + "".join(f"{time:9.1f}" for time in shares), "", engine.path)
        engine.quit()


main()
