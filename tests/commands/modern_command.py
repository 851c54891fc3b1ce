"""The modern evaluation wherever an evaluation is named: files, runs, matches, suites, games of
organisms, nights, the trace protocol and UCI."""
import json
import os
import re

import small_night
import tap
from tap import check, grayling, head, read, run, source, uci, works, write

KIND = 'kind: evaluation-modern\n'
READABLE = ('yaml', 'json', 'csv', 'uci', 'openbench', 'fishtest', 'weather-factory', 'optuna')
PIECES = {'P': 800, 'N': 2500, 'B': 2600, 'R': 4000, 'Q': 7600}


def values(text):
    """The values of a parameter file."""
    return {n: int(v) for n, v in re.findall(r'^  (\w+): *(-?\d+)', text, re.M)}


def refuses(what, words, *arguments):
    tap.refuses('refuses ' + what, words, *arguments)


def make_files():
    """Parameters by hand, and what they are tried on."""
    weights = {'MATERIAL_%s_%s' % (k, p): v for k, v in PIECES.items() for p in ('MG', 'EG')}
    weights.update(TEMPO_MG=80, SQUARE_N_4_D_MG=200, SQUARE_P_4_D_MG=150, REACH_B_MG=30, REACH_R_EG=30,
                   REACH_Q_MG=8, PASSED_7_EG=900)
    write('mine.yaml', KIND + 'parameters:\n' + ''.join('  %s: %d\n' % w for w in weights.items()))
    write('blind.yaml', KIND + 'parameters: {TEMPO_MG: 8}\n')
    write('theirs.yaml', read(os.path.join(source, 'params/paper-eval.yaml')))
    for name, count in (('train-1.epd', 60), ('tactics-train.epd', 8), ('openings.epd', 90)):
        head(name, count)
    return weights


def test_parameter_files():
    for form in READABLE:
        write('as.' + form, run('export', 'mine.yaml', '--format', form).stdout)
        again = run('export', 'as.' + form, '--format', 'yaml')
        check('%s reads back, without the weights that are 0' % form,
              values(again.stdout) == weights, again.stdout[:400] + again.stderr)
    short = json.loads(read('as.json'))['parameters']
    check('a file has no zeros', short == weights, short)
    check('C has all weights', run('export', 'mine.yaml', '--format', 'c').stdout.count(' = 0;') > 1500)
    write('typo.yaml', KIND + 'parameters: {TEMPO_MGG: 8}\n')
    refuses('an unknown name', 'did you mean TEMPO_MG?', 'score', 'typo.yaml', 'train-1.epd')
    write('high.yaml', KIND + 'parameters: {TEMPO_MG: 4096}\n')
    refuses('a value out of range', 'from -4096 to 4095', 'score', 'high.yaml', 'train-1.epd')


def matched(name):
    """The moves that parameters match."""
    r = run('score', name, 'train-1.epd')
    found = re.search(r'^\S+ +(\d+) +[\d.]+ %', r.stdout, re.M)
    check('score of ' + name, r.returncode == 0 and found, r)
    return int(found.group(1)) if found else -1


def test_scores():
    check('pieces match more moves than the tempo', matched('mine.yaml') > matched('blind.yaml'))
    refuses('two kinds in one table', 'score them apart', 'score', 'mine.yaml', 'paper-eval',
            'train-1.epd')


def test_traces():
    done = run('trace', '--check', grayling + ' trace --params mine.yaml', 'train-1.epd')
    check('the check has nothing to say against it', done.returncode == 0 and
          re.search('^scale +192$', done.stdout, re.M) and 'linear' in done.stdout, done)


def test_matches():
    common = ('--games', 8, '--nodes', 300, '--hash', 1)
    one = run('match', 'mine.yaml', 'blind.yaml', *common, '--threads', 1, '-o', 'one.pgn')
    score = re.search(r'\[(\d\.\d+)\] 8', one.stdout)
    check('the better evaluation wins', score and float(score.group(1)) > 0.6, one)
    works('either evaluation may play the other', 'match', 'mine.yaml,plain', 'plain,paper-eval', *common, '-o',
          'both.pgn')
    works('a gauntlet', 'gauntlet', 'mine.yaml', '--against', 'theirs.yaml', *common, '-o', 'gauntlet.pgn',
          says='mine')


def test_suites():
    common = ('tactics-train.epd', '--nodes', 3000, '--format', 'csv')
    one, other = (run('solve', *common, '--eval', name).stdout for name in ('mine.yaml', 'paper-eval'))
    lines = [[l for l in text.splitlines() if not l.startswith('#')] for text in (one, other)]
    check('a suite is solved with it', len(lines[0]) == len(lines[1]) > 8 and one != other, one)
    r = run('solve', 'tactics-train.epd', '--nodes', 300, '--eval', 'mine.yaml', '-o', 'solved.csv')
    check('and a journal names its weights', r.returncode == 0 and os.path.exists('solved.csv'), r)


def evolve(name, text):
    write(name + '-recipe.yaml', 'name: %s\n%s' % (name, text))
    works('evolve ' + name, 'evolve', name + '-recipe.yaml', '-o', name + '.db', '--threads', 2)
    works(name + ' repeats', 'verify', name + '.db')


