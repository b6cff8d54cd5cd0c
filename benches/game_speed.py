#!/usr/bin/env python3
"""Nodes per second of engines in the games of a match: what `bench` does not show.

    sprt.py ./sleight-dev ./sleight-base --nodes 10000 --games 300 --book UHO_4060_v2.epd --dir speed
    game_speed.py speed/games.pgn

`bench` clears the transposition table before each position, and most of its positions have many pieces. In a game the table
fills, the opponent's search displaces what the caches held, and kings walk. Both engines take turns within milliseconds, so
that a busy machine slows both alike: 300 games tell one percent. Reads the node counts and the times that fastchess
writes (`-pgnout file=games.pgn nodes=true`); engines that search the same number of nodes can be compared. For each engine
and each thirty moves of the games: searches, nodes per second, and their ratio to the first engine's.
"""

import re
import sys
from collections import defaultdict

MOVES = 30  # of one row of the table
SEARCH = re.compile(r"\{[^{}]*?/\d+ ([\d.]+)s,[^{}]*?\bn=(\d+)")


def searches(pgn):
    """The engine, the move number from the start of the game, seconds and nodes of every search."""
    for game in re.split(r"^\[Event ", pgn, flags=re.M)[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.M))
        players = [tags["White"], tags["Black"]]
        if " b " in tags.get("FEN", ""):
            players.reverse()
        moves = re.findall(r"\{[^{}]*\}", game.partition("\n\n")[2])
        for ply, comment in enumerate(moves):
            if found := SEARCH.match(comment):
                yield players[ply % 2], ply // 2, float(found[1]), int(found[2])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: game_speed.py GAMES.pgn")
    total = defaultdict(lambda: defaultdict(lambda: [0, 0.0, 0]))
    with open(sys.argv[1], errors="replace") as file:
        for engine, move, seconds, nodes in searches(file.read()):
            for row in ("all moves", f"moves {move // MOVES * MOVES + 1:3} to {move // MOVES * MOVES + MOVES:3}"):
                sums = total[row][engine]
                sums[0] += 1
                sums[1] += seconds
                sums[2] += nodes
    if not total:
        sys.exit("no search with its nodes: fastchess writes them with -pgnout file=games.pgn nodes=true")
    engines = sorted(total["all moves"])
    for row in sorted(total):
        speeds = {engine: sums[2] / sums[1] for engine, sums in total[row].items() if sums[1] > 0}
        for engine in engines:
            if engine in speeds:
                ratio = speeds[engine] / speeds[engines[0]] if engines[0] in speeds else float("nan")
                print(f"{row:18} {engine:20} {total[row][engine][0]:7} searches {speeds[engine]:10.0f} nps {ratio:6.3f}")


if __name__ == "__main__":
    main()
