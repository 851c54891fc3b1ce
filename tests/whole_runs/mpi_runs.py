"""Runs of several ranks, which mpirun starts: the same organisms as in one process, ranks that die or are
stopped, and what is refused.

GRAYLING_MPI_KILLS is the number of kills (2).
"""
import json
import os
import re
import shutil
import signal
import subprocess
import time

import small_night
import tap
from toy_lists import check_lists
from tap import (call, check, content, count_rows, dump, grayling, head, params, query, read, run, toy,
                 uci, villain, wait_for, works, write)

KILLS = int(os.environ.get('GRAYLING_MPI_KILLS', '2'))
MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-q']  # the last word: it does not talk itself
GRACE = ('--mca', 'odls_base_sigkill_timeout', '6')  # seconds from SIGCONT to SIGTERM, and from that to SIGKILL

if os.environ.get('GRAYLING_MPI') != '1' or shutil.which('mpirun') is None:
    tap.skip('no MPI here')
os.environ['OMP_NUM_THREADS'] = '1'


def mpirun(ranks, *words):
    """Runs a program in so many ranks."""
    return call(*MPIRUN, '-n', ranks, *words, stdin=subprocess.DEVNULL)


def launch(ranks, *words):
    return subprocess.Popen([*MPIRUN[:-1], *GRACE, '-n', str(ranks), *map(str, words)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ranks_of(launcher):
    """The processes of the ranks, in their order."""
    numbered = []
    for pid in tap.children(launcher.pid):
        variables = dict(v.split(b'=', 1) for v in tap.of_process(pid, 'environ').split(b'\0') if b'=' in v)
        if b'OMPI_COMM_WORLD_RANK' in variables:
            numbered.append((int(variables[b'OMPI_COMM_WORLD_RANK']), pid))
    return [pid for _, pid in sorted(numbered)]


def held(pid):
    """Stops a process; whether SIGTERM waits for it to go on."""
    os.kill(pid, signal.SIGSTOP)
    pending = re.search(rb'ShdPnd:\s*(\w+)', tap.of_process(pid, 'status'))
    return pending and int(pending[1], 16) & 1 << (signal.SIGTERM - 1)


def state(pid):
    """The letter of a process's state; Z if it has ended, whether its parent knows or not."""
    words = tap.of_process(pid, 'stat').rpartition(b')')[2].split()
    return words[0].decode() if words else 'Z'


def pause(pids, seconds):
    """Stops processes for a while; whether all were stopped."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    stopped = wait_for(lambda: all(state(pid) == 'T' for pid in pids))
    time.sleep(seconds)
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    return stopped


# ---- the list of jobs

def test_list():
    check_lists(mpirun)
    r = mpirun(4, toy, 'refuse', 1)
    check('a rank that cannot build the lists is named', r.returncode != 0 and r.stderr.count('grayling: rank 1 on host') == 1, r)
    check('all end soon where one dies', mpirun(4, toy, 'die', 2).returncode != 0)


def test_stopped():
    child = launch(3, toy, 'die', 9)  # jobs of 2 ms; nobody dies
    wait_for(lambda: len(ranks_of(child)) == 3 or child.poll() is not None)
    time.sleep(0.5)
    pids = ranks_of(child)
    stopped = len(pids) == 3 and pause(pids[1:2], 2.5)
    check('a rank that is stopped is waited for', stopped and child.poll() is None and child.wait(120) == 0,
          child.stdout.read())


# ---- the same runs

def write_recipes():
    head('train-1.epd', 200)
    head('tactics-train.epd', 24)
    head('openings.epd', 200)
    write('moves.yaml', 'name: moves\nphase: evaluation\nseed: 3\n'
          'data: {train: [train-1.epd], held_out: [train-1.epd]}\nga: {population: 30, generations: 8}\n')
    write('search.yaml', 'name: search\nphase: search\nseed: 3\ndata: {train: [tactics-train.epd], split: halves}\n'
          'fitness: {limit: 1000, hash: 1}\nga: {population: 16, generations: 3}\n')
    write('games.yaml', 'name: games\nphase: coevolution\nseed: 3\n'
          'data: {openings: openings.epd, opponent: %s}\n'
          'fitness: {limit: 80, games: 2, hash: 1, rematch: 2, opponent_games: 4}\n'
          'ga: {population: 6, generations: 3}\n' % params('paper-eval.yaml'))
    os.mkdir('night')
    os.chdir('night')
    small_night.write_recipes()
    os.chdir(tap.work)


def test_same():
    write_recipes()
    for name, recipe in (('moves', 'moves.yaml'), ('search', 'search.yaml'), ('games', 'games.yaml'), ('night', 'night/night.yaml')):
        works(name + ' with 2 threads', 'evolve', recipe, '-o', name + '-0.db', '--threads', 2)
        r = mpirun(3, grayling, 'evolve', recipe, '-o', name + '-3.db')
        check('%s with 3 ranks is the same' % name, r.returncode == 0 and dump(name + '-3.db') == dump(name + '-0.db'), r)
    r = mpirun(2, grayling, 'verify', 'games-0.db')
    check('2 ranks verify it', r.returncode == 0, r)


def test_relative_commands():
    """An engine that a file names by a relative path, which the other ranks get without its folder."""
    os.mkdir('beside')
    os.symlink(uci, 'beside/engine')
    write('beside/space.yaml', 'kind: uci\ncommand: ./engine --tune\nparameters:\n  PAWN_VALUE: {fixed: 100}\n'
          '  KNIGHT_VALUE: {min: 0, max: 1023, default: 300}\n')
    write('beside/opponent.yaml', 'kind: uci\ncommand: ./engine\nparameters: {}\n')
    for name, recipe, setting in (('space', 'search.yaml', 'space=beside/space.yaml'),
                                  ('opponent', 'games.yaml', 'data.opponent=beside/opponent.yaml')):
        words = (grayling, 'evolve', recipe, '--set', setting, '--set', 'ga.population=4', '--set', 'ga.generations=0')
        here, ranks = call(*words, '-o', name + '-here.db'), mpirun(2, *words, '-o', name + '-ranks.db')
        organisms = [query('%s-%s.db' % (name, where), 'SELECT generation, idx, fitness FROM organism ORDER BY 1, 2')
                     if r.returncode == 0 else [] for where, r in (('here', here), ('ranks', ranks))]
        check('%s: ./engine is started by each rank' % name, organisms[0] == organisms[1] != [], (here, ranks))


def moves_of(path):
    """A PGN without what depends on the clock."""
    return [line for line in read(path).splitlines() if not line.startswith(('[Date', '[Time', '[UTC'))]


def test_other_commands():
    """Matches, solving, mining, labelling, books and scores share their lists too."""
    write('games.pgn', '\n\n'.join('[White "W"]\n[Black "B"]\n\n%s *' % moves for moves in (
        '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3', '1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O',
        '1. b3 h5 2. Bb2 Rh6 3. e3 Rb6 4. h3 g6 5. Bxh8', '1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2')) + '\n')
    for words, output in (
            (('match', 'paper-eval', 'default-eval', '--games', 12, '--nodes', 300), '.pgn'),
            (('mine', 'match.pgn', '--count', 3, '--glance', 300, '--shallow', 300, '--look', 3000, '--deep', 6000, '--margin', 60,
              '--bound', 1000), '.epd'),
            (('book', 'games.pgn', '--plies', 8, '--nodes', 2000, '--bound', 200), '.epd'),
            (('label', 'tactics-train.epd', '--engine', uci, '--nodes', 500), '.epd')):
        name = words[0]
        here, ranks = run(*words, '-o', name + output), mpirun(3, grayling, *words, '-o', name + '-3' + output)
        check('%s with 3 ranks is the same' % name, here.returncode == ranks.returncode == 0 and
              moves_of(name + output) == moves_of(name + '-3' + output) != [], (here, ranks))
    for words in (('score', 'paper-eval', 'tactics-train.epd'), ('score', 'modern-eval', 'tactics-train.epd'),
                  ('solve', 'tactics-train.epd', '--nodes', 3000)):
        here, ranks = run(*words), mpirun(3, grayling, *words)
        found = [r.stdout.split('\nsearched')[0] for r in (here, ranks)]  # the rest is time
        check('%s with 3 ranks is the same' % ' '.join(words[:2]), here.returncode == ranks.returncode == 0 and
              found[0] == found[1] != '', (here, ranks))


def test_shown():
    """status and the page tell of the ranks."""
    works('status tells of the ranks', 'status', 'moves-3.db', says=('3 ranks with 3 threads on 1 host', 'idle'))
    known = json.loads(run('status', 'moves-3.db', '--format', 'json').stdout)
    found = known.get('ranks', known.get('runs', [{}])[0].get('ranks', {}))
    check('so does its JSON', found.get('count') == 3 and len(found['hosts']) == 1 and found['jobs'] > 0, known)
    check('and the page', '3 ranks with 3 threads' in read('moves-3.html'))
    check('a run of one process has no ranks', 'ranks' not in run('status', 'moves-0.db').stdout)
    r = mpirun(2, grayling, 'resume', 'moves-3.db', '--generations', 9, '--threads', 2)
    check('--threads is for each rank', '2 ranks with 4 threads' in r.stdout, r)


# ---- kills

def test_kills():
    """A run is killed again and again, at one rank or all, and goes on with any number of ranks."""
    write('long.yaml', read('search.yaml').replace('generations: 3', 'generations: 8').replace('limit: 1000', 'limit: 3000'))
    run('evolve', 'long.yaml', '-o', 'threads.db', '--threads', 2)
    moments, host, path = tap.random_moments(), os.uname().nodename.split('.')[0], 'killed.db'
    for kill in range(KILLS):
        ranks, whole = moments.choice((2, 3, 4)), count_rows(path, 'generation')
        child = launch(ranks, grayling, *(('resume', path) if os.path.exists(path) else ('evolve', 'long.yaml', '-o', path)))
        wait_for(lambda: len(ranks_of(child)) == ranks or child.poll() is not None)
        wanted = count_rows(path, 'genome') + moments.randrange(1, 12)
        wait_for(lambda: count_rows(path, 'genome') >= wanted or child.poll() is not None)
        victim, pids, begun = moments.randrange(ranks), ranks_of(child), time.time()
        running = child.poll() is None and len(pids) == ranks
        if running:
            os.kill(pids[victim], signal.SIGKILL)
        output = child.communicate(timeout=120)[0]
        check('kill %d, of rank %d of %d: all end within a minute' % (kill + 1, victim, ranks), time.time() - begun < 60 and
              wait_for(lambda: all(state(pid) == 'Z' for pid in pids)), (pids, output))
        named = 'process rank %d with' % victim  # mpirun says so
        check('its host is named', not running or child.returncode == 0 or (named in output and host in output), output)
        check('nothing complete is lost', count_rows(path, 'generation') >= whole)
    r = mpirun(2, grayling, 'resume', path)
    check('the run ends as the uninterrupted one', r.returncode == 0 and dump(path) == dump('threads.db'), r)


def test_signal():
    longer = ('--set', 'ga.generations=40')  # else the run may be over before the ranks have the signal
    run('evolve', 'long.yaml', '-o', 'whole.db', '--threads', 2, *longer)
    child = launch(3, grayling, 'evolve', 'long.yaml', '-o', 'stopped.db', *longer)
    wait_for(lambda: count_rows('stopped.db', 'genome') > 5 or child.poll() is not None)
    pids = ranks_of(child)
    child.send_signal(signal.SIGTERM)
    wait_for(lambda: all([held(pid) for pid in pids]))  # mpirun wakes the ranks seconds before it sends the signal
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    output = child.communicate(timeout=120)[0]
    check('a signal to mpirun interrupts the run', 'interrupted; all measurements are saved' in output, output)
    r = run('resume', 'stopped.db', '--threads', 2)
    check('threads go on', r.returncode == 0 and dump('stopped.db') == dump('whole.db'), r)


# ---- what is refused

def other_version(path):
    """A copy of the program that believes itself another version."""
    version = run('--version').stdout.split()[1].encode()
    with open(path, 'wb') as f:
        f.write(content(grayling).replace(version + b'\0', version[:-1] + b'x\0').replace(
            version + b'\n', version[:-1] + b'x\n'))
    os.chmod(path, 0o755)
    return os.path.abspath(path)


def refused(what, words, *command):
    """One line, and nothing begun."""
    r = mpirun(1, *command)
    lines = [line for line in r.stderr.splitlines() if line.startswith('grayling: ')]
    check(what, r.returncode != 0 and len(lines) == 1 and all(w in lines[0] for w in words) and
          not os.path.exists('refused.db'), r)


def test_refused():
    evolve = ('evolve', 'moves.yaml', '-o', 'refused.db')
    refused('another version is refused, with its host', ('rank 1 on host', 'same version'),
            grayling, *evolve, ':', '-n', '1', other_version('old-grayling'), *evolve)
    refused('another command is refused', ('rank 1 on host', 'search.yaml'),
            grayling, *evolve, ':', '-n', '1', grayling, 'evolve', 'search.yaml', '-o', 'refused.db')
    os.mkdir('engines')
    os.symlink(villain, 'engines/some-engine')
    write('space.yaml', 'kind: uci\ncommand: some-engine\nparameters:\n  Hash: {bits: 3, min: 1, max: 8, default: 1}\n')
    there = ('-x', 'PATH=%s/engines:%s' % (tap.work, os.environ['PATH']))
    tuned = (grayling, 'evolve', 'search.yaml', '-o', 'refused.db', '--set', 'space=space.yaml')
    refused('an engine that a rank lacks is refused, with its host', ('rank 1 on host', 'some-engine'),
            *there, *tuned, ':', '-n', '1', *tuned)
    refused('no access to the run', ('/proc/no.db',), grayling, 'evolve', 'moves.yaml', '-o', '/proc/no.db')
    r = mpirun(4, grayling, 'evolve', 'moves.yaml', '-o', 'few.db', '--set', 'data.first=100', '--set', 'data.held_out=[]')
    check('more ranks than jobs are told', r.returncode == 0 and 'fewer jobs than threads' in r.stdout, r)


tap.main()
