"""`grayling reproduce` as a user meets it: the list, names that mean nothing, suites that are absent,
and that what was interrupted goes on."""
import re

import tap
from tap import check, interrupt, read, refuses, run, size_of, start, wait_for, works, write

LEDGER = 'runs/reproduce/reproduce.ledger'
SEVEN = ('reproduce', 'david-2008-table-7', '--quick')
SIX = ('reproduce', 'david-2008-table-6', '--quick', '--runs')


def test_names():
    works('without a name it lists what there is', 'reproduce', says=('david-2002-table-1', 'david-2008-table-7', 'zugzwang'))
    refuses('a table that is not known lists those that are', ("no table 'david-1999'", 'david-2008-table-7'), 'reproduce',
            'david-1999', absent='runs')
    refuses('a suite that is absent is named, with where it is to be had and its size', ('nowhere/ecm879.epd', '879 positions',
            'github.com'), 'reproduce', 'david-2008-table-3', '--quick', '--suites', 'nowhere')


def test_table():
    first = works('a table has published and own rows', *SEVEN, says=('Falcon, published', 'NMR R = 3~4, ours', 'Claim:'))
    check('progress names what is counted', 'search 7 of 7:  Figure 3, 30 plies' in first.stderr and 'piece' not in first.stderr, first)
    states = re.findall(' 7 of 7:.*', first.stderr)
    check('and shows each state once', len(states) == len(set(states)), first)
    size = size_of(LEDGER)
    check('what was measured is not measured again', run(*SEVEN).stdout == first.stdout and size_of(LEDGER) == size)
    page = run(*SEVEN, '--format', 'markdown', '-o', 'page.md')
    text = read('page.md')
    check('Markdown goes to a file, whose name is said', text.startswith('### david-2008, Table 7') and
          '`grayling reproduce david-2008-table-7 --quick`' in text and page.stderr.endswith('tables      page.md\n'), page)
    check('every row of the table has all columns', len({line.count('|') for line in text.splitlines() if line[:1] == '|'}) == 1, text)
    refuses('an existing file is refused', 'page.md exists', *SEVEN, '-o', 'page.md')
    works('unless it is to be overwritten', *SEVEN, '-o', 'page.md', '--force')
    check('which measures nothing again', size_of(LEDGER) == size)
    child, said = start('reproduce', 'david-2008-table-2', '--quick'), ''
    while 'search 3 of 30:' not in said and (line := child.stderr.readline()):
        said += line
    interrupt(child)
    check('positions searched one after another are one step', said.count('search 3 of 30:') == 1 and ' of 5:' not in said, said)


def change_ledger(path, pattern, text):
    ledger = read(path)
    write(path, re.sub(pattern, text, ledger, count=1))
    return ledger


def test_interrupted():
    """As soon as something is in the ledger, and taken up."""
    child = start(*SIX, 'cut')
    wait_for(lambda: read('cut/reproduce.ledger').count('\n') > 5)
    message = interrupt(child)
    games = read('cut/reproduce.ledger').count('\n') - 1
    check('an interrupted table says that it goes on', child.returncode == 130 and 'continues from here' in message and
          0 < games < 60, (message, games))
    whole = run(*SIX, 'whole', '--threads', 1)
    ledger = change_ledger('whole/reproduce.ledger', r' [012]\n\Z', ' 7\n')
    check('a result that is none is played again', run(*SIX, 'whole').stdout == whole.stdout and
          read('whole/reproduce.ledger').endswith(ledger.splitlines()[-1] + '\n'))
    change_ledger('cut/reproduce.ledger', 'search [0-9]+', 'search 1')
    refuses('what another program measured is refused', 'reproduce.ledger:1:', *SIX, 'cut')
    child = start(*SIX, 'cut', '--anew', '--threads', 1)
    wait_for(lambda: (begun := read('cut/reproduce.ledger')).count('\n') > 5 and not re.match('.*search 1$', begun, re.M))
    message, ledger = interrupt(child), read('cut/reproduce.ledger')
    check('and thrown away when told to; what was begun anew says how it goes on', child.returncode == 130 and
          'the same command without --anew continues from here' in message, message)
    resumed = run(*SIX, 'cut')
    check('and goes on so, to what an uninterrupted one comes to', resumed.stdout == whole.stdout != '' and
          read('cut/reproduce.ledger').startswith(ledger), (resumed, whole, ledger))


tap.main()
