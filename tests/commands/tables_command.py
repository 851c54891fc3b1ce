"""`status --format json` and `history`: for programs to read."""
import csv
import io
import json

import small_night
import tap
from tap import check, grayling, query, refuses, run, run_of, works, write

NAME = 'a "quoted", \\back & <Réti>'


def status(path):
    said = run('status', path, '--format', 'json')
    return json.loads(said.stdout) if said.returncode == 0 else {'error': said.stderr}


def history(path, form='csv'):
    made = tap.subprocess.run([grayling, 'history', path, '--format', form], capture_output=True, timeout=100)
    text = made.stdout.decode()
    if made.returncode != 0:
        return [{'error': made.stderr.decode()}], text
    return (json.loads(text) if form == 'json' else list(csv.DictReader(io.StringIO(text, newline='')))), text


def make():
    players = {NAME: '{evaluation: coevolve, search: search}', 'chance': '{evaluation: random, search: random}'}
    small_night.write_recipes(NAME, players)
    write('compare.yaml', 'name: two\nphase: night\nseed: 3\nhours: 1000\nruns: 2\nstages:\n'
            '  genetic: {recipe: evolve.yaml}\n'
            '  random: {recipe: evolve.yaml, set: {optimiser: {kind: random}}}\n')
    for arguments in (('night.yaml', '-o', 'night.db'), ('compare.yaml', '-o', 'two.db'),
                      ('evolve.yaml', '-o', 'run.db', '--set', "name='%s'" % NAME.replace("'", "''"))):
        works('evolve ' + arguments[0], 'evolve', *arguments)


def test_run_status():
    s = status('run.db')
    train, held_out = query('run.db', 'SELECT measure, held_out FROM generation ORDER BY measure DESC, idx LIMIT 1')[0]
    check('the status of a run is an object', s.get('kind') == 'run' and s.get('recipe') == NAME and
          s.get('state') == 'complete' and s.get('generation') == 3 and s.get('generations') == 3, s)
    check('with its best and the intervals', s.get('best', {}).get('train', {}).get('value') == train and
          s['best']['train']['of'] == 40 and s['best']['held_out']['value'] == held_out and
          s['best']['train']['low'] < 100 * train / 40 < s['best']['train']['high'], s)
    check('nothing is left of it', s.get('seconds_left') == 0 and s.get('inside', 0) is None, s)


def test_night_status():
    s = status('night.db')
    stages = {stage['name']: stage for stage in s.get('stages', [])}
    check('that of a night has its stages', s.get('kind') == 'night' and s.get('recipe') == NAME and
          list(stages) == small_night.RUNS + ['match'] and all(g['state'] == 'complete' for g in stages.values()), s)
    pairing = stages['match']['pairings'][0]
    check('and the match with names and Elo', pairing['first'] == NAME and pairing['second'] == 'chance' and
          pairing['wins'] + pairing['draws'] + pairing['losses'] == stages['match']['games'] == 24, pairing)
    check('that of a comparison is called so', status('two.db').get('kind') == 'comparison')
    refuses('another format is refused', "text or json, not 'xml'", 'status', 'run.db', '--format', 'xml')


def test_run_history():
    rows, text = history('run.db')
    stored = query('run.db', 'SELECT idx, best, measure, held_out, mean FROM generation ORDER BY idx')
    check('history has a row for each generation', [
        (int(r['generation']), int(r['organism']), int(r['train']), int(r['held_out']), round(float(r['mean']), 4))
        for r in rows] == [(*s[:4], round(s[4], 4)) for s in stored], rows)
    genomes = [query('run.db', 'SELECT count(DISTINCT genome) FROM organism WHERE generation <= %d' % g)[0][0]
               for g in range(4)]
    check('with the evaluations and genomes so far', [int(r['evaluations']) for r in rows] == [6, 12, 18, 24] and
          [int(r['genomes']) for r in rows] == genomes, rows)
    check('its lines end as RFC 4180 says', text.count('\r\n') == 5 == text.count('\n'), repr(text[:200]))
    objects = history('run.db', 'json')[0]
    check('JSON has the same', [{k: str(v) for k, v in o.items() if k not in ('mean', 'deviation', 'diversity', 'seconds',
          'seconds_total')} for o in objects] == [{k: v for k, v in r.items() if k not in ('mean', 'deviation',
          'diversity', 'seconds', 'seconds_total')} for r in rows], objects[:1])


def test_night_history():
    rows = history('night.db')[0]
    check('a night has the rows of its stages', [r['stage'] for r in rows] ==
          ['evolve-1'] * 4 + ['evolve-2'] * 4 + ['coevolve'] * 3 + ['search'] * 4, rows)
    alone = history('night.db#coevolve')[0]
    check('a stage by name has its own', [dict(r, stage='coevolve') for r in alone] ==
          [r for r in rows if r['stage'] == 'coevolve'], alone)
    for form in ('csv', 'json'):
        games = history('night.db#match', form)[0]
        stored = query('night.db', 'SELECT number, white, result, plies FROM match_game WHERE %s ORDER BY pairing, number'
                       % run_of('match'))
        check('a match has its games, as ' + form, [
            (int(g['game']) - 1, g['white'], g['result'], int(g['plies'])) for g in games] ==
            [(n, (NAME, 'chance')[w], ('0-1', '1/2-1/2', '1-0')[r], p) for n, w, r, p in stored], games[:2])


def test_refusals():
    for path, words in (('none.db', 'none.db'), ('run.yaml', 'file (YAML), not a run'),
                        ('night.db#nothing', 'no run of this name')):
        rows, text = history(path)
        check('history of %s is refused' % path, text == '' and words in rows[0].get('error', ''), rows)


make()
tap.main()
