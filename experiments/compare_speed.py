#!/usr/bin/env python3
"""How fast a build is beside another: processor time of phase 1 at the paper's size, of resuming it, of a match
and of `grayling bench`, in turn, as ratios of each pair of runs.

    experiments/compare_speed.py OLD/tools/grayling NEW/tools/grayling [ROUNDS]
"""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECIPE = os.path.join(ROOT, 'params/recipes/paper.yaml')


def seconds(command):
    """User and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(name, command, programs, rounds):
    """Prints the median, least and greatest ratio of new to old; one pair first to warm up."""
    ratios = []
    for _ in range(rounds + 1):
        old, new = (seconds(command(p)) for p in programs)
        ratios.append(new / old)
    ratios = ratios[1:]
    print(f'{name}: new / old {statistics.median(ratios):.3f} '
          f'({min(ratios):.3f} to {max(ratios):.3f}), {rounds} pairs')


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    programs = [os.path.abspath(p) for p in sys.argv[1:3]]
    rounds = int(sys.argv[3]) if len(sys.argv) == 4 else 7
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, 'run.db')
        compare('phase 1', lambda p: [p, 'evolve', RECIPE, '-o', run, '--force', '--threads', '2'],
                programs, rounds)
        begun = {p: os.path.join(folder, f'begun-{i}.db') for i, p in enumerate(programs)}
        for p, path in begun.items():
            seconds([p, 'evolve', RECIPE, '--set', 'ga.generations=100', '-o', path])
        compare('resume', lambda p: [p, 'resume', shutil.copy(begun[p], run), '--generations', '130',
                                     '--force', '--threads', '2'], programs, rounds)
    compare('match', lambda p: [p, 'match', 'default', 'paper', '--games', '200', '--nodes', '2000'],
            programs, rounds)
    compare('bench', lambda p: [p, 'bench'], programs, rounds)


main()
