"""A toy engine of the xboard protocol: a UCI engine that thinks for it. Castles are written as O-O.

    xboard_engine.py UCI_ENGINE [ARGUMENT...]

With GONE in the environment it ends after so many moves of the game.
"""
import os
import re
import subprocess
import sys

inner = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
CASTLING = {'e1g1': 'O-O', 'e8g8': 'O-O', 'e1c1': 'O-O-O', 'e8c8': 'O-O-O'}
gone_after = int(os.environ.get('GONE', 1000))
game = {'start': 'startpos', 'moves': [], 'depth': 1, 'force': False}


def ask(line, until):
    print(line, file=inner.stdin, flush=True)
    lines = []
    while not lines or not lines[-1].startswith(until):
        lines.append(inner.stdout.readline())
    return lines


def king_at(square):
    """Whether a king is on its first square: from the FEN, and no move from or to there since."""
    start = game['start']
    rows = ('rnbqkbnr/8/8/8/8/8/8/RNBQKBNR' if start == 'startpos' else start.split()[1]).split('/')
    row = re.sub(r'\d', lambda m: '.' * int(m.group()), rows[7 if square == 'e1' else 0])
    return row[4] == ('K' if square == 'e1' else 'k') and \
        not any(square in (move[:2], move[2:4]) for move in game['moves'])


def think():
    if len(game['moves']) >= gone_after:
        sys.exit(1)
    print('position', game['start'], 'moves', *game['moves'], file=inner.stdin)
    lines = ask('go depth %d' % game['depth'], 'bestmove')
    score = [re.search(r'depth (\d+).* score cp (-?\d+) .*nodes (\d+)', line) for line in lines]
    for ply, value, nodes in (m.groups() for m in score if m):
        print(f' {ply}.  {value}     0  {nodes}  a line')
    move = lines[-1].split()[1]
    written = CASTLING[move] if move in CASTLING and king_at(move[:2]) else move
    game['moves'].append(move)
    print('move', written, flush=True)


for line in sys.stdin:
    words = line.split()
    if words[0] == 'protover':
        print('feature myname="Toy 1.0" setboard=1', 'feature done=1', sep='\n', flush=True)
    elif words[0] == 'new':
        ask('ucinewgame\nisready', 'readyok')
        game.update(start='startpos', moves=[], force=False)
    elif words[0] == 'setboard':
        game['start'] = 'fen ' + ' '.join(words[1:])
    elif words[0] == 'force':
        game['force'] = True
    elif words[0] == 'sd':
        game['depth'] = int(words[1])
    elif words[0] == 'go':
        game['force'] = False
        think()
    elif re.fullmatch(r'[a-h][1-8][a-h][1-8][qrbn]?', words[0]):
        game['moves'].append(words[0])
        if not game['force']:
            think()
    elif words[0] == 'quit':
        break
