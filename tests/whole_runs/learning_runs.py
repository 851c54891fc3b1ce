"""A night that learns from its own games: a match that keeps them, a run that evolves by games, positions drawn from
them, a stage that evolves on the results; killed, resumed, and with more games."""
import os
import re

import tap
from tap import change, check, count_rows, dump, head, query, read, refuses, run, run_of, source, start, works, write

head('train-1.epd', 40)
head('openings.epd', 90)
write('evolve.yaml', 'name: e\ndata: {train: [train-1.epd]}\nfitness: {batch: 20}\nga: {population: 6, generations: 3}\n')
write('results.yaml', 'name: r\nfitness: {measure: results, batch: 500}\n'
      'ga: {population: 20, generations: 10, selection: {kind: tournament}}\n')
write('play.yaml', 'name: p\nphase: coevolution\ndata: {openings: openings.epd}\n'
      'fitness: {measure: games, games: 2, limit: 60}\nga: {population: 4, generations: 2}\n')
NIGHT = '''name: learning
phase: night
seed: 7
hours: 0.1
stages:
  evolve: {recipe: evolve.yaml}
  games:
    games: 24
    limit: 60
    win_score: 1500
    openings: openings.epd
    players:
      a: {evaluation: evolve}
      b: {evaluation: evolve, search: %s}
      c: {evaluation: random}
  learn: {recipe: results.yaml, results: games, seeds: evolve}
  match:
    games: 8
    limit: 60
    keep: yes
    openings: openings.epd
    players:
      learned: {evaluation: learn}
      before: {evaluation: evolve}
  play: {recipe: play.yaml, seeds: learn}
  again: {recipe: results.yaml, results: [games, match, play], seeds: learn}
''' % os.path.join(source, 'params/paper-search.yaml')
write('night.yaml', NIGHT)
FILES = ['games.pgn', 'games-train.epd', 'games-held-out.epd', 'match.pgn', 'match-train.epd', 'play.pgn', 'play-train.epd',
         'learn.yaml', 'again.yaml']


def everything(path):
    """What there is of a night but for the clock, in the database and beside it."""
    measured = dump(path)
    return [measured[table] for table in ('genome', 'match_game', 'match_pgn')] + [read(path[:-3] + '-' + name) for name in FILES]


def positions(path):
    return [line.split(' c0 ')[0] for line in read(path).splitlines()]


def source_games(path):
    return {line.split('c0 "game ')[1][:16] for line in read(path).splitlines()}


