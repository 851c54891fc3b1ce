#!/usr/bin/env python3
"""What several ranks cost: two ranks against two threads. Prints lines of:
name, value, unit.

    bench_ranks.py GRAYLING SOURCE [ROUNDS [KIND...]]

Two ranks of a thread each and one process of two threads do the same run in turn, the one first in every second
round, so that both meet the same machine. A ratio is ranks to threads, the median of the rounds, with an interval
that holds the true median in 95 of 100 measurements (of six rounds or more; of fewer it is the range). Three times
are compared: of the generations alone, of the whole run with its beginning and mpirun's, and of the processors.
It needs two idle cores, and mpirun. KIND is one of phase_1, nodes_to_solution, games.
"""
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

grayling, source = (os.path.abspath(path) for path in sys.argv[1:3])
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-q', '-n']

# Recipes: phase 1 at the paper's size, searches of a suite, games. Each takes some seconds.
RECIPES = {
    'phase_1': 'phase: evaluation\ndata: {train: [%s/data/train-1.epd]}\nga: {population: 100, generations: 200}\n',
    'nodes_to_solution': 'phase: search\ndata: {train: [%s/data/tactics-train.epd], first: 100}\n'
                         'fitness: {limit: 50000, hash: 4}\nga: {population: 20, generations: 3}\n',
    'games': 'phase: coevolution\ndata: {openings: %s/data/openings.epd}\n'
             'fitness: {limit: 1000, games: 4, hash: 1}\nga: {population: 10, generations: 2}\n',
}
kinds = sys.argv[4:] or list(RECIPES)
TIMES = ('generations', 'whole', 'processors')


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, OMP_NUM_THREADS='1')).stdout


def status(path):
    return json.loads(run(grayling, 'status', path, '--format', 'json'))


def found(document, name):
    """The first value of this name anywhere in a document."""
    if isinstance(document, dict):
        if name in document:
            return document[name]
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            value = found(part, name)
            if value is not None:
                return value
    return None


def processor_seconds():
    """Of all processes that have ended, mpirun's children too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def times_of(name, words, threads):
    """The times of a run, in the order of TIMES."""
    for path in (name + '.db', name + '.yaml', name + '.svg', name + '.png', name + '.html'):
        if os.path.exists(path):
            os.remove(path)
    began, used = time.monotonic(), processor_seconds()
    run(*words, grayling, 'evolve', 'recipe.yaml', '-o', name + '.db', '--threads', str(threads))
    whole, used = time.monotonic() - began, processor_seconds() - used
    total = run('sqlite3', name + '.db', 'SELECT sum(seconds) FROM generation')
    return float(total), whole, used


def interval(values):
    """Of the median, by the order of the values: without any belief about their distribution."""
    values, n, cut = sorted(values), len(values), 0
    while 2 * sum(math.comb(n, k) for k in range(cut + 2)) <= 0.05 * 2 ** n:
        cut += 1
    return values[cut], values[n - 1 - cut]


def measure(kind):
    """The times of both, by rounds."""
    threads, ranks = [], []
    with open('recipe.yaml', 'w') as f:
        f.write('name: bench\nseed: 1\n' + RECIPES[kind] % source)
    sides = [lambda: threads.append(times_of('threads', [], 2)),
             lambda: ranks.append(times_of('ranks', MPIRUN + ['2'], 1))]
    for i in range(rounds):
        for side in sides if i % 2 == 0 else reversed(sides):
            side()
    return threads, ranks


def compare(kind):
    threads, ranks = measure(kind)
    for i, name in enumerate(TIMES):
        ratios = [r[i] / t[i] for r, t in zip(ranks, threads)]
        print('%s_%s_threads %.3f s' % (kind, name, statistics.median(t[i] for t in threads)))
        print('%s_%s_ranks %.3f s' % (kind, name, statistics.median(r[i] for r in ranks)))
        print('%s_%s_ratio %.3f 1 (%.3f to %.3f, %d rounds)'
              % (kind, name, statistics.median(ratios), *interval(ratios), rounds))
    print_costs(kind, found(status('ranks.db'), 'ranks'))


def print_costs(kind, costs):
    """What the last run of two ranks did."""
    print('%s_job %.3f ms' % (kind, 1e3 * costs['seconds_of_jobs'] / costs['jobs']))
    print('%s_service %.1f us a group of jobs' % (kind, 1e6 * costs['seconds_of_serving'] / costs['groups']))
    print('%s_bytes %.0f bytes a job' % (kind, costs['bytes'] / costs['jobs']))
    print('%s_groups %.1f a batch' % (kind, costs['groups'] / costs['batches']))
    threads = costs['threads'] * costs['seconds_in_batches']
    between, end = costs['seconds_of_waiting'], costs['seconds_of_ending']
    begin = threads - costs['seconds_of_jobs'] - between - end
    for name, idle in (('begin', begin), ('between', between), ('end', end)):
        print('%s_idle_at_%s %.1f %% of the threads in batches' % (kind, name, 100 * idle / threads))
    print('%s_idle %.1f %%' % (kind, 100 * costs['idle']), flush=True)


def main():
    if shutil.which('mpirun') is None:
        sys.exit('bench_ranks.py: no mpirun')
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind in kinds:
            compare(kind)
        os.chdir('/')


main()
