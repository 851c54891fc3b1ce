"""Runs of several ranks, which mpirun starts: the same organisms as in one process, ranks that die, hang,
are stopped or compute something else, and what is refused. Speaks TAP.

    mpi_runs.py GRAYLING_UCI GRAYLING SOURCE

RANKS_TOY in the environment has jobs whose results can be seen through; VILLAIN is an engine.
GRAYLING_MPI_KILLS is the number of kills (4); the bars of the project ask for 20.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import small_night
import tap
from tap import check, dump, query, read, run_of, write
from toy_lists import check_lists

grayling, source = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
toy, villain = os.environ.get('RANKS_TOY'), os.environ.get('VILLAIN')
KILLS = int(os.environ.get('GRAYLING_MPI_KILLS', '4'))
MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-q']  # the last word: it does not talk itself

if os.environ.get('GRAYLING_MPI') != '1' or shutil.which('mpirun') is None:
    print('1..0 # SKIP no MPI here')
    sys.exit()
work = tap.enter_scratch()
os.environ['OMP_NUM_THREADS'] = '1'


def mpirun(ranks, *command):
    """Runs a command in so many ranks."""
    return subprocess.run([*MPIRUN, '-n', str(ranks), *map(str, command)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)


def start(ranks, *command):
    return subprocess.Popen([*MPIRUN[:-1], '-n', str(ranks), *map(str, command)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ranks_of(launcher):
    """The processes of the ranks, in their order."""
    numbered = []
    for pid in tap.children(launcher.pid):
        try:
            with open('/proc/%s/environ' % pid, 'rb') as f:
                variables = dict(v.split(b'=', 1) for v in f.read().split(b'\0') if b'=' in v)
            numbered.append((int(variables[b'OMPI_COMM_WORLD_RANK']), int(pid)))
        except (OSError, KeyError):
            pass
    return [pid for _, pid in sorted(numbered)]


def state(pid):
    """The letter of a process's state; Z if it has ended, whether its parent knows or not."""
    words = tap.content('/proc/%d/stat' % pid).rpartition(b')')[2].split()
    return words[0].decode() if words else 'Z'


# ---- the list of jobs

def test_list():
    check_lists(mpirun, toy)
    for what, rank, words in (('hang', 1, 'rank 1 on host'), ('wrong', 3, 'rank 3 on host'), ('refuse', 1, 'rank 1 on host')):
        begun = time.time()
        r = mpirun(4, toy, what, rank)
        check('a rank is named that would ' + what, r.returncode != 0 and
              len([line for line in r.stderr.splitlines() if line.startswith('grayling: ' + words)]) == 1,
              r.stdout + r.stderr)
        check('and all end soon', time.time() - begun < 30, time.time() - begun)
    check('and all end soon where one dies', mpirun(4, toy, 'die', 2).returncode != 0)
    r = mpirun(2, toy, 'wrong', 1)
    check('both ranks with two results are named', 'rank 0 on host' in r.stderr and 'rank 1 on' in r.stderr, r.stderr)
    r = mpirun(2, toy, 'slow', 1)
    check('a job may take as long as its batch allows', r.returncode == 0, r.stderr)
    child = start(2, toy, 'pause', 1)
    tap.wait_for(lambda: os.path.exists('pausing') or child.poll() is not None)
    pids = ranks_of(child)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    stopped = len(pids) == 2 and tap.wait_for(lambda: all(state(pid) == 'T' for pid in pids))
    time.sleep(5)
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    said = child.communicate(timeout=60)[0]
    check('the time in which all were stopped does not count', stopped and child.returncode == 0, (pids, said))
    r = mpirun(3, toy, 'file')
    check('files of jobs arrive on rank 0', r.returncode == 0 and len(os.listdir('kept')) == 15, r.stderr)
    shutil.rmtree('kept')


# ---- the same runs

def write_recipes():
    small_night.head(source, 'train-1.epd', 600)
    small_night.head(source, 'tactics-train.epd', 24)
    small_night.head(source, 'openings.epd', 200)
    write('moves.yaml', 'name: moves\nphase: evaluation\nseed: 3\n'
          'data: {train: [train-1.epd], held_out: [train-1.epd]}\nga: {population: 30, generations: 8}\n')
    write('search.yaml', 'name: search\nphase: search\nseed: 3\ndata: {train: [tactics-train.epd], split: halves}\n'
          'fitness: {limit: 3000, hash: 1}\nga: {population: 16, generations: 5}\n')
    write('games.yaml', 'name: games\nphase: coevolution\nseed: 3\n'
          'data: {openings: openings.epd, opponent: %s/params/paper-eval.yaml}\n'
          'fitness: {limit: 200, games: 2, hash: 1, rematch: 2, opponent_games: 4}\n'
          'ga: {population: 6, generations: 3}\n' % source)
    os.mkdir('night')
    os.chdir('night')
    small_night.write_recipes(source)
    os.chdir(work)


