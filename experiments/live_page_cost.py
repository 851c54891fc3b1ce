"""The cost of a live page: runs with `--page` and runs without, in turn, and the ratio of their times.

    live_page_cost.py GRAYLING RECIPE [--pairs N] [--set KEY=VALUE]...

Each pair runs the recipe twice from the beginning, with the same seed, in the other order than the
pair before. Wall time; the machine must do nothing else. The processor time is that of the run with
all its processes.
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time


def measure(grayling, recipe, settings, page, folder):
    """Wall and processor seconds of a run."""
    command = [grayling, 'evolve', recipe, '-o', os.path.join(folder, 'run.db'), '--force']
    for setting in settings:
        command += ['--set', setting]
    if page:
        command += ['--page', os.path.join(folder, 'live.html')]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('grayling')
    parser.add_argument('recipe')
    parser.add_argument('--pairs', type=int, default=7)
    parser.add_argument('--set', action='append', default=[], dest='settings')
    o = parser.parse_args()
    walls, cpus, all_found = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(o.pairs):
            order = (False, True) if pair % 2 == 0 else (True, False)
            found = {page: measure(o.grayling, o.recipe, o.settings, page, folder) for page in order}
            all_found.append(found)
            walls.append(found[True][0] / found[False][0])
            cpus.append(found[True][1] / found[False][1])
            print('pair %d  without %.3f s  with %.3f s  ratio %.4f  processor time %.4f' % (
                pair + 1, found[False][0], found[True][0], walls[-1], cpus[-1]), flush=True)
    print('median ratio %.4f of wall time, %.4f of processor time' % (statistics.median(walls), statistics.median(cpus)))
    for what, at in (('wall', 0), ('processor', 1)):
        least = [min(found[page][at] for found in all_found) for page in (False, True)]
        print('least %s time without %.3f s, with %.3f s, ratio %.4f' % (what, *least, least[1] / least[0]))


if __name__ == '__main__':
    main()
