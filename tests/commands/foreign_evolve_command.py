"""`grayling evolve` with another engine: its options by nodes to solution and in games, what a villain
does to a run, bad spaces; `grayling space`, and a mentor's scores. Speaks TAP.

    foreign_evolve_command.py GRAYLING_UCI GRAYLING SOURCE

VILLAIN in the environment is an engine that misbehaves as it is told.
"""
import json
import os
import re
import sqlite3
import sys

import tap
from tap import check, read, write

program, grayling, source = (os.path.abspath(a) for a in sys.argv[1:4])
grayling_uci = program + ' --tune'
villain = os.environ.get('VILLAIN')
work = tap.enter_scratch()

SUITE = ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n'
         'q3k3/8/8/1N6/8/8/8/4K3 w - - bm Nc7+;\n'
         '7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n'
         '2k5/8/8/8/8/8/5r2/4RK2 w - - bm Kxf2;\n'
         '4k3/4q3/8/8/8/8/4B3/4RK2 w - - bm Bb5+;\n'
         'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a4;\n')


def run(*arguments):
    return tap.run(grayling, *map(str, arguments))


def rows(name, query):
    with sqlite3.connect(name) as db:
        return db.execute(query).fetchall()


def table(name):
    """The parameters of a table of the source tree, in order."""
    text = read(os.path.join(source, 'src/engine', name))
    return re.findall(r'(?m)^PARAM\((\w+), *(\d+), *(-?\d+), *(-?\d+), *(-?\d+)', text)


def space(command, entries):
    return 'kind: uci\ncommand: %s\nparameters:\n%s' % (command, ''.join(
        '  %s: %s\n' % entry for entry in entries))


def genes(parameters):
    return [(name, '{fixed: %s}' % initial if bits == '0' else
             '{bits: %s, min: %s, max: %s, default: %s}' % (bits, low, high, initial))
            for name, bits, low, high, initial in parameters]


write('suite.epd', SUITE)
search_genes = genes(table('search/search_params.def'))
ONE = [('KNIGHT_VALUE', '{min: 0, max: 1023, default: 300}')]


# ---- games: our engine behind UCI plays what it plays in process

write('plain.yaml', 'kind: search\nparameters:\n' + ''.join(
    '  %s: 0\n' % p[0] for p in table('search/search_params.def')))
write('evaluation.yaml', space(grayling_uci, [('SearchFile', '{type: string, fixed: %s/plain.yaml}' % work)] +
                               genes(table('eval/eval_params.def'))))
write('games.yaml', 'name: games\nphase: coevolution\nseed: 3\n'
      'data: {openings: %s/data/openings.epd, opponent: %s/params/paper-eval.yaml}\n'
      'fitness: {limit: 200, games: 2, opponent_games: 2, hash: 1}\n'
      'ga: {population: 4, generations: 1}\n' % (source, source))
r = run('evolve', 'games.yaml', '-o', 'ours.db', '--threads', 2)
check('games in process', r.returncode == 0, r.stderr)
r = run('evolve', 'games.yaml', '-o', 'theirs.db', '--threads', 2, '--set', 'space=evaluation.yaml')
check('games over UCI', r.returncode == 0, r.stderr)
check('by processes that go on with other values', 'a new process' not in r.stdout, r.stdout)
for what, query in (('games', 'SELECT * FROM game'),
                    ('organisms', 'SELECT generation, idx, fitness FROM organism'),
                    ('scores against the opponent', 'SELECT idx, measure, held_out FROM generation')):
    check('the same %s over UCI as in process' % what,
          rows('ours.db', query) == rows('theirs.db', query) != [],
          (rows('ours.db', query)[:3], rows('theirs.db', query)[:3]))
traced = space(grayling + ' trace --params paper-eval', genes(table('eval/eval_params.def')))
write('trace-space.yaml', traced.replace('kind: uci', 'kind: trace').replace(
    'parameters:', 'plays: %s\nparameters:' % grayling_uci))
for name, settings in (('default.db', ('fitness.search=%s/params/default-search.yaml' % source,)),
                       ('played.db', ('space=trace-space.yaml',))):
    r = run('evolve', 'games.yaml', '-o', name, '--set', 'data.opponent=""',
            *(word for setting in settings for word in ('--set', setting)))
played = 'SELECT generation, number, white_idx, black_idx, opening, result, plies FROM game'
check('the weights of a trace play by UCI, and the games are those in process', r.returncode == 0 and
      rows('default.db', played) == rows('played.db', played) != [], r.stderr)
