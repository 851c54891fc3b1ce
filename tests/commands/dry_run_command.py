"""evolve --dry-run: what would run, how long it would take, and nothing left behind."""
import fcntl
import os
import re
import shlex
import time

import tap
from tap import check, read, run, source, works, write

recipes = os.path.join(source, 'params/recipes')
os.mkdir('temporary')
os.mkdir('here')
os.environ['TMPDIR'] = os.path.abspath('temporary')
os.environ['OMP_NUM_THREADS'] = '1'  # a calibration takes its time with any number of threads
os.chdir('here')
FEW = ('--set', 'data.first=200', '--set', 'data.held_out=[]')  # positions, which are read quickly
# A calibration says how long it takes, and here takes an eighth of that. (A build for sanitizers has no such library.)
SOONER = dict(os.environ)
if os.path.exists(library := os.path.join(tap.build, 'tests', 'libstep_clock.so')):
    SOONER.update(LD_PRELOAD=library, SOONER='8')
DURATION = r'[0-9.]+ (?:ms|s|min|h|d)(?: [0-9]+ (?:s|min|h))?'


def evolve(recipe, *arguments):
    return run('evolve', os.path.join(recipes, recipe + '.yaml'), *arguments, env=SOONER)


def check_clean(what):
    check(what + ': nothing is left', os.listdir('.') == os.listdir('../temporary') == [],
          os.listdir('.') + os.listdir('../temporary'))


def check_run(recipe, measure, *settings):
    """A run: its head, its files, its time."""
    done = evolve(recipe, '--dry-run', *settings)
    lines = [line for line in done.stdout.splitlines() if line[:8] not in ('games   ', 'pace    ')]
    name = recipe + '-seed1'
    check(f'{recipe}: the head', done.returncode == 0 and len(lines) > 2 and
          lines[0] == f'run      {name}.db: recipe {recipe}, seed 1' and
          lines[1].startswith('search   ') and lines[2].startswith('measure  ' + measure),
          done.stdout + done.stderr)
    check(f'{recipe}: the files', [line.split()[-1] for line in lines[3:8]] ==
          [name + e for e in ('.db', '.yaml', '.svg', '.png', '.html')] and
          lines[3].startswith('writes   '), done.stdout)
    check(f'{recipe}: the time', len(lines) == 10 and
          re.fullmatch(f'time     {DURATION} to {DURATION}, from a calibration of (?:1.5|6.0|24.0) s', lines[8]) and
          lines[9] == 'nothing was written', done.stdout)
    check_clean(recipe)


def test_killed():
    """A night that is killed while it fits leaves a folder, which the next start removes; not that of a process
    that lives."""
    os.mkdir('../temporary/grayling-scratch-living')
    living = os.open('../temporary/grayling-scratch-living', os.O_RDONLY)
    fcntl.flock(living, fcntl.LOCK_EX)
    night = tap.start('evolve', os.path.join(recipes, 'night.yaml'), '--hours', '0.5', '-o', 'killed.db',
                      '--set', 'stages.evolve.set.data={first: 200, held_out: []}')
    left = []
    while not left and night.poll() is None:
        left = [f for f in os.listdir('../temporary') if f != 'grayling-scratch-living']
        time.sleep(0.01)
    night.kill()
    night.communicate()
    left = [f for f in os.listdir('../temporary') if f != 'grayling-scratch-living']
    check('a night that is killed leaves its folder', len(left) == 1 and not os.path.exists('killed.db'), left)
    done = evolve('paper', '--dry-run', '--hours', '0.00001', '--threads', '1', *FEW)
    check('the next start removes it', done.returncode == 0 and
          os.listdir('../temporary') == ['grayling-scratch-living'], os.listdir('../temporary'))
    check('a time limit', '\nends     after 36 ms at the latest\n' in done.stdout and
          ', 1 thread\n' in done.stdout, done.stdout + done.stderr)
    os.close(living)  # so that the next start removes this too


def test_runs():
    check_run('quick', 'moves matched, ', *FEW)
    check_run('search-quick', 'nodes to solution, ', '--set', 'data.first=10')
    check_run('coevolution', 'points, ', '--set', 'fitness.limit=100')


