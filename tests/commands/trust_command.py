"""What must not be lost and what must not be believed, from the command line: full disks, links in the way,
kills, programs that hang, files that are not what they seem."""
import gzip
import os
import resource
import shutil
import signal
import time

import small_night
import tap
from tap import change, check, content, count_rows, has, query, read, refuses, run, start, wait_for, works, write

DEAD = 4194303  # no process has the largest number
OUTCOME = ['run.yaml', 'run.svg', 'run.png', 'run.html']
ENDLESS = ('--set', 'ga.generations=1000000')


def limited(kind, most):
    """For preexec_fn: as on a full disk (RLIMIT_FSIZE), or with few open files (RLIMIT_NOFILE)."""
    return lambda: resource.setrlimit(kind, (most, most))


def beside(name):
    """What begins with this name."""
    return [n for n in os.listdir() if n.startswith(name)]


def is_sound(path, **options):
    return 'each with its checksum' in run('check', path, **options).stdout


def begin(name):
    """Starts a run without an end, and waits for some generations."""
    process = start('evolve', 'evolve.yaml', '-o', name, *ENDLESS)
    wait_for(lambda: count_rows(name, 'generation') > 20)
    return process


def test_links():
    """Names that the outcome once had until it was complete, as links to a file of the user's."""
    small_night.write_recipes()
    write('precious', 'precious')
    for name in ['run.part.yaml', 'run.part.svg', 'run.part.png', 'run.part.html']:
        os.symlink('precious', name)
    works('a run is made beside links', 'evolve', 'evolve.yaml', '-o', 'run.db')
    check('what they lead to is not written', read('precious') == 'precious')
    check('and nothing else is', not any(os.path.islink(name) for name in OUTCOME))


def test_leftovers():
    left = ['run.db.new-%d' % DEAD, 'run.yaml.new-%d' % DEAD, 'run-search.svg.new-%d' % DEAD]
    for name in left:
        write(name, 'half')
    run('resume', 'run.db', '--generations', 4)
    check('resume removes what a kill left', not any(map(os.path.exists, left)), os.listdir())
    write('values.yaml.new-%d' % DEAD, 'half')
    run('export', 'run.db', '--format', 'yaml', '-o', 'values.yaml')
    check('export too', beside('values') == ['values.yaml'], os.listdir())


def test_full_disk():
    for words in (('export', 'run.db', '--format', 'yaml', '-o', 'out.yaml'), ('plot', 'run.db', '-o', 'out.svg'),
                  ('plot', 'run.db', '-o', 'out.png'), ('report', 'run.db', '-o', 'out.html')):
        run(*words)
        before = content(words[-1])
        refuses('%s: without room it fails' % words[0], 'File too large', *words, '--force', code=1,
                preexec_fn=limited(resource.RLIMIT_FSIZE, 1024))
        check('%s: and the old file is as it was, alone' % words[-1], content(words[-1]) == before and beside(words[-1]) == [words[-1]])


GAME = '[Event "%d"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n%s 1-0\n\n'
MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8'


def test_damaged_input():
    """One bit of a compressed file is lost. What is left could be read as fewer games."""
    packed = bytearray(gzip.compress(''.join(GAME % (n, MOVES) for n in range(200)).encode()))
    packed[-6] ^= 1  # of the checksum: all games are read before it
    with open('games.pgn.gz', 'wb') as f:
        f.write(packed)
    for words in (('sample', 'games.pgn.gz', '--count', 1, '--first-ply', 4),
                  ('book', 'games.pgn.gz', '--count', 1, '--plies', 8, '--nodes', 100), ('mine', 'games.pgn.gz', '--count', 1)):
        refused = run(*words, '-o', 'damaged.epd')
        check(words[0] + ': a damaged file is an error, and nothing is written', refused.returncode == 2 and
              has(refused, ('games.pgn.gz', 'checksum')) and not os.path.exists('damaged.epd'), refused)
        kept = run(*words, '--keep-damaged', '-o', 'damaged.epd')
        check(words[0] + ': unless it is wanted', words[0] != 'sample' or has(kept, ('checksum', '201 games')), kept)
        if os.path.exists('damaged.epd'):
            os.remove('damaged.epd')


def check_damaged(data, *commands):
    """Damage is told by each command, and nothing takes the value that is there now."""
    for words in commands:
        with open('rot.db', 'wb') as f:
            f.write(data)
        refuses('%s: damage is told' % words, 'rot.db is damaged (', *words.split())


def test_bit_rot():
    """One bit of the file is lost, in the best chromosome."""
    check('check: a run is sound', is_sound('run.db'))
    best = query('run.db', 'SELECT chromosome FROM genome JOIN organism ON genome = id ORDER BY fitness DESC, generation, idx LIMIT 1')
    damaged = bytearray(content('run.db'))
    damaged[damaged.index(best[0][0]) + 3] ^= 16
    check_damaged(damaged, 'export rot.db --format csv', 'status rot.db', 'check run.db rot.db', 'report rot.db -o rot.html',
                  'resume rot.db --generations 9')
    change('run.db', "UPDATE property SET value = 'mine' WHERE key = 'name'")
    refuses('check: another program wrote to it', 'another program', 'check', 'run.db')
    run('resume', 'run.db', '--generations', 5)
    check('check: and then we did', is_sound('run.db'))
    check('check: no run', run('check').returncode == 2 and run('check', 'none.db').returncode == 2)


