"""`grayling mine --engine`: another engine decides what is tactical, a second one checks it. Our own
engine over UCI is the other one, so that results repeat; Stockfish where it is installed."""
import os
import re
import shutil
import subprocess

import tap
from tap import MATE_IN_TWO, check, grayling, interrupt, read, run, source, start, uci, villain, wait_for, works, write

ENGINE = uci + ' --tune'

# A mate in two that a short search misses, and a game in which nothing happens.
PLANTED = MATE_IN_TWO + '''
[White "E"]
[Black "F"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2
'''
FOUND = ('2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; ce 32764; id "A-B"; '
         'c0 "game b7236e7fe4aedc01";')
SMALL = ('--first-ply', 0, '--glance', 300, '--shallow', 300, '--deep', 20000, '--bound', 1000,
         '--hash', 1)

MANY = ('games.pgn', '--glance', 60, '--shallow', 40, '--deep', 2500, '--margin', 60, '--bound', 1000,
        '--hash', 1)

# The lines of the report.
STEADY = 'the short search chooses the move too'
UNSETTLED = 'the long search does not keep the move'
FLAT = 'the second move is not far enough behind'
DECIDED = 'one side wins in any case'
DOUBTFUL = 'the second engine does not agree'
FAULT = 'an engine had a fault'
STEPS = (STEADY, UNSETTLED, FLAT, DECIDED, DOUBTFUL, FAULT)


def mine(*arguments):
    return run('mine', *arguments)


def positions(text):
    return [line for line in text.splitlines() if not line.startswith('#')]


def count(result, step):
    """How many positions failed at a step, as the report has it."""
    found = re.search(r'^ *(\d+)  %s$' % step, result.stderr, re.M)
    return int(found.group(1)) if found else -1


def failed(result):
    return {step: count(result, step) for step in STEPS if count(result, step) > 0}


def examined(result):
    return int(re.search(r'and examined (\d+) position', result.stderr).group(1))


def test_finds():
    r = mine('planted.pgn', '--engine', ENGINE, *SMALL, '-o', 'a.epd')
    text = read('a.epd') if os.path.exists('a.epd') else ''
    check('finds the mate, with its score', r.returncode == 0 and positions(text) == [FOUND], r)
    check('the head names the engine and its limits', re.match(
        r'# Mined by grayling [\d.]+ with Grayling [\d.]+\.\n'
        r'# bm leads the second move by 150 centipawns or more in 20000 nodes \(ce: its score\);\n'
        r'# a search of 300 nodes chooses another move\.\n2rr3k', text), text)
    check('every position is accounted for', sum(failed(r).values()) + 1 == examined(r), r)
    works('solve reads it', 'solve', 'a.epd', '--nodes', '100000', says='a.epd')
    r = mine('planted.pgn', '--engine', ENGINE, '--check', ENGINE, '--check-nodes', 9999,
             *SMALL)
    check('the head names the second engine', positions(r.stdout) == [FOUND] and re.search(
        r'\n# Grayling [\d.]+ agrees in 9999 nodes, with half the lead\.\n', r.stdout), r)


def test_leaves_out():
    """Each rule alone keeps the position out, and is told."""
    for step, options in ((STEADY, ('--shallow', 15000)), (FLAT, ('--margin', 100000)),
                          (DECIDED, ('--bound', 1)), (UNSETTLED, ('--deep', 800)),
                          (DOUBTFUL, ('--check', ENGINE, '--check-nodes', 1))):
        r = mine('planted.pgn', '--engine', ENGINE, *SMALL, *options, '-o', 'none.epd')
        check('left out: ' + step, r.returncode == 2 and count(r, step) > 0 and
              'nothing was found, and nothing is written' in r.stderr and
              not os.path.exists('none.epd'), r)


def test_bare_depths():
    """Lines of a depth alone begin iterations, and do not keep the move of the one before."""
    write('first.pgn', PLANTED[:PLANTED.index('[White "E"]')])
    write('bare', '#!/bin/sh\nwhile read word rest; do case "$word $rest" in "uci ") echo option name MultiPV type spin '
          'default 1 min 1 max 9; echo uciok;; "isready ") echo readyok;; "go nodes 300") '
          'echo info depth 1 nodes 300 score cp 10 pv h2h3; echo bestmove h2h3;; "go "*) '
          'echo info depth 1 nodes 90 score cp 10 pv h2h3; echo info depth 2 nodes 400 score cp 500 pv g3g6; '
          'for depth in 3 4 5 6; do echo info depth $depth; done; echo bestmove g3g6;; "quit ") exit;; esac; done\n', 0o755)
    r = mine('first.pgn', '--engine', './bare', *SMALL, '-o', 'none.epd')
    check('a line of a depth alone keeps no move', r.returncode == 2 and examined(r) > 0 and
          failed(r) == {UNSETTLED: examined(r)}, r)


