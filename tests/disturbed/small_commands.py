"""Every command that writes, as a command line of a second or less, for tests that disturb it.

Each runs in a folder of its own, which begins with the files of `inputs`. What it leaves there is compared by
`contents`: all that does not come from the clock.
"""
import contextlib
import difflib
import functools
import os
import re
import shlex
import shutil
import sqlite3

import small_night
from tap import MATE_IN_TWO, content, head, params, read, run, start, uci, wait_for, work, write

OPTIMISERS = ['genetic', 'cma-es', 'differential-evolution', 'evolution-strategy', 'gradient-descent', 'hill-climbing',
              'particle-swarm', 'random', 'sep-cma-es', 'spsa']
GAMES = MATE_IN_TWO + '''
[White "C"]
[Black "D"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 1-0

[White "E"]
[Black "F"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O 0-1
'''
MOVES = '''name: m
seed: 3
data: {train: [train-1.epd], held_out: [train-1.epd]}
ga: {population: 10, generations: 30}
'''
COMPARISON = '''name: compare
phase: night
hours: 1000
set: {data: {held_out: []}}
stages:
  genetic: {recipe: evolve.yaml}
  climbing: {recipe: evolve.yaml, set: {optimiser: {kind: hill-climbing}}}
'''
SOLVE = 'solve tactics.epd --nodes 5000 --hash 1 --format csv'
REPRODUCE = 'reproduce david-2008-table-7 --quick'
CLOCK = {'generation': ('seconds', 'ended')}  # columns of a run that come from the clock
TIMES = [r'\b\d+(\.\d+)? (ms|s|min|h)\b', r'\d{4}-\d\d-\d\d[T ][\d:]+Z?', r'\b\d+\.\d{6}\b',
         r'sha256 of what stands above: \w+',
         r'<time>[^<]*', r'<dt>seconds</dt><dd>[^<]*', r'"read":\d+', r'"changed":\d+', r'"seconds":[\d.]+',
         r'(?<=^solve-\w{16}) [\d ]*$']


class Command:
    """A command line; another one that goes on where the file `kept` is; where `done` is, nothing is left to do."""

    def __init__(self, name, words, kept=None, go_on=None, done=None, ends=True, told=False):
        self.name, self.words, self.kept, self.go_on, self.done = name, shlex.split(words), kept, go_on, done
        self.ends, self.told = ends, told  # it ends by itself; its standard output is a result

    def line(self, folder):
        """What a user would give now, or None."""
        def there(name):
            return name is not None and os.path.exists(os.path.join(folder, name))
        if there(self.kept):
            return self.go_on.split(' ') if ' ' in self.go_on else self.words + [self.go_on]
        return None if there(self.done) else self.words


def evolving(name, words, more=''):
    return Command('evolve: ' + name, 'evolve %s -o run.db%s' % (words, more), 'run.db', 'resume run.db' + more)


