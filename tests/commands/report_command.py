"""`grayling report` as a user meets it: one page that needs nothing else, whatever the names in it
are, and that a browser shows without complaint, in light and dark and on a phone."""
import base64
import csv
import hashlib
import html
import html.parser
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import urllib.parse
import xml.etree.ElementTree

import small_night
import tap
from tap import change, check, query, read, refuses, run, run_of, source, work, works, write

NAME = '''<script>alert("x")</script> & 'Réti' </title>'''
GENERATIONS = 12


def make_run():
    for name in ('train-1.epd', 'held-out.epd'):
        with open(os.path.join(source, 'data', name)) as f, open(name, 'w') as out:
            out.writelines(f.readline() for _ in range(60))
    with open('recipe.yaml', 'w') as f:
        f.write("name: '%s'\nphase: evaluation\nseed: 3\n" % NAME.replace("'", "''"))
        f.write('data: {train: [train-1.epd], held_out: [held-out.epd]}\n'
                'ga: {population: 20, generations: %d}\n' % GENERATIONS)
    made = works('a run with a nasty name', 'evolve', 'recipe.yaml', '-o', 'small.db')
    check('its report lies beside it', 'report      %s/small.html' % os.getcwd() in made.stdout and
          read('small.html') == run('report', 'small.db', '-o', '-').stdout, made.stdout)


def outcome(text):
    """The files and the commands that the head of a page names."""
    head = re.search('<dl class="outcome">.*?</dl>', text, re.S)
    return re.findall('<dt>([^<]*)</dt><dd><code>([^<]*)</code></dd>', html.unescape(head.group())) if head else []


def test_outcome():
    """The head says what the last lines of the run say: the verdict, its files, what plays with them, what confirms them."""
    again = run('resume', 'small.db')
    said = [(name, text) for name, text in re.findall(r'(?m)^ *([a-z ]+?):? {2,}(\S.*)$', again.stdout.replace('it: ', 'it:  '))
            if name in ('parameters', 'plot', 'report', 'plays it', 'confirms it')]
    beside = os.path.join(os.getcwd(), 'small')
    check('the head names what the last lines name', outcome(read('small.html')) == said and {
        ('parameters', beside + '.yaml'), ('plot', beside + '.svg'), ('report', beside + '.html'),
        ('plays it', 'setoption name EvalFile value %s.yaml' % beside),
        ('confirms it', 'grayling confirm small.db')} <= set(said), said)
    with open('small.yaml', 'a') as f:
        f.write('# mine\n')
    check('parameters that were changed are not those of the run', outcome(run('report', 'small.db', '-o', '-').stdout) == [])
    run('resume', 'small.db', '--force')


