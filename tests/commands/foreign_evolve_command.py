"""`grayling evolve` with another engine: its options by nodes to solution and in games, what a villain
does to a run, bad spaces; `grayling space`, and a mentor's scores."""
import json
import os
import re

import tap
from tap import check, grayling, query, read, refuses, run, uci, villain, write

ENGINE = uci + ' --tune'
SUITE = ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n'
         'q3k3/8/8/1N6/8/8/8/4K3 w - - bm Nc7+;\n'
         '7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n'
         '2k5/8/8/8/8/8/5r2/4RK2 w - - bm Kxf2;\n'
         '4k3/4q3/8/8/8/8/4B3/4RK2 w - - bm Bb5+;\n'
         'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a4;\n')
ONE = [('KNIGHT_VALUE', '{min: 0, max: 1023, default: 300}')]
ORGANISMS = 'SELECT generation, idx, chromosome, fitness FROM organism AS o JOIN genome AS g ON g.id = genome'


def table(name):
    """The parameters of a table of the source tree, in order."""
    return re.findall(r'(?m)^PARAM\((\w+), *(\d+), *(-?\d+), *(-?\d+), *(-?\d+)', read(os.path.join(tap.source, 'src/engine', name)))


def space(engine, entries):
    return 'kind: uci\ncommand: %s\nparameters:\n%s' % (engine, ''.join('  %s: %s\n' % entry for entry in entries))


def genes(parameters):
    return [(name, '{fixed: %s}' % initial if bits == '0' else
             '{bits: %s, min: %s, max: %s, default: %s}' % (bits, low, high, initial))
            for name, bits, low, high, initial in parameters]


def evolve(recipe, name, *settings, threads=2):
    """A run of a recipe with settings."""
    return run('evolve', recipe, '-o', name, '--threads', threads, *(word for s in settings for word in ('--set', s)))


def faults_of(name):
    """The faults of a run, and their reports."""
    folder = name + '.faults'
    return ([value for value, in query(name, "SELECT value FROM property WHERE key = 'faults'")] + [''])[0], [
        read(os.path.join(folder, f)) for f in (os.listdir(folder) if os.path.exists(folder) else ())]


search_genes = genes(table('search/search_params.def'))
write('suite.epd', SUITE)
write('two.epd', ''.join(SUITE.splitlines(True)[:2]))
write('plain.yaml', 'kind: search\nparameters:\n' + ''.join('  %s: 0\n' % p[0] for p in table('search/search_params.def')))
write('evaluation.yaml', space(ENGINE, [('SearchFile', '{type: string, fixed: %s/plain.yaml}' % tap.work)] +
                               genes(table('eval/eval_params.def'))))
write('games.yaml', 'name: games\nphase: coevolution\nseed: 3\n'
      'data: {openings: %s/data/openings.epd, opponent: %s}\n'
      'fitness: {limit: 100, games: 2, opponent_games: 2, hash: 1}\n'
      'ga: {population: 4, generations: 1}\n' % (tap.source, tap.params('paper-eval.yaml')))
write('search.yaml', space(ENGINE, search_genes))
write('recipe.yaml', 'name: nodes\nphase: search\nseed: 1\nspace: search.yaml\n'
      'data: {train: suite.epd, held_out: suite.epd}\n'
      'fitness: {limit: 2000, hash: 1}\nga: {population: 4, generations: 2}\n')
TINY = ('ga.population=2', 'ga.generations=0')
FEW = ('data.train=two.epd', 'data.held_out=[]')
ALONE = 'data.opponent=""'


def test_games():
    """Our engine behind UCI plays what it plays in process."""
    r = evolve('games.yaml', 'ours.db')
    check('games in process', r.returncode == 0, r)
    r = evolve('games.yaml', 'theirs.db', 'space=evaluation.yaml')
    check('games over UCI, by processes that go on with other values', r.returncode == 0 and 'a new process' not in r.stdout, r)
    for sql in 'SELECT * FROM game', 'SELECT generation, idx, fitness FROM organism', 'SELECT idx, measure, held_out FROM generation':
        check('the same over UCI as in process: ' + sql, query('ours.db', sql) == query('theirs.db', sql) != [])
    check('the values name the engine and its constants', has_all(read('theirs.yaml'), 'kind: uci', uci, 'SearchFile'), read('theirs.yaml'))
    write('trace-space.yaml', space(grayling + ' trace --params paper-eval', genes(table('eval/eval_params.def'))).replace(
        'kind: uci', 'kind: trace').replace('parameters:', 'plays: %s\nparameters:' % ENGINE))
    evolve('games.yaml', 'default.db', ALONE, 'fitness.search=' + tap.params('default-search.yaml'))
    r = evolve('games.yaml', 'played.db', ALONE, 'space=trace-space.yaml')
    played = 'SELECT generation, number, white_idx, black_idx, opening, result, plies FROM game'
    check('the weights of a trace play by UCI, and the games are those in process', r.returncode == 0 and
          query('default.db', played) == query('played.db', played) != [], r)
    r = evolve('games.yaml', 'timed.db', 'space=evaluation.yaml', 'fitness.movetime=1', 'fitness.win_score=300', ALONE, *TINY)
    check('games at equal time are played', r.returncode == 0 and
          all(plies > 4 for plies, in query('timed.db', 'SELECT plies FROM game')), r)
    r = evolve('games.yaml', 'ours-timed.db', 'fitness.movetime=1')
    check('our own games are by nodes', r.returncode == 2 and 'fitness.movetime' in r.stderr, r)


