"""Runs that end while others read them: each file is sealed then, all of it is checked, and it can be read where
nothing can be written.

    end_runs.py [ENDS [SEED]]

ENDS is the number of runs (6). Of each kind of reader one after the other reads while a run is made; others have
it open all the time from a moment of SEED on, which is printed: stopped until the run has ended, killed, or another
program.
"""
import concurrent.futures
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import urllib.request

import tap
from tap import check, count_rows, head, wait_for, work, write

ENDS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
COMMANDS = ['status run.db', 'history run.db', 'report run.db -o told.html --force', 'plot run.db -o drawn.svg --force',
            'export run.db --format csv', 'check run.db', 'verify run.db', 'score run.db train-1.epd',
            'resume run.db --dry-run']
RECIPE = '''name: m
data: {train: [train-1.epd], held_out: [train-1.epd]}
ga: {population: 10, generations: %d}
'''
NOBODY = 65534  # permissions do not hold for root
grayling = tap.own_copy(tap.grayling)


def start(words, folder, **options):
    return subprocess.Popen([grayling] + words.split(), cwd=folder, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def ended(process):
    return process.communicate(timeout=300)[0], process.returncode


def read_on(words, folder, evolve, moments):
    """One after the other, until the run has ended; what fails on the way is not of interest."""
    while evolve.poll() is None:
        ended(start(words, folder))


def read_stopped(words, folder, evolve, moments):
    """One that stands still for longer than the end of a run waits, but not for as long as what writes next."""
    reader = start(words, folder)
    moments.sleep(0.02)
    reader.send_signal(signal.SIGSTOP)
    try:
        evolve.wait(8)
    except subprocess.TimeoutExpired:
        pass
    reader.send_signal(signal.SIGCONT)
    ended(reader)
    evolve.wait()


def read_killed(words, folder, evolve, moments):
    while evolve.poll() is None:
        reader = start(words, folder)
        moments.sleep(0.02)
        reader.kill()
        ended(reader)


def read_elsewhere(_, folder, evolve, moments):
    """Another program, which completes the file as far as it can."""
    db = sqlite3.connect(os.path.join(folder, 'run.db'), timeout=60)
    db.execute('SELECT count(*) FROM genome').fetchall()
    if moments.choice((True, False)):
        evolve.wait()
    db.close()
    evolve.wait()


def read_served(_, folder, evolve, moments):
    server = start('serve run.db --port 0', folder)
    address = server.stdout.readline().split()[-1]
    while evolve.poll() is None:
        for name in '', 'status.json':
            with urllib.request.urlopen(address + name, timeout=60) as answer:
                answer.read()
    server.terminate()
    ended(server)


class Moments(random.Random):
    def sleep(self, longest):
        threading.Event().wait(self.uniform(0, longest))


READERS = ([(read_on, words) for words in COMMANDS] + [(read_served, 'serve')] +
           [(read, moment) for read in (read_stopped, read_killed) for moment in COMMANDS[::2]] +
           [(read_elsewhere, 'another program')])


def is_plain(folder):
    """Whether the file is not in WAL mode, and alone."""
    with open(os.path.join(folder, 'run.db'), 'rb') as f:
        return f.read(20)[18:] == b'\1\1' and not [name for name in os.listdir(folder) if name.startswith('run.db-')]


def look(folder):
    """What is wrong with a run that has ended, first as somebody who cannot write sees it."""
    wrong = []
    os.chmod(folder, 0o555)
    user = dict(user=NOBODY, group=NOBODY, extra_groups=[]) if os.geteuid() == 0 else {}
    for words, expected in ('status run.db', 'complete'), ('export run.db --format csv', ''), (
            'check run.db', 'each with its checksum'):
        told, code = ended(start(words, folder, **user))
        if code != 0 or expected not in told:
            wrong.append('read-only, %s: %d: %s' % (words, code, told))
    os.chmod(folder, 0o755)
    told, code = ended(start('check run.db', folder))
    if code != 0 or 'each with its checksum' not in told:
        wrong.append('check: %d: %s' % (code, told))
    return wrong + ([] if is_plain(folder) else ['not a plain file: %s' % os.listdir(folder)])


def end(number):
    """Ends one run beside a reader; the reader, whether the file was plain at once, and all that is wrong."""
    read, words = READERS[number % len(READERS)]
    moments = Moments('%d %d' % (SEED, number))
    folder = os.path.join(work, str(number))
    os.mkdir(folder, 0o755)
    shutil.copy('train-1.epd', folder)
    write(os.path.join(folder, 'm.yaml'), RECIPE % moments.randrange(5, 25))
    evolve = start('evolve m.yaml -o run.db', folder)
    teller = threading.Thread(target=evolve.communicate)
    wait_for(lambda: count_rows(os.path.join(folder, 'run.db'), 'genome') > 0 or evolve.poll() is not None)
    teller.start()
    read(words, folder, evolve, moments)
    teller.join()
    plain = is_plain(folder)
    wrong = look(folder) + (['the run: %d' % evolve.returncode] if evolve.returncode != 0 else [])
    shutil.rmtree(folder)
    return read.__name__.replace('_', ' ') + ': ' + words, plain, wrong


def test_ends():
    print('# moments from seed', SEED, flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        ends = list(pool.map(end, range(ENDS)))
    for name in sorted(set(name for name, _, _ in ends)):
        of_name = [(plain, wrong) for n, plain, wrong in ends if n == name]
        check('%s: %d ends, %d plain before anybody opened them again' %
              (name, len(of_name), sum(plain for plain, _ in of_name)),
              not any(wrong for _, wrong in of_name), '\n'.join(sum((wrong for _, wrong in of_name), [])))


os.chmod(work, 0o755)
head('train-1.epd', 40)
random.Random(SEED).shuffle(READERS)
tap.main()
