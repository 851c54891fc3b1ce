"""What must not be lost and what must not be believed, from the command line: full disks, links in the way,
kills, programs that hang, files that are not what they seem. Speaks TAP.

    trust_command.py GRAYLING SOURCE
"""
import os
import resource
import shutil
import signal
import sys

import small_night
import tap
from tap import check

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tap.enter_scratch()
DEAD = 4194303  # no process has the largest number
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


try:
    small_night.write_recipes(source)
    test_links()
    test_leftovers()
    test_full_disk()
    tap.plan()
finally:
    shutil.rmtree(work)
