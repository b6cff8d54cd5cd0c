#!/usr/bin/env python3
"""How soon UCI engines are ready, and how much memory they hold: by turns, medians (Linux).

usage: start.py ROUNDS ENGINE ENGINE...

For each engine: milliseconds from the start of the process to `readyok`, after `setoption name Hash value 16`; the most
memory it held until then, and until the end of `go nodes 100000`, in MiB (VmHWM).
"""

import re
import statistics
import sys
import time
from pathlib import Path

from uci_process import Engine


def most_memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def run(path):
    start = time.perf_counter()
    engine = Engine(path)
    engine.ask("setoption name Hash value 16\nisready", "readyok")
    ready = (time.perf_counter() - start) * 1000
    when_ready = most_memory(engine.process)
    engine.ask("position startpos\ngo nodes 100000", "bestmove")
    after = most_memory(engine.process)
    engine.quit()
    return ready, when_ready, after


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) == 0:
        sys.exit(__doc__)
    taken = {engine: [] for engine in sys.argv[2:]}
    for _ in range(int(sys.argv[1])):
        for engine, runs in taken.items():
            runs.append(run(engine))
    print("  ready, ms   MiB then  after search")
    for engine, runs in taken.items():
        print("%11.2f %10.1f %13.1f  %s" % (*map(statistics.median, zip(*runs)), engine))


if __name__ == "__main__":
    main()
