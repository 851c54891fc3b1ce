#!/usr/bin/env python3
"""What a method gains with so many games, from a start that is detuned: one row for each number of games.

    experiments/games/elo_for_games.py GRAYLING FOLDER METHOD SEED [--nodes N] [--games G,...] [--referee N] [--set KEY=VALUE ...]

METHOD is `weather-factory` or `openbench`, the rules of those tuners, which play by `grayling match`; or a recipe, such
as experiments/games/pairs.yaml, which is run for as many generations as the games allow. All begin at
experiments/games/start.yaml, or --start, and play with params/games-eval.yaml and the openings of even lines of data/openings.epd.
The referee is `grayling match` against the start on the odd lines, all of them twice. Writes FOLDER/METHOD-SEED-GAMES.yaml and
prints CSV: method, seed, games, Elo over the start, its 95 % interval; of a recipe with fitness.start_games then the same two
figures as the run shows them.

The rules. weather-factory: 16 games of theta + d s c / t^0.102 against theta - d s c / t^0.102 (t counts games, d is +1 or
-1, s a fifteenth of the range); theta moves by (wins - losses) d s a t^0.102 / (c (t + A)^0.601), a = c = 1. OpenBench: c_k
= c_end (K / k)^0.101 and a_k = r_end c_end^2 ((A + K) / (A + k))^0.602, 2 games an iteration, theta moves by (wins -
losses) d a_k / c_k, c_end a twentieth of the range, r_end 0.002. A is a tenth of the iterations.
"""
import argparse
import json
import os
import random
import re
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVALUATION = os.path.join(SOURCE, 'params/games-eval.yaml')


def grayling(*arguments):
    return subprocess.run([a.program, *arguments], check=True, capture_output=True, text=True).stdout


def write_openings():
    """Splits the book: even lines are for learning, odd ones for the referee."""
    with open(os.path.join(SOURCE, 'data/openings.epd')) as f:
        lines = f.readlines()
    for name, first in (('learn', 0), ('referee', 1)):
        with open(os.path.join(a.folder, name + '.epd'), 'w') as f:
            f.writelines(lines[first::2])


def read_values(path):
    with open(path) as f:
        return {name: int(value) for name, value in re.findall(r'^  (\w+): *(-?\d+)', f.read(), re.M)}


def write_values(name, values):
    path = os.path.join(a.folder, name + '.yaml')
    with open(path, 'w') as f:
        f.write('kind: search-modern\nparameters:\n')
        f.writelines('  %s: %d\n' % item for item in values.items())
    return path


def read_space():
    with open(os.path.join(SOURCE, 'experiments/games/space.yaml')) as f:
        found = re.findall(r'^  (\w+): *\{bits: [1-9]\d*, min: (-?\d+), max: (-?\d+)', f.read(), re.M)
    return {name: (int(low), int(high)) for name, low, high in found}


def play(one, other, games, book, seed):
    out = grayling('match', one, other, '--eval', EVALUATION, '--nodes', str(a.nodes), '--games', str(games), '--hash', '1',
                   '--threads', str(a.threads), '--openings', os.path.join(a.folder, book + '.epd'), '--seed', str(seed))
    won, lost = map(int, re.search(r': (\d+) - (\d+) - \d+ ', out).groups())
    elo = re.search(r'Elo: (\S+) \+/- (\S+),', out).groups()
    return won - lost, elo


def referee(path, games, shown=()):
    elo = play(path, a.start, a.referee, 'referee', 1)[1]
    print(','.join(map(str, (a.name, a.seed, games, *elo, *shown))), flush=True)


def shown_by(run):
    gain = json.loads(grayling('status', run, '--format', 'json')).get('gain') or {}
    return [gain[key] for key in ('elo', 'margin') if gain.get(key) is not None]


def climb(rule, batch):
    """Plays the iterations of a rule: rule(k, K) is the perturbation and the move for a game won more, in ranges."""
    space, start = read_space(), read_values(a.start)
    for total in a.games if rule == openbench else a.games[-1:]:
        theta = {name: float(start[name]) for name in space}
        chance = random.Random(a.seed)
        for k in range(1, total // batch + 1):
            if rule != openbench and (k - 1) * batch in a.games:
                referee(write_values('%s-%d-%d' % (a.name, a.seed, (k - 1) * batch), start | rounded(theta, space)), (k - 1) * batch)
            c, gain = rule(k, total // batch)
            sign = {name: chance.choice((-1, 1)) for name in space}
            sides = [write_values('%s-%d-%s' % (a.name, a.seed, side), start | rounded(
                {name: theta[name] + by * sign[name] * c * (high - low) for name, (low, high) in space.items()}, space))
                for side, by in (('plus', 1), ('minus', -1))]
            more = play(*sides, batch, 'learn', 1000 * a.seed + k)[0]
            for name, (low, high) in space.items():
                theta[name] = min(high, max(low, theta[name] + more * sign[name] * gain * (high - low)))
        referee(write_values('%s-%d-%d' % (a.name, a.seed, total), start | rounded(theta, space)), total)


def rounded(theta, space):
    return {name: min(high, max(low, round(theta[name]))) for name, (low, high) in space.items()}


def weather_factory(k, iterations):
    t, games = 16 * k, 16 * iterations
    return 1 / 15 / t**0.102, t**0.102 / 15 / (t + games / 10)**0.601


def openbench(k, iterations):
    c = 0.05 * (iterations / k)**0.101
    return c, 0.002 * 0.05**2 * ((1.1 * iterations) / (iterations / 10 + k))**0.602 / c


def run_recipe():
    """Runs a recipe, and goes on with it for each number of games."""
    run = os.path.join(a.folder, '%s-%d.db' % (a.name, a.seed))
    rules = [x for setting in ['seed=%d' % a.seed, 'fitness.limit=%d' % a.nodes, *a.set] for x in ('--set', setting)]
    for i, games in enumerate(a.games):
        generations = max(1, round(games / a.generation_games))
        if i == 0:
            grayling('evolve', a.method, '-o', run, '--force', '--threads', str(a.threads), *rules,
                     '--set', 'data.openings=%s/learn.epd' % a.folder, '--set', 'ga.seeds=[%s]' % os.path.abspath(a.start), '--set', 'ga.generations=%d' % generations)
        else:
            grayling('resume', run, '--threads', str(a.threads), '--generations', str(generations), '--force')
        path = os.path.join(a.folder, '%s-%d-%d.yaml' % (a.name, a.seed, games))
        os.replace(run[:-3] + '.yaml', path)
        referee(path, games, shown_by(run))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('program')
parser.add_argument('folder')
parser.add_argument('method')
parser.add_argument('seed', type=int)
parser.add_argument('--nodes', type=int, default=500)
parser.add_argument('--games', type=lambda text: [int(n) for n in text.split(',')], default=[500, 1000, 2000, 4000, 8000])
parser.add_argument('--generation-games', type=int, default=16, help='games of a generation of the recipe')
parser.add_argument('--referee', type=int, default=1500)
parser.add_argument('--threads', type=int, default=2)
parser.add_argument('--start', default=os.path.join(SOURCE, 'experiments/games/start.yaml'))
parser.add_argument('--name')
parser.add_argument('--set', action='append', default=[])
a = parser.parse_args()
a.folder = os.path.abspath(a.folder)
a.name = a.name or os.path.basename(a.method).removesuffix('.yaml')
os.makedirs(a.folder, exist_ok=True)
write_openings()
if a.method == 'weather-factory':
    climb(weather_factory, 16)
elif a.method == 'openbench':
    climb(openbench, 2)
else:
    run_recipe()
