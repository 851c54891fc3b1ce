"""The command line as its users meet it: exit codes, one line for what is wrong, nothing overwritten."""
import os
import re
import shutil

import tap
from tap import call, check, content, grayling, read, refuses, run, write

PAPER = tap.params('paper-eval.yaml')
COMMANDS = [name for names in re.findall(r'^  ([a-z][a-z, ]*)  ', tap.run('--help').stdout.replace(',', ''), re.M) for name in names.split()]
START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
TWO = ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "open";\n'
       '4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id "take the queen";\n')
SMALL = 'name: small\ndata: {train: [train.epd], held_out: [two.epd]}\nga: {population: 4, generations: 2}\n'


def refused(line, *words):
    """Bad input: exit code 2 and exactly this line on standard error, or one that begins so if this ends in "…"."""
    r = run(*words)
    said = r.stderr[:len(line) - 1] + '…' if line[-1] == '…' else r.stderr[:-1]
    check('refuses: ' + ' '.join(words), r.returncode == 2 and not r.stdout and said == line and r.stderr.count('\n') == 1, r)


def usage(command, what, *words):
    """Bad usage, with where to read of it."""
    see = ' See' if what.endswith('?') else '; see'
    refused("grayling %s: %s%s 'grayling %s --help'" % (command, what, see, command), command, *words)


def says(what, text, *words, code=0, **options):
    """Standard output matches this in some line."""
    r = run(*words, **options)
    check(what, r.returncode == code and re.search('(?m)^' + text, r.stdout), r)
    return r


def wrote(what, line, *words):
    """What is written is said in the last line of standard error."""
    r = run(*words)
    check(what, r.returncode == 0 and r.stderr.splitlines()[-1:] == [line], r)


def on_a_screen(text):
    return text.count('\n') <= 24 and max(map(len, text.splitlines())) <= 80


def test_help():
    whole = says('grayling --help', 'usage: grayling COMMAND', '--help').stdout
    says('grayling --version', r'grayling [0-9.]*$', '--version')
    r = run()
    check('grayling without a command shows its help and fails', r.returncode == 2 and r.stderr.startswith('usage:'), r)
    unknown = "grayling: no command 'evovle'; did you mean evolve? 'grayling help' lists them"
    refused(unknown, 'evovle')
    refused(unknown, 'help', 'evovle')
    refused("grayling: no command 'nonsense'; 'grayling help' lists them", 'nonsense')
    check('grayling help is grayling --help', run('help').stdout == whole)
    check('it has four groups on one screen', on_a_screen(whole) and len(re.findall(r'(?m)^[A-Z][a-z ]*:$', whole)) == 4, whole)
    r = run('help', 'keys')
    check('help keys explains the keys of a recipe', r.stdout.count('\n  ga.population: ') == 1 and not r.stderr, r)
    r = says('help night explains those of a night', '  players  ', 'help', 'night')
    check('on one screen', on_a_screen(r.stdout), r)
    for command in COMMANDS:
        r = run(command, '--help')
        check('%s --help, with an example, on a screen' % command, r.returncode == 0 and not r.stderr and on_a_screen(r.stdout) and
              r.stdout.startswith('usage: grayling ' + command) and '\n  grayling %s' % command in r.stdout, r)
        check('help %s is %s --help' % (command, command), run('help', command).stdout == r.stdout)
        usage(command, 'no option -x', '-xy')
        r = run(command, '--nonsense')
        check('%s --nonsense' % command, r.returncode == 2 and r.stderr.count('\n') == 1 and
              re.match("grayling %s: .*--nonsense.*; see 'grayling %s --help'$" % (command, command), r.stderr), r)
        check('the manual page names ' + command, re.search(r'(?m)^\.B(I "| )' + command, read(tap.source + '/docs/grayling.1')))
    known = {line.split('\t')[0] for command in COMMANDS for line in run('complete', command, '--').stdout.splitlines()}
    named = set(re.findall('--[a-z][a-z-]*', read(tap.source + '/docs/grayling.1').replace('\\-', '-'))) - {'--version'}
    check('the manual page names no option that there is not', named <= known, named - known)


