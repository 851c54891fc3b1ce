#!/usr/bin/env python3
"""How long a batch of jobs takes with more ranks than this machine has cores, by the model of docs/cluster.md.

    cluster_model.py check RANKS_TOY [RANKS...]     measured batches of jobs that sleep, beside the model
    cluster_model.py table                          the efficiency of each phase with many cores
    cluster_model.py run RUN.db GRAYLING            the same for a run of several ranks, from what it measured

A batch of J jobs of mean time t on P threads takes

    T = max(J t / P, J s) + t (1 - 1/P) + 2 r + R b / w

s: time of rank 0 for a job (a group of jobs counts as one), r: time of a message with the sleep of its
receiver, R ranks, b: bytes of the batch's block, w: bytes a second of rank 0's network. The second term is
the wait for the last jobs. Between batches rank 0 breeds and stores, m seconds.
"""
import json
import os
import subprocess
import sys

MESSAGE = 0.001
NETWORK = 110e6  # Ethernet of a gigabit

# name: jobs of a batch, seconds of a job, seconds of service for a group, jobs of a group, batches of a
# generation, seconds between generations, bytes of a block, threads of a rank
PHASES = {
    'phase 1, 100 organisms on 5,000 positions': (79, 0.00053, 40e-6, 3, 1, 0.005, 15e3, 8),
    'phase 1, 1,000 organisms on 1,000,000 positions': (15625, 0.0019, 40e-6, 10, 4, 0.002, 37e3, 8),
    'nodes to solution, 100 organisms on 879 positions of 500,000 nodes': (87900, 0.25, 60e-6, 1, 1, 0.05, 15e3, 8),
    'coevolution, 50 organisms, 4 games a pair, 1,000 nodes a move': (4900, 0.1, 60e-6, 1, 1, 0.05, 30e3, 8),
    'a match of 400 games, 10,000 nodes a move': (400, 1.0, 60e-6, 1, 1, 0, 100e3, 8),
}


def batch(jobs, job, service, threads, ranks=0, block=0):
    """The seconds of a batch."""
    work = max(jobs * job / min(threads, jobs), jobs * service)
    return work + job * (1 - 1 / threads) + 2 * MESSAGE + ranks * block / NETWORK


def efficiency(phase, threads):
    """The share of all threads' time that jobs take."""
    jobs, job, service, group, batches, between, block, each = PHASES[phase]
    if threads == 1:
        return 1.0
    group = max(group, int(threads * 1e-4 / job))  # as rank 0 does
    total = batches * batch(jobs, job, service / group, threads, threads / each, block) + between
    return batches * jobs * job / (threads * total)


def check(toy, ranks):
    print('ranks  measured    model  difference')
    for count in ranks or [2, 4, 8, 16]:
        text = subprocess.run(['mpirun', '--allow-run-as-root', '--oversubscribe', '-q', '-n', str(count), toy, 'sleep'],
                              check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, OMP_NUM_THREADS='1')).stdout
        found = {w[0]: float(w[1]) for w in map(str.split, text.splitlines()) if w[0] in ('threads', 'batch', 'jobs', 'job', 'service')}
        model = batch(found['jobs'], found['job'] / 1e3, found['service'] / 1e6, int(found['threads']))
        print('%5d  %6.3f s  %6.3f s  %8.1f %%' % (count, found['batch'], model, 100 * (model / found['batch'] - 1)))


def table():
    cores = (16, 64, 256, 1024)
    print('| phase | %s |\n|---|%s' % (' | '.join('%s cores' % format(c, ',') for c in cores), '---|' * len(cores)))
    for phase in PHASES:
        print('| %s | %s |' % (phase, ' | '.join('%.0f %%' % (100 * efficiency(phase, c)) for c in cores)))


def find(document, name):
    """The first value of this name anywhere in a document: a run, or the stages of a night or a comparison."""
    if isinstance(document, dict):
        if document.get(name) is not None:
            return document[name]
        document = list(document.values())
    values = [find(part, name) for part in document] if isinstance(document, list) else []
    return next((value for value in values if value is not None), None)


def of_run(path, grayling):
    text = subprocess.run([grayling, 'status', path, '--format', 'json'], check=True, capture_output=True, text=True).stdout
    costs = find(json.loads(text), 'ranks')
    if costs is None:
        sys.exit('%s: no work of ranks is kept in it; expected a run with mpirun' % path)
    batches, jobs = costs['batches'], costs['jobs'] / costs['batches']
    job, service = costs['seconds_of_jobs'] / costs['jobs'], costs['seconds_of_serving'] / costs['jobs']
    between = (costs['seconds'] - costs['seconds_in_batches']) / batches
    print('%d jobs of %.2f ms a batch, %.1f us of service a job, %.2f ms between batches' %
          (jobs, 1e3 * job, 1e6 * service, 1e3 * between))
    for threads in (costs['threads'], 2, 4, 16, 64, 256, 1024):
        seconds = batch(jobs, job, service, threads) + between
        print('%5d threads: %.3f s a batch, %.0f %% efficient%s' %
              (threads, seconds, 100 * jobs * job / threads / seconds,
               ', measured %.3f s' % (costs['seconds'] / batches) if threads == costs['threads'] else ''))


if len(sys.argv) > 2 and sys.argv[1] == 'check':
    check(os.path.abspath(sys.argv[2]), [int(a) for a in sys.argv[3:]])
elif sys.argv[1:2] == ['table']:
    table()
elif len(sys.argv) == 4 and sys.argv[1] == 'run':
    of_run(sys.argv[2], os.path.abspath(sys.argv[3]))
else:
    sys.exit(__doc__)