r = run('evolve', 'games.yaml', '-o', 'timed.db', '--set', 'space=evaluation.yaml', '--set',
        'fitness.movetime=1', '--set', 'fitness.win_score=300', '--set', 'ga.population=2', '--set',
        'ga.generations=0', '--set', 'data.opponent=""')
check('games at equal time are played', r.returncode == 0 and
      all(row[0] > 4 for row in rows('timed.db', 'SELECT plies FROM game')), r.stderr)
r = run('evolve', 'games.yaml', '-o', 'ours-timed.db', '--set', 'fitness.movetime=1')
check('our own games are by nodes', r.returncode == 2 and 'fitness.movetime' in r.stderr, r.stderr)
write('keeper.py', '''import re, subprocess, sys, threading
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
games = 0
def answer():
    for line in engine.stdout:
        print(re.sub(r'nodes [0-9]+', lambda nodes: nodes[0] + str(games), line), end='', flush=True)
threading.Thread(target=answer, daemon=True).start()
for line in sys.stdin:
    games += line == 'ucinewgame\\n'
    engine.stdin.write(line)
engine.stdin.close()
engine.wait()
''')
write('keeper.yaml', read('evaluation.yaml').replace(grayling_uci, '%s %s/keeper.py %s' %
                                                     (sys.executable, work, grayling_uci)))
r = run('evolve', 'games.yaml', '-o', 'kept.db', '--set', 'space=keeper.yaml', '--set', 'ga.population=2', '--set',
        'ga.generations=0', '--set', 'data.opponent=""')
check('a process that keeps something of its games is replaced for other values', r.returncode == 0 and
      ', a new process for other values, as one does not take them as new ones do' in r.stdout, r.stdout + r.stderr)
check('the values name the engine and its constants',
      'kind: uci' in read('theirs.yaml') and grayling_uci in read('theirs.yaml') and
      'SearchFile' in read('theirs.yaml'), read('theirs.yaml'))

# ---- nodes to solution

write('search.yaml', space(grayling_uci, search_genes))
write('recipe.yaml', 'name: nodes\nphase: search\nseed: 1\nspace: search.yaml\n'
      'data: {train: suite.epd, held_out: suite.epd}\n'
      'fitness: {limit: 2000, hash: 1}\nga: {population: 4, generations: 3}\n')
r = run('evolve', 'recipe.yaml', '-o', 'nodes.db', '--threads', 2)
check('nodes to solution over UCI', r.returncode == 0 and 'faults' not in r.stderr, r.stderr)
whole = rows('nodes.db', 'SELECT * FROM organism')
r = run('evolve', 'recipe.yaml', '-o', 'one.db', '--threads', 1)
check('the same with one process', rows('one.db', 'SELECT * FROM organism') == whole != [], r.stderr)
r = run('evolve', 'recipe.yaml', '-o', 'part.db', '--set', 'ga.generations=1')
r = run('resume', 'part.db', '--generations', 3)
check('a resumed run is the whole run', rows('part.db', 'SELECT * FROM organism') == whole, r.stderr)
r = run('verify', 'nodes.db')
check('the run repeats', r.returncode == 0, r.stderr)
r = run('export', 'nodes.db', '--format', 'uci')
check('the options are exported', r.stdout.count('setoption name ') == len(search_genes), r.stdout)

r = run('match', 'nodes.db', 'uci:' + grayling_uci, '--games', 2, '--nodes', 200, '-o', 'run.pgn')
check('a run is a player', r.returncode == 0 and '"nodes"' in read('run.pgn') and
      grayling_uci in read('run.pgn'), r.stderr)

# ---- a folder with the run and its engine

os.mkdir('place')
for name in 'engine', 'engine2':
    os.symlink(program, 'place/' + name)
write('place/space.yaml', space('./engine --tune', search_genes))
write('place/recipe.yaml', read('recipe.yaml').replace('search.yaml', 'space.yaml').replace(
    'suite.epd', '../suite.epd'))
r = run('evolve', 'place/recipe.yaml', '-o', 'place/one.db', '--set', 'ga.generations=0')
check('the run keeps its engine as seen from itself', r.returncode == 0 and
      rows('place/one.db', "SELECT value FROM property WHERE key = 'command'") == [('./engine --tune',)], r.stderr)
write('place/space.yaml', space('./engine2 --tune', search_genes))
r = run('resume', 'place/one.db', '--generations', 1)
check('it does not go on with another engine', r.returncode == 2 and
      'began with the engine ./engine --tune, and the space has ./engine2 --tune now' in r.stderr, r.stdout + r.stderr)
