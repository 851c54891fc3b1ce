"""Optimisers compared from the command line: one file, interrupted and resumed, drawn and reported.
Speaks TAP.

    compare_runs.py GRAYLING SOURCE
"""
import os
import re
import shutil
import sys
import xml.etree.ElementTree

import tap
from tap import check, query, run_of, wait_for

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tap.enter_scratch()
STAGES = ['genetic', 'cma-es', 'differential', 'swarm', 'random', 'hill-climbing', 'spsa', 'gradient']
RECIPE = os.path.join(source, 'params', 'recipes', 'compare-moves.yaml')
SEARCH = os.path.join(source, 'params', 'recipes', 'compare-optimisers.yaml')
SMALL = ['--set', 'runs=3', '--set', 'set.data.first=40', '--set', 'set.data.held_out=[]',
         '--set', 'set.ga.generations=6', '--set', 'set.ga.population=8']


def run(*arguments):
    return tap.run(grayling, *arguments)


def everything(path):
    """What there is of a comparison but for the clock."""
    tables = []
    for stage in STAGES:
        for n in (1, 2, 3):
            of = run_of('%s-%d' % (stage, n))
            tables.append(query(path, 'SELECT * FROM organism WHERE %s ORDER BY generation, idx' % of))
            tables.append(query(path, 'SELECT * FROM genome WHERE %s ORDER BY id' % of))
    return tables


def best(path, stage, n):
    """The best measure of a run."""
    return query(path, 'SELECT max(measure) FROM generation WHERE ' + run_of('%s-%d' % (stage, n)))[0][0]


def organisms(path, stage, generation):
    """The chromosomes of a generation of a stage's second run."""
    return tuple(query(path, 'SELECT hex(chromosome) FROM organism o JOIN genome g ON g.run_id = o.run_id AND '
                             'g.id = o.genome WHERE o.%s AND generation = %d ORDER BY idx' %
                       (run_of(stage + '-2'), generation)))


def test_whole():
    whole = run('evolve', RECIPE, '-o', 'whole.db', *SMALL)
    check('a comparison goes to its end', whole.returncode == 0, whole.stderr)
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
        verified = run('verify', 'whole.db#' + stage)
        check('verify ' + stage, verified.returncode == 0, verified.stderr)


def test_kills():
    tap.kill_often(lambda: tap.start(grayling, 'evolve', RECIPE, '-o', 'killed.db', *SMALL),
                   lambda threads: tap.start(grayling, 'resume', 'killed.db', '--threads', str(threads)),
                   'killed.db', lambda: tap.rows('killed.db', 'genome'), kills=5, most=300)
    end = run('resume', 'killed.db')
    check('killed and resumed, it is the same', end.returncode == 0 and everything('killed.db') == everything('whole.db'),
          end.stderr)


def test_report():
    page = run('report', 'whole.db', '-o', 'page.html')
    check('the report is written', page.returncode == 0, page.stderr)
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
    night = run('plot', 'whole.db', '-o', 'page.svg')
    if 'no plot without gnuplot' in night.stderr:
        print('ok %d - a picture # SKIP no gnuplot' % (tap.count + 1))
        tap.count += 1
        return
    with open('page.svg') as f:
        svg = f.read()
    check('the picture names each stage', night.returncode == 0 and all(s in svg for s in STAGES), night.stderr)


def test_unfinished():
    begun = tap.start(grayling, 'evolve', RECIPE, '-o', 'begun.db', *SMALL)
    wait_for(lambda: tap.rows('begun.db', 'generation WHERE ' + run_of('genetic-2')) > 2)
    begun.kill()
    begun.communicate()
    page = run('report', 'begun.db', '-o', 'begun.html')
    check('one that is under way is reported', page.returncode == 0 and 'id="comparison"' in open('begun.html').read(), page.stderr)


def test_search():
    small = run('evolve', SEARCH, '-o', 'nodes.db', '--set', 'runs=1', '--set', 'set.data.first=4', '--set',
                'set.fitness.limit=300', '--set', 'set.ga.generations=2', '--set', 'set.fitness.hash=1')
    check('nodes to solution are compared', small.returncode == 0, small.stderr)
    sizes = query('nodes.db', "SELECT value FROM property WHERE key = 'train_size' AND " + run_of('spsa'))
    check('on the first positions', sizes == [('4',)], sizes)


def test_refused():
    def refused(what, reason, *settings):
        bad = run('evolve', RECIPE, '-o', 'bad.db', *[w for s in settings for w in ('--set', s)])
        check(what, bad.returncode == 2 and reason in bad.stderr and not os.path.exists('bad.db'), bad.stderr)
    refused('no runs', 'expected a whole number from 1 to 64', 'runs=0')
    refused('a key of another optimiser', 'a key of optimiser spsa, but the optimiser is cma-es',
            'stages.cma-es.set.optimiser.stability=3')
    refused('too few organisms', 'differential-evolution needs 4 or more', 'set.ga.population=3')
    refused('an unknown key for all', 'population', 'set.ga.populatoin=3')


try:
    test_whole()
    test_kills()
    test_report()
    test_unfinished()
    test_search()
    test_refused()
finally:
    shutil.rmtree(work)
tap.plan()
