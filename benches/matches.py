"""What the scripts of matches by fastchess share: sprt.py, factorial.py and spsa.py."""

import argparse
import hashlib
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
    limits.add_argument("--nodes", type=int, default=30_000, help="nodes a move (default: 30000)")
    limits.add_argument("--tc", help="time control, as 2+0.02, in place of fixed nodes")
    parser.add_argument("--fixed", action="append", default=[], metavar="NAME=VALUE", help="UCI option of both sides; repeatable")
    parser.add_argument("--chunk", type=int, default=32, help="games of one match (default: 32)")
    parser.add_argument("--concurrency", type=int, default=2, help="concurrent games (default: 2)")
    return parser


def check_files(*paths):
    """Exits unless fastchess and the files are there."""
    if not shutil.which("fastchess"):
        sys.exit("fastchess is not on the PATH")
    for path in paths:
        if not Path(path).is_file():
            sys.exit(f"{path}: no such file")


def check_options(engine, settings):
    """Exits unless the engine has the options of `settings`, as NAME=VALUE, and allows the values."""
    try:
        output = subprocess.run([str(Path(engine).resolve())], input="uci\nquit\n", capture_output=True, text=True).stdout
    except OSError as error:
        sys.exit(f"{engine}: {error.strerror}")
    lines = re.findall(r"^option name (.+?) type (\w+)(?:.* min (-?\d+) max (-?\d+))?", output, re.M)
    known = {name.lower(): (kind, low, high) for name, kind, low, high in lines}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.lower() not in known:
            sys.exit(f"{engine} has no option {name}; search parameters need a build with the feature `tune`")
        kind, low, high = known[name.lower()]
        if kind == "check" and value not in ("true", "false"):
            sys.exit(f"{setting}: {name} is true or false")
        if kind == "spin" and not (re.fullmatch(r"-?\d+", value) and int(low) <= int(value) <= int(high)):
            sys.exit(f"{setting}: {name} is from {low} to {high}")


def continue_in(directory, engines, description):
    """Makes the folder, or exits if it holds a test of other engines or with another description."""
    directory.mkdir(parents=True, exist_ok=True)
    digests = [hashlib.sha256(Path(engine).read_bytes()).hexdigest() for engine in engines]
    text, path = "\n".join([*digests, *description]), directory / "command.txt"
    if path.exists() and path.read_text() != text:
        sys.exit(f"{directory} holds another test, or one of another build; choose another --dir or delete it")
    path.write_text(text)


def tunables(engine):
    """The lines of `sleight spsa`: name, type, value, range, final step, learning rate."""
    result = subprocess.run([str(Path(engine).resolve()), "spsa"], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{engine}: the list of tunables needs a build with the feature `tune`")
    return result.stdout.splitlines()


def check(options, settings, description):
    """Exits unless the files and the engine's options are there, and the folder is new or holds the same test."""
    check_files(options.engine, options.book)
    check_options(options.engine, [*options.fixed, *settings])
    tunables(options.engine)
    limit = options.tc or str(options.nodes)
    test = [limit, str(options.book.resolve()), str(options.chunk), *options.fixed, *description]
    continue_in(options.dir, [options.engine], test)


ADJUDICATION = ["-resign", "movecount=4", "score=600", "twosided=true", "-draw", "movenumber=40", "movecount=8", "score=10"]


def match_command(options, engines, games, seed):
    """The command of a match of games in pairs between A and B: each a path and a list of options as NAME=VALUE."""
    command = ["fastchess"]
    for name, (path, settings) in zip("AB", engines):
        command += ["-engine", f"cmd={Path(path).resolve()}", f"name={name}", *(f"option.{s}" for s in settings)]
    limit = [f"tc={options.tc}"] if options.tc else ["tc=inf", f"nodes={options.nodes}"]
    book = Path(options.book).resolve()
    command += ["-each", *limit, "-openings", f"file={book}", f"format={book.suffix[1:]}", "order=random", "-srand", str(seed)]
    command += ["-rounds", str((games + 1) // 2), "-games", "2", "-repeat", "-recover"]
    return command + ["-concurrency", str(options.concurrency)]


def play(options, a, b, seed):
    """The pentanomial counts, from A's side, of one match between the option lists `a` and `b`, as NAME=VALUE."""
    engines = [(options.engine, ["Hash=16", *options.fixed, *settings]) for settings in (a, b)]
    command = match_command(options, engines, options.chunk, seed)
    command += ["-force-concurrency", "-ratinginterval", "0", *ADJUDICATION]
    result = subprocess.run(command, capture_output=True, text=True, cwd=options.dir)
    counts = re.findall(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]", result.stdout)
    if not counts:
        sys.exit(f"fastchess gave no result:\n{result.stdout[-1000:]}{result.stderr[-1000:]}")
    return [int(count) for count in counts[-1]]
