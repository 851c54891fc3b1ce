"""`grayling reproduce` as a user meets it: the list, names that mean nothing, suites that are absent,
and that what was interrupted goes on. Speaks TAP.

    reproduce_command.py GRAYLING SOURCE
"""
import glob
import os
import re
import signal
import subprocess
import sys

import tap
from tap import check

grayling, source = map(os.path.abspath, sys.argv[1:3])
tap.enter_scratch()


def reproduce(*arguments):
    return tap.run(grayling, 'reproduce', *arguments)


listed = reproduce()
check('without a name it lists what there is', listed.returncode == 0
      and all(name in listed.stdout for name in ('david-2002-table-1', 'david-2008-table-7', 'zugzwang')),
      listed.stdout)
check('help says how', 'usage: grayling reproduce' in reproduce('--help').stdout)

unknown = reproduce('david-1999')
check('a table that is not known lists those that are', unknown.returncode == 2
      and "no table 'david-1999'" in unknown.stderr and 'david-2008-table-7' in unknown.stderr,
      unknown.stderr)
check('nothing is begun', not os.path.exists('runs'))

absent = reproduce('david-2008-table-3', '--quick', '--suites', 'nowhere')
check('a suite that is absent is named, with where it is to be had and its size', absent.returncode == 2
      and all(word in absent.stderr for word in ('nowhere/ecm879.epd', '879 positions', 'github.com')),
      absent.stderr)

first = reproduce('david-2008-table-7', '--quick')
check('a table has published and own rows', first.returncode == 0 and 'Falcon, published' in first.stdout
      and 'NMR R = 3~4, ours' in first.stdout and 'Claim:' in first.stdout, first.stdout + first.stderr)
check('progress names what is counted', 'search 7 of 7:  Figure 3, 30 plies' in first.stderr and 'piece' not in first.stderr,
      first.stderr)
check('and shows each state once', len(re.findall(' 7 of 7:.*', first.stderr)) == len(set(re.findall(' 7 of 7:.*', first.stderr))), first.stderr)
size = os.path.getsize('runs/reproduce/reproduce.ledger')
again = reproduce('david-2008-table-7', '--quick')
check('what was measured is not measured again', again.stdout == first.stdout
      and os.path.getsize('runs/reproduce/reproduce.ledger') == size)

page = reproduce('david-2008-table-7', '--quick', '--format', 'markdown', '-o', 'page.md')
text = open('page.md').read()
check('Markdown goes to a file', page.returncode == 0 and text.startswith('### david-2008, Table 7')
      and '`grayling reproduce david-2008-table-7 --quick`' in text, text)
check('and its name is said', page.stderr.endswith('tables      page.md\n'), page.stderr)
lines = [line for line in text.splitlines() if line.startswith('|')]
check('every row of the table has all columns', len({line.count('|') for line in lines}) == 1, text)
check('an existing file is refused', reproduce('david-2008-table-7', '--quick', '-o', 'page.md').returncode == 2)
check('unless it is to be overwritten, which measures nothing again',
      reproduce('david-2008-table-7', '--quick', '-o', 'page.md', '--force').returncode == 0
      and os.path.getsize('runs/reproduce/reproduce.ledger') == size)

six = reproduce('david-2008-table-2', '--quick').stderr
check('positions searched one after another are one step', six.count('search 30 of 30:') == 1 and ' of 5:' not in six, six)

# Interrupted as soon as something is in the ledger, and taken up.
command = [grayling, 'reproduce', 'david-2008-table-6', '--quick', '--runs']
process = subprocess.Popen(command + ['cut'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
tap.wait_for(lambda: os.path.exists('cut/reproduce.ledger') and open('cut/reproduce.ledger').read().count('\n') > 5)
process.send_signal(signal.SIGINT)
message = process.communicate(timeout=60)[1]
games = open('cut/reproduce.ledger').read().count('\n') - 1
check('an interrupted table says that it goes on', process.returncode == 130 and 'continues from here' in message
      and 0 < games < 60, (process.returncode, message, games))
resumed = tap.run(*command, 'cut')
whole = tap.run(*command, 'whole', '--threads', '1')
check('it comes to what an uninterrupted one comes to', resumed.stdout == whole.stdout != '',
      (resumed, whole))

with open('whole/reproduce.ledger') as f:
    ledger = f.read()
with open('whole/reproduce.ledger', 'w') as f:
    f.write(re.sub(r' [012]\n\Z', ' 7\n', ledger))
check('a result that is none is played again', tap.run(*command, 'whole').stdout == whole.stdout
      and open('whole/reproduce.ledger').read().endswith(ledger.splitlines()[-1] + '\n'))

with open('cut/reproduce.ledger') as f:
    ledger = f.read()
with open('cut/reproduce.ledger', 'w') as f:
    f.write(re.sub('search [0-9]+', 'search 1', ledger, count=1))
refused = tap.run(*command, 'cut')
check('what another program measured is refused', refused.returncode == 2 and 'reproduce.ledger:1:' in refused.stderr,
      refused.stderr)
check('and thrown away when told to', tap.run(*command, 'cut', '--anew').returncode == 0)

# What was begun anew, and is interrupted, goes on by the command without --anew.
process = tap.start(*command, 'whole', '--anew', '--threads', '1')
tap.wait_for(lambda: 5 < tap.read('whole/reproduce.ledger').count('\n') < 60)
process.send_signal(signal.SIGINT)
message = process.communicate(timeout=60)[1]
ledger = tap.read('whole/reproduce.ledger')
check('one that was begun anew says how it goes on', process.returncode == 130
      and 'the same command without --anew continues from here' in message, (process.returncode, message))
check('and goes on so', tap.run(*command, 'whole').stdout == whole.stdout
      and tap.read('whole/reproduce.ledger').startswith(ledger), ledger)

# A run that is complete is read, so that kept ones stay as they are.
evolve = ('david-2014-figure-2', '--quick', '--recipes', os.path.join(source, 'params', 'recipes'))


def read_runs():
    return {name: open(name, 'rb').read() for name in glob.glob('runs/reproduce/*.db')}


evolved = reproduce(*evolve)
runs = read_runs()
check('what evolves leaves its runs', evolved.returncode == 0 and len(runs) == 3
      and 'without fitted tables' in evolved.stdout, evolved.stdout + evolved.stderr)
check('and the next time reads them, to the same table, and changes no byte',
      reproduce(*evolve).stdout == evolved.stdout and read_runs() == runs)

tap.plan()
