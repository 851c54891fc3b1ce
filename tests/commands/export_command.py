"""`grayling export` as a user meets it: formats for tuners and compilers, out and in again."""
import json
import os
import re
import shutil
import statistics
import subprocess

import tap
from tap import check, query, refuses, run, source, start, works, write

MIDDLE = 'r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2N1PN2/PPP1BPPP/R1BQ1RK1 w kq - 0 7'

RECIPE = """name: small
data: {train: [train.epd]}
ga: {population: 6, generations: 2}
"""

# Options of an engine that is never started.
SPACE = """kind: uci
command: no-such-engine
parameters:
  Hash: {type: spin, fixed: 16}
  History Threshold: {type: spin, min: 0, max: 100, default: 70}
  Delta: {type: spin, min: 20, max: 80, default: 50, step: 5}
  OwnBook: {type: check, default: true}
  NullMove Pruning: {type: combo, choices: [Always, Fail High, Never], default: Fail High}
  Scale: {type: string, decimals: 2, min: 0.50, max: 1.50, default: 1.05}
"""


def export(name, form):
    """What is exported of a run or a file; refusals are failures of the test."""
    done = works('export of %s as %s' % (name, form), 'export', name, '--format', form)
    return done.stdout


def columns_of(chromosomes, genes):
    """The values of each gene, decoded from Gray code."""
    columns = {name: [] for name, length, least, most in genes}
    for chromosome in chromosomes:
        bits, at = int.from_bytes(chromosome, 'little'), 0
        for name, length, least, most in genes:
            number = 0
            for locus in range(at, at + length):
                number = number << 1 | (bits >> locus & 1) ^ (number & 1)
            at += length
            columns[name].append(min(least + number, most))
    return columns


def deviations(db):
    """Of each gene the standard deviation in the last generation, and the range."""
    genes = query(db, 'SELECT name, bits, min, max FROM gene ORDER BY idx')
    rows = query(db, 'SELECT chromosome FROM organism AS o JOIN genome AS g ON g.id = o.genome '
                     'WHERE generation = (SELECT max(generation) FROM organism)')
    columns = columns_of([row[0] for row in rows], genes)
    return {name: (statistics.pstdev(columns[name]), least, most)
            for name, length, least, most in genes if length > 0}


def test_run():
    with open(os.path.join(source, 'data', 'train-1.epd')) as f:
        write('train.epd', ''.join(f.readlines()[:50]))
    write('small.yaml', RECIPE)
    works('a run', 'evolve', 'small.yaml', '-o', 'run.db', '--threads', '1')
    values = json.loads(export('run.db', 'json'))['parameters']
    expected = []
    for name, (deviation, least, most) in deviations('run.db').items():
        step = max(0.5, deviation if deviation > 0 else (most - least) / 20)
        expected.append('%s, int, %d, %d, %d, %.2f, 0.002' % (name, values[name], least, most, step))
    lines = export('run.db', 'openbench').splitlines()
    check('c_end is the spread of the last generation', lines == expected and len(lines) == 34, lines)
    run('evolve', 'small.yaml', '-o', 'random.db', '--set', 'optimiser.kind=random')
    flat = [line.split(', ') for line in export('random.db', 'openbench').splitlines()]
    check('c_end of an optimiser that does not converge is a twentieth of the range',
          len(flat) == 34 and all(abs(float(f[5]) - max(0.5, (int(f[4]) - int(f[3])) / 20)) < 0.006 for f in flat), flat)


def test_round_trip():
    done = run('export', 'paper-eval', '--format', 'openbench')
    piped = run('export', '-', '--format', 'c', input=done.stdout)
    check('from standard input', piped.returncode == 0 and piped.stdout == export('paper-eval', 'c'), piped)
    write('space.yaml', SPACE)
    works('a choice is left out, and that is said', 'export', 'space.yaml', '--format', 'openbench',
          says='grayling: NullMove Pruning is left out of openbench: it takes numbers only\n')
    write('options.yaml', export('space.yaml', 'yaml'))
    refuses('values without ranges cannot be tuned', 'options.yaml: nothing to tune', 'export', 'options.yaml', '--format',
            'fishtest')


