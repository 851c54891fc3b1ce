"""A night from the command line: stages in turn, within their time, killed and resumed. Speaks TAP.

    night_runs.py GRAYLING SOURCE
"""
import os
import re
import shutil
import sqlite3
import sys
import time

import small_night
import tap
from small_night import RUNS
from tap import check, query, run_of

grayling, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tap.enter_scratch()


def run(*arguments, **options):
    return tap.run(grayling, *arguments, **options)


def run_of_stage(path, stage):
    return query(path, "SELECT id FROM run WHERE stage = '%s'" % stage)


def everything(path):
    """What there is of a night but for the clock."""
    tables = []
    for name in RUNS:
        of = run_of(name)
        tables.append(query(path, 'SELECT * FROM organism WHERE %s ORDER BY generation, idx' % of))
        tables.append(query(path, 'SELECT * FROM genome WHERE %s ORDER BY id' % of))
        tables.append(query(path, 'SELECT idx, best, measure, held_out FROM generation WHERE %s ORDER BY idx' % of))
        tables.append(query(path, 'SELECT * FROM game WHERE %s ORDER BY generation, number' % of))
    for table in ('match_player', 'match_pairing', 'match_game'):
        tables.append(query(path, 'SELECT * FROM %s ORDER BY 1, 2, 3' % table))
    return tables


def test_night():
    whole = run('evolve', 'night.yaml', '-o', 'whole.db', '--threads', '2')
    check('a night goes to its end', whole.returncode == 0, whole.stderr)
    check('every stage tells what it came to', all('stage    ' + name in whole.stdout for name in RUNS), whole.stdout)
    check('and the match who is better', 'EVOL* - EVOL0' in whole.stdout and '24 games' in whole.stdout, whole.stdout)
    check('parameters lie beside it', all(os.path.exists('whole-%s.yaml' % s) for s in ('evolve', 'coevolve', 'search')))
    check('and the report', 'report      %s/whole.html' % os.getcwd() in whole.stdout and os.path.exists('whole.html'), whole.stdout)
    one = run('evolve', 'night.yaml', '-o', 'one.db', '--threads', '1')
    check('one thread gives the same night', one.returncode == 0 and everything('one.db') == everything('whole.db'), one.stderr)
    games = query('whole.db', 'SELECT pairing, count(*) FROM match_game GROUP BY pairing')
    check('everyone meets everyone', games == [(0, 24), (1, 24), (2, 24)], games)
    check('the overriding value counts', query('whole.db', 'SELECT max(idx) FROM generation WHERE ' + run_of('search')) == [(3,)])


def test_stages():
    """A stage is a run wherever a run is named."""
    status = run('status', 'whole.db')
    check('status has all stages', status.returncode == 0 and status.stdout.count('complete') == 6, status.stdout)
    seeds = query('whole.db', 'SELECT source FROM seed WHERE %s ORDER BY idx' % run_of('coevolve'))
    check('coevolution begins with the runs before', seeds == [('whole.db#evolve-1',), ('whole.db#evolve-2',)], seeds)
    for name in RUNS:
        verified = run('verify', 'whole.db#' + name)
        check('verify ' + name, verified.returncode == 0, verified.stderr)
    exported = run('export', 'whole.db#search', '--format', 'csv')
    check('export of a stage', exported.returncode == 0 and 'NULL_MOVE_USE' in exported.stdout, exported.stderr)
    bare = run('export', 'whole.db', '--format', 'csv')
    check('a night is asked for one', bare.returncode == 2 and 'name one of them' in bare.stderr, bare.stderr)
    none = run('status', 'whole.db#nothing')
    check('a stage that there is not', none.returncode == 2 and
          "no stage 'nothing'; the stages are evolve, coevolve" in none.stderr, none.stderr)


def test_names():
    """A night's file may have another name: a stage that reads another one of the file does not keep the name."""
    kept = query('whole.db', "SELECT path FROM data WHERE role = 'evaluation' AND " + run_of('search'))
    check('the evaluation of a search is a stage of its own file', kept == [('#coevolve',)], kept)
    shutil.copy('whole.db', 'kept')
    os.rename('whole.db', 'moved.db')
    verified = run('verify', 'moved.db#search')
    check('it verifies under its new name', verified.returncode == 0, verified.stderr)
    longer = run('resume', 'moved.db', '--again', 'search', '--generations', '4')
    check('and goes on', longer.returncode == 0 and
          query('moved.db', 'SELECT max(idx) FROM generation WHERE ' + run_of('search')) == [(4,)], longer.stderr)
    os.rename('kept', 'whole.db')


