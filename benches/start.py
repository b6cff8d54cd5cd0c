#!/usr/bin/env python3
"""How soon UCI engines are ready, and how much memory they hold: by turns, medians (Linux).

usage: start.py ROUNDS ENGINE ENGINE...

For each engine: milliseconds from the start of the process to `readyok`, after `setoption name Hash value 16`; the most
memory it held until then, and until the end of `go nodes 100000`, in MiB (VmHWM).
"""

import re
import statistics
import subprocess
import sys
import time
from pathlib import Path


def most_memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def run(engine):
    start = time.perf_counter()
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask(text, answer):
            process.stdin.write(text)
            process.stdin.flush()
            while not (line := process.stdout.readline()).startswith(answer):
                if not line:
                    sys.exit(f"{engine} ended without `{answer}`")

        ask("setoption name Hash value 16\nisready\n", "readyok")
        ready = (time.perf_counter() - start) * 1000
        when_ready = most_memory(process)
        ask("position startpos\ngo nodes 100000\n", "bestmove")
        after = most_memory(process)
        process.stdin.write("quit\n")
        process.stdin.close()
    return ready, when_ready, after


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
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
