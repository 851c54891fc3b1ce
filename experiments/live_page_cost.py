#!/usr/bin/env python3
"""The cost of a live page: runs with `--page` and runs without, in turn.

    live_page_cost.py GRAYLING RECIPE [--pairs N] [--set KEY=VALUE]...

Each pair runs the recipe twice from the beginning, with the same seed, in the other order than the
pair before. Prints the ratio of their wall times and of the processor times of all their processes,
and the share of the run's processor time that the writer of the page took. Where the machine does
other things too, the ratios scatter, and the writer's share tells more.
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

TICK = os.sysconf('SC_CLK_TCK')


def children(pid):
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as f:
            return f.read().split()
    except OSError:
        return []


def used(pid):
    """Processor seconds of a process; 0 once it is gone."""
    try:
        with open(f'/proc/{pid}/stat') as f:
            fields = f.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except OSError:
        return 0


def measure(grayling, recipe, settings, page, folder):
    """Wall and processor seconds of a run, and those of the page's writer."""
    command = [grayling, 'evolve', recipe, '-o', os.path.join(folder, 'run.db'), '--force']
    for setting in settings:
        command += ['--set', setting]
    if page:
        command += ['--page', os.path.join(folder, 'live.html')]
    before, start, writer = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), {}
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None:
        for child in children(run.pid) if page else []:
            writer[child] = max(used(child), writer.get(child, 0))
        time.sleep(0.02)
    if run.returncode != 0:
        raise SystemExit('%s: exit code %d' % (' '.join(command), run.returncode))
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, processor, max(writer.values(), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('grayling')
    parser.add_argument('recipe')
    parser.add_argument('--pairs', type=int, default=7)
    parser.add_argument('--set', action='append', default=[], dest='settings')
    o = parser.parse_args()
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(o.pairs):
            order = (False, True) if pair % 2 == 0 else (True, False)
            found = {page: measure(o.grayling, o.recipe, o.settings, page, folder) for page in order}
            without, with_page = found[False], found[True]
            pairs.append((with_page[0] / without[0], with_page[1] / without[1], with_page[2] / with_page[1]))
            print('pair %d  without %.2f s  with %.2f s  ratio %.4f  of processor time %.4f  writer %.2f %%' % (
                pair + 1, without[0], with_page[0], pairs[-1][0], pairs[-1][1], 100 * pairs[-1][2]), flush=True)
    wall, processor, share = (statistics.median(column) for column in zip(*pairs))
    print('medians  ratio %.4f  of processor time %.4f  writer %.2f %%' % (wall, processor, 100 * share))


if __name__ == '__main__':
    main()
