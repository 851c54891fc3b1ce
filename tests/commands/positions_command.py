"""`grayling sample`, `mine` and `book`: what they draw from games, their messages, and what is left on the disk."""
import os
import re

import tap
from tap import MATE_IN_TWO, check, read, refuses, run, write

SAMPLE = '''[White "A"]
[Black "B"]
[Date "2018.12.31"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[White "C"]
[Black "D"]
[Date "2019.01.??"]
[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1

[White "E"]
[Black "F"]
[Result "1-0"]

1. e4 Ke7 1-0
'''

# Two games with a mate in two, a quiet one and a broken one.
MINE = MATE_IN_TWO + '''
[White "C"]
[Black "D"]
[FEN "r4rk1/ppb4p/2p3q1/2Pp4/3Pn3/1NNQBn1P/PP3PP1/2RR3K b - - 0 1"]
[SetUp "1"]

1... Qg3 2. fxg3 Nxg3# 0-1

[White "E"]
[Black "F"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2

[White "G"]
[Black "H"]

1. e4 Ke7 1-0
'''

# Two even games, one in which a rook is lost, one of another order of moves, a broken one.
BOOK = '''[White "A"]
[Black "B"]
[WhiteElo "2700"]
[BlackElo "2650"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 *
''' + ''.join('\n[White "%s"]\n[Black "%s"]\n\n%s\n' % game for game in (
    ('C', 'D', '1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O *'), ('E', 'F', '1. b3 h5 2. Bb2 Rh6 3. e3 Rb6 4. h3 g6 5. Bxh8 *'),
    ('G', 'H', '1. c4 e6 2. d4 d5 3. Nc3 Nf6 4. Nf3 Be7 5. e3 O-O *'), ('I', 'J', '1. e4 Ke7 1-0')))


def enter(name, games):
    """A folder with games."""
    os.mkdir(os.path.join(tap.work, name))
    os.chdir(os.path.join(tap.work, name))
    write('games.pgn', games)


def says(command, what, code, words, *options):
    """Runs a command on games.pgn, or on what its options begin with, a file; its exit code and words on standard error."""
    given = () if options and str(options[0]).endswith('.pgn') or '-' in options[:1] else ('games.pgn',)
    r = run(command, *given, *options, **({'input': read('games.pgn')} if '-' in options[:1] else {}))
    check('%s: %s' % (command, what), r.returncode == code and words in r.stderr, r)
    return r


def check_ways(command, small, broken, all_read):
    """games.pgn gives a.epd again by whatever way, with what is said of the broken game and of all games."""
    whole = read('a.epd')
    r = says(command, 'names the broken game', 0, broken, *small)
    check('standard output is the default, of which it says no name', r.stdout == whole and
          not re.search('(?m)^(positions|openings) ', r.stderr), r)
    says(command, 'reads standard input', 0, all_read, '-', '-o', 'in.epd', *small)
    check('the same from there', read('in.epd') == whole)


def check_refusals(command, small, cases):
    """What every one refuses, and these."""
    for name in [name for name in os.listdir() if name != 'games.pgn']:
        os.remove(name)
    for what, code, words, options in [
            ('a file that is missing', 2, 'none.pgn: No such file', ('none.pgn', '-o', 'a.epd')),
            ('a folder that is missing', 2, 'cannot write none/a.epd', ('-o', 'none/a.epd', *small)),
            ('a full disk', 1, 'No space left', ('-o', '/dev/full', *small)), *cases]:
        says(command, what, code, words, *options)
    check(command + ': nothing half-written', os.listdir() == ['games.pgn'], os.listdir())
    refuses('no games', "no games are given; see 'grayling %s --help'" % command, command)


