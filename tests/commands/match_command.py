"""`grayling match` as a user meets it: who plays, what is printed and kept, and that an interruption
changes no game."""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess

import tap
from tap import check, pgn, read, run, source, start, wait_for, works, write

LONG = ('a.yaml', 'b.yaml', '--games', 30, '--nodes', 300, '--hash', 1, '--threads', 2)
FAST = ('--nodes', 300, '--hash', 1, '--threads', 2)
OPENINGS = '''rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
'''


def match(*arguments, **options):
    return run('match', *arguments, **options)


def gauntlet(*arguments):
    return run('gauntlet', *arguments)


def refuses(what, words, *arguments):
    tap.refuses('refuses ' + what, words, 'match', *arguments, '-o', 'refused.pgn', absent='refused.pgn')


def parameters():
    """Three evaluations, a search of the paper's kind and one of the modern."""
    shutil.copy(os.path.join(source, 'params/paper-eval.yaml'), 'a.yaml')
    shutil.copy(os.path.join(source, 'params/default-eval.yaml'), 'b.yaml')
    write('weak.yaml', re.sub(r'^(  (?:KNIGHT|BISHOP|ROOK|QUEEN)_VALUE: *)\d+', r'\g<1>0',
                              read('a.yaml'), flags=re.M))
    shutil.copy(os.path.join(source, 'params/default-search.yaml'), 'modern.yaml')
    names = re.findall(r'^PARAM\((\w+), \d+, \d+, \d+, (\d+)',
                       read(os.path.join(source, 'src/engine/search/search_params.def')), re.M)
    write('paper.yaml', 'kind: search\nparameters:\n' + ''.join('  %s: %s\n' % n for n in names))
    write('four.epd', OPENINGS)


def test_lines():
    r = match('a.yaml', 'weak.yaml', '--games', 8, *FAST, '--verbose', '-o', 'lines.pgn')
    out = r.stdout.splitlines()
    check('a line for each game', r.returncode == 0 and len(out) == 12 and all(
        re.fullmatch(r'Finished game %d \(%s\): (1-0|0-1|1/2-1/2) \{[^{}]+\}' % (
            i + 1, 'a vs weak' if i % 2 == 0 else 'weak vs a'), out[i]) for i in range(8)), r)
    score = re.fullmatch(r'Score of a vs weak: (\d+) - (\d+) - (\d+)  \[(\d\.\d{3})\] 8', out[8])
    wins, losses, draws = map(int, score.groups()[:3])
    check('the score', score and wins + losses + draws == 8 and wins > losses and
          float(score.group(4)) == round((wins + draws / 2) / 8 + 1e-9, 3), out[8])
    check('Elo', re.fullmatch(r'Elo: (\d+\.\d\d|inf) \+/- (\d+\.\d\d|inf), '
                              r'nElo: (\d+\.\d\d|inf) \+/- (\d+\.\d\d|inf)', out[9]), out[9])
    check('LOS', re.fullmatch(r'LOS: \d+\.\d\d %, DrawRatio: \d+\.\d\d %', out[10]), out[10])
    pairs = list(map(int, re.fullmatch(r'Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]',
                                       out[11]).groups()))
    check('pairs agree with games', sum(pairs) == 4 and
          sum(i * n for i, n in enumerate(pairs)) == 2 * wins + draws, out[11])
    check('progress goes to standard error', 'game 8 of 8' in r.stderr, r.stderr)
    check('after a game, an Elo that is not known yet', re.search('game 1 of 8: .*Elo not known yet', r.stderr) and
          'inf' not in r.stderr, r.stderr)
    told = [l.split(': ')[1].split(' {') for l in out[:8]]
    kept = pgn('lines.pgn')
    check('lines and file say the same', [t['Result'] for t, _ in kept] == [t[0] for t in told] and
          all(' '.join(m.split()).endswith('{%s %s' % (t[1], t[0])) for (_, m), t in zip(kept, told)),
          told)


