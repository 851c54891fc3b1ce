"""`grayling confirm`: a run beside the defaults of its space, on positions and in games."""
import json
import os
import re
import shlex
import shutil
import sqlite3

import tap
from tap import change, check, compress, refuses, run, source, uci, works, write

SUITE = ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n'
         'q3k3/8/8/1N6/8/8/8/4K3 w - - bm Nc7+;\n'
         '7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n')
OTHER = '2k5/8/8/8/8/8/5r2/4RK2 w - - bm Kxf2;\n4k3/4q3/8/8/8/8/4B3/4RK2 w - - bm Bb5+;\n'


def kept(name):
    """What the run keeps of its defaults."""
    with sqlite3.connect(name) as db:
        return db.execute("SELECT key, value FROM property WHERE key LIKE 'default%' ORDER BY key").fetchall()


def forget(name):
    """Makes a run one that was stopped while it measured its defaults."""
    change(name, "DELETE FROM property WHERE key LIKE 'default%'",
           "UPDATE property SET value = 'stopped' WHERE key = 'state'")


def row(text, name):
    """The numbers of a line of the table: positions, defaults, evolved."""
    line = [l for l in text.splitlines() if l.startswith(name)]
    return [int(n.replace(',', '')) for n in re.findall(r'([\d,]+)(?: nodes|\s)', line[0][24:])[:3]] if line else []


write('suite.epd', SUITE)
write('held.epd', SUITE + OTHER)
write('many.epd', 3 * (SUITE + OTHER))
write('other.epd', OTHER)
write('space.yaml', 'kind: uci\ncommand: "%s"\nparameters:\n'
      '  Hash: {type: spin, fixed: 1}\n'
      '  PAWN_VALUE: {fixed: 100}\n'
      '  KNIGHT_VALUE: {min: 0, max: 1023, default: 20}\n'
      '  BISHOP_VALUE: {min: 0, max: 1023, default: 900}\n' % (uci + ' --tune'))
write('recipe.yaml', 'name: nodes\nphase: search\nseed: 1\nspace: space.yaml\n'
      'data: {train: suite.epd, held_out: held.epd}\n'
      'fitness: {limit: 2000, hash: 1}\nga: {population: 4, generations: 2}\n')

# ---- the run measures its defaults once

works('a run tells its defaults and what to do next', 'evolve', 'recipe.yaml', '-o', 'run.db',
      says=('and by the defaults:', 'grayling confirm run.db'))
whole = kept('run.db')
check('it keeps them, and what comparing them with its best found',
      [key for key, _ in whole] == ['default_' + word for word in ('compared', 'error', 'held_out', 'measure')], whole)
for name, words in (('status', run('status', 'run.db').stdout), ('parameters', open('run.yaml').read()),
                    ('json', run('status', 'run.db', '--format', 'json').stdout)):
    check('%s: the defaults' % name, 'defaults' in words, words)
r = run('evolve', 'recipe.yaml', '-o', 'part.db', '--set', 'ga.generations=0')
r = run('resume', 'part.db', '--generations', 2)
check('a resumed run has the same', kept('part.db') == whole, (kept('part.db'), whole))
run('evolve', 'recipe.yaml', '-o', 'cut.db', '--set', 'ga.generations=0')
forget('cut.db')
r = run('resume', 'cut.db')
check('a run that a stop left without them measures them after its last generation', r.returncode == 0 and
      'resumes  after the last generation\n' in r.stdout and kept('cut.db') == whole, r.stdout + r.stderr)
works('once', 'resume', 'cut.db', says='cut.db is complete')
run('evolve', 'recipe.yaml', '-o', 'seeded.db', '--set', 'ga.defaults=1', '--threads', 1)
check('so has a run that begins with them', kept('seeded.db') == whole, kept('seeded.db'))

# ---- positions

r = run('confirm', 'run.db', '--suite', 'other.epd')
values = dict(whole)
check('training', row(r.stdout, 'training')[:2] == [3, int(values['default_measure'])], r.stdout + r.stderr)
check('held out', row(r.stdout, 'held out')[:2] == [5, int(values['default_held_out'])], r.stdout)
check('the other suite', row(r.stdout, 'other.epd')[0] == 2, r.stdout)
found = [float(c) for c in re.findall(r'(-?[\d.]+) %', r.stdout)]
check('the change in per cent', len(found) == 3 and all(
    abs(c - 100 * (b - a) / a) < 0.06 for c, (_, a, b) in zip(
        found, (row(r.stdout, n) for n in ('training', 'held out', 'other.epd')))), r.stdout)
