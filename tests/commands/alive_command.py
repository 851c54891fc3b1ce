"""A run that goes on shows it: inside a generation on the terminal and to `status`, and how it ended."""
import os
import re
import signal
import subprocess
import time

import tap
from tap import check, count_rows, head, query, refuses, run, start_slow, wait_for, write


def write_recipes():
    """Generations that take seconds: many organisms, or many nodes."""
    head('train-1.epd', 2000)
    head('tactics-train.epd', 60)
    write('moves.yaml', 'name: moves\nphase: evaluation\nseed: 3\ndata: {train: [train-1.epd], held_out: [train-1.epd]}\n'
            'ga: {population: 4000, generations: 400}\n')
    write('search.yaml', 'name: search\nphase: search\nseed: 3\ndata: {train: [tactics-train.epd]}\n'
            'fitness: {limit: 200000, hash: 1}\nga: {population: 50, generations: 40}\n')
    write('short.yaml', 'name: short\nphase: evaluation\nseed: 3\ndata: {train: [train-1.epd], first: 40}\n'
            'ga: {population: 20, generations: 2}\n')


def lines_of(text):
    return [line.replace('\x1b[K', '') for line in text.split('\r')[1:-1] if '/' in line and '\n' not in line]


def test_terminal():
    def shows(columns, pattern, *words):
        """The states of the line, until one is like this."""
        return lines_of(tap.on_terminal(columns, *words, '--threads', '1', stdout=subprocess.DEVNULL, slow=True, enough=lambda shown: any(
            re.search(pattern, line) for line in lines_of(shown))))
    step = r'^.*0/400  ETA [^ ]+.*  position [1-9][\d,]* of 2,000'
    wide = shows(80, step, 'evolve', 'moves.yaml', '-o', 'wide.db')
    check('generation 0 shows its positions and an ETA', any(re.search(step, line) for line in wide), wide[-3:])
    narrow = shows(40, 'next', *(('resume', 'wide.db') if count_rows('wide.db', 'generation') else
                                 ('evolve', 'moves.yaml', '-o', 'narrow.db')))
    check('at 40 columns the ETA stays and the percentage moves',
          any(re.match(r'\d+/400  ETA [^ ]+ .*  next \d+ %$', line) for line in narrow), narrow[-3:])
    check('and no line is wider', narrow and all(len(line) < 40 for line in narrow), narrow)


def inside(path):
    found = re.search(r'^now +(.*)$', run('status', path).stdout, re.M)
    return found.group(1) if found else ''


def test_status():
    child = start_slow('evolve', 'search.yaml', '-o', 'nodes.db', '--threads', '1')
    wait_for(lambda: os.path.exists('nodes.db') and inside('nodes.db'))
    first = inside('nodes.db')
    check('status tells how far the generation is', re.match(r'search [\d,]+ of [\d,]+ of generation 0$', first), first)
    wait_for(lambda: inside('nodes.db') != first)
    status = run('status', 'nodes.db').stdout
    check('which moves', inside('nodes.db') != first and re.search('state +running', status), status)
    check('and how long the rest takes, in generation 0', re.search(r'^time .* left$', status, re.M), status)
    tap.interrupt(child, signal.SIGTERM)
    status = run('status', 'nodes.db').stdout
    check('a run that was stopped says so', re.search('state +stopped\n', status) and '\nnow ' not in status, status)
    check('and leaves no position behind',
          not query('nodes.db', "SELECT * FROM property WHERE key = 'progress'"))


def test_ends():
    child = start_slow('resume', 'nodes.db', '--threads', '1')
    wait_for(lambda: ('running',) in query('nodes.db', "SELECT value FROM property WHERE key = 'state'"))
    child.kill()
    child.communicate()
    status = run('status', 'nodes.db').stdout
    check('a run whose process vanished has died', re.search('state +died: its process vanished', status), status)
    check('and status says how to go on', re.search(r'continue     \S*grayling resume nodes.db', status), status)
    refuses('a run without the time for a generation has no outcome, and says so',
            ('none.db: its time was over before generation 0', 'resume none.db'), 'evolve', 'moves.yaml', '-o',
            'none.db', '--hours', '0.00000001', code=1, absent='none.yaml')
    run('evolve', 'short.yaml', '-o', 'ended.db')
    check('a complete run is complete', re.search('state +complete\n', run('status', 'ended.db').stdout))
    ended = run('resume', 'ended.db', '--generations', '1000000', '--hours', '0.00005')
    status = run('status', 'ended.db').stdout
    check('a run whose time is over has ended by it', ended.returncode == 0 and
          re.search('state +ended by its time\n', status), ended.stderr + status)


def test_night():
    """Between the stages of a night no process has the file open, and the night is running all the same."""
    head('openings.epd', 90)
    write('night.yaml', 'name: night\nphase: night\nseed: 7\nhours: 1\nstages:\n'
            '  evolve: {recipe: short.yaml}\n  search: {recipe: search.yaml, evaluation: evolve}\n')
    child = start_slow('evolve', 'night.yaml', '-o', 'night.db', '--threads', '1')
    wait_for(lambda: os.path.exists('night.db'))
    states, end = set(), time.time() + 60
    while child.poll() is None and not inside('night.db') and time.time() < end:
        found = re.search('^state +(.*)$', run('status', 'night.db').stdout, re.M)
        states.add(found.group(1) if found else 'none')
    check('a night is running from its first stage to its last', states <= {'running', 'stopped'} and 'running' in states,
          states)
    status = run('status', 'night.db').stdout
    check('and tells how far its stage is', re.search(r'^now +search [\d,]+ of [\d,]+ of generation 0 of search$',
                                                      status, re.M), status)
    child.kill()
    child.communicate()
    status = run('status', 'night.db').stdout
    check('a night whose process vanished has died, and its stage too',
          re.search('state +died', status) and re.search('  search +died', status), status)


write_recipes()
tap.main()
