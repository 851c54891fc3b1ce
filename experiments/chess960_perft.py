#!/usr/bin/env python3
"""Compares perft of all 960 start positions of Chess960 with the counts of another engine.

    experiments/chess960_perft.py [--ours build/tools/grayling] [--engine /usr/games/stockfish] [--depth 4]

The other engine counts with its command `go perft`, and `grayling perft --suite` compares. The positions
are written as X-FEN. Exits with 1 if a count differs.
"""
import argparse
import itertools
import subprocess
import sys
import tempfile


def ranks():
    """The first ranks: bishops on both colours, the king between the rooks."""
    for pieces in sorted(set(itertools.permutations('RNBQKBNR'))):
        rank = ''.join(pieces)
        if (rank.index('B') + rank.rindex('B')) % 2 == 1 and rank.index('R') < rank.index('K') < rank.rindex('R'):
            yield rank


def counts(command, fens, depth):
    """The engine's counts at depths 1 to `depth`, for each position."""
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, shell=True)
    engine.stdin.write('setoption name UCI_Chess960 value true\n')
    for fen in fens:
        engine.stdin.write('position fen %s\n' % fen)
        found = []
        for d in range(1, depth + 1):
            engine.stdin.write('go perft %d\n' % d)
            engine.stdin.flush()
            found.append(next(line.split()[-1] for line in engine.stdout if line.startswith('Nodes searched')))
        yield found
    engine.communicate('quit\n')


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--ours', default='build/tools/grayling')
parser.add_argument('--engine', default='/usr/games/stockfish')
parser.add_argument('--depth', type=int, default=4)
a = parser.parse_args()
fens = ['%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1' % (rank.lower(), rank) for rank in ranks()]
with tempfile.NamedTemporaryFile('w', suffix='.epd') as suite:
    for fen, found in zip(fens, counts(a.engine, fens, a.depth)):
        print(fen, *(';D%d %s' % pair for pair in enumerate(found, 1)), file=suite)
    suite.flush()
    sys.exit(subprocess.run([a.ours, 'perft', '--suite', suite.name]).returncode)
