"""The matches of a night: their files, too little time, and stored games that somebody changed."""
import os
import shutil

import tap
from tap import change, check, count_rows, head, query, read, run, run_of, source, start, wait_for, works, write

head('train-1.epd', 40)
head('openings.epd', 90)
shutil.copy(os.path.join(source, 'params/paper-eval.yaml'), 'eval.yaml')
write('evolve.yaml', 'name: e\ndata: {train: [train-1.epd]}\nga: {population: 6, generations: 3}\n')
write('results.yaml', 'name: r\nfitness: {measure: results, batch: 500}\nga: {population: 6, generations: 3}\n')
write('night.yaml', '''name: games
phase: night
hours: 0.1
stages:
  match:
    games: 8
    limit: 60
    keep: yes
    openings: openings.epd
    players: {a: {evaluation: eval.yaml}, b: {evaluation: random}}
''')


def test_files():
    """The players and the openings are those of the beginning."""
    check('a match is played', run('evolve', 'night.yaml', '-o', 'n.db').returncode == 0)
    data = query('n.db', 'SELECT role, path FROM data WHERE %s ORDER BY idx' % run_of('match'))
    check('its files are noted', data == [('openings', 'openings.epd'), ('evaluation', 'eval.yaml')], data)
    for name in ('eval.yaml', 'openings.epd'):
        shutil.copy(name, 'kept')
        with open(name, 'a') as f:
            f.write('# another\n')
        other = run('resume', 'n.db', '--games', '12')
        check('a change of %s is told' % name, other.returncode != 0 and name in other.stderr and
              'has changed since the match began' in other.stderr and count_rows('n.db', 'match_game') == 8, other.stderr)
        shutil.move('kept', name)
    on = run('resume', 'n.db', '--games', '12')
    check('with the old files it goes on', on.returncode == 0 and count_rows('n.db', 'match_game') == 12, on.stderr)
    change('n.db', 'DELETE FROM data WHERE ' + run_of('match'))
    old = run('resume', 'n.db', '--games', '16')
    check('and without checksums, as in older files', old.returncode == 0 and count_rows('n.db', 'match_game') == 16, old.stderr)


def test_pgn():
    """The games are written before the match ends."""
    os.remove('n-match.pgn')
    gone = run('resume', 'n.db')
    check('games that were moved away are not told', gone.returncode == 0 and 'n-match.pgn' not in gone.stdout, gone.stdout)
    os.mkdir('unwritable')
    write('unwritable.yaml', read('night.yaml').replace('games: 8', 'games: 180').replace('limit: 60', 'limit: 3000').replace(': eval', ': ../eval')
          .replace(': openings', ': ../openings'))
    shutil.move('unwritable.yaml', 'unwritable/night.yaml')
    child = start('evolve', 'unwritable/night.yaml', '-o', 'late.db', '--hours', '0.0015')
    wait_for(lambda: count_rows('late.db', 'match_game') > 0)
    os.mkdir('late-match.pgn')
    reason = child.communicate()[1]
    ended = query('late.db', "SELECT value FROM property WHERE key = 'match.ended'")
    check('a match whose games cannot be written has not ended', child.returncode != 0 and ended == [], (reason, ended))
    os.rmdir('late-match.pgn')
    on = run('resume', 'late.db', '--hours', '0.0001')
    check('it writes them when it goes on', on.returncode == 0 and 'late-match.pgn' in on.stdout and
          read('late-match.pgn').count('[Event ') == count_rows('late.db', 'match_game'), on.stderr)


def test_time():
    """However little time there is, later stages have games to learn from."""
    write('short.yaml', '''name: short
phase: night
hours: 0.001
stages:
  evolve: {recipe: evolve.yaml}
  games:
    games: 180
    limit: 60
    openings: openings.epd
    players: {a: {evaluation: evolve}, b: {evaluation: random}, c: {evaluation: eval.yaml}}
  learn: {recipe: results.yaml, results: games, seeds: evolve, share: 100000}
''')
    short = run('evolve', 'short.yaml', '-o', 'short.db')
    games = query('short.db', 'SELECT pairing, count(*) FROM match_game GROUP BY pairing')
    check('a match without time plays its first games', short.returncode == 0 and
          'continues to the first games of each pairing' in short.stdout and
          len(games) == 3 and all(n >= 4 for _, n in games), (games, short.stderr))


def test_random_first():
    """A random player needs no stage that evolves; one that comes after the match is not waited for."""
    match = '''    games: 2
    limit: 60
    openings: openings.epd
    players: {a: {evaluation: eval.yaml}, b: {evaluation: random, search: random}}
'''
    top = 'name: early\nphase: night\nhours: 0.1\nstages:\n'
    write('early.yaml', top + '  match:\n' + match + '  evolve: {recipe: evolve.yaml}\n')
    write('alone.yaml', top + '  match:\n' + match)
    early, alone = run('evolve', 'early.yaml', '-o', 'early.db'), run('evolve', 'alone.yaml', '-o', 'alone.db')
    of = 'SELECT white, black, result, plies, nodes FROM match_game ORDER BY number'
    check('a random player before any evolution', early.returncode == 0 and alone.returncode == 0, early.stderr + alone.stderr)
    check('is of the paper\'s table', query('early.db', of) == query('alone.db', of), query('early.db', of))


def test_killed():
    """A match notes its time while it plays, so that a night that was killed does not get it again."""
    shutil.copy('n.db', 'killed.db')
    change('killed.db', "DELETE FROM property WHERE key LIKE 'match.%'")
    change('killed.db', "INSERT INTO property SELECT id, 'played.seconds', '200.000' FROM run WHERE stage = 'match'")
    works('the time of a killed match counts', 'status', 'killed.db', says='3 min 20 s')


def test_other_program():
    """A match whose first game comes out otherwise was begun by another program, which must go on with it."""
    shutil.copy('n.db', 'other.db')
    change('other.db', 'UPDATE match_game SET nodes = nodes + 1 WHERE pairing = 0 AND number = 0')
    before = query('other.db', 'SELECT * FROM match_game ORDER BY pairing, number')
    other = run('resume', 'other.db', '--games', '40')
    check('a match is not continued by a program that plays differently', other.returncode != 0 and
          'match: its first game had' in other.stderr and 'resume with that version' in other.stderr and
          query('other.db', 'SELECT * FROM match_game ORDER BY pairing, number') == before, other.stderr)


def test_changed():
    """A run file that somebody changed: each is refused with a reason."""
    for sql in ('UPDATE match_game SET result = 1000', 'UPDATE match_game SET result = -5',
                'UPDATE match_game SET white = 7'):
        shutil.copy('n.db', 'bad.db')
        change('bad.db', sql)
        for command in (['status', 'bad.db'], ['report', 'bad.db', '-o', 'bad.html', '--force'],
                        ['resume', 'bad.db', '--games', '40']):
            bad = run(*command)
            check('%s after %s' % (command[0], sql), bad.returncode > 0 and
                  'damaged or was changed' in bad.stderr, (bad.returncode, bad.stderr))


tap.main()
