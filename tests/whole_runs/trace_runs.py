"""Runs that evolve the weights of an evaluation in another process, over the trace protocol: our own,
which must give the run that it gives in process, and the example in Python."""
import os
import re
import shutil
import signal
import sys

import tap
from tap import check, dump, grayling, head, query, refuses, run, source, start, wait_for, work, works, write

liar = '%s %s' % (sys.executable, tap.own_copy(source + '/tests/helpers/trace_villain.py'))
example = '%s %s' % (sys.executable, tap.own_copy(source + '/examples/trace/psqt.py'))


def evolve(name, space, *settings):
    """Runs the small recipe with a space, or with our own evaluation in process."""
    extra = [] if space is None else ['--set', 'space=' + space]
    for setting in settings:
        extra += ['--set', setting]
    return run('evolve', 'small.yaml', '-o', name, *extra)


def small_recipe():
    head('train-1.epd', 20)
    head('held-out.epd', 20)
    write('small.yaml', 'name: small\nphase: evaluation\nseed: 3\n'
            'data: {train: [train-1.epd], held_out: [held-out.epd]}\n'
            'ga: {population: 20, generations: 15}\n')


def write_space(name, command, *entries):
    write(name, 'kind: trace\ncommand: %s\nparameters:\n%s' % (command, ''.join(
        '  %s\n' % entry for entry in entries)))


def entries_of(command):
    """The weights of an evaluation that can change, as entries of a space."""
    lines = tap.call(*command.split(), input='trace 1\nquit\n').stdout.splitlines()
    weights = [line.split()[1:] for line in lines if line.startswith('weight ')]
    return ['%s: {min: %s, max: %s, default: %s}' % (name, least, most, value)
            for name, value, least, most in weights if least != most]


def test_same_as_in_process():
    command = grayling + ' trace --params paper-eval'
    write_space('ours-space.yaml', command, *entries_of(command))
    own, traced = evolve('own.db', None), evolve('traced.db', 'ours-space.yaml')
    check('a run in process', own.returncode == 0, own.stderr)
    check('the same run over the trace protocol', traced.returncode == 0, traced.stderr)
    check('every organism and every generation is the same', dump('own.db') == dump('traced.db'))
    works('it is verified', 'verify', 'traced.db')


def test_tuned_example():
    os.makedirs('spaces')
    for code, what in (0, 'the check writes a space'), (2, 'and replaces none'):
        done = run('trace', '--check', example, 'held-out.epd', '-o',
                       'spaces/psqt.yaml')
        check(what, done.returncode == code and ('exists' in done.stderr) == (code == 2), done.stderr)
    done = evolve('psqt.db', 'spaces/psqt.yaml')
    best = [row[0] for row in query('psqt.db', 'SELECT measure FROM generation ORDER BY idx')]
    check('the example is tuned: 395 weights, more moves matched',
          done.returncode == 0 and len(query('psqt.db', 'SELECT * FROM gene')) == 395 and
          best[-1] > best[0], (best, done.stderr))
    write_space('few-space.yaml', example, 'KNIGHT_MG: {min: 0, max: 700, default: 337}', 'TEMPO: {fixed: 20}')
    done = evolve('few.db', 'few-space.yaml')
    genes = dict((row[0], row[1:]) for row in
                 query('few.db', 'SELECT name, bits, min, max, initial FROM gene'))
    check('weights that the space does not name are constants at their own values',
          done.returncode == 0 and genes['KNIGHT_MG'][:3] == (10, 0, 700) and
          genes['TEMPO'][0] == 0 and genes['TEMPO'][3] == 20 and genes['ROOK_MG'][0] == 0 and
          genes['ROOK_MG'][3] == 477 and len(genes) == 395, (genes, done.stderr))


def test_fitted():
    """Regression over the trace protocol gives the values that it gives in process."""
    texts = []
    for name, begin in (('own-fit.yaml', ('--from', 'paper-eval')),
                        ('traced-fit.yaml', ('--space', 'ours-space.yaml'))):
        works('a regression, ' + name, 'regress', 'held-out.epd', '--steps', '4', '--scale', '100', '-o', name,
              *begin)
        with open(name) as f:
            texts.append(re.findall(r'"?(\w+)"?: +(-?\d+)', f.read().split('parameters:')[1]))
    check('the same values over the trace protocol', texts[0] == texts[1] and len(texts[0]) > 30,
          texts)
    scores = [run('score', name, 'held-out.epd') for name in ('own-fit.yaml', 'traced-fit.yaml')]
    matched = [re.findall(r'yaml +(\d+) ', r.stdout) for r in scores]
    check('they match the same moves', matched[0] == matched[1] != [], [r.stderr for r in scores])
    refuses('two evaluations are not scored together', 'score it alone', 'score', 'traced-fit.yaml', 'own-fit.yaml',
            'held-out.epd')


def test_relative_command():
    """A command that is named from here is named from the space's folder in the space."""
    shutil.copy(os.path.join(source, 'examples/trace/psqt.py'), work)
    os.chmod('psqt.py', 0o755)
    run('trace', '--check', './psqt.py', 'held-out.epd', '-o', 'spaces/relative.yaml')
    with open('spaces/relative.yaml') as f:
        text = f.read()
    check('the command is seen from the folder of the space', 'command: "../psqt.py"\n' in text,
          text[:300])
    os.chdir('spaces')
    done = run('evolve', '../small.yaml', '-o', 'found.db', '--set',
                   'space=relative.yaml', '--set', 'ga.generations=1')
    os.chdir(work)
    check('and found', done.returncode == 0, done.stderr)


def test_bad_input():
    def refused(what, space, *words):
        done = evolve('bad.db', space)
        check(what, done.returncode == 2 and done.stderr.count('\n') == 1 and
              all(w in done.stderr for w in words) and not os.path.exists('bad.db'), done.stderr)

    pawn = 'PAWN: {min: 0, max: 200, default: 100}'
    write_space('unknown.yaml', liar + ' none', pawn, 'KNIHGT: {min: 0, max: 9, default: 3}')
    refused('a weight that the evaluation has not', 'unknown.yaml', 'unknown.yaml: ',
            'the evaluation has no weight KNIHGT; did you mean KNIGHT?')
    write_space('villain.yaml', liar + ' not-linear 100', pawn)
    refused('an evaluation that is not linear', 'villain.yaml', 'not linear in its weights')
    write_space('dies.yaml', liar + ' dies 100', pawn)
    refused('one that dies', 'dies.yaml', 'was ended by signal 6')


def test_killed():
    """Nothing outlives a run that is killed while it compiles."""
    write_space('hangs.yaml', liar + ' hangs 100', 'PAWN: {min: 0, max: 200, default: 100}')
    child = start('evolve', 'small.yaml', '-o', 'killed.db', '--set', 'space=hangs.yaml')
    check('it works', wait_for(lambda: tap.processes(liar + ' hangs')))
    child.send_signal(signal.SIGKILL)
    child.communicate()
    check('killed with its evaluations', tap.no_process(liar + ' hangs'))
    check('no process is left', tap.no_process(liar) and tap.no_process(example))


small_recipe()
tap.main()
