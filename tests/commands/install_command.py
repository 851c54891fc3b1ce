"""The program installed, and files that come with it found by their names."""
import os
import subprocess

import tap
from tap import build, check, grayling, query, run, source, works, write

os.environ.pop('GRAYLING_DATA', None)
SMALL = ['--set', 'ga.generations=1', '--set', 'ga.population=4', '--set', 'data.first=200', '--set', 'data.held_out=[]']


def names(folder, *endings):
    """The files of a folder of the source tree without their endings, sorted."""
    files = os.listdir(os.path.join(source, folder))
    return sorted(f[:-len(e)] for e in endings for f in files if f.endswith(e))


def enter(name):
    """Makes an empty folder and goes there."""
    path = os.path.join(tap.work, name)
    os.makedirs(path)
    os.chdir(path)
    return path


def listed(program, topic):
    """What `grayling help TOPIC` lists: names and paths."""
    return dict(line.split() for line in tap.call(program, 'help', topic).stdout.splitlines())


def check_refused(what, done, words):
    check(what, done.returncode == 2 and all(w in done.stderr for w in words) and not done.stdout
          and done.stderr.count('\n') == 1, done.stdout + done.stderr)


def install():
    """Installs into a folder of its own; the program there."""
    done = tap.call('meson', 'install', '-C', build, '--no-rebuild', '--destdir', tap.work + '/tree')
    check('meson install', done.returncode == 0, done.stdout + done.stderr)
    found = [os.path.join(folder, 'grayling') for folder, _, files in os.walk(tap.work + '/tree')
             if folder.endswith('/bin') and 'grayling' in files]
    check('the program is installed', len(found) == 1, found)
    return found[0] if found else grayling


def test_installed_files():
    share = os.path.normpath(os.path.join(os.path.dirname(installed), '../share'))
    for folder in ('params/recipes', 'params', 'data', 'data/players'):
        wanted = [f for f in sorted(os.listdir(os.path.join(source, folder)))
                  if f.endswith(('.yaml', '.epd', '.epd.gz', '.epd.zst'))]
        there = os.path.join(share, 'grayling', folder)
        check(f'{folder} is installed as it lies in the source tree',
              wanted and os.path.isdir(there) and set(wanted) <= set(os.listdir(there)), there)
    for file in ('man/man1/grayling.1', 'man/man1/grayling-uci.1',
                 'bash-completion/completions/grayling', 'zsh/site-functions/_grayling'):
        check(f'share/{file} is installed', os.path.exists(os.path.join(share, file)))
    recipes = listed(installed, 'recipes')
    check('help recipes lists all recipes', sorted(recipes) == names('params/recipes', '.yaml'), recipes)
    check('they are the installed ones', all(path.startswith(share) for path in recipes.values()), recipes)
    check('help parameters lists no search spaces', sorted(listed(installed, 'parameters')) ==
          [n for n in names('params', '.yaml') if not n.endswith('-space')])
    check('help positions lists those that are packed, too',
          sorted(listed(installed, 'positions')) == names('data', '.epd', '.epd.zst'))


def try_recipes(program, folder, where):
    """From an empty folder, with the program of a build directory or an installed one."""
    enter(folder)
    done = tap.call(program, 'evolve', 'quick', '-o', 'run.db', *SMALL)
    check(f'{where}: evolve quick, from an empty folder', done.returncode == 0 and
          'recipe quick, seed 1' in done.stdout and os.path.exists('run.yaml'), done.stdout + done.stderr)
    done = tap.call(program, 'verify', 'run.db')
    check(f'{where}: verify the run', done.returncode == 0, done.stderr)
    done = tap.call(program, 'resume', 'run.db')
    check(f'{where}: resume the run', done.returncode == 0, done.stderr)


def test_recipes():
    try_recipes(installed, 'installed', 'installed')
    try_recipes(grayling, 'build', 'in a build directory')


