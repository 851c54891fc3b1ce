"""Phase 1 on batches: each generation is measured on other positions."""
import os
import shutil

import tap
from tap import change, check, dump, head, query, refuses, run, works, write

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
    for command, output in (('report', 'page.html'), ('plot', 'plot.svg')):
        r = run(command, 'whole.db', '-o', output)
        check(command, r.returncode == 0 and os.path.getsize(output) > 1000, r)


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


head('train-1.epd', 100)
head('held-out.epd', 60)
write('batches.yaml', RECIPE)
tap.main()
