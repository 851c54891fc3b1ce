"""What the scripts share: lines of TAP, a folder to work in, the programs, run and waited for.

A script ends with tap.main(), which calls its functions test_... in their order. It works in a scratch folder, entered
here, and tests the programs of the build $GRAYLING_BUILD, or of `build`.
"""
import atexit
import contextlib
import fcntl
import os
import pty
import random
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

source = os.path.abspath(os.path.join(os.path.dirname(__file__), '../..'))
build = os.path.abspath(os.environ.get('GRAYLING_BUILD', os.path.join(source, 'build')))
grayling, uci = (os.path.join(build, 'tools', name) for name in ('grayling', 'grayling-uci'))
villain, toy = (os.path.join(build, 'tests', name) for name in ('villain', 'ranks_toy'))
os.environ.setdefault('GRAYLING_TRUST', '1')
# Scripts that begin with `env python3` start this Python, not that of a version manager, which starts slowly.
os.environ['PATH'] = os.path.dirname(sys.executable) + ':' + os.environ.get('PATH', os.defpath)
# No PNG is drawn (no_png.c), except in a test that calls draw_png().
libraries = os.path.join(build, 'tests')
os.environ['LD_LIBRARY_PATH'] = ':'.join(filter(None, [libraries, os.environ.get('LD_LIBRARY_PATH')]))
count = 0

# A shell starts what works in the background with SIGINT ignored, and all that it starts ignores it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A game that begins with a mate in two, which a short search misses.
MATE_IN_TWO = '''[White "A"]
[Black "B"]
[FEN "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"]
[SetUp "1"]

1. Qg6 fxg6 2. Nxg6# 1-0
'''


def leave(folder):
    os.chdir('/')
    shutil.rmtree(folder, ignore_errors=True)


def enter_scratch():
    """Makes a folder for this test, in memory where there is such, and goes there. It is removed at the
    end, however the test ends, unless GRAYLING_KEEP is set."""
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    folder = tempfile.mkdtemp(prefix='grayling-', dir=memory)
    os.chdir(folder)
    if not os.environ.get('GRAYLING_KEEP'):
        atexit.register(leave, folder)
    return folder


work = enter_scratch()


# ---- TAP ----

def check(what, ok, note=''):
    """One line of TAP."""
    global count
    count += 1
    print('%s %d - %s' % ('ok' if ok else 'not ok', count, what), flush=True)
    if not ok:
        print('# ' + str(note).replace('\n', '\n# '), flush=True)
    return ok


def skip(why):
    """Ends a script that has nothing to test here."""
    print('1..0 # SKIP ' + why)
    sys.exit()


def main():
    """Calls the functions test_... of the script in their order, then prints the plan."""
    for name, function in list(vars(sys.modules['__main__']).items()):
        if name.startswith('test_'):
            function()
    plan()


def plan():
    """The plan, once everything has been checked."""
    print('1..%d' % count)


# ---- programs ----

def draw_png():
    """Lets the programs draw PNG files."""
    paths = os.environ['LD_LIBRARY_PATH'].split(':')  # meson names the folder too
    os.environ['LD_LIBRARY_PATH'] = ':'.join(path for path in paths if path != libraries)


def call(*words, **options):
    """Runs a program to its end."""
    return subprocess.run(list(map(str, words)), **{'capture_output': True, 'text': True, 'timeout': 300, **options})


def run(*words, **options):
    """Runs grayling to its end."""
    return call(grayling, *words, **options)


def start(*words, **options):
    """Starts grayling."""
    return subprocess.Popen([grayling, *map(str, words)],
                            **{'stdout': subprocess.DEVNULL, 'stderr': subprocess.PIPE, 'text': True, **options})


def slowed(process):
    """Lets a process work a fifth of the time until it is interrupted: it goes on and costs little."""
    process.slow = True

    def hold():
        while process.slow and process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.04)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
    threading.Thread(target=hold, daemon=True).start()
    return process


def start_slow(*words, **options):
    """Starts grayling, which goes on slowly."""
    return slowed(start(*words, **options))


def interrupt(process, number=signal.SIGINT):
    """Sends a signal; what the process said then, on both streams."""
    process.slow = False
    process.send_signal(number)
    return ''.join(text or '' for text in process.communicate(timeout=120))


def works(what, *words, says='', **options):
    """Checks that grayling ends with 0, and says this on either stream."""
    r = run(*words, **options)
    check(what, r.returncode == 0 and has(r, says), r)
    return r


def refuses(what, says, *words, code=2, absent=None, **options):
    """Checks that grayling ends with this code and one line of its own on standard error, that it says this, and that it
    makes no file `absent`."""
    r = run(*words, **options)
    check(what, r.returncode == code and has(r, says) and len(re.findall('(?m)^grayling', r.stderr)) == 1 and
          not (absent and os.path.exists(absent)), r)
    return r


def has(r, says):
    """Whether the streams of a program have this text, or all of these."""
    return all(text in r.stdout + r.stderr for text in ([says] if isinstance(says, str) else says))


def own_copy(path):
    """A copy of a program in the scratch folder. Its processes are those of this test alone, whatever
    other tests run at the same time."""
    return shutil.copy(path, os.path.join(os.getcwd(), os.path.basename(path)))


def processes(word):
    """The other processes with this in their command line."""
    return [int(pid) for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid() and
            word.encode() in of_process(pid, 'cmdline').replace(b'\0', b' ')]


def of_process(pid, name):
    """A file under /proc; nothing if the process is gone."""
    try:
        return content('/proc/%s/%s' % (pid, name))
    except OSError:
        return b''


def children(parent):
    """The processes that a process has started."""
    return [int(pid) for pid in os.listdir('/proc') if pid.isdigit() and
            of_process(pid, 'stat').rpartition(b')')[2].split()[1:2] == [b'%d' % parent]]