def test_repeats():
    """Many games: the same by any number of threads, and halves that are split."""
    r = run('match', 'default', 'plain', '--games', '40', '--nodes', '60', '-o',
                'games.pgn')
    many = (*MANY, '--engine', ENGINE)
    one = mine(*many, '--threads', 1)
    check('several are found', one.returncode == 0 and len(positions(one.stdout)) >= 3, (r, one))
    three = mine(*many, '--threads', 3)
    check('the same by three threads', three.stdout == one.stdout and failed(three) == failed(one),
          three)
    mine(*many, '--split', 'b.epd', '-o', 'c.epd')
    b, c = read('b.epd'), read('c.epd')
    check('each half has the head', b.startswith('# Mined') and c.startswith('# Mined'), b + c)
    check('and half of the positions', positions(c) == positions(one.stdout)[::2] and
          positions(b) == positions(one.stdout)[1::2], b + c)


def test_engine_from_a_file():
    """A parameter file of kind uci names the engine and sets its options."""
    plain = 'kind: uci\ncommand: %s\nparameters:\n  Move Overhead: 10\n' % ENGINE
    write('plain.yaml', plain)
    write('tuned.yaml', plain + '  EvalFile: %s\n' % os.path.join(source, 'params/paper-eval.yaml'))
    usual, same, tuned = [mine(*MANY, '--engine', engine)
                          for engine in (ENGINE, 'plain.yaml', 'tuned.yaml')]
    check('a file names the engine', same.returncode == 0 and positions(usual.stdout) ==
          positions(same.stdout) != [], same)
    check('and sets its options', tuned.returncode == 0 and
          positions(tuned.stdout) != positions(usual.stdout), tuned)
    write('unnamed.yaml', 'kind: uci\nparameters:\n  Hash: 1\n')
    refuses('a file without a command', '--engine: unnamed.yaml: command: missing', '--engine',
            'unnamed.yaml')


def test_survives():
    r = mine('planted.pgn', '--engine', villain + ' --die 3', *SMALL, '-o', 'none.epd')
    check('an engine that dies costs the positions', r.returncode == 2 and
          failed(r) == {FAULT: examined(r)} and re.search(
              r'\nthe first fault: \S*villain --die 3 exited with code 3.*, in 2rr3k/', r.stderr), r)
    r = mine('planted.pgn', '--engine', ENGINE, '--check', villain + ' --illegal', *SMALL)
    check('so does a second engine with an illegal move', r.returncode == 2 and
          count(r, FAULT) == 1 and 'answers with an illegal move, "a2a1", in 2rr3k' in r.stderr, r)
    r = mine(*MANY, '--engine', villain + ' --every 30 --crash', '--threads', 2)
    check('the others are found', r.returncode == 0 and len(positions(r.stdout)) > 0 and
          count(r, FAULT) > 0, r)
    r = mine('planted.pgn', '--engine', villain + ' --ignore-nodes', *SMALL)
    check('an engine that ignores go nodes is stopped', r.returncode in (0, 2) and
          FAULT not in failed(r), r)


def mortal(starts, every):
    """An engine that crashes at each so many searches, and starts only so often."""
    write('starts', '')
    write('mortal', '#!/bin/sh\n[ $(wc -l < starts) -lt %d ] || exit 1\necho >> starts\n'
          'exec %s --every %d --crash\n' % (starts, villain, every), 0o755)
    return './mortal'


def test_rescues():
    """What was found before an engine could not be started again. The first start asks for its options."""
    whole = mine(*MANY, '--engine', villain, '--threads', 1)
    r = mine(*MANY, '--engine', mortal(2, 60), '--threads', 1, '-o', 'some.epd')
    some = positions(read('some.epd')) if os.path.exists('some.epd') else []
    check('what was found is written when the engine cannot be started again', r.returncode == 1 and
          0 < len(some) < len(positions(whole.stdout)) and
          some == positions(whole.stdout)[:len(some)] and 'cannot be started again' in r.stderr and
          'what was found so far is written' in r.stderr, r)
    r = mine(*MANY, '--engine', mortal(2, 1), '--threads', 1, '-o', 'nothing.epd')
    check('nothing is written if nothing was found', r.returncode == 1 and
          not os.path.exists('nothing.epd') and 'cannot be started again' in r.stderr, r)
    suite = os.path.join(source, 'data/train-1.epd')
    r = run('label', suite, '--engine', mortal(2, 20), '--threads', '1', '-o', 'some-labels.epd')
    check('labels are kept likewise', r.returncode == 1 and 'cannot be started again' in r.stderr and
          0 < len(positions(read('some-labels.epd'))) <= 20, r)


