#!/usr/bin/env python3
"""Whether a run by games holds out: memory, descriptors and processes over many games, when some engines are
villains, and whether each game that they lose is counted.

    experiments/games/soak.py build/tools/grayling build/tests/villain [--games 100000] [--threads 2]

Both colours are played by our own engine behind the villain's manners: each of its processes plays well for some
thousand moves, then crashes, exits, or plays an illegal move, in turn. Fewer than two of a hundred games end so, or the
run would stop. A process with a fault is replaced, so the starts of the engine are those of a run without faults and one
for each fault. Prints what is used ten times on the way. Exit code 1 if memory or descriptors grow after the
first tenth, if processes do, or if a fault is not counted.
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

LOOKS, KIB_MORE = 10, 2048  # SQLite's cache of pages grows to 2,000 KiB
SPACE = '''kind: uci
command: %s
parameters:
  PAWN_VALUE: {fixed: 100}
  KNIGHT_VALUE: {min: 200, max: 400, default: 300}
  BISHOP_VALUE: {min: 200, max: 400, default: 300}
'''
# A game a pair of 8 organisms is 56 games a generation.
RECIPE = '''name: soak
phase: coevolution
space: space.yaml
data: {openings: openings}
fitness: {limit: 20, games: 2, hash: 1, win_score: 500, unique: no}
ga: {population: 8, generations: %d}
'''
ENGINE = '''#!/bin/sh
echo start >>%(folder)s/starts
case $(($(wc -l <%(folder)s/starts) %% 3)) in
0) exec %(villain)s --every %(every)d --crash;;
1) exec %(villain)s --every %(every)d --die 3;;
2) exec %(villain)s --every %(every)d --illegal;;
esac
'''


def query(path, what):
    with sqlite3.connect('file:%s?mode=ro' % path, uri=True, timeout=30) as db:
        return db.execute(what).fetchone()[0]


def games_of(path):
    try:
        return query(path, 'SELECT count(*) FROM game')
    except sqlite3.Error:
        return 0


def descendants(pid):
    """The processes that come of one."""
    found = []
    for task in os.listdir('/proc/%d/task' % pid):
        with open('/proc/%d/task/%s/children' % (pid, task)) as f:
            for child in map(int, f.read().split()):
                try:
                    found += [child] + descendants(child)
                except OSError:
                    found += [child]
    return found


def used(pid):
    """KiB of memory, descriptors, and processes of a run."""
    with open('/proc/%d/status' % pid) as f:
        memory = int(re.search(r'VmRSS:\s*(\d+)', f.read()).group(1))
    return memory, len(os.listdir('/proc/%d/fd' % pid)), len(descendants(pid))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1].strip())
    parser.add_argument('grayling')
    parser.add_argument('villain')
    parser.add_argument('--games', type=int, default=100000)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--every', type=int, default=4000, help='moves of a process before its fault')
    o = parser.parse_args()
    grayling, villain = os.path.abspath(o.grayling), os.path.abspath(o.villain)
    os.chdir(tempfile.mkdtemp(prefix='grayling-soak-'))
    for name, text in (('space.yaml', SPACE % './engine'), ('recipe.yaml', RECIPE % (o.games // 56)),
                       ('engine', ENGINE % {'folder': os.getcwd(), 'villain': villain, 'every': o.every})):
        with open(name, 'w') as f:
            f.write(text)
    os.chmod('engine', 0o755)
    run = subprocess.Popen([grayling, 'evolve', 'recipe.yaml', '-o', 'soak.db', '--trust', '--threads', str(o.threads)],
                           stdout=subprocess.DEVNULL)
    began, looks = time.time(), []
    while run.poll() is None:
        games = games_of('soak.db')
        if games >= (len(looks) + 1) * o.games // LOOKS:
            try:
                looks.append(used(run.pid))
            except OSError:  # it has just ended
                break
            print('%7d games  %5.0f s  %6d KiB  %3d descriptors  %2d processes' %
                  (games, time.time() - began, *looks[-1]), flush=True)
        time.sleep(0.2)
    code = run.wait()
    faults = query('soak.db', "SELECT coalesce(max(value), '') FROM property WHERE key = 'faults'")
    counted = sum(map(int, re.findall(r'\d+', faults)))
    with open('starts') as f:
        starts = len(f.readlines())
    print('%d games, exit code %d; faults: %s, %d in all; %d starts of the engine; %s' %
          (games_of('soak.db'), code, faults, counted, starts, os.getcwd()))
    # Without a fault: one start reads the options, five or so try the engine, and each thread has one a colour.
    least, most = counted + 2 * o.threads, counted + 5 * o.threads + 8
    flat = len(looks) >= 2 and looks[-1][0] <= looks[0][0] + KIB_MORE and all(
        looks[-1][i] <= looks[0][i] + 4 for i in (1, 2))
    sys.exit(0 if code == 0 and counted > 0 and flat and least <= starts <= most else 1)


main()