change('run.db', "DELETE FROM property WHERE key LIKE 'default%'")
again = run('confirm', 'run.db', '--suite', 'other.epd')
check('a run without them measures them now', again.stdout == r.stdout, again.stdout + again.stderr)
r = works('a suite comes with the program', 'confirm', 'run.db', says='tactics-stockfish')

# ---- the command lines of the match


def lines_of(r, program):
    """The command lines of a program, as words."""
    return [shlex.split(line) for line in r.stdout.replace('\\\n', '').splitlines() if line.startswith(program + ' ')]


def options(words, player):
    """The options of an engine on a runner's command line: its own and those of -each."""
    found, inside = {}, False
    for i, word in enumerate(words):
        if word.startswith('-'):
            inside = word == '-each' or (word == '-engine' and words[i + 1] == 'name=' + player)
        elif inside and word.startswith('option.'):
            name, value = word[len('option.'):].split('=', 1)
            found[name] = value
    return found


evolved = dict(re.findall(r'setoption name (\S+) value (\S+)', run('export', 'run.db', '--format', 'setoption').stdout))
defaults = {'Hash': '1', 'PAWN_VALUE': '100', 'KNIGHT_VALUE': '20', 'BISHOP_VALUE': '900'}
usual = {'Threads': '1', 'Ponder': 'false'}  # what our match sets too, but for Hash, which the space has
for program in 'fastchess', 'cutechess-cli':
    words = lines_of(r, program)[0]
    check(program + ': the options of both players', options(words, 'run') == {**evolved, **usual} and
          options(words, 'run-defaults') == {**defaults, **usual}, (words, evolved))
    check(program + ': each once', len([w for w in words if w.startswith('option.Hash=')]) == 1, words)
    check(program + ': the command and the test', 'cmd=' + uci in words and 'elo1=5' in words and
          any(w.endswith('openings.epd') for w in words), words)
    check(program + ': the test is of logistic Elo, as ours',
          words[words.index('beta=0.05') + 1] == {'fastchess': 'model=logistic'}.get(program, '-openings'), words)
own = lines_of(r, 'grayling match')[0]
check('our own line', own[2:4] == ['run.db', 'defaults:run.db'] and own[own.index('--hash') + 1] == '1', own)

# ---- the match

r = run('confirm', 'run.db', '--suite', 'none', '--play', '--tc', '0.05+0.003', '--sprt=-300,300', '--threads', 2)
games = open('run-confirm.pgn').read() if os.path.exists('run-confirm.pgn') else ''
check('the match is played', r.returncode == 0 and 'SPRT' in r.stdout and '"run+defaults"' in games,
      r.stdout + r.stderr)
r = run('confirm', 'run.db', '--suite', 'none', '--play', '--tc', '0.05+0.003', '--sprt=-300,300', '--threads', 2)
check('the same command finds it played', r.returncode == 0 and open('run-confirm.pgn').read() == games, r.stderr)
works('the defaults in a gauntlet', 'gauntlet', 'default', '--against', 'defaults:run.db', '--nodes', 200, '--games',
      2, says='run+defaults')

# ---- our own parameters

write('own-recipe.yaml', 'name: own\nphase: search\nseed: 1\ndata: {train: suite.epd, held_out: held.epd}\n'
      'fitness: {limit: 500, hash: 1}\nga: {population: 4, generations: 1}\n')
r = run('evolve', 'own-recipe.yaml', '-o', 'own.db')
check('a run of ours keeps the defaults', r.returncode == 0 and len(kept('own.db')) == 4, r.stderr)
confirmed = run('confirm', 'own.db', '--suite', 'none')
check('it is confirmed too', len(row(confirmed.stdout, 'held out')) == 3 and 'own.db default ' in confirmed.stdout,
      confirmed.stdout + confirmed.stderr)

