"""`grayling solve` as a user meets it: what it finds, what it leaves out, and that it can be stopped
anywhere."""
import csv
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import tap
from tap import check, interrupt, read, run, source, start, wait_for, works, write

# Mates in one and two, a mate that must not take, and two lines with nothing to solve.
SUITE = '''# a suite
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "mate in one";
7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7; id "mate in two";
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Rxa9; id "no such square";
r3k3/8/8/8/8/8/5PPP/6K1 b - - bm Ra1#; id "back\\rank, comma";
4k3/8/8/8/8/8/8/4K3 w - - dm 3;

6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id "never solved";
'''
LEFT_OUT = ['left out: small.epd:4: column 34: "Rxa9" ', 'left out: small.epd:6: neither a best move']
COLUMNS = ('position,line,id,parameters,move,score,mate,depth,nodes,seconds,first_nodes,first_depth,'
           'first_seconds,stable_nodes,stable_depth,stable_seconds').split(',')


def solve(*arguments, **options):
    return run('solve', *arguments, **options)


def rows(text):
    """The rows of a CSV as dictionaries."""
    return list(csv.DictReader(text.splitlines()))


def timeless(text):
    """The same without times."""
    return [{k: v for k, v in r.items() if not k.endswith('seconds')} for r in rows(text)]


def refuses(what, words, *arguments, code=2, one_line=True):
    r = solve(*arguments)
    check('refuses ' + what, r.returncode == code and words in r.stderr and not r.stdout and
          (not one_line or r.stderr.count('\n') == 1), r)


def parameters():
    """Parameter files: the paper's values, and everything off."""
    names = re.findall(r'^PARAM\((\w+), \d+, \d+, \d+, (\d+)',
                       read(os.path.join(source, 'src/engine/search/search_params.def')), re.M)
    for name, value in (('tuned.yaml', None), ('plain.yaml', 0)):
        write(name, 'kind: search\nparameters:\n' + ''.join(
            '  %s: %s\n' % (n, v if value is None else value) for n, v in names))


def small():
    r = solve('small.epd', '--nodes', 20000, '--format', 'csv', '--threads', 1)
    found = rows(r.stdout)
    check('solves', r.returncode == 0, r)
    check('names what it leaves out', [l[:len(w)] for l, w in zip(r.stderr.splitlines(), LEFT_OUT)]
          == LEFT_OUT, r.stderr)
    check('the columns of the CSV', list(found[0]) == COLUMNS, found[0])
    check('lines and ids', [(f['line'], f['id']) for f in found] ==
          [('2', 'mate in one'), ('3', 'mate in two'), ('5', 'back\\rank, comma'), ('8', 'never solved')],
          found)
    check('moves and mates', [(f['move'], f['mate']) for f in found] ==
          [('Ra8#', '1'), ('Kf7', '2'), ('Ra1#', '1'), ('Ra8#', '1')], found)
    # The move to avoid mates: another move may be best first, but not to the end.
    check('what was not solved is empty', found[3]['stable_nodes'] == '' and
          all(f['stable_nodes'] for f in found[:3]), found)
    check('first is not after stable', all(int(f['first_nodes']) <= int(f['stable_nodes']) <=
                                           int(f['nodes']) <= 20000 for f in found[:3]), found)
    stable = [int(f['stable_nodes'] or 20000) for f in found]
    middle = sum(sorted(stable)[1:3]) / 2
    again = solve('small.epd', '--nodes', 20000, '--format', 'csv', '--threads', 2)
    check('two threads find the same', timeless(again.stdout) == timeless(r.stdout), again.stdout)
    j = json.loads(solve('small.epd', '--nodes', 20000, '--format', 'json').stdout)
    check('JSON says what CSV says', [(s['id'], s['move'], s['nodes'],
                                       s['stable_nodes'] or '') for s in j['searches']]
          == [(f['id'], f['move'], int(f['nodes']), int(f['stable_nodes'] or 0) or '') for f in found] and
          len(j['left_out']) == j['left_out_count'] == 2 and
          j['limit']['nodes'] == 20000, j)
    totals = j['parameters'][0]['stable']
    check('the totals are those of the rows', [totals[k] for k in ('solved', 'nodes', 'mean', 'median')] ==
          [3, sum(stable), round(sum(stable) / 4, 1), round(middle, 1)], totals)
    t = solve('small.epd', '--nodes', 20000)
    check('the table', t.stdout.startswith('small.epd: 4 positions, 2 left out; 20,000 nodes each') and
          t.stdout.count('\ndefault ') == 3 and ' 75.00 %  30.06 to  95.44 %' in t.stdout, t.stdout)
    v = solve('small.epd', '--nodes', 20000, '--verbose')
    check('the table with each search', re.search(r'\nback\\rank, comma +default +Ra1# +#1 ', v.stdout) and
          v.stdout.count('\n') == t.stdout.count('\n') + 6, v.stdout)
    with open('small.epd') as suite:
        s = solve('-', '--nodes', 20000, '--format', 'csv', stdin=suite)
    check('a suite on standard input', rows(s.stdout)[0].keys() == found[0].keys() and
          timeless(s.stdout) == timeless(r.stdout), s)


