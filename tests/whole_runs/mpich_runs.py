"""The ranks over MPICH: the module of messages compiled against its headers, and the same jobs and runs with its
mpirun. Speaks TAP; skipped where MPICH is not installed."""
import os
import shutil
import subprocess
import sys

import tap
from toy_lists import check_lists
from tap import check, dump, grayling, head, source, toy, work, works, write

MPIRUN = shutil.which('mpirun.mpich')
WARNINGS = ['-std=c17', '-D_POSIX_C_SOURCE=200809L', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wundef', '-Werror']


def flags_of(*words):
    r = subprocess.run(('pkg-config', *words, 'mpich'), capture_output=True, text=True)
    return r.stdout.split() if r.returncode == 0 else None


if not os.path.exists(toy) or MPIRUN is None or shutil.which('pkg-config') is None or flags_of('--cflags') is None:
    print('1..0 # SKIP no MPICH here')
    sys.exit()
os.environ['OMP_NUM_THREADS'] = '1'
os.environ['LD_LIBRARY_PATH'] = work  # before the folder of the module that was built


def mpirun(ranks, *command):
    return tap.call(MPIRUN, '-n', str(ranks), *map(str, command), stdin=subprocess.DEVNULL)


def test_module():
    """MPICH's header is that of another project: no warnings about it."""
    cflags = [flag.replace('-I', '-isystem', 1) for flag in flags_of('--cflags')]
    rooms = ['-I' + os.path.join(source, 'src', room) for room in ('jobs', 'base')]
    files = [os.path.join(source, 'src', name) for name in ('jobs/ranks_mpi.c', 'base/error.c', 'base/foreign_text.c', 'base/parse.c')]
    r = tap.call(os.environ.get('CC', 'cc'), *WARNINGS, *rooms, *cflags, '-O2', '-shared', '-fPIC', *files,
                '-o', 'libgrayling-mpi.so', *flags_of('--libs'))
    check('the module compiles with MPICH, without a warning', r.returncode == 0, r.stderr)
    r = tap.call('ldd', 'libgrayling-mpi.so')
    check('and is linked to it', 'libmpich' in r.stdout and 'libmpi.so' not in r.stdout, r.stdout)


def test_list():
    check_lists(mpirun)


def test_same():
    head('train-1.epd', 300)
    write('moves.yaml', 'name: moves\nphase: evaluation\nseed: 3\ndata: {train: [train-1.epd]}\n'
          'ga: {population: 20, generations: 4}\n')
    works('a run with 2 threads', 'evolve', 'moves.yaml', '-o', 'threads.db', '--threads', '2')
    r = mpirun(3, grayling, 'evolve', 'moves.yaml', '-o', 'ranks.db')
    check('is the same with 3 ranks', r.returncode == 0 and dump('ranks.db') == dump('threads.db') and
          '3 ranks with 3 threads' in r.stdout, r.stdout + r.stderr)


tap.main()
