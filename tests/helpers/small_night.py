"""A night of seconds: its recipe and those of its stages, in the present folder."""
from tap import head, write

RUNS = ['evolve-1', 'evolve-2', 'coevolve', 'search']
PLAYERS = {'EVOL*': '{evaluation: coevolve, search: search}',
           'EVOL0': '{evaluation: evolve, search: search}',
           'chance': '{evaluation: random, search: random}'}
EVOLVE = '''name: e
data: {train: [train-1.epd], held_out: [train-1.epd]}
ga: {population: 6, generations: 3}
'''
COEVOLVE = '''name: c
phase: coevolution
data: {openings: openings.epd}
fitness: {limit: 60}
ga: {population: 4, generations: 2}
'''
SEARCH = '''name: s
phase: search
data: {train: [train-1.epd], split: halves}
fitness: {limit: 300, hash: 1}
ga: {population: 4, generations: 2}
'''
NIGHT = '''name: %s
phase: night
seed: 7
hours: 0.1
stages:
  evolve: {recipe: evolve.yaml, runs: 2}
  coevolve: {recipe: coevolve.yaml, seeds: evolve}
  search: {recipe: search.yaml, evaluation: coevolve, set: {ga: {generations: 3}}}
  match:
    games: 24
    limit: 60
    openings: openings.epd
    players:
'''


def quoted(text):
    return "'%s'" % text.replace("'", "''")


def write_recipes(name='small', players=None):
    """Writes night.yaml and what it names."""
    head('train-1.epd', 40)
    head('openings.epd', 90)
    write('evolve.yaml', EVOLVE)
    write('coevolve.yaml', COEVOLVE)
    write('search.yaml', SEARCH)
    write('night.yaml', NIGHT % quoted(name) + ''.join('      %s: %s\n' % (quoted(who), what)
                                                       for who, what in (players or PLAYERS).items()))