write('place/space.yaml', space('./engine --tune', search_genes))
os.rename('place', 'moved')
r = run('resume', 'moved/one.db', '--generations', 1)
check('it goes on in a folder that was moved', r.returncode == 0 and
      rows('moved/one.db', 'SELECT max(idx) FROM generation') == [(1,)], r.stderr)
r = run('match', 'moved/one.db', 'uci:' + grayling_uci, '--games', 2, '--nodes', 200)
check('and plays there', r.returncode == 0, r.stderr)
r = run('confirm', 'moved/one.db', '--suite', 'none')
check('and is confirmed there', r.returncode == 0 and '/moved/./engine' in r.stdout and
      '/place/' not in r.stdout, r.stdout + r.stderr)
check('with the settings of a match in the lines of other programs',
      r.stdout.count(' option.Hash=1 option.Threads=1 option.Ponder=false ') == 2, r.stdout)

# ---- a villain among the workers

if villain:
    write('villains.yaml', space("%s --every 2 --die 3" % villain, [
        ('PAWN_VALUE', '{fixed: 100}'), ('KNIGHT_VALUE', '{min: 0, max: 1023, default: 300}')]))
    r = run('evolve', 'recipe.yaml', '-o', 'villain.db', '--threads', 2, '--set', 'space=villains.yaml',
            '--set', 'ga.generations=1')
    faults = rows('villain.db', "SELECT value FROM property WHERE key = 'faults'")
    check('crashes are counted', r.returncode == 0 and faults and 'crash' in faults[0][0],
          (faults, r.stderr))
    check('the end of the run tells them', 'crash' in r.stdout and 'villain.db.faults' in r.stdout,
          r.stderr)
    reports = os.listdir('villain.db.faults')
    text = read('villain.db.faults/' + reports[0])
    check('a report has the reason, the position, the options and the conversation',
          'code 3' in text and 'position ' in text and 'setoption name KNIGHT_VALUE' in text and
          '> go ' in text, text)
    check('the status tells them, and the page', faults[0][0] in run('status', 'villain.db').stdout and
          '<dt>faults of the engine</dt><dd>%s</dd>' % faults[0][0] in run('report', 'villain.db', '-o', '-').stdout)
    check('no process is left', tap.no_process(villain + ' --every 2 --die 3'))

# ---- games that an engine's faults decide


def stops(name, words, faults, *arguments):
    """The run stops with its reason, shows its faults, and goes on from the games that it has."""
    r = run('evolve', 'games.yaml', '-o', name, '--threads', 2, '--set', 'data.opponent=""', *arguments)
    kept = rows(name, "SELECT value FROM property WHERE key = 'faults'")
    check('%s: faults that decide too many games stop a run' % name, r.returncode == 1 and
          'more than 2 of 100: ' in r.stderr and words in r.stderr and name + '.faults' in r.stderr and
          f'continue with: {grayling} resume {name}' in r.stderr, r.stderr)
    check('%s: they are counted' % name, kept and re.fullmatch(faults, kept[0][0]), kept)
    status = run('status', name)
    told = json.loads(run('status', name, '--format', 'json').stdout)
    check('%s: and shown' % name, 'faults       ' + kept[0][0] in status.stdout and
          'more than 2 of 100' in status.stdout and told['faults'] == kept[0][0], status)
    games = rows(name, 'SELECT * FROM game')
    r = run('resume', name, '--threads', 2)
    after = rows(name, 'SELECT * FROM game')
    check('%s: a resumed run has these games, plays more, and is judged anew' % name, r.returncode == 1 and
          len(games) >= 3 and after[:len(games)] == games and len(after) >= len(games) + 3, (games, after, r.stderr))
    return [read(name + '.faults/' + f) for f in os.listdir(name + '.faults')]


if villain:
    write('late.yaml', space('%s --every 40 --slow 1000' % villain, ONE))
    reports = stops('late-games.db', 'Give fitness.movetime more', r'\d+ loss(es)? on time', '--set', 'space=late.yaml',
                    '--set', 'fitness.movetime=1')
    check('a report says how late the engine was', reports and all(
        re.search(r'\nused \d{3,} ms for this move\n', text) and '> go movetime 1' in text for text in reports), reports)
    write('slow.yaml', read('late.yaml').replace('--every 40 --slow 1000', '--slow 400'))
    r = run('evolve', 'games.yaml', '-o', 'slow-games.db', '--threads', 2, '--set', 'space=slow.yaml', '--set',
            'fitness.movetime=1')
    check('an engine that never keeps its time is refused', r.returncode == 2 and not os.path.exists('slow-games.db') and
          re.search(r'Villain used [\d,]+ to [\d,]+ ms of 1 a move; give fitness.movetime \d+ or more', r.stderr), r.stderr)

