"""The runs behind `grayling reproduce`: kept ones are read, compressed or not, and a night that was
interrupted is not gone on with at the usual size. Speaks TAP.

    reproduce_runs.py GRAYLING SOURCE
"""
import os
import shutil
import signal
import subprocess
import sys

import tap
from tap import check, compress

grayling, source = map(os.path.abspath, sys.argv[1:3])
work = tap.enter_scratch()
for folder in ('params', 'data'):
    shutil.copytree(os.path.join(source, folder), folder)
RECIPES = os.path.join('params', 'recipes')

# A suite of the size of ECM, of mates in two.
os.mkdir('suites')
tap.write('suites/ecm879.epd', 879 * '8/6k1/R7/8/8/8/5P2/1R2K2n w - - bm Rb7+;\n')


def reproduce(*arguments):
    return tap.run(grayling, 'reproduce', *arguments, '--recipes', RECIPES, '--runs', 'kept',
                   '--suites', 'suites')


evolve = ('david-2014-figure-3', '--quick')
first = reproduce(*evolve)
check('a table evolves its runs', first.returncode == 0 and os.path.exists('kept/paper-seed1-quick.db'),
      first.stderr)

for seed in ('1', '2'):
    compress('kept/paper-seed%s-quick.db' % seed)
compressed = reproduce('david-2014-phase-2', '--quick')
check('coevolution begins with the organisms of compressed runs', compressed.returncode == 0
      and not os.path.exists('kept/paper-seed1-quick.db'), compressed.stderr)


def interrupt_once_there(path, *arguments):
    command = [grayling, 'reproduce', 'david-2014-table-2', *arguments, '--recipes', RECIPES, '--runs', 'kept',
               '--suites', 'suites']
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    there = tap.wait_for(lambda: os.path.exists(path) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    return there and os.path.exists(path), process.communicate(timeout=120)[1]


there, message = interrupt_once_there('kept/search-seed1.db', '--overnight')
check('a night is interrupted', there, message)
state = tap.run(grayling, 'status', 'kept/search-seed1.db').stdout
check('before it is complete', 'complete' not in state, state)
there, message = interrupt_once_there('kept/search-ecm-small.db')
check('the usual size evolves its own run', there, message)

tap.plan()
os.chdir('/')
shutil.rmtree(work)
