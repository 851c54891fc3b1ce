"""Whether the rooms keep their order. TAP.

    rooms.py SOURCE

A room is a folder under src, or tools; the order is that of the `subdir` lines of the meson files.
An include goes to the same room or to one that stands before it. A module is a header and its source:
modules of different folders do not include each other in a circle.
"""
import os
import re
import sys

SUBDIR = re.compile(r"^\s*subdir\('([^']+)'\)", re.M)
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.M)
source = sys.argv[1]
number = 0


def read(*path):
    with open(os.path.join(source, *path)) as f:
        return f.read()


def report(name, findings):
    """Prints the result of a check, and its findings as comments."""
    global number
    number += 1
    print(f'{"not ok" if findings else "ok"} {number} - {name}')
    for finding in findings:
        print('#', finding)


def rooms_below(folder):
    """The folders that the meson files descend into from this one, in their order."""
    rooms = []
    for name in SUBDIR.findall(read(folder, 'meson.build')):
        path = os.path.normpath(os.path.join(folder, name))
        if path.startswith(('src', 'tools')):
            rooms += rooms_below(path) or [path]
    return rooms


def files_of(room):
    """The C files of a room and of the folders in it, as paths from the source's root."""
    return [os.path.relpath(os.path.join(folder, name), source)
            for folder, _, names in os.walk(os.path.join(source, room)) for name in names
            if name.endswith(('.c', '.h', '.def'))]


def has_heading(room):
    """Whether the meson file of a room begins with what lives there and what it may touch."""
    lines = read(room, 'meson.build').splitlines()
    heading = lines[:next(i for i, line in enumerate(lines) if not line.startswith('#'))]
    return len(heading) >= 5 and any(line.startswith('# May touch:') for line in heading)


def module(path):
    return os.path.splitext(path)[0]


def circles(arrows):
    """Circles of modules, each as the modules on it; `arrows` maps a module to those it includes."""
    found, state = [], {}

    def visit(node, trail):
        state[node] = 'open'
        for other in sorted(arrows.get(node, ())):
            if state.get(other) == 'open':
                found.append(trail[trail.index(other):] + [other])
            elif other not in state:
                visit(other, trail + [other])
        state[node] = 'done'

    for node in sorted(arrows):
        if node not in state:
            visit(node, [node])
    return found


def main():
    order = rooms_below('.')
    room_of = {path: room for room in order for path in files_of(room)}
    by_name = {os.path.basename(path): path for path in room_of}
    upward, arrows = [], {}
    for path, room in sorted(room_of.items()):
        for name in INCLUDE.findall(read(path)):
            target = by_name.get(os.path.basename(name))
            if target is None:
                continue
            if order.index(room_of[target]) > order.index(room):
                upward.append(f'{path} includes {target}')
            if module(target) != module(path):
                arrows.setdefault(module(path), set()).add(module(target))
    print('1..4')
    report('names of files are unique', sorted(
        p for p in room_of if by_name[os.path.basename(p)] != p))
    report('no include goes up: ' + ' < '.join(order), upward)
    report('no circle of includes through two folders', [
        ' -> '.join(c) for c in circles(arrows) if len({os.path.dirname(m) for m in c}) > 1])
    report('each room says what lives there and what it may touch',
           [room for room in order if not has_heading(room)])


main()
