"""Files of games and of positions with mutated lines: no position is drawn that did not occur.

    mutate_games.py [COUNT [SEED [FIRST]]]

COUNT files are mutated (30) by SEED (1), from number FIRST on (0): four of five are games, whose tags are
mutated, some of them with FEN, SetUp and Variant; the fifth is a suite.

pgn-extract is the second reader. It reads more than we do: it goes on with the tags below a line that is none, without
those above, and knows no variants. So a position drawn must be among those that it finds in the mutated file or, where
it finds less, in the sound one or in the mutated file without an open comment (which is the end of the file to it) or
without any (one among tags is the end of a game to it); and none is of a game whose variant is still there. Where the mutations lose
nothing that a reader would need, it must be of the sound file's games of chess. Pieces, side and castling rights are
compared. A position that is solved must be that of its line, by its id.
"""
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys

import tap
from tap import check, content, grayling, read

COUNT, SEED, FIRST = map(int, (sys.argv[1:] + ['30', '1', '0'][len(sys.argv) - 1:])[:3])
TOLD = 250  # a line for so many files
os.environ['PATH'] += ':/usr/games'
os.environ['OMP_NUM_THREADS'] = '1'

# Legal from each of the starts, so that a game whose start is lost still has legal moves.
LINES = [line.split() for line in (
    'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6', 'd4 d5 c4 e6 Nc3 Nf6 Nf3 Be7', 'c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7',
    'Nf3 Nf6 g3 d5 Bg2 c6 d3 Bf5', 'e4 c6 d4 d5 e5 Bf5 Nf3 e6', 'd4 Nf6 c4 g6 Nc3 Bg7 e4 d6', 'b3 e5 Bb2 Nc6 e3 d5 Bb5 Bd6',
    'f4 d5 Nf3 g6 e3 Bg7 Be2 Nf6', 'e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7', 'g3 d5 Bg2 e5 d3 c6 Nf3 Bd6')]
STARTS = ['rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1', 'rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1',
          '1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kk - 0 1', 'r1bqk2r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQK2R w - - 3 9']
START_TAGS = ('FEN', 'SetUp', 'Variant')
NO_TAGS = ['hello', 'lines"]', '$3', '1.', '(x)', '()', ')', '}', ']', '[', '{', '; note', '{note}', '% note', '[]', '[ ]', '[X-Y "1"]',
           '[A: "c"]', 'Annotator "x"]', '[Annotator "two', '[Annotator two]', '-', '=', '"', '0 1"]', 'e4', '1. e4', '\x00', '\xff']
SPACES = [' ', '\t', '\u00a0', '\u200b', '\ufeff', '  ']


# ---- sound files ----