def test_side_by_side():
    r = solve('small.epd', '--params', 'tuned.yaml', '--params', 'plain.yaml', '--nodes', 3000,
              '--format', 'csv')
    both = timeless(r.stdout)
    check('two sets side by side', [f['parameters'] for f in both] == ['tuned.yaml', 'plain.yaml'] * 4,
          r.stdout)
    for i, name in enumerate(('tuned.yaml', 'plain.yaml')):
        alone = timeless(solve('small.epd', '--params', name, '--nodes', 3000, '--format',
                               'csv').stdout)
        check(name + ' alone finds the same', alone == both[i::2], alone)
    alone = timeless(solve('small.epd', '--nodes', 3000, '--format', 'csv').stdout)
    named = timeless(solve('small.epd', '--nodes', 3000, '--format', 'csv',
                           '--params', os.path.join(source, 'params/default-search.yaml'),
                           '--eval', os.path.join(source, 'params/default-eval.yaml')).stdout)
    check('the default is what the engine plays with', [{**f, 'parameters': ''} for f in alone] ==
          [{**f, 'parameters': ''} for f in named], alone)
    far = os.path.join(*['a-folder-with-a-name'] * 4)
    os.makedirs(far)
    shutil.copy('tuned.yaml', far)
    t = solve('small.epd', '--params', os.path.join(far, 'tuned.yaml'), '--nodes', 3000)
    check('of a long path the end is shown', t.stdout.count('-with-a-name/tuned.yaml  ') == 3, t.stdout)
    evaluation = os.path.join(source, 'params/paper-eval.yaml')
    works('another evaluation', 'solve', 'small.epd', '--eval', evaluation, '--nodes', 3000,
          says='evaluation ' + evaluation)
    refuses('an evaluation as search parameters',
            "kind: 'evaluation' is wrong; expected search, search-modern, search-nullmove or search-all",
            'small.epd', '--params', evaluation)
    refuses('search parameters as an evaluation',
            "tuned.yaml:1:1: kind: 'search' is wrong; expected evaluation",
            'small.epd', '--eval', 'tuned.yaml')


