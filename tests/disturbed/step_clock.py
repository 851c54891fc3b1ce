"""A night that ends at a time of day, on a machine whose clock is set while it runs."""
import os
import re
import time

import small_night
import tap
from tap import check, run, write


def hours(limit, **variables):
    """The hours that each stage may take at most."""
    library = os.path.join(tap.build, 'tests', 'libstep_clock.so')
    made = run('evolve', 'two.yaml', '-o', 'two.db', '--force', *limit,
               env=dict(os.environ, TZ='UTC', LD_PRELOAD=library, **variables))
    found = re.findall(r'^stage    (\w+): (?:(\d+) h )?.* at most$', made.stdout, re.M)
    return {stage: int(h or 0) for stage, h in found} or made


def test_hours():
    small_night.write_recipes()
    write('two.yaml', 'name: two\nphase: night\nseed: 1\nhours: 1\nruns: 1\nset: {ga.generations: 60}\nstages:\n'
          '  first: {recipe: evolve.yaml}\n  second: {recipe: evolve.yaml}\n')
    until = ['--until', time.strftime('%Y-%m-%d %H:%M', time.gmtime(time.time() + 2 * 3600 - 120))]
    # The first stage asks for the time once for each of its generations, and so is where the clock is set back.
    for what, limit, variables, second in (
            ('a night of almost two hours', until, {}, 1),
            ('--until: an hour that the clock is set back is one more', until, {'STEP_AFTER': '50'}, 2),
            ('--hours is a duration', ['--hours', '1.99'], {'STEP_AFTER': '50'}, 1)):
        found = hours(limit, **variables)
        check(what, found == {'first': 0, 'second': second}, found)


tap.main()
