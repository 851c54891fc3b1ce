"""Phase 1 on batches, where each generation is measured on other positions, and from the results of games: played by
ourselves, drawn, evolved, verified, and the same over the trace protocol."""
import os
import re
import shutil

import tap
from tap import change, check, dump, grayling, head, query, refuses, run, source, works, write

RECIPE = """name: batches
phase: evaluation
seed: 3
data: {train: [train-1.epd], held_out: [held-out.epd]}
fitness: {batch: 37}
ga: {population: 12, generations: 8, selection: {kind: rank}}
"""


def test_run():
    r = works('a run on batches', 'evolve', 'batches.yaml', '-o', 'whole.db', '--threads', 2, says='37 positions')
    rows = query('whole.db', 'SELECT fitness FROM organism WHERE generation > 0')
    check('no organism matches more than a batch', all(0 <= f <= 37 ** 2 for f, in rows), rows)
    elite = query('whole.db', 'SELECT a.fitness, b.fitness FROM organism a JOIN organism b ON a.genome = b.genome '
                  'AND b.generation = a.generation + 1')
    check('an organism is measured again in the next generation', any(a != b for a, b in elite), elite)
    check('it verifies', run('verify', 'whole.db').returncode == 0)
    check('one thread finds the same', run('evolve', 'batches.yaml', '-o', 'one.db', '--threads', 1).returncode == 0 and
          dump('one.db') == dump('whole.db'))
    works('it has a page', 'report', 'whole.db', '-o', 'page.html')


def test_resume():
    run('evolve', 'batches.yaml', '-o', 'short.db', '--set', 'ga.generations=5')
    r = run('resume', 'short.db', '--generations', 8)
    check('goes on', r.returncode == 0 and dump('short.db') == dump('whole.db'), r)


def test_not_longer():
    """A run that is refused is no longer than before."""
    shutil.copy('whole.db', 'same.db')
    refuses('refuses a time that is none', 'HH:MM', 'resume', 'same.db', '--generations', 20, '--until', '25:99')
    os.rename('train-1.epd', 'kept.epd')
    head('train-1.epd', 99)
    refuses('refuses other data', 'has changed', 'resume', 'same.db', '--generations', 20)
    os.rename('kept.epd', 'train-1.epd')
    check('what was refused has changed nothing', dump('same.db') == dump('whole.db') and
          query('same.db', "SELECT value FROM property WHERE key = 'generations'") == [('8',)])


def test_changed():
    """A generation that does not come out as it was stored is not gone on with."""
    run('evolve', 'batches.yaml', '-o', 'changed.db', '--set', 'ga.generations=5')
    change('changed.db', 'UPDATE organism SET fitness = 1300 WHERE generation = 5 AND idx = 3')
    refuses('a changed fitness is found', 'generation 5, organism 3 had 1300 of fitness and now has', 'resume',
            'changed.db', '--generations', 8)
    check('by verify, too', run('verify', 'changed.db').returncode != 0)


def test_best():
    """The outcome is the best of the last generation, on its batch, not the luckiest of all."""
    generation, = query('whole.db', 'SELECT max(idx) FROM generation')[0]
    best, = query('whole.db', 'SELECT max(fitness) FROM organism WHERE generation = %d' % generation)[0]
    check('the best of the last generation', '%d of 37' % round(best ** 0.5) in run('status', 'whole.db').stdout,
          run('status', 'whole.db').stdout)
    check('a batch of all positions is all of them',
          run('evolve', 'batches.yaml', '-o', 'all.db', '--set', 'fitness.batch=100').returncode == 0 and
          run('evolve', 'batches.yaml', '-o', 'plain.db', '--set', 'fitness.batch=0').returncode == 0 and
          query('all.db', 'SELECT fitness FROM organism ORDER BY generation, idx') ==
          query('plain.db', 'SELECT fitness FROM organism ORDER BY generation, idx'))


def test_confirm():
    """The defaults and the best are compared on all positions, not on the batch of a generation."""
    r = run('confirm', 'whole.db', '--suite', 'held-out.epd')
    rows = [line.split() for line in r.stdout.splitlines()]
    sizes = {row[0]: int(row[-5]) for row in rows if row and row[0] in ('training', 'held-out.epd')}
    check('confirm measures all positions', r.returncode == 0 and sizes == {'training': 100, 'held-out.epd': 60}, r)
    held_out, suite = ([row[-4:] for row in rows if row[:1] == [name] or row[:2] == name.split()]
                       for name in ('held out', 'held-out.epd'))
    check('the held-out positions as a suite give the same', held_out == suite and len(suite) == 1, r)


def test_refused():
    refuses('refuses more than there are', 'fitness.batch is 101, and there are 100 training positions',
            'evolve', 'batches.yaml', '-o', 'x.db', '--set', 'fitness.batch=101')
    write('de.yaml', RECIPE.replace('ga: {population: 12, generations: 8, selection: {kind: rank}}',
                                    'optimiser: {kind: differential-evolution}'))
    refuses('refuses an optimiser that compares generations', 'but batches rank only one generation', 'evolve', 'de.yaml')


def test_results():
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

    r = run('evolve', 'results.yaml', '-o', 'learned.db', '--threads', 2, '--set', 'fitness.batch=100')
    one = query('learned.db', organisms)
    check('a generation can be measured on a batch', r.returncode == 0 and one != query('judge.db', organisms),
          r.stderr)
    r = run('evolve', 'results.yaml', '-o', 'again.db', '--threads', 1, '--set', 'fitness.batch=100')
    check('and repeats with another number of threads', r.returncode == 0 and query('again.db', organisms) == one,
          r.stderr)
    refuses('positions without results are refused, with file and line', ('train-1.epd:', 'result'), 'evolve',
            'results.yaml', '-o', 'none.db', '--set', 'data.train=train-1.epd')
    refuses('K is at least 1', 'fitness.k', 'evolve', 'results.yaml', '-o', 'none.db', '--set', 'fitness.k=0')
    refuses('a key of another measure is refused', 'fitness.power', 'evolve', 'results.yaml', '-o', 'none.db', '--set',
            'fitness.power=2')


head('train-1.epd', 100)
head('held-out.epd', 60)
write('batches.yaml', RECIPE)
tap.main()