def test_runs():
    evolve('moves', 'space: evaluation-modern\ndata: {train: [train-1.epd]}\n'
           'ga: {population: 8, generations: 3, seeds: [mine.yaml]}\n')
    kept = read('moves.yaml')
    check('the best is written as a parameter file', KIND in kept and len(values(kept)) > 10)
    check('and a run is one', matched('moves.db') == matched('moves.yaml') >= matched('mine.yaml'))
    evolve('games', 'phase: coevolution\nspace: evaluation-modern\n'
           'data: {openings: openings.epd, opponent: mine.yaml}\n'
           'fitness: {limit: 60, games: 2, opponent_games: 4, hash: 1}\n'
           'ga: {population: 4, generations: 2, seeds: [mine.yaml, moves.db]}\n')
    evolve('search', 'phase: search\ndata: {train: [tactics-train.epd], split: halves}\n'
           'fitness: {limit: 500, hash: 1, evaluation: games.db}\n'
           'ga: {population: 4, generations: 2}\n')
    write('wrong.yaml', 'name: wrong\nphase: search\nspace: evaluation-modern\n'
          'data: {train: [tactics-train.epd]}\n')
    refuses('a space of another phase', 'expected a space file, or search,', 'evolve', 'wrong.yaml')
    works('runs play', 'match', 'games.db,search.db', 'mine.yaml,search.db', '--games', 2, '--nodes', 100, '-o',
          'runs.pgn')
    write('fit-space.yaml', KIND + 'parameters:\n  TEMPO_MG: {bits: 5, min: 0, max: 31}\n')
    r = run('regress', 'train-1.epd', '--space', 'fit-space.yaml', '--from', 'blind.yaml', '--steps', 20,
            '-o', 'fit.yaml')
    check('regress with a space of one weight', r.returncode == 0 and
          set(values(read('fit.yaml'))) <= {'TEMPO_MG'}, r)
    r = run('space', 'mine.yaml', '--bits', 9, '-o', 'few-space.yaml')
    few = read('few-space.yaml')
    check('the space of a file', r.returncode == 0 and KIND in few and
          few.count('bits:') == len([v for v in values(read('mine.yaml')).values() if v != 0]), few)
    check('of so many bits', '{bits: 9, min: -4096, max: 4080, step: 16}' in few and
          '{bits: 9, min: 0, max: 16352, step: 32}' in few, few)
    works('the space of a file that comes with the program', 'space', 'modern-eval', says=KIND)
    works('narrow by what each term has', 'space', 'mine.yaml', '--bits', 6, '--narrow',
          says=('SQUARE_N_4_D_MG: {bits: 6, min: -512, max: 496, step: 16}', 'REACH_Q_MG: {bits: 6, min: -64, max: 62, step: 2}', 'MATERIAL_P_MG: {bits: 6, min: 0, max: 16128, step: 256}'))
    write('little.yaml', KIND + 'parameters: {TEMPO_MG: 2, MATERIAL_P_MG: 2}\n')
    works('and narrow ranges hold the values of the file', 'space', 'little.yaml', '--narrow',
          says=('TEMPO_MG: {bits: 3, min: -4, max: 3}', 'MATERIAL_P_MG: {bits: 2, min: 0, max: 3}'))
    write('alike.yaml', KIND + 'parameters: {KNIGHT_MOBILITY_3_MG: 500, ROOK_MOBILITY_TO_3_MG: 2, '
          'ROOK_MOBILITY_TO_9_EG: 1}\n')
    works('by the weights of the term, and not by others of the same meaning', 'space', 'alike.yaml', '--narrow',
          says=('KNIGHT_MOBILITY_3_MG: {bits: 11, min: -1024, max: 1023}', 'ROOK_MOBILITY_TO_3_MG: {bits: 3, min: -4, max: 3}', 'ROOK_MOBILITY_TO_9_EG: {bits: 3, min: -4, max: 3}'))
    evolve('few', 'space: few-space.yaml\ndata: {train: [train-1.epd]}\nga: {population: 8, generations: 2}\n')
    check('is evolved', set() < set(values(read('few.yaml'))) <= set(values(read('mine.yaml'))))
    refuses('bits of an engine', '--bits is for a parameter file', 'space', 'stockfish', '--bits', 4)
    refuses('narrow ranges of an engine', '--narrow is for a parameter file', 'space', 'stockfish', '--narrow')
    r = run('regress', 'train-1.epd', '--space', 'evaluation-modern', '--steps', 5, '-o', 'all.yaml')
    check('and with all', r.returncode == 0 and len(values(read('all.yaml'))) > 100, r)


def test_night():
    small_night.write_recipes()
    modern = 'set: {space: evaluation-modern, ga: {generations: 1}}'
    write('night.yaml', read('night.yaml').replace('runs: 2}', 'runs: 2, %s}' % modern)
          .replace('seeds: evolve}', 'seeds: evolve, %s}' % modern))
    works('a night hands it on', 'evolve', 'night.yaml', '-o', 'night.db', '--threads', 2,
          says=('the night is complete', 'EVOL* - chance'))
    check('and writes it', KIND in read('night-coevolve.yaml'))


def test_options():
    text = 'setoption name EvalFile value mine.yaml\nposition startpos\neval\ngo depth 4\n'
    r = tap.call(uci, input=text + 'quit\n')
    check('EvalFile reads it', re.search(r'EvalFile: \d+ values applied', r.stdout) and
          'TEMPO_MG' in r.stdout and 'bestmove' in r.stdout, r)


weights = make_files()
tap.main()
