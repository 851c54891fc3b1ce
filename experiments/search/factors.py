#!/usr/bin/env python3
"""Plays for many changes of a search at once: which of them make it stronger?

    experiments/search/factors.py FACTORS [--base params/games-search.yaml] [--games 160] [--seed 1]
                                  [--nodes 10000] [--grayling build/tools/grayling] [--output FOLDER]

A line of FACTORS is a change: 'NAME=VALUE ...', or 'NAME=VALUE ... ;; NAME=VALUE ...' for a change
between two values. Each match is between a set with about half of the changes and the set with the
other half, so that every game tells something of every change: N changes cost as many games as one.
The sets are the rows of a matrix whose columns are orthogonal (Plackett and Burman 1946, by Paley's
construction), so that no change is taken for another; a second order effect, where two changes need
each other, can be. The result is the Elo that a change adds, at the mean of all others, with its
interval of 95 %. Matches that are in FOLDER already are not played again.
"""
import argparse
import math
import os
import re
import subprocess


def design(factors):
    """The smallest orthogonal matrix of +1 and -1 with a column for each factor: rows of its columns."""
    for prime in (7, 11, 19, 23, 31, 43, 47, 59):
        if prime >= factors:
            break
    squares = {i * i % prime for i in range(1, prime)}
    rows = [[1] * prime]
    rows += [[-1 if (j - i) % prime in squares or i == j else 1 for j in range(prime)] for i in range(prime)]
    for i, row in enumerate(rows):
        assert all(sum(a * b for a, b in zip(row, other)) == -1 for other in rows[:i])
    return [row[:factors] for row in rows]


def changed(text, changes):
    """A parameter file with other values."""
    for change in changes.split():
        name, value = change.split("=")
        line = re.compile(rf"^(  {name}:\s*)-?\d+", re.M)
        text = line.sub(rf"\g<1>{value}", text) if line.search(text) else f"{text.rstrip()}\n  {name}: {value}\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("factors")
    parser.add_argument("--base", default="params/games-search.yaml")
    parser.add_argument("--eval", default="params/games-eval.yaml")
    parser.add_argument("--openings", default="data/openings.epd")
    parser.add_argument("--games", type=int, default=160, help="of each match")
    parser.add_argument("--nodes", type=int, default=10000, help="of a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grayling", default="build/tools/grayling")
    parser.add_argument("--output", default="factors-out")
    options = parser.parse_args()
    with open(options.factors, encoding="utf-8") as file:
        names = [line.strip() for line in file if line.strip()]
    with open(options.base, encoding="utf-8") as file:
        base = file.read()
    os.makedirs(options.output, exist_ok=True)
    gains, variance, games = [0.0] * len(names), 0.0, 0
    for number, row in enumerate(design(len(names))):
        stem = f"{options.output}/{options.seed}-{number}"
        for side, sign in (("a", 1), ("b", -1)):
            changes = [(name.split(";;") + [""])[level * sign < 0] for name, level in zip(names, row)]
            with open(f"{stem}{side}.yaml", "w", encoding="utf-8") as file:
                file.write(changed(base, " ".join(changes)))
        if not os.path.exists(f"{stem}.txt"):
            done = subprocess.run(
                [options.grayling, "match", f"{stem}a.yaml", f"{stem}b.yaml", "--eval", options.eval,
                 "--nodes", str(options.nodes), "--games", str(options.games), "--hash", "4", "--unique",
                 "--openings", options.openings, "--win-score", "1000", "--draw-score", "10",
                 "--seed", str(100 * options.seed + number), "-o", f"{stem}.pgn", "--force"],
                stdout=subprocess.PIPE, text=True, check=True)
            with open(f"{stem}.txt", "w", encoding="utf-8") as file:
                file.write(done.stdout)
        with open(f"{stem}.txt", encoding="utf-8") as file:
            won, lost, drawn = map(int, re.search(r"Score of .*: (\d+) - (\d+) - (\d+)", file.read()).groups())
        gains = [gain + level * (won - lost) / 2 for gain, level in zip(gains, row)]
        variance += (won + lost) / 4
        games += won + lost + drawn
        print(f"match {number + 1}: {won} - {lost} - {drawn}", flush=True)
    elo = 1600 / math.log(10)  # of a score, at 50 %
    for name, gain in sorted(zip(names, gains), key=lambda pair: -pair[1]):
        print(f"{gain / games * elo:+7.1f} ± {1.96 * math.sqrt(variance) / games * elo:.1f}  {name}")


if __name__ == "__main__":
    main()