# ---- an engine that dies of some values: its defaults, and most organisms

write('sensitive', '''#!%s
import os, re, signal, subprocess, sys
engine = subprocess.Popen('%s'.split(), stdin=subprocess.PIPE, text=True)
for line in sys.stdin:
    value = re.match(r'setoption name KNIGHT_VALUE value (\d+)', line)
    if value and int(value.group(1)) > 255:
        engine.kill()
        engine.wait()
        os.kill(os.getpid(), signal.SIGSEGV)
    engine.stdin.write(line)
    engine.stdin.flush()
''' % (sys.executable, grayling_uci))
os.chmod('sensitive', 0o755)
write('sensitive.yaml', space('./sensitive', [
    ('KNIGHT_VALUE', '{min: 0, max: 1023, default: 900}'), ('BISHOP_VALUE', '{min: 0, max: 1023, default: 521}')]))
name = 'sensitive-recipe.db'
r = run('evolve', 'recipe.yaml', '-o', name, '--threads', 2, '--set', 'space=sensitive.yaml', '--set',
        'ga.generations=1')
faults = rows(name, "SELECT value FROM property WHERE key = 'faults'")
check('values that kill the engine cost their organism, not the run',
      r.returncode == 0 and faults and re.fullmatch(r'\d+ crash(es)?', faults[0][0]), (faults, r.stderr))
evidence = {'recipe': [read(name + '.faults/' + f) for f in os.listdir(name + '.faults')] if faults else []}
check('a resumed run goes on', run('resume', name, '--generations', 2).returncode == 0)
evidence['games'] = stops('sensitive-games.db', 'Take the values that it fails with out of the space',
                          r'\d+ crash(es)?', '--set', 'space=sensitive.yaml')
for recipe, reports in evidence.items():
    check('%s: there is evidence of values that kill the engine' % recipe, reports and all(
        'ended by signal 11' in text and 'setoption name KNIGHT_VALUE' in text for text in reports), reports)

# ---- an engine that is gone

if villain:
    write('leaves', '#!/bin/sh\n[ ! -e %s/gone ] || exit 3\nexec %s --every 60 --crash --tell %s/gone\n' %
          (work, villain, work))
    os.chmod('leaves', 0o755)
    write('leaves.yaml', space('./leaves', ONE))
    r = run('evolve', 'games.yaml', '-o', 'leaves-games.db', '--threads', 1, '--set', 'space=leaves.yaml', '--set',
            'data.opponent=""')
    check('an engine that starts no more loses its games, until that stops the run', r.returncode == 1 and
          'more than 2 of 100: 3 crashes in ' in r.stderr, r.stderr)
    os.remove('gone')
    games = len(rows('leaves-games.db', 'SELECT * FROM game'))
    r = run('resume', 'leaves-games.db', '--threads', 1)
    check('and the run goes on when it is there again', len(rows('leaves-games.db', 'SELECT * FROM game')) > games, r.stderr)

# ---- bad input: one line before anything runs


def refuses(what, words, text, *settings):
    write('wrong.yaml', text)
    r = run('evolve', 'recipe.yaml', '-o', 'bad.db', '--set', 'space=wrong.yaml', *settings)
    check('refuses ' + what, r.returncode == 2 and words in r.stderr and
          r.stderr.count('\n') == 1 and not os.path.exists('bad.db'), r.stderr)


refuses('a missing engine', 'No such file', space('./nowhere', ONE))
refuses('an engine that is not UCI', 'true exited', space('true', ONE))
refuses('an option that the engine does not have', 'KNIGHT_WORTH',
        space(grayling_uci, [('KNIGHT_WORTH', '{min: 0, max: 9, default: 3}')]))
refuses('a value out of the option\'s range', '99999',
        space(grayling_uci, [('KNIGHT_VALUE', '{min: 0, max: 99999, default: 300}')]))
refuses('a constant out of the option\'s range', '-7',
        space(grayling_uci, ONE + [('Hash', '-7')]))
