"""A run of phase search from the command line: the same whatever is done to it. Speaks TAP.

    search_runs.py GRAYLING SOURCE
"""
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import tap
from tap import check, dump, query, rows, wait_for

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
tap.enter_scratch()
SLOW = 'fitness.limit=20000'


def run(*arguments, **options):
    return tap.run(grayling, *arguments, **options)


def start(*arguments):
    return tap.start(grayling, *arguments)


def small_recipe():
    with open(os.path.join(source, 'data', 'train-1.epd')) as f, open('suite.epd', 'w') as out:
        out.writelines(f.readline() for _ in range(40))
        out.write('8/8/8/8/8/8/8/8 w - - bm e4;\n')
    with open('small.yaml', 'w') as f:
        f.write('name: small\nphase: search\nseed: 3\ndata: {train: [suite.epd], split: halves}\n'
                'fitness: {limit: 500, hash: 1}\nga: {population: 8, generations: 4}\n')


def test_threads():
    one = run('evolve', 'small.yaml', '-o', 'one.db', '--threads', '1')
    check('evolve ends with 0', one.returncode == 0, one.stderr)
    check('and says what was left out', '1 line left out' in one.stdout and
          'suite.epd:41' in one.stdout, one.stdout)
    two = run('evolve', 'small.yaml', '-o', 'two.db', '--threads', '2')
    check('1 and 2 threads give the same run', two.returncode == 0 and dump('one.db') == dump('two.db'))
    best = query('one.db', 'SELECT measure FROM generation ORDER BY idx')
    lowest = query('one.db', 'SELECT min(measure) FROM genome JOIN organism ON genome = id'
                             ' GROUP BY generation ORDER BY generation')
    check('the best of a generation has the fewest nodes', best == lowest, (best, lowest))
    status = run('status', 'one.db')
    check('status has the fewest nodes of all',
          '{:,}'.format(min(best)[0]) in status.stdout and 'a position' in status.stdout, status.stdout)
    return one


def test_outcome():
    with open('one.yaml') as f:
        text = f.read()
    check('the outcome is of kind search', 'kind: search\n' in text, text)
    for form in ('yaml', 'json', 'c', 'csv', 'uci'):
        from_run, from_file = (run('export', name, '--format', form) for name in ('one.db', 'one.yaml'))
        same = [line for line in from_run.stdout.splitlines() if line[:1] not in '#/'] == \
            [line for line in from_file.stdout.splitlines() if line[:1] not in '#/']
        check('export as %s reads it again' % form, from_file.returncode == 0 and same,
              from_run.stdout + from_file.stdout + from_file.stderr)
    scored = run('score', 'one.db', os.path.join(source, 'data', 'held-out.epd'))
    check('score says that it wants an evaluation',
          scored.returncode == 2 and 'kind search;' in scored.stderr, scored.stderr)
    good = run('verify', 'one.db')
    check('verify finds the run as stored', good.returncode == 0, good.stderr)
    shutil.copy('one.db', 'changed.db')
    with sqlite3.connect('changed.db') as db:
        db.execute('UPDATE genome SET held_out = held_out + 1 WHERE held_out IS NOT NULL')
        db.execute('UPDATE generation SET held_out = held_out + 1')
    bad = run('verify', 'changed.db')
    check('a change is found', bad.returncode == 1 and 'held-out' in bad.stderr, bad.stderr)
    for kind, wanted in (('linear', b'nodes to solution (millions, 20 positions)'),
                         ('log', b'geometric mean')):
        drawn = run('evolve', 'small.yaml', '-o', kind + '.db', '--set', 'fitness.scale=' + kind,
                    '--set', 'fitness.definition=stable')
        check('scale %s, definition stable' % kind, drawn.returncode == 0, drawn.stderr)
        with open(kind + '.svg', 'rb') as f:
            check('its plot has the axis', wanted in f.read())


def test_modern():
    space = os.path.join(source, 'params', 'search-modern-space.yaml')
    done = run('evolve', 'small.yaml', '-o', 'modern.db', '--set', 'space=' + space, '--set',
               'fitness.evaluation=' + os.path.join(source, 'params', 'paper-eval.yaml'))
    check('the modern space evolves', done.returncode == 0, done.stderr)
    again = run('export', 'modern.yaml', '--format', 'json')
    check('and its outcome loads', again.returncode == 0 and 'search-modern' in again.stdout, again.stderr)
    roles = query('modern.db', "SELECT path FROM data WHERE role = 'evaluation'")
    check('the evaluation is among the data', len(roles) == 1 and 'paper-eval.yaml' in roles[0][0], roles)


