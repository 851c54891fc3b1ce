"""More time, generations and games for what has ended; a stage by its name; a lost terminal."""
import os
import re
import shutil
import signal
import subprocess

import small_night
import tap
from small_night import RUNS
from tap import (change, check, count_rows, dump, grayling, interrupt, query, read, refuses, run, run_of, start,
                 wait_for, works, write)

ENDLESS = [word for stage in ('evolve', 'coevolve', 'search')
           for word in ('--set', 'stages.%s.set.ga.generations=100000' % stage)] + [
    '--set', 'stages.match.games=180', '--set', 'stages.match.limit=1000', '--threads', '1']
TABLES = ('organism', 'genome', 'game', 'generation', 'match_game')


def stages(path):
    """Each stage's rows of all tables."""
    return {name: {table: query(path, 'SELECT * FROM %s WHERE %s ORDER BY 1, 2, 3' % (table, run_of(name)))
                   for table in TABLES}
            for name, in query(path, "SELECT stage FROM run WHERE stage <> ''")}


def contains(after, before):
    """Whether every row of a stage is still there."""
    return all(set(before[table]) <= set(after[table]) for table in TABLES)


def has_grown(before, after):
    return any(len(after[t]) > len(before[t]) for t in ('generation', 'match_game'))


def extend(database, names, *arguments):
    """Resumes a night with more and more time, as a busy machine needs it, until these stages have grown."""
    before = stages(database)
    for hours in ('0.0002', '0.001', '0.005'):
        done = run('resume', database, '--hours', hours, '--threads', '1', *arguments)
        after = stages(database)
        if done.returncode != 0 or all(has_grown(before[name], after[name]) for name in names):
            break
    return done, after


def verified(path):
    """The stages that do not repeat."""
    return [name for name in RUNS if run('verify', '%s#%s' % (path, name)).returncode != 0]


def test_generations():
    """A run that is made longer is the run that was as long from the beginning."""
    short = run('evolve', 'evolve.yaml', '-o', 'longer.db')
    longer = run('resume', 'longer.db', '--generations', '6')
    check('a complete run goes on', short.returncode == 0 and longer.returncode == 0 and
          'resumes  at generation 4' in longer.stdout and 'generation 6 of 6' in longer.stdout, longer.stderr + longer.stdout)
    run('evolve', 'evolve.yaml', '-o', 'long.db', '--set', 'ga.generations=6')
    check('as if it had been as long from the beginning', dump('longer.db') == dump('long.db'))
    check('and it verifies', run('verify', 'longer.db').returncode == 0)
    refuses('it cannot become shorter', 'has 6 generations; --generations takes a larger', 'resume', 'longer.db',
            '--generations', '2')
    works('a complete run says what makes it longer', 'resume', 'longer.db',
          says='longer.db is complete; --generations N')
    refuses('a run has no games', 'is no night', 'resume', 'longer.db', '--games', '10')


def test_night():
    cut = run('evolve', 'night.yaml', '-o', 'cut.db', '--hours', '0.0003', *ENDLESS)
    check('a night ends by its time', cut.returncode == 0 and cut.stdout.count('ended by its time') == 5, cut.stdout)
    heads = [cut.stdout.count('\n' + word) for word in ('stage ', 'search ', 'measure ')]
    check('the head of a stage is printed once', heads == [5, 3, 4], heads)
    page = read('cut.html')
    check('its page says so, and how it goes on', 'night, seed 7</span> <span class="state">ended by its time</span>' in page and
          'grayling resume cut.db --hours 1\n' in page)
    before = stages('cut.db')
    on, after = extend('cut.db', ['match'])
    check('with more hours the match goes on', on.returncode == 0 and 'reopens  match\n' in on.stdout and
          has_grown(before['match'], after['match']), on.stdout)
    check('no game is played twice', contains(after['match'], before['match']))
    check('a stage that has fed another stays', all(before[name] == after[name] for name in RUNS))
    check('and it is said how it goes on', 'stays    coevolve, as search began from it (--again coevolve extends it)' in on.stdout,
          on.stdout)
    over = run('resume', 'cut.db')
    check('a night that is over says so', over.returncode == 0 and
          "the night is over; 'resume --hours H' gives it more time" in over.stdout and 'stage  ' not in over.stdout, over.stdout)


