"""Runs of version 1 of the store from the command line: read as they are, migrated, resumed. Speaks TAP.

    migration_runs.py GRAYLING SOURCE
"""
import glob
import hashlib
import os
import shutil
import sqlite3
import sys

import small_night
import tap
from tap import check, query

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
tap.enter_scratch()
PRESENT = 4  # the version that is written
# What the nights of tests/store_v1 were made with, so that they have players of every kind.
SETTINGS = [word for setting in (
    'coevolve.set.fitness.hall=1', 'coevolve.set.fitness.seed_games=2', 'coevolve.set.fitness.rematch=2',
    'coevolve.set.fitness.unique=no', 'coevolve.set.fitness.limit=60', 'match.games=8')
    for word in ('--set', 'stages.' + setting)]
# A run, a coevolution, a comparison, a night, as far as this repository keeps them in version 1; and a
# stage of each, whose parameters are exported.
KEPT = {'paper-seed1': '', 'coevolution-first': '', 'compare-optimisers': '#spsa-3', 'night-half-hour': '#play'}


def run(*arguments):
    return tap.run(grayling, *arguments)


def restore(name):
    """Makes old.db from a dump of it, with nothing beside it."""
    for left in glob.glob('old*'):
        os.remove(left)
    db = sqlite3.connect('old.db')
    with open(os.path.join(source, 'tests', 'store_v1', name + '.sql')) as f:
        db.executescript(f.read())
    db.close()


def version(path):
    return query(path, 'PRAGMA user_version')[0][0]


def content(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def everything(path):
    """What there is of a night but for the clock, its own name, and the conditions of genes, which version 1
    did not keep."""
    tables = [query(path, 'SELECT * FROM run'), query(path, 'SELECT run_id, idx, role, sha256 FROM data'),
              query(path, 'SELECT run_id, idx, name, bits, min, max, initial, sign, type, step, decimals, choices '
                          'FROM gene'),
              query(path, 'SELECT run_id, idx, best, measure, held_out, mean, deviation, diversity FROM generation')]
    for table in ('genome', 'organism', 'game', 'match_player', 'match_pairing', 'match_game'):
        tables.append(query(path, 'SELECT * FROM ' + table))
    return tables


def told(path, stage):
    """What commands say of a run, but for what they say of the time."""
    said = {'status': '\n'.join(line for line in run('status', path).stdout.splitlines() if 'last change' not in line),
            'report': run('report', path, '-o', '-').stdout,
            'export': run('export', path + stage, '--format', 'csv').stdout,
            'parameter file': run('export', path + stage, '--format', 'yaml').stdout}
    run('plot', path, '-o', 'plot.svg', '--force')
    with open('plot.svg') as f:
        said['plot'] = f.read()
    return said


def test_killed():
    """Nights that another program began and this one ends are what this one makes alone."""
    small_night.write_recipes(source)
    whole = run('evolve', 'night.yaml', '-o', 'whole.db', *SETTINGS, '--set', 'stages.coevolve.set.fitness.pairs=no')
    check('a whole night', whole.returncode == 0 and version('whole.db') == PRESENT, whole.stderr)
    for name in ('killed-in-coevolution', 'killed-in-match'):
        restore(name)
        before = content('old.db')
        status = run('status', 'old.db')
        check(name + ' is read', status.returncode == 0 and 'stopped' in status.stdout, status.stdout + status.stderr)
        check('each of its stages too', run('status', 'old.db#coevolve').returncode == 0 and
              run('export', 'old.db#evolve-1', '--format', 'csv').returncode == 0)
        check('which changes nothing', content('old.db') == before and version('old.db') == 1)
        end = run('resume', 'old.db', '--threads', '2')
        check('it is resumed', end.returncode == 0 and version('old.db') == PRESENT, end.stderr)
        check('and becomes the whole night', everything('old.db') == everything('whole.db'))
        for stage in small_night.RUNS:
            good = run('verify', 'old.db#' + stage)
            check('whose %s is verified' % stage, good.returncode == 0, good.stderr)


def test_kept():
    """What is said of a kept run is the same before and after its migration."""
    os.makedirs('docs/runs')
    for name in ('data', 'params'):
        os.symlink(os.path.join(source, name), name)
    os.chdir('docs/runs')
    names = [name for name in KEPT if os.path.exists(os.path.join(source, 'docs', 'runs', name + '.db')) and
             version(os.path.join(source, 'docs', 'runs', name + '.db')) == 1]
    for name in names:
        path, stage = name + '.db', KEPT[name]
        shutil.copy(os.path.join(source, 'docs', 'runs', path), path)
        sha256, before = content(path), told(path, stage)
        check(name + ': reading leaves it as it is', content(path) == sha256 and version(path) == 1)
        resumed = run('resume', path)
        check(name + ': it is migrated', resumed.returncode == 0 and version(path) == PRESENT, resumed.stderr)
        after = told(path, stage)
        for what, said in before.items():
            check('%s: %s is the same' % (name, what), said != '' and said == after[what])
        check(name + ': nothing is left of version 1',
              query(path, "SELECT count(*) FROM sqlite_master WHERE name GLOB '*__*'") == [(0,)])


test_killed()
test_kept()
tap.plan()
