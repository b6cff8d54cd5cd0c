#!/usr/bin/env python3
"""Runs commands in turn, so that drifts in the speed of the machine affect all alike, and prints the measurements.

usage: turns.py ROUNDS COMMAND COMMAND...

Each command is one argument, as a shell would read it. For each: seconds; seconds of processor time in user mode, which
vary less on a busy machine; the last number of nodes a second that it printed, in whatever words; where Linux's `perf` may
count them, cycles and instructions in user mode, in millions. Least, median and most of all rounds, and the median as a
ratio to the first command's.
"""

import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

EVENTS = {"cycles:u": "M cycles", "instructions:u": "M instructions"}
SPEED = re.compile(r"(\d+)\s*nps|nps\s*:?\s*(\d+)|nodes/second\s*:\s*(\d+)", re.IGNORECASE)


def perf_works():
    try:
        return subprocess.run(["perf", "stat", "-e", "cycles:u", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def run(command, counting):
    """What one run of `command` took, by unit."""
    with tempfile.NamedTemporaryFile("r") as counts:
        counter = ["perf", "stat", "-x", ",", "-o", counts.name, "-e", ",".join(EVENTS), "--"] if counting else []
        start, user = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(
            counter + shlex.split(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace"
        )
        took = {"s": time.perf_counter() - start}
        took["s user"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - user
        if done.returncode != 0:
            sys.exit(f"`{command}` ended with {done.returncode}")
        if speeds := SPEED.findall(done.stdout):
            took["M nodes/s"] = int(next(filter(None, speeds[-1]))) / 1e6
        for line in counts:
            value, _, event, *_ = (line + ",,").split(",")
            if event in EVENTS and value.isdigit():
                took[EVENTS[event]] = int(value) / 1e6
    return took


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) == 0:
        sys.exit(__doc__)
    commands = sys.argv[2:]
    counting = perf_works()
    taken = {number: [] for number in range(len(commands))}
    for _ in range(int(sys.argv[1])):
        for number, command in enumerate(commands):
            taken[number].append(run(command, counting))
    first = taken[0][0]
    for number, command in enumerate(commands):
        print(command)
        for unit in taken[number][0]:
            values = [took[unit] for took in taken[number]]
            median = statistics.median(values)
            line = f"  {min(values):10.3f} {median:10.3f} {max(values):10.3f} {unit}"
            if number > 0 and unit in first:
                line += f", {median / statistics.median(took[unit] for took in taken[0]):.3f} of the first"
            print(line)


if __name__ == "__main__":
    main()
