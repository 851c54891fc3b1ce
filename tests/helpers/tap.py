"""What the tests of commands share: lines of TAP, a scratch folder, programs run and waited for."""
import atexit
import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

count = 0
ZSTD_MAGIC, NO_CHECKSUM, WINDOW_OF_1_MIB, BLOCK = b'\x28\xb5\x2f\xfd', b'\0', b'\x50', 1 << 17

# A shell starts what works in the background with SIGINT ignored, and all that it starts ignores it too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def check(what, ok, note=''):
    """One line of TAP."""
    global count
    count += 1
    print('%s %d - %s' % ('ok' if ok else 'not ok', count, what), flush=True)
    if not ok:
        print('# ' + str(note).replace('\n', '\n# '), flush=True)


def plan():
    """The plan, once everything has been checked."""
    print('1..%d' % count)


def leave(folder):
    os.chdir('/')
    shutil.rmtree(folder, ignore_errors=True)


def enter_scratch():
    """Makes a folder for this test, in memory where there is such, and goes there. It is removed at the
    end, however the test ends, unless GRAYLING_KEEP is set."""
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    os.environ['OMP_WAIT_POLICY'] = 'passive'
    folder = tempfile.mkdtemp(prefix='grayling-', dir=memory)
    os.chdir(folder)
    if not os.environ.get('GRAYLING_KEEP'):
        atexit.register(leave, folder)
    return folder


def write(name, text):
    with open(name, 'w') as f:
        f.write(text)


def read(name):
    with open(name, errors='backslashreplace') as f:
        return f.read()


def compress(path):
    """Writes PATH.zst, a zstd frame whose blocks are stored as they are (RFC 8878), and removes PATH."""
    with open(path, 'rb') as f:
        data = f.read()
    with open(path + '.zst', 'wb') as out:
        out.write(ZSTD_MAGIC + NO_CHECKSUM + WINDOW_OF_1_MIB)
        for at in range(0, len(data), BLOCK):
            block = data[at:at + BLOCK]
            last = at + BLOCK >= len(data)
            out.write((len(block) << 3 | last).to_bytes(3, 'little') + block)
    os.remove(path)


def own_copy(path):
    """A copy of a program in the scratch folder. Its processes are those of this test alone, whatever
    other tests run at the same time."""
    return shutil.copy(path, os.path.join(os.getcwd(), os.path.basename(path)))


def content(path):
    """The bytes of a file under /proc; none if the process is gone."""
    try:
        with open(path, 'rb') as f:
            return f.read()
    except OSError:
        return b''


def processes(word):
    """The other processes with this in their command line."""
    return [int(pid) for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid() and
            word.encode() in content('/proc/%s/cmdline' % pid).replace(b'\0', b' ')]


def children(parent):
    """The processes that a process has started."""
    def parent_of(pid):
        words = content('/proc/%s/stat' % pid).rpartition(b')')[2].split()
        return int(words[1]) if words else 0
    return [int(pid) for pid in os.listdir('/proc') if pid.isdigit() and parent_of(pid) == parent]


def no_process(word):
    """Whether no process with this in its command line is left, or will be in a moment."""
    return wait_for(lambda: not processes(word))


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def start(*command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def wait_for(condition):
    """What the condition is when it comes true, or after a minute. It need not stay true."""
    end = time.time() + 60
    while not (met := condition()) and time.time() < end:
        time.sleep(0.002)
    return met


def random_moments():
    """Random numbers, new each time, for the moments of kills; the log has their seed."""
    seed = random.SystemRandom().randrange(1 << 30)
    print('# kills at moments from seed', seed, flush=True)
    return random.Random(seed)


def kill_after(child, done, most, moments):
    """Kills a process -9 when done() has grown by up to `most`, or it has ended by itself; whether it was
    running. What is done says when, not the clock, so a loaded machine does not move the moments."""
    wanted = done() + moments.randrange(most + 1)
    wait_for(lambda: done() >= wanted or child.poll() is not None)
    time.sleep(moments.uniform(0, 0.01))
    running = child.poll() is None
    child.kill()
    child.communicate()
    return running


def kill_often(begin, go_on, path, done, kills, most):
    """Begins what writes `path`, kills it so often (kill_after), and goes on in between, until it ends by
    itself; the last process. go_on(N) goes on with N threads."""
    moments = random_moments()
    child = begin()
    for _ in range(kills):
        kill_after(child, done, most, moments)
        child = go_on(moments.choice((1, 2))) if os.path.exists(path) else begin()
    child.error = child.communicate()[1]
    return child


def query(path, sql):
    """Asks a run's database without writing to it, and closes it: a run waits at its end for those who have it open."""
    with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % path, uri=True)) as db:
        return db.execute(sql).fetchall()


def rows(path, table):
    """How many rows a table has; 0 while there is none."""
    try:
        return query(path, 'SELECT count(*) FROM ' + table)[0][0]
    except sqlite3.Error:
        return 0


def games(path):
    """The games that organisms played, if they did."""
    try:
        return query(path, 'SELECT * FROM game ORDER BY generation, number')
    except sqlite3.Error:
        return []


def run_of(stage):
    """The condition that a row is of this stage; "" is the file's own run."""
    return "run_id = (SELECT id FROM run WHERE stage = '%s')" % stage


def dump(path):
    """Everything of a run that does not come from the clock."""
    return (query(path, 'SELECT * FROM genome ORDER BY id'), games(path),
            query(path, 'SELECT * FROM organism ORDER BY generation, idx'),
            query(path, 'SELECT idx, best, measure, held_out, mean, deviation, diversity'
                        ' FROM generation ORDER BY idx'))