def test_stops():
    """Ctrl-C during a search."""
    child = start('mine', 'planted.pgn', '--engine', villain + ' --silent', '--threads', '1', *map(str, SMALL))
    wait_for(lambda: tap.children(child.pid))
    said = interrupt(child)
    check('Ctrl-C ends it', child.returncode == 130 and 'interrupted too early' in said, said)
    child = subprocess.Popen((grayling, 'label', os.path.join(source, 'data/train-1.epd'), '--engine',
                              '%s --every 5 --ignore-stop --tell %s' % (villain, os.path.abspath('hanging')),
                              '--threads', '1', '-o', 'stopped.epd'), stderr=subprocess.PIPE, text=True)
    hanging = wait_for(lambda: os.path.exists('hanging'))
    said = interrupt(child)
    check('an engine that does not answer after Ctrl-C has no fault', hanging and child.returncode == 130 and
          ', 0 faults' in said and 0 < len(positions(read('stopped.epd'))) <= 4, said)


def test_stops_labels():
    """Ctrl-C before the first score: not a fault of the positions."""
    child = start('label', os.path.join(source, 'data/train-1.epd'), '--engine', villain + ' --silent', '--threads', '1', '-o', 'no-labels.epd')
    wait_for(lambda: tap.children(child.pid))
    said = interrupt(child)
    check('Ctrl-C ends labels too', child.returncode == 130 and 'interrupted before a position was scored' in said and
          not os.path.exists('no-labels.epd'), said)


def test_shallow():
    """A search that is stopped before its limit is told of. Both wait for news at the same time."""
    write('start.epd', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n')
    write('slow', '#!/bin/sh\nwhile read word rest; do case $word in uci) echo uciok;; isready) echo readyok;;\n'
          'go) echo info depth 7 nodes 400 score cp 10 pv e2e4;; stop) echo bestmove e2e4;; quit) exit;; esac; done\n', 0o755)
    limits = ('--depth', '8', 'depth 8'), ('--nodes', '5000', '5,000 nodes')
    children = [start('label', 'start.epd', '--engine', './slow', option, value, stdout=subprocess.PIPE)
                for option, value, _ in limits]
    for child, (option, _, words) in zip(children, limits):
        labels, said = child.communicate(timeout=60)
        check('a search that is stopped before its limit is told: ' + option, child.returncode == 0 and
              ' ce 10;' in labels and '1 position searched to less than %s: ' % words in said, said)
    for limit in (('--depth', '3'), ('--nodes', '500')):
        r = run('label', 'start.epd', '--engine', ENGINE, *limit)
        check('no other is: ' + limit[0], r.returncode == 0 and 'less than' not in r.stderr, r)


def test_over():
    """Mated and stalemated: no fault of the engine, which has no move to answer."""
    write('over.epd', 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - id "a";\n7k/5Q2/6K1/8/8/8/8/8 b - - '
          'id "b";\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id "c";\n')
    r = run('label', 'over.epd', '--engine', villain, '--depth', '2')
    check('positions without a legal move are left out, without a fault', r.returncode == 0 and
          len(positions(r.stdout)) == 1 and '1 position scored by ' in r.stderr and
          '; left out: 0 with a mate, 2 without a legal move, 0 without a score, 0 faults\n' in r.stderr, r)


def refuses(what, words, *options):
    tap.refuses('refuses ' + what, words, 'mine', 'planted.pgn', *options, '-o', 'refused.epd', absent='refused.epd')


def test_refuses_bad_input():
    write('single', '#!/bin/sh\nwhile read line; do case $line in uci) echo uciok;; isready) echo '
          'readyok;; quit) exit;; esac; done\n', 0o755)
    refuses('an engine that is missing', '--engine: cannot start nothere: there is no such program',
            '--engine', 'nothere')
    refuses('a second engine that is missing', '--check: cannot start nothere', '--engine',
            ENGINE, '--check', 'nothere')
    refuses('an engine that has one line only', '--engine: ./single has no option "MultiPV"',
            '--engine', './single')
    refuses('a second engine without a first', '--check and --check-nodes need --engine', '--check',
            ENGINE)
    refuses('options of our judge', '--params, --judge and --look are not for --engine', '--engine',
            ENGINE, '--look', 5000)
    refuses('a long search that is short', '--shallow must be less than --deep', '--engine',
            ENGINE, '--deep', 2000)


def test_real_engine():
    if shutil.which('stockfish', path=os.environ.get('PATH', '') + ':/usr/games') is None:
        check('Stockfish # SKIP it is not installed', True)
        return
    few = (*MANY, '--engine', 'stockfish', '--per-game', 1)
    one, two = mine(*few, '--threads', 1), mine(*few, '--threads', 2)
    check('Stockfish decides without a fault', one.returncode in (0, 2) and count(one, FAULT) == 0 and
          sum(failed(one).values()) + len(positions(one.stdout)) == examined(one) > 0, one)
    check('the same by two threads', one.stdout == two.stdout and failed(one) == failed(two), two)


write('planted.pgn', PLANTED)
tap.main()
