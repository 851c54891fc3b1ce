"""A night from the command line: stages in turn, within their time, killed and resumed."""
import os
import re
import shutil
import sqlite3
import time

import small_night
import tap
from small_night import RUNS
from tap import check, count_rows, dump, query, read, refuses, run, run_of, source, start, wait_for, works, write


def run_of_stage(path, stage):
    return query(path, "SELECT id FROM run WHERE stage = '%s'" % stage)


def test_night():
    whole = works('a night goes to its end', 'evolve', 'night.yaml', '-o', 'whole.db', '--threads', '2')
    check('every stage tells what it came to', all('stage    ' + name in whole.stdout for name in RUNS), whole.stdout)
    check('and the match who is better', 'EVOL* - EVOL0' in whole.stdout and '24 games' in whole.stdout, whole.stdout)
    check('parameters lie beside it', all(os.path.exists('whole-%s.yaml' % s) for s in ('evolve', 'coevolve', 'search')))
    check('and the report', 'report      %s/whole.html' % os.getcwd() in whole.stdout and os.path.exists('whole.html'), whole.stdout)
    one = run('evolve', 'night.yaml', '-o', 'one.db', '--threads', '1')
    check('one thread gives the same night', one.returncode == 0 and dump('one.db') == dump('whole.db'), one.stderr)
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
        works('verify ' + name, 'verify', 'whole.db#' + name)
    works('export of a stage', 'export', 'whole.db#search', '--format', 'csv', says='NULL_MOVE_USE')
    refuses('a night is asked for one', 'name one of them', 'export', 'whole.db', '--format', 'csv')
    refuses('a stage that there is not', "no stage 'nothing'; the stages are evolve, coevolve", 'status',
            'whole.db#nothing')


def test_names():
    """A night's file may have another name: a stage that reads another one of the file does not keep the name."""
    kept = query('whole.db', "SELECT path FROM data WHERE role = 'evaluation' AND " + run_of('search'))
    check('the evaluation of a search is a stage of its own file', kept == [('#coevolve',)], kept)
    shutil.copy('whole.db', 'kept')
    os.rename('whole.db', 'moved.db')
    works('it verifies under its new name', 'verify', 'moved.db#search')
    longer = run('resume', 'moved.db', '--again', 'search', '--generations', '4')
    check('and goes on', longer.returncode == 0 and
          query('moved.db', 'SELECT max(idx) FROM generation WHERE ' + run_of('search')) == [(4,)], longer.stderr)
    os.rename('kept', 'whole.db')


def test_no_time():
    """A stage that has no time measures no whole population: it ends with the organisms that it has."""
    works('a night without time ends too', 'evolve', 'night.yaml', '-o', 'hasty.db', '--hours', '0.000001',
          says='no time is left for it')
    for name, whole in (('evolve-1', 6), ('evolve-2', 6), ('search', 4)):
        count = count_rows('hasty.db', 'organism WHERE generation = 0 AND ' + run_of(name))
        recipe = query('hasty.db', "SELECT value FROM property WHERE key = 'recipe' AND " + run_of(name))[0][0]
        check('the population of %s is what was measured' % name, 2 <= count < whole and
              re.search('population: %d\\b' % count, recipe), (count, recipe))
    works('such a run is verified as any other', 'verify', 'hasty.db#search')


def test_time():
    """Stages that never end by themselves are cut, each after its share."""
    began = time.time()
    cut = run('evolve', 'night.yaml', '-o', 'cut.db', '--hours', '0.0008', '--threads', '1', *[
        word for stage in ('evolve', 'coevolve', 'search')
        for word in ('--set', 'stages.%s.set.ga.generations=100000' % stage)],
        '--set', 'stages.match.games=180', '--set', 'stages.match.limit=3000')
    seconds = time.time() - began
    check('a night ends when its time is over', cut.returncode == 0 and seconds > 2.1, (seconds, cut.stderr))
    check('every stage ran', all(count_rows('cut.db', 'generation WHERE ' + run_of(name)) > 0 for name in RUNS) and
          count_rows('cut.db', 'match_game') > 0)
    ended = dict(query('cut.db', "SELECT key, value FROM property WHERE key LIKE '%.ended'"))
    given = float(query('cut.db', "SELECT value FROM property WHERE key = 'seconds'")[0][0])
    check('the night knows what it was given', abs(given - 0.0008 * 3600) < 0.01 and
          'of 2.9 s' in run('status', 'cut.db').stdout, given)
    check('and was cut', set(ended.values()) == {'time'} and len(ended) == 5, ended)
    check('what is left: the pairings have about as many games', max(
        games := [n for _, n in query('cut.db', 'SELECT pairing, count(*) FROM match_game GROUP BY pairing')])
        - min(games) <= 20, games)


