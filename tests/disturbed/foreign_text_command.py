"""Text from outside: whatever engines, tags, ids, names of files and run files hold, no command sends a control
character, a mark of direction or what is not UTF-8 to the terminal, or into a file that people look at."""
import csv
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.request
import xml.etree.ElementTree

import tap
from tap import check, content, grayling, head, source, uci, work


# ---- what must not come out

UNSEEN = '\xad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\ufeff' + ''.join(
    map(chr, [*range(0x202a, 0x202f), *range(0x2060, 0x2070)]))
CONTROLS = bytes(c for c in [*range(1, 0x20), 0x7f] if c not in b'\n\r')
SEQUENCES = [b'\x1b[31mred', b'\x1b]0;title\x07', b'\x1b[2J\x1b[H', b'\x9b31m', '\x9b31m'.encode(), b'half \xe2\x80',
             b'Ren\xe9', b'\xff\xfe', b'over \xc0\x9b', b'\xed\xa0\x80', '\u202egnp.exe'.encode()]


def pieces(text, length):
    return [text[i:i + length] for i in range(0, len(text), length)]


# Names of at most 20 bytes, for places that cut long ones. Together they hold every character.
DIRT = ([b'x%sy' % part for part in pieces(CONTROLS, 16) + pieces(bytes(range(0x80, 0xa0)), 16)] +
        [b'x%sy' % part.encode() for part in pieces(''.join(map(chr, range(0x80, 0xa0))) + UNSEEN, 6)] + SEQUENCES)
ALL = b'~'.join(DIRT)
# Of games and positions: Ctrl-Z ends their files, as in DOS.
LINES = [name.replace(b'\x1a', b'') for name in DIRT]
LINE = b'~'.join(LINES)
NAMED = b'n\x1b[31m\x07\x9b\xc2\x9b\xe2\x80\xae\n\t.'  # what the name of a file begins with
FORMULAS = ['=HYPERLINK("http://evil","x")', '@SUM(1+1)', '+1 -1', '-x', "]]> --> </style> &lt; <b> 'q'"]


def unclean(data):
    """The characters of an output that a terminal obeys or hides, or that are not UTF-8."""
    text = data.replace(b'\r\n', b'\n').decode(errors='surrogateescape')
    return sorted({hex(ord(c)) for c in text if (c < ' ' and c != '\n') or '\x7f' <= c < '\xa0' or c in UNSEEN or
                   '\ud800' <= c < '\ue000'})


def run(*words):
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return subprocess.run([grayling, *words], capture_output=True, timeout=300, stdin=subprocess.DEVNULL)


def said_by(r):
    return r.stdout.decode(errors='replace')


def words_of(name):
    """The text of a file of XML; None if it is none."""
    try:
        return ' '.join(' '.join(xml.etree.ElementTree.fromstring(content(name)).itertext()).split())
    except xml.etree.ElementTree.ParseError:
        return None


