"""What a person sees on a terminal of 40, 80 and 100 columns: lines break between words, and a table that
does not fit leaves out columns.
"""
import re

import tap
from tap import check, write

WIDTHS = 40, 80, 100
LONG = 'a-folder-with-a-name/that-is-longer-than/any-line/of-such-a-terminal/run.db'


def on_terminal(columns, *words):
    """What a command writes to a terminal of so many columns, without its progress; the terminal's own breaks are not in
    it."""
    return re.sub('.*\r(?!\n)|\x1b\\[K', '', tap.on_terminal(columns, *words).replace('\r\n', '\n'))


def piped(*arguments):
    made = tap.run(*arguments)
    return made.stdout + made.stderr


def too_long(text, columns):
    """The lines that a terminal would break within a word: all that are too long, but for single long words."""
    return [l for l in text.splitlines() if len(l) > columns and max(map(len, l.split())) < columns]


def test_prose():
    for what, arguments in (('the help', ('--help',)), ('that of evolve', ('evolve', '--help')),
                            ('that of match', ('match', '--help')), ('an error', ('evolve', 'no such.yaml')),
                            ('an option that is none', ('match', '--frobnicate'))):
        plain = piped(*arguments)
        for columns in WIDTHS:
            text = on_terminal(columns, *arguments)
            check('%s has its words on %d columns, and whole' % (what, columns),
                  text.split() == plain.split() and not too_long(text, columns), text)
    check('a line goes on below its second column', re.search(
        r'\n  -o, --output \S+ +(?=(output file))', piped('report', '--help')) and
        '\n' + ' ' * 21 + 'replaces a report that' in on_terminal(45, 'report', '--help').replace('the run, which ', ''),
        on_terminal(45, 'report', '--help'))
    text = on_terminal(40, 'status', LONG)
    check('a path longer than the line stays whole', LONG in text and not too_long(text, 40), text)
    check('what fits is as in a pipe', on_terminal(100, 'report', '--help') == piped('report', '--help'))


def table(text, head):
    """The rows of a table, its head first."""
    lines = text[text.index(head):].splitlines()
    return lines[:lines.index('')] if '' in lines else lines


def test_tables():
    write('suite.epd', '6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "mate in one";\n')
    solve = 'solve', 'suite.epd', '--nodes', '1000', '--threads', '1', '--verbose'
    plain = table(piped(*solve), 'position  ')
    for columns in WIDTHS:
        text = on_terminal(columns, *solve)
        rows = table(text, 'position  ')
        check('a table of a row a position has only whole columns on %d' % columns, len(rows) == 2 and
              all(len(l) <= columns for l in rows) and set(rows[0].split()) <= set(plain[0].split()) and rows[1].startswith('mate in one') and 'Ra8#' in rows[1], rows)
        check('and nothing else is longer', not too_long(text, columns), text)
    widths = [len(table(on_terminal(c, *solve), 'position  ')[0].split()) for c in (60, 80, 200)]
    check('the wider the terminal, the more of them', widths[0] < widths[1] < widths[2] == len(plain[0].split()), widths)
    write('games.pgn', ''.join(
        '[White "A player with a name"]\n[Black "Another"]\n[Result "%s"]\n\n1. e4 e5 %s\n\n' % (r, r)
        for r in ('1-0', '0-1', '1-0', '1/2-1/2')))
    for columns in WIDTHS:
        rows = table(on_terminal(columns, 'ratings', 'games.pgn'), '     player')
        check('ratings keep the Elo on %d columns' % columns, len(rows) == 3 and ' Elo' in rows[0] and
              len({len(l.split()) for l in rows[1:]}) <= 2 and all(len(l) <= columns for l in rows), rows)
    rows = table(on_terminal(40, 'ratings', 'games.pgn'), '     player')
    check('and leave out the draws first', 'draws' not in rows[0] and 'draws' in piped('ratings', 'games.pgn'), rows)


test_prose()
test_tables()
tap.plan()