def test_tags():
    r = match('a.yaml,modern.yaml', 'b.yaml,paper.yaml', '--games', 4, *FAST, '--seed', 5,
              '--openings', 'four.epd', '--date', '2026.11.21', '--max-plies', 60, '-o', 'tags.pgn')
    kept = pgn('tags.pgn')
    first, second = kept[0][0], kept[1][0]
    sums = {n: hashlib.sha256(open(n, 'rb').read()).hexdigest()
            for n in ('a.yaml', 'b.yaml', 'modern.yaml', 'paper.yaml')}
    check('players', r.returncode == 0 and first['White'] == 'a+modern' and
          first['Black'] == 'b+paper' and second['White'] == 'b+paper', kept)
    check('files and checksums', first['WhiteEvaluation'] == 'a.yaml' and
          first['WhiteEvaluationSHA256'] == sums['a.yaml'] == second['BlackEvaluationSHA256'] and
          first['WhiteSearchSHA256'] == sums['modern.yaml'] and
          first['BlackSearch'] == 'paper.yaml' and first['BlackSearchSHA256'] == sums['paper.yaml'],
          first)
    check('what games depend on', first['NodesPerMove'] == '300' and first['Hash'] == '1' and
          first['Seed'] == '5' and first['Openings'] == 'four.epd' and
          first['Adjudication'] == 'plies 60' and first['Date'] == '2026.11.21' and
          first['Engine'].startswith('grayling ') and len(first['OpeningsSHA256']) == 64, first)
    check('rounds are pairs of games', [t['Round'] for t, _ in kept] == ['1.1', '1.2', '2.1', '2.2'],
          kept)
    check('a pair has its opening', first['FEN'] == second['FEN'] != kept[2][0]['FEN'] and
          first['FEN'].rsplit(' ', 2)[0] in OPENINGS, kept)


def test_halves():
    for what, players, names in (
            ('evaluations', ('a.yaml', 'b.yaml'), ('a', 'b')),
            ('searches, of both kinds', ('modern.yaml', 'paper.yaml'), ('modern', 'paper')),
            ('plain alpha-beta', ('plain', 'paper.yaml'), ('plain', 'paper')),
            ('the engine itself', ('a.yaml,plain', 'default'), ('a+plain', 'default')),
            ('the same twice', ('default', 'default'), ('default-A', 'default-B')),
            ('a given search', ('a.yaml', 'b.yaml', '--search', 'plain'), ('a', 'b')),
            ('a given evaluation', ('plain', 'paper.yaml', '--eval', 'a.yaml'), ('plain', 'paper'))):
        r = match(*players, '--games', 2, *FAST, '--format', 'json')
        j = json.loads(r.stdout)
        check('compares ' + what, r.returncode == 0 and (j['a']['name'], j['b']['name']) == names and
              j['games'] == 2 and j['complete'], r)
    check('--eval and --search are for who names none', j['a']['evaluation']['name'] == 'a.yaml' and
          j['b']['evaluation']['name'] == 'a.yaml' and j['b']['search']['name'] == 'paper.yaml', j)
    j = json.loads(match('games', 'paper', '--games', 2, *FAST, '--format', 'json').stdout)
    check('the name of a set is both halves', [(j[p]['name'], j[p]['evaluation']['name'], j[p]['search']['name']) for p in 'ab'] ==
          [(n, n + '-eval.yaml', n + '-search.yaml') for n in ('games', 'paper')], j)
    refuses('a set and a search', 'a second search', 'games,plain', 'default')
    refuses('an evaluation against a search', "a.yaml names the evaluation and paper.yaml does not",
            'a.yaml', 'paper.yaml')
    refuses('a search that only one names', "name 'a.yaml,default'", 'a.yaml', 'b.yaml,plain')
    refuses('two evaluations for one', 'b.yaml: a second evaluation', 'a.yaml,b.yaml', 'a.yaml')
    refuses('a file that is not there', 'cannot open', 'a.yaml', 'nowhere.yaml')
    refuses('positions', 'four.epd: positions, not parameters', 'a.yaml', 'four.epd')
    refuses('standard input', 'standard input', 'a.yaml', '-')
    refuses('an empty name', 'without a name', 'a.yaml,', 'b.yaml')
    refuses('--eval that nobody wants', '--eval b.yaml is for players who name no evaluation', 'a.yaml',
            'default', '--eval', 'b.yaml')
    refuses('--search with an evaluation', 'expected search', 'a.yaml', 'b.yaml', '--search', 'a.yaml')