def test_keeper():
    write('keeper.yaml', read('evaluation.yaml').replace(ENGINE, villain + ' --remember'))
    r = evolve('games.yaml', 'kept.db', 'space=keeper.yaml', ALONE, *TINY)
    check('a process that keeps something of its games is replaced for other values', r.returncode == 0 and
          ', a new process for other values, as one does not take them as new ones do' in r.stdout, r)


def test_nodes():
    r = evolve('recipe.yaml', 'nodes.db')
    check('nodes to solution over UCI', r.returncode == 0 and 'faults' not in r.stderr, r)
    whole = tap.dump('nodes.db')
    evolve('recipe.yaml', 'one.db', threads=1)
    check('the same with one process', tap.dump('one.db') == whole)
    evolve('recipe.yaml', 'part.db', 'ga.generations=1')
    r = run('resume', 'part.db', '--generations', 2)
    check('a resumed run is the whole run', tap.dump('part.db') == whole, r)
    tap.works('the run repeats', 'verify', 'nodes.db')
    r = run('export', 'nodes.db', '--format', 'uci')
    check('the options are exported', r.stdout.count('setoption name ') == len(search_genes), r)
    r = run('match', 'nodes.db', 'uci:' + ENGINE, '--games', 2, '--nodes', 200, '-o', 'run.pgn')
    check('a run is a player', r.returncode == 0 and has_all(read('run.pgn'), '"nodes"', ENGINE), r)


def has_all(text, *words):
    return all(word in text for word in words)


def test_place():
    """A folder with the run and its engine."""
    os.mkdir('place')
    for name in 'engine', 'engine2':
        os.symlink(uci, 'place/' + name)
    write('place/space.yaml', space('./engine --tune', search_genes))
    write('place/recipe.yaml', read('recipe.yaml').replace('search.yaml', 'space.yaml').replace('suite.epd', '../suite.epd'))
    r = evolve('place/recipe.yaml', 'place/one.db', 'ga.generations=0')
    check('the run keeps its engine as seen from itself', r.returncode == 0 and
          query('place/one.db', "SELECT value FROM property WHERE key = 'command'") == [('./engine --tune',)], r)
    write('place/space.yaml', space('./engine2 --tune', search_genes))
    refuses('it does not go on with another engine',
            'began with the engine ./engine --tune, and the space has ./engine2 --tune now', 'resume', 'place/one.db',
            '--generations', 1)
    write('place/space.yaml', space('./engine --tune', search_genes))
    os.rename('place', 'moved')
    r = run('resume', 'moved/one.db', '--generations', 1)
    check('it goes on in a folder that was moved', r.returncode == 0 and
          query('moved/one.db', 'SELECT max(idx) FROM generation') == [(1,)], r)
    tap.works('and plays there', 'match', 'moved/one.db', 'uci:' + ENGINE, '--games', 2, '--nodes', 200)
    r = run('confirm', 'moved/one.db', '--suite', 'none')
    check('and is confirmed there', r.returncode == 0 and '/moved/./engine' in r.stdout and '/place/' not in r.stdout, r)
    check('with the settings of a match in the lines of other programs',
          r.stdout.count(' option.Hash=1 option.Threads=1 option.Ponder=false ') == 2, r)


