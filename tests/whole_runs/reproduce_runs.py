"""The runs behind `grayling reproduce`: kept ones are read if they are of the same recipe and data, compressed
or not, and a night that was interrupted is not gone on with at the usual size."""
import os
import shutil
import signal
import subprocess

import tap
from tap import check, compress, content, grayling, read, run, source, wait_for, write

for folder in ('params', 'data'):
    shutil.copytree(os.path.join(source, folder), folder)
RECIPES = os.path.join('params', 'recipes')

# A suite of the size of ECM, of mates in two.
os.mkdir('suites')
write('suites/ecm879.epd', 879 * '8/6k1/R7/8/8/8/5P2/1R2K2n w - - bm Rb7+;\n')


def reproduce(*arguments):
    return run('reproduce', *arguments, '--recipes', RECIPES, '--runs', 'kept',
                   '--suites', 'suites')


def change(path, old, new):
    text = read(path)
    assert old in text, (path, old)
    write(path, text.replace(old, new, 1))
    return text


evolve = ('david-2014-figure-3', '--quick')
first = reproduce(*evolve)
check('a table evolves its runs', first.returncode == 0 and os.path.exists('kept/paper-seed1-quick.db'),
      first.stderr)

# Each in its turn, and put back.
recipe = os.path.join(RECIPES, 'paper.yaml')
before = change(recipe, 'rate: 0.005', 'rate: 0.006')
other = reproduce(*evolve)
check('a complete run of another recipe is refused, with the line that differs', other.returncode == 2
      and 'paper-seed1-quick.db is a run of another recipe than paper: it has "rate: 0.005", and not "rate: 0.006"'
      in other.stderr, other.stderr)
write(recipe, before)

positions = os.path.join('data', 'train-1.epd')
before = change(positions, '\n', '\n\n')
other = reproduce(*evolve)
check('and one on other data', other.returncode == 2 and 'train-1.epd (train): its SHA-256 was' in other.stderr,
      other.stderr)
write(positions, before)
kept = content('kept/paper-seed1-quick.db')
check('the same again is read, and no byte is changed', reproduce(*evolve).stdout == first.stdout and
      content('kept/paper-seed1-quick.db') == kept)

for seed in ('1', '2'):
    compress('kept/paper-seed%s-quick.db' % seed)
compressed = reproduce('david-2014-phase-2', '--quick')
check('coevolution begins with the organisms of compressed runs', compressed.returncode == 0
      and not os.path.exists('kept/paper-seed1-quick.db'), compressed.stderr)


def interrupt_once_there(path, *arguments):
    command = [grayling, 'reproduce', 'david-2014-table-2', *arguments, '--recipes', RECIPES, '--runs', 'kept',
               '--suites', 'suites']
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    there = wait_for(lambda: os.path.exists(path) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    return there and os.path.exists(path), process.communicate(timeout=120)[1]


there, message = interrupt_once_there('kept/search-seed1.db', '--overnight')
check('a night is interrupted', there, message)
state = run('status', 'kept/search-seed1.db').stdout
check('before it is complete', 'state        stopped' in state, state)
there, message = interrupt_once_there('kept/search-ecm-small.db')
check('the usual size evolves its own run', there, message)

tap.main()
