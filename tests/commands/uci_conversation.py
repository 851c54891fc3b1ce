"""The engine as a GUI meets it, over pipes.

    uci_conversation.py [CONVERSATIONS [SEED]]

With a number, so many random conversations are all that is tried.
"""
import glob
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time

import tap
from tap import check, grayling, params, read, source, uci

sys.path.insert(0, os.path.join(source, 'experiments'))
from uci_games import Board, START  # the rules of chess, not the engine's own

TIMEOUT = 180


class Engine:
    """A running engine; lines are read by a thread, so that silence can be noticed."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command or [uci], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode('ascii').rstrip('\n'))
        self.lines.put(None)

    def tell(self, *lines):
        for line in lines:
            self.process.stdin.write(line.encode('latin-1') + b'\n')
        self.process.stdin.flush()

    def until(self, begin, timeout=TIMEOUT):
        """The lines up to the first that begins so; the last of them is None if it never came."""
        heard, end = [], time.time() + timeout
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.time()))
            except queue.Empty:
                line = None
            heard.append(line)
            if line is None or line.startswith(begin):
                return heard

    def ask(self, line, begin='bestmove '):
        self.tell(line)
        return self.until(begin)

    def silent(self, begin, seconds):
        """Whether no line begins so for some time."""
        return self.until(begin, seconds)[-1] is None

    def quit(self):
        self.tell('quit')
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def number(line, name):
    words = line.split()
    return int(words[words.index(name) + 1])


def best(heard):
    return heard[-1].split()[1] if heard[-1] else None


def parameters(table):
    """The names of a table of parameters."""
    path, = glob.glob(os.path.join(source, 'src/engine/*', table + '.def'))
    return set(re.findall(r'^PARAM\((\w+)', read(path), re.M))


def test_handshake():
    e = Engine(uci, '--tune')
    options = re.findall(r'(?m)^option name (.+) type (?:spin default (-?\d+))?', '\n'.join(e.ask('uci', 'uciok')))
    defined = set.union(*map(parameters, ('eval_params', 'search_params', 'modern_params', 'added_params',
                                           'nullmove_params', 'nullmove_added_params')))
    defaults = {name: int(value) for name, value in options if value}
    check('uci: every parameter is an option', defined <= defaults.keys(), defined - defaults.keys())
    stated = {}
    for name in ('default-eval.yaml', 'default-search.yaml'):
        stated.update((n, int(v)) for n, v in re.findall(r'^  (\w+): *(-?\d+)', read(params(name)), re.M))
    differ = {n: (v, defaults.get(n)) for n, v in stated.items() if defaults.get(n) != v}
    check('uci: defaults are those of params/default-*.yaml', not differ, differ)
    e.quit()
    e = Engine()
    names = re.findall(r'(?m)^option name (.+?) type', '\n'.join(e.ask('uci', 'uciok')))
    check('uci: without --tune the options of the protocol, and files', len(names) < 20 and
          not defined & set(names) and {'EvalFile', 'SearchFile', 'UCI_ShowWDL'} <= set(names), names)
    e.quit()


def test_bench():
    runs = [subprocess.run(c, capture_output=True, text=True, timeout=TIMEOUT)
            for c in ([uci, 'bench'], [grayling, 'bench'])]
    last = [r.stdout.splitlines()[-1:] for r in runs]
    check('bench: the last line is "N nodes M nps"',
          runs[0].returncode == 0 and last[0] and re.fullmatch(r'\d+ nodes \d+ nps', last[0][0]),
          runs[0])
    check('bench: it says which set it measures', 'paper-eval' in runs[0].stdout, runs[0].stdout)
    check('bench: the same signature by grayling',
          last[0] and last[1] and last[0][0].split()[0] == last[1][0].split()[0], last)
    r = subprocess.run([uci, 'bench', 'twice'], capture_output=True, text=True)
    check('bench takes no argument', r.returncode == 2 and "'twice'" in r.stderr, r)
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'w') as full:
            r = subprocess.run([uci, '--help'], stdout=full, stderr=subprocess.PIPE)
        check('--help onto a full disk fails', r.returncode == 1 and b'No space left' in r.stderr, r)


def test_threads():
    """Several threads: legal moves, nodes of all, an end in time; then one thread, which repeats."""
    def nodes(e):
        e.tell('ucinewgame', 'position startpos moves e2e4')
        return number(e.ask('go depth 8')[-2], 'nodes')

    e = Engine()
    alone = nodes(e)
    e.tell('setoption name Threads value 3', 'position startpos moves e2e4 e7e5')
    heard = e.ask('go depth 9')
    check('Threads: a move', re.fullmatch('([a-h][1-8]){2}', best(heard) or ''), heard[-1])
    check('Threads: to the depth', number(heard[-2], 'depth') == 9, heard[-2])
    counts = [number(l, 'nodes') for l in heard if l.startswith('info depth')]
    check('Threads: nodes grow', counts == sorted(counts), counts)
    began = time.time()
    heard = e.ask('go movetime 300')
    check('Threads: movetime is kept', best(heard) and time.time() - began < 5, heard[-1])
    e.tell('go infinite')
    check('Threads: infinite goes on', e.silent('bestmove', 0.5))
    began = time.time()
    heard = e.ask('stop')
    check('Threads: stop in time', best(heard) and time.time() - began < 5, heard[-1])
    e.tell('setoption name Threads value 1')
    check('Threads: one thread repeats', nodes(e) == alone and nodes(e) == alone)
    e.tell('setoption name Threads value 2', 'go infinite')
    check('Threads: quit ends them', e.quit() == 0)


def test_rubbish():
    e = Engine()
    e.tell('x' * (1 << 20), 'position startpos moves ' + 'e2e4 ' * (1 << 18), 'go ' + '9' * (1 << 20),
           'setoption name ' + 'n' * (1 << 20), '\0\0go\0depth\0' + '1', 'position fen ' + 'k' * 70000,
           '\xff\xfe\x80 \x1b[2J', 'go depth', 'stop', 'ponderhit')
    e.tell('stop')
    heard = e.ask('isready', 'readyok')
    check('lines of a megabyte, NUL bytes, binary', heard[-1] == 'readyok', heard[-3:])
    e.tell('z' * (5 << 20))
    heard = e.ask('isready', 'readyok')
    check('a line that is too long is left out, and said',
          heard[-1] == 'readyok' and any('too long' in l for l in heard[:-1] if l), heard[-3:])
    e.tell('position startpos')
    check('and it still plays', best(e.ask('go depth 1')) is not None)
    e.quit()


def piped(text, command=(uci,)):
    r = subprocess.run(command, input=text, capture_output=True, timeout=TIMEOUT)
    return r.returncode, r.stdout.decode().splitlines()


def test_ends():
    code, heard = piped(b'position startpos\ngo depth 60\n')
    check('end of input: a search of hours is stopped', code == 0 and heard[-1].startswith('bestmove'), heard)
    check('nothing at all', piped(b'') == (0, []))
    for tune in (), ('--tune',):
        code, heard = piped(b'uci\nquit\n', (grayling, 'uci', *tune))
        check('grayling uci %sis the same engine' % ' '.join(tune),
              code == 0 and heard == piped(b'uci\nquit\n', (uci, *tune))[1])


def scores(*lines):
    """What a search of 2,000 nodes says after these lines, without its times."""
    e = Engine()
    e.tell(*lines)
    heard = [re.sub(r' nps \d+| time \d+', '', l) for l in e.ask('go nodes 2000') if ' score ' in l]
    e.quit()
    return heard


def test_sets():
    """The set that plays, and files of others: what is wrong with one is said on both streams."""
    usual = scores()
    check('it plays the set for games', usual == scores(
        'setoption name EvalFile value games', 'setoption name SearchFile value games-search'), usual)
    check('the default set is another', usual != scores('setoption name EvalFile value default'))
    check('the initial position is nearly even', 0 <= number(usual[-1], 'cp') < 100, usual[-1])
    queen = scores('position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1')[-1]
    check('a queen less is some tens of pawns at most', -3000 < number(queen, 'cp') < -500, queen)
    for option, value in (('EvalFile', 'games-search'), ('EvalFile', 'nowhere.yaml'), ('SearchFile', 'paper-eval'),
                          ('EvalFile', '-')):
        line = 'setoption name %s value %s' % (option, value)
        r = subprocess.run([uci], input=line + '\n', capture_output=True, text=True)
        check('%s %s: an error that is shown' % (option, value), r.stdout.startswith(
            'info string %s: error, nothing is changed: ' % option) and r.stderr.count('\n') == 1, r)
    check('and nothing else plays', scores('setoption name EvalFile value default-search',
                                           'setoption name SearchFile value default-eval') == usual)


FENS = (START, 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
        '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', 'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
        '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1', '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', 'R5k1/5ppp/8/8/8/8/8/7K b - - 0 1',
        '8/P6k/8/8/8/8/p6K/8 w - - 99 80')
OPTIONS = ('Hash value 7', 'Hash value 0', 'Hash value much', 'Clear Hash', 'Threads value 2', 'Threads value 1',
           'Ponder value true', 'MultiPV value 3', 'MultiPV value 1', 'MultiPV value 999', 'UCI_ShowWDL value true',
           'Move Overhead value 0', 'EvalFile value default', 'EvalFile value nowhere', 'EvalFile value <empty>',
           'SearchFile value paper', 'KNIGHT_VALUE value 9', 'LMR_USE value 0', 'Nothing value 1', '')
OTHERS = ('isready', 'uci', 'ucinewgame', 'd', 'eval', 'debug on', 'stop', 'ponderhit', 'position', 'position fen 8/8 w',
          'go perft 2', 'go dept 3', 'xyzzy \x01\xff', '', 'position startpos moves e2e5', 'register later')


def wander(chance):
    """A position after some random moves: the line that sets it up, and its legal moves."""
    fen, moves = chance.choice(FENS), []
    board = Board(fen)
    legal = board.moves()
    for _ in range(chance.choice((0, 1, 2, 5, 30))):
        if not legal:
            break
        moves.append(chance.choice(legal))
        board = board.after(moves[-1])
        legal = board.moves()
    return 'position fen %s%s' % (fen, ' moves ' + ' '.join(moves) if moves else ''), legal


def random_go(chance, legal):
    """A search, whether it needs an end, and the moves that may come of it."""
    clock = 'wtime %d btime %d winc 1 binc 1' % (chance.randint(-50, 300), chance.randint(1, 300))
    words, endless = chance.choice((
        ('depth %d' % chance.randint(1, 5), False), ('nodes %d' % chance.randint(1, 3000), False),
        ('movetime %d' % chance.randint(1, 20), False), (clock, False), (clock + ' movestogo 1', False),
        ('mate 1', False), ('infinite', True), ('', True), ('ponder ' + clock, True), ('ponder depth 2', True)))
    few = chance.sample(legal, min(len(legal), 2)) if chance.random() < 0.2 else []
    return 'go %s%s' % (words, ' searchmoves ' + ' '.join(few) if few else ''), endless, few or legal


def converse(chance, places):
    """Holds a random conversation. What was told and heard if something went wrong, else None."""
    e = Engine(uci, *(['--tune'] if chance.random() < 0.3 else []))
    told, heard, expected = [], [], []

    def tell(line):
        told.append(line)
        e.tell(line)

    for _ in range(chance.randint(1, 10)):
        kind = chance.random()
        if kind < 0.4:
            place, legal = chance.choice(places)
            line, endless, moves = random_go(chance, legal)
            expected.append(moves)
            tell(place)
            tell(line)
            if endless:
                for line in chance.choice((['stop'], ['isready', 'stop'], ['ponderhit', 'stop'])):
                    tell(line)
            if chance.random() < 0.3:  # a GUI waits
                while sum(l.startswith('bestmove ') for l in heard) < len(expected):
                    heard += e.until('bestmove ')
                    if heard[-1] is None:
                        return told, heard
        else:
            tell(chance.choice(OTHERS) if kind < 0.8 else 'setoption name ' + chance.choice(OPTIONS))
    if chance.random() < 0.5:
        e.tell('quit')
    e.process.stdin.close()
    heard += e.until('\0')[:-1]
    best = [l.split()[1] for l in heard if l.startswith('bestmove ')]
    fine = (e.process.wait(TIMEOUT) == 0 and len(best) == len(expected) and
            all(m in moves if moves else m == '(none)' for m, moves in zip(best, expected)) and
            heard.count('readyok') == told.count('isready') and heard.count('uciok') == told.count('uci'))
    return None if fine else (told, heard)


def conversations(count, seed):
    chance = random.Random(seed)
    places = [wander(chance) for _ in range(60)]
    for i in range(count):
        wrong = converse(chance, places)
        if wrong:
            check('random conversation %d of seed %d' % (i, seed), False, wrong)
            return
    check('%d random conversations: each go has one legal bestmove, each isready its answer' % count, True)


def test_conversations():
    conversations(40, 1)


if len(sys.argv) > 1:
    conversations(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    tap.plan()
    sys.exit()
tap.main()
