#!/usr/bin/env python3
"""How many nodes a second the search has with an evaluation, relative to another.

    experiments/evaluation_speed.py [GRAYLING] [--eval FILE] [--base FILE] [--search FILE] [--turns 7]

Both search the first 100 positions of a suite, 40,000 nodes each, on one thread, in turn. Of each position the least
time of all turns counts, so other work on the machine does little. Below 1: a node costs more than with --base.
"""
import argparse
import csv
import itertools
import subprocess


def seconds(args, evaluation, suite):
    """Seconds and nodes of the search of each position."""
    command = [args.grayling, 'solve', '-', '--eval', evaluation, '--params', args.search, '--nodes', str(args.nodes),
               '--threads', '1', '--format', 'csv']
    text = subprocess.run(command, input=suite, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith('#'))
    return [(float(row['seconds']), int(row['nodes'])) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('grayling', nargs='?', default='build/tools/grayling')
    parser.add_argument('--eval', default='params/games-eval.yaml')
    parser.add_argument('--base', default='params/default-eval.yaml')
    parser.add_argument('--search', default='params/default-search.yaml')
    parser.add_argument('--suite', default='data/tactics-held-out.epd')
    parser.add_argument('--positions', type=int, default=100)
    parser.add_argument('--nodes', type=int, default=40000)
    parser.add_argument('--turns', type=int, default=7)
    args = parser.parse_args()
    with open(args.suite) as lines:
        suite = ''.join(itertools.islice(lines, args.positions))
    turns = [[seconds(args, evaluation, suite) for evaluation in (args.eval, args.base)] for _ in range(args.turns)]
    speeds = []
    for name, measured in zip((args.eval, args.base), zip(*turns)):
        least = sum(min(position)[0] for position in zip(*measured))
        nodes = sum(searched for _, searched in measured[0])
        speeds.append(nodes / least)
        print('%-32s %9d nodes %8.3f s %10.0f nodes/s' % (name, nodes, least, speeds[-1]))
    print('evaluation_speed %.3f' % (speeds[0] / speeds[1]))


main()
