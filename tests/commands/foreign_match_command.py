"""`grayling match` and `grayling gauntlet` with other engines: our own engine over UCI plays the games
that it plays in process; options, failures, clocks, resume and the table."""
import json
import os
import re
import shutil
import signal
import subprocess

import tap
from tap import check, grayling, read, run, source, start, uci, villain, wait_for, works, write

OURS = 'uci:' + uci + ' --tune'
SAME = ('--games', 6, '--nodes', 400, '--hash', 2, '--max-plies', 60)
FAST = ('--nodes', 300, '--hash', 1, '--threads', 2)


def match(*arguments):
    return run('match', *arguments)


def gauntlet(*arguments):
    return run('gauntlet', *arguments)


def games(name):
    """The games of a file as pairs: tags, moves without what the players thought of them."""
    parts = read(name).split('\n\n')
    return [(dict(re.findall(r'\[(\w+) "(.*)"\]', parts[i])),
             ' '.join(re.sub(r'\{[+-]?[M\d][^}]*\}', '', parts[i + 1]).split()))
            for i in range(0, len(parts) - 1, 2)]


def refuses(what, words, *arguments, command='match'):
    tap.refuses('refuses ' + what, words, command, *arguments, '-o', 'refused.pgn', absent='refused.pgn')


def test_scripts():
    """Engines that are none, and one that exits when it has to think."""
    write('mute', '#!/bin/sh\nexit 3\n', 0o755)
    write('dies', '#!/bin/sh\nwhile read -r word rest; do case $word in\n'
          'uci) echo id name Dies; echo uciok;;\nisready) echo readyok;;\n'
          'go) echo "no thanks" >&2; exit 7;;\nquit) exit 0;;\nesac; done\n', 0o755)


def test_on_the_path():
    """Players without uci: before them."""
    os.mkdir('bin')
    os.symlink(uci, 'bin/ours-uci')
    os.environ['PATH'] = os.path.abspath('bin') + ':' + os.environ['PATH']
    r = match('default', 'ours-uci', *FAST, '--games', 2, '-o', 'path.pgn')
    check('an engine on the PATH is a player by its name', r.returncode == 0 and
          '[BlackCommand "ours-uci"]' in read('path.pgn'), r)
    refuses('a mistyped engine', 'no parameter file or run is named \'ours-uic\'; cannot start ours-uic: there is no such '
            'program on the PATH or in /usr/games', 'default', 'ours-uic')
    shutil.copy(os.path.join(source, 'params/default-eval.yaml'), 'ours-uci')
    works('a file of that name in the folder comes first', 'match', 'ours-uci', 'default-eval', '--games', 2, *FAST,
          says='Score of ours-uci vs default-eval')
    os.remove('ours-uci')


def test_same_games():
    """Over UCI our engine plays as in process, with any number of threads."""
    inside = match('default', 'default', *SAME, '-o', 'inside.pgn')
    for threads in (1, 2):
        r = match('default', OURS, *SAME, '--threads', threads, '-o', 'uci%d.pgn' % threads)
    a, b = games('inside.pgn'), games('uci2.pgn')
    check('our engine over UCI plays the games that it plays in process', r.returncode == 0 and
          [m for _, m in a] == [m for _, m in b] and len(a) == 6, r)
    check('and any number of threads plays the same', read('uci1.pgn') == read('uci2.pgn'))
    check('with the same result', inside.stdout.split('\n')[1:4] == r.stdout.split('\n')[1:4], r)
    first = b[0][0]
    check('tags name the engine, its command and its options', first['Black'] == 'Grayling 0.1.0' and
          first['BlackEngine'] == 'Grayling 0.1.0' and 'uci:' + first['BlackCommand'] == OURS and
          first['BlackOptions'] == 'Hash=2; Threads=1; Ponder=false' and
          int(first['BlackMeanNodes']) <= 400 and 'BlackEvaluation' not in first and
          'WhiteEvaluation' in first and 'uci:' + b[1][0]['WhiteCommand'] == OURS, first)
    check('the nodes of the engine are shown', re.search(
        r'\nNodes a move of Grayling 0.1.0: \d+ \(limit 400\)\n', r.stdout), r.stdout)


