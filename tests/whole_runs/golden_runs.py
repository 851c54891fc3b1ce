"""A small run of each phase comes out as it always has. Speaks TAP.

    golden_runs.py GRAYLING SOURCE

The files of tests/golden/runs are evidence (`grayling export --format evidence`). Only methods that
calculate with whole numbers are among them, since the others repeat for the same binary alone.
"""
import glob
import os
import sys

import tap
from tap import check

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
tap.enter_scratch()
PHASES = ['coevolution', 'compare', 'moves', 'night', 'nodes', 'nodes-modern']

files = sorted(glob.glob(os.path.join(source, 'tests', 'golden', 'runs', '*.yaml')))
check('there is a golden run of each phase', sorted(os.path.basename(f)[:-5] for f in files) == PHASES, files)
for path in files:
    done = tap.run(grayling, 'verify', '--expect', path)
    check('the golden run %s repeats' % os.path.basename(path), done.returncode == 0
          and 'repeated, as expected' in done.stdout, done.stdout + done.stderr)
tap.plan()
