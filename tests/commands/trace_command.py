"""`grayling trace`: our evaluation as a server of the trace protocol, the examples for authors, and the
check that they run first."""
import os
import re
import shutil
import subprocess
import sys
import time

import tap
from tap import check, grayling, run, source, work, write

examples = os.path.join(source, 'examples/trace')
villain = tap.own_copy(os.path.join(source, 'tests/helpers/trace_villain.py'))


def trace(*arguments, text=None):
    return subprocess.run([grayling, 'trace', *arguments], input=text, capture_output=True, text=True,
                          timeout=120)


def positions(count):
    """The first positions that come with the program, as FENs."""
    with open(os.path.join(source, 'data/held-out.epd')) as f:
        return [' '.join(next(f).split()[:4]) + ' 0 1' for _ in range(count)]


def write_positions(name, count):
    write(name, ''.join(fen + '\n' for fen in positions(count)))


def conversation(count):
    return 'trace 1\n' + ''.join('fen %s\n' % fen for fen in positions(count)) + 'quit\n'


def report(name, done):
    """What the check says under a name."""
    found = re.search('^%s +(.*)$' % name, done.stdout, re.M)
    return found.group(1) if found else ''


def check_refused(what, done, *words):
    check(what, done.returncode == 2 and all(w in done.stderr for w in words) and not done.stdout
          and done.stderr.count('\n') == 1, done.stdout + done.stderr)


def test_server():
    own = trace(text=conversation(3)).stdout.splitlines()
    names = [l.split()[1] for l in own if l.startswith('weight ')]
    check('it names its weights, the scale and its answers',
          len(names) == 35 and own[35:37] == ['scale 1', 'traceok'] and len(own) == 40 and
          all(re.fullmatch(r'-?\d+ bias 0( \d+:-?\d+)+', l) for l in own[37:]), own)
    paper = trace('--params', 'paper-eval', text='trace 1\n').stdout
    check('--params gives the values', 'weight KNIGHT_VALUE 521 0 2047\n' in paper, paper)
    check_refused('--params of a search is refused', trace('--params', 'default-search', text=''),
                  'default-search')
    said = trace(text='uci\n\nfenfen\ntrace 2\nfen 8/8/8/8/8/8/8/8 w - - 0 1\nfen k7/8/8/8/8/8/8/K7 w - - 0 1\r\nfen x')
    check('it passes over unknown words, and goes on after a bad position', said.stdout.splitlines() == [
        "error this is version 1 of the trace protocol, not '2'",
        'error FEN column 1, pieces: White has 0 kings, expected one', '0 bias 0',
        "error FEN column 1, pieces: 'x' in rank 8, expected one of PNBRQKpnbrqk or 1 to 8"], said)
    check('nothing is answered after quit', trace(text='quit\ntrace 1\n').stdout == '')
    with open('/dev/full', 'w') as full:
        said = subprocess.run([grayling, 'trace'], input='trace 1\n', stdout=full, stderr=subprocess.PIPE, text=True)
    check('a full output is told', said.returncode == 1 and 'cannot write standard output' in said.stderr, said)
    for arguments, words in ((['held-out'], "'held-out'; positions go with --check"),
                             (['--list'], '--list goes with --check'),
                             (['-o', 'x'], '--output goes with --check'),
                             (['--check', 'x', '--params', 'paper-eval'], '--params does not go'),
                             (['--check', 'x', '--patience', '0'], 'from 1 to 3600')):
        check_refused('grayling trace ' + ' '.join(arguments), trace(*arguments), words)


def test_own_check():
    done = trace('--check', grayling + ' trace', '--list')
    check('the check has nothing to say against our own evaluation',
          done.returncode == 0 and 'linear' in report('positions', done) and
          report('weights', done).startswith('35, 35 of them') and not done.stderr,
          done.stdout + done.stderr)
    rows = [l for l in done.stdout.splitlines() if l.endswith('%')]
    check('--list shows each weight', len(rows) == 35 and rows[0].split()[0] == 'PAWN_VALUE', rows)
    check('lines fit in 80 columns', max(map(len, done.stdout.splitlines())) <= 80, done.stdout)


    done = trace('--check', grayling + ' trace --params games-eval')
    check('nor against the modern one', done.returncode == 0 and 'linear' in report('positions', done), done)


