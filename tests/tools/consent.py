"""Command lines that come in files: nothing starts them before the user has agreed, once."""
import os
import shutil
import stat
import threading

import tap
from tap import check, source, uci

scratch = tap.work
state = os.path.join(scratch, 'state')
kept = os.path.join(state, 'grayling', 'trusted')
for name in ('GRAYLING_TRUST', 'XDG_STATE_HOME'):
    os.environ.pop(name, None)
os.environ['XDG_STATE_HOME'] = state

SPACE = '''kind: uci
command: %s
parameters:
  Hash: {type: spin, min: 1, max: 4, default: 2}
'''
TRACE = '''kind: trace
command: %s
plays: ./engine --plays
parameters:
  KNIGHT_VALUE: {min: 0, max: 1023, default: 521}
'''
PLAYER = 'kind: uci\ncommand: %s\nparameters:\n  Hash: 2\n'
RECIPE = '''name: stranger
phase: %s
space: %s
%s
ga: {population: 4, generations: 1, defaults: 1}
'''
SUITE = '6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id "back rank";\n'


def run(*words, **options):
    return tap.run(*words, stdin=options.pop('stdin', None) or open(os.devnull), **options)


def engine(name='engine'):
    """An engine that is ours behind a script that leaves a mark when it is started."""
    tap.write(name, '#!/bin/sh\n: > "%s/started"\nexec "%s"\n' % (scratch, uci))
    os.chmod(name, 0o755)


def started():
    """Whether the engine was started since the last question."""
    was = os.path.exists('started')
    if was:
        os.remove('started')
    return was


def forget():
    shutil.rmtree(state, ignore_errors=True)


def refused(what, result, line="./engine --x"):
    check('%s: not before the user agrees' % what, result.returncode == 2 and not started() and
          "engine --x', a command line that you have not agreed to" in result.stderr and '--trust' in result.stderr
          and line[2:] in result.stderr, '%d: %s%s' % (result.returncode, result.stdout, result.stderr))


def write_files():
    engine()
    tap.write('space.yaml', SPACE % './engine --x')
    tap.write('trace.yaml', TRACE % './engine --x')
    tap.write('player.yaml', PLAYER % './engine --x')
    tap.write('suite.epd', SUITE)
    shutil.copy(os.path.join(source, 'data', 'train-1.epd'), 'train.epd')
    tap.write('nodes.yaml', RECIPE % ('search', 'space.yaml', 'data: {train: [suite.epd]}\n'
                                      'fitness: {limit: 2000, hash: 2}'))
    tap.write('games.yaml', RECIPE % ('coevolution', 'space.yaml', 'data: {openings: openings}\n'
                                      'fitness: {limit: 100, games: 2}'))
    tap.write('rival.yaml', 'name: rival\nphase: coevolution\ndata: {openings: openings, opponent: player.yaml}\n'
              'fitness: {limit: 100, games: 2, opponent_games: 2}\nga: {population: 4, generations: 1}\n')
    tap.write('moves.yaml', RECIPE % ('evaluation', 'trace.yaml', 'data: {train: [train.epd]}'))
    tap.write('night.yaml', 'name: night\nphase: night\nseed: 1\nhours: 1\nruns: 1\nstages:\n'
              '  learn: {recipe: nodes.yaml}\n')


def test_refused():
    for recipe in 'nodes', 'games', 'rival', 'moves', 'night':
        refused('evolve, %s' % recipe, run('evolve', recipe + '.yaml', '-o', 'run-%s.db' % recipe))
        check('evolve, %s: and there is no run' % recipe, not os.path.exists('run-%s.db' % recipe))
    refused('evolve --dry-run', run('evolve', 'nodes.yaml', '-o', 'dry.db', '--dry-run'))
    refused('match', run('match', 'player.yaml', 'default', '--games', '2', '--nodes', '50'))
    refused('gauntlet', run('gauntlet', 'default', '--against', 'player.yaml', '--games', '2', '--nodes', '50'))
    refused('label', run('label', 'train.epd', '--engine', 'player.yaml', '-o', 'labels.epd'))
    refused('mine', run('mine', os.path.join(source, 'tests', 'golden'), '--engine', 'player.yaml', '-o', 'mined.epd'))
    refused('score', run('score', 'trace.yaml', 'train.epd'))
    refused('regress', run('regress', 'train.epd', '--space', 'trace.yaml', '--steps', '0'))
    with open('trace.yaml') as space:
        said = run('regress', 'train.epd', '--space', '-', '--steps', '0', stdin=space)
    check('regress: nor from standard input', said.returncode == 2 and not started() and
          'a space that starts a command is a file' in said.stderr, said.stderr)