def resumed_meanwhile(path):
    """Runs a night, and resumes it until it is over. Returns whether each resume was refused, the night, and what it
    printed."""
    night = start('evolve', 'night.yaml', '-o', path)
    state = lambda: os.path.exists(path) and query(path, "SELECT value FROM property WHERE run_id = 1 AND key = 'state'")
    wait_for(state)
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
    for path in ('held-1.db', 'held-2.db'):
        refused, night, error = resumed_meanwhile(path)
        tries += len(refused)
        check('another process cannot resume it meanwhile', all(refused), refused)
        check('and it goes to its end', night.returncode == 0 and dump(path) == dump('whole.db'), error)
        if tries > 0:
            break
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
    write('two.yaml', 'name: two\nphase: night\nseed: 7\nhours: 0.1\nstages:\n  evolve: {recipe: evolve.yaml, runs: 2}\n')
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
        write(name, 'mine\n')
        refuses(name + ' is not overwritten', name + ' exists, and the new run would overwrite it; move it away',
                'evolve', 'night.yaml', '-o', 'other.db', absent='other.db')
        os.remove(name)
    shutil.copy('search.yaml', 'own-search.yaml')
    forced = run('evolve', 'night.yaml', '-o', 'own.db', '--set', 'stages.search.recipe=own-search.yaml', '--force')
    check('the recipe of a stage is not overwritten even by force', forced.returncode == 2 and
          'own-search.yaml is the recipe of the run' in forced.stderr and not os.path.exists('own.db') and
          read('own-search.yaml') == read('search.yaml'), forced.stderr)
    works('what the night wrote it may write again', 'resume', 'whole.db', says='whole.html')
    with open('whole-coevolve.yaml', 'a') as f:
        f.write('# mine\n')
    refuses('unless it was changed', 'whole-coevolve.yaml exists', 'resume', 'whole.db')
    works('or by force', 'resume', 'whole.db', '--force')


def test_coevolved_search():
    """A coevolution is of the sort that its space is: here of a search, with an evaluation before it."""
    write('play.yaml', 'name: p\nphase: coevolution\nspace: "%s"\ndata: {openings: openings.epd}\n'
            'fitness: {limit: 60, mates: yes, start_games: 2}\noptimiser: {kind: evolution-strategy}\n'
            'ga: {population: 5, generations: 2}\n' % os.path.join(source, 'params', 'search-space.yaml'))
    write('play-night.yaml', 'name: play\nphase: night\nseed: 7\nhours: 0.1\nstages:\n'
            '  coevolve: {recipe: coevolve.yaml}\n'
            '  search: {recipe: search.yaml}\n'
            '  play: {recipe: play.yaml, seeds: search, evaluation: coevolve}\n'
            '  match:\n    games: 4\n    limit: 60\n    openings: openings.epd\n    players:\n'
            '      A: {evaluation: coevolve, search: play}\n'
            '      B: {evaluation: coevolve, search: search}\n')
    works('a search may be coevolved', 'evolve', 'play-night.yaml', '-o', 'play.db')
    check('status has its gain, for points', 'generation 2 of 2, Elo not known yet' in run('status', 'play.db').stdout)
    seeds = query('play.db', 'SELECT source FROM seed WHERE ' + run_of('play'))
    check('from searches', seeds == [('play.db#search',)], seeds)
    with open('play-play.yaml') as f:
        check('and is a search', 'kind: search\n' in f.read())
    check('verify plays its games again, with that evaluation', run('verify', 'play.db#play').returncode == 0)
    os.makedirs('elsewhere/below', exist_ok=True)
    works('a night may be read from any folder', 'resume', '../../play.db', says='play.html', cwd='elsewhere/below')
    refuses('seeds of another kind are told before the night',
            'play-night.yaml:8:29: stages.play.seeds: the stage search evolves kind search-modern, and this one search',
            'evolve', 'play-night.yaml', '-o', 'bad.db', '--set',
            'stages.search.set.space=' + os.path.join(source, 'params', 'search-modern-space.yaml'), absent='bad.db')
    with open(os.path.join(source, 'params', 'search-space.yaml')) as f:
        space = f.read()
    write('narrow-space.yaml', re.sub(r'(  FUTILITY_DEPTH: +)\{.*?\}', r'\1{bits: 1, min: 2, max: 3}', space))
    refuses('so is a range that may not hold the seeds',
            ('stages.play.seeds: the stage search has FUTILITY_DEPTH from 0 to 3, ', 'and this one from 2 to 3'),
            'evolve', 'play-night.yaml', '-o', 'bad.db', '--dry-run', '--set',
            'stages.play.set.space=narrow-space.yaml')
    refuses('but not from evaluations', 'evolves an evaluation; expected one that evolves a search', 'evolve',
            'play-night.yaml', '-o', 'bad.db', '--set', 'stages.play.seeds=coevolve')


