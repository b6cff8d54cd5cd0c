#!/usr/bin/env python3
"""How soon UCI engines answer while the memory of their hash table is new: in turn, median / maximum of fresh processes.

usage: fresh_hash.py PROCESSES MIB[,MIB...] ENGINE ENGINE...

For each size of the table, one and two threads, and each engine, in milliseconds: `setoption name Hash`, `Threads` and
`isready` to `readyok`; `stop` to `bestmove` after 0.1 s of `go infinite`; the same stop without an `isready` before `go`;
`ucinewgame` and `isready` to `readyok`.
"""

import statistics
import subprocess
import sys
import time

NAMES = ["readyok", "stop", "stop at once", "ucinewgame"]


class Engine:
    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")

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

    def stop(self):
        self.send("position startpos\ngo infinite")
        time.sleep(0.1)
        return self.ask("stop", "bestmove")

    def quit(self):
        self.send("quit")
        self.process.wait()


def run(path, mebibytes, threads):
    options = f"setoption name Hash value {mebibytes}\nsetoption name Threads value {threads}"
    engine = Engine(path)
    ready = engine.ask(f"{options}\nisready", "readyok")
    stop = engine.stop()
    new_game = engine.ask("ucinewgame\nisready", "readyok")
    engine.quit()
    engine = Engine(path)
    engine.send(options)
    at_once = engine.stop()
    engine.quit()
    return ready, stop, at_once, new_game


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