def everything(path):
    """What there is of a night but for the clock."""
    return [query(path, 'SELECT * FROM %s WHERE %s ORDER BY 1, 2, 3' % (table, run_of(name)))
            for name in small_night.RUNS for table in ('organism', 'genome', 'game')] + [
        query(path, 'SELECT * FROM %s ORDER BY 1, 2, 3' % table)
        for table in ('match_player', 'match_pairing', 'match_game')]


def test_same():
    for name in ('moves', 'search', 'games'):
        r = tap.run(grayling, 'evolve', name + '.yaml', '-o', name + '-0.db', '--threads', '2')
        check(name + ' with 2 threads', r.returncode == 0, r.stderr)
        for ranks in (2, 4):
            path = '%s-%d.db' % (name, ranks)
            r = mpirun(ranks, grayling, 'evolve', name + '.yaml', '-o', path, '--check-share', '5%')
            check('%s with %d ranks is the same' % (name, ranks), r.returncode == 0 and dump(path) == dump(name + '-0.db'),
                  r.stdout + r.stderr)
        r = mpirun(2, grayling, 'verify', name + '-0.db')
        check('2 ranks verify it', r.returncode == 0, r.stderr)
    r = tap.run(grayling, 'evolve', 'night/night.yaml', '-o', 'whole.db', '--threads', '2')
    check('a night with 2 threads', r.returncode == 0, r.stderr)
    r = mpirun(3, grayling, 'evolve', 'night/night.yaml', '-o', 'whole-3.db')
    check('with 3 ranks it is the same', r.returncode == 0 and everything('whole-3.db') == everything('whole.db'),
          r.stdout + r.stderr)


def test_relative_commands():
    """An engine that a file names by a relative path, which the other ranks get without its folder."""
    os.mkdir('beside')
    os.symlink(os.path.abspath(sys.argv[1]), 'beside/engine')
    write('beside/space.yaml', 'kind: uci\ncommand: ./engine --tune\nparameters:\n  PAWN_VALUE: {fixed: 100}\n'
          '  KNIGHT_VALUE: {min: 0, max: 1023, default: 300}\n')
    write('beside/opponent.yaml', 'kind: uci\ncommand: ./engine\nparameters: {}\n')
    small = ('--set', 'ga.population=4', '--set', 'ga.generations=1')
    for name, recipe, setting in (('space', 'search.yaml', 'space=beside/space.yaml'),
                                  ('opponent', 'games.yaml', 'data.opponent=beside/opponent.yaml')):
        words = (grayling, 'evolve', recipe, '--set', setting, *small)
        here = tap.run(*words, '-o', name + '-here.db')
        ranks = mpirun(2, *words, '-o', name + '-ranks.db')
        organisms = [query('%s-%s.db' % (name, where), 'SELECT generation, idx, fitness FROM organism ORDER BY 1, 2')
                     if r.returncode == 0 else [] for where, r in (('here', here), ('ranks', ranks))]
        check('%s: ./engine is started by each rank' % name, organisms[0] == organisms[1] != [],
              here.stderr + ranks.stdout + ranks.stderr)


def moves_of(path):
    """A PGN without what depends on the clock."""
    return [line for line in read(path).splitlines() if not line.startswith(('[Date', '[Time', '[UTC'))]


