"""A coevolution from the command line: the pairings, and that the run repeats."""
import collections
import json
import os
import shutil
import sqlite3

import tap
from tap import change, check, dump, head, params, query, refuses, run, works, write

POPULATION, GENERATIONS = 4, 3
ORGANISM, SEED, CHAMPION = range(3)  # kinds of players
HARD = ['--set', 'fitness.hall=2', '--set', 'fitness.rematch=2', '--set', 'fitness.seed_games=2',
        '--set', 'fitness.unique=no']


def small_recipe():
    head('train-1.epd', 90)
    os.rename('train-1.epd', 'book.epd')
    write('small.yaml', 'name: small\nphase: coevolution\nseed: 5\ndata: {openings: book.epd, opponent: %s}\n'
            'fitness: {limit: 50, games: 4, opponent_games: 6}\n'
            'ga: {population: %d, generations: %d, seeds: [%s], mutation: {rate: 0.02}}\n' %
            (params('paper-eval.yaml'), POPULATION, GENERATIONS,
             params('default-eval.yaml')))


def test_threads():
    one = works('evolve ends with 0', 'evolve', 'small.yaml', '-o', 'one.db', '--threads', '1')
    check('and says what is played', '4 games per pair, 50 nodes a move' in one.stdout and
          'points by the best' in one.stdout, one.stdout)
    two = run('evolve', 'small.yaml', '-o', 'two.db', '--threads', '2')
    check('1 and 2 threads play the same games', two.returncode == 0 and dump('one.db') == dump('two.db'))


