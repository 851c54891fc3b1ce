"""Ranks on two hosts: two namespaces with a network, names, processes and an sshd of their own, of which the
second sees none of the run's files. The same run, and a rank that dies on the other host. Needs root, and
cleans up after itself."""
import json
import os
import shutil
import signal
import subprocess
import time

import tap
from tap import check, count_rows, dump, grayling, head, run, wait_for, work, write

HOSTS = ('pc1', 'pc2')
SSHD = '/usr/sbin/sshd'


def can(*command):
    return subprocess.run(command, capture_output=True).returncode == 0


if os.environ.get('GRAYLING_MPI') != '1' or shutil.which('mpirun') is None:
    tap.skip('no MPI here')
if os.geteuid() != 0 or not os.path.exists(SSHD) or shutil.which('ip') is None or not can('unshare', '-n', '-u', '-m', '-p', '--fork', 'true'):
    tap.skip('no namespaces here')
os.environ['OMP_NUM_THREADS'] = '1'
names = ['grayling-%d-%s' % (os.getpid(), host) for host in HOSTS]
servers = []


def address(host):
    return '10.213.77.%d' % (host + 1)


def ip(*words):
    subprocess.run(('ip', *words), check=True, capture_output=True, text=True)


def write_keys():
    for name in ('host', 'user'):
        subprocess.run(('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', 'ssh/' + name), check=True)
    shutil.copy('ssh/user.pub', 'ssh/authorized')
    write('ssh/sshd', 'HostKey %s/ssh/host\nAuthorizedKeysFile %s/ssh/authorized\nStrictModes no\nUsePAM no\n'
          'PermitRootLogin yes\nPidFile none\n' % (work, work))
    write('ssh/client', '#!/bin/sh\nexec ssh -q -F none -i %s/ssh/user -o UserKnownHostsFile=/dev/null'
          ' -o StrictHostKeyChecking=no "$@"\n' % work)
    os.chmod('ssh/client', 0o755)


def inside(host, script):
    """A command in a namespace, with the name of its host; of the second also with processes and files of
    its own."""
    private = ['-p', '--fork', '--mount-proc', '--kill-child'] if host == 1 else []
    hide = 'mount -t tmpfs none %s/run; ' % work if host == 1 else ''
    return ['ip', 'netns', 'exec', names[host], 'unshare', '-u', '-m', *private, 'sh', '-c',
            'hostname %s; %s%s' % (HOSTS[host], hide, script)]


def make_hosts():
    for name in names:
        ip('netns', 'add', name)
        ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('link', 'add', 'gr0', 'netns', names[0], 'type', 'veth', 'peer', 'name', 'gr0', 'netns', names[1])
    for host, name in enumerate(names):
        ip('-n', name, 'address', 'add', address(host) + '/24', 'dev', 'gr0')
        ip('-n', name, 'link', 'set', 'gr0', 'up')
    os.makedirs('/run/sshd', exist_ok=True)
    for host in range(2):
        servers.append(subprocess.Popen(inside(host, 'exec %s -D -f %s/ssh/sshd' % (SSHD, work)),
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for host in range(2):
        reached = wait_for(lambda: can('ip', 'netns', 'exec', names[0], work + '/ssh/client', address(host), 'true'))
        check('%s answers to ssh' % HOSTS[host], reached)


def remove_hosts():
    for server in servers:
        server.kill()
        server.wait()
    for name in names:
        for pid in tap.call('ip', 'netns', 'pids', name).stdout.split():
            os.kill(int(pid), signal.SIGKILL)
        subprocess.run(('ip', 'netns', 'del', name), capture_output=True)


def launch(*command):
    """mpirun on the first host, with a rank on each."""
    words = ['mpirun', '--allow-run-as-root', '--hostfile', work + '/ssh/hosts', '--bind-to', 'none', '-x', 'OMP_NUM_THREADS',
             '--mca', 'plm_rsh_agent', work + '/ssh/client', '--mca', 'btl_tcp_if_include', 'gr0',
             '--mca', 'oob_tcp_if_include', 'gr0', *command]
    return subprocess.Popen(inside(0, 'cd %s/run && exec %s' % (work, ' '.join(words))), text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def rank_on(host):
    """The process of a rank on a host."""
    for pid in tap.call('ip', 'netns', 'pids', names[host]).stdout.split():
        try:
            with open('/proc/%s/cmdline' % pid, 'rb') as f:
                if f.read().split(b'\0')[0] == grayling.encode():
                    return int(pid)
        except OSError:
            pass
    return None


def try_same():
    path = 'run/search-2.db'
    child = launch(grayling, 'evolve', 'search.yaml', '-o', 'search-2.db')
    output = child.communicate(timeout=200)[0]
    check('a run on two hosts, of which one sees no file of it', child.returncode == 0, output)
    check('is that of two threads', dump(path) == dump('run/search-0.db'), output)
    known = json.loads(run('status', path, '--format', 'json').stdout)
    found = known.get('ranks') or known['runs'][0]['ranks']
    check('status names both hosts, and both worked', sorted(h['name'] for h in found['hosts']) == list(HOSTS) and
          all(h['jobs'] > 0 for h in found['hosts']), found)


def die(path, number):
    """A run whose second rank is killed; what the run wrote. All of it ends soon."""
    child = launch(grayling, 'evolve', 'search.yaml', '-o', os.path.basename(path), '--set', 'ga.generations=10')
    wait_for(lambda: count_rows(path, 'genome') > 5 or child.poll() is not None)
    pid, begun = rank_on(1), time.time()
    os.kill(pid, signal.SIGKILL)
    output = child.communicate(timeout=120)[0]
    check('death %d: all end within a minute' % number, child.returncode != 0 and time.time() - begun < 60 and
          rank_on(0) is None and rank_on(1) is None, output)
    return output


def try_death():
    path, outputs = 'run/killed.db', []
    # Rank 0 has a second to name it. If it is within MPI just then, it may be kept there until it is killed, and
    # what it or mpirun wrote last can be lost with it: three deaths, of which one must be named.
    while len(outputs) < 3 and not any('pc2' in o or address(1) in o for o in outputs):
        for name in [n for n in os.listdir('run') if n.startswith('killed.')]:
            os.remove('run/' + name)
        outputs.append(die(path, len(outputs) + 1))
    check('a rank that dies on the other host is named', 'pc2' in outputs[-1] or address(1) in outputs[-1],
          '\n'.join(outputs))
    r = run('resume', path, '--threads', '2')
    run('evolve', 'run/search.yaml', '-o', 'run/whole.db', '--set', 'ga.generations=10', '--threads', '2')
    check('threads go on with the run', r.returncode == 0 and dump(path) == dump('run/whole.db'), r.stderr)


os.mkdir('ssh')
os.mkdir('run')
write('ssh/hosts', ''.join('%s slots=1\n' % address(host) for host in range(2)))
write_keys()
os.chdir('run')
head('tactics-train.epd', 24)
write('search.yaml', 'name: search\nphase: search\nseed: 3\ndata: {train: [tactics-train.epd], split: halves}\n'
      'fitness: {limit: 5000, hash: 1}\nga: {population: 16, generations: 5}\n')
os.chdir(work)
run('evolve', 'run/search.yaml', '-o', 'run/search-0.db', '--threads', '2')
try:
    make_hosts()
    try_same()
    try_death()
finally:
    remove_hosts()
tap.plan()
