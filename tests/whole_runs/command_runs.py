"""A run from the command line: the same whatever is done to it on the way. Speaks TAP.

    command_runs.py GRAYLING SOURCE
"""
import os
import shutil
import signal
import sqlite3
import sys

import tap
from tap import check, dump, rows, wait_for

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tap.enter_scratch()
GENERATIONS = 600


def run(*arguments, **options):
    return tap.run(grayling, *arguments, **options)


def start(*arguments):
    return tap.start(grayling, *arguments)


def head(name, lines):
    """The first lines of one of the project's data files."""
    with open(os.path.join(source, 'data', name)) as f, open(name, 'w') as out:
        out.writelines(f.readline() for _ in range(lines))


def small_recipe():
    head('train-1.epd', 60)
    head('held-out.epd', 60)
    with open('small.yaml', 'w') as f:
        f.write('name: small\nphase: evaluation\nseed: 3\n'
                'data: {train: [train-1.epd], held_out: [held-out.epd]}\n'
                'ga: {population: 40, generations: %d}\n' % GENERATIONS)


def test_threads():
    one = run('evolve', 'small.yaml', '-o', 'whole.db', '--threads', '1')
    check('evolve ends with 0', one.returncode == 0, one.stderr)
    check('the result has intervals', '95 % interval' in one.stdout and ' of 60 ' in one.stdout,
          one.stdout)
    two = run('evolve', 'small.yaml', '-o', 'two.db', '--threads', '2')
    check('1 and 2 threads give the same run', two.returncode == 0 and dump('whole.db') == dump('two.db'))
    check('at rest a run is one file', not [n for n in os.listdir() if '.db-' in n or '.new' in n],
          os.listdir())
    check('the parameters stand beside it', os.path.getsize('whole.yaml') > 500)


def test_interrupt():
    child = start('evolve', 'small.yaml', '-o', 'cut.db', '--set', 'ga.generations=100000')
    wait_for(lambda: rows('cut.db', 'generation') > 5)
    child.send_signal(signal.SIGSTOP)
    second = run('resume', 'cut.db')
    check('a second writer is refused', second.returncode == 2 and 'locked by another' in second.stderr,
          second.stderr)
    forced = run('evolve', 'small.yaml', '-o', 'cut.db', '--force')
    check('by force too', forced.returncode == 2 and 'locked by another' in forced.stderr,
          forced.stderr)
    status = run('status', 'cut.db')
    check('status reads it meanwhile', status.returncode == 0 and 'running' in status.stdout,
          status.stdout + status.stderr)
    child.send_signal(signal.SIGCONT)
    child.send_signal(signal.SIGINT)
    error = child.communicate()[1]
    check('Ctrl-C ends it with 130', child.returncode == 130, child.returncode)
    check('and says how to go on', 'grayling resume cut.db' in error, error)
    status = run('status', 'cut.db')
    check('then it is stopped', 'stopped' in status.stdout, status.stdout)
    whole, cut = dump('whole.db'), dump('cut.db')
    same = min(len(whole[2]), len(cut[2]))
    check('a run cut short is the beginning of the whole one', whole[2][:same] == cut[2][:same])


def test_verify():
    good = run('verify', 'whole.db')
    check('verify finds the run as stored', good.returncode == 0, good.stderr)
    shutil.copy('whole.db', 'changed.db')
    with sqlite3.connect('changed.db') as db:
        db.execute('UPDATE genome SET measure = measure + 1 WHERE id = (SELECT genome FROM organism'
                   ' WHERE generation = ? AND idx = 30)', (GENERATIONS,))
    bad = run('verify', 'changed.db')
    check('a change is found', bad.returncode == 1 and 'generation' in bad.stderr, bad.stderr)
    with open('train-1.epd', 'a') as f:
        f.write('\n')
    for command in ('verify', 'resume'):
        other = run(command, 'cut.db')
        check(command + ' refuses changed data',
              other.returncode == 2 and 'train-1.epd' in other.stderr, other.stderr)
    head('train-1.epd', 60)