def test_options():
    usage('evolve', 'no option -x', '--force', '-xy')
    usage('evolve', 'no option -x', '--page=a=b.html', '-x')
    usage('evolve', 'no option --ouput=x.db; did you mean --output?', 'quick', '--ouput=x.db')
    usage('match', 'no option --gams; did you mean --games?', 'default', 'default', '--gams', '2')
    usage('evolve', '--force takes no value', '--force=x')
    usage('export', '--format is missing', PAPER)
    usage('export', "--format takes yaml, json, c, c-struct, cpp, csv, uci, openbench, fishtest, weather-factory, ctt, optuna, or "
          "evidence, not 'xml'", PAPER, '--format', 'xml')
    usage('export', 'expected one run or parameter file, not 0', '--format', 'c')
    usage('export', '--format needs a value', '--format')
    usage('score', "--leaf takes quiescence or static, not 'deep'", PAPER, 'two.epd', '--leaf', 'deep')
    usage('score', "--threads takes a whole number from 1 to 1024, not '0'", PAPER, 'two.epd', '--threads', '0')
    usage('score', 'no files are given')
    usage('match', "--sprt takes two differences in Elo from -1000 to 1000, the smaller first, as in 0,5, not '-1500,-500'",
          PAPER, PAPER, '--sprt', '-1500,-500')


def test_export():
    r = says('export as UCI: 34 values, and no pawn', 'setoption name KNIGHT_VALUE value 521$', 'export', PAPER, '--format', 'uci')
    check('a line each', r.stdout.count('\n') == 34, r)
    wrote('export as CSV into a file, and says so', 'parameters  paper.csv', 'export', PAPER, '--format', 'csv', '-o', 'paper.csv')
    before = read('paper.csv')
    check('a line each, and a head', before.count('\n') == 36, before)
    run('export', PAPER, '--format', 'yaml', '-o', 'again.yaml')
    refused('grayling: paper.csv exists; choose another name or give --force', 'export', PAPER, '--format', 'csv', '-o', 'paper.csv')
    check('what exists stays as it was', read('paper.csv') == before)
    run('export', PAPER, '--format', 'json', '-o', 'paper.csv', '--force')
    check('export --force', read('paper.csv').startswith('{'))
    refused('grayling: none.yaml: cannot open: No such file or directory', 'export', 'none.yaml', '--format', 'c')
    write('wrong.yaml', read(PAPER).replace('521', '5210'))
    refused("grayling: wrong.yaml:8:3: parameters.KNIGHT_VALUE: '5210' is wrong; expected a whole number from 0 to 2047",
            'export', 'wrong.yaml', '--format', 'c')


def loses_output(*words):
    """Standard output that cannot be written: exit code 1, and the last line on standard error tells."""
    for reason, redirected in (('No space left on device', '>/dev/full'), ('Bad file descriptor', '>&-')):
        r = call('sh', '-c', '"$0" "$@" ' + redirected, grayling, *words)
        check('%s %s' % (' '.join(words), redirected), r.returncode == 1 and
              r.stderr.splitlines()[-1:] == ['grayling: cannot write standard output: ' + reason], r)


def test_lost_output():
    for words in [(command, '--help') for command in COMMANDS] + [
            ('--help',), ('--version',), ('perft', '3'), ('perft', '3', '--divide'), ('export', PAPER, '--format', 'c'), ('reproduce',)]:
        loses_output(*words)
    r = call('sh', '-c', '"$0" perft x >/dev/full', grayling)
    check('bad usage keeps its exit code', r.returncode == 2, r)
    r = call('sh', '-c', '{ sleep 0.2; "$0" --help; echo $? >code; } | true', grayling)
    check('a reader that goes away ends it by SIGPIPE, without a word', read('code') == '141\n' and not r.stderr, r)


def test_score():
    write('two.epd', TWO)
    r = says('score of two files side by side', r'again.yaml +[12] +[0-9.]+ % +[0-9.]+ to +[0-9.]+ %',
             'score', PAPER, 'again.yaml', 'two.epd', '--threads', '2')
    check('in a table', r.stdout.startswith('2 positions, leaf quiescence\n') and r.stdout.count('\n') == 4, r)
    says('score of positions on standard input', '2 positions, leaf static$', 'score', PAPER, '-', '--leaf', 'static', input=TWO)
    write('one.epd', TWO.splitlines(True)[0])
    says('the score of one position', '1 position, leaf quiescence$', 'score', PAPER, 'one.epd')
    write('bare.epd', '4k3/8/8/8/8/8/8/4K3 w - - id "bare";\n')
    write('illegal.epd', '4k3/8/8/8/8/8/8/4K3 w - - bm Ke3;\n')
    refused('grayling: bare.epd:1: no best move in bare; expected bm MOVE;', 'score', PAPER, 'bare.epd')
    refused('grayling: illegal.epd:1:…', 'score', PAPER, 'illegal.epd')
    refused('grayling: no positions among the files', 'score', PAPER)
    refused('grayling: no parameter file or run among the files', 'score', 'two.epd')
    refused("grayling: no player is named 'defualt'; did you mean default?", 'match', 'defualt', 'default')
    refused('grayling: none.epd: cannot open: No such file or directory', 'score', PAPER, 'none.epd')