def no_process(word):
    """Whether no process with this in its command line is left, or will be in a moment."""
    return wait_for(lambda: not processes(word))


def wait_for(condition):
    """What the condition is when it comes true, or after a minute. It need not stay true. To ask takes a tenth of the
    time, or so."""
    end, begun = time.time() + 60, processor_time()
    while not (met := condition()) and time.time() < end:
        time.sleep(min(0.2, max(0.005, 9 * (processor_time() - begun))))
        begun = processor_time()
    return met


def processor_time():
    """The seconds that this process has worked, and those that it has started and waited for."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def random_moments():
    """Random numbers, new each time, for the moments of kills; the log has their seed."""
    seed = random.SystemRandom().randrange(1 << 30)
    print('# kills at moments from seed', seed, flush=True)
    return random.Random(seed)


def kill_often(begin, go_on, path, done, kills, most):
    """Begins what writes `path`, kills it so often -9, and goes on in between, until it ends by itself; the last process.
    It is killed when done() has grown by up to `most`: what is done says when, not the clock, so a loaded machine does
    not move the moments. go_on(N) goes on with N threads."""
    moments = random_moments()
    child = begin()
    for _ in range(kills):
        wanted = done() + moments.randrange(most + 1)
        wait_for(lambda: done() >= wanted or child.poll() is not None)
        time.sleep(moments.uniform(0, 0.01))
        child.kill()
        child.communicate()
        child = go_on(moments.choice((1, 2))) if os.path.exists(path) else begin()
    child.error = child.communicate()[1]
    return child


# ---- terminals ----

def read_terminal(terminal, after=lambda shown: None, errors='replace'):
    """What is shown on a terminal to its end; `after` is called with it after each part. `errors` is as of decode."""
    shown = b''
    with contextlib.suppress(OSError):  # the other end is closed
        while part := os.read(terminal, 1 << 16):
            shown += part
            after(shown.decode(errors='replace'))
    os.close(terminal)
    return shown.decode(errors=errors)


def on_terminal(columns, *words, enough=lambda shown: False, slow=False, errors='replace', **streams):
    """What grayling writes to a terminal of so many columns; it is interrupted once it has written enough."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    child = subprocess.Popen([grayling, *map(str, words)], env=dict(os.environ, TERM='xterm'), **{
        'stdin': subprocess.DEVNULL, 'stdout': theirs, 'stderr': theirs, **streams})
    os.close(theirs)
    if slow:
        slowed(child)

    def stop(shown):
        if enough(shown):
            child.slow = False
            child.send_signal(signal.SIGINT)
    shown = read_terminal(ours, stop, errors)
    child.wait()
    return shown


def asked(answer, mark, *words):
    """Runs grayling on a terminal, on which this is typed once it shows the mark; its exit code and what it shows."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(grayling, [grayling, *words])
    typed = []

    def type_once(shown):
        if mark in shown and not typed:
            typed.append(os.write(terminal, answer))
    shown = read_terminal(terminal, type_once)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown


# ---- files ----

def write(name, text, mode=None):
    with open(name, 'w') as f:
        f.write(text)
    if mode is not None:
        os.chmod(name, mode)


def read(name):
    """The text of a file; none if it is not there."""
    if not os.path.exists(name):
        return ''
    with open(name, errors='backslashreplace') as f:
        return f.read()


def content(name):
    with open(name, 'rb') as f:
        return f.read()


def size_of(name):
    """How many bytes a file has; 0 if it is not there."""
    return os.path.getsize(name) if os.path.exists(name) else 0


def head(name, lines):
    """Copies the first lines of one of the project's data files."""
    with open(os.path.join(source, 'data', name)) as f, open(name, 'w') as out:
        out.writelines(line for line, _ in zip(f, range(lines)))


def params(name):
    """The path of a file that comes with the program."""
    return os.path.join(source, 'params', name)


def compress(path):
    """Writes PATH.zst and removes PATH."""
    call('zstd', '-q', '--rm', path)


def pgn(name):
    """The games of a PGN as pairs: tags, and moves with what the players thought of them."""
    parts = read(name).split('\n\n')
    return [(dict(re.findall(r'\[(\w+) "(.*)"\]', parts[i])), parts[i + 1]) for i in range(0, len(parts) - 1, 2)]


# ---- runs ----

def query(path, sql, *values):
    """Asks a run's database without writing to it, and closes it: a run waits at its end for those who have it open."""
    with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % path, uri=True)) as db:
        return db.execute(sql, values).fetchall()


def change(path, *statements):
    """Changes a run's database; how many rows the last statement changed."""
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        return [db.execute(sql).rowcount for sql in statements][-1]


def count_rows(path, table):
    """How many rows a table has; 0 while there is none."""
    try:
        return query(path, 'SELECT count(*) FROM ' + table)[0][0]
    except sqlite3.Error:
        return 0


def run_of(stage):
    """The condition that a row is of this stage; "" is the file's own run."""
    return "run_id = (SELECT id FROM run WHERE stage = '%s')" % stage


MEASURED = {'genome': '*', 'organism': '*', 'game': '*',
            'generation': 'run_id, idx, best, measure, held_out, mean, deviation, diversity',
            'match_player': '*', 'match_pairing': '*', 'match_game': '*', 'match_pgn': '*'}


def dump(path, where='1'):
    """All that was measured in a run or night, without what comes from the clock."""
    there = [name for name, in query(path, 'SELECT name FROM sqlite_master')]
    return {table: query(path, 'SELECT %s FROM %s WHERE %s ORDER BY 1, 2, 3' % (columns, table, where))
            for table, columns in MEASURED.items() if table in there}