def game(r, number):
    """The lines of a game and whether it is chess."""
    tags = [('Site', 's%d' % number), ('Date', '2020.01.%02d' % number), ('White', 'W%d' % number), ('Black', 'B%d' % number),
            ('Result', '1-0')]
    kind, chess = r.random(), True
    moves = r.choice(LINES)
    if kind < 0.4:
        tags.append(('FEN', r.choice(STARTS)))
        tags += [('SetUp', '1')] if r.random() < 0.8 else []
        if 'r1bqk2r' in tags[-1][1] + tags[-2][1]:
            moves = 'd4 d5 e3 e6 Bd3 Bd6 a3 a6'.split()
    if kind > 0.7 or kind < 0.1:
        chess = r.random() < 0.3
        tags.append(('Variant', 'Standard' if chess else r.choice(['Atomic', 'Antichess', 'Crazyhouse'])))
    r.shuffle(tags)
    text = ' '.join(('%d. ' % (i // 2 + 1) if i % 2 == 0 else '') + move for i, move in enumerate(moves))
    return ['[Event "e%d"]' % number] + ['[%s "%s"]' % tag for tag in tags] + ['', text + ' 1-0', ''], chess


# ---- mutations of lines among the tags; those of LOSSES lose what a reader needs ----

def insert(lines, at, r):
    lines.insert(at, r.choice(NO_TAGS))


def blank(lines, at, r):
    lines.insert(at, '')


def repeat(lines, at, r):
    lines.insert(at, lines[at])


def space(lines, at, r):
    place = r.choice([0, 1, len(lines[at]), r.randrange(len(lines[at]) + 1)])
    lines[at] = lines[at][:place] + r.choice(SPACES) + lines[at][place:]


def case(lines, at, r):
    name, quote, rest = lines[at].partition('"')
    lines[at] = r.choice([str.lower, str.upper, str.swapcase])(name) + quote + rest


def sign(lines, at, r):
    place = r.randrange(1, max(2, lines[at].find(' ') + 1))
    lines[at] = lines[at][:place] + r.choice('-:#+=') + lines[at][place:]


def unmark(lines, at, r):
    marks = [i for i, c in enumerate(lines[at]) if c in '[]"'] or [0]
    place = r.choice(marks)
    lines[at] = lines[at][:place] + lines[at][place + 1:]


def split(lines, at, r):
    place = r.randrange(len(lines[at]) + 1)
    lines[at:at + 1] = [lines[at][:place], lines[at][place:]]


def join(lines, at, r):
    lines[at:at + 2] = [r.choice(['', ' ']).join(lines[at:at + 2])]


def swap(lines, at, r):
    if lines[at + 1].startswith('['):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]


def end_file(lines, at, r):
    if r.random() < 0.5:
        lines.append('\x1a' + r.choice(['', '\x1a\x1a', 'rest']))
    else:
        lines[at] += '\x1a'


def delete(lines, at, r):
    del lines[at]


def garble(lines, at, r):
    place = r.randrange(len(lines[at]) or 1)
    lines[at] = lines[at][:place] + r.choice('aN8/"[] w-k0') + lines[at][place + 1:]


def hide(lines, at, r):
    lines[at] = r.choice('%;') + lines[at]


def result(lines, at, r):
    lines.insert(at, r.choice(['1-0', '*']))


def exchange(lines, at, r):
    other = r.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def another_start(lines, at, r):
    lines.insert(at, r.choice(['[FEN "%s"]' % r.choice(STARTS), '[SetUp "%s"]' % r.choice(['0', '1', '']), '[FEN ""]',
                               '[Variant "%s"]' % r.choice(['', 'Standard', 'Atomic'])]))


KEPT = [insert, insert, insert, blank, repeat, space, space, case, sign, unmark, unmark, split, join, swap, end_file]
LOSSES = [delete, garble, hide, result, exchange, another_start]


def mutate(lines, r):
    """Mutates lines among the tags, the start tags most; what was done, and whether that loses something."""
    done = []
    for _ in range(r.choice((1, 1, 2, 3))):
        tags = [i for i, line in enumerate(lines) if line.startswith('[')] or [0]
        starts = [i for i in tags if any(name in lines[i] for name in START_TAGS)]
        at = r.choice(starts if starts and r.random() < 0.5 else tags)
        how = r.choice(KEPT if r.random() < 0.75 else LOSSES)
        how(lines, at, r)
        done.append(how)
    return ', '.join(how.__name__ for how in done), any(how in LOSSES for how in done)


def write_lines(path, lines, end='\n', encoding='utf-8'):
    with open(path, 'wb') as f:
        f.write(end.join(lines + ['']).encode(encoding, 'replace'))


def write_somehow(path, lines, r):
    write_lines(path, lines, r.choice(['\n', '\n', '\r\n', '\r']), r.choice(['utf-8', 'utf-8', 'utf-8', 'latin-1']))


# ---- the two readers ----

def plain(epd):
    """Pieces, side and the castling rights whose king and rook are at home."""
    pieces, side, rights = epd.split()[:3]
    ranks = [re.sub(r'\d', lambda m: ' ' * int(m[0]), rank) for rank in reversed(pieces.split('/'))]
    kept = ''
    for right, rank, rook in (('K', 0, 7), ('Q', 0, 0), ('k', 7, 7), ('q', 7, 0)):
        king_letter, rook_letter = ('K', 'R') if right.isupper() else ('k', 'r')
        if right in rights and ranks[rank][4:5] == king_letter and ranks[rank][rook:rook + 1] == rook_letter:
            kept += right
    return pieces, side, kept


def extracted(path):
    """The positions that pgn-extract finds."""
    out = subprocess.run(['pgn-extract', '-s', '-Wepd', path], capture_output=True, timeout=120).stdout.decode('latin-1')
    return {plain(line) for line in out.splitlines() if re.match(r'([1-8pnbrqkPNBRQK]+/){7}\S+ [wb] ', line)}


def drawn(path, plies):
    """The positions that are drawn, of some plies, and what was wrong with a command."""
    found, wrong = set(), None
    for ply in plies:
        r = subprocess.run([grayling, 'sample', path, '--either', '--first-ply', str(ply), '--last-ply', str(ply)],
                           capture_output=True, timeout=120)
        found |= {plain(line) for line in r.stdout.decode().splitlines()}
        if r.returncode not in (0, 1, 2) or r.stderr.count(b'runtime error') or r.stderr.count(b'Sanitizer'):
            wrong = 'exit code %s\n%s' % (r.returncode, r.stderr.decode('latin-1'))
    return found, wrong


def try_games(number, r):
    """(what was done, what is wrong or None, how many positions were drawn, of how many)."""
    games = [game(r, i + 1) for i in range(r.choice((2, 3, 4)))]
    sound, path = 'sound-%d.pgn' % number, 'games-%d.pgn' % number
    write_lines(sound, [line for lines, chess in games if chess for line in lines])
    lines = [line for lines, _ in games for line in lines]
    done, lossy = mutate(lines, r)
    write_somehow(path, lines, r)
    plies = r.sample(range(8), 3)
    whole, occurred = drawn(sound, plies)[0], extracted(sound)
    variants = [line for game_lines, chess in games if not chess for line in game_lines]
    names = [line for line in variants if line.startswith('[Variant')]
    found, wrong = drawn(path, plies)
    allowed = occurred
    if lossy:
        allowed = occurred | extracted(path)
        for comment in (r'\{', r'\{([^}]*\})?'):
            write_lines(sound, [line for line in lines if not re.fullmatch(comment, line)])
            allowed |= extracted(sound)
        if all(lines.count(name) >= names.count(name) for name in names) and 'exchange' not in done:
            write_lines(sound, variants)
            allowed -= extracted(sound) - occurred
    extra = found - allowed
    if extra:
        wrong = 'drawn: %s\n%s' % (' | '.join(' '.join(p) for p in extra), read(path))
    if whole - occurred:
        wrong = 'of the sound file: %s' % (whole - occurred)
    return done, wrong, len(found), len(whole)


# ---- positions ----

def no_field(lines, at, r):
    words = lines[at].split(' ')
    del words[r.randrange(min(len(words), 6))]
    lines[at] = ' '.join(words)


def counter(lines, at, r):
    words = lines[at].split(' ')
    words.insert(4, r.choice(['0', '1', '0 0', '0 1', '99999']))
    lines[at] = ' '.join(words)


def no_mark(lines, at, r):
    place = r.choice([i for i, c in enumerate(lines[at]) if c in ';"'] or [0])
    lines[at] = lines[at][:place] + r.choice(['', '\\"', '"', ';']) + lines[at][place + 1:]


SUITE = [no_field, counter, no_mark, split, join, space, space, end_file, repeat, garble, delete, insert]


def try_suite(number, r):
    """The same of a suite: each position solved is that of the line with its id."""
    fens = r.sample(STARTS + [' '.join(['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'])], 3)
    fields = {'p%d' % i: fen.split()[:4] for i, fen in enumerate(fens)}
    lines = ['%s bm %s; id "%s"; c0 "a; b";' % (' '.join(f), r.choice(['e4', 'd4', 'a3 a4']), name) for name, f in fields.items()]
    done = []
    for _ in range(r.choice((1, 2, 3))):
        how = r.choice(SUITE)
        how(lines, r.randrange(max(1, len(lines) - 1)), r)
        done.append(how.__name__)
    path = 'suite-%d.epd' % number
    write_somehow(path, lines, r)
    result = subprocess.run([grayling, 'solve', path, '--nodes', '10', '--hash', '1', '--format', 'csv'], capture_output=True,
                            timeout=120)
    rows = re.findall(r'^\d+,(\d+),"(p\d)",', result.stdout.decode('latin-1'), re.M)
    wrong = None if result.returncode in (0, 2) else 'exit code %s\n%s' % (result.returncode, result.stderr.decode('latin-1'))
    there = re.split('\r\n|\r|\n', content(path).decode('utf-8', 'replace'))
    for line, name in rows:
        words = re.sub('[\u00a0\u200b\ufeff\ufffd]', ' ', there[int(line) - 1]).split()
        if words[:4] != fields[name] and 'garble' not in done:
            wrong = 'line %s is solved as %s\n%s' % (line, name, read(path))
    return 'suite: ' + ', '.join(done), wrong, len(rows), 3


def try_one(number):
    r = random.Random(SEED * 1000003 + number)
    return (try_suite if number % 5 == 4 else try_games)(number, r)


def test_mutations():
    got, all_of, bad = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (done, wrong, found, whole) in enumerate(pool.map(try_one, range(FIRST, FIRST + COUNT)), FIRST):
            got, all_of = got + found, all_of + whole
            if (number + 1 - FIRST) % TOLD == 0:
                print('# up to file %d: %d positions drawn of %d, %d files wrong' % (number, got, all_of, bad), flush=True)
            if wrong:
                bad += 1
                check('file %d of seed %d, %s' % (number, SEED, done), False, wrong)
    check('%d mutated files of seed %d: no position that did not occur' % (COUNT, SEED), bad == 0, '%d are wrong' % bad)
    check('most positions are still drawn', got > all_of / 2, '%d of %d' % (got, all_of))


if shutil.which('pgn-extract') is None:
    tap.skip('pgn-extract is not installed')
tap.main()