r = run('evolve', 'own-recipe.yaml', '-o', 'with-eval.db', '--set', 'fitness.evaluation=moves-eval',
        '--set', 'ga.generations=0', '--set', 'data.held_out=many.epd')
# The default search has methods that the space lacks: it is what plays by itself, as `solve` measures it.
r = run('solve', 'many.epd', '--eval', 'moves-eval', '--nodes', 500, '--hash', 1)
solved = re.search(r'(?m)^default +\d.*?([\d,]+) +[\d,]+ +[\d,]+$', r.stdout).group(1)
verdict = json.loads(run('status', 'with-eval.db', '--format', 'json').stdout)['verdict']
ended = run('resume', 'with-eval.db', '--generations', 1)
check('they are the search that the engine plays with', solved.replace(',', '') == dict(kept('with-eval.db'))['default_held_out'],
      (r.stdout, kept('with-eval.db')))
check('status says whether the run is better', verdict['decided'] in ('better', 'worse', 'not decided') and
      verdict['against'] == 'the defaults' and (abs(verdict['by']) > verdict['margin']) == (verdict['decided'] != 'not decided') and
      verdict['decided'].capitalize() + ': grayling with these values needs ' in verdict['text'] and
      verdict['text'].endswith(' nodes than with its defaults: 15 held-out positions'), verdict)
check('so do the last lines, before the others, and the page', ended.stdout.index('than with its defaults: 15 held-out positions')
      < ended.stdout.index('complete after') and
      'than with its defaults: 15 held-out positions' in open('with-eval.html').read(), ended.stdout)
check('they name the files, what plays with them and what confirms them', all(line in ended.stdout for line in (
    '  parameters  %s/with-eval.yaml\n' % os.getcwd(), '  report      %s/with-eval.html\n' % os.getcwd(),
    'plays it:    setoption name SearchFile value %s/with-eval.yaml\n' % os.getcwd(),
    'confirms it: grayling confirm with-eval.db\n')), ended.stdout)
evaluated = run('confirm', 'with-eval.db', '--suite', 'none')
own = lines_of(evaluated, 'grayling match')[0]
check('a search is judged with the evaluation of its run', own[3] == 'default-search' and
      own[own.index('--eval') + 1].endswith('/moves-eval.yaml'), evaluated.stdout + evaluated.stderr)
check('which is told', "the engine's own search, default-search:\nboth with the evaluation /" in evaluated.stdout,
      evaluated.stdout)
r = works('and can be played', *own[1:own.index('--tc')], *own[own.index('--eval'):], '--nodes', 50, '--games', 2)

# ---- the other programs read our values from the run's file


def players(name, r):
    """Of fastchess and cutechess-cli, the options of the run's player and of the defaults."""
    return [(options(w, name), options(w, name + '-defaults')) for p in ('fastchess', 'cutechess-cli') for w in lines_of(r, p)]


own_file = os.path.join(os.getcwd(), 'own.yaml')
check('a search: the file, and nothing for the defaults', players('own', confirmed) ==
      [({'SearchFile': own_file, 'Hash': '1'}, {'SearchFile': '<empty>', 'Hash': '1'})] * 2, confirmed.stdout)
given = players('with-eval', evaluated)
check('with an evaluation: the file of both', len(given) == 2 and all(
    p[0]['EvalFile'] == p[1]['EvalFile'] and p[0]['EvalFile'].endswith('/moves-eval.yaml') and
    p[1]['SearchFile'] == '<empty>' for p in given), given)
with open(os.path.join(source, 'data/train-1.epd')) as f:
    write('few.epd', ''.join(f.readlines()[:20]))
write('paper-recipe.yaml', 'name: paper\nseed: 1\ndata: {train: [few.epd]}\nga: {population: 4, generations: 1}\n')
works('a run of the evaluation', 'evolve', 'paper-recipe.yaml', '-o', 'paper.db')
r = run('confirm', 'paper.db', '--suite', 'none')
check('an evaluation: the file, and nothing for the defaults', players('paper', r) ==
      [({'EvalFile': os.path.join(os.getcwd(), 'paper.yaml')}, {'EvalFile': '<empty>'})] * 2, r.stdout)

