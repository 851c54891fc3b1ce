"""A small run of each phase comes out as it always has.

The files of tests/golden/runs are evidence (`grayling export --format evidence`). Only methods that
calculate with whole numbers are among them, since the others repeat for the same binary alone.
"""
import glob
import os

import tap
from tap import check, source, works

PHASES = ['coevolution', 'compare', 'moves', 'night', 'nodes', 'nodes-modern']

files = sorted(glob.glob(os.path.join(source, 'tests', 'golden', 'runs', '*.yaml')))
check('there is a golden run of each phase', sorted(os.path.basename(f)[:-5] for f in files) == PHASES, files)
for path in files:
    works('the golden run %s repeats' % os.path.basename(path), 'verify', '--expect', path,
          says='repeated, as expected')
tap.main()