def test_order():
    """A file that exists, then GRAYLING_DATA, then what is installed."""
    folder = enter('order')
    os.makedirs('mine/params/recipes')
    with open(os.path.join(source, 'params/recipes/quick.yaml')) as f:
        recipe = f.read().replace('../..', source).replace('../eval', source + '/params/eval')
    write('mine/params/recipes/quick.yaml', recipe.replace('name: quick', 'name: from-the-variable'))
    own = dict(os.environ, GRAYLING_DATA=folder + '/mine')
    done = run('evolve', 'quick', *SMALL, env=own)
    check('GRAYLING_DATA comes first', 'recipe from-the-variable,' in done.stdout, done.stderr)
    done = run('evolve', 'paper', '--set', 'seed=3', *SMALL, env=own)
    check('what it does not have is found elsewhere', 'recipe paper, seed 3' in done.stdout, done.stderr)
    write('quick', recipe.replace('name: quick', 'name: from-the-file'))
    done = run('evolve', 'quick', *SMALL, env=own)
    check('a file that exists wins', 'recipe from-the-file,' in done.stdout, done.stderr)
    os.mkdir('search-quick')
    done = run('evolve', 'search-quick', '--set', 'ga.generations=0', '--set',
                   'data.first=2', '--set', 'fitness.limit=100', '--set', 'data.held_out=[]')
    check('a folder does not', 'recipe search-quick,' in done.stdout, done.stderr)


def test_unknown():
    enter('unknown')
    done = run('evolve', 'qick')
    check_refused('an unknown recipe: the nearest, and all', done,
                  ["grayling: no recipe is named 'qick', and there is no such file; did you mean quick? "
                   'There are '] + names('params/recipes', '.yaml'))
    check_refused('an unknown parameter file', run('export', 'paper-evl', '--format', 'c'),
                  ["no parameter file is named 'paper-evl'", 'did you mean paper-eval?'])
    check_refused('an unknown suite', run('solve', 'tactics'),
                  ["no file of positions is named 'tactics'", 'there are held-out, openings'])
    check_refused('a name with an ending is a file', run('evolve', 'quick.yaml'),
                  ['quick.yaml: cannot open'])
    check('nothing is left', os.listdir('.') == [])


def moves_of(path):
    """The lines of a file of games that are not tags."""
    if not os.path.exists(path):
        return None
    with open(path) as f:
        return [line for line in f if not line.startswith('[')]


def test_names_elsewhere():
    """Parameters and positions by their names, as with their paths."""
    enter('names')
    run('evolve', 'quick', '-o', 'run.db', *SMALL)
    paper, held_out = source + '/params/paper-eval.yaml', source + '/data/tactics-held-out.epd'
    done = run('export', 'paper-eval', '--format', 'c')
    check('export', done.returncode == 0 and done.stdout ==
          run('export', paper, '--format', 'c').stdout, done.stderr)
    works('score', 'score', 'paper-eval', 'run.db', 'tactics-held-out', says='\npaper-eval ')
    solve = ['--nodes', '100', '--format', 'csv', '--eval']
    done = run('solve', 'tactics-held-out', *solve, 'paper-eval')
    other = run('solve', held_out, *solve, paper)
    check('solve', done.returncode == 0 and done.stdout.splitlines()[1:3] == other.stdout.splitlines()[1:3],
          done.stdout[:500] + done.stderr[:500])
    openings = source + '/data/openings.epd'
    match = ['--games', '2', '--nodes', '10', '-o']
    done = run('match', 'run.db', 'paper-eval', '--openings', 'openings', *match, 'a.pgn')
    run('match', 'run.db', paper, '--openings', openings, *match, 'b.pgn')
    moves = [moves_of(f) for f in ('a.pgn', 'b.pgn')]
    check('match', done.returncode == 0 and moves[0] and moves[0] == moves[1], [done.stderr, moves])
    done = run('evolve', 'search-quick', '-o', 'set.db', '--set', 'data.train=train-2', '--set',
                   'data.first=2', '--set', 'fitness.evaluation=paper-eval', '--set',
                   'space=search-modern-space', '--set', 'fitness.limit=50', '--set', 'ga.generations=0',
                   '--set', 'data.held_out=[]')
    data = dict(query('set.db', 'SELECT role, path FROM data')) if done.returncode == 0 else {}
    check('values of --set', data.get('train', '').endswith('data/train-2.epd') and
          data.get('evaluation', '').endswith('params/paper-eval.yaml'), [data, done.stderr])


def test_packages():
    """Without Debian's tools, packages say what is missing."""
    done = subprocess.run(['/bin/sh', os.path.join(source, 'packaging/build-deb')], env={'PATH': '/nowhere'},
                          capture_output=True, text=True)
    check('build-deb says what to install', done.returncode == 1 and not done.stdout and
          done.stderr == 'there is no dpkg-buildpackage; install dpkg-dev, debhelper and libopenmpi-dev\n',
          done.stdout + done.stderr)


installed = install()
tap.main()
