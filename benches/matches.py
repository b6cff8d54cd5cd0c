"""Matches between two settings of one engine, by fastchess from the PATH. Shared by factorial.py and spsa.py."""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path


def argument_parser(doc):
    """The options that every script of matches has."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="a build with the feature `tune`")
    parser.add_argument("--book", type=Path, required=True, help="openings, .pgn or .epd")
    parser.add_argument("--dir", type=Path, required=True, help="results; the same command continues there")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--nodes", type=int, default=8000, help="nodes a move (default: 8000)")
    limits.add_argument("--tc", help="time control, as 2+0.02, in place of fixed nodes")
    parser.add_argument("--fixed", action="append", default=[], metavar="NAME=VALUE", help="UCI option of both sides; repeatable")
    parser.add_argument("--chunk", type=int, default=32, help="games of one match (default: 32)")
    parser.add_argument("--concurrency", type=int, default=2, help="concurrent games (default: 2)")
    return parser


def check(options):
    """Exits unless fastchess and the files are there; makes the folder."""
    if not shutil.which("fastchess"):
        sys.exit("fastchess is not on the PATH")
    for path in (options.engine, options.book):
        if not Path(path).is_file():
            sys.exit(f"{path}: no such file")
    options.dir.mkdir(parents=True, exist_ok=True)


def play(options, a, b, seed):
    """The pentanomial counts, from A's side, of one match between the option lists `a` and `b`, as NAME=VALUE."""
    engine = str(Path(options.engine).resolve())
    limit = [f"tc={options.tc}"] if options.tc else ["tc=inf", f"nodes={options.nodes}"]
    command = ["fastchess"]
    for name, settings in (("A", a), ("B", b)):
        command += ["-engine", f"cmd={engine}", f"name={name}", *(f"option.{s}" for s in [*options.fixed, *settings])]
    command += ["-each", *limit, "option.Hash=16"]
    command += ["-openings", f"file={options.book.resolve()}", f"format={options.book.suffix[1:]}", "order=random", "-srand", str(seed)]
    command += ["-rounds", str(options.chunk // 2), "-games", "2", "-repeat", "-recover", "-ratinginterval", "0"]
    command += ["-concurrency", str(options.concurrency), "-force-concurrency"]
    command += ["-resign", "movecount=4", "score=600", "twosided=true", "-draw", "movenumber=40", "movecount=8", "score=10"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=options.dir)
    counts = re.findall(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]", result.stdout)
    if not counts:
        sys.exit(f"fastchess gave no result:\n{result.stdout[-1000:]}{result.stderr[-1000:]}")
    return [int(count) for count in counts[-1]]
