#!/usr/bin/env python3
"""What a long run holds: its memory, descriptors, WAL and database, each minute, as a table and a picture.

    experiments/memory_log.py watch RUN.db LOG        # beside the run, until it ends; adds to LOG
    experiments/memory_log.py draw LOG PICTURE.svg

A line of LOG: seconds since 1970, KiB of resident memory, open descriptors, bytes of the WAL, bytes of the database.
Stretches of a run that was resumed follow each other in one file; the picture leaves out the time between them.
"""
import glob
import math
import os
import sys
import time

GAP = 150  # seconds without a line: another stretch
PATIENCE = 60
COLUMNS = [('memory, MiB', 1, 1 / 1024), ('descriptors', 2, 1), ('WAL, MiB', 3, 1 / 2**20), ('database, MiB', 4, 1 / 2**20)]


def is_open_to_write(link, path):
    """Whether a link of /proc is this file, open to write."""
    try:
        if os.readlink(link) != path:
            return False
        with open(link.replace('/fd/', '/fdinfo/')) as f:
            return int(f.read().split()[3], 8) & 3 != 0
    except OSError:
        return False


def writer_of(path):
    """The process that has this file open to write, once it has begun; None after PATIENCE seconds without one."""
    for _ in range(PATIENCE):
        for link in glob.glob('/proc/[0-9]*/fd/*'):
            if is_open_to_write(link, path):
                return link.split('/')[2]
        time.sleep(1)
    return None


def size(path):
    return os.path.getsize(path) if os.path.exists(path) else 0


def watch(path, log):
    process = writer_of(os.path.realpath(path))
    if process is None:
        sys.exit('memory_log: no process writes to %s' % path)
    while os.path.exists('/proc/%s/fd' % process):
        with open('/proc/%s/status' % process) as f:
            resident = next((line.split()[1] for line in f if line.startswith('VmRSS')), '0')
        descriptors = len(os.listdir('/proc/%s/fd' % process))
        with open(log, 'a') as f:
            print(int(time.time()), resident, descriptors, size(path + '-wal'), size(path), file=f)
        time.sleep(60)


def hours_of(rows):
    """Hours of the run at each row, without the time between stretches."""
    hours, last, spent = [], None, 0
    for row in rows:
        step = 0 if last is None else row[0] - last
        spent += step if step <= GAP else 0
        last = row[0]
        hours.append(spent / 3600)
    return hours


def step_of(most):
    """The distance of marks on an axis up to `most`: 1, 2 or 5 times a power of ten, two or three of them."""
    power = 10.0 ** math.floor(math.log10(most))
    return next(power * factor for factor in (0.5, 1, 2, 5) if most / (power * factor) < 4)


def panel(title, hours, values, top):
    """A panel of the picture as SVG: its title, its marks and its curve."""
    left, width, height = 76, 700, 108
    most = max(values) or 1
    parts = ['<text x="%d" y="%d">%s</text>' % (left, top - 8, title)]
    for mark in range(int(most / step_of(most)) + 1):
        y = top + height * (1 - mark * step_of(most) / most)
        parts += ['<path class="grid" d="M%d %.1fh%d"/>' % (left, y, width),
                  '<text class="end" x="%d" y="%.1f">%g</text>' % (left - 8, y + 4, mark * step_of(most))]
    for mark in range(int(hours[-1] / step_of(hours[-1])) + 1):
        parts += ['<text class="middle" x="%.1f" y="%d">%g</text>' % (
            left + width * mark * step_of(hours[-1]) / hours[-1], top + height + 16, mark * step_of(hours[-1]))]
    points = ['%.1f %.1f' % (left + width * hour / hours[-1], top + height * (1 - value / most))
              for hour, value in zip(hours, values)]
    return parts + ['<path class="curve" d="M%s"/>' % 'L'.join(points)]


def draw(log, picture):
    with open(log) as f:
        rows = [list(map(int, line.split())) for line in f]
    hours = hours_of(rows)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="800" height="640" font-family="Helvetica, sans-serif" '
             'font-size="13"><style>.end { text-anchor: end } .middle { text-anchor: middle } path { fill: none }',
             '.grid { stroke: #d5dbe1 } .curve { stroke: #1f4e79; stroke-width: 2 }</style>',
             '<rect width="800" height="640" fill="#ffffff"/>']
    for i, (title, column, scale) in enumerate(COLUMNS):
        parts += panel(title, hours, [row[column] * scale for row in rows], 30 + 154 * i)
    parts += ['<text class="middle" x="426" y="632">hours</text>', '</svg>', '']
    with open(picture, 'w') as f:
        f.write('\n'.join(parts))
    for title, column, scale in COLUMNS:
        print('%-14s at most %.1f, at the end %.1f' % (title, max(r[column] for r in rows) * scale, rows[-1][column] * scale))
    print('%-14s %.2f, %d lines' % ('hours', hours[-1], len(rows)))


if len(sys.argv) == 4 and sys.argv[1] in ('watch', 'draw'):
    {'watch': watch, 'draw': draw}[sys.argv[1]](*sys.argv[2:])
else:
    sys.exit(__doc__)
