"""What must not be lost and what must not be believed, from the command line: full disks, links in the way,
kills, programs that hang, files that are not what they seem. Speaks TAP.

    trust_command.py GRAYLING SOURCE
"""
import gzip
import os
import resource
import shutil
import signal
import sqlite3
import sys
import time

import small_night
import tap
from tap import check

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
tap.enter_scratch()
DEAD = 4194303  # no process has the largest number
NOBODY = 65534  # permissions do not hold for root
OUTCOME = ['run.yaml', 'run.svg', 'run.png', 'run.html']


def run(*arguments, **options):
    return tap.run(grayling, *arguments, **options)


def small_files(size):
    """For preexec_fn: files may not grow beyond so many bytes, as on a full disk."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def make_run():
    """A run of seconds, with its outcome, that nobody has touched."""
    for name in OUTCOME + ['run.db']:
        if os.path.lexists(name):
            os.remove(name)
    return run('evolve', 'evolve.yaml', '-o', 'run.db')


def digest(name):
    with open(name, 'rb') as f:
        return f.read()


def test_links():
    """Names that the outcome once had until it was complete, as links to a file of the user's."""
    tap.write('precious', 'precious')
    for name in ['run.part.yaml', 'run.part.svg', 'run.part.png', 'run.part.html']:
        os.symlink('precious', name)
    made = make_run()
    check('a run is made beside links', made.returncode == 0, made.stderr)
    check('what they lead to is not written', tap.read('precious') == 'precious')
    check('and nothing else is', not any(os.path.islink(name) for name in OUTCOME))


def test_leftovers():
    left = ['run.db.new-%d' % DEAD, 'run.yaml.new-%d' % DEAD, 'run-search.svg.new-%d' % DEAD]
    for name in left:
        tap.write(name, 'half')
    run('resume', 'run.db', '--generations', '4')
    check('resume removes what a kill left', not any(map(os.path.exists, left)), os.listdir())
    tap.write('values.yaml.new-%d' % DEAD, 'half')
    run('export', 'run.db', '--format', 'yaml', '-o', 'values.yaml')
    check('export too', [n for n in os.listdir() if n.startswith('values')] == ['values.yaml'], os.listdir())


def test_full_disk():
    for command in (['export', 'run.db', '--format', 'yaml', '-o', 'out.yaml'], ['plot', 'run.db', '-o', 'out.svg'],
                    ['plot', 'run.db', '-o', 'out.png'], ['report', 'run.db', '-o', 'out.html']):
        output = command[-1]
        run(*command)
        before = digest(output)
        failed = run(*command + ['--force'], preexec_fn=small_files(1024))
        check('%s: without room it fails' % command[0], failed.returncode == 1 and 'File too large' in failed.stderr,
              '%d: %s' % (failed.returncode, failed.stderr))
        check('%s: and the old file is as it was' % output, digest(output) == before)
        check('%s: alone' % output, [n for n in os.listdir() if n.startswith(output)] == [output])


GAME = '[Event "%d"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n%s 1-0\n\n'
MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8'


def test_damaged_input():
    """One bit of a compressed file is lost. What is left could be read as fewer games."""
    games = ''.join(GAME % (n, MOVES) for n in range(200)).encode()
    packed = bytearray(gzip.compress(games))
    packed[-6] ^= 1  # of the checksum: all games are read before it
    with open('games.pgn.gz', 'wb') as f:
        f.write(packed)
    for command in (['sample', 'games.pgn.gz', '--count', '1', '--first-ply', '4'],
                    ['book', 'games.pgn.gz', '--count', '1', '--plies', '8', '--nodes', '100'],
                    ['mine', 'games.pgn.gz', '--count', '1']):
        what = command[0]
        refused = run(*command, '-o', 'damaged.epd')
        check(what + ': a damaged file is an error', refused.returncode == 2 and 'games.pgn.gz' in refused.stderr
              and 'checksum' in refused.stderr, '%d: %s' % (refused.returncode, refused.stderr))
        check(what + ': and nothing is written', not os.path.exists('damaged.epd'))
        kept = run(*command, '--keep-damaged', '-o', 'damaged.epd')
        check(what + ': unless it is wanted', 'checksum' in kept.stderr and '201 games' in kept.stderr.replace(',', '')
              or what != 'sample', kept.stderr)
        if os.path.exists('damaged.epd'):
            os.remove('damaged.epd')