def test_nothing_to_ask():
    """Stalemate, bare kings and mate have no evaluation: a check with these alone has checked nothing."""
    write('ends.epd', '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n7k/8/6K1/8/8/8/8/8 b - - 0 1\n'
              '6Qk/6Q1/6K1/8/8/8/8/8 b - - 0 1\n')
    done = trace('--check', grayling + ' trace', '--list', '-o', 'ends.yaml', 'ends.epd')
    check_refused('positions without an evaluation check nothing', done, 'ends.epd: all positions are mate',
                  'nothing was asked')
    check('and no space is written', not os.path.exists('ends.yaml'))
    done = trace('--check', grayling + ' trace', 'ends.epd', 'few.epd')
    check('beside others they are passed over', done.returncode == 0 and 'linear' in report('positions', done),
          done.stdout + done.stderr)


def example_commands():
    """The examples, by language; the one in C is compiled with the command in its head."""
    found = {'Python': '%s %s/psqt.py' % (sys.executable, examples)}
    if shutil.which('cc'):
        shutil.copy(os.path.join(examples, 'psqt.c'), work)
        with open('psqt.c') as f:
            command = re.search(r'^ \*     (cc .*)$', f.read(), re.M).group(1)
        done = tap.call(*command.split(), '-std=c17', '-Wall', '-Wextra', '-Werror')
        check('the example in C compiles', done.returncode == 0, done.stderr)
        found['C'] = os.path.join(work, 'psqt')
    return found


def test_example_answers():
    commands, text, said = example_commands(), conversation(500), {}
    for language, command in sorted(commands.items()):
        done = trace('--check', command, 'few.epd')
        check(f'the example in {language} passes the check',
              done.returncode == 0 and report('scale', done) == '24' and
              report('weights', done).startswith('395, '), done.stdout + done.stderr)
        check('with other values too', report('values', done).startswith('others were set'), done.stdout)
        check('weights that count nowhere are named', report('never', done).startswith('PAWN_A1_MG'))
        said[language] = subprocess.run(command.split(), input=text, capture_output=True,
                                        text=True).stdout
    check('the examples give the same answers', len(set(said.values())) == 1 and
          said['Python'].count('\n') == 395 + 3 + 500)
    for name in 'psqt.c', 'psqt.py':
        with open(os.path.join(examples, name)) as f:
            check(f'{name} has fewer than 150 lines', len(f.readlines()) < 150)


def test_example_recipe():
    """It names the space that is to be written first, and never evolves our own evaluation instead."""
    shutil.copy(os.path.join(examples, 'psqt-moves.yaml'), work)
    done = run('evolve', 'psqt-moves.yaml', '-o', 'psqt.db')
    check_refused('the recipe of the example needs its space', done, 'psqt-moves.yaml:',
                  "space: cannot open 'psqt-space.yaml'")


def test_villains():
    def refused(fault, *words, number=500, files=('few.epd',)):
        command = '%s %s %s %d' % (sys.executable, villain, fault, number)
        began = time.time()
        done = trace('--check', command, *files, '--patience', '1')
        check_refused(f'{fault}: {words[0]}', done, command + ': ', *words)
        check(f'{fault}: told at once', time.time() - began < 30)

    command = '%s %s none' % (sys.executable, villain)
    done = trace('--check', command, 'few.epd')
    check('a villain that does nothing wrong passes', done.returncode == 0, done.stderr)
    done = trace('--check', '%s %s settable' % (sys.executable, villain), 'few.epd')
    check('so does one whose values are set', done.returncode == 0 and
          report('values', done).startswith('others were set'), done.stdout + done.stderr)
    refused('ignores-set', 'with all weights at their least value: ', 'not linear in its weights: its score is',
            number=100000)
    refused('threshold', 'with all weights at their least value: ', ': other counts; counts must not depend on weights',
            number=100000)
    refused('process', ': other counts when it is started again', ' b KQkq - 0 1: ', number=100000)
    refused('silent', "no 'traceok' after 'trace 1' within 1 s")
    refused('not-linear', 'not linear in its weights: its score is', 'times its weights give')
    refused('answers-twice', '')
    refused('remembers', 'other counts when it is asked again')
    first = '%s %s not-linear 0' % (sys.executable, villain)
    done = trace('--check', first, 'few.epd')
    check_refused('the first position that is not linear is named', done, positions(1)[0])
    began = time.time()
    done = trace('--check', '%s %s ignores-quit' % (sys.executable, villain), 'few.epd')
    check('one that does not quit is killed', done.returncode == 0 and time.time() - began < 30,
          done.stderr)
    check('no process is left', tap.no_process(villain))


write_positions('few.epd', 40)
tap.main()
