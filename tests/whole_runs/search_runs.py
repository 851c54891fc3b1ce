"""A run of phase search from the command line: the same whatever is done to it."""
import os
import re
import signal
import subprocess
import time

import tap
from tap import (check, count_rows, dump, has, interrupt, params, query, read, refuses, run, start, start_slow, wait_for,
                 works, write)

SLOW = ('--set', 'fitness.limit=10000')
FIRST = 'FROM genome JOIN organism ON genome = id WHERE generation = 0 ORDER BY idx'

tap.head('train-1.epd', 20)
write('suite.epd', read('train-1.epd') + '8/8/8/8/8/8/8/8 w - - bm e4;\n')
write('small.yaml', 'name: small\nphase: search\nseed: 3\ndata: {train: [suite.epd], split: halves}\n'
      'fitness: {limit: 500, hash: 1}\nga: {population: 8, generations: 3}\n')


def evolve(name, *words, **options):
    return run('evolve', 'small.yaml', '-o', name, *words, **options)


def seeds(*names):
    return '--set', 'ga.seeds=[%s]' % ', '.join(names)


def test_threads():
    one = evolve('one.db', '--threads', 1)
    check('it says what was left out', one.returncode == 0 and has(one, ('1 line left out', 'suite.epd:21')), one)
    two = evolve('two.db', '--threads', 2)
    check('1 and 2 threads give the same run', two.returncode == 0 and dump('one.db') == dump('two.db'))
    best = query('one.db', 'SELECT measure FROM generation ORDER BY idx')
    lowest = query('one.db', 'SELECT min(measure) FROM genome JOIN organism ON genome = id GROUP BY generation ORDER BY generation')
    check('the best of a generation has the fewest nodes', best == lowest, (best, lowest))
    works('status has the fewest nodes of all', 'status', 'one.db', says=('{:,}'.format(min(best)[0]), 'a position'))


def test_outcome():
    check('the outcome is of kind search', 'kind: search\n' in read('one.yaml'), read('one.yaml'))
    for form in ('yaml', 'json', 'c', 'csv', 'uci'):
        told = [[line for line in run('export', name, '--format', form).stdout.splitlines() if line[:1] not in '#/']
                for name in ('one.db', 'one.yaml')]
        check('export as %s reads it again' % form, told[0] == told[1] != [], told)
    refuses('score says that it wants an evaluation', 'kind search;', 'score', 'one.db', 'train-1.epd')
    works('verify finds the run as stored', 'verify', 'one.db')
    for kind, wanted in (('linear', 'nodes to solution (millions, 10 positions)'), ('log', 'geometric mean')):
        drawn = evolve(kind + '.db', '--set', 'fitness.scale=' + kind, '--set', 'fitness.definition=stable')
        check('scale %s, definition stable: its plot has the axis' % kind, drawn.returncode == 0 and wanted in read(kind + '.svg'), drawn)


def test_modern():
    r = evolve('modern.db', '--set', 'space=' + params('search-modern-space.yaml'), '--set',
               'fitness.evaluation=' + params('paper-eval.yaml'))
    check('the modern space evolves', r.returncode == 0, r)
    works('and its outcome loads', 'export', 'modern.yaml', '--format', 'json', says='search-modern')
    roles = query('modern.db', "SELECT path FROM data WHERE role = 'evaluation'")
    check('the evaluation is among the data', len(roles) == 1 and 'paper-eval.yaml' in roles[0][0], roles)


def test_seeds():
    """Generation 0 begins with a file's values and a run's best; the rest is what it was."""
    best = query('one.db', 'SELECT min(measure) FROM genome')
    r = evolve('seeded.db', *seeds('one.yaml', 'one.db'))
    population = query('seeded.db', 'SELECT measure ' + FIRST)
    check('a run begins with its seeds', r.returncode == 0 and population[:2] == 2 * best, r)
    check('the other organisms are the random ones', population[2:] == query('one.db', 'SELECT measure ' + FIRST)[2:])
    short = (*SLOW, '--set', 'ga.generations=1')
    whole = evolve('unbroken.db', *seeds('one.yaml', 'one.db'), *short)
    os.rename('one.db', 'moved.db')
    works('verify needs no file of the seeds', 'verify', 'seeded.db')
    child = start('evolve', 'small.yaml', '-o', 'broken.db', *seeds('one.yaml', 'moved.db'), *short)
    wait_for(lambda: count_rows('broken.db', 'genome') > 0)
    child.kill()
    child.communicate()
    os.rename('moved.db', 'one.db')
    check('its store has them', query('broken.db', 'SELECT source FROM seed ORDER BY idx') == [('one.yaml',), ('moved.db',)])
    resumed = run('resume', 'broken.db')
    check('resumed, it begins with them', resumed.returncode == whole.returncode == 0 and dump('broken.db') == dump('unbroken.db'), resumed)
    for names, reason in (([params('paper-eval.yaml')], 'kind'), (['modern.db'], 'kind search-modern'),
                          (['suite.epd'], 'suite.epd'), (9 * ['one.yaml'], '9 seeds for a population of 8')):
        bad = evolve('bad.db', *seeds(*names))
        check('seeds refused: ' + reason, bad.returncode == 2 and has(bad, (reason, 'seeds')) and not os.path.exists('bad.db'), bad)