def test_run():
    """A run as a source of parameters, and what is said of what is written."""
    tap.head('train-1.epd', 50)
    os.rename('train-1.epd', 'train.epd')
    write('small.yaml', SMALL)
    r = run('evolve', 'small.yaml', '-o', 'run.db', '--threads', '2')
    check('evolve a small recipe', r.returncode == 0 and read('run.yaml'), r)
    exported = run('export', 'run.db', '--format', 'yaml').stdout
    check('export from a run', exported == read('run.yaml') and
          re.match('# Evolved by grayling .* from the recipe small, seed 1', exported), exported)
    write('exported.yaml', exported)
    r = run('score', 'run.db', 'exported.yaml', 'train.epd')
    found = [re.sub(r'^\S+ +', '', line) for line in r.stdout.splitlines()[2:4]]
    check('a run scores what it says, and so do its exported values', found[0] == found[1] and
          re.search('(?m)^#   train  *%s of 50 ' % found[0].split()[0], exported), r)
    for line, *words in (('plot        again.svg', 'plot', 'run.db', '-o', 'again.svg'),
                         ('report      run.html', 'report', 'run.db'),
                         ('evidence    run-evidence.yaml', 'export', 'run.db', '--format', 'evidence', '-o', 'run-evidence.yaml'),
                         ('run         again.db', 'verify', '--expect', 'run-evidence.yaml', '-o', 'again.db'),
                         ('searches    solved.csv', 'solve', 'two.epd', '--nodes', '100', '--format', 'csv', '-o', 'solved.csv'),
                         ('games       games.pgn', 'match', PAPER, 'again.yaml', '--games', '2', '--nodes', '20', '-o', 'games.pgn')):
        wrote('%s says what it wrote' % words[0], line, *words)
    r = run('report', 'run.db', '-o', '-')
    check('and nothing of standard output', r.returncode == 0 and not r.stderr, r)
    for words in (('status', 'run.db'), ('score', 'run.db', 'train.epd'), ('verify', 'run.db')):
        loses_output(*words)
    with open('damaged.db', 'wb') as f:
        f.write(content('run.db')[:3000])
    refused('grayling: damaged.db is damaged…', 'export', 'damaged.db', '--format', 'c')
    refused('grayling: none.yaml: cannot open: No such file or directory', 'evolve', 'none.yaml', '-o', 'x.db')
    refused('grayling: --set ga.populaton: unknown key; did you mean ga.population?', 'evolve', 'small.yaml', '-o', 'x.db',
            '--set', 'ga.populaton=5')
    write('absent.yaml', SMALL.replace('train.epd', 'absent.epd'))
    refused("grayling: absent.yaml:2:16: data.train: cannot open 'absent.epd': No such file…", 'evolve', 'absent.yaml', '-o', 'x.db')
    check('what is refused leaves no file', not os.path.exists('x.db'))


def test_nouns():
    r = says('a run of generation 0 alone', 'search   4 organisms x 0 generations x 50 positions, 2 held out$',
             'evolve', 'small.yaml', '-o', 'alone.db', '--set', 'ga.generations=0', '--threads', '1')
    check('in its last lines', re.search(r'(?m)^complete after generation 0, .*, 4 genomes measured$', r.stdout) and
          ' 1 thread\n' in r.stdout and 'generation 0:  best' in r.stderr, r)
    says('its status', 'generation   0$', 'status', 'alone.db')
    r = says('its replay', '  1 generation: all 4 organisms', 'verify', 'alone.db')
    check('told on the way', 'generation 0:  as stored' in r.stderr, r)
    says('a run of one generation more', 'search   4 organisms x 1 generation x 50 positions, 2 held out$',
         'evolve', 'small.yaml', '-o', 'one.db', '--set', 'ga.generations=1')