def test_bit_rot():
    """One bit of the file is lost, in the best chromosome: nothing takes the value that is there now."""
    whole = digest('run.db')
    checked = run('check', 'run.db')
    check('check: a run is sound', checked.returncode == 0 and 'each with its checksum' in checked.stdout,
          checked.stdout + checked.stderr)
    best = tap.query('run.db', 'SELECT chromosome FROM genome JOIN organism ON genome = id '
                               'ORDER BY fitness DESC, generation, idx LIMIT 1')[0][0]
    damaged = bytearray(whole)
    damaged[whole.index(best) + 3] ^= 16
    with open('rot.db', 'wb') as f:
        f.write(damaged)
    for command in (['export', 'rot.db', '--format', 'csv'], ['status', 'rot.db'], ['check', 'run.db', 'rot.db'],
                    ['report', 'rot.db', '-o', 'rot.html'], ['resume', 'rot.db', '--generations', '9']):
        refused = run(*command)
        check('%s: damage is told' % command[0], refused.returncode == 2 and 'rot.db is damaged (' in refused.stderr,
              '%d: %s%s' % (refused.returncode, refused.stdout, refused.stderr))
    with sqlite3.connect('run.db') as db:
        db.execute("UPDATE property SET value = 'mine' WHERE key = 'name'")
    checked = run('check', 'run.db')
    check('check: another program wrote to it', checked.returncode == 2 and 'another program' in checked.stderr,
          checked.stdout + checked.stderr)
    run('resume', 'run.db', '--generations', '5')
    checked = run('check', 'run.db')
    check('check: and then we did', 'each with its checksum' in checked.stdout, checked.stdout)
    check('check: no run', run('check').returncode == 2 and run('check', 'none.db').returncode == 2)


def killed_run(name):
    """Kills a run while it is written, and keeps its WAL mode."""
    process = tap.start(grayling, 'evolve', 'evolve.yaml', '-o', name, '--set', 'ga.generations=1000000')
    tap.wait_for(lambda: tap.rows(name, 'generation') > 20)
    process.kill()
    process.communicate()


def test_bit_rot_in_wal_mode():
    """One bit of a file that is still in WAL mode is lost, in the chromosome of a genome that is in it."""
    killed_run('killed.db')
    os.remove('killed.db-wal')  # what has come into the file is enough
    with open('killed.db', 'rb') as f:
        whole = f.read()
    check('a killed run is in WAL mode', whole[18:20] == b'\2\2', whole[:20])
    damaged = bytearray(whole)
    for page in range(4096, len(whole), 4096):
        damaged[page + 2048] ^= 16
    for words in ('check rot.db', 'export rot.db --format csv', 'status rot.db'):
        with open('rot.db', 'wb') as f:
            f.write(damaged)
        refused = run(*words.split())
        check('%s: damage is told' % words, refused.returncode == 2 and 'rot.db is damaged (' in refused.stderr,
              '%d: %s%s' % (refused.returncode, refused.stdout, refused.stderr))


def test_nowhere_to_write():
    """A killed run lies where nothing can be written: it is read as far as it can be, or the reader told what to do."""
    user = dict(user=NOBODY, group=NOBODY, extra_groups=[]) if os.geteuid() == 0 else {}
    program = tap.own_copy(grayling)
    killed_run('killed.db')
    os.mkdir('closed')
    for name in 'killed.db', 'killed.db-wal':
        shutil.copy(name, 'closed')
    os.truncate('closed/killed.db-wal', 0)
    for folder in '.', 'closed':
        os.chmod(folder, 0o555)
    empty = tap.run(program, 'check', 'closed/killed.db', **user)
    check('with an empty WAL it is read', empty.returncode == 0 and 'each with its checksum' in empty.stdout, empty)
    os.chmod('closed', 0o755)
    tap.write('closed/killed.db-wal', 'something')
    os.chmod('closed', 0o555)
    full = tap.run(program, 'status', 'closed/killed.db', **user)
    check('with a WAL it is not', full.returncode == 2 and 'copy both to another folder' in full.stderr, full)
    os.chmod('.', 0o755)
    os.chmod('closed', 0o755)
    checked = run('check', 'killed.db')
    check('elsewhere it is', checked.returncode == 0 and 'each with its checksum' in checked.stdout, checked)


def test_files_taken_away():
    """The WAL of a run is removed, or another run is written over it, while it is being written."""
    shutil.copy('run.db', 'other.db')
    for name, words in ('removed.db', 'removed.db-wal was removed'), ('over.db', 'over.db is not this run any more'):
        process = tap.start(grayling, 'evolve', 'evolve.yaml', '-o', name, '--set', 'ga.generations=1000000')
        tap.wait_for(lambda: tap.rows(name, 'generation') > 20)
        if name == 'over.db':
            with open('other.db', 'rb') as other, open(name, 'r+b') as f:
                f.truncate()
                f.write(other.read())
        else:
            process.send_signal(signal.SIGSTOP)  # it would notice at once
            os.remove(name + '-wal')
            os.remove(name + '-shm')
            refused = run('resume', name)
            check('its lock holds without a WAL', refused.returncode == 2 and 'is locked by another' in refused.stderr,
                  refused)
            process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=120)[1]
        check('%s: the run says so' % name, process.returncode == 1 and words in said and 'saved' not in said, said)
        checked = run('check', name)
        check('%s: the file is sound' % name, 'each with its checksum' in checked.stdout, checked)
        check('%s: and alone' % name, not [n for n in os.listdir() if n.startswith(name + '-')], os.listdir())
    with open('other.db', 'rb') as other, open('over.db', 'rb') as f:
        check('it is the other run', other.read() == f.read())