refuses('a space without genes', 'evolve', space(grayling_uci, [('Hash', '16')]))
refuses('weights of an evaluation', 'kind: uci', space(grayling_uci, ONE).replace('uci', 'trace', 1))
refuses('an evaluation for another engine', 'fitness.evaluation', space(grayling_uci, ONE),
        '--set', 'fitness.evaluation=%s/params/paper-eval.yaml' % source)
write('empty.epd', '# nothing\n')
refuses('a suite without a position', 'no position', space(grayling_uci, ONE),
        '--set', 'data.train=empty.epd')

# ---- space

r = run('space', grayling_uci, '-o', 'read.yaml')
check('space reads the options', r.returncode == 0 and 'PAWN_VALUE' in read('read.yaml') and
      '"Ponder"' not in read('read.yaml') and '"Hash"' not in read('read.yaml') and
      '# Left out, as a run sets them: Hash' in read('read.yaml'), r.stderr)
r = run('evolve', 'recipe.yaml', '-o', 'again.db', '--set', 'space=read.yaml', '--set',
        'ga.generations=0', '--set', 'ga.population=2', '--set', 'data.held_out=[]')
check('what space writes evolves as it is', r.returncode == 0, r.stderr)
os.makedirs('own spaces', exist_ok=True)
os.symlink(program, 'own-engine')
r = run('space', './own-engine --tune', '-o', 'own spaces/read.yaml')
check('a relative command is seen from the folder of the space',
      r.returncode == 0 and 'command: "../own-engine --tune"\n' in read('own spaces/read.yaml'), r.stderr)
r = run('evolve', 'recipe.yaml', '-o', 'placed.db', '--set', 'space=own spaces/read.yaml', '--set',
        'ga.generations=0', '--set', 'ga.population=2', '--set', 'data.held_out=[]')
check('and found from there', r.returncode == 0, r.stderr)

with open('latin-engine', 'w', encoding='latin-1') as f:
    f.write('#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) cat <<END\n'
            'id name Caf\xe9\nid author x%s\noption name Th\xe9 type spin default 1 min 0 max 9\n'
            'option name Margin type spin default 1 min 0 max 9\nuciok\nEND\n;;\n'
            'isready) echo readyok;;\nquit) exit;;\nesac; done\n' % ('\xc3\xa9' * 80))
os.chmod('latin-engine', 0o755)
r = run('space', './latin-engine', '-o', 'latin.yaml')
check('what is not UTF-8 is left out and named', r.returncode == 0 and 'option Th? is left out: ' in r.stderr and
      read('latin.yaml').startswith('# Caf?, by x%s: its options' % ('\xe9' * 49)), (read('latin.yaml'), r.stderr))
r = run('export', 'latin.yaml', '--format', 'setoption')
check('so that the file can be read', r.returncode == 0 and 'Margin' in r.stdout, r.stderr)

# ---- a mentor

r = run('label', os.path.join(source, 'data/train-1.epd'), '--engine', grayling_uci, '-o', 'all.epd')
labels = read('all.epd').splitlines()[:200]
check('label writes scores', r.returncode == 0 and all(' ce ' in line for line in labels), r.stderr)
write('lesson.epd', '\n'.join(labels[:150]) + '\n')
write('test.epd', '\n'.join(labels[150:]) + '\n')
write('mentor.yaml', 'name: mentor\nphase: evaluation\nseed: 1\n'
      'data: {train: lesson.epd, held_out: test.epd}\nfitness: {measure: mentor}\n'
      'ga: {population: 20, generations: 30, selection: {kind: tournament}}\n')
r = run('evolve', 'mentor.yaml', '-o', 'pupil.db', '--threads', 2)
values = rows('pupil.db', 'SELECT measure FROM generation ORDER BY idx')
check('a pupil comes closer to its mentor', r.returncode == 0 and values[-1][0] < 0.7 * values[0][0],
      (values, r.stderr))
r = run('trace', '--check', grayling + ' trace', '-o', 'weights.yaml', 'lesson.epd')
r = run('evolve', 'mentor.yaml', '-o', 'traced.db', '--threads', 2, '--set', 'space=weights.yaml')
organisms = 'SELECT generation, idx, chromosome, fitness FROM organism AS o JOIN genome AS g ON g.id = genome'
check('a pupil over the trace protocol is the same', r.returncode == 0 and
      rows('traced.db', organisms) == rows('pupil.db', organisms) != [], r.stderr)
r = run('verify', 'pupil.db')
check('the pupil repeats', r.returncode == 0, r.stderr)
tap.plan()
