"""The commands of README and docs, run as they are printed: a page has a folder of its own, which looks like a fresh
clone with a build, and its commands run there in order. As many pages as there are cores run at the same time.

    docs_commands.py [PAGE.md...]

A command that takes long is interrupted after some seconds, which it must survive; a night then has a minute more in which
it comes to its end, for the commands after it. The lines printed below a command must be in its output, but for times and
speeds; `...` leaves lines out. Skipped are commands that need root, other machines, an engine that is not installed, the
output of a command that was interrupted or skipped, or something that only the reader has: a word of capitals, such as RUN.db.
"""
import contextlib
import io
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import tap
from tap import build, check, source

PAGES = sys.argv[1:] or ['README.md'] + sorted('docs/' + name for name in os.listdir(os.path.join(source, 'docs'))
                                                if name.endswith('.md'))
PATIENCE, GRACE = 4, 300
NIGHT = re.compile(r'grayling evolve \S*(night\S*)')
ELSEWHERE = re.compile(r'^(sudo|make|mpirun|sbatch|systemd-run|tmux|nohup|meson)\b|apt install|ecm879|wac300|--pgo')
READERS = re.compile(r'(^|[ =/:])([A-Z][A-Z0-9_]*)(\.(db|yaml|epd|pgn))?\b|\.\.\.')
ENGINES = ['toga2', 'glaurung', 'gnuchess', 'stockfish', 'phalanx', 'ethereal']
TIMED = re.compile(r'\d (ms|s|min|h)\b|a second|an hour|[0-9]{8}-[0-9]{6}|threads')
COMMANDS = {'grayling', 'grayling-uci', 'cc', 'printf', 'build/tools/grayling', 'build/tools/grayling-uci', 'sudo', 'make', 'mpirun',
            'sbatch', 'systemd-run', 'tmux', 'nohup', 'meson'}


def is_command(line):
    word = line.split(' ')[0]
    return word in COMMANDS or word.startswith(('experiments/', 'bench/', 'packaging/', 'build/'))


def commands_of(page):
    """The commands of a page with the lines printed below each, by the blocks that are indented by four."""
    with open(os.path.join(source, page)) as f:
        blocks = re.findall(r'(?:^ {4,}\S.*\n)+', f.read(), re.M)
    for block in blocks:
        found = None
        for line in re.sub(r' *\\\n +', ' ', block).splitlines():
            line = line.strip()
            if is_command(line):
                if found:
                    yield found
                found = (line, [])
            elif found:
                found[1].append(line)
        if found:
            yield found


def enter_clone(page):
    """A folder with what a clone has; what commands write is not written into the source."""
    folder = page.replace('/', '-')
    os.mkdir(folder)
    os.chdir(folder)
    for name in 'params', 'data', 'docs', 'examples', 'experiments':
        shutil.copytree(os.path.join(source, name), name, symlinks=True)
    os.symlink(build, 'build')
    os.mkdir('runs')


def databases():
    return {os.path.join(folder, name) for folder, _, names in os.walk('.') for name in names if name.endswith('.db')}


def wait_for_run(process, before):
    """Waits until a run has its file: an interrupt before that leaves none."""
    until = time.monotonic() + GRACE
    while process.poll() is None and time.monotonic() < until and databases() <= before:
        time.sleep(0.1)


def run(command, patience=PATIENCE):
    """Runs a command of a shell; interrupts it after so many seconds. Its exit code, output, and whether it was interrupted."""
    before = databases()
    p = subprocess.Popen(['bash', '-c', command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                         stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        out = p.communicate(timeout=patience)[0]
        return p.returncode, out, False
    except subprocess.TimeoutExpired:
        if 'grayling evolve' in command:
            wait_for_run(p, before)
        os.killpg(p.pid, signal.SIGINT)
    try:
        out = p.communicate(timeout=GRACE)[0]
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        return None, 'does not end after an interrupt', True
    return p.returncode, out, True


def why_not(command, late):
    """Why a command cannot be run here, or None; `late` are patterns of files that are not complete."""
    bare = re.sub(r'#.*', '', command)
    if ELSEWHERE.search(bare):
        return 'root, another machine or a suite'
    if bare.startswith(('experiments/', 'bench/', 'packaging/')):
        return 'a measurement'
    if READERS.search(re.sub(r"'[A-Za-z]+ [0-9.]+'", '', bare)):
        return "the reader's"
    if any(re.search(name, bare) for name in late):
        return 'needs what an earlier command takes long for'
    missing = [name for name in ENGINES if re.search(r'\b%s\b' % name, bare) and not shutil.which(name)]
    return missing[0] + ' is not installed' if missing else None


def outputs(command):
    """Patterns of the files that a command writes."""
    names = [re.escape(name).replace('%d', r'\d+') for name in re.findall(r"-o '?([^ ']+)", command)]
    return names + [name.replace(r'\.db', r'\.yaml') for name in names if name.endswith(r'\.db')]


def has_outcome(pattern):
    """True of a run that was interrupted, but after its first generation."""
    name = pattern.replace('\\', '')
    return name.endswith('.db') and run('grayling export ' + name, GRACE)[0] == 0


def missing_lines(printed, output):
    """The printed lines that are not in the output."""
    told = {line.strip() for line in output.splitlines()}
    return [line for line in printed if line != '...' and not TIMED.search(line) and line not in told]


def run_page(page):
    """Runs the commands of a page in their order."""
    enter_clone(page)
    late = []
    for command, printed in commands_of(page):
        reason = why_not(command, late)
        if reason:
            late += outputs(command)
            tap.count += 1
            print('ok %d - %s: %s # SKIP %s' % (tap.count, page, command.replace('#', ''), reason))
            continue
        code, output, interrupted = run(command, GRACE if 'grayling init' in command else PATIENCE)
        check('%s: %s' % (page, command.replace('#', '')), code in ((0, 130, -signal.SIGINT) if interrupted else (0,)), output[-1500:])
        if interrupted:
            late += [name for name in outputs(command) if not has_outcome(name)]
        if interrupted and NIGHT.search(command):
            run('grayling resume %s-seed1.db --hours 0.02' % NIGHT.search(command)[1], 600)
        if printed and not interrupted:
            absent = missing_lines(printed, output)
            check('%s: prints what the page says' % page, not absent, '\n'.join(absent) + '\n---\n' + output[-1500:])
    os.chdir(tap.work)
    shutil.rmtree(page.replace('/', '-'))


def lines_of(page):
    """The lines of TAP of a page."""
    with contextlib.redirect_stdout(io.StringIO()) as lines:
        run_page(page)
    return lines.getvalue()


os.environ['PATH'] = os.path.join(build, 'tools') + ':' + os.environ['PATH'] + ':/usr/games'
os.environ.pop('GRAYLING_TRUST', None)
with multiprocessing.Pool(len(os.sched_getaffinity(0)), maxtasksperchild=1) as pool:
    for lines in pool.imap(lines_of, PAGES, chunksize=1):
        for line in lines.splitlines():
            number = re.match('(?:not )?ok ([0-9]+)', line)
            tap.count += number is not None
            print(line.replace(number[1], str(tap.count), 1) if number else line, flush=True)
tap.plan()