def test_kills():
    slow = ['--set', 'stages.match.limit=300', '--set', 'stages.search.set.fitness.limit=3000',
            '--set', 'stages.coevolve.set.fitness.limit=300']
    check('a slower night', run('evolve', 'night.yaml', '-o', 'slow.db', *slow).returncode == 0)
    tap.kill_often(lambda: tap.start(grayling, 'evolve', 'night.yaml', '-o', 'killed.db', *slow),
                   lambda threads: tap.start(grayling, 'resume', 'killed.db', '--threads', str(threads)),
                   'killed.db', lambda: sum(tap.rows('killed.db', t) for t in ('genome', 'game', 'match_game')),
                   kills=8, most=50)
    end = run('resume', 'killed.db')
    check('killed and resumed, it is the same night', end.returncode == 0 and
          everything('killed.db') == everything('slow.db'), end.stderr)


def test_no_time():
    """A stage that has no time measures no whole population: it ends with the organisms that it has."""
    hasty = run('evolve', 'night.yaml', '-o', 'hasty.db', '--hours', '0.000001')
    check('a night without time ends too', hasty.returncode == 0 and 'no time is left for it' in hasty.stdout, hasty.stderr)
    for name, whole in (('evolve-1', 6), ('evolve-2', 6), ('search', 4)):
        count = tap.rows('hasty.db', 'organism WHERE generation = 0 AND ' + run_of(name))
        recipe = query('hasty.db', "SELECT value FROM property WHERE key = 'recipe' AND " + run_of(name))[0][0]
        check('the population of %s is what was measured' % name, 2 <= count < whole and
              re.search('population: %d\\b' % count, recipe), (count, recipe))
    again = run('verify', 'hasty.db#search')
    check('such a run is verified as any other', again.returncode == 0, again.stderr)


def test_time():
    """Stages that never end by themselves are cut, each after its share."""
    began = time.time()
    cut = run('evolve', 'night.yaml', '-o', 'cut.db', '--hours', '0.0022', *[
        word for stage in ('evolve', 'coevolve', 'search')
        for word in ('--set', 'stages.%s.set.ga.generations=100000' % stage)],
        '--set', 'stages.match.games=180', '--set', 'stages.match.limit=3000')
    seconds = time.time() - began
    check('a night ends when its time is over', cut.returncode == 0 and seconds > 6, (seconds, cut.stderr))
    check('every stage ran', all(tap.rows('cut.db', 'generation WHERE ' + run_of(name)) > 0 for name in RUNS) and
          tap.rows('cut.db', 'match_game') > 0)
    ended = dict(query('cut.db', "SELECT key, value FROM property WHERE key LIKE '%.ended'"))
    given = float(query('cut.db', "SELECT value FROM property WHERE key = 'seconds'")[0][0])
    check('the night knows what it was given', abs(given - 0.0022 * 3600) < 0.01 and
          'of 7.9 s' in run('status', 'cut.db').stdout, given)
    check('and was cut', set(ended.values()) == {'time'} and len(ended) == 5, ended)
    check('what is left: the pairings have about as many games', max(
        games := [n for _, n in query('cut.db', 'SELECT pairing, count(*) FROM match_game GROUP BY pairing')])
        - min(games) <= 20, games)


def resumed_meanwhile(path):
    """Runs a night, and resumes it until it is over. Returns whether each resume was refused, the night, and what it
    printed."""
    night = tap.start(grayling, 'evolve', 'night.yaml', '-o', path)
    state = lambda: os.path.exists(path) and query(path, "SELECT value FROM property WHERE run_id = 1 AND key = 'state'")
    tap.wait_for(state)
    refused = []
    while state() == [('running',)]:
        second = run('resume', path)
        if state() == [('running',)]:
            refused.append(second.returncode == 2 and 'locked by another' in second.stderr)
    return refused, night, night.communicate()[1]


