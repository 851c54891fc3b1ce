"""`grayling plot` as a user meets it: each picture says what it shows, in SVG and PNG, light and dark, in
any size, whatever the names in it are."""
import os
import re
import sqlite3
import struct
import xml.etree.ElementTree

import small_night
import tap
from tap import check, read, run, run_of, source, write

NAME = '''it's <b> & "x" `date` $0 {_^} %d \\'''
SVG = '{http://www.w3.org/2000/svg}'
RUN = 'night.db#evolve-1'


def draw(path, output, *options):
    """The outcome of plot, which replaces the picture."""
    return run('plot', path, '-o', output, '--force', *options)


class Svg:
    """A picture as XML: its title, its texts with their places, and its marks."""

    def __init__(self, name):
        root = xml.etree.ElementTree.parse(name).getroot()
        self.size = root.get('width'), root.get('height')
        self.title = root.findtext(SVG + 'title') or ''
        self.description = root.findtext(SVG + 'desc') or ''
        self.style = root.findtext(SVG + 'style') or ''
        self.maps = len([g for g in root.iter(SVG + 'g') if g.get('class') == 'heat'])
        marks = [path.get('class') for path in root.iter(SVG + 'path')]
        self.dots = len([m for m in marks if m.startswith('dot ') and 'arrow' not in m])
        self.arrows = len([m for m in marks if 'arrow' in m])
        self.broken = 'grid break' in marks
        self.texts = [(float(t.get('x')), float(t.get('y')), t.text or '') for t in root.iter(SVG + 'text')]
        self.words = [t[2] for t in self.texts]


def svg(path, *options):
    """A picture drawn as SVG; None if it cannot be."""
    made = draw(path, 'picture.svg', *options)
    return Svg('picture.svg') if made.returncode == 0 else None


def without_png(made):
    """True if the program is built without PNG, and says what to install."""
    return made.returncode == 2 and 'librsvg2-dev' in made.stderr


def png_size(name):
    with open(name, 'rb') as f:
        head = f.read(24)
    return struct.unpack('>II', head[16:24]) if head[:8] == b'\x89PNG\r\n\x1a\n' else None


def test_outcome():
    made = run('evolve', 'evolve.yaml', '-o', 'drawn.db')
    check('a run leaves a PNG file', made.returncode == 0 and ('librsvg2-dev' in made.stdout or png_size('drawn.png')), made)


def test_titles():
    for what, words in (('fitness', 'fitness by generation'), ('convergence', 'convergence'),
                        ('genes', 'genes after generation 3'), ('parameters', 'parameters by generation')):
        made = draw(RUN, 'picture.svg', '--what', what)
        picture = Svg('picture.svg') if made.returncode == 0 else None
        check(what + ': an SVG file says what it shows',
              picture and picture.title.endswith(words) and len(picture.description) > 40, made.stderr)
        made = draw(RUN, what + '.png', '--what', what, '--theme', 'dark')
        check(what + ': and a PNG file', without_png(made) or (made.returncode == 0 and png_size(what + '.png')), made.stderr)
    picture = svg(RUN)
    check('fitness is what is drawn by default', picture and picture.title.endswith('fitness by generation'))


def test_content():
    genes = [line.split(',')[:2] for line in
             run('export', RUN, '--format', 'csv').stdout.splitlines()[1:]]
    picture = svg(RUN, '--what', 'genes')
    check('genes: each name', picture and all(n in picture.words for n, _ in genes if n != 'PAWN_VALUE'))
    check('genes: each value', picture and all(v in picture.words for n, v in genes if n != 'PAWN_VALUE'))
    check("genes: the paper's value is explained", picture and "the paper's value" in picture.words)
    picture = svg(RUN, '--what', 'convergence')
    check('convergence: a heat map with the names', picture and picture.maps == len(genes) and
          all(n in picture.words for n, _ in genes if n != 'PAWN_VALUE'))
    picture = svg(RUN, '--what', 'parameters')
    check('parameters: a panel each', picture and
          sum(n[:12] in ' '.join(picture.words) for n, _ in genes) == len(genes) - 1)


def test_names():
    picture = svg(RUN)
    check('a name with every sign is shown as it is', picture and
          any(w.startswith(NAME) for w in picture.words) and picture.title.startswith(NAME),
          picture and (picture.title, picture.words))


