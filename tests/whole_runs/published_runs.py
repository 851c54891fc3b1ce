"""The runs under docs/runs can be read, and are what the documentation says."""
import glob
import hashlib
import json
import os
import re
import sqlite3
import subprocess

import tap
from tap import check, refuses, run, source, works

RUNS = os.path.join(source, 'docs', 'runs')


def values(path):
    """The parameters of a run or of a parameter file."""
    done = run('export', path, '--format', 'json')
    return json.loads(done.stdout)['parameters'] if done.returncode == 0 else done.stderr


def evidence_values(path):
    """The values of the best organism in an evidence file."""
    with open(path) as f:
        block = re.search('    values:\n((?:      .*\n)+)', f.read())[1]
    return {name: int(value) for name, value in re.findall('(\\w+): (-?\\d+)', block)}


def test_listed():
    with open(os.path.join(RUNS, 'README.md')) as f:
        readme = f.read()
    for a, b in re.findall('`([a-z-]+)1` to `\\1(\\d+)`', readme):
        readme += ' '.join('`%s%d`' % (a, n) for n in range(1, int(b) + 1))
    for name in sorted(os.listdir(RUNS)):
        stem = re.sub('(\\.evidence\\.yaml|\\.db\\.zst|\\.yaml)$', '', name)
        if name != 'README.md' and not name.endswith(('.db', '.ledger')):
            check('the README names ' + name, '`%s`' % stem in readme or '`%s`' % name in readme)


def other_data(path):
    """The data of a run that is not as it was. ECM is not in this project."""
    with open('run.db', 'wb') as out:
        subprocess.run(['zstd', '-dcq', path], stdout=out, check=True)
    kept = sqlite3.connect('run.db')
    rows = kept.execute('SELECT path, sha256 FROM data').fetchall()
    kept.close()
    placed = [(os.path.join(RUNS, file), sha256) for file, sha256 in rows]
    return [file for file, sha256 in placed
            if os.path.basename(file) != 'ecm879.epd' and sha256_of(file) != sha256]


def sha256_of(path):
    if not os.path.exists(path):
        return 'no file'
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def test_kept():
    kept = sorted(glob.glob(os.path.join(RUNS, '*.db.zst')))
    check('runs are kept', len(kept) > 5, kept)
    for path in kept:
        works('%s can be read' % os.path.basename(path), 'status', path)
        works('and is sound', 'check', path)
        check('and its data is as it was', other_data(path) == [], other_data(path))
    search = os.path.join(RUNS, 'search-modern-stable.db.zst')
    default = os.path.join(source, 'params', 'default-search.yaml')
    evolved, ours = values(search), values(default)
    added = {name: value for name, value in ours.items() if name not in evolved}
    check('the default search is the best of its run', {**evolved, **added} == ours, evolved)
    check('what was added since is off', added['CORRECTION_SHARE'] == 0, added)


def test_evidence():
    files = sorted(glob.glob(os.path.join(RUNS, '*.evidence.yaml')))
    check('there is evidence of runs', len(files) > 10, files)
    other = os.path.join(RUNS, 'search-seed1.db.zst')
    for path in files:
        refuses('%s is well formed, and of another run' % os.path.basename(path), 'recipe', 'verify', other,
                '--expect', path, code=1)
    first = evidence_values(os.path.join(RUNS, 'coevolution-first.evidence.yaml'))
    default = values(os.path.join(source, 'params', 'default-eval.yaml'))
    check('the default evaluation is the best of its run', first == default, first)


tap.main()
