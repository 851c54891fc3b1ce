#!/usr/bin/env python3
"""Optimisers on moves matched with many weights, at equal numbers of evaluations, by seeds.

    experiments/compare_weights.py GRAYLING SPACE... [--seeds 10] [--evaluations 30000] [--only METHOD,...]

Each SPACE is a space of the modern evaluation. All methods learn from the 5,000 positions of
data/train-1.epd, in batches of 1,000, and are tested on the first 2,000 of data/held-out.epd. The softmax
fit begins with random values, and has as many steps as take the processor time that the others take; the
seeded genetic algorithm begins with that fit, and the time of both is added. One row a method: moves matched
held out, their mean and standard deviation over the seeds, and the processor time of a run without what it
takes to compile the positions. One thread. The spaces of docs/optimisers.md are made by

    grayling space params/modern-eval.yaml -o left.yaml
    grayling regress train-1 train-2 train-3 --space left.yaml --scale 100 --prior 100 --batch 1024 --steps 400 \\
        --prune 1000,350,80 -o 'near-%d.yaml'
    grayling space near-350.yaml --bits 7 --narrow -o space-350.yaml
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

RECIPE = 'params/recipes/evaluation-modern.yaml'
BATCH = 1000
# The method, its population, and its settings.
METHODS = {
    'genetic': (500, ['ga.selection.kind=tournament']),
    'evolution-strategy': (200, ['optimiser.kind=evolution-strategy', 'optimiser.sigma=0.1', 'optimiser.common=0.05']),
    'sep-cma-es': (200, ['optimiser.kind=sep-cma-es', 'optimiser.sigma=0.1']),
    'cma-es': (200, ['optimiser.kind=cma-es', 'optimiser.sigma=0.1']),
}
FULL_MATRIX = 500  # genes: above, a matrix of genes x genes takes longer than the positions


def run(command):
    """Runs a command; returns what it prints and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def matched(text, label):
    """The share of moves in a line such as '  held-out   3,032 of 10,000   30.32 %'."""
    return float(re.search(r'^\s+%s\s.*?([0-9.]+) %%' % label, text, re.M).group(1))


class Bench:
    def __init__(self, grayling, evaluations, folder):
        self.grayling, self.evaluations, self.folder = grayling, evaluations, folder
        self.held_out = os.path.join(folder, 'held.epd')
        with open('data/held-out.epd') as f, open(self.held_out, 'w') as out:
            out.writelines(f.readlines()[:2000])

    def evolve(self, space, seed, population, settings, generations=None):
        if generations is None:
            generations = self.evaluations // population - 1
        path = os.path.join(self.folder, 'run.db')
        sets = ['space=' + os.path.abspath(space), 'seed=%d' % seed, 'data.train=data/train-1.epd',
                'data.held_out=' + self.held_out, 'fitness.batch=%d' % BATCH, 'ga.population=%d' % population,
                'ga.generations=%d' % generations] + settings
        out, seconds = run([self.grayling, 'evolve', RECIPE, '-o', path, '--force', '--threads', '1'] +
                           [word for s in sets for word in ('--set', s)])
        return matched(out, 'held-out'), seconds

    def softmax(self, space, seed, steps):
        """Fits from random values. The values are kept."""
        out, seconds = run([self.grayling, 'regress', 'data/train-1.epd', '--space', space, '--from', 'random',
                            '--seed', str(seed), '--scale', '100', '--prior', '100', '--steps', str(steps), '--batch',
                            str(BATCH), '--held-out', self.held_out, '--threads', '1', '--force', '-o', self.fit()])
        return matched(out, re.escape(self.held_out)), seconds

    def fit(self):
        return os.path.join(self.folder, 'fit.yaml')


def genes_of(space):
    with open(space) as f:
        return len(re.findall(r'^\s+\w+:\s*\{bits', f.read(), re.M))


def row(space, name, results, base):
    shares = [r[0] for r in results]
    print('| %4d | %-26s | %.2f ± %.2f | %.2f | %5.1f |' % (
        genes_of(space), name, statistics.mean(shares), statistics.stdev(shares) if len(shares) > 1 else 0, max(shares),
        statistics.mean(r[1] for r in results) - base), flush=True)
    return statistics.mean(r[1] for r in results) - base


def compare(bench, space, seeds, only):
    base = bench.evolve(space, 1, 4, [], 0)[1]
    fit_base = bench.softmax(space, 1, 1)[1]
    slowest = 0
    for name, (population, settings) in METHODS.items():
        if name in only and (name != 'cma-es' or genes_of(space) <= FULL_MATRIX):
            slowest = max(slowest, row(space, name, [bench.evolve(space, s, population, settings) for s in seeds], base))
    if 'softmax' not in only:
        return
    steps = max(20, int(100 * slowest / max(0.1, bench.softmax(space, 1, 101)[1] - fit_base)))
    fits, seeded = [], []
    for s in seeds:
        fits.append(bench.softmax(space, s, steps))
        share, seconds = bench.evolve(space, s, 500, ['ga.seeds=[%s]' % bench.fit(), 'ga.fill=offspring',
                                                      'ga.selection.kind=tournament'])
        seeded.append((share, seconds + fits[-1][1] - fit_base))
    row(space, 'softmax, %d steps' % steps, fits, fit_base)
    row(space, 'softmax, then genetic', seeded, base)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('grayling')
    parser.add_argument('spaces', nargs='+')
    parser.add_argument('--seeds', type=int, default=10)
    parser.add_argument('--evaluations', type=int, default=30000)
    parser.add_argument('--only', default=','.join([*METHODS, 'softmax']))
    args = parser.parse_args()
    print('| genes | method | held out, %: mean ± sd | best | seconds |\n|---|---|---|---|---|', flush=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(args.grayling), args.evaluations, folder)
        for space in args.spaces:
            compare(bench, space, range(1, args.seeds + 1), args.only.split(','))


if __name__ == '__main__':
    sys.exit(main())