def test_again():
    before = stages('cut.db')
    again, after = extend('cut.db', ['coevolve'], '--again', 'coevolve')
    check('--again extends a stage', again.returncode == 0 and 'reopens  coevolve\nanew     search, match\n' in again.stdout and
          has_grown(before['coevolve'], after['coevolve']) and contains(after['coevolve'], before['coevolve']),
          again.stdout + again.stderr)
    anew = after['search']['generation'][0] != before['search']['generation'][0]  # by its seconds
    genomes = list(zip(after['search']['genome'], before['search']['genome']))  # one may have had time for more
    same = all(a == b for a, b in genomes)  # if nothing better was found before it
    check('and computes later stages anew',
          anew and (same or after['match']['match_game'][:20] != before['match']['match_game'][:20]))
    orphans = [t for t in TABLES if query('cut.db', 'SELECT count(*) FROM %s WHERE run_id NOT IN (SELECT id FROM run)' % t)[0][0]]
    check('nothing is left of what was removed', orphans == [], orphans)
    check('earlier stages stay', all(before[name] == after[name] for name in ('evolve-1', 'evolve-2')))
    wrong = verified('cut.db')
    check('verify passes for every stage', wrong == [], wrong)
    evolve, last = extend('cut.db', ['evolve-1', 'evolve-2'], '--again', 'evolve')
    check('the first stage goes on, all of its runs', evolve.returncode == 0 and all(
        has_grown(after[name], last[name]) and contains(last[name], after[name]) for name in ('evolve-1', 'evolve-2')),
        evolve.stdout)


def test_lengths():
    """A complete night gets more games, or more generations."""
    whole = run('evolve', 'night.yaml', '-o', 'whole.db')
    page = read('whole.html')
    check('its page says that it is complete', 'night, seed 7</span> <span class="state">complete</span>' in page and
          'grayling resume' not in page)
    before = stages('whole.db')
    more = run('resume', 'whole.db', '--games', '30')
    after = stages('whole.db')
    check('a complete match goes on', whole.returncode == 0 and more.returncode == 0 and
          len(after['match']['match_game']) == 90 and all(before[n] == after[n] for n in RUNS), more.stderr)
    run('evolve', 'night.yaml', '-o', 'thirty.db', '--set', 'stages.match.games=30')
    check('as if it had been as long from the beginning', after['match']['match_game'] == stages('thirty.db')['match']['match_game'])
    refuses('an odd number of games', 'an even number', 'resume', 'whole.db', '--games', '31')
    refuses('stages that fed later ones are not extended unasked',
            '--again evolve extends it, and computes coevolve, search, match anew', 'resume', 'whole.db',
            '--generations', '9')
    again = run('resume', 'whole.db', '--again', 'search', '--generations', '4')
    last = stages('whole.db')
    check('but with --again', again.returncode == 0 and len(last['search']['generation']) == 5 and
          contains(last['search'], before['search']) and len(last['match']['match_game']) == 90, again.stderr + again.stdout)
    check('verify passes for every stage', verified('whole.db') == [])


def test_stage():
    """A stage by its name resumes, is shown, or says what it is instead."""
    match = run('resume', 'whole.db#match', '--games', '32')
    check('a match resumes', match.returncode == 0 and len(stages('whole.db')['match']['match_game']) == 96, match.stderr)
    shown = run('status', 'whole.db#match')
    check('and is shown', shown.returncode == 0 and 'EVOL* - EVOL0' in shown.stdout and 'evolve-1' not in shown.stdout, shown.stdout)
    several = run('status', 'whole.db#evolve')
    check('so is a stage of several runs', several.returncode == 0 and 'evolve-1' in several.stdout and 'evolve-2' in several.stdout and
          'search' not in several.stdout, several.stdout)
    for command in (['export', '--format', 'csv'], ['verify'], ['report', '-o', 'no.html']):
        told = run(command[0], 'whole.db#match', *command[1:])
        check(command[0] + ' says what a match is', told.returncode == 2 and 'whole.db#match is a match: it has games' in told.stderr and
              'damaged' not in told.stderr, told.stderr)
    refuses('export says which runs there are', 'begun so far: evolve-1, evolve-2, coevolve', 'export',
            'whole.db#evolve', '--format', 'csv')
    refuses('a stage that has fed another one', '--again search extends it', 'resume', 'whole.db#search',
            '--generations', '7')
    own = run('resume', 'whole.db#search')
    whole = run('resume', 'whole.db')
    check('its parameter file stays ours', own.returncode == 0 and whole.returncode == 0, own.stderr + whole.stderr)


def notes(path):
    """What a night notes about its stages, and its recipe."""
    return query(path, "SELECT key, value FROM property WHERE run_id = 1 AND (key LIKE '%.%' OR key = 'night') ORDER BY key")