def check_generation(path, generation, games):
    """All play all, four games, colours two and two, two from each opening."""
    played = query(path, 'SELECT white_idx, black_idx, opening, result FROM game WHERE generation = %d'
                         ' ORDER BY number' % generation)
    white = collections.Counter((w, b) for w, b, _, _ in played)
    pairs = {(i, j) for i in range(POPULATION) for j in range(POPULATION) if i != j}
    check('generation %d: everyone has each colour twice against everyone' % generation,
          set(white) == pairs and set(white.values()) == {games // 2}, white)
    check('generation %d: two games share an opening, with colours reversed' % generation,
          all(a[:3] == (b[1], b[0], b[2]) for a, b in zip(played[::2], played[1::2])) and
          len({o for _, _, o, _ in played}) == len(played) // 2, played)
    points = [sum(r for w, _, _, r in played if w == i) + sum(2 - r for _, b, _, r in played if b == i)
              for i in range(POPULATION)]
    fitness = [f for f, in query(path, 'SELECT fitness FROM organism WHERE generation = %d ORDER BY idx' % generation)]
    check('generation %d: fitness is the half points' % generation, points == fitness, (points, fitness))
    best = query(path, 'SELECT best, measure FROM generation WHERE idx = %d' % generation)[0]
    check('generation %d: the best has the most' % generation,
          best == (fitness.index(max(fitness)), max(fitness)), best)
    return {o for _, _, o, _ in played}


def test_games():
    used = [check_generation('one.db', g, 4) for g in range(GENERATIONS + 1)]
    check('generations do not play the same openings', not used[0] & used[1] and
          len(set().union(*used)) == sum(len(u) for u in used), used)
    held_out = query('one.db', 'SELECT held_out FROM generation')
    check('the best plays the opponent', all(0 <= h <= 12 for h, in held_out), held_out)


def openings(path, where='1'):
    return [o for o, in query(path, 'SELECT opening FROM game WHERE %s ORDER BY generation, number' % where)]


def test_openings():
    """All generations take them in one order, so that each is played as often as any other."""
    shutil.copy('one.db', 'long.db')
    done = run('resume', 'long.db', '--generations', '8')
    pairs = openings('long.db')[::2]
    check('an opening comes again when all have been played, but those of the opponent', done.returncode == 0 and
          len(pairs) == 9 * 12 and len(set(pairs[:87])) == 87 and pairs[87:] == pairs[:9 * 12 - 87], pairs)
    few = run('evolve', 'small.yaml', '-o', 'few.db', '--threads', '1', '--set', 'fitness.opponent_games=156')
    pairs = openings('few.db')[::2]
    check('also within a run of few openings', few.returncode == 0 and pairs == pairs[:12] * 4, few.stderr)


def test_without_pairs():
    """A run that was stored before there were pairs has no such key, and goes on as it began."""
    alone = ['--set', 'fitness.pairs=no']
    done = run('evolve', 'small.yaml', '-o', 'alone.db', *alone)
    games = [openings('alone.db', 'generation = %d' % g) for g in range(GENERATIONS + 1)]
    check('without pairs each game has an opening of its own in its generation', done.returncode == 0 and
          all(len(set(g)) == len(g) == 24 for g in games) and set(games[0]) & set(games[1]), games)
    run('evolve', 'small.yaml', '-o', 'older.db', '--set', 'ga.generations=1', *alone)
    with sqlite3.connect('older.db') as db:
        changed = db.execute("UPDATE property SET value = replace(value, char(10) || '  pairs: no', '')"
                             " WHERE key = 'recipe' AND value LIKE '%  pairs: no%'").rowcount
    longer = run('resume', 'older.db', '--generations', str(GENERATIONS))
    check('a stored run without the key goes on so', changed == 1 and longer.returncode == 0 and
          openings('older.db') == openings('alone.db'), longer.stderr)
    check('and repeats', run('verify', 'older.db').returncode == 0)


def test_neighbours():
    """In a circle each plays its neighbours alone: with 2 of 5 there are as many pairs as organisms."""
    few = ['--set', 'fitness.neighbours=2', '--set', 'ga.population=5']
    done = run('evolve', 'small.yaml', '-o', 'circle.db', '--threads', '1', *few)
    run('evolve', 'small.yaml', '-o', 'circle2.db', '--threads', '2', *few)
    check('neighbours play each other, the same with 1 and 2 threads',
          done.returncode == 0 and '4 games per pair, each with 2 neighbours, 50 nodes' in done.stdout and
          dump('circle.db') == dump('circle2.db'), done.stdout + done.stderr)
    circles = set()
    for generation in range(GENERATIONS + 1):
        pairs = collections.Counter(tuple(sorted(pair)) for pair in
                                    query('circle.db', 'SELECT white_idx, black_idx FROM game WHERE generation = %d'
                                                       % generation))
        met = collections.Counter(i for pair in pairs for i in pair)
        check('generation %d: everyone plays two others four times' % generation,
              len(pairs) == 5 and set(pairs.values()) == {4} and set(met.values()) == {2} and len(met) == 5, pairs)
        circles.add(frozenset(pairs))
        of, = query('circle.db', 'SELECT DISTINCT sum(fitness) FROM organism WHERE generation = %d' % generation)[0]
        check('generation %d: fitness is their half points' % generation, of == 5 * 4 * 2, of)
    check('another circle in another generation', len(circles) > 1, circles)
    check('verify plays them again', run('verify', 'circle.db').returncode == 0)
    refuses('more neighbours than others are refused', '4 neighbours, but an organism has 3 others', 'evolve',
            'small.yaml', '-o', 'bad.db', '--set', 'fitness.neighbours=4', absent='bad.db')


def test_mates():
    """Pairs play each other, two games from each opening; the last organism plays the start."""
    mates = ['--set', 'fitness.mates=yes', '--set', 'fitness.start_games=4', '--set', 'optimiser.kind=spsa',
             '--set', 'ga.population=5', '--set', 'ga.generations=4']
    done = run('evolve', 'small.yaml', '-o', 'mates.db', '--threads', '1', *mates)
    run('evolve', 'small.yaml', '-o', 'mates2.db', '--threads', '2', *mates)
    check('mates play each other, the same with 1 and 2 threads', done.returncode == 0 and
          '4 games per pair of mates' in done.stdout and dump('mates.db') == dump('mates2.db'),
          done.stdout + done.stderr)
    check('it says what to expect', '\ngames    12 a generation, 48 in all; --dry-run' in done.stdout and
          '\nexpect   noise costs at most ' in done.stdout and
          '\nshows    a gain of 186 Elo or more, by 8 games against' in done.stdout, done.stdout)
    check('nothing is played in generation 0', not query('mates.db', 'SELECT 1 FROM game WHERE generation = 0'))
    for generation in (1, 4):
        games = query('mates.db', 'SELECT white_kind, white_idx, black_kind, black_idx, opening FROM game'
                                  ' WHERE generation = %d ORDER BY number' % generation)
        met = collections.Counter(frozenset([game[:2], game[2:4]]) for game in games)
        check('generation %d: each plays its mate, and the last the start' % generation,
              met == {frozenset([(ORGANISM, 0), (ORGANISM, 1)]): 4, frozenset([(ORGANISM, 2), (ORGANISM, 3)]): 4,
                      frozenset([(ORGANISM, 4), (CHAMPION, 0)]): 4}, met)
        check('generation %d: two games share an opening, with colours reversed' % generation,
              all(a[4] == b[4] and a[:2] == b[2:4] and a[2:4] == b[:2] for a, b in zip(games[::2], games[1::2])) and
              len({game[4] for game in games}) == len(games) // 2, games)
    points = query('mates.db', 'SELECT sum(CASE WHEN white_kind = %d THEN 2 - result ELSE result END) FROM game'
                               ' WHERE generation > 2 AND %d IN (white_kind, black_kind)' % (CHAMPION, CHAMPION))[0][0]
    state = json.loads(run('status', 'mates.db', '--format', 'json').stdout)['gain']
    check('what the later half gained is told only after ten pairs', state['games'] == state['of'] == 4 * 12 and
          state['elo'] is None and 0 <= points <= 16 and
          'Elo not known yet, after 48 of 48 games' in done.stdout, (state, points, done.stdout))
    longer = run('resume', 'mates.db', '--generations', '12')
    gain = json.loads(run('status', 'mates.db', '--format', 'json').stdout)['gain']
    page = run('report', 'mates.db', '-o', '-').stdout
    check('then on the screen, in status and on the page', longer.returncode == 0 and
          '%+.0f +/- %.0f Elo over the start after 144 of 144 games' % (gain['elo'], gain['margin']) in longer.stdout and
          'is %.0f +/- %.0f Elo ' % (abs(gain['elo']), gain['margin']) in page and '>Elo over the start<' in page and
          '>the start</text>' in page and gain['text'] in run('status', 'mates.db').stdout,
          (longer.stdout, longer.stderr, gain))
    check('verify plays them again', run('verify', 'mates.db').returncode == 0)
    mirrored = run('evolve', 'small.yaml', '-o', 'mirrored.db', *(w.replace('spsa', 'evolution-strategy') for w in mates))
    check('so do the mirrored samples of the evolution strategy', mirrored.returncode == 0 and
          '\nexpect   noise costs at most ' in mirrored.stdout and run('verify', 'mirrored.db').returncode == 0,
          mirrored.stdout + mirrored.stderr)
    champion = '%d IN (white_kind, black_kind)' % CHAMPION
    taught, against = openings('mates.db', 'NOT ' + champion)[::2], openings('mates.db', champion)[::2]
    check('the start is played from other openings, and none comes again before all', len(taught) == 48 and
          len(against) == 24 and len({*taught, *against}) == 48 + 24, (taught, against))


def test_report():
    page = run('report', 'one.db', '-o', '-').stdout
    count, draws = query('one.db', 'SELECT count(*), sum(result = 1) FROM game')[0]
    check('the report has the seeds and what fills up behind them', 'default-eval.yaml' in page and
          'The other %d are random' % (POPULATION - 1) in page, page[:3000])
    check('and the games', '%s games between organisms, %.0f %% drawn' %
          (format(count, ','), 100 * draws / count) in page, page[:3000])


def test_hall_and_rematch():
    round_games = POPULATION * (POPULATION - 1) // 2 * 4
    works('a hall of fame and rematches', 'evolve', 'small.yaml', '-o', 'hard.db', *HARD)
    champions = query('hard.db', 'SELECT DISTINCT generation, black_idx FROM game WHERE black_kind = %d'
                                 ' UNION SELECT DISTINCT generation, white_idx FROM game WHERE white_kind = %d' %
                      (CHAMPION, CHAMPION))
    seed = query('hard.db', 'SELECT count(*), sum(white_kind = %d AND white_idx = 0) FROM game'
                            ' WHERE %d IN (white_kind, black_kind) AND generation = 0 AND number < %d' %
                 (SEED, SEED, round_games + 2 * POPULATION))
    check('everyone plays the seed, with either colour', seed == [(2 * POPULATION, POPULATION)], seed)
    check('champions are of earlier generations', champions and
          all(champion < generation for generation, champion in champions), champions)
    per_generation = collections.Counter(generation for generation, _ in champions)
    check('two of them at most, none in the first', max(per_generation.values()) <= 2 and
          0 not in per_generation, champions)
    for generation in range(GENERATIONS + 1):
        more = query('hard.db', 'SELECT white_idx, black_idx FROM game WHERE generation = %d AND number >= %d'
                                ' AND white_kind = %d AND black_kind = %d ORDER BY number' %
                     (generation, round_games, ORGANISM, ORGANISM))
        leaders = [more[i][0] for i in range(0, len(more), 2 * (POPULATION - 1))]
        fitness = [f for f, in query('hard.db', 'SELECT fitness FROM organism WHERE generation = %d ORDER BY idx' %
                                     generation)]
        check('generation %d: leaders play everyone again, the last of them has the most' % generation,
              len(more) % (2 * (POPULATION - 1)) == 0 and leaders and fitness[leaders[-1]] == max(fitness),
              (leaders, fitness))
    works('verify plays it all again', 'verify', 'hard.db')
    works('or a sample of it', 'verify', 'hard.db', '--sample', '1')
    shutil.copy('hard.db', 'changed.db')
    change('changed.db', 'UPDATE game SET nodes = nodes + 1 WHERE generation = 1 AND number = 3')
    refuses('a changed game is found', 'generation 1, game 3', 'verify', 'changed.db', code=1)


def test_adjudication():
    """Games that decide fitness may end early; those with the opponent, which are reported, never do."""
    short = ['--set', 'fitness.win_score=300']
    works('games may be won by score', 'evolve', 'small.yaml', '-o', 'short.db', *short, says='won at 300 centipawns')
    plies = [query(path, 'SELECT sum(plies) FROM game WHERE generation = 0')[0][0] for path in ('one.db', 'short.db')]
    check('and are shorter then', plies[1] < 0.9 * plies[0], plies)
    best = [query(path, 'SELECT best, held_out FROM generation WHERE idx = 0')[0] for path in ('one.db', 'short.db')]
    check('games with the opponent are as they were, since the best is the same', best[0] == best[1], best)
    check('verify plays those games again', run('verify', 'short.db').returncode == 0)
    drawn = ['--set', 'fitness.draw_score=5000', '--set', 'fitness.draw_from=20', '--set', 'fitness.draw_moves=2',
             '--set', 'ga.generations=0']
    done = run('evolve', 'small.yaml', '-o', 'drawn.db', *drawn)
    games = query('drawn.db', 'SELECT result, plies FROM game WHERE generation = 0')
    check('games may be drawn by score, from a move on', done.returncode == 0 and
          'drawn within 5000 from move 20' in done.stdout and games.count((1, 40)) > len(games) / 4 and
          (1, 40) not in query('one.db', 'SELECT result, plies FROM game WHERE generation = 0'),
          (done.stdout, done.stderr, games))


def test_clock():
    """Our own engine plays by the clock: the run says that it does not repeat, and verify does not try."""
    done = run('evolve', 'small.yaml', '-o', 'clock.db', '--set', 'fitness.tc=0.4+0.03', '--set',
               'fitness.limit=2000', '--set', 'ga.population=2', '--set', 'ga.generations=1', '--set',
               'fitness.draw_score=5000', '--set', 'fitness.draw_from=4', '--set', 'fitness.draw_moves=2', '--set', 'data.opponent=""')
    check('games by the clock', done.returncode == 0 and
          '4 games per pair, 0.4+0.03 s a game, which does not repeat, ' in done.stdout and
          len(query('clock.db', 'SELECT 1 FROM game')) == 8, done.stdout + done.stderr)
    works('are resumed', 'resume', 'clock.db', '--generations', '2')
    refuses('and not replayed', 'does not repeat', 'verify', 'clock.db')


def values_of(path, generation, index):
    """The genes of an organism: Gray code, the most significant bit first."""
    chromosome, = query(path, 'SELECT chromosome FROM genome g JOIN organism o ON o.genome = g.id'
                              ' WHERE generation = %d AND o.idx = %d' % (generation, index))[0]
    bits, values = int.from_bytes(chromosome, 'little'), []
    for count, least, initial in query(path, 'SELECT bits, min, initial FROM gene ORDER BY idx'):
        number = 0
        for _ in range(count):
            number = number << 1 | (number ^ bits) & 1
            bits >>= 1
        values.append(least + number if count > 0 else initial)
    return values


def test_strategy():
    """The champion of the evolution strategy is organism 0, and the run ends with it."""
    strategy = ['--set', 'optimiser.kind=evolution-strategy']
    one = run('evolve', 'small.yaml', '-o', 'mean.db', '--threads', '1', *strategy)
    run('evolve', 'small.yaml', '-o', 'mean2.db', '--threads', '2', *strategy)
    check('an evolution strategy plays the same games with 1 and 2 threads',
          one.returncode == 0 and dump('mean.db') == dump('mean2.db'), one.stderr)
    rows_of = query('mean.db', 'SELECT g.best, g.measure, o.fitness FROM generation g'
                               ' JOIN organism o ON o.generation = g.idx AND o.idx = 0 WHERE g.idx > 0')
    check('its mean stands for a generation', len(rows_of) == GENERATIONS and
          all(best == 0 and measure == fitness for best, measure, fitness in rows_of), rows_of)
    exported = json.loads(run('export', 'mean.db', '--format', 'json').stdout)['parameters']
    check('and for the run', list(exported.values()) == values_of('mean.db', GENERATIONS, 0), exported)
    check('verify plays its games again', run('verify', 'mean.db').returncode == 0)


def test_search():
    """Searches play each other, all with one evaluation."""
    search = ['--set', 'space=' + params('search-space.yaml'),
              '--set', 'ga.seeds=[%s]' % params('paper-search.yaml'),
              '--set', 'fitness.evaluation=' + params('paper-eval.yaml'),
              '--set', 'data.opponent=' + params('paper-search.yaml')]
    one = run('evolve', 'small.yaml', '-o', 'search.db', '--threads', '1', *search)
    run('evolve', 'small.yaml', '-o', 'search2.db', '--threads', '2', *search)
    check('searches evolve by games too, the same with 1 and 2 threads',
          one.returncode == 0 and dump('search.db') == dump('search2.db'), one.stderr)
    with open('search.yaml') as f:
        check('the outcome is a search', 'kind: search\n' in f.read())
    check('verify plays their games again', run('verify', 'search.db').returncode == 0)
    refuses('the half that evolves is not given', 'fitness.search: the search is what evolves here; leave it out',
            'evolve', 'small.yaml', '-o', 'bad.db', *search, '--set', 'fitness.search=' + params('paper-search.yaml'),
            absent='bad.db')
    refuses('nor an opponent of the other half', 'kind', 'evolve', 'small.yaml', '-o', 'bad.db', *search, '--set',
            'data.opponent=' + params('paper-eval.yaml'))


def test_bad_input():
    refuses('too few openings are refused', '90 openings; a generation needs 303', 'evolve', 'small.yaml', '-o',
            'bad.db', '--set', 'fitness.games=100', absent='bad.db')
    refuses('so is an odd number of games', 'an even number', 'evolve', 'small.yaml', '-o', 'bad.db', '--set',
            'fitness.games=5')
    refuses('and an opponent of another kind', 'kind', 'evolve', 'small.yaml', '-o', 'bad.db', '--set',
            'data.opponent=' + params('default-search.yaml'))


small_recipe()
tap.main()