def test_mates():
    """Nothing is played in generation 0, so the time is that of games."""
    done = evolve('coevolution', '--dry-run', '--set', 'fitness.limit=200', '--set', 'fitness.mates=yes',
                  '--set', 'optimiser.kind=spsa', '--set', 'ga.population=5', '--set', 'data.opponent=""')
    measured = re.search(f'\ntime     {DURATION} to {DURATION}, .*\npace     [0-9,]+ games an hour, from [0-9,]+ games?\n',
                         done.stdout)
    busy = 'pace     not measured: no game ended in ' in done.stdout and 'time     not known' in done.stdout
    check('mates: the time, and the pace', done.returncode == 0 and 'time     0 ' not in done.stdout and
          (measured or busy), done.stdout + done.stderr)
    check_clean('mates')


def test_nights():
    night = evolve('night', '--dry-run', '--hours', '0.5', '-o', 'mine.db', '--set',
                   'stages.search.set.fitness.limit=1000', '--set', 'stages.evolve.set.data={first: 200, held_out: []}')
    check('a night: what it is', night.returncode == 0 and night.stdout.startswith(
        'run      mine.db: a night of 5 stages, recipe night, seed 1\n'), night.stdout + night.stderr)
    check('a night: what it does meanwhile', night.stderr.startswith('checking the stages\n') and
          'stage 1 of 5:  calibrating coevolve' in night.stderr, night.stderr)
    check('a night: its files', re.findall(r'\n(?:writes|      )   (mine\S*)', night.stdout) ==
          ['mine.db'] + [f'mine-{s}.yaml' for s in ('evolve', 'coevolve', 'search', 'play')] + ['mine.html'],
          night.stdout)
    for stage, share in (('evolve', '1 min 30 s'), ('coevolve', '9 min 00 s'), ('search', '9 min 54 s'),
                         ('play', '5 min 42 s')):
        check(f'a night: {stage}', re.search(f'\n  {stage} +{share} +{DURATION} to {DURATION}', night.stdout),
              night.stdout)
    check('a night: its match and its time', '  match          3 min 54 s   10 pairings, 1000 games each\n'
          'time     30 min 00 s at most\nneeds    ' in night.stdout and night.stdout.endswith('\nnothing was written\n'),
          night.stdout)
    short = evolve('night', '--dry-run', '--hours', '0.00001', '--set', 'stages.search.set.fitness.limit=100',
                   '--set', 'stages.evolve.set.data={first: 200, held_out: []}')
    check('a night too short for its stages says what it needs, and does less', re.search(
        f'\nneeds    {DURATION} at least, more than it is given: --hours H gives it more\n'
        r'fits     evolve has 1 of its 10 runs: each needs [\d.]+ s\n'
        r'fits     evolve has 20 of its 200 positions: all need [\d.]+ s\n'
        r'fits     coevolve is left out, and evolve stands for it: a generation needs [\d.]+ s, its share is 0.0 s\n'
        r'fits     play is left out, and search stands for it: ', short.stdout), short.stdout + short.stderr)
    check_clean('a night')
    compare = evolve('compare-moves', '--dry-run', '--set', 'runs=2', '--set',
                     'set.data={first: 200, held_out: []}')
    check('a comparison: the time that its stages need', compare.returncode == 0 and
          len(re.findall(f'\n  [a-z-]+ +{DURATION} to {DURATION}, all runs(?=\n)', compare.stdout)) == 8 and
          re.search(f'\ntime     {DURATION} to {DURATION}\nnothing was written\n$', compare.stdout),
          compare.stdout + compare.stderr)
    check_clean('a comparison')


def head_commands(recipe):
    """The commands in the comment that a recipe begins with, as lists of words."""
    head = re.match('(?:#.*\n)*', read(os.path.join(recipes, recipe + '.yaml')))[0]
    return [shlex.split(line) for line in re.findall('#   grayling (.*)', re.sub(r'\\\n#', '', head))]


def test_example():
    """The example of a recipe needs no file but those that come with the program."""
    os.mkdir('../example')
    os.chdir('../example')
    os.symlink(os.path.join(source, 'params'), 'params')
    space, evolve_words = head_commands('coevolution-groups')
    works('an example: its space', *space)
    works('an example: its seed lies in it', *evolve_words, '--dry-run', '--set', 'fitness.limit=100',
          says='nothing was written', env=SOONER)
    os.chdir('../here')


def test_refused():
    """What evolve refuses, its dry run refuses."""
    done = evolve('quick', '--dry-run', '--until', 'noon')
    check('a wrong time', done.returncode == 2 and '--until takes a time' in done.stderr, done.stderr)
    write('quick-seed1.db', 'something else')
    done = evolve('quick', '--dry-run')
    check('a file that exists', done.returncode == 2 and 'quick-seed1.db' in done.stderr and
          os.listdir('.') == ['quick-seed1.db'] and not done.stdout, done.stdout + done.stderr)


tap.main()