def test_other_commands():
    """Matches, solving, mining, labelling, books and scores share their lists too."""
    write('games.pgn', '\n\n'.join('[White "W"]\n[Black "B"]\n\n%s *' % moves for moves in (
        '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3', '1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O',
        '1. b3 h5 2. Bb2 Rh6 3. e3 Rb6 4. h3 g6 5. Bxh8', '1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2')) + '\n')
    for name, words, output in (
            ('match', ('match', 'paper-eval', 'default-eval', '--games', '12', '--nodes', '300'), '.pgn'),
            ('mine', ('mine', 'match.pgn', '--count', '3'), '.epd'),
            ('book', ('book', 'games.pgn', '--plies', '8', '--nodes', '2000', '--bound', '200'), '.epd'),
            ('label', ('label', 'tactics-train.epd', '--engine', sys.argv[1], '--nodes', '500'), '.epd')):
        here = tap.run(grayling, *words, '-o', name + output)
        ranks = mpirun(3, grayling, *words, '-o', name + '-3' + output)
        check('%s with 3 ranks is the same' % name, here.returncode == ranks.returncode == 0 and
              moves_of(name + output) == moves_of(name + '-3' + output) != [], here.stderr + ranks.stderr)
    for kind in ('paper-eval', 'modern-eval'):
        words = ('score', kind, 'tactics-train.epd')
        here, ranks = tap.run(grayling, *words), mpirun(3, grayling, *words)
        check('scores of %s with 3 ranks are the same' % kind, here.returncode == ranks.returncode == 0 and
              here.stdout == ranks.stdout != '', here.stdout + here.stderr + ranks.stdout + ranks.stderr)
    words = ('solve', 'tactics-train.epd', '--nodes', '3000')
    here, ranks = tap.run(grayling, *words), mpirun(3, grayling, *words)
    found = [r.stdout.split('\nsearched')[0] for r in (here, ranks)]  # the rest is time
    check('solve with 3 ranks is the same', here.returncode == ranks.returncode == 0 and found[0] == found[1] != '',
          here.stdout + ranks.stdout + ranks.stderr)


def test_shown():
    """status and the page tell of the ranks."""
    r = tap.run(grayling, 'status', 'moves-4.db')
    check('status tells of the ranks', '4 ranks with 4 threads on 1 host' in r.stdout and 'idle' in r.stdout, r.stdout)
    known = json.loads(tap.run(grayling, 'status', 'moves-4.db', '--format', 'json').stdout)
    found = known.get('ranks', known.get('runs', [{}])[0].get('ranks', {}))
    check('so does its JSON', found.get('count') == 4 and len(found['hosts']) == 1 and found['jobs'] > 0, known)
    check('and the page', '4 ranks with 4 threads' in read('moves-4.html'))
    r = tap.run(grayling, 'status', 'moves-0.db')
    check('a run of one process has no ranks', 'ranks' not in r.stdout, r.stdout)
    shutil.copy('moves-2.db', 'longer.db')
    r = mpirun(4, grayling, 'resume', 'longer.db', '--generations', '9', '--threads', '2')
    check('--threads is for each rank', '4 ranks with 8 threads' in r.stdout, r.stdout + r.stderr)


# ---- kills

def test_kills():
    """A run is killed again and again, at one rank or all, and goes on with any number of ranks."""
    write('long.yaml', read('search.yaml').replace('limit: 3000', 'limit: 12000').replace('generations: 5', 'generations: 10'))
    tap.run(grayling, 'evolve', 'long.yaml', '-o', 'threads.db', '--threads', '2')
    moments, host = tap.random_moments(), os.uname().nodename.split('.')[0]
    for kill in range(KILLS):
        ranks, path = moments.choice((2, 3, 4)), 'killed.db'
        whole = query(path, 'SELECT count(*) FROM generation')[0][0] if os.path.exists(path) else 0
        command = ('resume', path) if os.path.exists(path) else ('evolve', 'long.yaml', '-o', path)
        child = start(ranks, grayling, *command)
        tap.wait_for(lambda: len(ranks_of(child)) == ranks or child.poll() is not None)
        wanted = tap.rows(path, 'genome') + moments.randrange(1, 12)
        tap.wait_for(lambda: tap.rows(path, 'genome') >= wanted or child.poll() is not None)
        victim = moments.randrange(ranks)
        pids = ranks_of(child)
        begun, running = time.time(), child.poll() is None and len(pids) == ranks
        if running:
            os.kill(pids[victim], signal.SIGKILL)
        output = child.communicate(timeout=120)[0]
        took = time.time() - begun
        check('kill %d, of rank %d of %d: all end within a minute' % (kill + 1, victim, ranks), took < 60, (took, output))
        named = 'process rank %d with' % victim  # mpirun says so
        check('its host is named', not running or child.returncode == 0 or (named in output and host in output), output)
        check('no rank is left', all(not alive(pid) for pid in pids), pids)
        check('nothing complete is lost', tap.rows(path, 'generation') >= whole, (whole, tap.rows(path, 'generation')))
    r = mpirun(2, grayling, 'resume', 'killed.db')
    check('the run ends', r.returncode == 0, r.stdout + r.stderr)
    check('as the uninterrupted one', dump('killed.db') == dump('threads.db'))