def test_paths():
    """Paths of a night's recipe are relative to it, also in `set`, and may have commas."""
    os.makedirs('apart/data', exist_ok=True)
    shutil.copy('train-1.epd', 'apart/data/a, b.epd')
    for name in ('evolve.yaml', 'train-1.epd'):
        shutil.copy(name, 'apart')
    write('apart/night.yaml', 'name: a b/c\nphase: night\nseed: 7\nhours: 0.1\nset: {ga: {generations: 2}}\nstages:\n'
            '  evolve: {recipe: evolve.yaml, set: {data: {train: ["data/a, b.epd"]}}}\n')
    works('a file is named without spaces and slashes', 'evolve', 'apart/night.yaml', '--dry-run',
          says='a-b-c-seed7.db')
    done = run('evolve', 'apart/night.yaml', '-o', 'apart.db')
    data = query('apart.db', "SELECT path FROM data WHERE role = 'train'") if done.returncode == 0 else []
    check('paths of set are relative to the recipe', data == [('apart/data/a, b.epd',)], (data, done.stderr))
    here = run('evolve', 'apart/night.yaml', '-o', 'here.db', '--set', 'stages.evolve.set.data.train=[train-1.epd]')
    data = query('here.db', "SELECT path FROM data WHERE role = 'train'") if here.returncode == 0 else []
    check('those of the command line to the folder of work', data == [('train-1.epd',)], (data, here.stderr))
    stage = 'name: set\nphase: night\nstages:\n  evolve: {recipe: evolve.yaml, set: %s}\n'
    write('apart/lost.yaml', stage % '{data: {train: [train-1.epd, openings.epd]}}')
    lost = run('evolve', 'apart/lost.yaml', '-o', 'lost.db')
    check('a file of set that is not there is not one of the folder of work', lost.returncode == 2 and
          lost.stderr.startswith("grayling: apart/lost.yaml: stages.evolve: set data.train: cannot open 'openings.epd'") and
          'relative to the recipe' in lost.stderr and not os.path.exists('lost.db'), lost.stderr)
    write('apart/named.yaml', stage % '{ga: {seeds: [paper-eval]}}')
    works('a name may be that of a file of the program', 'evolve', 'apart/named.yaml', '-o', 'named.db', '--dry-run',
          env=dict(os.environ, GRAYLING_DATA=source))
    deep = '/'.join(['.'] * 495) + '/deep.db'
    refuses('a path that is too long is told', 'the path is too long', 'evolve', 'apart/night.yaml', '-o', deep,
            absent='deep.db')


def test_bad_input():
    def refused(what, reason, *settings):
        refuses(what, reason, 'evolve', 'night.yaml', '-o', 'bad.db', *[w for s in settings for w in ('--set', s)],
                absent='bad.db')
    refused('an unknown key', 'did you mean share?', 'stages.search.shares=1')
    refused('what the recipe says itself', 'the recipe determines what it evolves', 'stages.search.evolves=search')
    refused('a key of the stage\'s recipe', 'population', 'stages.search.set.ga.populatoin=4')
    refused('a key that is longer than any', 'unknown key',
            'stages.search.set={ga: {%s: {size: 2}}}' % ('x' * 300))
    refused('seeds of the recipe and of a stage', 'stages.coevolve.seeds: the recipe has seeds already; leave out its ga.seeds',
            'stages.coevolve.set.ga.seeds=[%s]' % os.path.join(source, 'params', 'paper-eval.yaml'))
    few = '90 openings; a generation needs 92 different ones'
    crowd = 'stages.coevolve.set.fitness.seed_games=20'
    refused('too few openings, with the seeds of an earlier stage', few, crowd)
    refuses('a dry run tells it too, and the stage', ('stage coevolve: ', few), 'evolve', 'night.yaml', '-o',
            'bad.db', '--dry-run', '--set', crowd)
    write('foreign-space.yaml', 'kind: uci\ncommand: some-engine\nparameters:\n  Hash: {bits: 3, min: 1, max: 8, default: 1}\n')
    refused('an evaluation for another engine', 'of another engine, which has an evaluation of its own; leave the key out',
            'stages.search.set.space=foreign-space.yaml')
    refuses('a time in the past', 'in the past', 'evolve', 'night.yaml', '-o', 'bad.db', '--until',
            '2020-01-01 07:00')
    refuses('no hours', '--hours', 'evolve', 'night.yaml', '-o', 'bad.db', '--hours', '0')


small_night.write_recipes()
tap.main()