write('two weights-recipe.yaml', 'name: modern\nspace: modern-space.yaml\nseed: 1\n'
      'data: {train: [few.epd]}\nga: {population: 4, generations: 1}\n')
write('modern-space.yaml', 'kind: evaluation-modern\nparameters:\n  TEMPO_MG: {bits: 5, min: 0, max: 31}\n')
r = run('evolve', 'two weights-recipe.yaml', '-o', 'two weights.db')
check('a run of the modern evaluation', r.returncode == 0 and os.path.exists('two weights.yaml'), r.stderr)
weights_file = os.path.join(os.getcwd(), 'two weights.yaml')
r = run('confirm', 'two weights.db', '--suite', 'none')
check('a path with a space', players('two weights', r) ==
      [({'EvalFile': weights_file}, {'EvalFile': '<empty>'})] * 2, r.stdout)
own = lines_of(r, 'grayling match')[0]
check('our own line quotes the path', own[2:4] == ['two weights.db', 'default'], own)
os.remove('two weights.yaml')
r = run('confirm', 'two weights.db', '--suite', 'none')
check('says how to write the file',
      "grayling export 'two weights.db' --format yaml --force -o '%s'\n" % weights_file in r.stdout, r.stdout)

# ---- a stage of a night, and a compressed run

write('night.yaml', 'name: n\nphase: night\nseed: 7\nhours: 0.1\nstages:\n  evolve: {recipe: paper-recipe.yaml}\n'
      '  search: {recipe: own-recipe.yaml, evaluation: evolve}\n')
r = run('evolve', 'night.yaml', '-o', 'night.db')
check('a night', r.returncode == 0 and os.path.exists('night-search.yaml'), r.stderr)
r = run('confirm', 'night.db#search', '--suite', 'none')
both = {'EvalFile': os.path.join(os.getcwd(), 'night-evolve.yaml'), 'Hash': '1'}
stage_file = os.path.join(os.getcwd(), 'night-search.yaml')
check('a stage: its file, and that of its evaluation', players('night-search', r) ==
      [({'SearchFile': stage_file, **both}, {'SearchFile': '<empty>', **both})] * 2, r.stdout + r.stderr)
own = lines_of(r, 'grayling match')[0]
check('its own line names the runs', own[2] == 'night.db#search' and
      own[own.index('-o') + 1] == 'night-search-confirm.pgn' and
      own[own.index('--eval') + 1].endswith('/night.db#evolve'), own)
os.remove('night-evolve.yaml')
r = run('confirm', 'night.db#search', '--suite', 'none')
check('says how to write the file of the evaluation', r.stdout.count('grayling export ') == 1 and
      re.search(r"grayling export \S+night\.db#evolve'? --format yaml --force -o %s\n" % re.escape(both['EvalFile']),
                r.stdout), r.stdout)
shutil.copy('own.db', 'packed.db')
compress('packed.db')
r = run('confirm', 'packed.db.zst', '--suite', 'none')
written = 'grayling export packed.db.zst --format yaml --force -o %s/packed.yaml\n' % os.getcwd()
check('a compressed run: the name of the run', written in r.stdout and 'packed-confirm.pgn' in r.stdout,
      r.stdout + r.stderr)

# ---- a run by games: two matches, at its limit and at ten times as much, from openings that it has not used

book = os.path.join(source, 'data/openings.epd')
write('games-recipe.yaml', 'name: games\nphase: coevolution\nseed: 4\nspace: narrow.yaml\ndata: {openings: %s}\n'
      'fitness: {limit: 40, games: 2, hash: 1}\nga: {population: 4, generations: 1}\n' % book)
write('narrow.yaml', 'kind: uci\ncommand: "%s --tune"\nparameters:\n' % uci +
      ''.join('  %s: {min: 1, max: 3, default: 2}\n' % name
              for name in ('KNIGHT_VALUE', 'BISHOP_VALUE', 'ROOK_VALUE', 'QUEEN_VALUE')))
r = works('the run says how many games it plays', 'evolve', 'games-recipe.yaml', '-o', 'games.db',
          says='games    12 a generation, 24 in all; --dry-run measures how many an hour\n')
