"""What several ranks cost: the service of an idle rank 0, and two ranks against two threads. Prints lines of:
name, value, unit.

    bench_ranks.py GRAYLING RANKS_TOY SOURCE [ROUNDS]

Two ranks of a thread each and one process of two threads measure the same generations in turn, so that both
meet the same machine; a round is one run of each. It needs two idle cores, and mpirun.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

grayling, toy, source = (os.path.abspath(path) for path in sys.argv[1:4])
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-q', '-n']

# Recipes: the paper's size of phase 1, searches of a suite, games. Each takes some seconds.
RECIPES = {
    'phase_1': 'phase: evaluation\ndata: {train: [%s/data/train-1.epd]}\nga: {population: 100, generations: 100}\n',
    'nodes_to_solution': 'phase: search\ndata: {train: [%s/data/tactics-train.epd], first: 100}\n'
                         'fitness: {limit: 50000, hash: 4}\nga: {population: 20, generations: 3}\n',
    'games': 'phase: coevolution\ndata: {openings: %s/data/openings.epd}\n'
             'fitness: {limit: 1000, games: 4, hash: 1}\nga: {population: 10, generations: 2}\n',
}


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


def seconds_of(name, words, threads):
    """How long the generations of a run take, without its beginning and end, and what its ranks cost."""
    for path in (name + '.db', name + '.yaml', name + '.svg', name + '.png', name + '.html'):
        if os.path.exists(path):
            os.remove(path)
    run(*words, grayling, 'evolve', 'recipe.yaml', '-o', name + '.db', '--threads', str(threads))
    total = run('sqlite3', name + '.db', 'SELECT sum(seconds) FROM generation')
    return float(total), found(status(name + '.db'), 'ranks')


def compare(kind):
    with open('recipe.yaml', 'w') as f:
        f.write('name: bench\nseed: 1\n' + RECIPES[kind] % source)
    threads, ranks, costs = [], [], None
    for _ in range(rounds):
        threads.append(seconds_of('threads', [], 2)[0])
        seconds, costs = seconds_of('ranks', MPIRUN + ['2'], 1)
        ranks.append(seconds)
    print('%s_threads %.3f s' % (kind, statistics.median(threads)))
    print('%s_ranks %.3f s' % (kind, statistics.median(ranks)))
    print('%s_ratio %.3f 1' % (kind, statistics.median(r / t for r, t in zip(ranks, threads))))
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
        for what in ('empty', 'single'):
            for line in run(*MPIRUN, '2', toy, what).splitlines():
                if re.match(r'[a-z_0-9]+ [0-9.]+', line) and not line.startswith('done'):
                    print(what + '_' + line)
        for kind in RECIPES:
            compare(kind)
        os.chdir('/')


main()
