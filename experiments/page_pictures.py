#!/usr/bin/env python3
"""Writes the pictures of report pages in docs/: of runs and a comparison, as a wide window and a phone show them,
light and dark. Needs chromium; takes some seconds.

    experiments/page_pictures.py [GRAYLING]        GRAYLING: build/tools/grayling, if not given
"""
import collections
import os
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIGHT, DARK = 1, 0
# picture, run, width and height of the window, colours
PICTURES = [('page-wide.png', 'compare-optimisers.db.zst', 1400, 1500, LIGHT),
            ('page.png', 'glaurung-nodes.db.zst', 1300, 1440, LIGHT),
            ('page-dark.png', 'search-modern-games.db.zst', 1300, 1440, DARK),
            ('page-phone.png', 'coevolution-paper-seed1.db.zst', 390, 1260, DARK)]


def photograph(page, width, height, scheme, picture, profile):
    """What a browser shows of a page."""
    subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                    '--user-data-dir=' + profile, '--blink-settings=preferredColorScheme=%d' % scheme,
                    '--window-size=%d,%d' % (width, height), '--screenshot=' + picture, 'file://' + page],
                   check=True, capture_output=True, timeout=120)


def chunks(data):
    """The chunks of a PNG file: kind and content."""
    at = 8
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(a, b, c):
    """The predictor of filter 4 (PNG specification, 9.4)."""
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(line, before, kind, step):
    """A line of bytes without its filter."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = before[i - step] if i >= step else 0
        guess = (0, left, before[i], (left + before[i]) // 2, 0)[kind] if kind < 4 else paeth(left, before[i], corner)
        line[i] = (line[i] + guess) & 255
    return line


def read_pixels(path):
    """Width, and the lines of a PNG of 8 bits a channel as lists of colours."""
    with open(path, 'rb') as f:
        parts = list(chunks(f.read()))
    width, height, _, kind = struct.unpack('>IIBB', parts[0][1][:10])
    step = {2: 3, 6: 4}[kind]
    raw = zlib.decompress(b''.join(content for name, content in parts if name == b'IDAT'))
    lines, before, size = [], bytearray(width * step), width * step + 1
    for y in range(height):
        line = bytearray(raw[y * size + 1:(y + 1) * size])
        if raw[y * size]:
            line = unfilter(line, before, raw[y * size], step)
        before = line
        lines.append([tuple(line[i:i + 3]) for i in range(0, len(line), step)])
    return width, lines


def chunk(kind, content):
    return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))


def write_small(path, width, lines):
    """Writes a PNG with the 256 most frequent colours; every other one becomes the nearest of them."""
    counts = collections.Counter(pixel for line in lines for pixel in line)
    palette = [color for color, _ in counts.most_common(256)]
    numbers = {color: i for i, color in enumerate(palette)}
    for color in counts:
        if color not in numbers:
            numbers[color] = min(range(len(palette)),
                                 key=lambda i: sum((a - b) ** 2 for a, b in zip(color, palette[i])))
    raw = b''.join(b'\0' + bytes(numbers[pixel] for pixel in line) for line in lines)
    with open(path, 'wb') as f:
        f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, len(lines), 8, 3, 0, 0, 0)) +
                chunk(b'PLTE', b''.join(bytes(color) for color in palette)) +
                chunk(b'IDAT', zlib.compress(raw, 9)) + chunk(b'IEND', b''))


def main():
    grayling = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, 'build/tools/grayling'))
    with tempfile.TemporaryDirectory() as work:
        page, picture = os.path.join(work, 'page.html'), os.path.join(work, 'page.png')
        for name, run, width, height, scheme in PICTURES:
            subprocess.run([grayling, 'report', os.path.join(ROOT, 'docs/runs', run), '-o', page, '--force'],
                           check=True)
            photograph(page, width, height, scheme, picture, os.path.join(work, 'profile'))
            path = os.path.join(ROOT, 'docs', name)
            write_small(path, *read_pixels(picture))
            print('%s: %d bytes' % (path, os.path.getsize(path)))


if __name__ == '__main__':
    main()
