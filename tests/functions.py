"""Whether functions stay small: none over 60 lines, the median at most 10. TAP.

    functions.py SOURCE

A function is counted from the line after its opening brace in column 0 to its closing brace, as
clang-format lays it out, in src and tools.
"""
import glob
import os
import re
import statistics
import sys

LONGEST, MEDIAN = 60, 10
HEAD = re.compile(r'^[A-Za-z_].*\(|^[A-Za-z_].*[)*,]$')


def functions(path):
    """The functions of a file: their names, first lines and lengths."""
    head, start = '', 0
    with open(path) as f:
        for number, line in enumerate(f, 1):
            if line.startswith('{') and '(' in head:
                start = number
            elif line.startswith('}') and start:
                yield head.split('(')[0].split()[-1].lstrip('*'), start, number - start - 1
                start = 0
            elif HEAD.match(line) and not start and '(' in line:
                head = line


def main():
    found = [(length, f'{os.path.relpath(path, sys.argv[1])}:{line} {name}')
             for top in ('src', 'tools')
             for path in sorted(glob.glob(os.path.join(sys.argv[1], top, '**/*.[ch]'),
                                          recursive=True))
             for name, line, length in functions(path)]
    lengths = [length for length, _ in found]
    long = [f'{length} lines: {where}' for length, where in found if length > LONGEST]
    median = statistics.median(lengths)
    print('1..2')
    print(f'{"not ok" if long else "ok"} 1 - {len(found)} functions, none over {LONGEST} lines, '
          f'the longest {max(lengths)}')
    for where in long:
        print('#', where)
    print(f'{"ok" if median <= MEDIAN else "not ok"} 2 - median {median:g} lines, '
          f'90th percentile {statistics.quantiles(lengths, n=10)[-1]:g}')


main()
