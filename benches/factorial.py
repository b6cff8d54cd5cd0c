#!/usr/bin/env python3
"""Elo of many rules at once, by a factorial experiment with fastchess from the PATH.

    factorial.py ./sleight-tune factors.txt --book UHO_4060_v2.epd --dir factorial --matches 300
    factorial.py --report factorial
    factorial.py --levels ./sleight-tune > factors.txt
    factorial.py --tuned factorial factors.txt

A line of the factors file is a name, the options that switch the factor on, and those that switch it off, if there are any:
`rfp rfp_margin=60,rfp_max_depth=10` or `rfp_margin rfp_margin=80 rfp_margin=64`. In each match, A plays with a random half of
the factors on and B with the other half, so that every game measures every factor, and the interactions of two factors
cancel out. The effects are fitted by least squares (numpy) to the scores of all matches.

`--levels` prints a factor for each number of the search: higher and lower by a quarter of its value or a twelfth of its
range, whichever is less. `--tuned` shrinks the effects by a normal prior, of the most likely spread, and moves each number
towards its better level: all the way for an effect of 3 Elo, less in proportion.
"""
# CITE: R. A. Fisher - factorial experiments; Box and Wilson - fold-over designs, of which the two sides are the halves.

import json
import random
import sys
from pathlib import Path

from matches import argument_parser, check, play, tunables


def read_factors(path):
    lines = (line.split("#")[0].split() for line in Path(path).read_text().splitlines())
    return {line[0]: [options.split(",") for options in (line[1:] + [""])[:2]] for line in lines if line}


def run(options):
    factors = read_factors(options.factors)
    settings = [option for levels in factors.values() for level in levels for option in level if option]
    check(options, settings, [f"{name} {levels}" for name, levels in factors.items()])
    log = options.dir / "matches.jsonl"
    done = len(log.read_text().splitlines()) if log.exists() else 0
    for number in range(done, options.matches):
        rng = random.Random(number)
        signs = {name: rng.choice((-1, 1)) for name in factors}
        side = lambda on: [option for name, levels in factors.items() for option in levels[signs[name] != on] if option]
        counts = play(options, side(1), side(-1), number + 1)
        with log.open("a") as file:
            file.write(json.dumps({"signs": signs, "pentanomial": counts}) + "\n")


def levels(engine):
    """Prints the factors file of the engine's tunables, without those of the clock, of voting and of tablebases."""
    for line in tunables(engine):
        name, _, value, low, high, *_ = line.split(", ")
        value, low, high = int(value), int(low), int(high)
        step = max(1, round(min(abs(value) / 4, (high - low) / 12)))
        step = min(step, high - value, value - low)
        if step > 0 and not name.startswith(("time_", "vote_", "tablebase_")):
            print(f"{name} {name}={value + step} {name}={value - step}")


def fit(directory):
    """The matches, their numbers of pairs, the names of the factors, their effects in Elo, and the covariance of these."""
    import numpy as np

    matches = [json.loads(line) for line in (directory / "matches.jsonl").read_text().splitlines()]
    names = sorted({name for match in matches for name in match["signs"]})
    counts = np.array([match["pentanomial"] for match in matches], float)
    pairs = counts.sum(axis=1)
    score = counts @ np.arange(5) / 4 / pairs
    # Near an even score, one Elo is a score of ln 10 / 1600.
    elo = (score - 0.5) * 1600 / np.log(10)
    weight = np.sqrt(pairs)
    design = np.array([[match["signs"].get(name, 0) for name in names] for match in matches], float) * weight[:, None]
    if len(matches) <= len(names) or np.linalg.matrix_rank(design) < len(names):
        sys.exit(f"{len(matches)} matches cannot tell {len(names)} factors")
    effects, *_ = np.linalg.lstsq(design, elo * weight, rcond=None)
    residuals = elo * weight - design @ effects
    variance = (residuals**2).sum() / (len(matches) - len(names))
    return matches, pairs, names, effects, variance * np.linalg.inv(design.T @ design)


def report(directory):
    import numpy as np

    matches, pairs, names, effects, covariance = fit(directory)
    errors = 1.96 * np.sqrt(np.diag(covariance))
    print(f"{2 * pairs.sum():.0f} games in {len(matches)} matches")
    for index in np.argsort(-effects):
        games = 2 * sum(pairs[i] for i, match in enumerate(matches) if names[index] in match["signs"])
        print(f"{names[index]:28} {effects[index]:+6.1f} ± {errors[index]:.1f}  ({games:.0f} games)")


def tuned(directory, factors, whole_step=3.0):
    """Prints the moved numbers as UCI options, and on stderr the spread of the prior, in Elo."""
    import numpy as np

    _, _, names, effects, covariance = fit(directory)

    # CITE: empirical Bayes (Herbert Robbins): the spread of the prior has the highest marginal likelihood.
    def log_likelihood(spread):
        total = covariance + spread**2 * np.eye(len(names))
        return -0.5 * (np.linalg.slogdet(total)[1] + effects @ np.linalg.solve(total, effects))

    spread = max(np.arange(0, 10.1, 0.25), key=log_likelihood)
    posterior = spread**2 * np.linalg.solve(covariance + spread**2 * np.eye(len(names)), effects)
    print(f"prior {spread:.2f} Elo", file=sys.stderr)
    for name, effect in zip(names, posterior):
        try:
            high, low = (int(option.removeprefix(f"{name}=")) for [option] in factors[name])
        except (KeyError, ValueError):
            sys.exit(f"{name}: not a factor of --levels")
        middle = (high + low) // 2
        value = middle + round(np.clip(effect / whole_step, -1, 1) * (high - low) / 2)
        if value != middle:
            print(f"{name}={value}")


def main():
    if sys.argv[1:2] == ["--levels"] and len(sys.argv) == 3:
        return levels(sys.argv[2])
    if sys.argv[1:2] == ["--tuned"] and len(sys.argv) == 4:
        return tuned(Path(sys.argv[2]), read_factors(sys.argv[3]))
    if sys.argv[1:2] == ["--report"] and len(sys.argv) == 3:
        return report(Path(sys.argv[2]))
    parser = argument_parser(__doc__)
    parser.add_argument("factors", help="file of the factors")
    parser.add_argument("--matches", type=int, required=True, help="number of matches, those already played included")
    options = parser.parse_args()
    run(options)
    report(options.dir)


if __name__ == "__main__":
    main()