def test_one_at_a_time():
    """A night is one process's from its beginning until its outcome is written, between its stages too. On a busy
    machine a night may be over before the first resume is."""
    tries = 0
    for path in ('held-1.db', 'held-2.db', 'held-3.db', 'held-4.db'):
        refused, night, error = resumed_meanwhile(path)
        tries += len(refused)
        check('another process cannot resume it meanwhile', all(refused), refused)
        check('and it goes to its end', night.returncode == 0 and everything(path) == everything('whole.db'), error)
    check('and one has tried', tries > 0)


def forget(path, stage):
    """Makes a night one whose last stage or run has not begun."""
    with sqlite3.connect(path) as db:
        (number,), = db.execute('SELECT id FROM run WHERE stage = ?', [stage])
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'run'").fetchall():
            db.execute('DELETE FROM %s WHERE run_id = ?' % table, [number])
        db.execute('DELETE FROM run WHERE id = ?', [number])
        db.execute("DELETE FROM property WHERE run_id = 1 AND key LIKE ?", [stage + '.%'])


def test_data_of_a_stage():
    """All runs of a stage learn from the same data, also if the night was interrupted between two of them."""
    with open('two.yaml', 'w') as f:
        f.write('name: two\nphase: night\nseed: 7\nhours: 0.1\nstages:\n  evolve: {recipe: evolve.yaml, runs: 2}\n')
    check('a stage of two runs', run('evolve', 'two.yaml', '-o', 'two.db').returncode == 0)
    organisms = query('two.db', 'SELECT * FROM organism ORDER BY 1, 2, 3')
    forget('two.db', 'evolve-2')
    check('the second has not begun', run_of_stage('two.db', 'evolve-2') == [])
    shutil.copy('train-1.epd', 'kept.epd')
    with open('train-1.epd', 'a') as f:
        f.write('4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n')
    other = run('resume', 'two.db')
    shutil.move('kept.epd', 'train-1.epd')
    check('it does not begin with other data', other.returncode == 1 and 'evolve-2: ' in other.stderr and
          'train-1.epd (train) has changed since the stage began' in other.stderr and
          run_of_stage('two.db', 'evolve-2') == [], other.stderr)
    on = run('resume', 'two.db')
    check('but with the old', on.returncode == 0 and
          query('two.db', 'SELECT * FROM organism ORDER BY 1, 2, 3') == organisms, on.stderr)


def test_outcome():
    """Files that are there are kept, and said before the night begins."""
    for name in ('other-search.yaml', 'other.html'):
        with open(name, 'w') as f:
            f.write('mine\n')
        refused = run('evolve', 'night.yaml', '-o', 'other.db')
        check(name + ' is not overwritten', refused.returncode == 2 and
              name + ' exists, and the new run would overwrite it; move it away' in refused.stderr and
              refused.stderr.count('\n') == 1 and not os.path.exists('other.db'), refused.stderr)
        os.remove(name)
    shutil.copy('search.yaml', 'own-search.yaml')
    forced = run('evolve', 'night.yaml', '-o', 'own.db', '--set', 'stages.search.recipe=own-search.yaml', '--force')
    check('the recipe of a stage is not overwritten even by force', forced.returncode == 2 and
          'own-search.yaml is the recipe of the run' in forced.stderr and not os.path.exists('own.db') and
          tap.read('own-search.yaml') == tap.read('search.yaml'), forced.stderr)
    again = run('resume', 'whole.db')
    check('what the night wrote it may write again', again.returncode == 0 and 'whole.html' in again.stdout, again.stderr)
    with open('whole-coevolve.yaml', 'a') as f:
        f.write('# mine\n')
    refused = run('resume', 'whole.db')
    check('unless it was changed', refused.returncode == 2 and 'whole-coevolve.yaml exists' in refused.stderr, refused.stderr)
    forced = run('resume', 'whole.db', '--force')
    check('or by force', forced.returncode == 0, forced.stderr)