def write(name, data, mode=0o644):
    with open(name, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    os.chmod(name, mode)


def clean(what, code, *words, files=()):
    """Runs a command that ends with this code, or with any; neither its output nor its files are unclean."""
    r = run(*words)
    bad = {'output': unclean(r.stdout), 'errors': unclean(r.stderr)}
    bad.update((name, unclean(content(name)) if os.path.exists(name) else 'absent') for name in files)
    bad = {place: found for place, found in bad.items() if found}
    check(what, (r.returncode == code or code is None and r.returncode >= 0) and (r.stdout or r.stderr or files) and not bad, '%s\n%s' % (bad, r))
    return r


# ---- engines

ENGINE = r'''#!%s -IS
import os, sys
data, mode, ours = open('%s', 'rb').read().split(b'\n\n\n'), sys.argv[1], None
def say(line):
    os.write(1, line + b'\n')
for line in sys.stdin.buffer:
    word = line.split()[0]
    if word == b'uci':
        say(data[0])
    elif word == b'isready':
        say(b'readyok')
    elif word == b'go' and mode == 'dies':
        os.write(2, data[1] + b'\n')
        sys.exit(7)
    elif word == b'go' and mode == 'illegal':
        say(b'bestmove ' + data[1])
    elif mode == 'plays' and (word in (b'position', b'go') or b'MultiPV' in line):
        if ours is None:
            import subprocess
            ours = subprocess.Popen(['%s'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ours.stdin.write(line)
        ours.stdin.flush()
        answer = b''
        if word == b'go':
            say(b'info string ' + data[1])
            say(b'info depth 1 ' + data[1])
        while word == b'go' and not answer.startswith(b'bestmove'):
            answer = ours.stdout.readline()
            os.write(1, answer)
    if word == b'quit':
        break
'''


def introduction():
    """What the engine says it is. A name of an option that is only UTF-8 is a gene."""
    lines = [b'id name ' + ALL, b'id author ' + ALL, b'option name MultiPV type spin default 1 min 1 max 500']
    for i, name in enumerate(DIRT + [f.encode() for f in FORMULAS]):
        lines.append(b'option name %s type spin default 10 min 0 max 100' % name)
        lines.append(b'option name S%d type string default %s' % (i, name))
    lines.append(b'option name Style type combo default %s var %s var calm' % (DIRT[0], DIRT[0]))
    lines.append(b'option name Mood type combo default =1+1 var =1+1 var -x var calm')
    return b'\n'.join(lines + [b'uciok'])


write('said', introduction() + b'\n\n\n' + ALL)
for mode in ('plays', 'dies', 'illegal'):
    write(mode, ENGINE.replace('sys.argv[1]', repr(mode)) % (sys.executable, work + '/said', uci), 0o755)
plays, dies, illegal = (os.path.join(work, mode) for mode in ('plays', 'dies', 'illegal'))


# ---- games and positions

def game(name, moves):
    return (b'[Event "%s"]\n[White "%s"]\n[Black "b\x1b"]\n[Date "%s"]\n[Result "1-0"]\n\n%s\n\n' %
            (name, name, name, moves))


def moves(number):
    """A game that no other number has."""
    first = ['%s%d' % (file, rank) for file in 'abcdefgh' for rank in (3, 4)]
    return ('1. %s Nf6 2. Nc3 Nc6 3. Nf3 %s 4. Ng5 1-0' % (first[number % 16], ['d6', 'e6', 'g6', 'b6'][number // 16])).encode()


def test_games():
    write('games.pgn', b''.join(game(name, moves(i)) for i, name in enumerate(LINES)) +
          b''.join(game(name, b'1. e4 %s 1-0' % name) for name in LINES[:12]) +
          game(b'x', b'1. e4 {%s} e5 2. %s 1-0' % (LINE, LINE)))
    clean('sample', 0, 'sample', 'games.pgn', '--count', 3, '--first-ply', 4, '-o', 'sample.epd', files=['sample.epd'])
    clean('sample, on standard output', 0, 'sample', 'games.pgn', '--count', 3, '--first-ply', 4)
    clean('ratings', 0, 'ratings', 'games.pgn')
    clean('book', None, 'book', 'games.pgn', '--plies', 8, '--nodes', 100, '--bound', 300)
    clean('mine', None, 'mine', 'games.pgn', '--first-ply', 0, '--shallow', 20, '--deep', 100, '--look', 50)
    clean('mine with an engine', None, 'mine', 'games.pgn', '--first-ply', 0, '--engine', plays, '--glance', 60,
          '--shallow', 40, '--deep', 100, '--margin', 20, '--bound', 1000, '--count', 1)
    clean('mine with one that dies', None, 'mine', 'games.pgn', '--first-ply', 0, '--engine', dies, '--glance', 60,
          '--shallow', 40, '--deep', 100)


def test_positions():
    line = b'r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id "%s"; c0 "%s";\n'
    write('suite.epd', b''.join(line % (name, name) for name in LINES) + line % (FORMULAS[0].replace('"', '').encode(), b'x'))
    write('bad.epd', b'r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm %s;\n' % LINE + b'%s w - -\n' % LINE)
    few = ('--nodes', 20, '--hash', 1)
    clean('solve', 0, 'solve', 'suite.epd', '--verbose', *few)
    clean('solve: bad positions', 2, 'solve', 'bad.epd', *few)
    r = clean('solve: CSV', 0, 'solve', 'suite.epd', '--format', 'csv', *few)
    rows = list(csv.DictReader(line for line in io.StringIO(said_by(r)) if not line.startswith('#')))
    check('solve: no id is a formula', len(rows) == len(LINES) + 1 and rows[-1]['id'].startswith("'=HYPERLINK("), rows[-1:])
    r = clean('solve: JSON', 0, 'solve', 'suite.epd', '--format', 'json', *few)
    check('solve: it parses', json.loads(said_by(r)), r)
    write('quiet.epd', b''.join(b'%s w - - id "%s";\n' % (b'4k3/pppp4/8/8/8/8/4PPPP/4K3', name) for name in LINES[:5]))
    clean('label', 0, 'label', 'quiet.epd', '--engine', plays, '--nodes', 20)
    clean('label: one that dies', None, 'label', 'quiet.epd', '--engine', dies, '--nodes', 20)
    clean('score', 0, 'score', 'default-eval', 'suite.epd')
    clean('score: bad positions', 2, 'score', 'default-eval', 'bad.epd')
    clean('perft: a position', 2, 'perft', '--fen', ALL, 1)
    write('perft.epd', b'%s ;D1 20\n' % LINE)
    clean('perft: a suite', 2, 'perft', '--suite', 'perft.epd')
    clean('regress', 2, 'regress', 'bad.epd', '-o', 'fitted.yaml')


# ---- matches

def test_matches():
    fast = ('--nodes', 50, '--hash', 1, '--threads', 1, '--max-plies', 6)
    clean('match', 0, 'match', 'default', 'uci:' + plays, '--games', 2, *fast, '-o', 'match.pgn', files=['match.pgn'])
    clean('ratings of it', 0, 'ratings', 'match.pgn')
    clean('match: resumed', 0, 'match', 'default', 'uci:' + plays, '--games', 4, *fast, '-o', 'match.pgn', '--resume',
          files=['match.pgn'])
    r = clean('match: JSON', 0, 'match', 'default', 'uci:' + plays, '--games', 2, *fast, '--format', 'json')
    check('match: it parses', json.loads(said_by(r))['games'] == 2, r)
    for engine in (dies, illegal):
        name = os.path.basename(engine)
        r = run('match', 'default', 'uci:' + engine, '--games', 2, *fast, '-o', name + '.pgn')
        files = [f for f in os.listdir('.') if f.startswith(name + '.')]
        bad = [unclean(r.stdout), unclean(r.stderr)] + [unclean(content(f)) for f in files]
        check('match with one that %s: the log too' % name, not any(bad) and len(files) == 2, (bad, files, r))
    clean('gauntlet', 0, 'gauntlet', 'default', '--against', plays, '--games', 2, *fast, '-o', 'gauntlet.pgn',
          files=['gauntlet.pgn'])


def test_terminal():
    """There are escapes of our own: they draw the line of progress."""
    told = tap.on_terminal(80, 'gauntlet', 'default', '--against', plays, '--games', 2, '--nodes', 50, '--hash', 1,
                           '--max-plies', 6, errors='surrogateescape').encode(errors='surrogateescape')
    bad = unclean(told.replace(b'\r\n', b'\n').replace(b'\x1b[K', b'').replace(b'\r', b''))
    check('a terminal is sent nothing else', b'\x1b[K' in told and not bad, (bad, told))


# ---- another engine's options, and a run of them

RECIPE = '''name: foreign
phase: search
seed: 3
space: space.yaml
data: {train: [tactics.epd], split: halves}
fitness: {limit: 50, hash: 1}
ga: {population: 2, generations: 1}
'''
OWN = 'name: own\ndata: {train: [train-1.epd]}\nga: {population: 4, generations: 1}\n'
SUITE = ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\nq3k3/8/8/1N6/8/8/8/4K3 w - - bm Nc7+;\n'
         '7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n2k5/8/8/8/8/8/5r2/4RK2 w - - bm Kxf2;\n')


def test_run():
    clean('space', 0, 'space', plays, '-o', 'space.yaml', files=['space.yaml'])
    write('tactics.epd', SUITE)
    write('run.recipe', RECIPE)
    clean('evolve', 0, 'evolve', 'run.recipe', '-o', 'run.db', files=['run.yaml', 'run.html'])
    clean('space of one that dies', 0, 'space', dies, '-o', 'dead-space.yaml')
    clean('evolve: an engine that dies', 0, 'evolve', 'run.recipe', '-o', 'dead.db', '--set',
          'space=dead-space.yaml', '--set', 'ga.generations=0')
    faults = [os.path.join('dead.db.faults', f) for f in os.listdir('dead.db.faults')]
    bad = [unclean(content(f)) for f in faults]
    check('its faults are kept clean', faults and not any(bad), bad)
    clean('status', 0, 'status', 'run.db')
    clean('status of the dead', 0, 'status', 'dead.db')
    clean('check', 0, 'check', 'run.db')
    clean('report', 0, 'report', 'run.db', '-o', 'report.html', files=['report.html'])
    check('report: the page parses', words_of('report.html') is not None)
    clean('history: CSV', 0, 'history', 'run.db')
    r = clean('history: JSON', 0, 'history', 'run.db', '--format', 'json')
    check('history: it parses', json.loads(said_by(r)), r)
    clean('confirm', 0, 'confirm', 'run.db', '--suite', 'none')
    for kind in ('genes', 'parameters'):
        clean('plot: ' + kind, 0, 'plot', 'run.db', '--what', kind, '-o', kind + '.svg')
        text = words_of(kind + '.svg')
        check('plot: a name cannot end its text', text and ']]>' in text and not unclean(text.encode()), text)


def test_exports():
    formats = ['yaml', 'json', 'c', 'c-struct', 'cpp', 'csv', 'uci', 'openbench', 'fishtest', 'weather-factory', 'ctt',
               'optuna', 'evidence']
    done = 0
    for name in formats:
        r = run('export', 'run.db', '--format', name)
        bad = unclean(r.stdout) + unclean(r.stderr)
        done += r.returncode == 0
        check('export: ' + name, not bad and r.returncode in (0, 2), '%s\n%s' % (bad, r))
        if name == 'json':
            check('export: JSON parses', FORMULAS[0] in json.loads(said_by(r))['parameters'], r)
        if name == 'csv':
            rows = list(csv.reader(io.StringIO(said_by(r))))
            names = [row[0] for row in rows]
            check('export: no name and no value is a formula', all("'" + f in names for f in FORMULAS[:4]) and
                  not any(cell[:1] in ('=', '@') for row in rows for cell in row), rows)
            write('values.csv', r.stdout)
    check('export: most formats can have it', done >= 6, done)
    again = run('export', 'values.csv', '--format', 'csv')
    check('export: CSV is read back', again.returncode in (0, 2) and not unclean(again.stderr), again)


def test_serve():
    process = subprocess.Popen([grayling, 'serve', 'run.db', '--port', '0'], stdout=subprocess.PIPE)
    address = process.stdout.readline().split()[1].decode()
    pages = [urllib.request.urlopen(address + path, timeout=60).read() for path in ('', 'status.json')]
    process.send_signal(signal.SIGINT)
    out = process.communicate()[0]
    check('serve', not any(unclean(page) for page in pages + [out]) and json.loads(pages[1]), (pages[1], out))


def test_changed_runs():
    """A run file comes from someone else, who has written into it what a program reads as text."""
    with sqlite3.connect('dead.db') as db:
        keys = [key for key, in db.execute('SELECT key FROM property')]
    for key in keys:
        shutil.copy('dead.db', 'changed.db')
        with sqlite3.connect('changed.db') as db:
            value, = db.execute('SELECT value FROM property WHERE key = ?', (key,)).fetchone()
            db.execute('UPDATE property SET value = ? WHERE key = ?',
                       ((value if isinstance(value, str) else str(value)) + '\x1b[31m\x9b\u202e', key))
        bad = []
        for words in (('status', 'changed.db'), ('report', 'changed.db', '-o', '-'), ('export', 'changed.db', '--format', 'yaml'),
                      ('check', 'changed.db')):
            r = run(*words)
            bad += unclean(r.stdout) + unclean(r.stderr)
        check('a changed run: ' + key, not bad, bad)


# ---- names of files, words of the command line, recipes

def test_absent_files():
    """Each command names a file that it cannot open."""
    absent = NAMED + b'absent'
    for words in (('sample', '--count', 1), ('ratings',), ('book',), ('mine',), ('perft', '--suite'), ('solve', '--nodes', 9),
                  ('score', 'default-eval'), ('score',), ('label', '--engine', plays), ('regress',), ('evolve',), ('resume',),
                  ('status',), ('check',), ('verify',), ('history',), ('report',), ('plot',), ('export',), ('serve',),
                  ('confirm',), ('space',), ('space', plays, '-o', NAMED + b'/'), ('match', 'default'), ('gauntlet', 'default'),
                  ('match', 'default', 'default', '--openings'), ('trace', '--check'), ('uci',), ('help',), ('--set',),
                  ('match', 'default', 'default', '--nodes'), ('match', '--options-a'), ('reproduce',), ('history', 'run.db', '--format')):
        r = run(*words, absent)
        bad = unclean(r.stdout) + unclean(r.stderr)
        check('%s: a name that is not there' % ' '.join(map(repr, words[:2])), r.returncode != 0 and r.stderr and not bad and
              (r.stderr.count(b'\n') <= 3 or words[0] == 'reproduce'), '%s\n%s' % (bad, r))
    check('a command that is not there', not unclean(run(absent).stderr), run(absent))
    check('an option that is not there', not unclean(run('match', b'--' + absent).stderr), run('match', b'--' + absent))
    r = subprocess.run([uci.encode(), absent], capture_output=True, timeout=60)
    check('the engine itself', not unclean(r.stderr), r)


def test_named_files():
    """The files are there, and what is told of them is clean."""
    def named(ending):
        return NAMED + ending
    head('train-1.epd', 20)
    write(named(b'recipe'), OWN)
    for old, new in (('games.pgn', named(b'pgn')), ('suite.epd', named(b'epd'))):
        shutil.copy(old, new)
    for kind in ('search', 'eval'):
        shutil.copy(os.path.join(source, 'params', 'default-%s.yaml' % kind), named(kind.encode() + b'.yaml'))
    db = named(b'db')
    clean('evolve to a file', 0, 'evolve', named(b'recipe'), '-o', db)
    clean('evolve: nothing but a plan', 0, 'evolve', named(b'recipe'), '-o', named(b'plan.db'), '--dry-run')
    clean('resume a file', 0, 'resume', db, '--generations', 2)
    clean('resume what is complete', 0, 'resume', db)
    for words in (('status', db), ('check', db), ('verify', db), ('history', db), ('confirm', db, '--suite', 'none'),
                  ('export', db, '--format', 'yaml', '-o', named(b'out')), ('report', db, '-o', named(b'page.html')),
                  ('sample', named(b'pgn'), '--count', 1, '--first-ply', 4, '-o', named(b'drawn')),
                  ('ratings', named(b'pgn')),
                  ('solve', named(b'epd'), '--verbose', '--nodes', 20, '--hash', 1, '--params', named(b'search.yaml')),
                  ('solve', named(b'epd'), '--nodes', 20, '--hash', 1, '--format', 'csv', '--params', named(b'search.yaml')),
                  ('score', named(b'eval.yaml'), named(b'epd')),
                  ('match', named(b'search.yaml'), 'default', '--games', 2, '--nodes', 20, '--hash', 1, '-o', named(b'played')),
                  ('gauntlet', 'default', '--against', named(b'search.yaml'), '--games', 2, '--nodes', 20, '--hash', 1),
                  ('space', plays, '--force', '-o', named(b'space'))):
        clean('%s: names of files' % words[0], 0, *words)
    long = 'é' * 60 + '.yaml'
    shutil.copy(named(b'search.yaml'), long)
    r = clean('solve: a long name', 0, 'solve', 'tactics.epd', '--nodes', 20, '--hash', 1, '--params', long)
    check('solve: it keeps its end, in whole characters', 'é.yaml  ' in said_by(r) and '?' not in said_by(r), r)
    r = run('perft', '--suite', named(b'epd'))
    check('perft: names of files', not unclean(r.stdout) and not unclean(r.stderr), r)
    bad = unclean(content(named(b'played')))
    check('a player named after a file', not bad, bad)


def test_recipes():
    for text in ('"na\\e[31m\\u009b\\u202eme": x\n', 'name: "\\e[31m"\n', 'name: "\\u202e"\n', 'phase: "\\e]0;t\\a"\n',
                 'seed: "\\e[2J\\n\\u009b"\n', 'name: \x1b[31m\n', 'name: x\ndata: {train: ["\\e[31m.epd"]}\n',
                 'name: x\nspace: "\\u202e"\n'):
        write('odd.yaml', text)
        clean('recipe: ' + repr(text)[:40], 2, 'evolve', 'odd.yaml', '-o', 'odd.db')
    for data in (b'kind: evaluation\nparameters:\n  "\\e[31m": 3\n', b'kind: "\\e[31m"\n', b'setoption name %s value 3\n' % ALL,
                 b'name,value,min,max\n%s,1,0,2\n' % DIRT[0], ALL):
        write('odd.yaml', data)
        clean('values: ' + repr(data)[:40], 2, 'export', 'odd.yaml', '--format', 'csv')
    clean('a setting', 2, 'evolve', 'run.recipe', '-o', 'odd.db', '--set', b'name=' + ALL)
    clean('a key', 2, 'evolve', 'run.recipe', '-o', 'odd.db', '--set', ALL + b'=3')


def test_traces():
    write('tracer', b'#!/bin/sh\nread -r line\ncat "%s"\n' % (work + '/said').encode(), 0o755)
    clean('trace: a program that says what it likes', 2, 'trace', '--check', work + '/tracer', 'tactics.epd')


tap.main()