def test_seeds():
    """Generation 0 begins with a file's values and a run's best; the rest is what it was."""
    best = query('one.db', 'SELECT min(measure) FROM genome')
    seeded = ['evolve', 'small.yaml', '--set', 'ga.seeds=[one.yaml, one.db]', '-o']
    done = run(*seeded, 'seeded.db')
    organisms = 'SELECT measure FROM genome JOIN organism ON genome = id WHERE generation = 0 ORDER BY idx'
    population = query('seeded.db', organisms)
    check('a run begins with its seeds', done.returncode == 0 and population[:2] == 2 * best, done.stderr)
    check('the other organisms are the random ones', population[2:] == query('one.db', organisms)[2:])
    os.rename('one.db', 'moved.db')
    good = run('verify', 'seeded.db')
    check('verify needs no file of the seeds', good.returncode == 0, good.stderr)
    child = start(*(word.replace('one.db', 'moved.db') for word in seeded), 'broken.db', '--set', SLOW)
    wait_for(lambda: rows('broken.db', 'genome') > 0)
    child.kill()
    child.communicate()
    os.rename('moved.db', 'one.db')
    with sqlite3.connect('broken.db') as db:
        check('its store has them', db.execute('SELECT source FROM seed ORDER BY idx').fetchall() ==
              [('one.yaml',), ('moved.db',)])
    resumed = run('resume', 'broken.db')
    whole = run(*seeded, 'unbroken.db', '--set', SLOW)
    check('resumed, it begins with them', resumed.returncode == whole.returncode == 0 and
          dump('broken.db') == dump('unbroken.db'), resumed.stderr)
    for seeds, reason in (('[%s]' % os.path.join(source, 'params', 'paper-eval.yaml'), 'kind'),
                          ('[modern.db]', 'kind search-modern with 40 genes'), ('[suite.epd]', 'suite.epd'),
                          ('[%s]' % ', '.join(9 * ['one.yaml']), '9 seeds for a population of 8')):
        bad = run('evolve', 'small.yaml', '-o', 'bad.db', '--set', 'ga.seeds=' + seeds)
        check('seeds refused: ' + reason, bad.returncode == 2 and reason in bad.stderr and
              'seeds' in bad.stderr and not os.path.exists('bad.db'), bad.stderr)


def test_defaults():
    """A share of generation 0 begins as the defaults, the first of it as a seed with their values would."""
    organisms = 'SELECT chromosome FROM genome JOIN organism ON genome = id WHERE generation = 0 ORDER BY idx'
    done = run('evolve', 'small.yaml', '-o', 'defaults.db', '--set', 'ga.defaults=0.25')
    with open('values.yaml', 'w') as f:
        f.write('kind: search\nparameters:\n')
        for name, value in query('defaults.db', 'SELECT name, initial FROM gene'):
            f.write('  %s: %d\n' % (name, value))
    seeded = run('evolve', 'small.yaml', '-o', 'initial.db', '--set', 'ga.seeds=[values.yaml]')
    defaults, random = query('defaults.db', organisms), query('one.db', organisms)
    check('a run begins with the defaults', done.returncode == seeded.returncode == 0 and
          defaults[0] == query('initial.db', organisms)[0], done.stderr + seeded.stderr)
    check('in their share, 2 of 8', defaults[1] != random[1] and defaults[2:] == random[2:])
    good = run('verify', 'defaults.db')
    check('verify repeats them', good.returncode == 0, good.stderr)
    page = run('report', 'defaults.db', '-o', '-').stdout
    check('the report tells of them', 'are the defaults and mutants of' in page and 'The other 6 are random' in page)
    bad = run('evolve', 'small.yaml', '-o', 'bad.db', '--set', 'ga.defaults=1.5')
    check('more than all of it is refused', bad.returncode == 2 and 'ga.defaults' in bad.stderr and
          'a number from 0 to 1' in bad.stderr and not os.path.exists('bad.db'), bad.stderr)


def slow(path):
    return ['evolve', 'small.yaml', '-o', path, '--set', SLOW]


