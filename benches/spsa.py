#!/usr/bin/env python3
"""Tuning of search parameters by SPSA, with fastchess from the PATH.

    spsa.py ./sleight-tune --book UHO_4060_v2.epd --dir spsa --games 100000
    spsa.py ./sleight-tune --book UHO_4060_v2.epd --dir spsa-time --games 20000 --tc 2+0.02 --only 'time_.*'

The parameters are those that `sleight spsa` lists: value, range, final step, and learning rate. Each iteration plays a match of
--chunk games between the values plus and minus a random step in all parameters. The state is in state.json of --dir.
"""
# CITE: James Spall - SPSA, its gains and exponents; Stig Petersen's fishtest and OpenBench - final step and learning rate.

import json
import math
import random
import re
import sys

from matches import argument_parser, check, play, tunables

ALPHA, GAMMA = 0.602, 0.101


def read_parameters(options):
    """Name, value, range, final step and learning rate of each parameter."""
    rows = (line.split(", ") for line in tunables(options.engine))
    return {
        name: {"value": float(value), "min": float(low), "max": float(high), "step": float(step), "rate": float(rate)}
        for name, _, value, low, high, step, rate in rows
        if re.fullmatch(options.only, name) and not (options.without and re.fullmatch(options.without, name))
    }


def settings(parameters, shift, rng):
    """The options with the values shifted; fractions are rounded at random, so that a small step is not lost."""
    result = []
    for name, p in parameters.items():
        value = min(max(p["value"] + shift[name], p["min"]), p["max"])
        result.append(f"{name}={math.floor(value + rng.random())}")
    return result


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--games", type=int, required=True, help="games in all; the gains depend on it")
    parser.add_argument("--only", default=".*", metavar="REGEX", help="the parameters to tune (default: all)")
    parser.add_argument("--without", metavar="REGEX", help="parameters to leave as they are")
    options = parser.parse_args()
    check(options, [], [str(options.games), options.only, str(options.without)])
    path = options.dir / "state.json"
    state = json.loads(path.read_text()) if path.exists() else {"pairs": 0, "parameters": read_parameters(options)}
    parameters = state["parameters"]
    if not parameters:
        sys.exit("no parameter is left to tune")
    total = options.games // 2
    stability = 0.1 * total
    while state["pairs"] < total:
        k = state["pairs"]
        rng = random.Random(k)
        step = {name: p["step"] * (total / (k + 1)) ** GAMMA for name, p in parameters.items()}
        flip = {name: rng.choice((-1, 1)) for name in parameters}
        shift = {name: step[name] * flip[name] for name in parameters}
        back = {name: -value for name, value in shift.items()}
        counts = play(options, settings(parameters, shift, rng), settings(parameters, back, rng), k + 1)
        # Wins less losses of the positive side.
        result = sum((index - 2) * count for index, count in enumerate(counts))
        for name, p in parameters.items():
            gain = p["rate"] * p["step"] ** 2 * ((stability + total) / (stability + k + 1)) ** ALPHA
            p["value"] = min(max(p["value"] + gain / step[name] * result * flip[name], p["min"]), p["max"])
        state["pairs"] += sum(counts)
        path.with_suffix(".new").write_text(json.dumps(state, indent=1))
        path.with_suffix(".new").replace(path)
        if state["pairs"] // 500 != k // 500:
            print(f"{2 * state['pairs']} of {options.games} games", flush=True)
    for name, p in parameters.items():
        print(f"{name} = {p['value']:.0f}")


if __name__ == "__main__":
    main()
