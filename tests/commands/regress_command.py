"""`grayling regress` as a user meets it: what it fits and says, its messages, and what is left on the disk."""
import hashlib
import os
import re
import signal
import sys
import threading

import tap
from tap import check, has, head, read, refuses, run, write

HELD_OUT = ('--held-out', 'unseen.epd', '--held-out', 'moves.epd')


def fit(what, *words, says='', out=None, **options):
    """Fits; the result, whose standard output says this. `out` is the file of values, which can be read."""
    r = run('regress', *words, *(('-o', out) if out else ()), **options)
    check(what, r.returncode == 0 and has(r, says) and (not out or run('export', out, '--format', 'csv').returncode == 0), r)
    return r


def values(name):
    """A file of values without the comments at its head."""
    return [line for line in read(name).splitlines() if not line.startswith('#')]


def lines_of(name, count):
    text = tap.call('zstd', '-dcq', os.path.join(tap.source, 'data', name)).stdout
    return text.splitlines(keepends=True)[:count]


head('train-1.epd', 120)
os.rename('train-1.epd', 'moves.epd')
MOVES, RESULTS = read('moves.epd'), lines_of('results-train.epd.zst', 400)
write('results.epd', ''.join(RESULTS))
write('unseen.epd', ''.join(lines_of('results-held-out.epd.zst', 200)))


def test_fits():
    r = fit('fits moves', 'moves.epd', '--steps', 20, out='soft.yaml', says=(
        '120 positions from', 'moves.epd, SHA-256 ' + hashlib.sha256(MOVES.encode()).hexdigest(),
        'nats a move, 95 % interval in parentheses:'))
    check('the moves', re.search(r'(?m)^  train  *[0-9]* of 120 ', r.stdout), r)
    check('with its origin', re.match('# Fitted by grayling .*: softmax, 20 steps from initial values', read('soft.yaml')))
    texel = ('results.epd', '--method', 'texel')
    r = fit('fits results', *texel, '--steps', 20, *HELD_OUT, '--threads', 1, out='texel.yaml')
    check('K, the loss of what was not seen, and moves where there are no results', all(re.search(line, r.stdout, re.M) for line in (
        r'^K [0-9.]* centipawns', r'^  unseen.epd  *0\.[0-9]*  \(0\.', r'^  moves.epd  *[0-9]* of 120 ')), r)
    fit('three threads', *texel, '--steps', 20, *HELD_OUT, '--threads', 3, out='three.yaml')
    check('the same to the byte', read('texel.yaml') == read('three.yaml'))
    fit('cross-entropy', 'results.epd', '--method', 'texel-entropy', '--steps', 5, says='nats a result')
    r = fit('random values', *texel, '--from', 'random', '--seed', 7, '--steps', 5, '-o', '-')
    write('random.yaml', r.stdout)
    check('on standard output, nothing else', run('export', 'random.yaml', '--format', 'csv').returncode == 0, r)
    k = re.search(r'# (K [0-9.]* centipawns)\.', read('texel.yaml')).group(1)
    fit('goes on from a file, where it was', *texel, '--from', 'texel.yaml', '--steps', 0, says=k)
    write('scored.epd', ''.join(f'{line.rstrip()} ce {n * 37 % 201 - 100};\n' for n, line in enumerate(RESULTS)))
    fit('scores beside results', 'scored.epd', *texel[1:], '--scores', 80, '--steps', 20, out='scored.yaml', says='80 % of the score')
    check('give other values', values('scored.yaml') != values('texel.yaml'))
    fit('a scale that is given', *texel, '--scale', 333, '--steps', 2, says='K 333.0 centipawns, as given')
    fit('batches', 'moves.epd', '--from', 'soft.yaml', '--steps', 5, '--batch', 50, '--seed', 3,
        says='5 steps of 50 positions from soft.yaml values, seed 3')
    fit('moves missed, from a fit', 'moves.epd', '--method', 'softmax-misses', '--from', 'soft.yaml', '--scale', 10, '--steps', 5,
        says='\nmisses a move')
    r = fit('a prior, and likely moves only', 'moves.epd', '--from', 'soft.yaml', '--steps', 5, '--prior', 50, '--likely', 100,
            out='likely.yaml')
    scored = run('score', 'likely.yaml', 'moves.epd').stdout.splitlines()[-1].split()[1]
    check('matches are counted among all moves', re.search(r'(?m)^  train  *%s of 120' % scored, r.stdout), r)
    check('the loss and the progress say likely ones', re.search(r'(?m)^  train \(likely moves\)  *[0-9.]*  \(', r.stdout) and
          re.search('position .* of 240:  likely moves, in two rounds', r.stderr), r)


def test_read_once():
    """Positions that can be read once."""
    r = fit('positions from standard input', '-', '--steps', 20, out='piped.yaml', input=MOVES)
    checksum = re.search(r'(?m)^  -, SHA-256 of the positions ([0-9a-f]{64})$', r.stdout)
    check('with the checksum of the positions, the same values as from the file', checksum and values('piped.yaml') == values('soft.yaml'), r)
    os.mkfifo('pipe.epd')
    threading.Thread(target=write, args=('pipe.epd', MOVES), daemon=True).start()
    fit('from a pipe', 'pipe.epd', '--steps', 20, '-o', 'named.yaml')
    check('the same', values('named.yaml') == values('piped.yaml') and checksum and checksum.group(1) in read('named.yaml'))
    lines = MOVES.splitlines(True)
    lines[1] = re.sub('bm [^;]*;', '', lines[1])
    tap.refuses('a held-out pipe with some moves', '-: 119 of 120 positions have a best move; expected all, or none',
                'regress', 'moves.epd', '--steps', 1, '--held-out', '-', input=''.join(lines))


