"""Evaluations that learn from the results of games: played by ourselves, drawn, evolved, verified, and
the same over the trace protocol. Speaks TAP.

    results_command.py GRAYLING SOURCE
"""
import os
import re
import sqlite3
import sys

import tap
from tap import check, write

grayling, source = (os.path.abspath(a) for a in sys.argv[1:3])
tap.enter_scratch()


def run(*arguments):
    return tap.run(grayling, *map(str, arguments))


def rows(name, query):
    with sqlite3.connect(name) as db:
        return db.execute(query).fetchall()


r = run('match', 'default', os.path.join(source, 'params/paper-eval.yaml'), '--nodes', 300, '--games', 60,
        '--win-score', 800, '--hash', 1, '-o', 'games.pgn')
check('games are played', r.returncode == 0, r.stderr)
for name, seed in ('train', 1), ('test', 2):
    r = run('sample', 'games.pgn', '--results', '--first-ply', 24, '--per-game', 12, '--count', 400,
            '--seed', seed, '-o', name + '.epd')
    check(f'positions with results are drawn: {name}', r.returncode == 0, r.stderr)
write('results.yaml', 'name: results\nphase: evaluation\nseed: 1\n'
      'data: {train: train.epd, held_out: test.epd}\nfitness: {measure: results}\n'
      'ga: {population: 30, generations: 30, selection: {kind: tournament}}\n')
r = run('evolve', 'results.yaml', '-o', 'judge.db', '--threads', 2)
values = rows('judge.db', 'SELECT measure, held_out FROM generation ORDER BY idx')
check('the error falls, held out too',
      r.returncode == 0 and values[-1][0] < 0.8 * values[0][0] and values[-1][1] < 0.9 * values[0][1],
      (values, r.stderr))
check('it is told as the error of a position',
      re.search(r'held-out +0\.\d{5} a position', r.stdout + r.stderr) is not None, r.stdout + r.stderr)
r = run('verify', 'judge.db')
check('the run repeats', r.returncode == 0, r.stderr)

organisms = ('SELECT generation, idx, chromosome, fitness FROM organism AS o JOIN genome AS g '
             'ON g.id = genome')
run('trace', '--check', grayling + ' trace', '-o', 'weights.yaml', 'train.epd')
r = run('evolve', 'results.yaml', '-o', 'traced.db', '--threads', 2, '--set', 'space=weights.yaml')
check('over the trace protocol it is the same',
      r.returncode == 0 and rows('traced.db', organisms) == rows('judge.db', organisms) != [], r.stderr)

r = run('evolve', 'results.yaml', '-o', 'batch.db', '--threads', 2, '--set', 'fitness.batch=100')
one = rows('batch.db', organisms)
check('a generation can be measured on a batch', r.returncode == 0 and one != rows('judge.db', organisms),
      r.stderr)
r = run('evolve', 'results.yaml', '-o', 'again.db', '--threads', 1, '--set', 'fitness.batch=100')
check('and repeats with another number of threads', r.returncode == 0 and rows('again.db', organisms) == one,
      r.stderr)
r = run('evolve', 'results.yaml', '-o', 'none.db', '--set',
        'data.train=' + os.path.join(source, 'data/train-1.epd'))
check('positions without results are refused, with file and line',
      r.returncode == 2 and 'train-1.epd:' in r.stderr and 'result' in r.stderr, r.stderr)
r = run('evolve', 'results.yaml', '-o', 'none.db', '--set', 'fitness.k=0')
check('K is at least 1', r.returncode == 2 and 'fitness.k' in r.stderr, r.stderr)
r = run('evolve', 'results.yaml', '-o', 'none.db', '--set', 'fitness.power=2')
check('a key of another measure is refused', r.returncode == 2 and 'fitness.power' in r.stderr, r.stderr)
tap.plan()
