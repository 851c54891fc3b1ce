#!/usr/bin/env python3
"""A night that gets more time: what every stage has before and after, and whether it verifies.

    experiments/night_continued.py GRAYLING [HOURS]

Runs params/recipes/night.yaml with small settings for HOURS (default 0.05), then twice gives it the same hours
again: as it is, and with `--again evolve`. Prints the generations and games of every stage, how many rows
of those that should stay are lost, and how many genomes or games there are twice. Exits 1 if any stage does not go
on, loses a row or does not verify. Takes about four times HOURS.
"""
import os
import sqlite3
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SMALL = ['stages.coevolve.set.ga.population=10', 'stages.coevolve.set.fitness.limit=100',
         'stages.search.set.fitness.limit=2000', 'stages.match.limit=3000', 'stages.match.games=3000',
         'stages.play.set.ga.population=8', 'stages.play.set.fitness.limit=200'] + [
         'stages.%s.set.ga.generations=100000' % s for s in ('evolve', 'coevolve', 'search', 'play')]
KEYS = {'generation': 'idx', 'organism': 'generation, idx', 'genome': 'chromosome', 'game': 'generation, number',
        'match_game': 'pairing, number'}


def grayling(*arguments):
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def rows_of(path):
    """The rows of each run by table, and how many have a key that there is twice."""
    with sqlite3.connect('file:%s?mode=ro' % path, uri=True) as db:
        runs = db.execute("SELECT stage, id FROM run WHERE stage <> '' ORDER BY id").fetchall()
        rows = {stage: {t: set(db.execute('SELECT * FROM %s WHERE run_id = ?' % t, (run,))) for t in KEYS} for stage, run in runs}
        twice = sum(db.execute('SELECT count(*) - count(DISTINCT run_id || hex(%s)) FROM %s' %
                               (KEYS[t].replace(', ', ") || ',' || hex("), t)).fetchone()[0] for t in KEYS)
    return rows, twice


def lost(before, after):
    """How many rows of a run are gone, but for the number of the run, which may change."""
    return sum(len({row[1:] for row in before[t]} - {row[1:] for row in after[t]}) for t in KEYS)


def length(run):
    return len(run['generation']), len(run['match_game'])


def compare(what, before, after, twice, on):
    """Prints what became of each run; `on` are those that should go on from where they were."""
    good = twice == 0
    print('\n%s\n%-10s %14s %14s %8s' % (what, 'run', 'before', 'after', 'lost'))
    for name in after:
        was, now = length(before.get(name, {t: () for t in KEYS})), length(after[name])
        gone = lost(before[name], after[name]) if name in before and not name in anew else 0
        unit = 1 if now[1] else 0
        print('%-10s %14d %14d %8d  %s' % (name, was[unit], now[unit], gone,
                                           'anew' if name in anew else 'goes on' if now > was else 'stays'))
        good = good and gone == 0 and (name not in on or now > was)
    print('rows that there are twice: %d' % twice)
    return good


program = os.path.abspath(sys.argv[1])
hours = sys.argv[2] if len(sys.argv) > 2 else '0.05'
with tempfile.TemporaryDirectory() as work:
    night = os.path.join(work, 'night.db')
    grayling('evolve', os.path.join(SOURCE, 'params', 'recipes', 'night.yaml'), '-o', night, '--hours', hours,
             *[word for s in SMALL for word in ('--set', s)])
    first, _ = rows_of(night)
    grayling('resume', night, '--hours', hours)
    second, twice = rows_of(night)
    anew = ()
    good = compare('resume --hours ' + hours, first, second, twice, ('match',))
    grayling('resume', night, '--again', 'evolve', '--hours', hours)
    third, twice = rows_of(night)
    anew = ('coevolve', 'search', 'play', 'match')
    good = compare('resume --again evolve --hours ' + hours, second, third, twice,
                   ['evolve-%d' % n for n in range(1, 11)]) and good
    wrong = [name for name in third if name != 'match' and
             subprocess.run([program, 'verify', '%s#%s' % (night, name)], capture_output=True).returncode != 0]
    print('\nverify: %d of %d runs repeat' % (len(third) - 1 - len(wrong), len(third) - 1))
sys.exit(0 if good and not wrong else 1)