def test_outcome_beside():
    """Only what follows the last # of a path can be a stage, and a folder cannot."""
    os.mkdir('c#')
    made = run('evolve', 'small.yaml', '-o', 'c#/run.db', '--set', 'ga.generations=1')
    check('a folder with # in its name', made.returncode == 0 and os.path.exists('c#/run.yaml'), made.stderr)


def test_fixed_gene():
    """What a run's space fixes, an engine has to be told; what is a constant of the engine, it has not."""
    with open(os.path.join(source, 'params', 'eval-space.yaml')) as f, open('space.yaml', 'w') as out:
        out.writelines('  KNIGHT_VALUE: {bits: 0, min: 300, max: 300}\n' if 'KNIGHT_VALUE' in line else line
                       for line in f)
    made = run('evolve', 'small.yaml', '-o', 'fixed.db', '--set', 'ga.generations=1', '--set', 'space=space.yaml')
    options = run('export', 'fixed.db', '--format', 'uci').stdout.splitlines()
    check('a gene that a space fixes is exported for UCI', len(options) == 34
          and options[0] == 'setoption name KNIGHT_VALUE value 300', options or made.stderr)


def test_outputs():
    with open('whole.db', 'rb') as f:
        before = f.read()
    again = run('evolve', 'small.yaml', '-o', 'whole.db')
    check('an existing run is not overwritten', again.returncode == 2 and '--force' in again.stderr,
          again.stderr)
    with open('new.yaml', 'w') as f:
        f.write('mine\n')
    beside = run('evolve', 'small.yaml', '-o', 'new.db')
    check('nor a file where the outcome goes',
          beside.returncode == 2 and 'new.yaml exists' in beside.stderr and
          not os.path.exists('new.db'), beside.stderr)
    with open('whole.db', 'rb') as f:
        check('and nothing has changed', f.read() == before)
    forced = run('evolve', 'small.yaml', '-o', 'new.db', '--force')
    check('unless by force', forced.returncode == 0 and os.path.getsize('new.yaml') > 500,
          forced.stderr)
    drawn = run('plot', 'whole.db', '-o', 'drawn.svg')
    check('plot draws', drawn.returncode == 0 and os.path.getsize('drawn.svg') > 2000, drawn.stderr)


def test_inputs():
    """A run never replaces what it reads, not even by force."""
    for role, name, settings in (('recipe', 'small.yaml', ()), ('seeds', 'new.yaml', ('--set', 'ga.seeds=[new.yaml]'))):
        before, path = tap.read(name), os.path.join(work, name.replace('.yaml', '.db'))
        for force in ((), ('--force',)):
            refused = run('evolve', 'small.yaml', '-o', path, *settings, *force)
            check(' '.join(('the outcome does not replace the', role, *force)), refused.returncode == 2 and
                  '%s is the %s of the run' % (name, role) in refused.stderr and '--force' not in refused.stderr and
                  tap.read(name) == before, refused.stderr)


def test_usage():
    for command in ('evolve', 'resume', 'status', 'verify', 'plot'):
        shown = run(command, '--help')
        check(command + ' --help has an example',
              shown.returncode == 0 and '\n  grayling %s ' % command in shown.stdout and not shown.stderr)
        for wrong in ([], ['--nonsense'], ['none.db', 'another.db']):
            bad = run(command, *wrong)
            check('%s %s is bad usage' % (command, ' '.join(wrong)),
                  bad.returncode == 2 and bad.stderr.count('\n') == 1 and not bad.stdout, bad.stderr)
    for command in (['resume', 'small.yaml'], ['status', 'none.db'], ['verify', '.'],
                    ['plot', 'whole.db', '-o', 'picture.gif'], ['resume', 'whole.db', '--threads', '0'],
                    ['evolve', 'small.yaml', '-o', 'b.db', '--until', '25:00'],
                    ['evolve', 'small.yaml', '-o', 'no/where.db'], ['evolve', 'none.yaml']):
        bad = run(*command)
        check(' '.join(command) + ' is bad input',
              bad.returncode == 2 and bad.stderr.count('\n') == 1, bad.stderr)


small_recipe()
test_threads()
test_interrupt()
test_verify()
test_outcome_beside()
test_fixed_gene()
test_outputs()
test_inputs()
test_usage()
tap.plan()
