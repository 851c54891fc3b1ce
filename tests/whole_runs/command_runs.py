"""A run from the command line: the same whatever is done to it on the way."""
import os
import shutil
import signal
import sqlite3

import tap
from tap import (check, count_rows, dump, head, interrupt, query, read, refuses, run, source, start, wait_for, work,
                 works, write)

GENERATIONS = 60


def small_recipe():
    head('train-1.epd', 60)
    head('held-out.epd', 60)
    write('small.yaml', 'name: small\nphase: evaluation\nseed: 3\n'
            'data: {train: [train-1.epd], held_out: [held-out.epd]}\n'
            'ga: {population: 40, generations: %d}\n' % GENERATIONS)


def test_threads():
    one = works('evolve ends with 0', 'evolve', 'small.yaml', '-o', 'whole.db', '--threads', '1')
    check('the result has intervals', '95 % interval' in one.stdout and ' of 60 ' in one.stdout,
          one.stdout)
    two = run('evolve', 'small.yaml', '-o', 'two.db', '--threads', '2')
    check('1 and 2 threads give the same run', two.returncode == 0 and dump('whole.db') == dump('two.db'))
    check('at rest a run is one file', not [n for n in os.listdir() if '.db-' in n or '.new' in n],
          os.listdir())
    check('the parameters stand beside it', os.path.getsize('whole.yaml') > 500)


def test_interrupt():
    child = start('evolve', 'small.yaml', '-o', 'cut.db', '--set', 'ga.generations=100000')
    wait_for(lambda: count_rows('cut.db', 'generation') > 5)
    child.send_signal(signal.SIGSTOP)
    refuses('a second writer is refused', 'locked by another', 'resume', 'cut.db')
    refuses('by force too', 'locked by another', 'evolve', 'small.yaml', '-o', 'cut.db', '--force')
    works('status reads it meanwhile', 'status', 'cut.db', says='running')
    child.send_signal(signal.SIGCONT)
    error = interrupt(child)
    check('Ctrl-C ends it with 130', child.returncode == 130, child.returncode)
    check('and says how to go on', 'grayling resume cut.db' in error, error)
    status = run('status', 'cut.db')
    check('then it is stopped', 'stopped' in status.stdout, status.stdout)
    whole, cut = (query(path, 'SELECT * FROM organism ORDER BY generation, idx') for path in ('whole.db', 'cut.db'))
    same = min(len(whole), len(cut))
    check('a run cut short is the beginning of the whole one', whole[:same] == cut[:same])


def test_verify():
    works('verify finds the run as stored', 'verify', 'whole.db')
    shutil.copy('whole.db', 'changed.db')
    with sqlite3.connect('changed.db') as db:
        db.execute('UPDATE genome SET measure = measure + 1 WHERE id = (SELECT genome FROM organism'
                   ' WHERE generation = ? AND idx = 30)', (GENERATIONS,))
    refuses('a change is found', 'generation', 'verify', 'changed.db', code=1)
    with open('train-1.epd', 'a') as f:
        f.write('\n')
    for command in ('verify', 'resume'):
        refuses(command + ' refuses changed data', 'train-1.epd', command, 'cut.db')
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
    refuses('an existing run is not overwritten', '--force', 'evolve', 'small.yaml', '-o', 'whole.db')
    write('new.yaml', 'mine\n')
    refuses('nor a file where the outcome goes', 'new.yaml exists', 'evolve', 'small.yaml', '-o', 'new.db',
            absent='new.db')
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
        before, path = read(name), os.path.join(work, name.replace('.yaml', '.db'))
        for force in ((), ('--force',)):
            refused = run('evolve', 'small.yaml', '-o', path, *settings, *force)
            check(' '.join(('the outcome does not replace the', role, *force)), refused.returncode == 2 and
                  '%s is the %s of the run' % (name, role) in refused.stderr and '--force' not in refused.stderr and
                  read(name) == before, refused.stderr)


small_recipe()
tap.main()
