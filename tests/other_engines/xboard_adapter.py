"""examples/engines/xboard_uci.py: an engine of the xboard protocol plays the games that it plays
over UCI, and its failures are failures of the game.
"""
import os
import re
import sys

import tap
from tap import check, read, source, uci

ADAPTER = os.path.join(source, 'examples/engines/xboard_uci.py')
TOY = os.path.join(source, 'tests/other_engines/xboard_engine.py')
OVER_UCI = f'uci:{uci} --tune'
OVER_XBOARD = f'uci:{ADAPTER} {sys.executable} {TOY} {uci} --tune'


def match(opponent, *arguments):
    return tap.run('match', 'default', opponent, '--hash', '1', '--threads', '2',
                   *map(str, arguments))


def moves(name):
    """The moves of each game, without what the players thought of them."""
    return [' '.join(re.sub(r'\{[+-]?[M\d][^}]*\}', '', part).split())
            for part in read(name).split('\n\n') if part.startswith('1.')]


def same_games():
    limits = ('--depth', 2, '--games', 10)
    match(OVER_UCI, *limits, '-o', 'uci.pgn')
    r = match(OVER_XBOARD, *limits, '-o', 'xboard.pgn')
    check('the same games over both protocols', r.returncode == 0 and len(moves('uci.pgn')) == 10 and
          moves('uci.pgn') == moves('xboard.pgn'), r)
    check('among them some with castling', 'O-O' in ' '.join(moves('xboard.pgn')))
    check('the engine has the name that it gives itself', '[Black "Toy 1.0"]' in read('xboard.pgn'))
    thoughts = [re.search(r' 1\.\.\. \S+ (\{[^}]*\})', ' '.join(read(name).split())).group(1)
                for name in ('uci.pgn', 'xboard.pgn')]
    check('and the scores that it thinks', thoughts[0] == thoughts[1], thoughts)


def clock():
    r = match(OVER_XBOARD, '--tc', '10+0.1', '--games', 2, '--max-plies', 6, '-o', 'clock.pgn')
    check('plays with a clock', r.returncode == 0 and 'Lost by' not in r.stdout, r)


def failures():
    os.environ['GONE'] = '4'
    r = match(OVER_XBOARD, '--depth', 1, '--games', 2, '-o', 'gone.pgn')
    del os.environ['GONE']
    check('an engine that ends loses the game', r.returncode == 0 and '2 crashes' in r.stdout, r)
    r = tap.call(ADAPTER, 'no-such-engine')
    check('a command that is none', r.returncode != 0 and r.stderr.count('\n') == 1 and
          'no-such-engine' in r.stderr, r)
    r = match(OVER_XBOARD, '--movetime', 300, '--games', 2, '-o', 'short.pgn')
    check('a time that the protocol does not know', r.stdout.count('2 crashes') == 1 and
          'whole seconds a move' in read('short.pgn.failures'), r)


same_games()
clock()
failures()
tap.plan()