def test_endless_data():
    """What a run learned from is no file any more."""
    os.rename('train-1.epd', 'kept.epd')
    for name, make in (('a pipe', lambda: os.mkfifo('train-1.epd')),
                       ('a device without end', lambda: os.symlink('/dev/zero', 'train-1.epd'))):
        make()
        for command in (['verify', 'run.db'], ['resume', 'run.db', '--generations', '7']):
            refused = run(*command)
            check('%s: data that is %s' % (command[0], name),
                  refused.returncode == 2 and 'it is not a file' in refused.stderr, refused.stderr)
        os.remove('train-1.epd')
    os.rename('kept.epd', 'train-1.epd')


def test_two_at_once():
    """Two processes make the same run: one does, and the other says that it is there."""
    wrong = []
    for n in range(4):
        both = [tap.start(grayling, 'evolve', 'evolve.yaml', '-o', 'two-%d.db' % n) for _ in range(2)]
        said = [p.communicate()[1] for p in both]
        codes = sorted(p.returncode for p in both)
        if codes != [0, 2] or any('continue with' in s for s in said):
            wrong.append((codes, said))
    check('of two that begin the same run one is refused', not wrong, wrong)


def test_begun_anew():
    """A run's file is removed while it is being written, and another run has its name."""
    first = tap.start(grayling, 'evolve', 'evolve.yaml', '-o', 'anew.db', '--set', 'ga.generations=1000000')
    tap.wait_for(lambda: tap.rows('anew.db', 'generation') > 20)
    os.remove('anew.db')
    os.remove('anew.db-wal')
    second = tap.start(grayling, 'evolve', 'evolve.yaml', '-o', 'anew.db', '--set', 'ga.generations=2000')
    said, other = first.communicate(timeout=120)[1], second.communicate(timeout=300)[1]
    check('the run whose file was removed says so', first.returncode == 1 and 'anew.db is gone' in said, said)
    check('and leaves the new one alone', second.returncode == 0, other)
    checked = run('check', 'anew.db')
    check('which is sound', 'each with its checksum' in checked.stdout and tap.rows('anew.db', 'generation') == 2001, checked)


def test_games_of_another_schedule():
    """A run from somebody else has games that its organisms cannot have played."""
    made = run('evolve', 'coevolve.yaml', '-o', 'games.db')
    check('a run of games', made.returncode == 0, made.stderr)
    for what in 'white_idx = 100000', 'black_kind = 9', 'opening = 1 - opening', 'result = 3', 'result = -1':
        for number in ('number > 1', 'number = 0'):
            shutil.copy('games.db', 'crafted.db')
            with sqlite3.connect('crafted.db') as db:
                db.execute('UPDATE game SET %s WHERE %s' % (what, number))
            db.close()
            refused = run('resume', 'crafted.db', '--generations', '3', '--force')
            check('resume: %s where %s' % (what, number), number == 'number = 0' and 'result' not in what or
                  refused.returncode == 2 and 'generation 2, ' in refused.stderr, refused)
            refused = run('verify', 'crafted.db', '--sample', '1')
            check('verify: %s where %s' % (what, number), refused.returncode == 1 and ', game ' in refused.stderr,
                  refused)
    shutil.copy('games.db', 'crafted.db')
    with sqlite3.connect('crafted.db') as db:
        db.execute("UPDATE property SET value = replace(value, 'generations: 2', 'generations: 0') WHERE key = 'recipe'")
    db.close()
    refused = run('verify', 'crafted.db')
    check('verify: more generations than the recipe has', refused.returncode == 2 and
          '3 generations are stored' in refused.stderr, refused)


def test_limits():
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    shutil.copy('run.db', 'wal.db')
    with sqlite3.connect('wal.db') as db:
        db.execute('PRAGMA journal_mode = WAL')
    refused = run('export', 'wal.db', '--format', 'csv', preexec_fn=few_files)
    check('too many open files are told as such', refused.returncode != 0 and 'Too many open files' in refused.stderr,
          refused.stderr)
    began = time.time()
    tap.write('keys.yaml', 'kind: evaluation\nparameters:\n'
              + ''.join('  K%x: 1\n' % n for n in range(80000)))
    refused = run('export', 'keys.yaml', '--format', 'csv')
    check('a file of very many keys is refused in seconds',
          refused.returncode == 2 and time.time() - began < 20, '%g s: %s' % (time.time() - began, refused.stderr))


small_night.write_recipes(source)
test_links()
test_leftovers()
test_full_disk()
test_damaged_input()
test_bit_rot()
test_bit_rot_in_wal_mode()
test_nowhere_to_write()
test_files_taken_away()
test_endless_data()
test_two_at_once()
test_begun_anew()
test_games_of_another_schedule()
test_limits()
tap.plan()
