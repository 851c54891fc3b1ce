"""Damaged run files: bytes changed, cut or moved, and rows changed by another program. No command crashes or hangs on
one, each says what is wrong, and a command that succeeds gives what the sound file gives.

    damage_runs.py [COUNT [SEED [FIRST]]]

COUNT files are damaged (60) by SEED (1), from number FIRST on (0). Give it a build with sanitizers.

Whoever changes rows may change them to others that could be right. Such a run may be read, but only one that gives
what the sound one gives passes both 'grayling check' and 'grayling verify', which measures it anew.
"""
import concurrent.futures
import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys

import small_night
import tap
from tap import check, run, write

COUNT, SEED, FIRST = map(int, (sys.argv[1:] + ['60', '1', '0'][len(sys.argv) - 1:])[:3])
TOLD = 500  # a line for so many files
PAGE = 4096
LIMIT = 120  # seconds for a command of less than one
SANITIZERS = ('AddressSanitizer', 'runtime error:', 'LeakSanitizer')
os.environ.update(OMP_NUM_THREADS='1', UBSAN_OPTIONS='print_stacktrace=1', ASAN_OPTIONS='allocator_may_return_null=1')
FILES = {'run': 'moves.yaml', 'dark': 'night.yaml'}


# ---- sound files ----

def make_files():
    """A run and a night, complete and at rest."""
    small_night.write_recipes()
    write('moves.yaml', 'name: m\nseed: 3\ndata: {train: [train-1.epd]}\nga: {population: 10, generations: 6}\n')
    for name, recipe in FILES.items():
        run('evolve', recipe, '-o', name + '.db', check=True)


def reading(name):
    """Commands that give a run's values, or what there is to say of it."""
    paths = ['run.db'] if name == 'run' else ['dark.db#coevolve', 'dark.db#search']
    return [['export', path, '--format', 'yaml'] for path in paths] + [['status', name + '.db'], ['check', name + '.db']]


# ---- damage to bytes ----

def flip(data, r):
    for _ in range(r.choice((1, 1, 1, 2, 8))):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)


def overwrite(data, r):
    at, size = r.randrange(len(data)), r.choice((4, 64, 512, PAGE))
    data[at:at + size] = r.choice((bytes(size), b'\xff' * size, r.randbytes(size)))[:len(data) - at]


def cut(data, r):
    del data[r.randrange(len(data)):]


def swap_pages(data, r):
    a, b = (r.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]


