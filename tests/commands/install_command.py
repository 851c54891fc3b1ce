"""The program installed, and files that come with it found by their names."""
import os
import subprocess

import tap
from tap import build, check, grayling, query, refuses, run, source, works

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


def test_recipes():
    """From an empty folder."""
    enter('installed')
    done = tap.call(installed, 'evolve', 'quick', '-o', 'run.db', *SMALL)
    check('evolve quick', done.returncode == 0 and 'recipe quick, seed 1' in done.stdout and os.path.exists('run.yaml'), done)
    for command in 'verify', 'resume':
        done = tap.call(installed, command, 'run.db')
        check(command + ' the run', done.returncode == 0, done)


def test_unknown():
    enter('unknown')
    refuses('an unknown recipe: the nearest, and all', [
        "grayling: no recipe is named 'qick', and there is no such file; did you mean quick? There are ",
        *names('params/recipes', '.yaml')], 'evolve', 'qick')
    check('nothing is left', os.listdir('.') == [])


def test_names_elsewhere():
    """Parameters and positions by their names, as with their paths."""
    enter('names')
    run('evolve', 'quick', '-o', 'run.db', *SMALL)
    paper, held_out = source + '/params/paper-eval.yaml', source + '/data/tactics-held-out.epd'
    done = run('export', 'paper-eval', '--format', 'c')
    check('export', done.returncode == 0 and done.stdout ==
          run('export', paper, '--format', 'c').stdout, done.stderr)
    works('score', 'score', 'paper-eval', 'run.db', 'tactics-held-out', says='\npaper-eval ')
    solve = ['--nodes', '100', '--eval']
    done = run('solve', 'tactics-held-out', *solve, 'paper-eval')
    other = run('solve', held_out, *solve, paper)
    check('solve', done.returncode == 0 and done.stdout.splitlines()[4] == other.stdout.splitlines()[4],
          done.stdout[:500] + done.stderr[:500])
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
