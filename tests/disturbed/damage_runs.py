"""Damaged run files: bytes changed, cut or moved, and rows changed by another program. No command crashes or hangs on
one, each says what is wrong, and a command that succeeds gives what the sound file gives. Speaks TAP.

    damage_runs.py GRAYLING SOURCE [COUNT [SEED [FIRST]]]

COUNT files are damaged (60) by SEED (that of the day), from number FIRST on (0). Give it a grayling that was built
with sanitizers.

Whoever changes rows may change them to others that could be right. Such a run may be read, but only one that gives
what the sound one gives passes both 'grayling check' and 'grayling verify', which measures it anew.
"""
import concurrent.futures
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time

import small_night
import tap
from tap import check

grayling, source = map(os.path.abspath, sys.argv[1:3])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 60
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time()) // 86400
FIRST = int(sys.argv[5]) if len(sys.argv) > 5 else 0
TOLD = 500  # a line for so many files
PAGE = 4096
LIMIT = 120  # seconds for a command of less than one
SANITIZERS = ('AddressSanitizer', 'runtime error:', 'LeakSanitizer')
os.environ.update(OMP_NUM_THREADS='1', UBSAN_OPTIONS='print_stacktrace=1', ASAN_OPTIONS='allocator_may_return_null=1')
FILES = {'run': 'moves.yaml', 'dark': 'night.yaml'}
tap.enter_scratch()


# ---- sound files ----

def make_files():
    """A run and a night, complete and at rest."""
    small_night.write_recipes(source)
    tap.write('moves.yaml', 'name: m\nseed: 3\ndata: {train: [train-1.epd]}\nga: {population: 10, generations: 6}\n')
    for name, recipe in FILES.items():
        subprocess.run([grayling, 'evolve', recipe, '-o', name + '.db'], check=True, capture_output=True)


def reading(name):
    """Commands that give a run's values, or what there is to say of it."""
    runs = ['run.db'] if name == 'run' else ['dark.db#coevolve', 'dark.db#search']
    return [['export', run, '--format', 'yaml'] for run in runs] + [['status', name + '.db'], ['check', name + '.db']]


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


def change_cell(db, table, column, r):
    row = db.execute('SELECT rowid FROM "%s" ORDER BY random() LIMIT 1' % table).fetchone()
    db.execute('UPDATE "%s" SET "%s" = ? WHERE rowid = ?' % (table, column), (value(r), row and row[0]))


def change_column(db, table, column, r):
    db.execute('UPDATE "%s" SET "%s" = ?' % (table, column), (value(r),))


def add_to_cell(db, table, column, r):
    db.execute('UPDATE "%s" SET "%s" = "%s" + %d WHERE rowid %% %d = 0' % (table, column, column, r.choice((-1, 1, 1000)), r.randint(1, 5)))


def exchange_rows(db, table, column, r):
    db.execute('UPDATE "%s" SET "%s" = (SELECT "%s" FROM "%s" ORDER BY random() LIMIT 1) WHERE random() %% 3 = 0' %
               (table, column, column, table))


def delete_rows(db, table, column, r):
    db.execute('DELETE FROM "%s" WHERE random() %% %d = 0' % (table, r.choice((1, 2, 20))))


def repeat_rows(db, table, column, r):
    db.execute('INSERT OR REPLACE INTO "%s" SELECT * FROM "%s" ORDER BY random() LIMIT 3' % (table, table))


def drop_column(db, table, column, r):
    db.execute('ALTER TABLE "%s" DROP COLUMN "%s"' % (table, column))


def rename_column(db, table, column, r):
    db.execute('ALTER TABLE "%s" RENAME COLUMN "%s" TO other' % (table, column))


def drop_table(db, table, column, r):
    db.execute('DROP TABLE "%s"' % table)


def make_view(db, table, column, r):
    db.execute('ALTER TABLE "%s" RENAME TO behind' % table)
    db.execute('CREATE VIEW "%s" AS SELECT * FROM behind UNION ALL SELECT * FROM behind' % table)


def add_trigger(db, table, column, r):
    db.execute('CREATE TRIGGER spring AFTER INSERT ON "%s" BEGIN DELETE FROM run; END' % table)


def change_version(db, table, column, r):
    db.execute('PRAGMA %s = %d' % (r.choice(('user_version', 'application_id', 'schema_version')), r.choice((-1, 0, 1, 3, 99))))


ROWS = (change_cell, change_cell, change_cell, change_column, add_to_cell, exchange_rows, delete_rows, repeat_rows, drop_column,
        rename_column, drop_table, make_view, add_trigger, change_version)


def damage_rows(path, r):
    how = r.choice(ROWS)
    with sqlite3.connect(path) as db:
        table = r.choice([name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")])
        column = r.choice([row[1] for row in db.execute('PRAGMA table_info("%s")' % table)])
        try:
            how(db, table, column, r)
        except (sqlite3.Error, OverflowError):
            pass  # the schema does not allow it
    db.close()
    return '%s of %s.%s' % (how.__name__, table, column)


# ---- what commands make of it ----

def answer(words):
    """The exit code of a command and what it printed."""
    try:
        r = subprocess.run([grayling] + words, capture_output=True, timeout=LIMIT)
        return r.returncode, r.stdout.decode('latin-1'), r.stderr.decode('latin-1')
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
check('%d damaged files: no crash, no hang, no wrong value' % COUNT, wrong == 0, '%d are wrong' % wrong)
check('of which %d were refused' % refusals, refusals > COUNT / 3)
print('# %d damaged files, %d refused, seed %d from %d on' % (COUNT, refusals, SEED, FIRST))
tap.plan()
