"""Optimisers compared from the command line: one file, interrupted and resumed, drawn and reported."""
import os
import re
import xml.etree.ElementTree

import tap
from tap import check, count_rows, query, refuses, run, run_of, source, start, wait_for, works

STAGES = ['genetic', 'cma-es', 'differential', 'swarm', 'random', 'hill-climbing', 'spsa', 'gradient']
RECIPE = os.path.join(source, 'params', 'recipes', 'compare-moves.yaml')
SEARCH = os.path.join(source, 'params', 'recipes', 'compare-optimisers.yaml')
SMALL = ['--set', 'runs=3', '--set', 'set.data.first=40', '--set', 'set.data.held_out=[]',
         '--set', 'set.ga.generations=6', '--set', 'set.ga.population=8']


def best(path, stage, n):
    """The best measure of a run."""
    return query(path, 'SELECT max(measure) FROM generation WHERE ' + run_of('%s-%d' % (stage, n)))[0][0]


def organisms(path, stage, generation):
    """The chromosomes of a generation of a stage's second run."""
    return tuple(query(path, 'SELECT hex(chromosome) FROM organism o JOIN genome g ON g.run_id = o.run_id AND '
                             'g.id = o.genome WHERE o.%s AND generation = %d ORDER BY idx' %
                       (run_of(stage + '-2'), generation)))


def test_whole():
    whole = works('a comparison goes to its end', 'evolve', RECIPE, '-o', 'whole.db', *SMALL)
    check('and is called one', 'a comparison of 8 stages' in whole.stdout and 'the comparison is complete' in whole.stdout and
          'night' not in whole.stdout, whole.stdout)
    status = run('status', 'whole.db').stdout
    check('by status too', re.match('comparison +whole.db\n', status) and 'night' not in status, status)
    places = {line.index('complete') for line in status.splitlines() if line.startswith('  ')}
    check('which has a column for how runs ended', len(places) == 1, status)
    first = {organisms('whole.db', s, 0) for s in STAGES}
    check('all begin a seed with the same generation', len(first) == 1, len(first))
    check('and go other ways', len({organisms('whole.db', s, 6) for s in STAGES}) == 8)
    for stage in ('cma-es-2', 'spsa-3', 'swarm-1'):
        works('verify ' + stage, 'verify', 'whole.db#' + stage)


def test_report():
    works('the report is written', 'report', 'whole.db', '-o', 'page.html')
    with open('page.html') as f:
        text = f.read()
    xml.etree.ElementTree.fromstring(text.replace('<!doctype html>', '').replace('&nbsp;', ' '))
    check('its title calls it a comparison', '<title>compare-moves, a comparison, seed 1' in text)
    section = text[text.index('id="comparison"'):]
    section = section[:section.index('</section>')]
    rows = re.findall(r'<tr><th scope="row"><a href="#stage\.([a-z-]+)">.*?</th><td>(.*?)</td>.*?</tr>', section)
    check('the comparison has a row for each', sorted(r[0] for r in rows) == sorted(STAGES), rows)
    check('of three runs', all(r[1] == '3 of 3' for r in rows), rows)
    means = {s: sum(best('whole.db', s, n) for n in (1, 2, 3)) / 3 for s in STAGES}
    order = [means[r[0]] for r in rows]
    check('the best mean first', order == sorted(order, reverse=True), order)
    check('with the mean of its runs', '%.2f' % (100 * means[rows[0][0]] / 40) in section, means)
    picture = section[section.index('<svg class="wide"'):section.index('<svg class="narrow"')]
    names = sorted((float(y), name) for y, name in re.findall('y="([0-9.]+)"[^>]*tint s[0-9]">[0-9]+  ([a-z-]+)<', picture))
    ends = [means[name] for _, name in names] # equal ones in any order
    check('the picture names the lines at their ends, in their order', ends == order, (names, order))
    check('no two names overlap', all(b - a > 12 for (a, _), (b, _) in zip(names, names[1:])), names)
    check('it is by evaluations', '>evaluations</text>' in picture and '>56</text>' not in picture)
    check('with a line for each stage', len(re.findall('<path class="curve s[0-9]"', picture)) == len(STAGES), picture)
    check('and bands for the first two alone', picture.count('class="band ') == 2)
    check('nothing is held out, so no column is empty', 'held out' not in text and '<td>–</td>' not in section, section)
    tile = re.search(r'<div class="(\w+)"><dt>First of 8 stages</dt><dd>(.*?)</dd><dd class="note">(.*?)</dd>', text)
    check('the head names the first, grey if it is not decided', tile and tile.group(2) == rows[0][0] and
          (tile.group(1) == 'open') == ('not decided against ' + rows[1][0] in tile.group(3)), text[:9000][-1500:])
    check('and no hours that nobody gave', 'given' not in text[:text.index('</header>')] and '41 d' not in text)
    night = run('plot', 'whole.db', '-o', 'page.svg')
    with open('page.svg') as f:
        svg = f.read()
    check('the picture names each stage', night.returncode == 0 and all(s in svg for s in STAGES), night.stderr)


def test_unfinished():
    begun = start('evolve', RECIPE, '-o', 'begun.db', *SMALL)
    wait_for(lambda: count_rows('begun.db', 'generation WHERE ' + run_of('genetic-2')) > 2)
    begun.kill()
    begun.communicate()
    page = run('report', 'begun.db', '-o', 'begun.html')
    check('one that is under way is reported', page.returncode == 0 and 'id="comparison"' in open('begun.html').read(), page.stderr)


def test_held_out():
    with open(os.path.join(source, 'data', 'held-out.epd')) as f, open('held-out.epd', 'w') as out:
        out.writelines(f.readline() for _ in range(50))
    works('stages of two sizes of generation are compared', 'evolve', RECIPE, '-o', 'held.db', '--set', 'runs=2',
          '--set', 'set.data.first=20', '--set', 'set.data.held_out=[%s]' % os.path.abspath('held-out.epd'), '--set',
          'set.ga.generations=1', '--set', 'set.ga.population=4', '--set', 'stages.genetic.set.ga.population=8')
    with open('held.html') as f:
        text = f.read()
    section = text[text.index('id="comparison"'):]
    section = section[:section.index('</section>')]
    check('what is held out fills its column', '<th scope="col">held out</th>' in section and '<td>–</td>' not in section, section)
    check('and all are in one picture', len(re.findall('tint s[0-9]">', section)) == 2 * 8, section)


def test_search():
    works('nodes to solution are compared', 'evolve', SEARCH, '-o', 'nodes.db', '--set', 'runs=1', '--set',
          'set.data.first=4', '--set', 'set.fitness.limit=300', '--set', 'set.ga.generations=2', '--set',
          'set.fitness.hash=1')
    sizes = query('nodes.db', "SELECT value FROM property WHERE key = 'train_size' AND " + run_of('spsa'))
    check('on the first positions', sizes == [('4',)], sizes)


def test_refused():
    for what, reason, setting in (('no runs', 'expected a whole number from 1 to 64', 'runs=0'),
                                  ('an unknown key for all', 'population', 'set.ga.populatoin=3')):
        refuses(what, reason, 'evolve', RECIPE, '-o', 'bad.db', '--set', setting, absent='bad.db')


tap.main()