def repeat_page(data, r):
    a, b = (r.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[a:a + PAGE] = data[b:b + PAGE]


def lengthen(data, r):
    data += r.randbytes(r.choice((1, 100, PAGE)))


def damage_bytes(path, r):
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    how = r.choice((flip, flip, flip, overwrite, overwrite, cut, swap_pages, repeat_page, lengthen))
    how(data, r)
    with open(path, 'wb') as f:
        f.write(data)
    return how.__name__


# ---- damage by another program ----

def value(r):
    return r.choice((None, -1, 0, 1, 7, 1 << 31, (1 << 63) - 1, -(1 << 63), 1e308, -0.5, float('inf'), '', 'x', "'\n\"", 'x' * 70000,
                     b'', b'\x00', r.randbytes(40), b'\xff' * 5000))


ROWS = {  # what is done, as SQL for a table, a column and random numbers
    'change a cell': lambda t, c, r: 'UPDATE "%s" SET "%s" = ? WHERE rowid = (SELECT rowid FROM "%s" ORDER BY random() LIMIT 1)' % (t, c, t),
    'change a column': lambda t, c, r: 'UPDATE "%s" SET "%s" = ?' % (t, c),
    'add': lambda t, c, r: 'UPDATE "%s" SET "%s" = "%s" + %d WHERE rowid %% %d = 0' % (t, c, c, r.choice((-1, 1, 1000)), r.randint(1, 5)),
    'exchange rows': lambda t, c, r: 'UPDATE "%s" SET "%s" = (SELECT "%s" FROM "%s" ORDER BY random() LIMIT 1) WHERE random() %% 3 = 0'
                                     % (t, c, c, t),
    'delete rows': lambda t, c, r: 'DELETE FROM "%s" WHERE random() %% %d = 0' % (t, r.choice((1, 2, 20))),
    'repeat rows': lambda t, c, r: 'INSERT OR REPLACE INTO "%s" SELECT * FROM "%s" ORDER BY random() LIMIT 3' % (t, t),
    'drop a column': lambda t, c, r: 'ALTER TABLE "%s" DROP COLUMN "%s"' % (t, c),
    'rename a column': lambda t, c, r: 'ALTER TABLE "%s" RENAME COLUMN "%s" TO other' % (t, c),
    'drop a table': lambda t, c, r: 'DROP TABLE "%s"' % t,
    'make a view': lambda t, c, r: 'ALTER TABLE "%s" RENAME TO behind; CREATE VIEW "%s" AS SELECT * FROM behind UNION ALL SELECT * FROM behind'
                                   % (t, t),
    'add a trigger': lambda t, c, r: 'CREATE TRIGGER spring AFTER INSERT ON "%s" BEGIN DELETE FROM run; END' % t,
    'change a version': lambda t, c, r: 'PRAGMA %s = %d' % (r.choice(('user_version', 'application_id', 'schema_version')),
                                                           r.choice((-1, 0, 1, 3, 99))),
}


def damage_rows(path, r):
    how = r.choice([*ROWS, 'change a cell', 'change a cell'])
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        table = r.choice([name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")])
        column = r.choice([row[1] for row in db.execute('PRAGMA table_info("%s")' % table)])
        try:
            for sql in ROWS[how](table, column, r).split('; ') if how == 'make a view' else [ROWS[how](table, column, r)]:
                db.execute(sql, [value(r)] * sql.count('?'))
        except (sqlite3.Error, OverflowError):
            pass  # the schema does not allow it
    return '%s of %s.%s' % (how, table, column)


# ---- what commands make of it ----

def answer(words):
    """The exit code of a command and what it printed."""
    try:
        r = run(*words, encoding='latin-1', timeout=LIMIT)
        return r.returncode, r.stdout, r.stderr
    except subprocess.TimeoutExpired:
        return None, '', 'no end after %d s' % LIMIT


def values(text):
    """The values of an exported file; the comments around them may tell less of a damaged run."""
    return [line.split('#')[0] for line in text.splitlines() if not line.startswith('#')]


def complaint(words, told, sound, strict):
    """What is wrong with an answer, or None. Where `strict`, the answer is the sound one, or an error."""
    code, out, err = told
    if code not in (0, 1, 2) or any(word in err for word in SANITIZERS):
        return '%s: exit code %s\n%s' % (' '.join(words), code, err)
    if code != 0 and 'grayling: ' not in err:
        return '%s: no reason\n%s%s' % (' '.join(words), out, err)
    if code == 0 and strict and words[0] == 'export' and values(out) != values(sound):
        return '%s: other values, and exit code 0\n%s' % (' '.join(words), out)
    return None


def try_one(number):
    """Damages a file and reads it: (what was done, what is wrong or None, whether a command refused it)."""
    r = random.Random(SEED * 1000003 + number)
    name, by_rows = r.choice(('run', 'run', 'dark')), r.random() < 0.5
    path = '%s-%d.db' % (name, number)
    shutil.copy(name + '.db', path)
    done = '%s: %s' % (name, (damage_rows if by_rows else damage_bytes)(path, r))
    found, refused, passed = None, False, False
    if by_rows:
        trust = [['check', path], ['verify', path if name == 'run' else path + '#coevolve']]
        told = list(map(answer, trust))
        found = next(filter(None, (complaint(*pair, '', False) for pair in zip(trust, told))), None)
        passed = all(code == 0 for code, _, _ in told)
        refused = not passed
    for words in reading(name):
        given = [word.replace(name + '.db', path) for word in words]
        told = answer(given)
        strict = not by_rows or passed and words == reading(name)[0]
        found = found or complaint(given, told, SOUND[tuple(words)], strict)
        refused = refused or told[0] != 0
    for left in (path, path + '-wal', path + '-shm'):
        if os.path.exists(left):
            os.unlink(left)
    return done, found, refused


make_files()
SOUND = {tuple(words): answer(words)[1] for name in FILES for words in reading(name)}


def test_damage():
    check('sound files are read', all(SOUND.values()) and all(answer(list(words))[0] == 0 for words in SOUND), SOUND)
    refusals, wrong = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (done, found, refused) in enumerate(pool.map(try_one, range(FIRST, FIRST + COUNT)), FIRST):
            refusals += refused
            if (number + 1 - FIRST) % TOLD == 0:
                print('# up to file %d: %d refused, %d wrong' % (number, refusals, wrong), flush=True)
            if found:
                wrong += 1
                check('file %d of seed %d, %s' % (number, SEED, done), False, found)
    check('%d damaged files of seed %d: no crash, no hang, no wrong value' % (COUNT, SEED), wrong == 0, '%d are wrong' % wrong)
    check('of which %d were refused' % refusals, refusals > COUNT / 3)


tap.main()
