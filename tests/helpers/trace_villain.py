"""An evaluation of material over the trace protocol that does one thing wrong.

    trace_villain.py FAULT [NUMBER]

It answers NUMBER positions (default 500) as it should, and the next one with the fault; `silent` says nothing at
all. `none` does nothing wrong. Those of SETTABLE say that they follow `set`; `process`
counts otherwise in each second process, which it tells by the file "started".
"""
import os
import sys
import time

fault, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
WEIGHTS = [('PAWN', 100, 0, 200), ('KNIGHT', 320, 0, 1000), ('BISHOP', 330, 0, 1000),
           ('ROOK', 500, 0, 1000), ('QUEEN', 900, 0, 2000)]
SETTABLE = ('settable', 'ignores-set', 'threshold')
asked, odd = 0, False


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def shake_hands():
    text = ''.join('weight %s %d %d %d\n' % w for w in WEIGHTS) + 'scale 2\n%straceok\n' % (
        'settable\n' if fault in SETTABLE else '')
    if fault == 'silent':
        return
    say('Villain 1.0\n' + (text.replace('weight QUEEN', 'weight PAWN') if fault == 'twice' else text))


def count(fen):
    board = fen.split()[0]
    counts = [2 * (board.count(letter) - board.count(letter.lower())) for letter in 'PNBRQ']
    if fault == 'threshold' and WEIGHTS[1][1] < 200:  # a condition that reads a weight
        counts[1] *= 2
    if odd:
        counts[0] += 2
    return counts


def score(counts):
    return sum(w[1] * c for w, c in zip(WEIGHTS, counts)) // 2


def answer_of(counts, value):
    return '%d bias 0%s\n' % (value, ''.join(' %d:%d' % p for p in enumerate(counts)))


def do_wrong(fen):
    """The answer to the position at which things go wrong."""
    counts = count(fen)
    right = answer_of(counts, score(counts))
    if fault == 'not-linear':
        return answer_of(counts, score(counts) + 1)
    if fault == 'dies':
        os.abort()
    if fault == 'hangs':
        time.sleep(60)
    if fault == 'answers-twice':
        return 2 * right
    if fault == 'remembers':
        return answer_of(counts[:4] + [asked], score(counts[:4] + [asked]))
    return right


if fault == 'process':
    with open('started', 'a') as f:
        f.write('x')
        odd = f.tell() % 2 == 1
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if word == 'trace':
        shake_hands()
    if word == 'fen':
        asked += 1
        counts = count(rest)
        say(do_wrong(rest) if asked > number else answer_of(counts, score(counts)))
    if word == 'set' and fault != 'ignores-set':
        index, value = map(int, rest.split())
        WEIGHTS[index] = (WEIGHTS[index][0], value) + WEIGHTS[index][2:]
    if word == 'quit' and fault != 'ignores-quit':
        break
if fault == 'ignores-quit':
    time.sleep(60)
