"""Engines with other manners than ours: each plays a match as it should, or is refused by a sentence,
alone and as one worker of two. The villain has the manners that it is told (villain.c)."""
import concurrent.futures
import json
import os
import re
import shlex

import tap
from tap import check, villain, write


def change(word, before, after):
    return '--change', word, before, after


def say(word, *lines):
    return '--before', word, ''.join(line + r'\n' for line in lines)


def options(*lines):
    return say('uciok', *('option name ' + line for line in lines))


INFO = ('info depth 3 score cp 900 pv a1a1', 'bestmove a1a1', 'info')
BAD_MOVE = r'Lost by mock[-\d]*: \d+ illegal moves?'
# A worker of a match whose options are not those of the engine that was asked for them.
UNLIKE = r'grayling: thread \d of 2: .* has no option "Hash"'
SILENT = r'does not answer "uci" with "uciok" within 10 s: it is no UCI engine, or slow to start'

# What is odd, how it is told, and what is said of it; None: it plays. Then options that the user sets.
MOCKS = [
    ('nothing', (), None),
    ('lines that end as on Windows', change('', r'\n', r'\r\n'), None),
    ('lone carriage returns among the words', change('', ' ', r' \r '), None),
    ('tabs and more blanks than one', change('', ' ', r'\t  '), None),
    ('blanks before and after each line', change('', r'\n', r'  \n  '), None),
    ('empty lines', change('', r'\n', r'\n\n \n'), None),
    ('a mark of byte order', say('start', r'\xef\xbb\xbfoption name First type check default 0'), None, 'First: true'),
    ('a banner', say('start', 'Villain 1.0 by nobody', 'option name Banner', 'id'), None),
    ('uciok before it is asked', say('start', 'uciok'), None),
    ('readyok before it is asked', say('start', 'readyok', 'readyok'), None),
    ('options before it is asked', say('start', 'option name Early type check default true'), None, 'Early: false'),
    ('options before its name', say('id name', 'option name First type spin default 1 min 0 max 2'), None,
     'First: 2'),
    ('options after uciok', say('readyok', 'option name Late type spin default 1 min 0 max 2'), None, 'Late: 2'),
    ('uciok twice', say('uciok', 'uciok'), None),
    ('no name', change('id', 'id', 'no'), None),
    ('a name that is not UTF-8', change('id name', 'Villain', r'Vi\xe9lain'), None),
    ('an endless name', say('id name', 'id name ' + 70000 * 'x'), None),
    ('a line longer than any', options('Long type string default ' + 100000 * 'x'), None),
    ('no options at all', change('option', 'option', 'info string'), None),
    ('castling of Chess960', options('UCI_Chess960 type check default false'), None, 'UCI_Chess960: true'),
    ('talk about other positions before readyok', say('readyok', *INFO), None),
    ('talk before a search', say('readyok', *INFO[:2]), None),
    ('talk between searches', change('bestmove', r'\n', r'\n' + r'\n'.join(INFO) + r'\n'), None),
    ('talk without a meaning', say('bestmove', 'info depth', 'info score', 'info score cp x', 'info string \x7f', 'foo'),
     None),
    ('NUL bytes', say('bestmove', r'info string \0\0', r'\0', r'info depth \0 nodes'), None),
    ('bytes that are no text', say('info', r'\x01\x9b\xff info depth 7'), None),
    ('bounds alone', change('info', 'score', 'score lowerbound'), None),
    ('a move to ponder on, and more', change('bestmove', r'\n', r' ponder e2e4 and more\n'), None),
    ('no move', change('bestmove', 'bestmove', 'bestmove (none)'), BAD_MOVE),
    ('a null move', change('bestmove', 'bestmove', 'bestmove 0000'), BAD_MOVE),
    ('a move without a blank', change('bestmove', 'bestmove ', r'bestmove\0'), BAD_MOVE),
    ('moves in capitals', change('bestmove', 'q', 'Q'), None),
    ('NUL bytes after uciok', change('uciok', 'uciok', r'uciok\0\0'), None),
]
# These are waited for in vain. They wait while the others play.
SILENCES = [
    ('lines that end with a carriage return', change('', r'\n', r'\r'), SILENT),
    ('no end of its last line', change('uciok', r'\n', ''), SILENT),
]
PROMOTES = '8/P6k/8/8/8/8/7p/K7 w - - 0 1\n8/P6k/8/8/8/8/7p/K7 b - - 0 1\n'


def player(name, words, values):
    """A file of a player with these manners."""
    command = ' '.join(map(shlex.quote, (villain,) + words))
    write(name, 'kind: uci\ncommand: %s\n%s' % (
        json.dumps(command), 'parameters:\n  %s\n' % values if values else ''))
    return name


def play(number, words, values, threads):
    """A match of the mock; of two workers one is it."""
    folder = ()
    if threads > 1:
        folder = '--one', 'workers-%d' % number
        os.mkdir(folder[1])
        values = None  # the other does not have them
    name = player('mock-%d-%d.yaml' % (number, threads), words + folder, values)
    return tap.run('match', name, 'default', '--nodes', '100', '--hash', '1', '--games', str(2 * threads), '--threads',
                   str(threads), '--max-plies', '10', '--openings', 'promotes.epd')


def outcome(r, games):
    """Whether a match was played as it should, or else what is said."""
    said = r.stdout + r.stderr
    if r.returncode == 0 and ' %d\n' % games in r.stdout and 'Lost by' not in said:
        return None
    return said


def look(number, mock):
    """What a mock does alone, and beside one that does nothing odd."""
    what, words, expected, *values = mock
    alone = outcome(play(number, words, values[0] if values else None, 1), 2)
    beside = outcome(play(number, words, None, 2), 4)
    return what, expected, alone, beside


write('promotes.epd', PROMOTES)
with concurrent.futures.ThreadPoolExecutor(6) as pool:
    vain = [pool.submit(play, 1000 + i, mock[1], None, 1) for i, mock in enumerate(SILENCES)]
    looks = [pool.submit(look, i, mock) for i, mock in enumerate(MOCKS)]
    for what, expected, alone, beside in (l.result() for l in looks):
        check('%s: %s' % (what, 'plays' if expected is None else 'is refused'), alone is None if expected is None
              else alone is not None and re.search(expected, alone), alone)
        check('%s, as one of two' % what, beside is None or re.search(UNLIKE if expected is None else expected, beside),
              beside)
    for mock, v in zip(SILENCES, vain):
        said = outcome(v.result(), 2)
        check('%s: is refused' % mock[0], said is not None and mock[2] in said, said)
check('no process is left', tap.no_process(villain + ' --before'))
tap.plan()
