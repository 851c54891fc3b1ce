"""A night that ends at a time of day, on a machine whose clock is set while it runs. Speaks TAP.

    step_clock.py GRAYLING SOURCE STEP_CLOCK.so
"""
import os
import re
import sys
import time

import small_night
import tap
from tap import check

grayling, source, library = (os.path.abspath(a) for a in sys.argv[1:4])
tap.enter_scratch()
small_night.write_recipes(source)
tap.write('two.yaml', 'name: two\nphase: night\nseed: 1\nhours: 1\nruns: 1\nset: {ga.generations: 60}\nstages:\n'
          '  first: {recipe: evolve.yaml}\n  second: {recipe: evolve.yaml}\n')


def hours(limit, **variables):
    """The hours that each stage may take at most."""
    made = tap.run(grayling, 'evolve', 'two.yaml', '-o', 'two.db', '--force', *limit,
                   env=dict(os.environ, TZ='UTC', LD_PRELOAD=library, **variables))
    found = re.findall(r'^stage    (\w+): (?:(\d+) h )?.* at most$', made.stdout, re.M)
    return {stage: int(h or 0) for stage, h in found} or made


# The first stage asks for the time once for each of its generations, and so is where the clock is set back.
until = ['--until', time.strftime('%Y-%m-%d %H:%M', time.gmtime(time.time() + 2 * 3600 - 120))]
back = {'STEP_AFTER': '50'}
check('a night of almost two hours', hours(until) == {'first': 0, 'second': 1}, hours(until))
found = hours(until, **back)
check('--until: an hour that the clock is set back is one more', found == {'first': 0, 'second': 2}, found)
found = hours(['--hours', '1.99'], **back)
check('--hours is a duration', found == {'first': 0, 'second': 1}, found)
tap.plan()
