"""Whether each header compiles alone, with the include path of its room. TAP.

    headers.py SOURCE BUILD

The include path is that of a source file of the same library, as the build's
compile_commands.json has it.
"""
import glob
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

CHECK = ['-Wall', '-Wextra', '-Werror', '-Wno-unused', '-fsyntax-only', '-x', 'c']


def paths_in(words):
    return sum(w.startswith('-I') for w in words)


def flags_by_folder(source, build):
    """What the compiler is told in each folder that holds a C file: of several programs there, the
    one with the longest include path."""
    with open(os.path.join(build, 'compile_commands.json')) as f:
        commands = json.load(f)
    folders = {}
    for command in commands:
        path = os.path.normpath(os.path.join(command['directory'], command['file']))
        words = shlex.split(command['command'])
        folder = os.path.dirname(os.path.relpath(path, source))
        folders[folder] = max(folders.get(folder, []), words, key=paths_in)
    return folders


def compiler_and_paths(words):
    """The compiler, and of its options those that say where headers are and which C it is."""
    start = 1 if os.path.basename(words[0]) == 'ccache' else 0
    wanted = ('-I', '-isystem', '-D', '-std', '-pthread', '-m')
    return [words[start]] + [w for w in words[start + 1:] if w.startswith(wanted)]


def check(header, words, build):
    """Compiles a header alone; returns what the compiler says when it fails."""
    command = compiler_and_paths(words) + CHECK + [header]
    result = subprocess.run(command, cwd=build, capture_output=True, text=True)
    return result.stderr if result.returncode else ''


def main():
    source, build = (os.path.abspath(a) for a in sys.argv[1:3])
    folders = flags_by_folder(source, build)
    headers = sorted(h for room in ('src', 'tools')
                     for h in glob.glob(os.path.join(source, room, '**/*.h'), recursive=True))
    print(f'1..{len(headers)}')
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, h, folders[os.path.dirname(os.path.relpath(h, source))], build)
                for h in headers]
        for number, (header, job) in enumerate(zip(headers, jobs), 1):
            said = job.result()
            print(f'{"not ok" if said else "ok"} {number} - {os.path.relpath(header, source)}')
            if said:
                print('\n'.join('# ' + line for line in said.splitlines()))


main()