def test_match():
    """One pairing of the match is a rout: its bar would stretch the axis beyond what can be read."""
    with sqlite3.connect('night.db') as db:
        of_match = run_of('match')
        db.execute('UPDATE match_game SET result = CASE white WHEN 0 THEN 2 ELSE 0 END WHERE pairing = 1 AND '
                   + of_match)
    for path in ('night.db', 'night.db#match'):
        made = draw(path, 'picture.svg')
        check('%s is drawn as its pairings' % path, made.returncode == 0, made.stderr)
    picture = svg('night.db', '--what', 'pairings')
    numbers = [int(w.replace('\u2212', '-')) for w in picture.words if re.fullmatch('\u2212?[0-9]+', w)] if picture else []
    check('pairings: the axis ends at 400 Elo', numbers and max(numbers) == 400, numbers)
    check('pairings: what is infinite is written so', picture and any('+∞' in w for w in picture.words))
    check('pairings: and has an arrow and no dot', picture and picture.arrows >= 1 and picture.dots == 2 + 3,
          picture and (picture.arrows, picture.dots))
    check('pairings: with the players as they are called',
          picture and "EVOL* – it's `x`" in picture.words, picture and picture.words)


def test_one_generation():
    made = run('evolve', 'evolve.yaml', '-o', 'one.db', '--set', 'ga.generations=0')
    picture = svg('one.db')
    check('one generation is drawn as dots', picture and picture.dots >= 3 and
          [w for x, y, w in picture.texts if w == '0' and 76 < x < 880], made.stderr)
    for what in ('convergence', 'genes', 'parameters'):
        made = draw('one.db', 'picture.svg', '--what', what)
        check(what + ' of one generation', made.returncode == 0, made.stderr)


def test_looks():
    picture = svg(RUN, '--size', '640x400')
    check('--size is that of the SVG file', picture and picture.size == ('640', '400'), picture and picture.size)
    made = draw(RUN, 'picture.png', '--size', '640x400')
    check('and of the PNG file', without_png(made) or png_size('picture.png') == (640, 400), made.stderr)
    light, dark = svg(RUN, '--theme', 'light'), svg(RUN, '--theme', 'dark')
    check('--theme changes the ground', light and dark and '#ffffff' in light.style and '#14171b' in dark.style)
    made = draw(RUN, 'picture.svg', '--what', 'genes', '--size', '400x300')
    check('a size without room for the rows is refused, with one that has it',
          made.returncode != 0 and re.search(r'400x300 is too small for this picture: it takes at least \d+x\d+',
                                             made.stderr), made.stderr)
    least = re.search(r'at least (\d+x\d+)', made.stderr)
    made = draw(RUN, 'picture.svg', '--what', 'genes', '--size', least.group(1) if least else '1x1')
    check('which is enough', made.returncode == 0, made.stderr)


def test_comparison():
    path = os.path.join(source, 'docs', 'runs', 'compare-optimisers.db.zst')
    picture = svg(path)
    names = [(y, w) for x, y, w in picture.texts if re.fullmatch(r'\d  [a-z-]+', w)] if picture else []
    check('comparison: each line has its rank and name at its end', len(names) == 8, picture and picture.words)
    ranks = [int(w[0]) for y, w in sorted(names, reverse=True)]
    check('comparison: in order, the fewest nodes lowest', ranks == sorted(ranks) and ranks, names)
    heights = sorted(y for y, _ in names)
    check('comparison: no name covers another', heights and all(b - a > 12 for a, b in zip(heights, heights[1:])), names)


def test_refusals():
    for arguments, code, words in (
            ([RUN, '--what', 'pairings'], 2, 'fitness, convergence, genes or parameters'),
            (['night.db', '--what', 'genes'], 2, '--what can be pairings'),
            (['night.db#match', '--what', 'fitness'], 2, '--what can be pairings'),
            ([RUN, '--what', 'everything'], 2, '--what takes fitness, convergence, genes'),
            ([RUN, '--size', '10x10'], 2, '--size takes a size from 320x200'),
            ([RUN, '--size', 'big'], 2, '--size takes a size from 320x200'),
            ([RUN, '--theme', 'pink'], 2, "--theme takes light or dark, not 'pink'")):
        made = run('plot', arguments[0], '-o', 'none.svg', *arguments[1:])
        check('refused: ' + ' '.join(arguments),
              made.returncode == code and words in made.stderr and not os.path.exists('none.svg'), made.stderr)


small_night.write_recipes(NAME, {
    'EVOL*': '{evaluation: coevolve, search: search}', 'EVOL0': '{evaluation: evolve, search: search}',
    "it's `x`": '{evaluation: random, search: random}'})
write('evolve.yaml', read('evolve.yaml').replace('name: e', 'name: ' + small_night.quoted(NAME)))
tap.draw_png()
run('evolve', 'night.yaml', '-o', 'night.db', check=True)
tap.main()