def test_night():
    whole = works('a night learns from its games', 'evolve', 'night.yaml', '-o', 'whole.db', '--threads', '2')
    check('a stage without games keeps its batch', 'x 3 generations x 20 positions' in whole.stdout, whole.stdout)
    check('the files of the games are there', all(os.path.exists('whole-' + name) for name in FILES), os.listdir('.'))
    check('and are told', all(re.search(r'games       \S*whole-%s.pgn' % name, whole.stdout) for name in ('games', 'match', 'play')),
          whole.stdout)
    check('all games are kept', read('whole-games.pgn').count('[Event ') == 72 and
          read('whole-match.pgn').count('[Event ') == 8)
    check('and those by which a run evolves', read('whole-play.pgn').count('[White "organism ') == count_rows('whole.db', 'game') > 8)
    seeds = set(re.findall(r'\[Round "(\d)\..*?\[Seed "(\d+)"\]', read('whole-games.pgn'), re.S))
    check('each pairing tells the seed of its openings', seeds == {('1', '7'), ('2', '8'), ('3', '9')}, seeds)
    drawn, apart = len(positions('whole-games-train.epd')), len(positions('whole-games-held-out.epd'))
    check('positions are drawn from them, as many as short games have', 0 < apart < 18 and
          (72 - apart) * 30 < drawn < (72 - apart) * 80, (drawn, apart))
    check('with the scores of those who moved', read('whole-games-train.epd').count(' ce ') > drawn * 9 // 10)
    check('and held out with whole games', not source_games('whole-games-train.epd') & source_games('whole-games-held-out.epd'))
    data = query('whole.db', 'SELECT role, path FROM data WHERE %s ORDER BY idx' % run_of('learn'))
    check('they are the data of the run', ('train', 'whole-games-train.epd') in data and
          ('held_out', 'whole-games-held-out.epd') in data, data)
    one = run('evolve', 'night.yaml', '-o', 'one.db', '--threads', '1')
    check('one thread gives the same night', one.returncode == 0 and dump('one.db') == dump('whole.db'),
          one.stderr)
    check('the stage verifies', run('verify', 'whole.db#learn').returncode == 0)
    works('the games are read by others', 'sample', 'whole-games.pgn', '--either', '--count', '10', '-o', 'drawn.epd',
          says='72 games: 0 broken')


def test_dry_run():
    dry = run('evolve', 'night.yaml', '-o', 'dry.db', '--dry-run')
    check('a dry run tells what it cannot know', dry.returncode == 0 and
          re.search(r'learn +.*not known before the games of games', dry.stdout) is not None and
          'dry-games-train.epd' in dry.stdout and not os.path.exists('dry.db'), dry.stdout + dry.stderr)


def test_kills():
    tap.kill_often(lambda: start('evolve', 'night.yaml', '-o', 'killed.db'),
                   lambda threads: start('resume', 'killed.db', '--threads', str(threads)),
                   'killed.db', lambda: sum(count_rows('killed.db', t) for t in ('genome', 'match_game')), kills=4, most=60)
    end = run('resume', 'killed.db')
    check('killed and resumed, it is the same night', end.returncode == 0 and everything('killed.db') == everything('whole.db'), end)


def test_again():
    refuses('games that fed a stage are not added to', '--again games', 'resume', 'whole.db#games', '--games', '30')
    drawn, apart = len(positions('whole-games-train.epd')), source_games('whole-games-held-out.epd')
    again = run('resume', 'whole.db', '--again', 'games', '--games', '30')
    check('--again adds to them, and learns anew', again.returncode == 0 and
          read('whole-games.pgn').count('[Event ') == 90 and len(positions('whole-games-train.epd')) > drawn, again.stderr)
    check('what was held out still is', apart <= source_games('whole-games-held-out.epd'), apart)
    long = run('evolve', 'night.yaml', '-o', 'long.db', '--set', 'stages.games.games=30')
    check('as if there had been so many from the beginning', long.returncode == 0 and
          query('long.db', 'SELECT chromosome FROM genome WHERE %s ORDER BY id' % run_of('learn')) ==
          query('whole.db', 'SELECT chromosome FROM genome WHERE %s ORDER BY id' % run_of('learn')), long.stderr)


def test_sample():
    """verify --sample leaves batches out, and compares those that it takes. Which these are, each seed says."""
    first = []
    for seed in range(1, 7):
        path = 'batch-%d.db' % seed
        made = run('evolve', 'evolve.yaml', '-o', path, '--set', 'seed=%d' % seed)
        good = run('verify', path, '--sample', '1')
        check('a sample of batches verifies', made.returncode == 0 and good.returncode == 0, made.stderr + good.stderr)
        change(path, 'UPDATE generation SET mean = mean + 1')
        refuses('of all organisms it compares every batch', ('generation 0, ', 'stored mean'), 'verify', path,
                '--sample', '6', code=1)
        first.append('generation 0, ' in run('verify', path, '--sample', '1').stderr)
    check('of one organism in six not the first batch of each run', not all(first), first)


def test_files():
    """Files that are there are kept, and said before the night begins."""
    for name in ('other-games.pgn', 'other-games-train.epd', 'other-match.pgn'):
        write(name, 'mine\n')
        refused = run('evolve', 'night.yaml', '-o', 'other.db')
        check('%s is not overwritten' % name, refused.returncode == 2 and name in refused.stderr and read(name) == 'mine\n' and
              not os.path.exists('other.db'), refused.stderr)
        os.remove(name)


def test_mistakes():
    for name, old, new, reason in (
            ('a match that comes later', 'results: games', 'results: match', "'match' is not an earlier match"),
            ('keep', 'keep: yes', 'keep: perhaps', "'perhaps' is wrong; expected yes or no")):
        write('wrong.yaml', NIGHT.replace(old, new))
        refuses(name + ' is a mistake', reason, 'evolve', 'wrong.yaml', '-o', 'wrong.db', absent='wrong.db')
    refuses('too few games are told before the night begins',
            "'games' plays 2 games a pairing; 8 or more in all are needed", 'evolve', 'night.yaml', '-o', 'few.db',
            '--set', 'stages.games.games=2', absent='few.db')
    refuses('and more games than the book has',
            '200 games of two players are more than the 180 that openings.epd gives', 'evolve', 'night.yaml', '-o',
            'many.db', '--set', 'stages.match.games=200', absent='many.db')


tap.main()