def test_resumes():
    whole = read('uci1.pgn')
    write('k.pgn', whole[:len(whole) // 2])
    r = match('default', OURS, *SAME, '-o', 'k.pgn', '--resume')
    check('a match resumes', r.returncode == 0 and read('k.pgn') == whole, r)
    for what, words, changed in (
            ('another command', '[BlackCommand ', 'uci:' + os.path.join(
                os.path.dirname(uci), '.', 'grayling-uci --tune')),
            ('another player', '[White "default"]', 'default')):
        r = match('default', changed, *SAME, '-o', 'k.pgn', '--resume')
        check('does not go on with ' + what, r.returncode == 2 and words in r.stderr and
              read('k.pgn') == whole, r)
    write('b.yaml', 'kind: uci\nparameters:\n  Move Overhead: 11\n')
    r = match('default', OURS, *SAME, '--options-b', 'b.yaml', '-o', 'k.pgn', '--resume')
    check('does not go on with other options', r.returncode == 2 and
          'and now there is [Black "Grayling 0.1.0+b"]' in r.stderr and read('k.pgn') == whole, r)


def test_options():
    """Options from files, and files that are players."""
    write('a.yaml', 'kind: uci\nparameters:\n  Move Overhead: 11\n  Hash: 4\n')
    write('b.txt', 'setoption name Move Overhead value 12\n')
    write('own.yaml', 'kind: uci\ncommand: %s\nparameters:\n  Move Overhead: 13\n' % uci)
    r = match(OURS, OURS, '--options-a', 'a.yaml', '--options-b', 'b.txt', '--games', 2, *FAST,
              '-o', 'o.pgn')
    t = games('o.pgn')[0][0]
    check('options of both', r.returncode == 0 and t['White'] == 'Grayling 0.1.0+a' and
          t['Black'] == 'Grayling 0.1.0+b' and
          t['WhiteOptions'] == 'Threads=1; Ponder=false; Move Overhead=11; Hash=4' and
          t['BlackOptions'] == 'Hash=1; Threads=1; Ponder=false; Move Overhead=12', t)
    r = match('own.yaml', 'plain', '--games', 2, *FAST, '--format', 'json')
    j = json.loads(r.stdout)
    check('a file with a command is a player', r.returncode == 0 and j['a']['name'] == 'own' and
          j['a']['engine'] == 'Grayling 0.1.0' and j['a']['command'] == uci and
          j['a']['options']['Move Overhead'] == '13' and j['b']['search']['name'] == 'plain', j)
    check('JSON has what went wrong, and the nodes', j['conduct_a']['crashes'] == 0 and
          j['conduct_a']['cut'] == 0 and 0 < j['conduct_a']['mean_nodes'] <= 300 and
          'mean_nodes' not in j['conduct_b'], j)
    r = match(OURS, OURS, '--games', 2, *FAST, '--format', 'json')
    j = json.loads(r.stdout)
    check('equal names become different', (j['a']['name'], j['b']['name']) ==
          ('Grayling 0.1.0-A', 'Grayling 0.1.0-B'), j)


def test_bad_input():
    write('odd.yaml', 'kind: uci\nparameters:\n  Move Overhed: 1\n')
    for what, words, arguments in (
            ('a command that is not there', 'cannot start nowhere', ('default', 'uci:nowhere')),
            ('a command that is no engine', 'no answer to "uci"', ('uci:./mute', 'default')),
            ('no command', 'uci: names no command', ('uci:', 'default')),
            ('an unknown option', 'has no option "Move Overhed"; did you mean "Move Overhead"?',
             (OURS, 'default', '--options-a', 'odd.yaml')),
            ('options for our engine', '--options-a is for another engine',
             ('default', OURS, '--options-a', 'a.yaml')),
            ('options for a player that has some', '--options-a: own.yaml has options of its own',
             ('own.yaml', OURS, '--options-a', 'a.yaml')),
            ('a player without a command', 'a.yaml names no command', ('a.yaml', 'default')),
            ('a limit and a limit', 'only one of',
             ('default', OURS, '--movetime', 5, '--nodes', 5))):
        refuses(what, words, *arguments)
    for what, words, arguments in (
            ('a gauntlet without players', 'no players are given', ('--against', 'x')),
            ('a gauntlet without opponents', 'expected opponents', ('default',)),
            ('an opponent without a name', 'without a name', ('default', '--against', 'x,,y')),
            ('an opponent that is not there', 'cannot start nowhere',
             ('default', '--against', uci + ',nowhere'))):
        refuses(what, words, *arguments, command='gauntlet')


def test_first_move():
    """An engine that always fails at its first move ends the match with a sentence."""
    r = match('default', 'uci:./dies', '--games', 40, *FAST, '-o', 'dies.pgn')
    kept = games('dies.pgn')
    check('an engine that cannot play ends the match', r.returncode == 1 and
          r.stderr.split('\n')[-2].startswith(
              'grayling: Dies fails at its first move, in 3 games in a row: ') and
          'exited with code 7' in r.stderr and len(kept) == 3, r)
    check('its games are lost and say how', all(
        t['Termination'] == 'abandoned' and t['Result'] == ('1-0' if t['Black'] == 'Dies' else '0-1')
        for t, _ in kept), kept)
    log = read('dies.pgn.failures')
    check('the log is beside the games', log.count('game     ') == 3 and
          'game     1: default vs Dies: Black crashes\nstart    ' in log and
          '\n> go nodes 300\n' in log and '\n! no thanks\n' in log, log)


def test_misbehaves():
    """Failures in the middle of games are counted, shown and survived."""
    for what, vice, ends, lost in (
            ('crashes', '--die 5', 'abandoned', r'\d+ crash(es)?'),
            ('plays illegal moves', '--illegal', 'rules infraction', r'\d+ illegal moves?')):
        r = match('default', 'uci:%s --every 30 %s' % (villain, vice), '--games', 8, *FAST, '-o',
                  'vice.pgn', '--force')
        found = [t for t, _ in games('vice.pgn') if t['Termination'] == ends]
        said = re.search(r'\nLost by .*: (%s)\n' % lost, r.stdout)
        check('a player that %s loses those games, and the match goes on' % what,
              r.returncode == 0 and len(games('vice.pgn')) == 8 and found and said and
              int(said.group(1).split()[0]) == len(found), r)
        check('and the log is named', r.stderr.endswith('failures    vice.pgn.failures\n') and
              read('vice.pgn.failures').count('game     ') == len(found), r.stderr)
        works('a resumed match has counted them', 'match', 'default', 'uci:%s --every 30 %s' % (villain, vice),
              '--games', 8, *FAST, '-o', 'vice.pgn', '--resume', says=said.group(0).strip())
    r = match('default', 'uci:%s --ignore-nodes' % villain, '--games', 2, *FAST)
    check('an engine that ignores go nodes is stopped, and that is shown', r.returncode == 0 and
          re.search(r'\nNodes a move of .*: [\d,]+ \(limit 300; stopped at \d+ % of moves\)', r.stdout),
          r)
    r = match('default', 'uci:%s --slow 3000' % villain, '--games', 2, '--movetime', 10, '--grace', 1000,
              '--threads', 2, '-o', 'slow.pgn')
    kept = games('slow.pgn')
    check('a slow player loses on time', r.returncode == 0 and 'Lost by' in r.stdout and
          '2 losses on time' in r.stdout and [t['Termination'] for t, _ in kept] == ['time forfeit'] * 2 and
          kept[0][0]['Grace'] == '1' and kept[0][0]['TimePerMove'] == '0.01', r)


def test_clocks():
    r = match('default', OURS, '--games', 2, '--tc', '0.1+0.01', '--grace', 1000, '--max-plies', 20, '--threads', 2,
              '-o', 'clock.pgn')
    check('clocks', r.returncode == 0 and 'Lost by' not in r.stdout and
          games('clock.pgn')[0][0]['TimeControl'] == '0.1+0.01' and
          games('clock.pgn')[0][0]['Grace'] == '1', r)
    r = match('plain', 'default', '--games', 2, '--movetime', 2, '--max-plies', 60, '-o', 'ours.pgn')
    check('our engine uses its time for a move whole, and has a margin', r.returncode == 0 and
          games('ours.pgn')[0][0]['Grace'] == '0.05' and games('ours.pgn')[0][0]['TimePerMove'] == '0.002', r)
    r = match('plain', 'default', '--games', 2, '--tc', '0.2+0.01', '--max-plies', 20, '-o', 'ours-clock.pgn')
    check('our engine has no margin on a clock against itself', r.returncode == 0 and
          'Grace' not in games('ours-clock.pgn')[0][0], r)
    r = match('plain', OURS, '--games', 2, '--movetime', 3, '--grace', 1000, '--max-plies', 60, '--threads', 2)
    check('time for each move', r.returncode == 0 and 'Lost by' not in r.stdout, r)
    r = match('plain', OURS, '--games', 2, '--depth', 1, '-o', 'depth.pgn')
    check('depth', r.returncode == 0 and games('depth.pgn')[0][0]['DepthPerMove'] == '1', r)


def test_interrupted():
    p = start('match', 'default', OURS, '--games', '400', '--nodes', '2000', '-o', 'i.pgn', stdout=subprocess.PIPE)
    wait_for(lambda: os.path.exists('i.pgn') and os.path.getsize('i.pgn') > 0)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    check('Ctrl-C stops in order', p.returncode == 130 and 'Score of default' in out and
          'grayling: interrupted; %d of 400 games' % len(games('i.pgn')) in err, err)
    p = subprocess.Popen([grayling, 'match', 'default', 'uci:%s --every 3 --ignore-stop --tell %s' %
                          (villain, os.path.abspath('hanging')), '--games', '2', *map(str, FAST), '--threads', '1',
                          '-o', 'hangs.pgn'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    hanging = wait_for(lambda: os.path.exists('hanging'))
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    check('an engine that does not answer after Ctrl-C has not lost', hanging and p.returncode == 130 and
          'interrupted; 0 of 2 games' in err and 'Lost by' not in out, (hanging, p.returncode, out, err))


def test_table():
    """Two players against two opponents, and the same again from a part of the file."""
    arguments = ('default', 'plain', '--against', "%s,'%s'" % (uci, uci), '--against',
                 'default', '--games', 2, '--max-plies', 24, *FAST)
    r = gauntlet(*arguments, '-o', 'g.pgn')
    rows = [l.split() for l in r.stdout.split('\n') if l.startswith('  ')]
    check('a table with a row for each opponent and their sum', r.returncode == 0 and
          [row[0] for row in rows] == ['against', 'Grayling', 'Grayling', 'default-B', 'all', 'against',
                                       'Grayling', 'Grayling', 'default', 'all'], r)
    check('rows fit', max(map(len, r.stdout.split('\n'))) < 80, r.stdout)
    sums = [row for row in rows if row[0] == 'all']
    check('the sum has all games', all(row[1] == '6' and sum(map(int, row[2:5])) == 6 for row in sums),
          sums)
    whole = read('g.pgn')
    check('all games are in the file', len(games('g.pgn')) == 12 and r.stderr.endswith('g.pgn\n'), r)
    for part in (0, 1, 5, 9):
        write('g.pgn', whole[:len(whole) * part // 10])
        again = gauntlet(*arguments, '-o', 'g.pgn', '--resume')
        check('a gauntlet resumes, from %d tenths of its file' % part, again.returncode == 0 and
              read('g.pgn') == whole, again)
    r = gauntlet(*arguments[1:], '-o', 'g.pgn', '--resume')
    check('but not with other players', r.returncode == 2 and '[White "default"]' in r.stderr and
          read('g.pgn') == whole, r)
    r = gauntlet(*arguments, '--format', 'json')
    check('and as JSON', [m['games'] for m in json.loads(r.stdout)] == [2] * 6, r)


def test_chess960():
    """From openings of Chess960, against engines that are told so and one that knows nothing of it."""
    write('960.epd', '1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w KQkq -\nnrkbbqnr/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQNR w HBhb -\n'
          'qbrnnkbr/pppppppp/8/8/8/8/PPPPPPPP/QBRNNKBR w KQkq -\n')
    stockfish = shutil.which('stockfish', path=os.environ.get('PATH', '') + ':/usr/games')
    r = match('default', 'uci:stockfish' if stockfish else OURS, '--openings', '960.epd', '--games', 6, *FAST,
              '--max-plies', 120, '-o', '960.pgn')
    found = games('960.pgn')
    check('Chess960 is played', r.returncode == 0 and len(found) == 6 and 'Lost by' not in r.stdout, r)
    check('with its tags', all(t['Variant'] == 'Chess960' and t['FEN'].split()[2] in ('FBfb', 'HBhb', 'HChc')
                               for t, _ in found), found)
    check('and with castling', any('O-O' in moves for _, moves in found), found)
    works('its games are a book', 'match', 'default', OURS, '--openings', '960.pgn', '--plies', 8, '--games', 2,
          *FAST, '--max-plies', 20)
    refuses('an engine without Chess960', 'dies has no option UCI_Chess960, which opening 1 of the book needs',
            'default', 'uci:./dies', '--openings', '960.epd')


def test_real_engines():
    """Engines of the field, where they are installed."""
    found = [e for e in ('toga2', 'glaurung', 'gnuchess', 'stockfish', 'ethereal-chess')
             if shutil.which(e, path=os.environ.get('PATH', '') + ':/usr/games')]
    if not found:
        return
    r = gauntlet('default', '--against', ','.join(found), '--nodes', 500, '--games', 2, '--max-plies', 60, '--threads', 2,
                 '-o', 'real.pgn')
    check('plays ' + ', '.join(found), r.returncode == 0 and len(games('real.pgn')) == 2 * len(found) and
          r.stdout.count('Nodes a move of') == len(found), r)
    if 'toga2' in found:
        tags = [t for t, _ in games('real.pgn') if t['Black'].startswith('Toga')][0]
        check('one thread and no book', 'Number of Threads=1; OwnBook=false; Ponder=false' in
              tags['BlackOptions'], tags)


tap.main()
