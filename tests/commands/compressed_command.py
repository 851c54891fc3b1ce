"""A compressed run from the command line: read by every command, written by none."""
import os

import small_night
import tap
from tap import check, compress, run, source, works

PAPER = os.path.join(source, 'params', 'paper-eval.yaml')


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


small_night.write_recipes()
made = run('evolve', 'night.yaml', '-o', 'night.db')
evidence = run('export', 'night.db', '--format', 'evidence', '-o', 'evidence.yaml')
check('a night is made', made.returncode == 0 and evidence.returncode == 0, made.stderr + evidence.stderr)
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
tap.main()
