#!/usr/bin/env python3
"""How often a score wins: fits the model of src/engine/uci/uci_score.c to games with scores.

    win_model.py GAMES.pgn [PLAYER]

A score x in a position whose pieces count m pawns (1, 3, 3, 5, 9) is won with the probability

    1 / (1 + exp((a - x) / b(m)))

and lost with that of -x; b is linear in m. Both are fitted by maximum likelihood. Each move that was searched is
an example, of the player that moved: of those alone whose name begins with PLAYER. Prints a, and b without pieces
and with all of them; the loss, beside those of models where b is constant too and where a is linear too; and how
often each range of scores was won beside what the model says.
"""
import collections
import math
import re
import sys

from uci_games import Board, START

PAWNS = {'p': 1, 'n': 3, 'b': 3, 'r': 5, 'q': 9, 'k': 0}
MOST, STEP = 1000, 40  # larger scores are won or blunders
MOVE = re.compile(r'\d+\.+\s*([^\s{]+)(?:\s*\{([+-]?\d+\.\d+)?[^}]*\})?')


def san_move(board, san):
    """The move in UCI's notation."""
    san = san.rstrip('+#!?')
    if san.startswith('O-O'):
        king = board.king(board.white)
        return 'e%d%s%d' % (king[1] + 1, 'c' if san == 'O-O-O' else 'g', king[1] + 1)
    kind, start, to, piece = re.fullmatch(r'([NBRQK]?)([a-h]?[1-8]?)x?([a-h][1-8])(?:=([NBRQ]))?', san).groups()
    kind = kind.lower() or 'p'
    target = ('abcdefgh'.index(to[0]), int(to[1]) - 1)
    for square in [s for s in board.pieces if board.own(s) and board.pieces[s].lower() == kind]:
        at = 'abcdefgh'[square[0]] + str(square[1] + 1)
        if (all(c in at for c in start) and target in board.targets(square)):
            after = board.after(at + to + (piece or '').lower())
            if not after.attacked(after.king(board.white), not board.white):
                return at + to + (piece or '').lower()
    raise ValueError(san)


def examples(text, player):
    """Counts of won, drawn and lost by score and material."""
    seen = collections.defaultdict(lambda: [0, 0, 0])
    for game in text.split('[Event ')[1:]:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        result = {'1-0': 1, '1/2-1/2': 0, '0-1': -1}.get(tags['Result'])
        board = Board(tags.get('FEN', START))
        for san, score in MOVE.findall(game.split('\n\n', 1)[1]) if result is not None else ():
            x = round(100 * float(score)) if score else MOST + 1
            if abs(x) <= MOST and tags['White' if board.white else 'Black'].startswith(player):
                m = sum(PAWNS[p.lower()] for p in board.pieces.values())
                seen[round(x / STEP) * STEP, m // 3 * 3 + 1][1 - (result if board.white else -result)] += 1
            board = board.after(san_move(board, san))
    return seen


def won(x, m, line):
    share = m / 78
    a, b = (bare + share * (full - bare) for bare, full in (line[:2], line[2:]))
    return 1 / (1 + math.exp(max(-50, min(50, (a - x) / b))))


def loss(seen, line):
    total = n = 0
    for (x, m), counts in seen.items():
        win, defeat = won(x, m, line), won(-x, m, line)
        for count, p in zip(counts, (win, 1 - win - defeat, defeat)):
            total -= count * math.log(max(p, 1e-9))
        n += sum(counts)
    return total / n


def fit(seen, parts):
    """Walks downhill by steps that become shorter, each along one of the parts of the line."""
    line, step = [400, 400, 400, 400], 64
    least = loss(seen, line)
    while step >= 2:
        moved = False
        for part in parts:
            for change in (step, -step):
                tried = [max(1, c + change) if i in part else c for i, c in enumerate(line)]
                cost = loss(seen, tried)
                if cost < least:
                    least, line, moved = cost, tried, True
        step = step if moved else step // 2
    return line, least


def main():
    with open(sys.argv[1]) as f:
        seen = examples(f.read(), sys.argv[2] if len(sys.argv) > 2 else '')
    line, least = fit(seen, ((0, 1), (2,), (3,)))
    print('%d examples: a %d, b %d to %d' % (sum(map(sum, seen.values())), line[0], *line[2:]))
    print('loss %.4f; with constants %.4f, with two lines %.4f' % (
        least, fit(seen, ((0, 1), (2, 3)))[1], fit(seen, ((0,), (1,), (2,), (3,)))[1]))
    for low, high in ((0, 25), (25, 45), (45, 62), (62, 79)):
        print('material %d to %d' % (low, high - 1))
        for x in range(-600, 601, 200):
            near = [(k, c) for k, c in seen.items() if low <= k[1] < high and abs(k[0] - x) < 100]
            n = sum(sum(c) for _, c in near)
            if n >= 100:
                mean = sum(sum(c) * won(k[0], k[1], line) for k, c in near) / n
                print('  %5d: won %5.1f %%, model %5.1f %%, of %d' % (
                    x, 100 * sum(c[0] for _, c in near) / n, 100 * mean, n))


main()