def searched(*options):
    """The nodes of a search by our engine with these options."""
    engine = start('uci', '--tune', stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    engine.stdin.write(''.join(option + '\n' for option in options) + 'position fen %s\ngo depth 7\n' % MIDDLE)
    engine.stdin.flush()
    heard = []
    for line in engine.stdout:
        heard += re.findall(r'info depth 7 .* nodes (\d+)', line)
        if line.startswith('bestmove'):
            break
    engine.communicate('quit\n')
    return heard


def expect_same_search(name):
    """The options of an export search as the parameter file does."""
    write('search.yaml', export(name, 'yaml'))
    by_file = searched('setoption name SearchFile value search.yaml')
    by_options = searched(*export(name, 'uci').splitlines())
    check('%s: its options search as its file' % name, by_file and by_file == by_options, (by_file, by_options))
    check('%s: and not as the engine begins' % name, by_file != searched(), by_file)


def test_searches():
    write('suite.epd', '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n')
    with open(os.path.join(source, 'params', 'search-nullmove-space.yaml')) as f:
        text = f.read()
    fixed = re.sub(r'CHECK_EXTENSION: .*', 'CHECK_EXTENSION: {bits: 0, min: 3, max: 3}', text)
    check('a space that fixes a gene and lacks those that were added',
          fixed != text and 'VERIFIED_STORE' not in text, text)
    write('nullmove-space.yaml', fixed)
    write('nullmove-recipe.yaml', 'name: n\nphase: search\nseed: 1\nspace: nullmove-space.yaml\ndata: {train: suite.epd}\n'
          'fitness: {limit: 500, hash: 1}\nga: {population: 4, generations: 1}\n')
    works('a run of the null-move family', 'evolve', 'nullmove-recipe.yaml', '-o', 'nullmove.db')
    check('what its space fixes is an option',
          'setoption name CHECK_EXTENSION value 3\n' in export('nullmove.db', 'uci'))
    check('the default search', searched() == searched(*export('default-search', 'uci').splitlines()))
    for name in ('paper-search', 'nullmove.db'):
        expect_same_search(name)


def compiles(compiler, form, name, main):
    """Whether an export can be built, and what the program prints."""
    if shutil.which(compiler) is None:
        return
    write('values.h', export(name, form))
    write('main.' + form, '#include "values.h"\n#include "values.h"\n' * (form == 'c-struct') +
          '#include "values.h"\n' * (form != 'c-struct') + '#include <stdio.h>\nint main(void) { %s }\n' % main)
    language = 'c++' if form == 'cpp' else 'c'
    built = subprocess.run([compiler, '-Wall', '-Wno-unused-variable', '-Wno-unused-const-variable', '-Werror',
                            '-x', language, 'main.' + form, '-o', 'program'], capture_output=True, text=True)
    check('%s of %s compiles' % (form, name), built.returncode == 0, built.stderr)
    printed = subprocess.run(['./program'], capture_output=True, text=True).stdout
    check('with the values', printed == '70 1.05 Fail High', printed)


def test_compilers():
    plain = 'printf("%d %.2f %s", History_Threshold, Scale, NullMove_Pruning);'
    compiles('cc', 'c', 'space.yaml', plain)
    compiles('c++', 'cpp', 'space.yaml', plain)
    compiles('cc', 'c-struct', 'space.yaml', 'printf("%d %.2f %s", uci_parameters.History_Threshold, '
             'uci_parameters.Scale, uci_parameters.NullMove_Pruning);')


def test_pipes():
    """What is opened more than once cannot be a pipe, and is not read by halves."""
    os.mkfifo('pipe')
    write('fixed.yaml', 'name: f\nspace: pipe\ndata: {train: [train.epd]}\nga: {population: 4, generations: 1}\n')
    for what, words in (('a parameter file', ('export', 'pipe', '--format', 'csv')),
                        ('a parameter file among others', ('score', 'pipe', 'train.epd')),
                        ('a recipe', ('evolve', 'pipe', '-o', 'never.db')),
                        ('a space', ('evolve', 'fixed.yaml', '-o', 'never.db')),
                        ('a space to fit', ('regress', 'train.epd', '--space', 'pipe', '--steps', '1')),
                        ('values to begin with', ('regress', 'train.epd', '--from', 'pipe', '--steps', '1'))):
        refuses('%s that is a pipe is refused' % what, 'pipe: cannot open: it is not a file', *words,
                absent='never.db')
    write('long.yaml', '#' * 5000 + '\n' + export('paper-eval', 'yaml'))
    with open('long.yaml') as f:
        done = run('export', '/dev/stdin', '--format', 'csv', stdin=f)
    check('a file by another name', done.stdout == export('paper-eval', 'csv'), done.stderr)
    done = run('evolve', '-', '-o', 'never.db', input='name: x\n')
    check('a recipe from standard input is refused', done.returncode == 2 and
          'a recipe is a file, not standard input' in done.stderr, done.stderr)
    with open(os.path.join(source, 'params', 'eval-space.yaml')) as f:
        done = run('regress', 'train.epd', '--space', '-', '--steps', '1', stdin=f)
    check('a space from standard input', done.returncode == 0, done.stderr)


def test_refusals():
    for name, text, words in (
            ('a name of no kind', 'NOTHING: 1\n', 'bad:1:1: NOTHING: unknown parameter; expected names of kind evaluation'),
            ('a missing value', ''.join(export('paper-eval', 'openbench').splitlines(True)[1:]),
             'bad:1:1: KNIGHT_VALUE is missing')):
        write('bad', text)
        refuses(name + ' is refused', words, 'export', 'bad', '--format', 'c')


tap.main()