def test_runs():
    """The best of a run."""
    write('recipe.yaml', read(os.path.join(source, 'params/recipes/quick.yaml')))
    tap.head('held-out.epd', 200)
    r = run('evolve', 'recipe.yaml', '-o', 'tiny.db', '--set', 'ga.generations=2',
                '--set', 'ga.population=4', '--set',
                'space=' + os.path.join(source, 'params/eval-space.yaml'), '--set',
                'data.train=' + os.path.join(source, 'data/train-1.epd'), '--set',
                'data.held_out=held-out.epd', '--set', 'data.first=200')
    r = match('tiny.db', 'default', '--games', 2, *FAST, '--format', 'json')
    best = match('tiny.yaml', 'default', '--games', 2, *FAST, '--format', 'json')
    check('a run', r.returncode == 0 and json.loads(r.stdout)['a']['name'] == 'tiny', r)
    a, b = json.loads(r.stdout), json.loads(best.stdout) if best.returncode == 0 else None
    check('its best plays as the file that it wrote', b is not None and a['pairs'] == b['pairs'] and
          a['a']['evaluation']['sha256'] != b['a']['evaluation']['sha256'], best)


def test_equal_players():
    r = match('a.yaml', 'a.yaml', '--games', 4000, '--depth', 1, '--hash', 1, '--sprt', '0,10',
              '--openings', 'four.epd')
    check('a test of A against A ends, and no variance is no harm', r.returncode == 0 and r.stdout.endswith('\nSPRT: H0 accepted\n') and
          'Elo: 0.00 +/- ' in r.stdout and 'DrawRatio: 100.00 %' in r.stdout and
          'LLR: -2.9' in r.stdout and 'nan' not in r.stdout, r)


def test_interrupted():
    whole = match(*LONG, '-o', 'whole.pgn')
    again = match(*LONG, '-o', 'whole.pgn', '--resume')
    check('a match that is over says so again', again.returncode == 0 and again.stdout == whole.stdout, again)
    p = start('match', *LONG, '-o', 'i.pgn', '--verbose', stdout=subprocess.PIPE)
    wait_for(lambda: os.path.exists('i.pgn') and os.path.getsize('i.pgn') > 0)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    kept = len(pgn('i.pgn'))
    check('Ctrl-C keeps what is whole', p.returncode == 130 and 0 < kept < 30 and
          '\nScore of a vs b: ' in out and
          'grayling: interrupted; %d of 30 games are in i.pgn\n' % kept in err and
          err.endswith('continue with the same command and --resume\n') and
          ('the last game has no partner yet' in out) == (kept % 2 == 1), out + err)
    r = match(*LONG, '-o', 'i.pgn', '--resume')
    check('and goes on', r.returncode == 0 and read('i.pgn') == read('whole.pgn') and r.stdout == whole.stdout, r)
    longer = match(*LONG[:3], 32, *LONG[4:], '-o', 'i.pgn', '--resume')
    check('and can be made longer', longer.returncode == 0 and len(pgn('i.pgn')) == 32 and
          read('i.pgn').startswith(read('whole.pgn')), longer)


def test_other_match():
    """What cannot be taken up, and is left as it was."""
    before = read('whole.pgn')
    for what, words, changed in (
            ('an existing file', 'whole.pgn exists; resume with --resume', LONG),
            ('another seed', '[Seed "1"], and now there is [Seed "2"]',
             LONG + ('--seed', 2, '--resume')),
            ('fewer games', 'more games than --games 28', LONG + ('--games', 28, '--resume')),
            ('a file that is not there', 'cannot open missing.pgn', None)):
        r = match(*(changed or LONG + ('--resume',)), '-o',
                  'whole.pgn' if changed else 'missing.pgn')
        check('does not go on with ' + what, r.returncode == 2 and words in r.stderr and
              r.stderr.count('\n') == 1 and not r.stdout and read('whole.pgn') == before, r)
    write('b2.yaml', read('b.yaml'))
    write('b.yaml', read('b.yaml') + '# another file\n')
    r = match(*LONG, '-o', 'whole.pgn', '--resume')
    check('does not go on with a file that has changed', r.returncode == 2 and
          'BlackEvaluationSHA256' in r.stderr and read('whole.pgn') == before, r)
    os.replace('b2.yaml', 'b.yaml')
    r = match('a.yaml', 'b.yaml', '--games', 2, *FAST, '-o', 'whole.pgn', '--force')
    check('--force begins anew', r.returncode == 0 and len(pgn('whole.pgn')) == 2, r)
    write('other.pgn', 'not a match')
    os.symlink('other.pgn', 'link.pgn')
    r = match('a.yaml', 'b.yaml', '--games', 2, *FAST, '-o', 'link.pgn', '--force')
    check('--force replaces a link and does not follow it', r.returncode == 0 and not os.path.islink('link.pgn') and
          read('other.pgn') == 'not a match' and read('link.pgn') == read('whole.pgn'), r)