def test_defaults():
    """A share of generation 0 begins as the defaults, the first of it as a seed with their values would."""
    r = evolve('defaults.db', '--set', 'ga.defaults=0.25')
    write('values.yaml', 'kind: search\nparameters:\n' + ''.join(
        '  %s: %d\n' % gene for gene in query('defaults.db', 'SELECT name, initial FROM gene')))
    evolve('initial.db', *seeds('values.yaml'), '--set', 'ga.generations=0')
    defaults, initial, chance = (query(name + '.db', 'SELECT chromosome ' + FIRST) for name in ('defaults', 'initial', 'one'))
    check('a run begins with the defaults, in their share, 2 of 8', r.returncode == 0 and defaults[0] == initial[0] and
          defaults[1] != chance[1] and defaults[2:] == chance[2:], r)
    works('verify repeats them', 'verify', 'defaults.db')
    works('the report tells of them', 'report', 'defaults.db', '-o', '-', says=('are the defaults and mutants of', 'The other 6 are random'))


def killed_in_generation_0():
    """The path of a run killed after its first organisms. The run mostly sleeps, so the clock by which it
    keeps organisms ends while few are measured, however fast the machine; a busy one may need another attempt."""
    for path in ('first-%d.db' % n for n in range(20)):
        child = start('evolve', 'small.yaml', '-o', path, *SLOW)
        while count_rows(path, 'genome') == 0 and child.poll() is None:
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            child.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        child.kill()
        child.communicate()
        if count_rows(path, 'generation') == 0:
            break
    return path


def test_kills():
    evolve('whole.db', *SLOW)
    first = killed_in_generation_0()
    check('organisms are kept before their generation is complete',
          count_rows(first, 'genome') > 0 and count_rows(first, 'generation') == 0)
    run('resume', first, '--threads', 1)
    check('killed inside generation 0 and resumed, it is the same run', dump(first) == dump('whole.db'))


def test_interrupt():
    child = start('evolve', 'small.yaml', '-o', 'cut.db', *SLOW)
    wait_for(lambda: count_rows('cut.db', 'generation') > 0)
    measured = count_rows('cut.db', 'genome')
    wait_for(lambda: count_rows('cut.db', 'genome') > measured)
    error = interrupt(child)
    check('Ctrl-C ends it with 130, and says how to go on', child.returncode == 130 and 'grayling resume cut.db' in error, error)
    check('what was measured is kept', count_rows('cut.db', 'genome') > measured)
    r = run('resume', 'cut.db')
    check('interrupted and resumed, it is the same run', r.returncode == 0 and dump('cut.db') == dump('whole.db'), r)
    child = start('evolve', 'small.yaml', '-o', 'endless.db', '--set', 'fitness.limit=1000000000')
    wait_for(lambda: count_rows('endless.db', 'gene') > 0)
    interrupt(child)
    check('Ctrl-C does not wait for the end of a search of minutes', child.returncode == 130, child.returncode)


def local_clock(seconds_to_go):
    """A time zone in which a minute ends in so many seconds, and the name of the next minute."""
    now = time.time()
    shift = int(60 - seconds_to_go - now % 60) % 60
    when = time.gmtime(now + shift + 60)
    return {**os.environ, 'TZ': 'TST-0:00:%02d' % shift}, '%02d:%02d' % (when.tm_hour, when.tm_min)


def run_slowly(*words, **options):
    child = start_slow(*words, stdout=subprocess.PIPE, **options)
    said = child.communicate()
    return subprocess.CompletedProcess(words, child.returncode, *said)


def test_until():
    clock, minute = local_clock(2)
    began = time.time()
    r = run_slowly('evolve', 'small.yaml', '-o', 'until.db', '--set', 'ga.generations=100000', '--threads', 1, '--until', minute, env=clock)
    check('--until ends it in time, with 0 and the best so far', r.returncode == 0 and 1 < time.time() - began < 60 and
          'stopped after generation' in r.stdout and re.search('parameters:\n', read('until.yaml')), r)
    whole, cut = (query(name, 'SELECT * FROM organism ORDER BY generation, idx') for name in ('one.db', 'until.db'))
    same = min(len(whole), len(cut))
    check('which is the beginning of the whole run', same > 0 and whole[:same] == cut[:same])
    clock, minute = local_clock(2)
    r = run_slowly('resume', 'until.db', '--threads', 1, '--until', minute, env=clock)
    check('and so does resume', r.returncode == 0 and count_rows('until.db', 'organism') > len(cut), r)
    past = time.strftime('%H:%M', time.localtime(time.time() - 60))
    r = evolve('past.db', '--until', past)
    check('a time that is past is that of tomorrow', r.returncode == 0 and 'complete' in r.stdout, r)


tap.main()