def test_own_run():
    """What the user has agreed to once is his: his own run asks nothing more."""
    made = run('evolve', 'nodes.yaml', '-o', 'made.db', '--trust')
    check('evolve --trust starts it', made.returncode == 0 and started(), made.stderr)
    check('the consent is for the user alone', stat.S_IMODE(os.stat(kept).st_mode) == 0o600)
    check('a line, with the command', tap.read(kept).count('\n') == 1 and './engine --x' in tap.read(kept),
          tap.read(kept))
    for words in (['resume', 'made.db', '--generations', '2'], ['verify', 'made.db', '--sample', '1'],
                  ['confirm', 'made.db', '--suite', 'suite.epd'],
                  ['match', 'made.db', 'default', '--games', '2', '--nodes', '50'],
                  ['evolve', 'nodes.yaml', '-o', 'again.db'], ['evolve', 'night.yaml', '-o', 'made-night.db']):
        said = run(*words)
        check('%s: his own run' % words[0], said.returncode == 0 and started(), said.stderr)
    said = run('export', 'made.db', '--format', 'evidence', '-o', 'made.evidence.yaml')
    check('export: its evidence', said.returncode == 0 and not started(), said.stderr)
    check('and nothing more is kept', tap.read(kept).count('\n') == 1, tap.read(kept))


def test_strangers_run():
    forget()
    for words in (['resume', 'made.db', '--generations', '3'], ['verify', 'made.db'], ['confirm', 'made.db'],
                  ['match', 'made.db', 'default', '--games', '2', '--nodes', '50'],
                  ['match', 'default', 'defaults:made.db', '--games', '2', '--nodes', '50'],
                  ['verify', '--expect', 'made.evidence.yaml'], ['resume', 'made-night.db', '--generations', '3'], ['verify', 'made-night.db#learn']):
        refused('%s %s: a run of somebody else' % (words[0], words[1]), run(*words))
    for words in ['status', 'made.db'], ['export', 'made.db', '--format', 'yaml'], ['history', 'made.db']:
        check('%s: starts nothing and asks nothing' % words[0], run(*words).returncode == 0 and not started())
    said = run('match', 'made.db', 'default', '--games', '2', '--nodes', '50',
               env=dict(os.environ, GRAYLING_TRUST='1'))
    check('GRAYLING_TRUST=1 agrees and keeps nothing', said.returncode == 0 and started() and not os.path.exists(kept),
          said.stderr)


def test_harmless():
    """What needs no consent: what the user types, our own engine, what is installed by a bare name."""
    forget()
    said = run('match', 'uci:./engine', 'default', '--games', '2', '--nodes', '50')
    check('a command of the command line', said.returncode == 0 and started(), said.stderr)
    tap.write('own.yaml', PLAYER % (uci + ' --tune'))
    said = run('match', 'own.yaml', 'default', '--games', '2', '--nodes', '50')
    check('our own engine', said.returncode == 0, said.stderr)
    os.mkdir('bin')
    engine('bin/installed')
    tap.write('bare.yaml', PLAYER % 'installed')
    tap.write('arguments.yaml', PLAYER % 'installed --x')
    for path, name, may in (('%s/bin' % scratch, 'bare', True), ('%s/bin' % scratch, 'arguments', False),
                            ('bin', 'bare', False), (':bin', 'bare', False)):
        said = run('match', name + '.yaml', 'default', '--games', '2', '--nodes', '50',
                   env=dict(os.environ, PATH=path + ':' + os.environ['PATH']))
        check('%s.yaml with %s on the PATH' % (name, path), started() == may and said.returncode == (0 if may else 2),
              said.stderr)
    said = run('space', './engine --x', '-o', 'written.yaml')
    started()
    check('grayling space', said.returncode == 0, said.stderr)
    said = run('evolve', 'nodes.yaml', '-o', 'of-written.db', '--set', 'ga.generations=0')
    check('and it is agreed to what `grayling space` was given', said.returncode == 0 and started(), said.stderr)