def test_beal():
    r = solve('small.epd', '--search', 'beal2', '--nodes', 3000, '--format', 'csv')
    found = timeless(r.stdout)
    check('solves by null-move quiescence', r.returncode == 0 and [f['move'] for f in found] ==
          ['Ra8#', 'Kf7', 'Ra1#', 'Ra8#'] and all(int(f['nodes']) <= 3000 for f in found) and
          {f['parameters'] for f in found} == {'beal2'}, r.stdout)
    two = solve('small.epd', '--search', 'beal2', '--nodes', 3000, '--format', 'csv', '--threads', 2)
    check('by threads the same', timeless(two.stdout) == timeless(r.stdout), two.stdout)
    j = json.loads(solve('small.epd', '--search', 'beal1', '--depth', 2, '--format', 'json').stdout)
    check('the first order, in JSON', j['search'] == 'beal1' and j['evaluation'] == 'material' and
          j['parameters'][0]['name'] == 'beal1' and j['parameters'][0]['values'] == {} and
          all(s['depth'] <= 2 for s in j['searches']), j)
    write('only.epd', '7k/8/6K1/8/8/8/8/7R b - - bm Kg8;\n')
    only = solve('only.epd', '--search', 'beal1', '--nodes', 5000, '--format', 'csv')
    check('the only answer to a check is found', timeless(only.stdout)[0]['first_nodes'] == '1', only)
    t = solve('small.epd', '--search', 'beal2', '--eval', 'default', '--nodes', 3000)
    check('over the default evaluation', t.stdout.startswith('small.epd: 4 positions, 2 left out; '
          '3,000 nodes each, search beal2, hash 16 MiB, evaluation default\n'), t)
    works('the engine on material alone', 'solve', 'small.epd', '--search', 'engine', '--eval', 'material', '--nodes',
          3000, says='; 3,000 nodes each, hash 16 MiB, evaluation material\n')
    refuses('a search that there is not', "--search takes engine, beal1, beal2 or beal3, not 'beal'",
            'small.epd', '--search', 'beal')
    refuses('parameters that it does not read',
            '--params sets the search of the engine; --search beal2 reads none; see',
            'small.epd', '--search', 'beal2', '--params', 'tuned.yaml')


def test_output():
    r = solve('small.epd', '--nodes', 3000, '--format', 'csv', '-o', 'out.csv')
    check('a file, and the table to look at', r.returncode == 0 and r.stdout.startswith('small.epd: ')
          and len(rows(read('out.csv'))) == 4 and not os.path.exists('out.csv.journal'), r)
    refuses('to overwrite', 'out.csv exists; choose another name or give --force', 'small.epd', '-o',
            'out.csv')
    r = solve('small.epd', '--nodes', 3000, '-o', 'out.csv', '--force')
    check('overwrites by force', r.returncode == 0 and read('out.csv').startswith('small.epd: ') and
          not r.stdout, r)
    refuses('a folder that is missing', 'No such file', 'small.epd', '-o', 'none/out.csv',
            one_line=False)


def test_bad_input():
    refuses('two suites', 'expected one suite, not 2', 'small.epd', 'small.epd')
    refuses('a file that is missing', 'cannot open none.epd: No such file', 'none.epd')
    refuses('parameters that are missing', 'none.yaml: cannot open', 'small.epd', '--params', 'none.yaml')
    refuses('two limits', 'only one of --nodes, --depth and --movetime', 'small.epd', '--nodes', 5,
            '--depth', 5)
    refuses('resuming nothing', '--resume needs', 'small.epd', '--resume')
    refuses('a journal that is the output', '--journal and --output must be two files', 'small.epd',
            '-o', 'x.csv', '--journal', './x.csv')
    refuses('resuming what was not begun', 'cannot open x.csv.journal: No such file', 'small.epd',
            '--resume', '-o', 'x.csv', one_line=False)
    write('dm.epd', '4k3/8/8/8/8/8/8/4K3 w - - dm 3;\n' * 30)
    r = solve('dm.epd')
    check('a suite with nothing to solve', r.returncode == 2 and r.stderr.count('\n') == 22 and
          r.stderr.endswith('left out: 10 more\n'
                            'grayling: dm.epd: nothing to solve: 0 positions, 30 left out\n'), r)
    write('empty.epd', '')
    refuses('an empty suite', 'empty.epd: nothing to solve: 0 positions', 'empty.epd')


