"""Evidence from the command line: written from a run, compared with it, and repeated."""
import hashlib
import os
import re

import small_night
import tap
from tap import check, count_rows, dump, query, read, refuses, run, start, wait_for, works, write

os.mkdir('temporary')
os.environ['TMPDIR'] = os.path.abspath('temporary')
GENERATIONS = 8


def write_recipes():
    small_night.write_recipes()
    write('small.yaml', 'name: small\nseed: 3\ndata: {train: [train-1.epd], held_out: [train-1.epd]}\n'
          'ga: {population: 6, generations: %d}\n' % GENERATIONS)


def organisms(path):
    """The SHA-256 that docs/architecture.md defines, from the tables of the store."""
    rows = query(path, 'SELECT generation, idx, lower(hex(chromosome)), fitness FROM organism'
                       ' AS o JOIN genome AS g ON g.run_id = o.run_id AND g.id = o.genome'
                       ' ORDER BY generation, idx')
    return hashlib.sha256(''.join('%d %d %s %d\n' % row for row in rows).encode()).hexdigest()


def check_refused(what, text, code, words, run_given=True):
    """Whether verify ends with this code and these words where the evidence says something else."""
    assert text != read('evidence.yaml'), what
    write('changed.yaml', text)
    done = run('verify', *(['whole.db'] if run_given else []), '--expect', 'changed.yaml')
    check(what, done.returncode == code and tap.has(done, words) and not done.stdout
          and done.stderr.splitlines()[-1].startswith('grayling: '), done)


def test_written():
    made = run('evolve', 'small.yaml', '-o', 'whole.db')
    done = run('export', 'whole.db', '--format', 'evidence', '-o', 'evidence.yaml')
    check('evidence is written', made.returncode == 0 and done.returncode == 0 and not done.stdout,
          made.stderr + done.stderr)
    text = read('evidence.yaml')
    check('with the SHA-256 of the organisms', organisms('whole.db') in text, text)
    check('and one of each generation', len(re.findall('"[0-9a-f]{8}"', text)) == GENERATIONS + 1, text)
    check('and no trace of time or place', os.getcwd() not in text and 'seconds' not in text, text)
    shown = run('export', 'whole.db', '--format', 'evidence')
    check('or to standard output', shown.stdout == text, shown.stdout + shown.stderr)
    again = run('export', 'whole.db', '--format', 'evidence', '-o', 'evidence.yaml')
    check('not over a file that is there', again.returncode == 2 and 'exists' in again.stderr
          and read('evidence.yaml') == text, again.stderr)
    os.mkdir('elsewhere')
    run('export', 'whole.db', '--format', 'evidence', '-o', 'elsewhere/evidence.yaml')
    check('paths are seen from its folder', '"../train-1.epd"' in read('elsewhere/evidence.yaml'),
          read('elsewhere/evidence.yaml'))
    works('from where it repeats', 'verify', '--expect', 'elsewhere/evidence.yaml')


def test_compared():
    works('the run is as its evidence says', 'verify', 'whole.db', '--expect', 'evidence.yaml', says='as expected')
    for threads in '1', '2':
        works('it repeats with %s threads' % threads, 'verify', '--expect', 'evidence.yaml', '--threads', threads,
              says='repeated, as expected')
    check('and leaves nothing behind', os.listdir('temporary') == [], os.listdir('temporary'))
    shorter = read('evidence.yaml').replace('    power: 2\n', '').replace('    elitism: 1\n', '')
    write('shorter.yaml', shorter)
    done = run('verify', 'whole.db', '--expect', 'shorter.yaml')
    check('what a recipe leaves out has its default', done.returncode == 0 and 'power' not in shorter, done.stderr)


def test_kept():
    done = run('verify', '--expect', 'evidence.yaml', '-o', 'again.db')
    check('the repeated run can be kept', done.returncode == 0 and dump('again.db') == dump('whole.db'),
          done.stderr)
    for what, *words in (('not over a run that is there', '--expect', 'evidence.yaml', '-o', 'again.db'),
                         ('nor beside one that is given', 'whole.db', '--expect', 'evidence.yaml', '-o', 'b.db'),
                         ('nor without evidence', 'whole.db', '-o', 'b.db')):
        refuses(what, '', 'verify', *words, absent='b.db')


def test_differences():
    text = read('evidence.yaml')
    check_refused('another recipe is named by its key', text.replace('seed: 3', 'seed: 4'), 1,
                  ['changed.yaml: recipe', "seed: expected '4', and the run has '3'"])
    check_refused('repeated, by the first generation', text.replace('seed: 3', 'seed: 4'), 1,
                  ['generation 0 is the first'], run_given=False)
    fewer = text.replace('generations: %d' % GENERATIONS, 'generations: %d' % (GENERATIONS - 2))
    check_refused('a run that ends early too', fewer, 1, ['ends before generation %d' % (GENERATIONS - 1)],
                  run_given=False)
    checksums = re.findall('"([0-9a-f]{8})"', text)
    check_refused('another checksum by its generation', text.replace(checksums[5], '01234567'), 1,
                  ['generations: generation 5 is the first with unexpected organisms'])
    check_refused('one of all organisms', text.replace(organisms('whole.db'), 64 * '0'), 1,
                  ['runs.run.organisms: expected'])
    measure = int(re.search('measure: (\\d+),', text)[1])
    check_refused('another measure', text.replace('measure: %d,' % measure, 'measure: %d,' % (measure + 1)), 1,
                  ["outcome.measure: expected '%d', and the run has '%d'" % (measure + 1, measure)])
    check_refused('another value', re.sub('(ROOK_VALUE: )\\d+', '\\g<1>7', text), 1,
                  ["values.ROOK_VALUE: expected '7'"])
    with open('train-1.epd') as f:
        lines = f.readlines()
    write('train-1.epd', ''.join(lines[:20]))
    refuses('other data is found', 'generation 0', 'verify', '--expect', 'evidence.yaml', code=1)
    write('train-1.epd', ''.join(lines))