def test_refused():
    """A stage that cannot go on takes nothing away from those after it."""
    before, noted = stages('whole.db'), notes('whole.db')
    shutil.copy('train-1.epd', 'kept.epd')
    with open('train-1.epd', 'a') as f:
        f.write('4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n')
    again = run('resume', 'whole.db', '--again', 'evolve', '--generations', '12')
    shutil.move('kept.epd', 'train-1.epd')
    check('data that has changed refuses --again', again.returncode == 2 and
          'train-1.epd (train) has changed since the run began' in again.stderr, again.stderr)
    check('and the night is as it was', stages('whole.db') == before and notes('whole.db') == noted)
    status = run('status', 'whole.db')
    check('complete', 'state        complete\n' in status.stdout, status.stdout)
    shutil.copy('whole.db', 'tampered.db')
    change('tampered.db', 'UPDATE genome SET measure = measure + 1 WHERE ' + run_of('search'))
    before, noted = stages('tampered.db'), notes('tampered.db')
    other = run('resume', 'tampered.db', '--again', 'search', '--generations', '12')
    check('so does another measure', other.returncode == 2 and 'measures differently' in other.stderr and
          stages('tampered.db') == before and notes('tampered.db') == noted, other.stderr)


def test_comparison():
    """The stages of a comparison share what it gets."""
    write('compare.yaml', 'name: compare\nphase: night\nhours: 1000\nset: {data: {held_out: []}}\nstages:\n'
            '  genetic: {recipe: evolve.yaml}\n  climbing: {recipe: evolve.yaml, set: {optimiser: {kind: hill-climbing}}}\n')
    run('evolve', 'compare.yaml', '-o', 'compare.db', '--hours', '0.0001', '--threads', '1', '--set', 'set.ga.generations=100000')
    before = stages('compare.db')
    on, after = extend('compare.db', ['genetic', 'climbing'])
    check('every stage goes on', on.returncode == 0 and len(before) == 2 and
          all(has_grown(before[name], after[name]) for name in before), on.stdout)
    check('from where it was', all(contains(after[name], before[name]) for name in before))
    whole = run('evolve', 'compare.yaml', '-o', 'finite.db')
    times = [line for line in (whole.stdout + run('status', 'finite.db').stdout).splitlines() if ' d ' in line or 'at most' in line]
    check('without hours there is no limit to be seen', whole.returncode == 0 and times == [], times)
    longer = run('resume', 'finite.db', '--generations', '5')
    check('more generations for all', longer.returncode == 0 and
          all(len(s['generation']) == 6 for s in stages('finite.db').values()), longer.stderr)


def test_signals():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # it is ignored here if this runs under nohup itself
    endless = ['evolve', 'evolve.yaml', '--force', '--set', 'ga.generations=1000000', '-o']
    child = start(*endless, 'hangup.db')
    wait_for(lambda: count_rows('hangup.db', 'generation') > 2)
    error = interrupt(child, signal.SIGHUP)
    check('a lost terminal stops a run in order', child.returncode == 130 and 'all measurements are saved' in error and
          f'continue with: {grayling} resume hangup.db' in error, (child.returncode, error))
    child = start(*endless, 'pipe.db', stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    child.stdout.readline()
    child.stdout.close()
    check('output that nobody reads stops it too', child.wait(timeout=60) == 130 and not os.path.exists('pipe.db-wal') and
          'state        stopped' in run('status', 'pipe.db').stdout, (child.returncode, run('status', 'pipe.db').stdout))
    child = start('evolve', 'evolve.yaml', '-o', 'lost.db', stdout=subprocess.PIPE)
    child.stdout.readline()
    child.stdout.close()
    error = child.stderr.read()
    check('where only its end is lost, it ends as a whole', child.wait(timeout=60) == 1 and
          'cannot write standard output' in error and os.path.exists('lost.html') and
          'state        complete' in run('status', 'lost.db').stdout, (child.returncode, error, os.listdir()))
    child.stderr.close()
    child = subprocess.Popen(['nohup', grayling, *endless, 'nohup.db'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, text=True)
    wait_for(lambda: count_rows('nohup.db', 'generation') > 2)
    child.send_signal(signal.SIGHUP)
    seen = count_rows('nohup.db', 'generation')
    check('under nohup it goes on', wait_for(lambda: count_rows('nohup.db', 'generation') > seen + 20) and child.poll() is None)
    child.terminate()
    child.communicate(timeout=60)


def test_until():
    """A time of day is echoed with its date, its zone and the time left."""
    end = run('evolve', 'evolve.yaml', '-o', 'until.db', '--until', '2099-01-02 07:00', env=dict(os.environ, TZ='CET-1CEST,M3.5.0,M10.5.0/3'))
    check('--until says when that is', re.search(r'^until    2099-01-02 07:00 CET, in \d+ d \d+ h$', end.stdout, re.M), end.stdout)
    night = run('resume', 'whole.db', '--until', '2099-01-02 07:00', env=dict(os.environ, TZ='CET-1CEST,M3.5.0,M10.5.0/3'))
    check('of a night too', '2099-01-02 07:00 CET, in' in night.stdout, night.stdout)


small_night.write_recipes()
tap.main()