class Page(html.parser.HTMLParser):
    """What a browser would load, and the elements there are."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.tags, self.handlers = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name in ('src', 'srcset', 'href', 'xlink:href', 'data', 'action', 'poster'):
                self.loads.append(value)
            if name.startswith('on'):
                self.handlers.append(name)


def cells(text):
    """The rows of the genes' table, tags left out."""
    table = re.search(r'<table class="genes">.*?</table>', text, re.S).group()
    return [[re.sub('<small>.*?</small>|<[^>]*>', '', cell)
             for cell in re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', row, re.S)]
            for row in re.findall(r'<tr>(.*?)</tr>', table, re.S)]


def check_page(what, text):
    """What holds for every page: it is well-formed, loads nothing, and its links lead somewhere."""
    try:
        xml.etree.ElementTree.fromstring(text.split('\n', 1)[1])
        problem = ''
    except xml.etree.ElementTree.ParseError as e:
        problem = str(e)
    check(what + ' is well-formed', text.startswith('<!DOCTYPE html>\n') and not problem, problem)
    page = Page(text)
    check(what + ': the name is text and no markup', page.tags.count('script') == 1 and page.tags.count('title') >= 1
          and '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;Réti&#39; &lt;/title&gt;' in text,
          page.tags)
    check(what + ' loads nothing', all(l.startswith(('#', 'data:')) for l in page.loads), page.loads)
    script = re.search('<script>(.*?)</script>', text, re.S).group(1)
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
    check(what + ' allows its own script alone', policy.startswith("default-src 'none'; ") and "script-src 'sha256-%s';" %
          base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy, policy)
    check(what + ': nor does its style', 'url(' not in text and '@import' not in text)
    check(what + ' has no address but the name of the format',
          re.findall('https?://[^"<\\s]*', text) == ['http://www.w3.org/1999/xhtml'],
          re.findall('https?://[^"<\\s]*', text))
    check(what + ' has no handler of events', not page.handlers, page.handlers)
    body, end = text.rsplit('<!--', 1)
    check(what + ' ends with its checksum', hashlib.sha256(body.encode()).hexdigest() in end, end)
    ids = re.findall(r' id="([^"]*)"', text)
    check(what + ': every link within leads somewhere',
          all(l[1:] in ids for l in page.loads if l.startswith('#')) and len(ids) == len(set(ids)), ids)
    check(what + ' has numbers only', not re.search('[" >-](nan|inf)["< ,]', body.split('</style>')[1]))


def test_page():
    made = run('report', 'small.db', '-o', 'page.html')
    check('report writes', made.returncode == 0 and made.stdout == '', made.stderr)
    text = read('page.html')
    check_page('the page', text)
    again = run('report', 'small.db', '-o', '-')
    check('the same run gives the same page, and - is standard output', again.stdout == text)


def test_content():
    text = read('page.html')
    with open(os.path.join(source, 'params', 'paper-eval.yaml')) as f:
        paper = dict(re.findall(r'^\s+([A-Z0-9_]+): +(-?\d+)', f.read(), re.M))
    evolved = dict(l.split(',')[:2] for l in
                   run('export', 'small.db', '--format', 'csv').stdout.splitlines()[1:])
    rows = [r for r in cells(text) if r[0] != 'gene']
    genes = [name for name, in query('small.db', 'SELECT name FROM gene WHERE bits > 0')]
    check('every gene that evolves has its row', sorted(r[0] for r in rows) == sorted(genes) and
          'The other %d do' % (len(evolved) - len(genes)) in text, [r[0] for r in rows])
    chances = [float(re.search('[0-9.]+', r[-2]).group()) for r in rows]
    check('those first that a change costs most', chances == sorted(chances) and chances[0] < chances[-1], chances)
    check('with the value that export gives', all(r[1] == evolved[r[0]] for r in rows), rows)
    check("and the paper's", all(r[2] == paper[r[0]] for r in rows), rows)
    mean, = query('small.db', 'SELECT avg(measure) FROM organism JOIN genome ON genome.id = genome'
                      ' WHERE generation = %d' % GENERATIONS)[0]
    check('the mean of the last generation is in the figures', '<td>%.2f</td>' % (mean / 0.6) in text)
    check('every generation has its hint', text.count('>generation %d\n' % GENERATIONS) == 2 * 2)
    places = [text.index('<section id="%s">' % part) for part in
              ('genes', 'fitness', 'parameters', 'files', 'convergence', 'recipe')]
    check('the pictures of the genes come first', places == sorted(places), places)
    courses = text[places[0]:places[1]]
    check('each has its default as a line', courses.count('"curve best"') == courses.count('"curve dashes held-out"') == 2 * len(rows),
          courses[:500])
    begun, = query('small.db', "SELECT value FROM property WHERE key = 'created'")[0]
    check('state and time stand there once', text.count('complete, %d generations' % GENERATIONS) == 1 and
          text.count('<dt>Time</dt>') == 1 and text.count(begun[:10]) == 1 and 'seconds</dt>' not in text)
    check('the curves have the defaults as a line', text.count('>the defaults</text>') == 2)
    sums = [s for s, in query('small.db', 'SELECT sha256 FROM data')]
    check('the data files have their checksums', len(sums) == 2 and all(s in text for s in sums))
    check('the recipe stands there whole', 'population: 20\n' in text and 'rate: 0.005' in text)
    heat = text[text.index('<section id="convergence">'):]
    check('the heat map has the bits of each gene', heat.count('class="heat" transform') == 2 * (len(rows) + 1), heat[:500])
    check('shares have intervals, and so has what is better than the defaults', text.count('95 % interval') == 3)


def test_downloads():
    """What is to download is in the page: the parameters, and the figures of the generations."""
    links = {name: urllib.parse.unquote(html.unescape(data)) for name, data in re.findall(
        '<a download="([^"]*)" href="data:[^",]*,([^"]*)">', read('page.html'))}
    check('a parameter file and a table are to download', list(links) == ['small.yaml', 'small-generations.csv'], list(links))
    write('downloaded.yaml', links['small.yaml'])
    both = [run('export', name, '--format', 'csv').stdout for name in ('downloaded.yaml', 'small.db')]
    check('the parameters are those of the run', both[0] == both[1] != '', both[0][:200])
    rows = [tuple(map(int, (r['generation'], r['train'], r['held_out']))) for r in
            csv.DictReader(links['small-generations.csv'].splitlines())]
    check('the table has every generation', rows == query(
        'small.db', 'SELECT idx, measure, held_out FROM generation ORDER BY idx'), rows)


def test_many_genes():
    """Of hundreds of genes only those that moved most have pictures; the table has all."""
    write('many.recipe', 'name: many\nspace: %s\ndata: {train: [train-1.epd]}\n'
            'ga: {population: 4, generations: 3}\n' % os.path.join(source, 'params', 'modern-space.yaml'))
    made = run('evolve', 'many.recipe', '-o', 'many.db')
    text = read('many.html') if made.returncode == 0 else ''
    rows = cells(text)[1:] if text else []
    check('every parameter of a large space has its row', len(rows) > 300, made.stderr)
    check('but only forty have pictures', text.count('class="heat" transform') == 2 * 41 and text.count('class="band strong') == 2 * 40)
    check('and the page stays small', len(text) < 1000 * len(rows), (len(text), len(rows)))


def test_units():
    """Numbers stand there as their engine reads them, and choices are counted."""
    shutil.copy('small.db', 'units.db')
    change('units.db', "UPDATE gene SET type = 3, decimals = 2 WHERE name = 'KNIGHT_VALUE'",
           "UPDATE gene SET type = 2, choices = 'Solid' || char(10) WHERE name = 'BISHOP_VALUE'",
           "UPDATE gene SET active_if = 'KNIGHT_VALUE >= 100000' WHERE name = 'ROOK_VALUE'")
    before, text = read('page.html'), run('report', 'units.db', '-o', '-').stdout
    plain, shown = ({r[0]: r for r in cells(page)} for page in (before, text))
    old, new = plain['KNIGHT_VALUE'], shown['KNIGHT_VALUE']
    least, most = (int(bound) for bound in old[3].split('–'))
    check('a range has the decimals of its values', new[3] == '%.2f–%.2f' % (least / 100, most / 100), new)
    check('mean and deviation are in the same unit', all(
        re.fullmatch(r'\d+\.\d{3}', new[i]) and abs(100 * float(new[i]) - float(old[i])) < 0.11 for i in (4, 5)), new)
    check('and so is what the picture says', '>of %s to %s</text>' % tuple(new[3].split('–')) in text)
    count = '%d choices' % (1 + int(plain['BISHOP_VALUE'][3].split('–')[1]))
    check('choices are counted, and have no mean', shown['BISHOP_VALUE'][3:6] == [count, '–', '–'], shown['BISHOP_VALUE'])
    check('their picture says so', '>of %s</text>' % count in text)
    check('a value that turns off another is in its unit too', 'off: KNIGHT_VALUE is %s' % new[1] in shown['ROOK_VALUE'][-1],
          shown['ROOK_VALUE'])


def test_files():
    before = read('page.html')
    shutil.copy('small.db', 'older.db')
    change('older.db', 'DELETE FROM organism WHERE generation > 4',
           'DELETE FROM generation WHERE idx > 4')
    older = run('report', 'older.db', '-o', 'first.html')
    check('a report on the way', older.returncode == 0 and read('first.html') != before, older.stderr)
    refused = run('report', 'small.db', '-o', 'page.html')
    check('an existing file is refused', refused.returncode == 2 and
          'page.html exists; choose another name or give --force' in refused.stderr and
          read('page.html') == before, refused.stderr)
    write('page.html', 'old')
    forced = run('report', 'small.db', '-o', 'page.html', '--force')
    check('--force overwrites', forced.returncode == 0 and read('page.html') == before, forced.stderr)
    shutil.copy('first.html', 'small.html')
    beside = run('report', 'small.db')
    check('without -o it takes the place of the report beside the run', beside.returncode == 0 and
          read('small.html') == before, beside.stderr)
    with open('small.html', 'a') as f:
        f.write('<!-- mine -->')
    changed = run('report', 'small.db')
    check('but not if that was changed', changed.returncode == 2 and 'small.html exists and was changed'
          ' since this run wrote it' in changed.stderr and read('small.html').endswith('mine -->'), changed.stderr)
    refuses('nor does the run replace it', 'small.html exists', 'resume', 'small.db')
    forced = run('resume', 'small.db', '--force')
    check('unless by force', forced.returncode == 0 and read('small.html') == before, forced.stderr)


def check_copy(what, text, count):
    """Every block of parameters is a parameter file, and the command above it writes the same values."""
    blocks = re.findall(r'<pre>grayling export ([^<]*) --format yaml</pre>\n<pre class="copy" tabindex="0">(.*?)</pre>',
                        text, re.S)
    check(what + ' has the parameters of each stage to copy', len(blocks) == count, blocks)
    for path, block in blocks:
        write('copied.yaml', html.unescape(block))
        copied, exported = (run('export', x, '--format', 'csv') for x in ('copied.yaml', html.unescape(path)))
        check('the values of %s are those that export writes' % path, copied.returncode == exported.returncode == 0 and
              copied.stdout == exported.stdout, copied.stderr + exported.stderr)


def test_unfinished():
    shutil.copy('small.db', 'first.db')
    change('first.db', 'DELETE FROM organism WHERE generation > 0',
           'DELETE FROM generation WHERE idx > 0')
    first = run('report', 'first.db', '-o', '-')
    check('a run with a single generation has a page', first.returncode == 0 and
          'stopped after generation 0 of %d' % GENERATIONS in first.stdout and
          not re.search('[" >-]nan', first.stdout), first.stderr)


def test_signs():
    """Every optimiser's page says which genes mattered, once there are two generations."""
    for kind in ('cma-es', 'hill-climbing'):
        made = run('evolve', 'recipe.yaml', '-o', 'signs.db', '--force', '--set', 'optimiser.kind=' + kind,
                   '--set', 'ga.generations=4', '--set', 'data.held_out=[]')
        text = read('signs.html')
        check_page('the page of ' + kind, text)
        table = cells(text)
        column = table[0].index('by chance')
        check('it has the chance of each gene', made.returncode == 0 and all(
            re.fullmatch(r'(&lt; )?[0-9]+(\.[0-9])? %', row[column]) for row in table[1:]), made.stderr)
        check('and the remark from 5 % on', all(
            (float(re.search('[0-9.]+', row[column]).group()) >= 5) == ('no sign of mattering' in row[-1])
            for row in table[1:]), table)
        check('and names the test', 'evolutions by the method %s with this run' % kind in text)
    for crossover, test in (('uniform', 'neutral bits were sent down'),
                            ('line', 'neutral genes went through the same: evolutions by the method genetic')):
        made = run('evolve', 'recipe.yaml', '-o', 'signs.db', '--force', '--set', 'ga.generations=4',
                   '--set', 'data.held_out=[]', '--set', 'ga.crossover.kind=' + crossover)
        text = read('signs.html')
        check('the page names the test of %s crossover' % crossover, made.returncode == 0 and test in text and
              len(re.findall('neutral (?:bits were|genes went)', text)) == 1, made.stderr)
    check('it promises no bound on genes without effect', 'About one neutral gene in 20' in text)
    run('evolve', 'recipe.yaml', '-o', 'signs.db', '--force', '--set', 'ga.generations=0')
    text = read('signs.html')
    check('one generation tells of none, so there is no column', 'by chance' not in cells(text)[0] and
          'needs two generations or more' in text and 'no sign of' not in text.split('</style>')[1], cells(text)[0])
    check('and rows are as long as the head', len({len(row) for row in cells(text)}) == 1, cells(text))


def test_make_night():
    players = dict(small_night.PLAYERS)
    players[NAME] = '{evaluation: coevolve}'
    players['paper'] = '{evaluation: %s, search: %s}' % tuple(
        os.path.join(source, 'params', 'paper-%s.yaml' % half) for half in ('eval', 'search'))
    small_night.write_recipes(NAME, players)
    works('a night with a nasty name', 'evolve', 'night.yaml', '-o', 'night.db')


def test_pair():
    """Two runs side by side: both heads, both curves in one picture, and a table of the parameters."""
    made = run('evolve', 'recipe.yaml', '-o', 'other.db', '--set', 'seed=4')
    made = run('report', 'small.db', 'other.db') if made.returncode == 0 else made
    check('two runs make one page beside the first', made.returncode == 0 and os.path.exists('small-other.html'), made.stderr)
    text = read('small-other.html')
    check_page('the page of two runs', text)
    check('with both heads', text.count('<header>') == 2 and 'seed 3<' in text and 'seed 4<' in text)
    figure = re.findall('<figure class="picture">.*?</figure>', text, re.S)
    check('and the curves of both in one picture', len(figure) == 1 and all(
        '"curve s%d"' % i in figure[0] for i in range(2)), figure)
    table = re.search('<table class="both">.*?</table>', text, re.S).group()
    rows = [re.findall('<t[hd][^>]*>(.*?)</t[hd]>', re.sub('</?code>|<wbr/>', '', row)) for row in
            re.findall('<tr>(.*?)</tr>', table)][1:]
    values = [dict(l.split(',')[:2] for l in run('export', name, '--format', 'csv').stdout.splitlines()[1:])
              for name in ('small.db', 'other.db')]
    check('the table has both values of each parameter, and their difference', [r[:3] for r in rows] == [
        [name, values[0][name], values[1][name]] for name in values[0]] and all(
            int(r[4]) == int(r[2]) - int(r[1]) for r in rows), rows[:3])
    night = run('report', 'small.db', 'night.db', '-o', '-')
    check('a night is not compared, but its runs', night.returncode == 2 and 'night.db#STAGE' in night.stderr and
          run('report', 'small.db', 'night.db#evolve-1', '-o', '-').returncode == 0, night.stderr)


def test_night():
    text = read('night.html')
    check_page("the night's page", text)
    check('the same night gives the same page', run('report', 'night.db', '-o', '-').stdout == text)
    for stage in ('evolve', 'coevolve', 'search', 'match'):
        check('the overview leads to ' + stage, '<a href="#stage.%s">%s</a>' % (stage, stage) in text and
              '<section id="stage.%s"' % stage in text)
    for stage in ('coevolve', 'search'):
        check('%s has what a run has' % stage, all('id="stage.%s.%s"' % (stage, part) in text for part in
                                                   ('fitness', 'genes', 'convergence', 'recipe')))
    check('of several runs only the one taken has its genes there',
          text.count('<table class="genes">') == 3 and text.count('id="stage.evolve.genes"') == 1)
    best = max(query('night.db', 'SELECT held_out, measure FROM generation WHERE %s ORDER BY idx DESC LIMIT 1' %
                         run_of(name))[0] for name in ('evolve-1', 'evolve-2'))
    taken = re.search('<tr class="taken">(.*?)</tr>', text, re.S).group(1)
    check('it is the best held out', '%.2f\xa0%%' % (best[0] / 0.4) in taken and '>taken<' in taken, taken)
    check('the seeds of coevolution', 'night.db#<wbr/>evolve-2' in text)
    lines = ['setoption name %sFile value %s/night-%s.yaml' % (half, os.getcwd(), stage)
             for half, stage in (('Eval', 'coevolve'), ('Search', 'search'))]
    said = outcome(text)
    check('the head has what plays the last player, and confirms it', [name for name, _ in said] == ['plays it', '', 'confirms it']
          and [line for _, line in said[:2]] == lines, said)
    last = run('resume', 'night.db').stdout
    check('and so have the last lines', all(line in last for _, line in said), last)


def test_match():
    rows = pairings(read('night.html'))
    games = query('night.db', 'SELECT pairing, white, black, result FROM match_game')
    check('every pairing has its row', len(rows) == 10 and rows[0][0] == 'EVOL* – EVOL0', rows)
    for number, (a, b) in enumerate((a, b) for a in range(5) for b in range(a + 1, 5)):
        points = [result if white == a else 2 - result for n, white, _, result in games if n == number]
        check('pairing %d has the games of the store' % number, rows[number][4:] == [
            '%d – %d – %d' % tuple(points.count(k) for k in (2, 1, 0)), str(len(points))], rows[number])
    status = run('status', 'night.db').stdout.replace('-', '−')
    check('and the Elo that status gives', all(
        row[1].lstrip('+−') in status and row[2].replace(' to ', ' to ') in status for row in rows), rows)
    text = read('night.html')
    check('a stage is judged by players that differ in it alone',
          'with the same search (EVOL* against EVOL0)' in text and
          'evolve</a>: no two players differ in this stage alone' in text)


def test_headline():
    text = read('night.html')
    shown = [t for t in tiles(text) if ' against ' in t[1]]
    check('the head begins with the last player against what comes from files, then the others',
          [t[1] for t in shown][:3] == ['EVOL* against paper', 'EVOL* against EVOL0', 'EVOL* against ' + NAME], shown)
    intervals = [ends(re.search('interval (.*), [0-9]+ games?$', t[3]).group(1)) for t in shown]
    check('what its interval does not decide is grey and says so, and nothing else is', shown and all(
        (t[0] == 'open') == ('not decided' in t[3]) == (low <= 0 <= high) for t, (low, high) in zip(shown, intervals)),
        list(zip(shown, intervals)))
    with sqlite3.connect('night.db') as db, sqlite3.connect('decided.db') as copy:
        db.backup(copy)
        copy.execute('UPDATE match_game SET result = (number % 4 < 2) * 2 WHERE pairing = 0')
        copy.execute('UPDATE match_game SET result = 2 * (white = 0) WHERE pairing = 3')
    drawn = run('report', 'decided.db', '-o', '-').stdout
    shown = {t[1]: t for t in tiles(drawn)}
    check('an even score is not decided', shown['EVOL* against EVOL0'][0] == 'open', shown)
    check('a score without a loss is', shown['EVOL* against paper'][0] == 'ahead' and
          shown['EVOL* against paper'][2].endswith(' Elo or more') and 'stronger' in shown['EVOL* against paper'][3], shown)
    sentence = re.search('<p class="result">(.*?)</p>', drawn).group(1)
    check('the first sentence is about what comes from files', sentence.startswith('EVOL* is stronger than paper: ')
          and 'do not decide whether EVOL* is stronger than EVOL0' in sentence, sentence)
    bars = drawn[drawn.index('>EVOL* – EVOL0<'):]
    check('an infinite difference has an arrow', '+∞' in bars and 'dot arrow ahead' in bars[:bars.index('</figure>')], bars[:500])


# ---- a night ----

def test_copy():
    check_copy('the page of a run', read('page.html'), 1)
    check_copy('the page of a night', read('night.html'), 3)
    text = read('night.html')
    check('a block is selected as a whole', re.search(r'pre\.copy \{[^}]*user-select: all', text))


def pairings(text):
    """The rows of the table of pairings: name, Elo, interval, LOS, won - drawn - lost, games."""
    table = re.search(r'<table class="pairings">.*?</table>', text, re.S).group()
    rows = [re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', row) for row in re.findall(r'<tr>(.*?)</tr>', table, re.S)]
    return [[html.unescape(cell) for cell in row] for row in rows[1:]]


def test_commands():
    """A command of a page is the same words in a shell, whatever the run is called."""
    for kind in ('small', 'night'):
        for name in ('my %s.db' % kind, "$(touch pwned) it's.db"):
            shutil.copy(kind + '.db', name)
            page = run('report', name, '-o', '-').stdout
            lines = [html.unescape(line) for line in re.findall('grayling (?:resume|verify|export|report) [^\n]*?(?=<|\n)', page)]
            words = [shlex.split(line)[2] for line in lines]
            check('the commands on the page of %s name it' % name, len(lines) >= 3 and
                  all(word.split('#')[0] == name for word in words), lines)


def test_constants():
    """Genes that do not evolve are not counted among those that do."""
    space = read(os.path.join(source, 'params', 'search-space.yaml'))
    write('constants-space.yaml', re.sub(r'(MULTI_CUT_\w+: +)\{.*\}', r'\1{bits: 0, min: 0, max: 0}', space))
    with open(os.path.join(source, 'data', 'tactics-train.epd')) as f, open('three.epd', 'w') as out:
        out.writelines(f.readline() for _ in range(3))
    write('fixed-recipe.yaml', 'name: fixed\nphase: search\nspace: constants-space.yaml\ndata: {train: [three.epd]}\n'
            'fitness: {limit: 100}\nga: {population: 4, generations: 1}\n')
    works('a run with constants', 'evolve', 'fixed-recipe.yaml', '-o', 'fixed.db')
    page = run('report', 'fixed.db', '-o', '-').stdout
    found = re.search(r'<strong>[0-9]+ of ([0-9]+) (?:is|are) inactive:</strong>(.*)</li>', page)
    check('constants are not counted as inactive', found is None or 'MULTI' not in found[2], found and found[0])


def tiles(text):
    """The figures in the head of a page: class, name, figure and note."""
    return [(css, *(html.unescape(words) for words in rest)) for css, *rest in
            re.findall(r'<div class="(\w+)"><dt>(.*?)</dt><dd>(.*?)</dd><dd class="note">(.*?)</dd>',
                       text[:text.index('</header>')])]


def ends(interval):
    """The two ends of an interval in words."""
    return [float(end.replace('−', '-').replace('∞', 'inf')) for end in interval.split(' to ')]


def test_logarithms():
    """Logarithms are summed, and what is shown is the mean of nodes that they give."""
    write('logs.yaml', 'name: logs\nphase: night\nseed: 1\nstages:\n'
            '  logs: {recipe: fixed-recipe.yaml, runs: 2, set: {fitness: {scale: log}}}\n')
    made = run('evolve', 'logs.yaml', '-o', 'logs.db')
    one, both = (run('report', path, '-o', '-').stdout for path in ('logs.db#logs-1', 'logs.db'))
    check('the result of a run is named for what it shows', made.returncode == 0 and
          '<p class="result">geometric mean of nodes to solution by the best organism: <strong>' in one, made.stderr)
    check('so are those of a stage', '<small>geometric mean of nodes to solution</small>' in both and
          '</strong> (geometric mean of nodes to solution).' in both and '1/1024' not in one + both, both[-3000:])


def test_unfinished_night():
    shutil.copy('night.db', 'half.db')
    with sqlite3.connect('half.db') as db:
        db.execute("DELETE FROM property WHERE key LIKE 'search.%' OR key LIKE 'match.%'"
                   " OR key LIKE 'coevolve.%' OR key LIKE 'evolve-2.%'")
        for stage in ('evolve-2', 'coevolve'):
            for table in ('game', 'organism', 'generation'):
                db.execute('DELETE FROM %s WHERE %s' % (table, run_of(stage)))
        for stage in ('search', 'match'):
            for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'").fetchall():
                db.execute('DELETE FROM %s WHERE %s' % (table, run_of(stage)))
            db.execute('DELETE FROM run WHERE stage = ?', (stage,))
    half = works('a night on its way has a page', 'report', 'half.db', '-o', '-')
    check_page('that page', half.stdout)
    check('with how far it is', all(words in half.stdout for words in (
        'stopped', '1 of 5', 'is ahead', '>ahead<', 'no generation is complete yet', 'Waiting for the stages before it',
        'No pair of games has been played yet')), half.stdout[-3000:])
    shutil.copy('night.db', 'begun.db')
    change('begun.db', 'DELETE FROM match_game WHERE pairing > 0 OR number > 6',
           'UPDATE match_game SET result = 2 * (white = 0)')
    won = works('so has one whose match has hardly begun', 'report', 'begun.db', '-o', '-')
    check_page('its page', won.stdout)
    rows = pairings(won.stdout)
    check('infinite differences are said', rows[0][1] == '+∞' and rows[0][2].endswith(' to +∞') and
          rows[0][5] == '7' and rows[1][1] == '–', rows)


# ---- in a browser ----

# Shows the page in frames of two widths and writes down what it finds; its own complaint shows that
# complaints are heard.
FRAMES = '''<!DOCTYPE html><meta charset="utf-8"><body>
<iframe src="page.html" width="390" height="800"></iframe>
<iframe src="page.html" width="1280" height="800"></iframe>
<iframe src="night.html" width="390" height="800"></iframe>
<iframe src="night.html" width="1280" height="800"></iframe>
<pre id="found"></pre>
<script>
console.error('heard');
/* The lines of the tallest row of any table. */
function tallest(page) {
  var most = 0;
  page.querySelectorAll('tr').forEach(function (row) {
    var line = parseFloat(getComputedStyle(row.firstElementChild).lineHeight);
    most = Math.max(most, row.getBoundingClientRect().height / line);
  });
  return most;
}
/* Whether a click on the second head sorts the table by it, and the pointer's values are told. */
function works(page) {
  var table = page.querySelector('table.genes'), rect = page.querySelectorAll('.hints rect')[1];
  table.querySelectorAll('thead button')[1].click();
  var values = Array.from(table.tBodies[0].rows).map(function (r) { return parseFloat(r.cells[1].textContent); });
  rect.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
  return values.every(function (v, i) { return i === 0 || values[i - 1] <= v; }) &&
         /^generation 1 /.test(rect.closest('figure').querySelector('.reading').textContent);
}
/* How many layers scroll along with a box, and how many stay. */
function shadows(box) {
  var layers = getComputedStyle(box).backgroundAttachment.split(', ');
  return layers.filter(function (l) { return l === 'local'; }).length + '/' + layers.length;
}
addEventListener('load', function () {
  var found = [];
  document.querySelectorAll('iframe').forEach(function (frame) {
    var page = frame.contentDocument;
    page.querySelectorAll('details').forEach(function (d) { d.open = true; });
    var table = page.querySelector('.genes').parentElement;
    found.push([frame.width, page.documentElement.scrollWidth, page.body.scrollWidth,
                getComputedStyle(page.body).backgroundColor.replace(/ /g, ''),
                table.scrollWidth > table.clientWidth, tallest(page), shadows(table), works(page)].join(' '));
  });
  document.getElementById('found').textContent = found.join(';');
});
</script>'''


def browse(browser, dark):
    """What the frames found, and the messages in the console."""
    shown = subprocess.run(
        [browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
         '--user-data-dir=' + os.path.join(work, 'profile'), '--allow-file-access-from-files',
         '--enable-logging=stderr', '--blink-settings=preferredColorScheme=%d' % (not dark),
         '--dump-dom', 'file://' + os.path.join(work, 'frames.html')],
        capture_output=True, text=True, timeout=120, env=dict(os.environ, HOME=work))
    found = re.search('<pre id="found">(.*?)</pre>', shown.stdout)
    console = [l for l in shown.stderr.splitlines() if ':CONSOLE' in l]
    return [f.split() for f in found.group(1).split(';')] if found else [], console


def test_browser():
    browser = shutil.which('chromium')
    if browser is None:
        check('in a browser # SKIP no chromium', True)
        return
    write('frames.html', FRAMES)
    for scheme, ground in (('light', 'rgb(255,255,255)'), ('dark', 'rgb(20,23,27)')):
        found, console = browse(browser, scheme == 'dark')
        check(scheme + ': nothing is said in the console',
              len(console) == 1 and 'heard' in console[0], console)
        check(scheme + ': no page is wider than its window',
              len(found) == 4 and all(int(f[1]) <= int(f[0]) and int(f[2]) <= int(f[0]) for f in found),
              found)
        check(scheme + ': the colours are its own', [f[3] for f in found] == [ground] * 4, found)
        check(scheme + ': a phone scrolls the table in its box',
              found and found[0][4] == found[2][4] == 'true', found)
        check(scheme + ': on a phone no row is six lines tall',
              found and all(float(f[5]) < 5.5 for f in found if f[0] == '390'), found)
        check(scheme + ': columns sort, and the pointer reads values', found and all(f[7] == 'true' for f in found), found)
        check(scheme + ': what scrolls shows so at its edges', found and all(f[6] == '2/4' for f in found), found)


make_run()
tap.main()
