#!/usr/bin/env python3
"""Whether the perturbation c that `grayling space --calibrate` finds without games is the one that games find.

    experiments/games/calibration.py GRAYLING FOLDER [--nodes 500] [--games 400] [--threads 2]

The constants of experiments/games/space.yaml that change a move, from params/games-search.yaml, which is near their optimum: there the
Elo lost grows with the square of the distance. Each constant moves alone, up and down, by 4 c, and plays --games games
against the values as they are. Where it loses less than 25 Elo on the mean of both sides the distance doubles, where
more than 150 it halves, three times at most; a side with less room stays at its bound. The loss over the squared
distance, of all its games, gives the distance at which a constant loses as much as the others do: its c by games, in the
unit that fits c by moves best. Constants whose loss is below two standard errors have none. Prints CSV: name, c by
moves, c by games, the ratio, Elo lost at the last distance, distance. The last line counts ratios within a factor of 2.
"""
import argparse
import math
import os
import re
import statistics
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CENTRE = os.path.join(SOURCE, 'params/games-search.yaml')
EVALUATION = os.path.join(SOURCE, 'params/games-eval.yaml')
SPACE = os.path.join(SOURCE, 'experiments/games/space.yaml')
FIRST, LITTLE, MUCH, TRIES = 4, 25, 150, 3


def grayling(*arguments):
    return subprocess.run([a.program, *arguments], check=True, capture_output=True, text=True).stdout


def read(path, pattern):
    with open(path) as f:
        return {name: [int(value) for value in values] for name, *values in re.findall(pattern, f.read(), re.M)}


def calibrate():
    path = os.path.join(a.folder, 'calibrated.yaml')
    grayling('space', SPACE, '--calibrate', '--values', CENTRE, '--eval', EVALUATION, '--threads', str(a.threads), '-o', path,
             '--force')
    with open(path) as f:
        return {name: float(c) for name, c in re.findall(r'^ +"?(\w+)"?:.*\bc: ([\d.]+)', f.read(), re.M)}


def loss(name, value, seed):
    """Elo that the centre loses with one constant changed, and its standard error."""
    path = os.path.join(a.folder, 'moved.yaml')
    with open(path, 'w') as f:
        f.write('kind: search-modern\nparameters:\n')
        f.writelines('  %s: %d\n' % (key, value if key == name else old) for key, (old,) in centre.items())
    out = grayling('match', path, CENTRE, '--eval', EVALUATION, '--nodes', str(a.nodes), '--games', str(a.games), '--hash', '1',
                   '--threads', str(a.threads), '--seed', str(seed))
    elo, margin = re.search(r'Elo: (\S+) \+/- (\S+),', out).groups()
    return -float(elo), float(margin) / 1.96


def curvature(name, c):
    """Elo lost for a squared distance of 1, its standard error, the last loss and its distance."""
    low, high = bounds[name]
    at = centre[name][0]
    times, upper, lower = FIRST, 0, 0
    for attempt in range(TRIES):
        distance = max(1, round(times * c))
        sides = {max(low, at - distance), min(high, at + distance)} - {at}
        mean = 0
        for side in sides:
            elo, error = loss(name, side, attempt + 1)
            square = (side - at) ** 2
            upper += elo * square / error ** 2
            lower += square ** 2 / error ** 2
            mean += elo / len(sides)
        if LITTLE <= mean <= MUCH or (mean < LITTLE and sides <= {low, high}) or (mean > MUCH and distance == 1):
            break
        times *= 2 if mean < LITTLE else 0.5
    return upper / lower, 1 / math.sqrt(lower), mean, distance


options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument('program')
options.add_argument('folder')
options.add_argument('--nodes', type=int, default=500)
options.add_argument('--games', type=int, default=400)
options.add_argument('--threads', type=int, default=2)
a = options.parse_args()
os.makedirs(a.folder, exist_ok=True)
centre = read(CENTRE, r'^  (\w+): *(-?\d+)')
bounds = read(SPACE, r'^  (\w+): *\{bits: [1-9]\d*, min: (-?\d+), max: (-?\d+)')
found = {name: (c, *curvature(name, c)) for name, c in calibrate().items() if name in bounds}
# The loss at which constants are compared: the geometric mean of what c by moves costs.
measured = [k * c * c for c, k, error, *_ in found.values() if k > 2 * error]
level = statistics.geometric_mean(measured)
print('name,c by moves,c by games,ratio,Elo lost,distance')
near = 0
for name, (c, k, error, elo, distance) in found.items():
    by_games = math.sqrt(level / k) if k > 2 * error else math.nan
    near += 0.5 <= c / by_games <= 2
    print('%s,%.3g,%.3g,%.2f,%.0f,%d' % (name, c, by_games, c / by_games, elo, distance))
print('%d of %d within a factor of 2; c costs %.1f Elo' % (near, len(measured), level))