def test_sample():
    enter('sample', SAMPLE)
    r = says('sample', 'draws', 0, 'drew 2 positions from 2 games', '-o', 'a.epd')
    check('a line for each game, and its name', read('a.epd').count('\n') == 2 and r.stderr.endswith('\npositions   a.epd\n'), r)
    r = says('sample', 'names the broken game', 0, 'games.pgn:19:7: game 3: "Ke7"')
    check('standard output is the default, of which it says no name', r.stdout == read('a.epd') and '\npositions ' not in r.stderr, r)
    says('sample', 'reads standard input', 0, '3 games', '-', '-o', 'in.epd')
    check('the same from there', read('in.epd') == read('a.epd'))
    says('sample', 'does not overwrite', 2, 'a.epd exists; choose another name or give --force', '-o', 'a.epd')
    says('sample', 'overwrites by force', 0, 'drew 1 position from 1 game with', '-o', 'a.epd', '--to', 2018, '--force')
    check('overwritten', 'id "A-B 2018-12-31"' in read('a.epd'))
    os.makedirs('share/data')
    os.link('a.epd', 'share/data/known.epd')
    os.environ['GRAYLING_DATA'] = os.path.abspath('share')
    says('sample', 'leaves games of a file out by its name', 0, '1 excluded', '--exclude', 'known', '-o', 'named.epd')
    says('sample', 'a name that nothing has', 2, "no file of positions is named 'unknown'", '--exclude', 'unknown', '-o', 'no.epd')
    del os.environ['GRAYLING_DATA']
    os.remove('share/data/known.epd')
    os.removedirs('share/data')
    says('sample', 'leaves games out', 0, '1 excluded', '--exclude', 'a.epd', '-o', 'b.epd')
    check('the other game', 'id "C-D 2019-01"' in read('b.epd'))
    says('sample', 'takes a year as a whole', 0, 'drew 1 position from', '--from', '2019-01', '-o', 'c.epd', '--force')
    r = says('sample', 'draws parts', 0, 'drew 2 positions', '--parts', 2, '--count', 1, '-o', 'part-%d.epd')
    check('apart, and says their names', read('part-1.epd') != read('part-2.epd') != '' and
          r.stderr.endswith('positions   part-1.epd\npositions   part-2.epd\n'), r)
    says('sample', 'no part over a file', 2, 'part-1.epd exists', '--parts', 2, '--count', 1, '-o', 'part-%d.epd')
    for number in (), ('--count', 9):
        r = says('sample', 'no usable game', 2, 'too few positions: 0 of 9' if number else
                 'no position is left to draw, and nothing is written', '--to', 1999, '-o', 'none.epd', *number)
        check('says why', '\nread 3 games: 1 broken, 2 filtered out' in '\n' + r.stderr, r)
    write('empty.pgn', '')
    r = says('sample', 'no game at all', 2, 'no position is left to draw', 'empty.pgn', '-o', 'none.epd')
    check('none read', 'read 0 games' in r.stderr, r)
    write('kept.epd', 'kept\n')
    says('sample', 'no usable game, by force', 2, 'no position is left', '--to', 1999, '-o', 'kept.epd', '--force')
    check('what was there stays', read('kept.epd') == 'kept\n')
    check_refusals('sample', (), (
        ('too few', 2, 'too few positions: 2 of 3', ('--count', 3, '-o', 'a.epd')),
        ('an exclude that is no EPD', 2, 'games.pgn: games (PGN), not positions', ('--exclude', 'games.pgn', '-o', 'a.epd')),
        ('a count that is none', 2, "--count takes a whole number from 1 to 2147483647, not '0'", ('--count', 0)),
        ('a date that is none', 2, "--from takes YYYY, YYYY-MM or YYYY-MM-DD, not '2019-13'", ('--from', '2019-13')),
        ('dates the wrong way round', 2, '--to is before --from', ('--from', 2019, '--to', 2018)),
        ('plies the wrong way round', 2, '--last-ply is before', ('--first-ply', 9, '--last-ply', 8)),
        ('parts without a number', 2, 'an output file with %d', ('--parts', 2, '--count', 1, '-o', 'x.epd')),
        ('parts without a count', 2, '--parts needs --count', ('--parts', 2, '-o', 'x%d.epd'))))