def commands():
    """All of them."""
    fast = '--nodes 300 --hash 1'
    return [evolving(kind, 'moves.yaml --set optimiser.kind=' + kind) for kind in OPTIMISERS] + [
        evolving('batches', 'moves.yaml --set fitness.batch=20'),
        evolving('search', 'search.yaml'),
        evolving('coevolution', 'coevolve.yaml'),
        evolving('coevolution with rematches', 'coevolve.yaml --set fitness.hall=2 --set fitness.rematch=2 --set fitness.unique=no'),
        evolving('a night', 'night.yaml'),
        evolving('a comparison', 'compare.yaml'),
        evolving('a page', 'moves.yaml', ' --page page.html'),
        Command('resume: more generations', 'resume made.db --generations 40'),
        Command('solve', SOLVE + ' -o solved.csv', 'solved.csv.journal',
                '--resume', 'solved.csv'),
        Command('solve: resumed', SOLVE + ' -o begun.csv --resume', 'begun.csv.journal', SOLVE + ' -o begun.csv --resume',
                'begun.csv'),
        Command('reproduce: again', REPRODUCE + ' --runs begun --force -o table.md'),
        Command('reproduce', REPRODUCE + ' --runs kept --force -o table.md'),
        Command('regress', 'regress train-1.epd --steps 20 --saliency worth.csv --force -o values.yaml'),
        Command('regress: prune', 'regress train-1.epd --steps 5 --prune 20,8 --force -o values-%d.yaml'),
        Command('sample', 'sample games.pgn --parts 2 --count 1 --force -o part-%d.epd'),
        Command('mine', 'mine games.pgn --first-ply 0 --glance 300 --shallow 300 --look 6000 --deep 100000 --margin 200'
                ' --bound 1000 --force -o mined.epd'),
        Command('book', 'book games.pgn --plies 8 --nodes 3000 --bound 200 --force -o book.epd'),
        Command('label', 'label train-1.epd --engine %s --force -o labelled.epd' % uci),
        Command('match', 'match default default-search --games 6 %s -o games-played.pgn' % fast, 'games-played.pgn', '--resume'),
        Command('match: resumed', 'match default default-search --games 6 %s -o begun.pgn --resume' % fast),
        Command('match: a program', 'match default uci:%s --games 4 %s -o games-played.pgn' % (uci, fast), 'games-played.pgn',
                '--resume'),
        Command('gauntlet', 'gauntlet default --against %s,default-search.yaml --games 4 %s -o games-played.pgn' % (uci, fast),
                'games-played.pgn', '--resume'),
        Command('space', "space '%s --tune' --force -o space.yaml" % uci),
        Command('export', 'export made.db --format c --force -o made.c'),
        Command('plot', 'plot made.db --force -o drawn.svg'),
        Command('report', 'report made.db --force -o told.html'),
        Command('serve', 'serve made.db --port 0', ends=False),
        Command('history', 'history made.db --format csv'),
        Command('verify', 'verify made.db', told=True),
        Command('check', 'check made.db', told=True),
        Command('status', 'status made.db'),
        Command('score', 'score made.db train-1.epd', told=True),
        Command('confirm', 'confirm made.db --suite none --threads 1', told=True),
    ]


def make_inputs():
    """Makes the folder `inputs` with what the commands read: recipes, positions, games, a run, made.db, and what was
    begun: games, a table, and a solve that was killed when its journal had some results."""
    os.mkdir('inputs')
    os.chdir('inputs')
    small_night.write_recipes()
    # Without a limit: a night that is killed while it fits its time leaves a folder, as a dry run does.
    write('night.yaml', read('night.yaml').replace('hours: 0.1', 'hours: 1000'))
    head('tactics-train.epd', 12)
    os.rename('tactics-train.epd', 'tactics.epd')
    shutil.copy(params('default-search.yaml'), '.')
    for name, text in (('games.pgn', GAMES), ('moves.yaml', MOVES), ('compare.yaml', COMPARISON)):
        write(name, text)
    for words in ('evolve moves.yaml -o made.db', REPRODUCE + ' --runs begun',
                  'match default default-search --games 6 --nodes 300 --hash 1 -o begun.pgn'):
        run(*words.split(), check=True)
    os.truncate('begun.pgn', os.path.getsize('begun.pgn') // 2)
    process = start(*SOLVE.split(), '-o', 'begun.csv')
    wait_for(lambda: read('begun.csv.journal').count('\n') > 12)
    process.kill()
    process.communicate()
    os.chdir(work)


def rows(path):
    """A run's rows that do not come from the clock: of each table but that of the properties."""
    with contextlib.closing(sqlite3.connect('file:%s?mode=ro' % path, uri=True)) as db:
        def of(table):
            names = [row[1] for row in db.execute('PRAGMA table_info(%s)' % table)]
            columns = ', '.join('"%s"' % name for name in names if name not in CLOCK.get(table, ()))
            return sorted(db.execute('SELECT %s FROM %s' % (columns, table)), key=repr)
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        return {table: of(table) for table, in tables if table != 'property'}


@functools.cache  # most files are those of `inputs`
def timeless(text):
    for pattern in TIMES:
        text = re.sub(pattern, '-', text, flags=re.M)
    return re.sub('-( -)+', '-', text)  # 1 min 2 s is - -


def contents(folder):
    """The files of a folder, by their names, without what comes from the clock."""
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): rows(path) if path.endswith('.db') else
            timeless(content(path).decode('latin-1')) for path in paths}


def differences(one, other):
    """The files that are not the same, with the lines of texts that are not."""
    found = []
    for name in sorted(set(one) | set(other)):
        texts = [text.get(name) for text in (one, other)]
        if texts[0] != texts[1]:
            found.append(name)
            if all(isinstance(text, str) for text in texts):
                found += list(difflib.unified_diff(texts[0].splitlines(), texts[1].splitlines(), lineterm='', n=0))[2:10]
    return found