def test_resumed():
    """Interrupted, and the same as never stopped."""
    fens = ['r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -',
            'rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq -']
    write('long.epd', ''.join('%s am a3; hmvc %d; id "%d.%d";\n' % (f, i, n, i) for i in range(20) for n, f in enumerate(fens)))
    arguments = ['long.epd', '--params', 'tuned.yaml', '--params', 'plain.yaml', '--nodes', '20000',
                 '--format', 'csv', '--threads', '2', '-o']
    whole = works('a long solve', 'solve', *arguments, 'whole.csv')
    shown = [l for l in whole.stderr.splitlines() if l.startswith('search ')]
    check('how far it is, a line for each tenth', len(shown) == 11 and shown[-1].startswith('search 80 of 80:  solved: first '), whole)
    arguments += ['r.csv']
    child = start('solve', *arguments)
    wait_for(lambda: read('r.csv.journal').count('\n') > 15)
    said = interrupt(child)
    check('Ctrl-C', child.returncode == 130 and 'grayling: interrupted; ' in said and '--resume' in said and
          not os.path.exists('r.csv'), said)
    refuses('to begin anew over a journal', 'r.csv.journal exists: a solve was interrupted; continue with --resume', *arguments)
    kept = read('r.csv.journal')
    r = works('resumed', 'solve', *arguments, '--resume')
    check('the same', timeless(read('r.csv')) == timeless(read('whole.csv')) and not os.path.exists('r.csv.journal'), r)
    refuses('to resume over a result', 'r.csv exists', *arguments, '--resume')
    os.remove('r.csv')
    write('r.csv.journal', kept)
    with open('r.csv.journal', 'r+') as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        refuses('a journal that is being written, by --force too', 'is being written by another process', *arguments, '--force')
    r = works('--force begins anew', 'solve', *arguments, '--force', '--nodes', 500)
    check('and leaves no journal', os.path.exists('r.csv') and not os.path.exists('r.csv.journal'), r)


def test_nothing_kept():
    write('endless.epd', SUITE.splitlines()[1] +
          '\nr1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm a3;\n')
    p = start('solve', 'endless.epd', '--nodes', '1000000000000', '--threads', '1', stdout=subprocess.PIPE)
    while 'search 1 of' not in p.stderr.readline():
        pass
    time.sleep(0.1)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    check('Ctrl-C without a journal', p.returncode == 130 and not out and
          err.endswith('grayling: interrupted; nothing is kept without -o FILE or --journal FILE\n'),
          err)


def test_small_stacks():
    """Threads have the stack that a deep search needs, whatever the shell is told."""
    write('mate.epd', '5rk1/5ppp/3p4/1b1Pp1q1/R1P5/4PQ2/1r4PP/5RK1 w - - bm Qxf7+; id "mate in five";\n'
                      '1b4N1/7p/1p1pB2R/6k1/4p1p1/R1p1pbP1/5P1P/K3B1nq w - - bm Ra3a2; id "deep";\n')

    def ran(*words, **options):
        r = run(*words, '--threads', '2', **options)
        return r.returncode, re.sub(r' in [0-9.,]+ m?s of search.*', '', r.stdout)

    def small():
        resource.setrlimit(resource.RLIMIT_STACK, (128 * 1024, 128 * 1024))
    for words in (('solve', 'mate.epd'), ('match', 'default', 'plain', '--games', '2', '--nodes', '500')):
        usual = ran(*words)
        check('%s with a stack of 128 KiB' % words[0], usual[0] == 0 and ran(*words, preexec_fn=small) == usual)


def test_journal_elsewhere():
    r = solve('small.epd', '--nodes', 300, '--journal', 'elsewhere')
    check('a journal for standard output', r.returncode == 0 and not os.path.exists('elsewhere'), r)


write('small.epd', SUITE)
parameters()
small()
tap.main()