def alive(pid):
    """Whether a process has not ended, a moment after its launcher."""
    return not tap.wait_for(lambda: state(pid) == 'Z')


def test_stop():
    child = start(3, grayling, 'evolve', 'long.yaml', '-o', 'stopped.db')
    tap.wait_for(lambda: tap.rows('stopped.db', 'genome') > 5 or child.poll() is not None)
    child.send_signal(signal.SIGTERM)
    output = child.communicate(timeout=60)[0]
    check('a signal to mpirun interrupts the run', 'interrupted; all measurements are saved' in output, output)
    r = tap.run(grayling, 'resume', 'stopped.db', '--threads', '2')
    check('threads go on', r.returncode == 0 and dump('stopped.db') == dump('threads.db'), r.stderr)


def test_frozen():
    """A rank that is stopped is waited for."""
    child = start(3, toy, 'die', 9)  # jobs of 2 ms; nobody dies
    tap.wait_for(lambda: len(ranks_of(child)) == 3 or child.poll() is not None)
    time.sleep(1)
    pids = ranks_of(child)
    os.kill(pids[1], signal.SIGSTOP)
    tap.wait_for(lambda: state(pids[1]) == 'T')
    time.sleep(5)
    ended = child.poll()
    os.kill(pids[1], signal.SIGCONT)
    output = child.communicate(timeout=120)[0]
    check('a rank that is stopped is waited for', ended is None and child.returncode == 0, output)


# ---- what is refused

def other_version(path):
    """A copy of the program that believes itself another version."""
    with open(grayling, 'rb') as f:
        program = f.read()
    version = tap.run(grayling, '--version').stdout.split()[1].encode()
    with open(path, 'wb') as f:
        f.write(program.replace(version + b'\0', version[:-1] + b'x\0').replace(
            version + b'\n', version[:-1] + b'x\n'))
    shutil.copymode(grayling, path)
    return os.path.abspath(path)


def refused(what, words, *command):
    """One line, and nothing begun."""
    r = mpirun(1, *command)
    lines = [line for line in r.stderr.splitlines() if line.startswith('grayling: ')]
    check(what, r.returncode != 0 and len(lines) == 1 and all(w in lines[0] for w in words), r.stdout + r.stderr)
    check('and nothing is begun', not os.path.exists('refused.db'))


def test_refused():
    evolve = ('evolve', 'moves.yaml', '-o', 'refused.db')
    old = other_version('old-grayling')
    refused('another version is refused, with its host', ('rank 1 on host', 'same version'),
            grayling, *evolve, ':', '-n', '1', old, *evolve)
    refused('another command is refused', ('rank 1 on host', 'search.yaml'),
            grayling, *evolve, ':', '-n', '1', grayling, 'evolve', 'search.yaml', '-o', 'refused.db')
    os.mkdir('engines')
    os.symlink(villain, 'engines/some-engine')
    write('space.yaml', 'kind: uci\ncommand: some-engine\nparameters:\n  Hash: {bits: 3, min: 1, max: 8, default: 1}\n')
    there = ('-x', 'PATH=%s/engines:%s' % (work, os.environ['PATH']))
    tuned = (grayling, 'evolve', 'search.yaml', '-o', 'refused.db', '--set', 'space=space.yaml')
    refused('an engine that a rank lacks is refused, with its host', ('rank 1 on host', 'some-engine'),
            *there, *tuned, ':', '-n', '1', *tuned)
    refused('no access to the run', ('/proc/no.db',), grayling, 'evolve', 'moves.yaml', '-o', '/proc/no.db')
    r = mpirun(4, grayling, 'evolve', 'moves.yaml', '-o', 'few.db', '--set', 'data.first=100', '--set', 'data.held_out=[]')
    check('more ranks than jobs are told', r.returncode == 0 and 'fewer jobs than threads' in r.stdout, r.stdout + r.stderr)
    r = mpirun(2, grayling, 'evolve', 'moves.yaml', '-o', 'x.db', '--check-share', 'many')
    check('a bad share is refused', r.returncode == 2 and r.stderr.count('--check-share') == 1, r.stderr)


write_recipes()
test_list()
test_same()
test_relative_commands()
test_other_commands()
test_shown()
test_kills()
test_stop()
test_frozen()
test_refused()
tap.plan()
