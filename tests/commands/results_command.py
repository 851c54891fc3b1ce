"""Evaluations that learn from the results of games: played by ourselves, drawn, evolved, verified, and
the same over the trace protocol."""
import os
import re

import tap
from tap import check, grayling, query, refuses, run, source, works, write

r = works('games are played', 'match', 'default', os.path.join(source, 'params/paper-eval.yaml'), '--nodes', 300,
          '--games', 60, '--win-score', 800, '--hash', 1, '-o', 'games.pgn')
for name, seed in ('train', 1), ('test', 2):
    works(f'positions with results are drawn: {name}', 'sample', 'games.pgn', '--results', '--first-ply', 24,
          '--per-game', 12, '--count', 400, '--seed', seed, '-o', name + '.epd')
write('results.yaml', 'name: results\nphase: evaluation\nseed: 1\n'
      'data: {train: train.epd, held_out: test.epd}\nfitness: {measure: results}\n'
      'ga: {population: 30, generations: 30, selection: {kind: tournament}}\n')
r = run('evolve', 'results.yaml', '-o', 'judge.db', '--threads', 2)
values = query('judge.db', 'SELECT measure, held_out FROM generation ORDER BY idx')
check('the error falls, held out too',
      r.returncode == 0 and values[-1][0] < 0.8 * values[0][0] and values[-1][1] < 0.9 * values[0][1],
      (values, r.stderr))
check('it is told as the error of a position',
      re.search(r'held-out +0\.\d{5} a position', r.stdout + r.stderr) is not None, r.stdout + r.stderr)
works('the run repeats', 'verify', 'judge.db')

organisms = ('SELECT generation, idx, chromosome, fitness FROM organism AS o JOIN genome AS g '
             'ON g.id = genome')
run('trace', '--check', grayling + ' trace', '-o', 'weights.yaml', 'train.epd')
r = run('evolve', 'results.yaml', '-o', 'traced.db', '--threads', 2, '--set', 'space=weights.yaml')
check('over the trace protocol it is the same',
      r.returncode == 0 and query('traced.db', organisms) == query('judge.db', organisms) != [], r.stderr)

r = run('evolve', 'results.yaml', '-o', 'batch.db', '--threads', 2, '--set', 'fitness.batch=100')
one = query('batch.db', organisms)
check('a generation can be measured on a batch', r.returncode == 0 and one != query('judge.db', organisms),
      r.stderr)
r = run('evolve', 'results.yaml', '-o', 'again.db', '--threads', 1, '--set', 'fitness.batch=100')
check('and repeats with another number of threads', r.returncode == 0 and query('again.db', organisms) == one,
      r.stderr)
refuses('positions without results are refused, with file and line', ('train-1.epd:', 'result'), 'evolve',
        'results.yaml', '-o', 'none.db', '--set', 'data.train=' + os.path.join(source, 'data/train-1.epd'))
refuses('K is at least 1', 'fitness.k', 'evolve', 'results.yaml', '-o', 'none.db', '--set', 'fitness.k=0')
refuses('a key of another measure is refused', 'fitness.power', 'evolve', 'results.yaml', '-o', 'none.db', '--set',
        'fitness.power=2')
tap.main()