def test_pruning():
    r = fit('prunes', 'moves.epd', '--steps', 20, '--prune', '20,8', '-o', 'left-%d.yaml')
    check('tells how many weights are left', re.search('(?m)^[5-8] weights\\.', r.stdout), r)
    for keep in 20, 8:
        check('writes a file with %d' % keep, len(re.findall('(?m)^  [A-Z].*: *[1-9]', read('left-%d.yaml' % keep))) <= keep + 1)
    fit('a table of what weights are worth', 'moves.epd', '--from', 'soft.yaml', '--steps', 0, '--saliency', 'worth.csv')
    worth = {words[0]: words[2] for words in (line.split(',') for line in read('worth.csv').splitlines())}
    check('the pieces matter', float(worth['QUEEN_VALUE']) > max(0, 10 * float(worth['ROOK_CONNECTED'])), worth)


def test_not_measured():
    """An evaluation that ends when the fit is measured."""
    text = read(tap.source + '/examples/trace/psqt.py')
    write('dies.py', re.sub('(?m)^    for line in sys.stdin:', "\\g<0>\n        if 'QQQQ' in line:\n            sys.exit(1)", text))
    write('few.epd', ''.join(MOVES.splitlines(True)[:30]))
    write('queens.epd', '4k3/8/8/8/8/8/QQQQ4/4K3 w - - bm Qb8;\n')
    run('trace', '--check', sys.executable + ' dies.py', 'few.epd', '-o', 'dies.yaml')
    r = run('regress', 'few.epd', '--space', 'dies.yaml', '--steps', 2, '--held-out', 'queens.epd', '-o', 'kept.yaml')
    check('what cannot be measured is said, and what was fitted is kept', r.returncode == 1 and 'queens.epd: ' in r.stderr and
          '\n# not measured: queens.epd: ' in read('kept.yaml') and run('export', 'kept.yaml', '--format', 'csv').returncode == 0, r)


def test_refusals():
    write('still.epd', re.sub('bm [^;]*;', '', ''.join(RESULTS)))
    write('drawn.epd', ''.join(line for line in RESULTS if 'c9 "1/2' in line))
    write('empty.epd', '')
    write('tight.yaml', re.sub('((KNIGHT_VALUE|ROOK_CONNECTED):.*)min: 0', r'\1min: 5', read(tap.params('eval-space.yaml'))))
    moves, texel = ('moves.epd',), ('results.epd', '--method', 'texel')
    for what, words, arguments in (
            ('an output that exists', 'soft.yaml exists; choose another name or give --force', (*moves, '-o', 'soft.yaml')),
            ('positions without results', 'moves.epd:1: no result; expected c9', (*moves, *texel[1:])),
            ('positions without moves', 'still.epd:1: no best move', ('still.epd',)),
            ('nothing to measure', 'still.epd: nothing to measure', (*moves, '--held-out', 'still.epd')),
            ('an empty file', 'empty.epd: no positions', ('empty.epd',)),
            ('a file that is missing', 'none.epd: ', ('none.epd',)),
            ('a start that is none', 'none.yaml', (*moves, '--from', 'none.yaml')),
            ('a method that is none', '--method takes softmax, softmax-misses, texel or', (*moves, '--method', 'svm')),
            ('a scale that is none', '--scale takes a number from 1 to 100000', (*moves, '--scale', 0)),
            ('numbers that rise', '--prune takes up to 16 falling numbers', (*moves, '--prune', '8,20')),
            ('fewer weights than must stay', '--prune: cannot prune to 1: 2 weights must stay',
             (*moves, '--space', 'tight.yaml', '--prune', '20,1')),
            ('one name for two results', '-o takes a name with %d', (*moves, '--prune', '20,8', '-o', 'one.yaml')),
            ('one file for the table and the values', 'must be two files',
             (*moves, '--steps', 0, '--saliency', './twice.yaml', '-o', 'twice.yaml')),
            ('a table that is one of what is pruned', 'must be two files',
             (*moves, '--steps', 0, '--prune', '20,8', '--saliency', 'left-8.yaml', '-o', 'left-%d.yaml')),
            ('moves missed without a temperature', 'softmax-misses needs --scale', (*moves, '--method', 'softmax-misses')),
            ('pruning by moves missed', 'need a likelihood', (*moves, '--method', 'softmax-misses', '--scale', 10, '--prune', 20)),
            ('pruning by squared errors', 'need a likelihood', (*texel, '--prune', 20)),
            ('likely results', '--likely is for methods that compare moves', (*texel, '--likely', 100)),
            ('scores of moves', '--scores is for methods of results', (*moves, '--scores', 50)),
            ('scores that are missing', 'position 1 has no score (ce)', (*texel, '--scores', 50)),
            ('a folder that is missing', 'cannot write none/p.yaml', (*moves, '--steps', 1, '-o', 'none/p.yaml'))):
        tap.refuses('refuses ' + what, words, 'regress', *arguments)
    refuses('draws alone', 'results are draws; wins and losses are required', 'regress', 'drawn.epd', *texel[1:])


def test_interruption():
    with open('err', 'w') as err:
        child = tap.start('regress', 'results.epd', '--method', 'texel', '--steps', 1000000, '-o', 'never.yaml', stderr=err)
    tap.wait_for(lambda: 'step 1 of' in read('err'))
    child.send_signal(signal.SIGTERM)
    check('an interruption says that nothing is written', child.wait(60) == 130 and not os.path.exists('never.yaml') and
          'grayling: interrupted; nothing is written' in read('err'), read('err'))


tap.main()
