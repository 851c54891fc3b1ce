"""`status --format json` and `history`, for programs to read; and a compressed run, which every command reads and none
writes."""
import csv
import io
import json
import os

import small_night
import tap
from tap import check, compress, grayling, query, refuses, run, run_of, source, works, write

NAME = 'a "quoted", \\back & <Réti>'

PAPER = os.path.join(source, 'params', 'paper-eval.yaml')


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


def timeless(text):
    """A text without its speeds, and without the width of its columns."""
    return '\n'.join(' '.join(line.split()) for line in text.splitlines() if 'a second' not in line)


def answers(path, name):
    """What the commands that read a run say about it; `name` goes into the names of their files."""
    stage = path + '#coevolve'
    said = [run('status', path), run('export', stage, '--format', 'json'), run('verify', stage),
            run('verify', path + '#search'), run('verify', path, '--expect', 'evidence.yaml'),
            run('score', path + '#evolve-1', 'train-1.epd'),
            run('solve', 'train-1.epd', '--nodes', '100', '--params', path + '#search'),
            run('match', stage + ',plain', PAPER + ',plain', '--games', '2', '--nodes', '50'),
            run('report', path, '-o', name + '.html'), run('plot', stage, '-o', name + '.svg')]
    return [(s.returncode, timeless(s.stdout.replace(path, 'PATH')), s.stderr) for s in said]


def test_compressed():
    works('the evidence of a night', 'export', 'night.db', '--format', 'evidence', '-o', 'evidence.yaml')
    plain = answers('night.db', 'plain')
    compress('night.db')
    compressed = answers('night.db.zst', 'compressed')
    for before, after in zip(plain, compressed):
        check('it is read as the plain one: ' + (before[1].splitlines() or [''])[0], before[:2] == after[:2],
              '%s\n%s' % (before, after))
    check('every command has worked', [c[0] for c in compressed] == [0] * len(compressed), compressed)
    files = set(os.listdir())
    for path in 'night.db.zst', 'night.db.zst#search':
        refused = run('resume', path)
        check('resume says how to decompress ' + path, refused.returncode == 2 and not refused.stdout
              and refused.stderr == 'grayling: %s is compressed, and read-only; '
              'decompress it first: zstd -d night.db.zst\n' % path, refused.stdout + refused.stderr)
    check('and nothing is written', set(os.listdir()) == files)
    report = run('report', 'night.db.zst', '--force')
    check('its report has its name', report.returncode == 0 and os.path.getsize('night.html') > 1000, report.stderr)
    compress('train-1.epd')
    works('compressed positions are no run', 'score', 'night.db.zst#coevolve', 'train-1.epd.zst', says='40 positions')


make()
tap.main()
