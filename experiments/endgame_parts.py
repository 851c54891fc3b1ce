#!/usr/bin/env python3
"""What part of its advantage does a side keep in an ending? The factors of src/engine/eval/endgames.c.

    grayling sample games.pgn --results --quiet --first-ply 8 --per-game 40 --count 300000 -o positions.epd
    experiments/endgame_parts.py positions.epd [--scale 160]

Each position has the score of the search that played it (ce) and the result of its game (c9). For each
kind of ending, number of pawns of the side with the advantage, and pawns on one wing or on both, it
prints the factor f with which 1 / (1 + exp(-f score / scale)) predicts the results with the least squared
error, and how much less that is than with 1. Factors are of scores that have the present ones already.
"""
import argparse
import collections
import math
import re

RESULTS = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
STEPS = [i / 16 for i in range(36)]


def kind_of(pieces, colours):
    """The name of an ending, by the pieces of both sides and the colours of the squares of bishops."""
    men = "".join(sorted(c for c in pieces if c not in "KkPp"))
    if men == "Bb" and colours["B"] != colours["b"]:
        return "bishops of opposite colours"
    return {"": "pawns alone", "Rr": "a rook each"}.get(men, f"{2 * (len(men) // 2)} pieces or one more")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("--scale", type=float, default=160)
    options = parser.parse_args()
    found = collections.defaultdict(list)
    with open(options.positions, encoding="utf-8") as file:
        for line in file:
            score, result = re.search(r"\bce (-?\d+);", line), re.search(r'\bc9 "([^"]*)"', line)
            if not score or not result or not 0 < abs(int(score[1])) < 1500:
                continue
            board, side = line.split()[:2]
            white = (int(score[1]) > 0) == (side == "w")  # has the advantage
            squares = re.sub(r"\d", lambda digit: "." * int(digit[0]), board).split("/")
            places = [(c, rank, file) for rank, row in enumerate(squares) for file, c in enumerate(row) if c != "."]
            pieces = "".join(c for c, _, _ in places)
            wings = {file < 4 for c, _, file in places if c in "Pp"}
            colours = {c: (rank + file) % 2 for c, rank, file in places}
            pawns = pieces.count("P" if white else "p")
            key = kind_of(pieces, colours), min(pawns, 6), "both wings" if len(wings) == 2 else "one wing"
            won = RESULTS[result[1]]
            found[key].append((abs(int(score[1])), won if white else 1 - won))
    for (kind, pawns, wings), rows in sorted(found.items()):
        if len(rows) < 150:
            continue
        errors = {f: sum((1 / (1 + math.exp(-f * score / options.scale)) - won) ** 2 for score, won in rows)
                  for f in STEPS}
        best = min(STEPS, key=errors.get)
        print(f"{kind:28} {pawns} {wings:10} {len(rows):6} positions  {best:.2f}  {errors[1.0] - errors[best]:.2f}")


if __name__ == "__main__":
    main()