def test_places():
    """The same words mean another program in another folder."""
    os.mkdir('other')
    os.chdir('other')
    engine()
    tap.write('player.yaml', PLAYER % './engine --x')
    said = run('match', 'player.yaml', 'default', '--games', '2', '--nodes', '50')
    check('the same program in another folder', said.returncode == 2, said.stderr)
    tap.write('sh.yaml', PLAYER % 'sh engine')
    said = run('match', 'sh.yaml', 'default', '--games', '2', '--nodes', '50', '--trust')
    check('an argument that names a file', said.returncode == 0, said.stderr)
    os.chdir('..')
    shutil.copy('other/sh.yaml', 'sh.yaml')
    started()
    said = run('match', 'sh.yaml', 'default', '--games', '2', '--nodes', '50')
    check('names another one in another folder', said.returncode == 2 and not started(), said.stderr)
    said = run('match', '../%s/other/../player.yaml' % os.path.basename(scratch), 'default', '--games', '2', '--nodes', '50')
    check('another way to the same program', said.returncode == 0 and started(), said.stderr)


def test_store():
    """The file of consents: without a home, written by many, writable by others, with a torn line."""
    forget()
    home = {k: v for k, v in os.environ.items() if k not in ('HOME', 'XDG_STATE_HOME')}
    words = ['match', 'player.yaml', 'default', '--games', '2', '--nodes', '50']
    said = run(*words, '--trust', env=home)
    check('without a home it is started, with a note', said.returncode == 0 and started() and 'is not kept' in said.stderr,
          said.stderr)
    run(*words, '--trust', env=dict(home, HOME=scratch))
    check('in the usual place', os.path.exists('.local/state/grayling/trusted'), os.listdir())
    names = ['many-%d' % n for n in range(6)]
    for name in names:
        engine(name)
        tap.write(name + '.yaml', PLAYER % ('./' + name))
    threads = [threading.Thread(target=run, args=('match', n + '.yaml', 'default', '--games', '2', '--nodes', '50', '--trust'))
               for n in names]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    lines = tap.read(kept).splitlines()
    check('many at a time', len(lines) == len(names) and all(any(n in line for line in lines) for n in names), lines)
    with open(kept, 'a') as f:
        f.write('0123')
    said = [run(*words, '--trust').returncode, run(*words, '--trust').returncode, run(*words).returncode]
    check('a torn line costs one more consent', said == [0, 0, 0], said)
    os.chmod(kept, 0o666)
    started()
    refused('match: others can write the consents', run(*words))


def test_shown():
    tap.write('evil.yaml', PLAYER % '"./engine --x \\e[2J\\e]0;title\\a rest"')
    said = run('match', 'evil.yaml', 'default', '--games', '2', '--nodes', '50')
    check('what is shown has no control characters', said.returncode == 2 and '\x1b' not in said.stderr and
          'rest' in said.stderr, repr(said.stderr))


def ask(answer):
    """Runs a match on a terminal and answers its question; the exit code and what the terminal shows."""
    return tap.asked(answer, '[y/N]', 'match', 'player.yaml', 'default', '--games', '2', '--nodes', '50')


def test_question():
    forget()
    started()
    for answer in b'\n', b'n\n', b'\x04':
        code, shown = ask(answer)
        check('asked on a terminal, %r is no' % answer, code == 2 and not started() and './engine --x' in shown, shown)
    code, shown = ask(b'y\n')
    check('y is yes', code == 0 and started(), shown)
    code, shown = ask(b'\n')
    check('and is not asked again', code == 0 and '[y/N]' not in shown, shown)


write_files()
tap.main()
