#!/usr/bin/env python3
"""An evaluation that speaks the trace protocol of Grayling (docs/trace-protocol.md): piece values and
piece-square tables, tapered between middlegame and endgame. psqt.c is the same in C.

    grayling trace --check 'python3 psqt.py'

Copy from this file what you like, into any program, under any licence (CC0 1.0).
"""
import sys

KINDS = 'PAWN', 'KNIGHT', 'BISHOP', 'ROOK', 'QUEEN', 'KING'
LETTERS = 'pnbrqk'
HALVES = 'MG', 'EG'  # middlegame and endgame
FIRST_VALUE = (82, 94), (337, 281), (365, 297), (477, 512), (1025, 936)
PHASE = 0, 1, 1, 2, 4, 0
SCALE = 24  # the phase of all pieces: a count is a number of times, times the phase


def first_of_square(kind, half, file, rank):
    """The first weight of a square: pieces are a little better in the centre, the king at home."""
    rank = min(rank, 7 - rank)
    return -8 * rank if (kind, half) == ('KING', 'MG') else 4 * (file + rank) - 12


def all_weights():
    """The weights as (name, value, least, greatest): a value for each kind of piece but the king; 32
    squares for each kind, a board that is symmetrical from left to right; the right to move."""
    values = [(kind + '_' + half, FIRST_VALUE[k][h], 0, 2047)
              for k, kind in enumerate(KINDS[:5]) for h, half in enumerate(HALVES)]
    squares = [('%s_%s%d_%s' % (kind, 'ABCD'[file], rank + 1, half),
                first_of_square(kind, half, file, rank), -128, 127)
               for kind in KINDS for rank in range(8) for file in range(4) for half in HALVES]
    return values + squares + [('TEMPO', 10, 0, 63)]


WEIGHTS = all_weights()
VALUES = [weight[1] for weight in WEIGHTS]
INDEX = {weight[0]: i for i, weight in enumerate(WEIGHTS)}


def square_index(kind, file, rank):
    """The weight of a square in the middlegame; that in the endgame follows."""
    return INDEX['%s_%s%d_MG' % (KINDS[kind], 'ABCD'[min(file, 7 - file)], rank + 1)]


TABLES = [[square_index(kind, square % 8, square // 8) for square in range(64)] for kind in range(6)]


def pieces(board):
    """The pieces of a FEN's board: kind, sign of the colour, square from the own side, a1 first."""
    for row, text in enumerate(board.split('/')):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
                continue
            white = letter.isupper()
            yield (LETTERS.index(letter.lower()), 1 if white else -1,
                   8 * (7 - row if white else row) + file)
            file += 1


def count_weights(fen):
    """How often each weight counts in a position, from White's side, times SCALE."""
    board, side = fen.split()[:2]
    found = list(pieces(board))
    phase = min(SCALE, sum(PHASE[kind] for kind, _, _ in found))  # more after promotions
    count = {len(WEIGHTS) - 1: SCALE if side == 'w' else -SCALE}
    for kind, sign, square in found:
        for index in [TABLES[kind][square]] + ([2 * kind] if kind < 5 else []):
            count[index] = count.get(index, 0) + sign * phase
            count[index + 1] = count.get(index + 1, 0) + sign * (SCALE - phase)
    return count


def evaluate(count):
    """The score now, as an engine may compute it: rounded towards zero."""
    total = sum(VALUES[i] * times for i, times in count.items())
    return abs(total) // SCALE * (1 if total > 0 else -1)


def answer(fen):
    """The score now, and the counts that are not 0."""
    count = count_weights(fen)
    listed = ''.join(' %d:%d' % (i, count[i]) for i in sorted(count) if count[i] != 0)
    return '%d bias 0%s' % (evaluate(count), listed)


def main():
    for line in sys.stdin:
        word, _, rest = line.strip().partition(' ')
        if word == 'trace':
            for weight in WEIGHTS:
                print('weight %s %d %d %d' % weight)
            print('scale %d\nsettable\ntraceok' % SCALE)
        elif word == 'fen':
            print(answer(rest))
        elif word == 'set':  # the check uses it
            index, value = map(int, rest.split())
            VALUES[index] = value
        elif word == 'quit':
            break
        sys.stdout.flush()  # Grayling waits for the answer


main()