def test_files_taken_away():
    """The WAL of a run is removed, or another run is written over it, while it is being written."""
    shutil.copy('run.db', 'other.db')
    for name, words in ('removed.db', 'removed.db-wal was removed'), ('over.db', 'over.db is not this run any more'):
        process = begin(name)
        if name == 'over.db':
            with open(name, 'r+b') as f:
                f.truncate()
                f.write(content('other.db'))
        else:
            process.send_signal(signal.SIGSTOP)  # it would notice at once
            os.remove(name + '-wal')
            os.remove(name + '-shm')
            refuses('its lock holds without a WAL', 'is locked by another', 'resume', name)
            process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=120)[1]
        check('%s: the run says so' % name, process.returncode == 1 and words in said and 'saved' not in said, said)
        check('%s: the file is sound, and alone' % name, is_sound(name) and not beside(name + '-'), os.listdir())
    check('it is the other run', content('over.db') == content('other.db'))


def test_endless_data():
    """What a run learned from is no file any more."""
    os.rename('train-1.epd', 'kept.epd')
    for name, make in (('a pipe', lambda: os.mkfifo('train-1.epd')),
                       ('a device without end', lambda: os.symlink('/dev/zero', 'train-1.epd'))):
        make()
        for words in (('verify', 'run.db'), ('resume', 'run.db', '--generations', 7)):
            refuses('%s: data that is %s' % (words[0], name), 'it is not a file', *words)
        os.remove('train-1.epd')
    os.rename('kept.epd', 'train-1.epd')


def test_two_at_once():
    """Two processes make the same run: one does, and the other says that it is there."""
    for n in range(2):
        both = [start('evolve', 'evolve.yaml', '-o', 'two-%d.db' % n) for _ in range(2)]
        said = [p.communicate()[1] for p in both]
        check('of two that begin the same run one is refused', sorted(p.returncode for p in both) == [0, 2] and
              not any('continue with' in s for s in said), said)


def test_begun_anew():
    """A run's file is removed while it is being written, and another run has its name."""
    first = begin('anew.db')
    os.remove('anew.db')
    os.remove('anew.db-wal')
    second = start('evolve', 'evolve.yaml', '-o', 'anew.db', '--set', 'ga.generations=300')
    said, other = first.communicate(timeout=120)[1], second.communicate(timeout=300)[1]
    check('the run whose file was removed says so', first.returncode == 1 and 'anew.db is gone' in said, said)
    check('and leaves the new one alone, which is sound', second.returncode == 0 and is_sound('anew.db') and
          count_rows('anew.db', 'generation') == 301, other)


def test_games_of_another_schedule():
    """A run from somebody else has games that its organisms cannot have played."""
    works('a run of games', 'evolve', 'coevolve.yaml', '-o', 'games.db')

    def crafted(sql):
        shutil.copy('games.db', 'crafted.db')
        change('crafted.db', sql)
    for what in 'white_idx = 100000', 'black_kind = 9', 'opening = 1 - opening', 'result = 3', 'result = -1':
        for number in ('number > 1', 'number = 0'):
            crafted('UPDATE game SET %s WHERE %s' % (what, number))
            refused = run('resume', 'crafted.db', '--generations', 3, '--force')
            check('resume: %s where %s' % (what, number), number == 'number = 0' and 'result' not in what or
                  refused.returncode == 2 and 'generation 2, ' in refused.stderr, refused)
            refuses('verify: %s where %s' % (what, number), ', game ', 'verify', 'crafted.db', '--sample', 1, code=1)
    crafted("UPDATE property SET value = replace(value, 'generations: 2', 'generations: 0') WHERE key = 'recipe'")
    refuses('verify: more generations than the recipe has', '3 generations are stored', 'verify', 'crafted.db')


def test_limits():
    shutil.copy('run.db', 'wal.db')
    change('wal.db', 'PRAGMA journal_mode = WAL')
    refused = run('export', 'wal.db', '--format', 'csv', preexec_fn=limited(resource.RLIMIT_NOFILE, 4))
    check('too many open files are told as such', refused.returncode != 0 and 'Too many open files' in refused.stderr, refused)
    began = time.time()
    write('keys.yaml', 'kind: evaluation\nparameters:\n' + ''.join('  K%x: 1\n' % n for n in range(80000)))
    refused = run('export', 'keys.yaml', '--format', 'csv')
    check('a file of very many keys is refused in seconds', refused.returncode == 2 and time.time() - began < 20, refused)


tap.main()
