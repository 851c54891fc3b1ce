#!/usr/bin/env python3
"""Mutation testing of the core: how many small changes of the code do its unit tests find?

    bench/mutants.py [--sample N] [--seed N] [--module NAME] [--at FILE:LINE,...] [--list]

A mutant is one change of a line: another operator, a constant one larger or smaller, a condition
turned around, a statement left out. Of each module a random sample of N mutants is made. Of each, its
objects and unit tests alone are built, and the tests run until one fails, crashes, or takes ten times
as long as it should. A mutant that no test finds is tried once more under the address and
undefined-behaviour sanitizers, as .ci/run runs the same tests. One that is not found then either has
survived, and is printed.

bench/mutants-equivalent.txt lists mutants that change nothing, with the reason. They do not count.
Mutants that do not compile do not count either.
"""
import argparse
import glob
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(SOURCE, 'build-mutants')
EQUIVALENT = os.path.join(SOURCE, 'bench', 'mutants-equivalent.txt')
MEMORY = 4 << 30

# module -> its files, the unit tests of them, and how they are compiled: kernels are slow without -O1
MODULES = {
    'ga': (['src/ga/*.c', 'src/ga/methods/*.c'],
           ['genome', 'fitness_cache', 'large_genome', 'operators', 'climbing', 'differential_evolution', 'particle_swarm',
            'cma_es', 'scarce_memory', 'evolution_strategy', 'optimiser', 'genetic'],
           '-O0'),
    'replay': (['src/moves/replay/*.[ch]', 'src/moves/compiled_match.c', 'src/moves/principal.c'],
               ['trace_evaluator', 'compiled', 'regression'], '-O1'),
    'see': (['src/engine/board/see.c'], ['see'], '-O0'),
    'elo': (['src/match/elo.c'], ['elo'], '-O1'),
    'store': (['src/record/store*.c', 'src/record/outcome_file.c'],
              ['store', 'store_rows', 'store_lock', 'outcome_file', 'store_compressed', 'store_pages', 'hostile_store', 'run'],
              '-O0'),
}

# The compiler must not take it for granted that a loop stays inside its array.
ALWAYS = ['-w', '-fno-aggressive-loop-optimizations']
SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']

# Binary operators stand between spaces, as clang-format puts them.
OPERATORS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '+': '-', '-': '+', '*': '+', '/': '*',
             '%': '*', '<<': '>>', '>>': '<<', '&': '|', '|': '&', '^': '|', '&&': '||', '||': '&&', '+=': '-=', '-=': '+=',
             '|=': '&=', '&=': '|=', '^=': '|=', '*=': '+=', '>>=': '<<='}
OPERATOR = re.compile(r'(?<= )(%s)(?=\s)' % '|'.join(sorted(map(re.escape, OPERATORS), key=len, reverse=True)))
STEP = re.compile(r'\+\+|--')
CONSTANT = re.compile(r'(?<![\w.])(\d+)(?=[uUlL]*\b)(?![\w.]*[.x])')
CONDITION = re.compile(r'^(\s*(?:\} else )?if \()(.*)(\)(?: \{)?)$')
STATEMENT = re.compile(r'^(\s+)((?:[a-z_][\w.>\[\]*+-]*(?:\([^;]*\)| (?:[-+|&^*]|<<|>>)?= [^;]*)|[\w.>-]+(?:\+\+|--)));$')
DECLARATION = re.compile(r'^\s*(?:const|static|int|bool|double|char|size_t|u?int\d+_t|struct|enum|vec|Bitboard|return|sqlite3\w*)\b')
WORDS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|/\*.*?\*/|//.*')


def blank(text):
    """The text with strings and comments as blanks, of the same length."""
    text = re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S)
    return WORDS.sub(lambda m: ' ' * len(m.group()), text)


def changes_of_line(line, code):
    """All mutants of a line: what it becomes."""
    for m in OPERATOR.finditer(code):
        yield line[:m.start()] + OPERATORS[m.group()] + line[m.end():]
    for m in STEP.finditer(code):
        yield line[:m.start()] + ('--' if m.group() == '++' else '++') + line[m.end():]
    for m in CONSTANT.finditer(code):
        value = int(m.group(1))
        for other in {value + 1, max(value - 1, 0)} - {value}:
            yield line[:m.start(1)] + str(other) + line[m.end(1):]
    m = CONDITION.match(line)
    if m and code.count('(') == code.count(')'):
        yield '%s!(%s)%s' % m.groups()
    m = STATEMENT.match(code)
    if m and not DECLARATION.match(code):
        yield m.group(1) + ';'


def mutants_of(path):
    """All mutants of a file: (path, number of the line, the line, what it becomes)."""
    with open(os.path.join(SOURCE, path)) as f:
        text = f.read()
    for number, (line, code) in enumerate(zip(text.split('\n'), blank(text).split('\n')), 1):
        if not code.startswith('#') and 'assert(' not in code:
            for changed in changes_of_line(line, code):
                yield path, number, line, changed