def test_locked():
    """Two cannot write the same file."""
    p = start('match', 'a.yaml', 'b.yaml', '-o', 'l.pgn', '--games', '2000', stderr=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists('l.pgn') and os.path.getsize('l.pgn') > 0)
    for flag in ('--resume', '--force'):
        r = match('a.yaml', 'b.yaml', '-o', 'l.pgn', '--games', 2000, flag)
        check('a file being written is refused with ' + flag, r.returncode == 2 and
              'l.pgn is being written by another process' in r.stderr and
              os.path.getsize('l.pgn') > 0, r)
    p.kill()
    p.wait()


def test_openings():
    refuses('an empty book', 'no opening', 'a.yaml', 'b.yaml', '--openings', '/dev/null')
    write('over.epd', OPENINGS + '7k/5KQ1/8/8/8/8/8/8 b - -\n')
    refuses('an opening that is over', 'over.epd:5: ', 'a.yaml', 'b.yaml', '--openings', 'over.epd')
    write('illegal.pgn', '1. e4 e5 2. Ke3 *\n')
    refuses('an illegal opening', 'illegal.pgn:1:13: ', 'a.yaml', 'b.yaml', '--openings', 'illegal.pgn')
    refuses('too few openings', 'four.epd: 4 openings for 5 pairs of games; --unique', 'a.yaml',
            'b.yaml', '--openings', 'four.epd', '--games', 10, '--unique')
    works('a gauntlet says that games come again', 'gauntlet', 'a.yaml', '--against', 'b.yaml', '--openings',
          'four.epd', '--games', 10, *FAST, says='four.epd has 4 openings for 5 pairs; an opening that is used again')
    works('an opponent by its name', 'gauntlet', 'a.yaml', '--against', 'paper-eval', '--games', 2, *FAST,
          says='paper-eval')
    r = gauntlet('a.yaml', '--against', 'b.yaml', '--openings', 'four.epd', '--sprt', '0,1', *FAST)
    check('and that its test used up the book', r.returncode == 0 and
          r.stderr.count('note: all 4 openings are used') == 1, r)
    write('book.pgn', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 2. c4 *\n')
    r = match('a.yaml', 'b.yaml', '--openings', 'book.pgn', '--plies', 3, '--games', 4, *FAST,
              '--unique', '-o', 'plies.pgn')
    begun = sorted(re.match(r'1\. (\w+) (\w+) 2\. (\w+)', m).groups() for _, m in pgn('plies.pgn'))
    check('games give their first plies', r.returncode == 0 and
          begun == [('d4', 'd5', 'c4')] * 2 + [('e4', 'e5', 'Nf3')] * 2, begun)
    refuses('an opening that is the whole game', 'book.pgn: an opening has 6 plies, and --max-plies 6', 'a.yaml',
            'b.yaml', '--openings', 'book.pgn', '--max-plies', 6)
    for most, book in ((4, ('--openings', 'book.pgn', '--plies', 3)), (1, ('--openings', 'four.epd')), (1, ())):
        works('a game may have one move after %s' % (' '.join(map(str, book)) or 'the default book'), 'match',
              'a.yaml', 'b.yaml', *book, '--max-plies', most, '--games', 2, *FAST, says='] 2')


def test_ratings():
    """Everyone on one scale, from the games of several files."""
    for a, b, name in (('a.yaml', 'weak.yaml', 'r1.pgn'), ('b.yaml', 'weak.yaml', 'r2.pgn')):
        match(a, b, '--games', 8, *FAST, '-o', name)
    r = run('ratings', 'r1.pgn', 'r2.pgn')
    rows = re.findall(r'^ +(\d) +(\w+) +(\d+) .* ([+-][\d.]+) +\+/- +[\d.]+', r.stdout, re.M)
    check('ratings of three players, the weak one last', r.returncode == 0 and len(rows) == 3 and
          rows[2][1] == 'weak' and rows[2][2] == '16' and abs(sum(float(row[3]) for row in rows)) < 0.2 and
          '16 games of 3 players' in r.stdout, r)
    check('no player has two sets of parameters', 'one player' not in r.stdout, r)
    r = run('ratings', 'r1.pgn', 'r2.pgn', '--anchor', 'weak=1000')
    check('an anchor has the Elo that it is given', re.search(r'weak .* \+1000\.0 +anchor', r.stdout), r)
    write('named.pgn', ''.join('[White "%s"]\n[Black "%s"]\n\n1. e4 1-0\n\n' % names for names in (('A', 'B'), (' A', 'B '), ('B', 'A '))))
    r = run('ratings', 'named.pgn')
    check('white space around a name is none of it', '3 games of 2 players' in r.stdout, r)
    write('stray.pgn', '[Event "1"]\n[White "A"]\n[Annotator "two\nlines"]\n[Black "B"]\n\n1. e4 1-0\n\n' + read('named.pgn'))
    r = works('tags below a stray line are no game', 'ratings', 'stray.pgn', says='3 games of 2 players')
    write('broken.pgn', read('stray.pgn').partition('\n\n[White')[0])
    for what, words, arguments in (('no games', 'no games are given', ()),
                                   ('an anchor that did not play', "no player 'x'", ('r1.pgn', '--anchor', 'x')),
                                   ('an anchor without a number', "not 'y'", ('r1.pgn', '--anchor', 'weak=y')),
                                   ('an anchor in base 16', "not '0x10'", ('r1.pgn', '--anchor', 'weak=0x10')),
                                   ('a prior in base 16', "not '0x10'", ('r1.pgn', '--prior', '0x10')),
                                   ('a prior of nothing', 'above 0', ('r1.pgn', '--prior', '0')),
                                   ('a file without games', 'four.epd: positions (EPD), not games (PGN)', ('four.epd',)),
                                   ('a file of a broken game', 'no games with a result; broken.pgn:4:1: game 1: ', ('broken.pgn',))):
        r = run('ratings', *arguments)
        check('ratings refuse ' + what, r.returncode == 2 and words in r.stderr and not r.stdout and
              r.stderr.count('\n') == 1, r)


def test_limits():
    r = match('a.yaml', 'b.yaml', '--games', 2, '--depth', 2, '--hash', 1, '-o', 'depth.pgn')
    check('--depth', r.returncode == 0 and pgn('depth.pgn')[0][0]['DepthPerMove'] == '2', r)
    r = match('a.yaml', 'b.yaml', '--games', 2, '--tc', '0.1+0.005', '--hash', 1, '-o', 'clock.pgn')
    check('--tc', r.returncode == 0 and pgn('clock.pgn')[0][0]['TimeControl'] == '0.1+0.005', r)
    r = match('a.yaml', 'weak.yaml', '--games', 2, *FAST, '--win-score', 300, '--win-moves', 2,
              '--draw-score', 10, '--draw-moves', 4, '--draw-from', 30, '-o', 'ruled.pgn')
    check('adjudication', r.returncode == 0 and
          pgn('ruled.pgn')[0][0]['Adjudication'] == 'won 300 moves 2, drawn 10 moves 4 from 30', r)


def test_usage():
    for what, words, arguments in (
            ('no players', 'expected two players, not 0', ()),
            ('a single player', 'expected two players, not 1', ('a.yaml',)),
            ('an odd number of games', 'an even number', ('a.yaml', 'b.yaml', '--games', 3)),
            ('two limits', 'only one of', ('a.yaml', 'b.yaml', '--nodes', 9, '--depth', 2)),
            ('a clock without time', '--tc takes seconds', ('a.yaml', 'b.yaml', '--tc', '0+1')),
            ('a clock that is none', '--tc takes seconds', ('a.yaml', 'b.yaml', '--tc', '10:00')),
            ('hypotheses the wrong way', '--sprt takes two', ('a.yaml', 'b.yaml', '--sprt', '5,0')),
            ('one hypothesis', '--sprt takes two', ('a.yaml', 'b.yaml', '--sprt', '5')),
            ('a rate that is none', '--alpha takes a rate',
             ('a.yaml', 'b.yaml', '--sprt', '0,5', '--alpha', 0.5)),
            ('a rate without a test', 'need --sprt', ('a.yaml', 'b.yaml', '--beta', 0.1)),
            ('moves without a score', '--win-moves needs --win-score',
             ('a.yaml', 'b.yaml', '--win-moves', 3)),
            ('plies without a book', '--plies needs --openings', ('a.yaml', 'b.yaml', '--plies', 3)),
            ('a date that is none', '--date takes', ('a.yaml', 'b.yaml', '--date', 'today')),
            ('two minds', 'give one of them', ('a.yaml', 'b.yaml', '--resume', '--force'))):
        refuses(what, words, *arguments)
    for words, arguments in (('need -o FILE', ('--resume',)), ("not to '-'", ('-o', '-')),
                             ('cannot write no/such/folder.pgn', ('-o', 'no/such/folder.pgn'))):
        tap.refuses('refuses ' + ' '.join(arguments), words, 'match', 'a.yaml', 'b.yaml', *arguments)


parameters()
tap.main()
