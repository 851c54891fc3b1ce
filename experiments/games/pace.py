#!/usr/bin/env python3
"""How many games a second a run by games plays, beside `grayling match` of the same engine, limit and adjudication.

    experiments/games/pace.py GRAYLING FOLDER RECIPE [--generations 20] [--repeats 3] [--load 0] [--threads 2]

RECIPE is one of games, such as examples/engines/glaurung-games.yaml. Each repeat runs it, then plays as many games
between its defaults and its outcome, from the same book. --load keeps so many other processes busy meanwhile. A
repeat prints CSV: games of each, games a second of each and their ratio, plies a second of each and their ratio. The
seconds of a run are those of its generations, without the trial of the engine before them; a match's are all.
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import time


def timed(*arguments):
    start = time.monotonic()
    subprocess.run([a.program, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def rates(games, plies, seconds):
    return games / seconds, plies / seconds


def play_run(run, seed):
    timed('evolve', a.recipe, '-o', run, '--force', '--trust', '--threads', str(a.threads),
          '--set', 'ga.generations=%d' % a.generations, '--set', 'seed=%d' % seed)
    with sqlite3.connect(run) as db:
        games, plies = db.execute('SELECT count(*), sum(plies) FROM game').fetchone()
        seconds, = db.execute('SELECT sum(seconds) FROM generation').fetchone()
        text = db.execute("SELECT value FROM property WHERE key = 'recipe'").fetchone()[0]
    return games, rates(games, plies, seconds), text


def limits(text):
    """The options of match for the games of a recipe."""
    found = dict(re.findall(r'^ +(limit|depth|hash|win_score|draw_score|win_moves|draw_moves|draw_from): *(\d+)', text, re.M))
    nodes = found.pop('limit')
    if found['depth'] == '0':
        found['nodes'] = nodes
    return [word for key, value in found.items() if value != '0' for word in ('--' + key.replace('_', '-'), value)]


def play_match(run, games, options):
    pgn = os.path.join(a.folder, 'pace.pgn')
    seconds = timed('match', run, 'defaults:' + run, '--games', str(games // 2 * 2), *options, '-o', pgn, '--force', '--trust',
                    '--threads', str(a.threads))
    with open(pgn) as f:
        plies = list(map(int, re.findall(r'^\[PlyCount "(\d+)"\]', f.read(), re.M)))
    return rates(len(plies), sum(plies), seconds)


options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument('program')
options.add_argument('folder')
options.add_argument('recipe')
options.add_argument('--generations', type=int, default=20)
options.add_argument('--repeats', type=int, default=3)
options.add_argument('--load', type=int, default=0)
options.add_argument('--threads', type=int, default=2)
a = options.parse_args()
os.makedirs(a.folder, exist_ok=True)
busy = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(a.load)]
try:
    print('games,run games/s,match games/s,ratio,run plies/s,match plies/s,ratio')
    for repeat in range(1, a.repeats + 1):
        run = os.path.join(a.folder, 'pace.db')
        games, of_run, text = play_run(run, repeat)
        of_match = play_match(run, games, limits(text))
        figures = [value for r, m in zip(of_run, of_match) for value in (r, m, r / m)]
        print(','.join(['%d' % games] + ['%.2f' % value for value in figures]), flush=True)
finally:
    for process in busy:
        process.kill()