check('and which values are at their bounds, as status does', all(
    re.search(r'\n  warning +\w+ is at its bound [13],? ?.*: widen (its range|their ranges)\n', text)
    for text in (r.stdout, run('status', 'games.db').stdout)), r.stdout)
r = run('confirm', 'games.db')
matches = lines_of(r, 'grayling match')
check('two lines of ours', r.returncode == 0 and [w[w.index('--nodes') + 1] for w in matches] == ['40', '400'] and
      [w[w.index('-o') + 1] for w in matches] == ['games-confirm.pgn', 'games-confirm-10x.pgn'] and all(
          w[2:4] == ['games.db', 'defaults:games.db'] and w[w.index('--seed') + 1] == '5' and
          w[w.index('--games') + 1] == '400' and w[w.index('--hash') + 1] == '1' and '--sprt' not in w for w in matches), r.stdout + r.stderr)
for program in 'fastchess', 'cutechess-cli':
    words = lines_of(r, program)
    check(program + ': two lines', ['nodes=40' in w and 'tc=inf' in w for w in words] == [True, False] and
          'nodes=400' in words[1] and all(w[w.index('-rounds') + 1] == '200' and w[w.index('-srand') + 1] == '5' and
                                          '-sprt' not in w for w in words), words)


def ends(name):
    return [' '.join(line.split()[:4]) for line in open(name)]


with sqlite3.connect('games.db') as db:
    used = {ends(book)[n] for n, in db.execute('SELECT opening FROM game')}
left = ends('games-confirm.epd')
check('from openings that it has not used', len(left) == 1500 - len(used) and not used & set(left) and
      'openings  games-confirm.epd: %s openings of openings.epd that the run has not used\n' %
      format(len(left), ',') in r.stdout, (len(left), len(used), r.stdout))
check('it says how long they take', re.search(r'\n400 games each: about .+, and then .+, at the pace of the run\n',
                                              r.stdout), r.stdout)
for again in 'once', 'and then finds them played':
    r = run('confirm', 'games.db', '--play', '--games', 8, '--threads', 2)
    check('both are played ' + again, r.returncode == 0 and r.stdout.count('Score of games') == 2 and
          re.search(r'\ngained [+-]\d+ \+/- \d+ Elo at 40 nodes a move and [+-]\d+ \+/- \d+ at 400 nodes a move: '
                    r'a slope of [+-]\d+ \+/- \d+ Elo for 10 times as much\n$', r.stdout), r.stdout + r.stderr)
works('a book without enough is told', 'confirm', 'games.db', '--games', 4000, says='too few for 4000 games')
r = run('confirm', 'games.db', '--sprt', '0,10')
check('a test is one match', r.returncode == 0 and r.stdout.count('grayling match ') == 1 and
      r.stdout.count('tc=8+0.08') == r.stdout.count('elo1=10') == 2, r.stdout + r.stderr)
write('games-confirm.epd', 'mine\n')
r = run('confirm', 'games.db')
check('a file of others is not replaced', r.returncode == 2 and 'games-confirm.epd is there' in r.stderr and
      open('games-confirm.epd').read() == 'mine\n', r.stderr)

# ---- bad input

for what, words, arguments in (
        ('no run', 'expected one run', ()),
        ('a run that is not there', 'no-such.db', ('no-such.db',)),
        ('a suite that is not there', 'no-such.epd', ('run.db', '--suite', 'no-such.epd')),
        ('a test that is none', '--sprt takes two', ('run.db', '--sprt', '5')),
        ('a test upside down', '--sprt takes two', ('run.db', '--sprt', '5,0')),
        ('games of a test', '--games is for a run by games', ('run.db', '--games', '10')),
        ('half a pair', '--games takes an even number', ('games.db', '--games', '3')),
        ('a time that is none', '--tc takes', ('run.db', '--tc', 'foo')),
        ('positions without a solution', 'bm', ('run.db', '--suite', 'plain.epd'))):
    write('plain.epd', '4k3/8/8/8/8/8/8/4K3 w - - id "no bm";\n')
    r = run('confirm', *arguments)
    check(what, r.returncode in (1, 2) and words in r.stderr, r.stdout + r.stderr)
refuses('our own run has no defaults to play', 'no run of another engine', 'match', 'run.db', 'defaults:own.db',
        '--games', 2)
tap.main()