def known_equivalents():
    """What the list has: (path, line, what it becomes)."""
    found = set()
    with open(EQUIVALENT) as f:
        for line in f:
            if ' | ' in line and not line.startswith('#'):
                found.add(tuple(part.strip().replace('\\|', '|') for part in line.split(' | ')[:3]))
    return found


def limited(seconds, memory=MEMORY):
    """Limits of a child: its time on a core, which others may share, and its memory."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return set_limits


class Bench:
    """A build of the tests in which single objects are replaced."""

    def __init__(self, names):
        if not os.path.exists(os.path.join(BUILD, 'build.ninja')):
            subprocess.run(['meson', 'setup', BUILD, SOURCE, '-Dnative=true', '-Dsmall_criterion=true', '-Dbench=false'],
                           check=True, stdout=subprocess.DEVNULL)
        subprocess.run(['ninja', '-C', BUILD] + ['tests/test_' + name for name in names], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(BUILD, 'compile_commands.json')) as f:
            commands = json.load(f)
        self.compile = {}  # of each source: the replay's kernels are one, compiled for each instruction set
        for command in commands:
            self.compile.setdefault(os.path.relpath(os.path.join(BUILD, command['file']), SOURCE), []).append(command)
        self.included = self.read_included()
        self.link = {name: self.link_line(name) for name in names}
        self.seconds = {}
        self.sane = {}
        self.work = tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)

    def link_line(self, name):
        told = subprocess.run(['ninja', '-C', BUILD, '-t', 'commands', 'tests/test_' + name], check=True, capture_output=True, text=True)
        return told.stdout.strip().split('\n')[-1]

    def measure(self, name):
        """Runs a test without a change. It must pass."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not self.passes(os.path.join(BUILD, 'tests', 'test_' + name), 600):
            sys.exit('test_%s fails without a change' % name)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def passes(self, program, seconds, memory=MEMORY):
        env = dict(os.environ, GRAYLING_SOURCE=SOURCE, OMP_NUM_THREADS='1', SMALL_STOP='1', TMPDIR=self.work)
        try:
            return subprocess.run([program], cwd=SOURCE, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=limited(seconds, memory), timeout=60 + 60 * seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def read_included(self):
        """What each object was compiled from: object -> the paths of its source and headers."""
        told = subprocess.run(['ninja', '-C', BUILD, '-t', 'deps'], check=True, capture_output=True, text=True).stdout
        found = {}
        for entry in told.split('\n\n'):
            lines = entry.strip().split('\n')
            found[lines[0].split(':')[0]] = {os.path.relpath(os.path.join(BUILD, line.strip()), SOURCE) for line in lines[1:]}
        return found

    def users_of(self, path):
        """The sources that a change of this file changes: itself, or all that include the header."""
        if path.endswith('.c'):
            return [path]
        return [user for user, c in sorted(self.compile.items()) if path in self.included.get(c[0]['output'], ())
                and (not user.startswith('tests/') or os.path.basename(user)[5:-2] in self.link)]

    def objects(self, mutant, options):
        """Compiles what a mutant changes: object of the build -> the one in its place; None if it does not compile."""
        path, number, _, changed = mutant
        with open(os.path.join(SOURCE, path)) as f:
            lines = f.read().split('\n')
        lines[number - 1] = changed
        users, objects = self.users_of(path), {}
        for old in glob.glob(os.path.join(self.work, '*.[cho]')):
            os.unlink(old)
        for file in users + glob.glob(os.path.join(SOURCE, os.path.dirname(path), '*.h')):
            shutil.copy(os.path.join(SOURCE, file), self.work)
        with open(os.path.join(self.work, os.path.basename(path)), 'w') as f:
            f.write('\n'.join(lines))
        for user, command in [(user, command) for user in users for command in self.compile[user]]:
            made = os.path.join(self.work, f'{os.path.basename(user)}.{len(objects)}.o')
            words = [w for w in shlex.split(command['command']) if w not in ('ccache', '-MD')]
            words = words[:words.index('-MQ')] + ALWAYS + options + ['-o', made, '-c', os.path.join(self.work, os.path.basename(user))]
            words[1:1] = ['-I', self.work, '-I', os.path.join(SOURCE, os.path.dirname(user))]
            if subprocess.run(words, cwd=BUILD, stderr=subprocess.DEVNULL).returncode != 0:
                return None
            objects[command['output']] = made
        return objects

    def link_with(self, name, objects, options):
        """A test with other objects, or None. Those of other tests, and of libraries that it has not, are left out."""
        program = os.path.join(self.work, 'test_' + name)
        words = shlex.split(self.link[name])
        words[words.index('-o') + 1] = program
        words = [objects.get(word, word) for word in words]
        at = words.index('-Wl,--start-group')
        words[at:at] = [made for old, made in objects.items() if os.path.dirname(old)[:-2] in words] + options
        return program if subprocess.run(words, cwd=BUILD, stderr=subprocess.DEVNULL).returncode == 0 else None

    def fails(self, name, objects, options=(), factor=10, memory=MEMORY):
        """Whether a test with these objects fails; None if it cannot be linked."""
        program = self.link_with(name, objects, list(options))
        if program is None:
            return None
        passed = self.passes(program, int(factor * self.seconds[name]) + 5, memory)
        os.unlink(program)
        return not passed

    def first_to_fail(self, mutant, tests, optimisation):
        """The test that finds a mutant, '' if none does, None if it does not compile."""
        objects = self.objects(mutant, [optimisation])
        if objects is None:
            return None
        for name in tests:
            failed = self.fails(name, objects)
            if failed is not False:
                return name if failed else None
        return ''

    def is_sane(self, name, path):
        """Whether a test passes under the sanitizers without a change."""
        if name not in self.sane:
            with open(os.path.join(SOURCE, path)) as f:
                line = f.readline().rstrip('\n')
            self.sane[name] = self.fails(name, self.objects((path, 1, line, line), SANITIZERS), SANITIZERS, 30,
                                         resource.RLIM_INFINITY) is False
        return self.sane[name]

    def caught(self, mutant, tests, optimisation):
        """The test that finds a mutant, if need be under the sanitizers; '' or None as above."""
        stem = os.path.splitext(os.path.basename(mutant[0]))[0]
        tests = sorted(tests, key=lambda t: (t != stem, self.seconds[t]))
        found = self.first_to_fail(mutant, tests, optimisation)
        if found != '':
            return found
        tests = [name for name in tests if self.is_sane(name, mutant[0])]
        objects = self.objects(mutant, SANITIZERS)
        return next((name for name in tests if self.fails(name, objects, SANITIZERS, 30, resource.RLIM_INFINITY)), '')


def sample_of(files, size, seed, places=()):
    """A random sample of all mutants, or all those at some places, and how many there are."""
    paths = sorted({os.path.relpath(p, SOURCE) for pattern in files for p in glob.glob(os.path.join(SOURCE, pattern))})
    mutants = [m for path in paths for m in mutants_of(path)]
    if places:
        chosen = [m for m in mutants if '%s:%d' % m[:2] in places]
        return sorted(chosen), len(mutants)
    chosen = random.Random(seed).sample(mutants, min(size, len(mutants)))
    return sorted(chosen), len(mutants)


def try_module(bench, name, size, seed, places):
    files, tests, optimisation = MODULES[name]
    chosen, total = sample_of(files, size, seed, places)
    equivalents, caught, equal, survivors = known_equivalents(), 0, 0, []
    for mutant in chosen:
        if (mutant[0], mutant[2].strip(), mutant[3].strip()) in equivalents:
            equal += 1
            continue
        found = bench.caught(mutant, tests, optimisation)
        caught += bool(found)
        if found == '':
            survivors.append(mutant)
            print('%s:%d survives\n    - %s\n    + %s' % (mutant[0], mutant[1], mutant[2].strip(), mutant[3].strip()), flush=True)
    counted = caught + len(survivors)
    print('%-7s caught %d of %d, %.1f %%; tried %d of %d mutants; %d equivalent, %d do not compile' %
          (name, caught, counted, 100 * caught / max(counted, 1), len(chosen), total, equal, len(chosen) - counted - equal),
          flush=True)
    return caught, counted


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--sample', type=int, default=60, help='mutants of each module')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--module', choices=sorted(MODULES), action='append')
    parser.add_argument('--at', default='', help='all mutants of these lines, in the place of a sample: FILE:LINE,...')
    parser.add_argument('--list', action='store_true', help='print the sample and do not try it')
    options = parser.parse_args()
    places = set(filter(None, options.at.split(',')))
    modules = options.module or list(MODULES)
    if options.list:
        for name in modules:
            for path, number, line, changed in sample_of(MODULES[name][0], options.sample, options.seed, places)[0]:
                print('%s:%d\n    - %s\n    + %s' % (path, number, line.strip(), changed.strip()))
        return 0
    names = [test for name in modules for test in MODULES[name][1]]
    bench = Bench(names)
    try:
        for name in names:
            bench.measure(name)
        results = [try_module(bench, name, options.sample, options.seed, places) for name in modules]
    finally:
        shutil.rmtree(bench.work)
    caught, counted = (sum(column) for column in zip(*results))
    print('in all  caught %d of %d, %.1f %%' % (caught, counted, 100 * caught / max(counted, 1)))
    return 0 if caught >= 0.9 * counted else 1


sys.exit(main())