def test_crashes():
    """A villain among the workers."""
    write('villains.yaml', space(villain + ' --every 2 --die 3', [('PAWN_VALUE', '{fixed: 100}')] + ONE))
    r = evolve('recipe.yaml', 'villain.db', 'space=villains.yaml', 'ga.generations=1')
    faults, reports = faults_of('villain.db')
    check('crashes are counted, and told at the end', r.returncode == 0 and 'crash' in faults and
          has_all(r.stdout, 'crash', 'villain.db.faults'), (faults, r))
    check('a report has the reason, the position, the options and the conversation', reports and
          has_all(reports[0], 'code 3', 'position ', 'setoption name KNIGHT_VALUE', '> go '), reports)
    check('the status tells them, and the page', faults in run('status', 'villain.db').stdout and
          '<dt>faults of the engine</dt><dd>%s</dd>' % faults in run('report', 'villain.db', '-o', '-').stdout)
    check('no process is left', tap.no_process(villain + ' --every 2 --die 3'))


def stops(name, words, pattern, *settings):
    """The run stops with its reason, shows its faults, and goes on from the games that it has."""
    r = evolve('games.yaml', name, ALONE, *settings)
    faults, reports = faults_of(name)
    check('%s: faults that decide too many games stop a run' % name, r.returncode == 1 and has_all(
        r.stderr, 'more than 2 of 100: ', words, name + '.faults', f'continue with: {grayling} resume {name}'), r)
    check('%s: they are counted' % name, re.fullmatch(pattern, faults), faults)
    status = run('status', name)
    check('%s: and shown' % name, has_all(status.stdout, 'faults       ' + faults, 'more than 2 of 100') and
          json.loads(run('status', name, '--format', 'json').stdout)['faults'] == faults, status)
    games = query(name, 'SELECT * FROM game')
    r = run('resume', name, '--threads', 2)
    after = query(name, 'SELECT * FROM game')
    check('%s: a resumed run has these games, plays more, and is judged anew' % name, r.returncode == 1 and
          len(games) >= 3 and after[:len(games)] == games and len(after) >= len(games) + 3, (games, after, r))
    return faults_of(name)[1]


def test_late():
    write('late.yaml', space(villain + ' --every 30 --slow 400', ONE))
    reports = stops('late-games.db', 'Give fitness.movetime more', r'\d+ loss(es)? on time', 'space=late.yaml', 'fitness.movetime=1')
    check('a report says how late the engine was', reports and all(
        re.search(r'\nused \d+ ms for this move\n', text) for text in reports) and
          any('> go movetime 1' in text for text in reports), reports)
    write('slow.yaml', read('late.yaml').replace('--every 30 ', ''))
    r = evolve('games.yaml', 'slow-games.db', 'space=slow.yaml', 'fitness.movetime=1')
    check('an engine that never keeps its time is refused', r.returncode == 2 and not os.path.exists('slow-games.db') and
          re.search(r'Villain used [\d,]+ to [\d,]+ ms of 1 a move; give fitness.movetime \d+ or more', r.stderr), r)


def test_sensitive():
    """An engine that dies of some values: its defaults, and most organisms."""
    write('sensitive.yaml', space(villain + ' --crash 255', [
        ('KNIGHT_VALUE', '{min: 0, max: 1023, default: 900}'), ('BISHOP_VALUE', '{min: 0, max: 1023, default: 521}')]))
    name = 'sensitive-recipe.db'
    r = evolve('recipe.yaml', name, 'space=sensitive.yaml', 'ga.generations=1', *FEW)
    faults, reports = faults_of(name)
    check('values that kill the engine cost their organism, not the run', r.returncode == 0 and
          re.fullmatch(r'\d+ crash(es)?', faults), (faults, r))
    tap.works('a resumed run goes on', 'resume', name, '--generations', 2)
    reports += stops('sensitive-games.db', 'Take the values that it fails with out of the space', r'\d+ crash(es)?',
                     'space=sensitive.yaml')
    check('there is evidence of values that kill the engine', len(reports) > 3 and all(
        has_all(text, 'ended by signal 11', 'setoption name KNIGHT_VALUE') for text in reports), reports)


def test_gone():
    write('leaves', '#!/bin/sh\n[ ! -e {0}/gone ] || exit 3\nexec {1} --every 60 --crash --tell {0}/gone\n'.format(tap.work, villain), 0o755)
    write('leaves.yaml', space('./leaves', ONE))
    r = evolve('games.yaml', 'leaves-games.db', 'space=leaves.yaml', ALONE, threads=1)
    check('an engine that starts no more loses its games, until that stops the run', r.returncode == 1 and
          'more than 2 of 100: 3 crashes in ' in r.stderr, r)
    os.remove('gone')
    games = tap.count_rows('leaves-games.db', 'game')
    r = run('resume', 'leaves-games.db', '--threads', 1)
    check('and the run goes on when it is there again', tap.count_rows('leaves-games.db', 'game') > games, r)


