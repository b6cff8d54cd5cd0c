#!/usr/bin/env python3
"""Nodes per second of processor time of several engines, on the same positions in turn.

    nps.py bench.epd "movetime 500" ./sleight stockfish akimbo carp

Each position of the file is searched by each engine, with this limit and an empty hash table of 16 MiB, before the next one
is. Not all engines know `nodes`. Engines count nodes differently, so that the figures compare engines only roughly; they do compare builds of one
engine. Processor time is that of the process in user and system mode, from /proc. Prints, for each engine: nodes, seconds,
million nodes per second, and the ratio to the first engine's.
"""

import os
import re
import sys
from pathlib import Path

from uci_process import Engine

TICKS = os.sysconf("SC_CLK_TCK")
NODES = re.compile(r"\bnodes (\d+)")


class Searcher(Engine):
    def __init__(self, path):
        super().__init__(path)
        self.nodes, self.seconds = 0, 0.0
        self.ask("uci", "uciok")
        self.send("setoption name Hash value 16")

    def processor_time(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def search(self, fen, limit):
        self.ask("ucinewgame\nisready", "readyok")
        start, searched = self.processor_time(), 0
        self.send(f"position fen {fen}\ngo {limit}")
        while not (line := self.process.stdout.readline()).startswith("bestmove"):
            if not line:
                sys.exit(f"{self.path} ended in {fen}")
            if found := NODES.search(line):
                searched = int(found[1])
        self.nodes += searched
        self.seconds += self.processor_time() - start


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    positions = [line.split(";")[0].split() for line in Path(sys.argv[1]).read_text().splitlines() if line.strip()]
    engines = [Searcher(path) for path in sys.argv[3:]]
    for fields in positions:
        for engine in engines:
            engine.search(" ".join([*fields[:4], "0 1"]), sys.argv[2])
    speeds = [engine.nodes / engine.seconds / 1e6 for engine in engines]
    for engine, speed in zip(engines, speeds):
        print(f"{engine.path}: {engine.nodes} nodes, {engine.seconds:.1f} s, {speed:.3f} M nodes/s, {speed / speeds[0]:.2f}")
        engine.quit()


if __name__ == "__main__":
    main()
