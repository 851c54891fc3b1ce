#!/usr/bin/env python3
"""How deep does a search come with its nodes? Mean depth of finished iterations by nodes, for sets and engines.

    experiments/search/growth.py POSITIONS.epd FILE... [--engine COMMAND,OPTION=VALUE,...]... [--nodes 2000000]
                                 [--positions 24] [--eval params/games-eval.yaml] [--ours build/tools/grayling-uci]

FILE is a set of search parameters. A set that is as deep as another one at 10,000 nodes and falls behind it at a
million spends its nodes on extensions: games of few nodes do not tell. Depth alone is not strength.
"""
import argparse
import concurrent.futures
import re

from accuracy import searches

POINTS = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)


def depths(command, settings, fens, nodes):
    """For each position the nodes after which each depth was finished."""
    found = []
    for lines in searches(command, settings, [(fen, f"nodes {nodes}") for fen in fens]):
        finished = {}
        for line in lines:
            told = re.search(r"\bdepth (\d+) .*\bnodes (\d+)", line)
            if told and "bound" not in line and " pv " in line:
                finished[int(told[1])] = int(told[2])
        found.append(finished)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("epd")
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--engine", action="append", default=[])
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--eval", default="params/games-eval.yaml")
    parser.add_argument("--ours", default="build/tools/grayling-uci")
    options = parser.parse_args()
    with open(options.epd, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    fens = [" ".join(row[:4]) + " 0 1" for row in rows[:: max(1, len(rows) // options.positions)][: options.positions]]
    players = [(name, options.ours, [("EvalFile", options.eval), ("SearchFile", name)]) for name in options.sets]
    for engine in options.engine:
        command, *settings = engine.split(",")
        players.append((engine, command, [setting.split("=", 1) for setting in settings]))
    points = [point for point in POINTS if point < options.nodes] + [options.nodes]
    print("nodes  " + "  ".join(f"{point:,}" for point in points))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(depths, command, settings + [("Hash", 64)], fens, options.nodes)
                for _, command, settings in players]
        for (name, _, _), job in zip(players, jobs):
            found = job.result()
            means = [sum(max((d for d, n in one.items() if n <= point), default=0) for one in found) / len(found)
                     for point in points]
            print("  ".join(f"{mean:.1f}" for mean in means) + f"  {name}", flush=True)


if __name__ == "__main__":
    main()