def test_bad_files():
    text = read('evidence.yaml')
    for key in 'organisms', 'outcome':
        check_refused('a missing key is named: ' + key, re.sub('    %s: .*\n' % key, '', text), 2,
                      ['changed.yaml:', 'the key %s is missing' % key])
    check_refused('a missing key inside', text.replace(', held_out: ', ', held: '), 2,
                  ['changed.yaml:', 'the key held_out is missing'])
    check_refused('an unknown key', text + 'seconds: 3\n', 2, ['seconds: unknown key; known here: recipe, runs'])
    check_refused('a bad recipe, without a run', text.replace('population: 6', 'population: none'), 2,
                  ['changed.yaml: recipe', 'ga.population'], run_given=False)
    check_refused('data that is absent', text.replace('"train-1.epd"', '"none.epd"'), 2, ['none.epd'],
                  run_given=False)
    for what, *words in (('no evidence', 'verify', '--expect', 'none.yaml'),
                         ('a recipe for evidence', 'verify', '--expect', 'small.yaml'),
                         ('no run', 'verify', 'none.db', '--expect', 'evidence.yaml'),
                         ('a sample of a comparison', 'verify', 'whole.db', '--expect', 'evidence.yaml', '--sample', '2'),
                         ('evidence of parameters', 'export', 'whole.yaml', '--format', 'evidence')):
        refuses(what + ' is bad input', '', *words)
    check('nothing is left behind', os.listdir('temporary') == [], os.listdir('temporary'))


def test_unfinished():
    cut = start('evolve', 'small.yaml', '-o', 'cut.db', '--set', 'ga.generations=100000')
    wait_for(lambda: count_rows('cut.db', 'generation') > 2)
    cut.kill()
    cut.communicate()
    refuses('an unfinished run gives no evidence', 'not finished', 'export', 'cut.db', '--format', 'evidence', '-o',
            'cut-evidence.yaml', absent='cut-evidence.yaml')


def test_kept_games():
    """A night whose match keeps its games writes files beside the run that is repeated."""
    write('games.yaml', 'name: games\nphase: night\nhours: 1000\nstages:\n  evolve: {recipe: evolve.yaml}\n'
          '  match:\n    games: 4\n    limit: 60\n    keep: yes\n    openings: openings.epd\n'
          '    players: {a: {evaluation: evolve}, b: {evaluation: random}}\n')
    made = run('evolve', 'games.yaml', '-o', 'games.db')
    done = run('export', 'games.db', '--format', 'evidence', '-o', 'games-evidence.yaml')
    again = run('verify', '--expect', 'games-evidence.yaml')
    check('a night that keeps its games repeats', made.returncode == 0 and done.returncode == 0 and
          again.returncode == 0 and os.path.exists('games-match.pgn'), made.stderr + done.stderr + again.stderr)
    check('and they are not left in the temporary folder', os.listdir('temporary') == [], os.listdir('temporary'))


def test_night():
    made = run('evolve', 'night.yaml', '-o', 'night.db')
    done = run('export', 'night.db', '--format', 'evidence', '-o', 'night-evidence.yaml')
    check('a night gives evidence', made.returncode == 0 and done.returncode == 0, made.stderr + done.stderr)
    works('and repeats', 'verify', '--expect', 'night-evidence.yaml')
    check('and leaves nothing behind', os.listdir('temporary') == [], os.listdir('temporary'))
    text = read('night-evidence.yaml')
    check('with the results of its match', text.count('{wins: ') == 3 and '"EVOL* - EVOL0"' in text, text)
    wins = re.search('wins: (\\d+)', text)[1]
    write('changed.yaml', text.replace('wins: ' + wins, 'wins: 99', 1))
    refuses('other results are found', "EVOL0.wins: expected '99'", 'verify', 'night.db', '--expect', 'changed.yaml',
            code=1)
    stage = run('export', 'night.db#coevolve', '--format', 'evidence', '-o', 'stage.yaml')
    check('so does a stage', stage.returncode == 0 and
          run('verify', 'night.db#coevolve', '--expect', 'stage.yaml').returncode == 0, stage.stderr)
    refuses('a night is not a run', 'recipe', 'verify', 'night.db', '--expect', 'evidence.yaml', code=1)
    run('evolve', 'night.yaml', '-o', 'short.db', '--hours', '0.000001')
    refuses('a night cut by its time gives none', 'ended by its time', 'export', 'short.db', '--format', 'evidence')


write_recipes()
tap.main()
