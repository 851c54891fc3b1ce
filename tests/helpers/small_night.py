"""A night of seconds: its recipe and those of its stages, in the present folder."""
import os

RUNS = ['evolve-1', 'evolve-2', 'coevolve', 'search']
PLAYERS = {'EVOL*': '{evaluation: coevolve, search: search}',
           'EVOL0': '{evaluation: evolve, search: search}',
           'chance': '{evaluation: random, search: random}'}


def head(source, name, count):
    """The first lines of one of the project's data files."""
    with open(os.path.join(source, 'data', name)) as f, open(name, 'w') as out:
        out.writelines(f.readline() for _ in range(count))


def quoted(text):
    return "'%s'" % text.replace("'", "''")


def write_recipes(source, name='small', players=None):
    """Writes night.yaml and what it names."""
    head(source, 'train-1.epd', 40)
    head(source, 'openings.epd', 90)
    with open('evolve.yaml', 'w') as f:
        f.write('name: e\ndata: {train: [train-1.epd], held_out: [train-1.epd]}\n'
                'ga: {population: 6, generations: 3}\n')
    with open('coevolve.yaml', 'w') as f:
        f.write('name: c\nphase: coevolution\ndata: {openings: openings.epd}\n'
                'fitness: {limit: 60}\nga: {population: 4, generations: 2}\n')
    with open('search.yaml', 'w') as f:
        f.write('name: s\nphase: search\ndata: {train: [train-1.epd], split: halves}\n'
                'fitness: {limit: 300, hash: 1}\nga: {population: 4, generations: 2}\n')
    with open('night.yaml', 'w') as f:
        f.write('name: %s\nphase: night\nseed: 7\nhours: 0.1\nstages:\n' % quoted(name) +
                '  evolve: {recipe: evolve.yaml, runs: 2}\n'
                '  coevolve: {recipe: coevolve.yaml, seeds: evolve}\n'
                '  search: {recipe: search.yaml, evaluation: coevolve, set: {ga: {generations: 3}}}\n'
                '  match:\n    games: 24\n    limit: 60\n    openings: openings.epd\n    players:\n')
        f.writelines('      %s: %s\n' % (quoted(who), what) for who, what in (players or PLAYERS).items())