def test_coevolved_search():
    """A coevolution is of the sort that its space is: here of a search, with an evaluation before it."""
    with open('play.yaml', 'w') as f:
        f.write('name: p\nphase: coevolution\nspace: "%s"\ndata: {openings: openings.epd}\n'
                'fitness: {limit: 60}\nga: {population: 4, generations: 2}\n' %
                os.path.join(source, 'params', 'search-space.yaml'))
    with open('play-night.yaml', 'w') as f:
        f.write('name: play\nphase: night\nseed: 7\nhours: 0.1\nstages:\n'
                '  coevolve: {recipe: coevolve.yaml}\n'
                '  search: {recipe: search.yaml}\n'
                '  play: {recipe: play.yaml, seeds: search, evaluation: coevolve}\n'
                '  match:\n    games: 4\n    limit: 60\n    openings: openings.epd\n    players:\n'
                '      A: {evaluation: coevolve, search: play}\n'
                '      B: {evaluation: coevolve, search: search}\n')
    done = run('evolve', 'play-night.yaml', '-o', 'play.db')
    check('a search may be coevolved', done.returncode == 0, done.stderr)
    seeds = query('play.db', 'SELECT source FROM seed WHERE ' + run_of('play'))
    check('from searches', seeds == [('play.db#search',)], seeds)
    with open('play-play.yaml') as f:
        check('and is a search', 'kind: search\n' in f.read())
    check('verify plays its games again, with that evaluation', run('verify', 'play.db#play').returncode == 0)
    os.makedirs('elsewhere/below', exist_ok=True)
    afar = run('resume', '../../play.db', cwd='elsewhere/below')
    check('a night may be read from any folder', afar.returncode == 0 and 'play.html' in afar.stdout, afar.stderr)
    modern = run('evolve', 'play-night.yaml', '-o', 'bad.db', '--set',
                 'stages.search.set.space=' + os.path.join(source, 'params', 'search-modern-space.yaml'))
    check('seeds of another kind are told before the night', modern.returncode == 2 and
          'play-night.yaml:8:29: stages.play.seeds: the stage search evolves kind search-modern, and this one search' in
          modern.stderr and not os.path.exists('bad.db'), modern.stderr)
    with open(os.path.join(source, 'params', 'search-space.yaml')) as f:
        space = f.read()
    with open('narrow-space.yaml', 'w') as f:
        f.write(re.sub(r'(  FUTILITY_DEPTH: +)\{.*?\}', r'\1{bits: 1, min: 2, max: 3}', space))
    narrow = run('evolve', 'play-night.yaml', '-o', 'bad.db', '--dry-run', '--set', 'stages.play.set.space=narrow-space.yaml')
    check('so is a range that may not hold the seeds', narrow.returncode == 2 and
          'stages.play.seeds: the stage search has FUTILITY_DEPTH from 0 to 3, ' in narrow.stderr and
          'and this one from 2 to 3' in narrow.stderr, narrow.stderr)
    wrong = run('evolve', 'play-night.yaml', '-o', 'bad.db', '--set', 'stages.play.seeds=coevolve')
    check('but not from evaluations', wrong.returncode == 2 and
          'evolves an evaluation; expected one that evolves a search' in wrong.stderr, wrong.stderr)


def test_paths():
    """Paths of a night's recipe are relative to it, also in `set`, and may have commas."""
    os.makedirs('apart/data', exist_ok=True)
    shutil.copy('train-1.epd', 'apart/data/a, b.epd')
    for name in ('evolve.yaml', 'train-1.epd'):
        shutil.copy(name, 'apart')
    with open('apart/night.yaml', 'w') as f:
        f.write('name: a b/c\nphase: night\nseed: 7\nhours: 0.1\nset: {ga: {generations: 2}}\nstages:\n'
                '  evolve: {recipe: evolve.yaml, set: {data: {train: ["data/a, b.epd"]}}}\n')
    dry = run('evolve', 'apart/night.yaml', '--dry-run')
    check('a file is named without spaces and slashes', dry.returncode == 0 and 'a-b-c-seed7.db' in dry.stdout,
          dry.stdout + dry.stderr)
    done = run('evolve', 'apart/night.yaml', '-o', 'apart.db')
    data = query('apart.db', "SELECT path FROM data WHERE role = 'train'") if done.returncode == 0 else []
    check('paths of set are relative to the recipe', data == [('apart/data/a, b.epd',)], (data, done.stderr))
    here = run('evolve', 'apart/night.yaml', '-o', 'here.db', '--set', 'stages.evolve.set.data.train=[train-1.epd]')
    data = query('here.db', "SELECT path FROM data WHERE role = 'train'") if here.returncode == 0 else []
    check('those of the command line to the folder of work', data == [('train-1.epd',)], (data, here.stderr))
    stage = 'name: set\nphase: night\nstages:\n  evolve: {recipe: evolve.yaml, set: %s}\n'
    tap.write('apart/lost.yaml', stage % '{data: {train: [train-1.epd, openings.epd]}}')
    lost = run('evolve', 'apart/lost.yaml', '-o', 'lost.db')
    check('a file of set that is not there is not one of the folder of work', lost.returncode == 2 and
          lost.stderr.startswith("grayling: apart/lost.yaml: stages.evolve: set data.train: cannot open '/") and
          "/apart/openings.epd'" in lost.stderr and not os.path.exists('lost.db'), lost.stderr)
    tap.write('apart/named.yaml', stage % '{ga: {seeds: [paper-eval]}}')
    named = run('evolve', 'apart/named.yaml', '-o', 'named.db', '--dry-run', env=dict(os.environ, GRAYLING_DATA=source))
    check('a name may be that of a file of the program', named.returncode == 0, named.stderr)
    deep = '/'.join(['.'] * 495) + '/deep.db'
    long = run('evolve', 'apart/night.yaml', '-o', deep)
    check('a path that is too long is told', long.returncode == 2 and 'the path is too long' in long.stderr and
          not os.path.exists('deep.db'), long.stderr)


