#!/usr/bin/env python3
"""How soon UCI engines answer while the memory of their hash table is new: in turn, median / maximum of fresh processes.

usage: fresh_hash.py PROCESSES MIB[,MIB...] ENGINE ENGINE...

For each size of the table, one and two threads, and each engine, in milliseconds: `setoption name Hash`, `Threads` and
`isready` to `readyok`; `stop` to `bestmove` after 0.1 s of `go infinite`; the same stop without an `isready` before `go`;
`ucinewgame` and `isready` to `readyok`.
"""

import statistics
import sys
import time

from uci_process import Engine

NAMES = ["readyok", "stop", "stop at once", "ucinewgame"]


def start(path):
    engine = Engine(path)
    engine.ask("uci", "uciok")
    return engine


def stop(engine):
    engine.send("position startpos\ngo infinite")
    time.sleep(0.1)
    return engine.ask("stop", "bestmove")


def run(path, mebibytes, threads):
    options = f"setoption name Hash value {mebibytes}\nsetoption name Threads value {threads}"
    engine = start(path)
    ready = engine.ask(f"{options}\nisready", "readyok")
    stopped = stop(engine)
    new_game = engine.ask("ucinewgame\nisready", "readyok")
    engine.quit()
    engine = start(path)
    engine.send(options)
    at_once = stop(engine)
    engine.quit()
    return ready, stopped, at_once, new_game


def main():
    if len(sys.argv) < 4 or not sys.argv[1].isdigit() or sys.argv[1] == "0":
        sys.exit(__doc__)
    print("  MiB  threads" + "".join(f"{name:>18}" for name in NAMES))
    for mebibytes in map(int, sys.argv[2].split(",")):
        for threads in (1, 2):
            taken = {path: [] for path in sys.argv[3:]}
            for _ in range(int(sys.argv[1])):
                for path, runs in taken.items():
                    runs.append(run(path, mebibytes, threads))
            for path, runs in taken.items():
                cells = (f"{statistics.median(times):.2f} / {max(times):.2f}" for times in zip(*runs))
                print(f"{mebibytes:5} {threads:8}" + "".join(f"{cell:>18}" for cell in cells), "", path, flush=True)


if __name__ == "__main__":
    main()