def test_other_kinds():
    os.mkdir('folder')
    write('empty.db', '')
    call('gzip', '-k', 'games.pgn')
    for line, *words in (
            ('run.db: a run, not a recipe; continue it with: %s resume run.db' % grayling, 'evolve', 'run.db'),
            ("no recipe is named 'folder', and it is a folder; there are …", 'evolve', 'folder'),
            ('games.pgn: games (PGN), not a recipe or parameter file (YAML)', 'evolve', 'games.pgn'),
            ('empty.db is not a Grayling run: it is empty', 'resume', 'empty.db'),
            ('folder is not a Grayling run: it is a folder', 'status', 'folder'),
            ('two.epd: positions (EPD), not a run (SQLite)', 'status', 'two.epd'),
            ('games.pgn.gz: games (PGN), not positions (EPD)', 'score', 'games.pgn.gz', PAPER),
            ('games.pgn: games (PGN), not a run…', 'score', 'games.pgn', PAPER),
            ('run.db: a run (SQLite), not positions (EPD)', 'solve', 'run.db'),
            ('run.html: a web page, not games (PGN)', 'sample', 'run.html'),
            ('%s: a program, not positions (EPD)' % grayling, 'perft', '--suite', grayling),
            ('small.yaml: a recipe or parameter file (YAML), not games (PGN)', 'ratings', 'small.yaml')):
        refused('grayling: ' + line, *words)


def test_copied_runs():
    os.makedirs('other/place')
    os.makedirs('tree/data')
    shutil.copy('run.db', 'other/place')
    tap.works('a copied run finds its data where it was', 'verify', 'other/place/run.db')
    write('tree/ours.yaml', 'name: ours\ndata: {train: [data/train-1.epd], first: 20}\nga: {population: 4, generations: 1}\n')
    shutil.copy(tap.source + '/data/train-1.epd', 'tree/data')
    run('evolve', 'tree/ours.yaml', '-o', 'tree/a.db')
    tap.head('train-1.epd', 30)
    os.replace('train-1.epd', 'tree/data/train-1.epd')
    run('evolve', 'tree/ours.yaml', '-o', 'tree/b.db')
    for name in 'a.db', 'b.db':
        shutil.copy('tree/' + name, 'other/place')
    shutil.rmtree('tree/data')
    tap.works('and what comes with the program by its checksum', 'verify', 'other/place/a.db')
    tap.works('for resume too', 'resume', 'other/place/a.db', '--generations', '2')
    refused("grayling: other/place/b.db: cannot reload the run's data (train): there is no %s/other/place/data/train-1.epd, no "
            'data/train-1.epd as seen from %s/tree, and none of this name and checksum comes with the program' % (tap.work, tap.work),
            'verify', 'other/place/b.db')


def test_perft():
    says('perft of the initial position', '197281 leaves in ', 'perft', '4')
    says('perft of a FEN', '97862 leaves in ', 'perft', 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -', '3')
    check('perft --divide', says('perft by move', 'e2e4 20$', 'perft', '2', '--divide').stdout.count('\n') == 21)
    write('right.epd', '# known\n\n%s ;D1 20 ;D2 400 ;D3 8902\r\n' % START)
    says('perft --suite', '1 position, 3 counts, 0 differences; 9322 leaves', 'perft', '--suite', 'right.epd')
    says('perft --suite --depth', '.* 2 counts, 0 differences', 'perft', '--suite', 'right.epd', '--depth', '2')
    write('different.epd', START + ' ;D1 20;D2 401\n')
    says('perft names a difference', 'different.epd:1: depth 2: 400 leaves, not 401$', 'perft', '--suite', 'different.epd', code=1)
    for counts in ';D1', ';D1 x', ';E1 20', ';D1 20 ;D99 5', 'bm e4;', ';D1 -5':
        write('wrong.epd', '%s %s\n' % (START, counts))
        refused('grayling: wrong.epd:1: the counts are wrong; expected ;D1 20 ;D2 400 ...', 'perft', '--suite', 'wrong.epd')
    write('none.epd', '')
    write('deep.epd', START + ' ;D3 8902\n')
    refused("grayling: none.epd: no count up to depth 20; expected lines 'FEN ;D1 20 ;D2 400 ...'", 'perft', '--suite', 'none.epd')
    refused("grayling: deep.epd: no count up to depth 2; expected lines 'FEN ;D1 20 ;D2 400 ...'",
            'perft', '--suite', 'deep.epd', '--depth', '2')
    refused('grayling: the position: FEN column …', 'perft', '8/8/8 w - -', '3')
    usage('perft', 'expected [FEN] DEPTH; a FEN goes in quotes')
    usage('perft', "DEPTH takes a whole number from 1 to 20, not '0'", '0')
    usage('perft', "--suite takes no position, but '5' is given", '--suite', 'right.epd', '5')
    refuses('perft of a position takes no --depth', '--depth is for a suite', 'perft', '3', '--depth', '1')


tap.main()
