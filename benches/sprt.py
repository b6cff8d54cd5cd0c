#!/usr/bin/env python3
"""SPRT of two engines, or of one engine with two sets of options, with fastchess from the PATH.

    sprt.py ./sleight-dev ./sleight-base --book UHO_4060_v2.epd
    sprt.py ./sleight-tune ./sleight-tune --option-a null_move_pruning=false --bounds -5 0 --book UHO_4060_v2.epd
    sprt.py ./sleight-dev ./sleight-base --tc 2+0.02 --games 1000 --book UHO_4060_v2.epd

Options of search parameters and rules need a build with the feature `tune`. Each opening is played with both colors. The
state is kept in --dir, every ten games: the same command, with the same builds, continues an interrupted test. The games are
in games.pgn there, with scores; those after the last state are played again, and are there twice. fastchess prints LLR, Elo
with its 95 % error, and pentanomial counts every hundred games and at the end.
"""

import argparse
import json
import os
from pathlib import Path

from matches import ADJUDICATION, check_files, check_options, continue_in, match_command


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected at least 1")
    return number


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", help="the engine under test")
    parser.add_argument("b", help="the base")
    for name in "AB":
        parser.add_argument(f"--option-{name.lower()}", action="append", default=[], metavar="NAME=VALUE",
                            help=f"UCI option of {name}; repeatable")
    parser.add_argument("--book", required=True, help="openings, .pgn or .epd")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--nodes", type=positive, default=30_000, help="nodes a move (default: 30000)")
    limits.add_argument("--tc", help="time control, as 2+0.02, in place of fixed nodes")
    bounds = parser.add_mutually_exclusive_group()
    bounds.add_argument("--bounds", nargs=2, type=float, default=[0, 5], metavar=("ELO0", "ELO1"),
                        help="logistic Elo: 0 5 for a gain (default), -5 0 for a simplification")
    bounds.add_argument("--games", type=positive, help="a fixed number of games in place of an SPRT")
    parser.add_argument("--max-games", type=positive, default=40000, help="end of an undecided SPRT (default: 40000)")
    parser.add_argument("--hash", type=int, default=16, help="MiB (default: 16)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each engine (default: 1)")
    parser.add_argument("--concurrency", type=positive, default=2, help="concurrent games (default: 2)")
    parser.add_argument("--chess960", action="store_true", help="the book has Chess960 positions")
    parser.add_argument("--no-adjudication", action="store_true", help="play every game to its end")
    parser.add_argument("--seed", type=int, default=1, help="order of the openings (default: 1)")
    parser.add_argument("--dir", type=Path, help="state and games (default: sprt-A-B)")
    options = parser.parse_args()
    if options.bounds[0] >= options.bounds[1]:
        parser.error("--bounds: the second is the higher one")
    if Path(options.book).suffix not in (".pgn", ".epd"):
        parser.error(f"{options.book}: a book ends in .pgn or .epd")
    return options


def fastchess_command(options, directory):
    each = [f"Hash={options.hash}", f"Threads={options.threads}"]
    engines = [(options.a, [*each, *options.option_a]), (options.b, [*each, *options.option_b])]
    command = match_command(options, engines, options.games or options.max_games, options.seed)
    command += ["-ratinginterval", "100", "-autosaveinterval", "10"]
    command += ["-pgnout", f"file={directory / 'games.pgn'}", "append=true", "nodes=true"]
    if not options.games:
        low, high = options.bounds
        command += ["-sprt", f"elo0={low}", f"elo1={high}", "alpha=0.05", "beta=0.05", "model=logistic"]
    if options.chess960:
        command += ["-variant", "fischerandom"]
    return command if options.no_adjudication else command + ADJUDICATION


def print_games_so_far(state):
    """The games of the state that is continued: fastchess says nothing if none is left to play."""
    stats = json.loads(state.read_text())["stats"].get("A vs B", {})
    count = lambda *names: sum(stats.get(name, 0) for name in names)
    pairs = [count("penta_LL"), count("penta_LD"), count("penta_WL", "penta_DD"), count("penta_WD"), count("penta_WW")]
    print(f"So far: {count('wins')} won, {count('losses')} lost, {count('draws')} drawn, Ptnml(0-2): {pairs}", flush=True)


def main():
    options = parse_arguments()
    check_files(options.a, options.b, options.book)
    for engine, settings in ((options.a, options.option_a), (options.b, options.option_b)):
        check_options(engine, [f"Hash={options.hash}", f"Threads={options.threads}", *settings])
    directory = (options.dir or Path(f"sprt-{Path(options.a).name}-{Path(options.b).name}")).resolve()
    command = fastchess_command(options, directory)
    continue_in(directory, [options.a, options.b], command)
    state = directory / "state.json"
    if state.exists():
        print_games_so_far(state)
    resume = ["-config", f"outname={state}", *([f"file={state}"] if state.exists() else [])]
    os.chdir(directory)
    os.execvp("fastchess", [*command, *resume])


if __name__ == "__main__":
    main()