def test_bad_input():
    def refused(what, reason, *settings):
        bad = run('evolve', 'night.yaml', '-o', 'bad.db', *[w for s in settings for w in ('--set', s)])
        check(what, bad.returncode == 2 and reason in bad.stderr and bad.stderr.count('\n') == 1 and
              not os.path.exists('bad.db'), bad.stderr)
    refused('a stage that is not there', "'later' is not an earlier stage", 'stages.coevolve.seeds=later')
    refused('a stage of another sort', 'evolves a search; expected', 'stages.match.players.EVOL*.evaluation=search')
    refused('an unknown key', 'did you mean share?', 'stages.search.shares=1')
    refused('what the recipe says itself', 'the recipe determines what it evolves', 'stages.search.evolves=search')
    refused('a key of the stage\'s recipe', 'population', 'stages.search.set.ga.populatoin=4')
    refused('a key that is longer than any', 'no recipe has such a long key',
            'stages.search.set={ga: {%s: {size: 2}}}' % ('x' * 300))
    refused('an odd number of games', 'an even number', 'stages.match.games=3')
    refused('seeds of the recipe and of a stage', 'stages.coevolve.seeds: the recipe has seeds already; leave out its ga.seeds',
            'stages.coevolve.set.ga.seeds=[%s]' % os.path.join(source, 'params', 'paper-eval.yaml'))
    few = '90 openings; a generation needs 92 different ones'
    crowd = 'stages.coevolve.set.fitness.seed_games=20'
    refused('too few openings, with the seeds of an earlier stage', few, crowd)
    dry = run('evolve', 'night.yaml', '-o', 'bad.db', '--dry-run', '--set', crowd)
    check('a dry run tells it too, and the stage', dry.returncode == 2 and 'stage coevolve: ' in dry.stderr and
          few in dry.stderr, dry.stderr)
    with open('foreign-space.yaml', 'w') as f:
        f.write('kind: uci\ncommand: some-engine\nparameters:\n  Hash: {bits: 3, min: 1, max: 8, default: 1}\n')
    refused('an evaluation for another engine', 'of another engine, which has an evaluation of its own; leave the key out',
            'stages.search.set.space=foreign-space.yaml')
    past = run('evolve', 'night.yaml', '-o', 'bad.db', '--until', '2020-01-01 07:00')
    check('a time in the past', past.returncode == 2 and 'in the past' in past.stderr, past.stderr)
    hours = run('evolve', 'night.yaml', '-o', 'bad.db', '--hours', '0')
    check('no hours', hours.returncode == 2 and '--hours' in hours.stderr, hours.stderr)


small_night.write_recipes(source)
test_night()
test_stages()
test_names()
test_kills()
test_no_time()
test_time()
test_one_at_a_time()
test_data_of_a_stage()
test_outcome()
test_coevolved_search()
test_paths()
test_bad_input()
tap.plan()
