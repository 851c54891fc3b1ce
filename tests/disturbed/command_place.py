"""A folder in which one command is disturbed, and completed."""
import glob
import os
import shutil
import signal
import subprocess
import urllib.request

import small_commands
from tap import grayling, read, wait_for, work


class Place:
    """A folder for one command, with what is in `inputs`; its processes are known by a variable of their
    environment."""

    def __init__(self, name):
        self.folder = os.path.join(work, str(name))
        self.temporary = self.folder + '.tmp'
        self.given = os.listdir(os.path.join(work, 'inputs'))
        self.fill()

    def fill(self):
        shutil.copytree(os.path.join(work, 'inputs'), self.folder)
        os.mkdir(self.temporary)

    def start(self, words, threads=1, **environment):
        with open(self.temporary + '.err', 'w') as errors:
            return subprocess.Popen([grayling] + words, cwd=self.folder, stdout=subprocess.PIPE, stderr=errors,
                                    stdin=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=self.temporary,
                                                                       OMP_NUM_THREADS=str(threads), **environment))

    def errors(self):
        return read(self.temporary + '.err')

    def processes(self):
        """The command lines of all that this place's commands started, and that still run."""
        mark, found = ('TMPDIR=%s\0' % self.temporary).encode(), []
        for path in glob.glob('/proc/[0-9]*/environ'):
            try:
                with open(path, 'rb') as f, open(path.replace('environ', 'cmdline'), 'rb') as line:
                    if mark in f.read() + b'\0':
                        found.append(line.read())
            except OSError:
                pass  # it has just ended, or is not ours
        return found

    def left(self):
        """What must not be there a moment after a command has ended: processes, temporary files, and journals."""
        wait_for(lambda: not self.processes())
        names = [name for name in os.listdir(self.folder) if '.new-' in name or name.endswith(('-wal', '-shm')) or
                 (name.endswith('.journal') and name not in self.given)]
        return names + os.listdir(self.temporary) + self.processes()

    def renew(self):
        """Makes it as it was."""
        self.remove()
        self.fill()

    def remove(self):
        shutil.rmtree(self.folder)
        shutil.rmtree(self.temporary)


def asked(url):
    """What a server answers. Without memory it may fail one request, but not the next."""
    for last in (False, True):
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return answer.read().decode(errors='backslashreplace')
        except OSError:
            if last:
                raise


def finish(process, command):
    """Waits for a command, or ends one that does not end by itself once it has answered; its output, or None."""
    try:
        if command.ends:
            return process.communicate(timeout=120)[0].decode(errors='backslashreplace')
        line = process.stdout.readline().decode(errors='backslashreplace')
        told = small_commands.timeless(asked(line.split()[-1] + 'status.json'))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        return told
    except (subprocess.TimeoutExpired, OSError, IndexError) as reason:
        process.kill()
        process.communicate()
        return 'no end: %s' % reason


def complete(place, command, threads=1, **environment):
    """Runs a command to its end; what comes of it: exit code, output, files."""
    words, code, told = command.line(place.folder), 0, ''
    if words is not None:
        process = place.start(words, threads, **environment)
        told = finish(process, command)
        code = process.returncode
        wait_for(lambda: not place.processes())  # of a run that was killed, the writer of its page
    return code, told if command.told or not command.ends else '', small_commands.contents(place.folder)