def killed_in_generation_0():
    """The path of a run killed after its first organisms. The run mostly sleeps, so the clock by which it
    keeps organisms ends while few are measured, however fast the machine; a busy one may need another attempt."""
    for path in ('first-%d.db' % n for n in range(20)):
        child = start(*slow(path))
        while rows(path, 'genome') == 0 and child.poll() is None:
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            child.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        child.kill()
        child.communicate()
        if rows(path, 'generation') == 0:
            break
    return path


def test_kills():
    whole = run(*slow('whole.db'))
    check('a slower run', whole.returncode == 0, whole.stderr)
    first = killed_in_generation_0()
    check('organisms are kept before their generation is complete',
          rows(first, 'genome') > 0 and rows(first, 'generation') == 0)
    run('resume', first, '--threads', '1')
    check('killed inside generation 0 and resumed, it is the same run', dump(first) == dump('whole.db'))
    last = tap.kill_often(lambda: start(*slow('killed.db')),
                          lambda threads: start('resume', 'killed.db', '--threads', str(threads)),
                          'killed.db', lambda: rows('killed.db', 'genome'), kills=8, most=6)
    check('kill -9 leaves a run that resumes', last.returncode == 0, last.error)
    check('killed and resumed, it is the same run', dump('killed.db') == dump('whole.db'))


def test_interrupt():
    child = start(*slow('cut.db'))
    wait_for(lambda: rows('cut.db', 'generation') > 0)
    measured = rows('cut.db', 'genome')
    wait_for(lambda: rows('cut.db', 'genome') > measured)
    child.send_signal(signal.SIGINT)
    error = child.communicate()[1]
    check('Ctrl-C ends it with 130', child.returncode == 130, child.returncode)
    check('and says how to go on', 'grayling resume cut.db' in error, error)
    check('what was measured is kept', rows('cut.db', 'genome') > measured)
    again = run('resume', 'cut.db')
    check('interrupted and resumed, it is the same run',
          again.returncode == 0 and dump('cut.db') == dump('whole.db'), again.stderr)


def test_interrupt_within_a_search():
    """The search of one position alone would take minutes."""
    child = start('evolve', 'small.yaml', '-o', 'endless.db', '--set', 'fitness.limit=1000000000')
    wait_for(lambda: rows('endless.db', 'gene') > 0)
    child.send_signal(signal.SIGINT)
    try:
        child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
    check('Ctrl-C does not wait for the end of a search', child.returncode == 130, child.returncode)


def local_clock(seconds_to_go):
    """A time zone in which a minute ends in so many seconds, and the name of the next minute."""
    now = time.time()
    shift = int(60 - seconds_to_go - now % 60) % 60
    when = time.gmtime(now + shift + 60)
    return {**os.environ, 'TZ': 'TST-0:00:%02d' % shift}, '%02d:%02d' % (when.tm_hour, when.tm_min)


def test_until():
    clock, minute = local_clock(8)
    began = time.time()
    done = run('evolve', 'small.yaml', '-o', 'until.db', '--set', 'ga.generations=100000',
               '--until', minute, env=clock)
    seconds = time.time() - began
    check('--until ends it in time, with 0', done.returncode == 0 and 1 < seconds < 60,
          (done.returncode, seconds, done.stderr))
    check('with the best so far', 'stopped after generation' in done.stdout and
          os.path.getsize('until.yaml') > 500, done.stdout)
    whole, cut = dump('one.db'), dump('until.db')
    same = min(len(whole[2]), len(cut[2]))
    check('which is the beginning of the whole run', same > 0 and whole[2][:same] == cut[2][:same])
    clock, minute = local_clock(5)
    again = run('resume', 'until.db', '--until', minute, env=clock)
    check('and so does resume', again.returncode == 0 and len(dump('until.db')[0]) > len(cut[0]), again.stderr)
    past = time.strftime('%H:%M', time.localtime(time.time() - 60))
    other = run('evolve', 'small.yaml', '-o', 'past.db', '--until', past)
    check('a time that is past is that of tomorrow', other.returncode == 0 and 'complete' in other.stdout,
          other.stdout)


small_recipe()
test_threads()
test_outcome()
test_modern()
test_seeds()
test_defaults()
test_kills()
test_interrupt()
test_interrupt_within_a_search()
test_until()
tap.plan()