def test_mine():
    enter('mine', MINE)
    small = '--first-ply 0 --glance 300 --shallow 300 --look 6000 --deep 100000 --margin 200 --bound 1000'.split()
    r = says('mine', 'finds both', 0, 'found 2 of 500 positions', '-o', 'a.epd', *small)
    check('a line for each, and its name', read('a.epd').count('\n') == 2 and r.stderr.endswith('\npositions   a.epd\n'), r)
    check('the move of either side', 'bm Qg6; id "A-B"; c0 "game ' in read('a.epd') and 'bm Qg3; id "C-D"; c0 "game ' in read('a.epd'))
    check_ways('mine', small, 'game 4: "Ke7"', 'read 4 games: 1 broken')
    says('mine', 'does not overwrite', 2, 'a.epd exists; choose another name', '-o', 'a.epd')
    says('mine', 'nor the other half', 2, 'a.epd exists', '-o', 'b.epd', '--split', 'a.epd', *small)
    says('mine', 'parts', 0, 'found 2', '-o', 'b.epd', '--split', 'c.epd', *small)
    check('one half and the other', read('b.epd') + read('c.epd') == read('a.epd'))
    r = run('solve', 'a.epd', '--nodes', 100000, '--params', tap.params('paper-search.yaml'))
    check('solve finds them', re.search('(?m)paper-search.yaml +2 +100', r.stdout), r)
    check_refusals('mine', small, (
        ('nothing to find', 2, 'nothing was found, and nothing is written',
         ('-o', 'a.epd', *small, '--margin', 1000000, '--per-game', 1, '--bound', 1)),
        ('it says what was read', 2, 'read 4 games: 1 broken, 0 filtered out, 0 duplicates\n', 
         ('-o', 'a.epd', *small, '--margin', 1000000, '--per-game', 1, '--bound', 1)),
        ('nothing for the other half', 2, 'one position was found, which --split cannot share',
         ('-o', 'a.epd', '--split', 'b.epd', '--count', 1, *small)),
        ('an evaluation that is none', 2, 'games.pgn', ('-o', 'a.epd', '--eval', 'games.pgn')),
        ('a margin that is none', 2, "--margin takes a whole number from 1 to 1000000, not '0'", ('--margin', 0)),
        ('a look that is too short', 2, '--shallow must be less than --look', ('--look', 3000)),
        ('a look that is too long', 2, '--look must not be more than --deep', ('--deep', 9999)),
        ('one file for both halves', 2, 'must be two files', ('-o', 'x.epd', '--split', 'x.epd')),
        ('one file by two names', 2, 'must be two files', ('-o', 'x.epd', '--split', './x.epd'))))


def test_book():
    enter('book', BOOK)
    small = ('--plies', 8, '--nodes', 3000, '--bound', 200, '--eval', tap.params('moves-eval.yaml'),
             '--params', tap.params('paper-search.yaml'))
    r = says('book', 'makes a book', 0, 'made 2 of 1,000 openings with seed 1', '-o', 'a.epd', *small)
    check('a line for each, and its name', read('a.epd').count('\n') == 2 and r.stderr.endswith('\nopenings    a.epd\n'), r)
    check('with the game', re.search('(?m)^r1bqk2r/.* w kq - id "A-B"; c0 "game [0-9a-f]*"; hmvc 6;$', read('a.epd')), read('a.epd'))
    check('says what was left out', '3 different positions after 8 plies, 0 games too short or from a set-up position; searched 3, '
          '1 of them one-sided' in r.stderr, r)
    check_ways('book', small, 'game 5: "Ke7"', 'read 5 games: 1 broken')
    says('book', 'by rated players', 0, '3 filtered out', '--min-elo', 2600, '-o', 'two.epd', *small)
    check('only theirs', read('two.epd') == ''.join(line for line in read('a.epd').splitlines(True) if 'A-B' in line))
    says('book', 'does not overwrite', 2, 'a.epd exists; choose another name or give --force', '-o', 'a.epd', *small)
    says('book', 'overwrites by force', 0, 'made 2', '-o', 'a.epd', '--force', *small)
    check_refusals('book', small, (
        ('nodes that are too few', 2, '3 positions left out: --nodes 1 is too few to value a move', ('-o', 'a.epd', *small, '--nodes', 1)),
        ('nothing balanced', 2, 'no opening was found, and nothing is written', ('-o', 'a.epd', '--plies', 10, '--min-elo', 2600)),
        ('it says why', 2, 'read 5 games: 1 broken, 3 filtered out, 0 duplicates\n', ('-o', 'a.epd', '--plies', 10, '--min-elo', 2600)),
        ('one is not many', 2, '0 different positions after 10 plies, 1 game too short', ('-o', 'a.epd', '--plies', 10, '--min-elo', 2600)),
        ('too few plies', 2, "--plies takes a whole number from 8 to 64, not '7'", ('--plies', 7))))


tap.main()