def test_refused():
    """Bad input: one line before anything runs."""
    write('empty.epd', '# nothing\n')
    for what, words, text, *settings in (
            ('a missing engine', 'No such file', space('./nowhere', ONE)),
            ('an engine that is not UCI', 'true exited', space('true', ONE)),
            ('an option that the engine does not have', 'KNIGHT_WORTH', space(ENGINE, [('KNIGHT_WORTH', '{min: 0, max: 9, default: 3}')])),
            ("a value out of the option's range", '99999', space(ENGINE, [('KNIGHT_VALUE', '{min: 0, max: 99999, default: 300}')])),
            ("a constant out of the option's range", '-7', space(ENGINE, ONE + [('Hash', '-7')])),
            ('a space without genes', 'evolve', space(ENGINE, [('Hash', '16')])),
            ('weights of an evaluation', 'kind: uci', space(ENGINE, ONE).replace('uci', 'trace', 1)),
            ('an evaluation for another engine', 'fitness.evaluation', space(ENGINE, ONE),
             'fitness.evaluation=' + tap.params('paper-eval.yaml')),
            ('a suite without a position', 'no position', space(ENGINE, ONE), 'data.train=empty.epd')):
        write('wrong.yaml', text)
        r = evolve('recipe.yaml', 'bad.db', 'space=wrong.yaml', *settings)
        check('refuses ' + what, r.returncode == 2 and words in r.stderr and r.stderr.count('\n') == 1 and not os.path.exists('bad.db'), r)


def test_space():
    r = run('space', ENGINE, '-o', 'read.yaml')
    text = read('read.yaml')
    check('space reads the options', r.returncode == 0 and has_all(text, 'PAWN_VALUE', '# Left out, as a run sets them: Hash') and
          '"Ponder"' not in text and '"Hash"' not in text, r)
    os.makedirs('own spaces')
    os.symlink(uci, 'own-engine')
    r = run('space', './own-engine --tune', '-o', 'own spaces/read.yaml')
    check('a relative command is seen from the folder of the space', r.returncode == 0 and
          'command: "../own-engine --tune"\n' in read('own spaces/read.yaml'), r)
    r = evolve('recipe.yaml', 'placed.db', 'space=own spaces/read.yaml', *FEW, *TINY)
    check('what space writes evolves as it is, and finds its engine from there', r.returncode == 0, r)
    with open('latin-engine', 'w', encoding='latin-1') as f:
        f.write('#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) cat <<END\n'
                'id name Caf\xe9\nid author x%s\noption name Th\xe9 type spin default 1 min 0 max 9\n'
                'option name Margin type spin default 1 min 0 max 9\nuciok\nEND\n;;\n'
                'isready) echo readyok;;\nquit) exit;;\nesac; done\n' % ('\xc3\xa9' * 80))
    os.chmod('latin-engine', 0o755)
    r = run('space', './latin-engine', '-o', 'latin.yaml')
    check('what is not UTF-8 is left out and named', r.returncode == 0 and 'option Th? is left out: ' in r.stderr and
          read('latin.yaml').startswith('# Caf?, by x%s: its options' % ('\xe9' * 49)), (read('latin.yaml'), r))
    tap.works('so that the file can be read', 'export', 'latin.yaml', '--format', 'setoption', says='Margin')


def test_mentor():
    tap.head('train-1.epd', 200)
    r = run('label', 'train-1.epd', '--engine', ENGINE, '-o', 'all.epd')
    labels = [line for line in read('all.epd').splitlines() if not line.startswith('#')]
    check('label writes scores', r.returncode == 0 and len(labels) > 150 and all(' ce ' in line for line in labels), r)
    write('lesson.epd', '\n'.join(labels[:120]) + '\n')
    write('test.epd', '\n'.join(labels[120:]) + '\n')
    write('mentor.yaml', 'name: mentor\nphase: evaluation\nseed: 1\n'
          'data: {train: lesson.epd, held_out: test.epd}\nfitness: {measure: mentor}\n'
          'ga: {population: 20, generations: 30, selection: {kind: tournament}}\n')
    r = evolve('mentor.yaml', 'pupil.db')
    values = query('pupil.db', 'SELECT measure FROM generation ORDER BY idx')
    check('a pupil comes closer to its mentor', r.returncode == 0 and values[-1][0] < 0.7 * values[0][0], (values, r))
    run('trace', '--check', grayling + ' trace', '-o', 'weights.yaml', 'lesson.epd')
    r = evolve('mentor.yaml', 'traced.db', 'space=weights.yaml')
    check('a pupil over the trace protocol is the same', r.returncode == 0 and
          query('traced.db', ORGANISMS) == query('pupil.db', ORGANISMS) != [], r)
    tap.works('the pupil repeats', 'verify', 'pupil.db')


tap.main()
