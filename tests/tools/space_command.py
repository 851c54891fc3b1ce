"""`grayling space`: a tuner's input as a space, and calibration without games; `grayling init`."""
import json
import os
import re

import tap
from tap import check, read, run, uci, villain, write


# ---- a tuner's input

write('engine', '#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) cat <<END\nid name Toy\n'
      'option name Margin type spin default 70 min 0 max 100\n'
      'option name Contempt type spin default 0 min -50 max 50\n'
      'option name Prune type check default true\n'
      'option name Mood type combo default calm var calm var wild\n'
      'option name Base type string default 0.75\n'
      'option name Count type string default 12\n'
      'option name Hash type spin default 16 min 1 max 64\n'
      'uciok\nEND\n;;\nisready) echo readyok;;\nquit) exit;;\nesac; done\n')
os.chmod('engine', 0o755)
HEAD = 'kind: uci\ncommand: "./engine"\nparameters:\n'
MARGIN = '  "Margin": {type: spin, min: 20, max: 90, default: 70, bits: 7, step: 1, c: 3.5}\n'
BASE = '  "Base": {type: string, decimals: 2, min: 0.20, max: 1.50, default: 0.75, bits: 8, step: 1, c: 0.05}\n'


def taken(what, text, entries, notes=''):
    """The space of the toy engine from such a file has these entries."""
    write('tune', text)
    r = run('space', './engine', '--from', 'tune', '-o', 'space.yaml', '--force')
    found = read('space.yaml') if r.returncode == 0 else ''
    check(what, found == '# Toy: its options in tune, read by grayling %s.\n' % version + HEAD + entries and
          r.stderr.startswith(notes + 'space       space.yaml\ntook        '), found + r.stderr)


def refused(what, text, reason):
    write('tune', text)
    r = run('space', './engine', '--from', 'tune', '-o', 'bad.yaml')
    check(what, r.returncode == 2 and r.stderr == 'grayling: %s\n' % reason and not os.path.exists('bad.yaml'), r.stderr)


version = run('--version').stdout.split()[1]
r = run('space', './engine', '-o', 'all.yaml')
check('it says what it took, and what comes next', r.stderr ==
      "space       all.yaml\ntook        3 options to tune and 3 fixed, of the engine's 7\n"
      "next        thin it by hand; then 'grayling space all.yaml --calibrate', and a recipe\n"
      "            with 'space: all.yaml' for 'grayling evolve'\n", r.stderr)
taken('the lines of OpenBench', '# a tune\nBase, float, 0.75, 0.2, 1.5, 0.05, 0.002\n'
      'margin, int, 70, 20, 90, 3.5, 0.002\n', BASE + MARGIN)
taken('the lines of fishtest', 'Margin,70,20,90,3.5,0.002\n', MARGIN)
taken('weather-factory\'s JSON', json.dumps(
    {'Margin': {'value': 70, 'min_value': 20, 'max_value': 90, 'step': 3.5},
     'Prune': {'value': 0, 'min_value': 0, 'max_value': 1, 'step': 1}}),
    MARGIN + '  "Prune": {type: check, default: false, bits: 1}\n',
    'option Prune: its default is true; taken: false\n')
taken('a text of whole numbers, and what the engine is used with', 'Count, int, 14, 1, 40, 4, 0.002\n'
      'Contempt, int, 0, -20, 20, 5, 0.002\n',
      '  "Count": {type: spin, min: 1, max: 40, default: 14, bits: 6, step: 1, c: 4}\n'
      '  "Contempt": {type: spin, min: -20, max: 20, default: 0, bits: 6, step: 1, c: 5}\n',
      'option Count: its default is 12; taken: 14\n')
taken('decimals that c needs', 'Base, float, 0.5, 0, 1, 0.004, 0.002\n',
      '  "Base": {type: string, decimals: 3, min: 0.000, max: 1.000, default: 0.500, bits: 10, step: 1, c: 0.004}\n',
      'option Base: its default is 0.75; taken: 0.500\n')
write('space.yaml', HEAD + MARGIN + BASE)
for form in 'openbench', 'weather-factory':
    write('tune', run('export', 'space.yaml', '--format', form).stdout)
    r = run('space', './engine', '--from', 'tune')
    check('what export writes for %s' % form, r.returncode == 0 and r.stdout.split('parameters:\n')[1] ==
          re.sub('c: 0.05', 'c: 0.065' if form == 'openbench' else 'c: 0.07', re.sub(
              'c: 3.5', 'c: 3.5' if form == 'openbench' else 'c: 4', MARGIN + BASE)), r.stdout + r.stderr)

refused('an option that the engine does not have', 'Margin,70,20,90,3.5,0.002\nMargins,70,20,90,3.5,0.002\n',
        'tune:2:1: Margins: the engine has no such option; did you mean Margin?')
refused('a repeated option', 'Margin,70,20,90,3.5,0.002\nmargin,70,20,90,3.5,0.002\n', 'tune:2:1: margin: repeated')
refused('a combo', 'Mood,1,0,1,0.5,0.002\n', "tune:1:1: Mood: the engine's option is a combo, and no number")
refused('a range that the engine does not take', 'Margin,70,20,101,3.5,0.002\n',
        "tune:1:14: Margin.max_value: '101' is wrong; expected a whole number from 20 to 100")
refused('a value out of the range', 'Margin, int, 91, 20, 90, 3.5, 0.002\n',
        "tune:1:1: Margin.value: '91' is wrong; expected a whole number from 20 to 90")
refused('a fraction of a whole number', 'Margin, int, 70.5, 20, 90, 3.5, 0.002\n',
        "tune:1:1: Margin.value: '70.5' is wrong; expected a whole number from 20 to 90")
refused('a perturbation of more than half the range', 'Margin, int, 70, 20, 90, 36, 0.002\n',
        "tune:1:26: Margin.step: '36' is wrong; expected a number above 0 and at most 35, half the range")
refused('a number that is missing', '{"Margin": {"value": 70, "min_value": 20, "step": 1}}',
        'tune:1:2: Margin: expected {"value": V, "min_value": A, "max_value": Z, "step": C}, numbers, as '
        'weather-factory has them')
refused('a parameter file', 'kind: uci\nparameters: {Margin: 3}\n',
        'tune: expected the input of a tuner: the lines of OpenBench or fishtest, or weather-factory\'s config.json')

# ---- calibration

GENES = '''  FUTILITY_THRESHOLD_1: {min: 0, max: 1023, default: 150}
  MULTI_CUT_MOVES: {min: 0, max: 31, default: 14}
  CHECK_EXTENSION: {min: 0, max: 4, default: 4, group: extensions}
'''
FEW = '--count', '60', '--nodes', '600', '--hash', '1'


def calibrate(space, *arguments):
    return run('space', space, '--calibrate', *FEW, *arguments)


write('ours.yaml', 'kind: uci\ncommand: "%s --tune"\nparameters:\n  MULTI_CUT_USE: {fixed: 0}\n' % uci + GENES)
one = calibrate('ours.yaml', '--threads', 1, '-o', 'one.yaml')
two = calibrate('ours.yaml', '--threads', 2, '-o', 'two.yaml')
check('a space of another engine is calibrated', one.returncode == 0, one.stdout + one.stderr)
check('alike with any number of threads', one.stdout == two.stdout and read('one.yaml') == read('two.yaml'),
      one.stdout + two.stdout)
check('an engine that repeats itself is seen to',
      one.stdout.startswith('moves that change in 60 positions at 600 nodes: 0.0 % with the same values again, '),
      one.stdout)
check('a parameter that does nothing is named',
      'MULTI_CUT_MOVES: no move of 60 changes between 0 and 31; fix it or leave it out\n' in one.stdout, one.stdout)
order = re.findall(r'(?m)^([A-Z_0-9]+)  .*%', one.stdout)
check('the others come before it', len(order) == 3 and order[2] == 'MULTI_CUT_MOVES', one.stdout)
found = dict(re.findall(r'"(\w+)": {.*?(?:, c: ([\d.]+))?(?:, group.*)?}', read('one.yaml')))
check('and have a perturbation, at most a quarter of the range',
      found['MULTI_CUT_MOVES'] == '' and 0 < float(found['FUTILITY_THRESHOLD_1']) <= 1023 / 4 and
      0.5 <= float(found['CHECK_EXTENSION']) <= 1, found)
check('a group is kept', 'group: "extensions"' in read('one.yaml'), read('one.yaml'))
more = calibrate('ours.yaml', '--share', '15%', '-o', 'more.yaml')
margins = [float(re.search('FUTILITY_THRESHOLD_1.*c: ([0-9.]+)', read(name)).group(1)) for name in ('one.yaml', 'more.yaml')]
check('a larger share needs a larger distance', margins[0] < margins[1], margins)
check('what is written is a space', calibrate('one.yaml').stdout == one.stdout)

r = calibrate('search', '-o', 'search-calibrated.yaml', '--force')
check('a table of ours is a space too', r.returncode == 0 and 'kind: search\nparameters:\n' in
      read('search-calibrated.yaml') and re.search(r'NULL_MOVE_REDUCTION: {bits: \d+, min: \d, max: \d.*c: ',
                                                   read('search-calibrated.yaml')), r.stdout + r.stderr)
r = calibrate('search-calibrated.yaml')
check('and so is what is written', r.returncode == 0, r.stderr)

for what, arguments, words in (
        ('options without --calibrate', (uci, '--nodes', '5'), '--nodes needs --calibrate'),
        ('a share of nothing', ('ours.yaml', '--calibrate', '--share', '0'), "--share takes a percentage above 0, at most 50, not '0'"),
        ('two ways at once', ('ours.yaml', '--calibrate', '--from', 'tune'), 'two commands'),
        ('values of another kind', ('ours.yaml', '--calibrate', '--values', 'one.yaml'), 'a range, not a value')):
    r = run('space', *arguments)
    check('refused: ' + what, r.returncode == 2 and words in r.stderr, r.stderr)

# ---- from an engine's name to a folder

OPTIONS = ('Use Log type check default false', 'Book File type string default book.bin',
           'Knight type spin default 300 min 0 max 1000', 'Semi-open File type spin default 10 min -100 max 100',
           'Lazy Margin type spin default 80 min 0 max 900', 'Prune type check default true',
           'Hash type spin default 8 min 8 max 64')


def write_engine(name, command):
    """Our engine with a few options: one of them is its KNIGHT_VALUE, and the others do nothing. It thinks little."""
    write(name, "#!/bin/sh\nsed -u 's/name Knight /name KNIGHT_VALUE /; s/^go depth.*/go depth 1/' | %s | sed -u '/^option /d; /^uciok/i %s'\n" % (
        command, '\\n'.join('option name ' + o for o in OPTIONS)))
    os.chmod(name, 0o755)


def init(*arguments):
    return run('init', *arguments, '--hours', '0.002')


write_engine('obeys', uci + ' --tune')
write('player.yaml', 'kind: uci\ncommand: ./obeys\nparameters: {Knight: 250, Book File: mine.bin}\n')
r = run('init', 'player.yaml', '--hours', '0.01', '-o', 'evening/')
made = read('evening/games.yaml') if r.returncode == 0 else ''
space = read('evening/space.yaml') if r.returncode == 0 else ''
check('a folder from the name of an engine', sorted(os.listdir('evening')) == ['README.md', 'games.yaml', 'space.yaml'],
      r.stdout + r.stderr)
check('the recipe says games, and begins at the defaults', 'phase: games\n' in made and 'start: defaults' in made, made)
check('nodes, if the engine obeys them, and the smallest table that it has',
      re.search(r'  limit: \d+\n', made) is not None and '  hash: 8\n' in made, made)
check('what says how the engine is used is left out, and said', re.search(
    r'(?m)^# Left out, as they say how the engine is used.*: Use Log$', space) is not None and '"Use Log"' not in space, space)
check('but what the file sets, which is where it begins', '"Book File": {type: string, fixed: "mine.bin"}' in space, space)
check('so are switches', re.search(r'(?m)^# Left out, as games follow numbers.*: Prune$', space) is not None, space)
check('a range around the default, and a perturbation', re.search(
    r'"Knight": {type: spin, min: 0, max: 500, default: 250, bits: 9, step: 1, c: [\d.]+}', space) is not None, space)
compared = 'says what is left out' in r.stdout
check('a number is no file; if moves were compared, it is left out for changing none',
      re.search(r'no move changes with them: (.*, )?Semi-open File' if compared else
                '"Semi-open File": {type: spin, min: -15, max: 35', space) is not None, r.stdout + space)
check('it tells games an hour, games in all, what they find, what to narrow, and what is next', re.search(
    r'games +[\d,]+ an hour with .*\nin all +[\d,]+ games in 0.01 hours.*\nfinds .* Elo or more .*\nnarrow .*\n'
    r'next +grayling evolve evening/games.yaml', r.stdout) is not None, r.stdout + r.stderr)
check('a README with the commands', all(words in read('evening/README.md') for words in (
    'grayling evolve evening/games.yaml -o evening/tuned.db --hours 0.01 --trust\n', 'grayling status evening/tuned.db\n',
    'grayling confirm evening/tuned.db --play\n')), read('evening/README.md'))
r = run('evolve', 'evening/games.yaml', '-o', 'evening/tuned.db', '--trust', '--set', 'ga.generations=1', '--set',
        'fitness.limit=200', '--set', 'fitness.games=2', '--set', 'fitness.start_games=2')
check('and it runs as it is', r.returncode == 0, r.stdout + r.stderr)
r = init('./obeys', '-o', 'evening')
check('a folder is not overwritten', r.returncode == 2 and 'evening/space.yaml' in r.stderr and '--force' in r.stderr and
      read('evening/games.yaml') == made, r.stderr)

write_engine('disobeys', villain + ' --ignore-nodes')
r = init('./disobeys')
made = read('disobeys-tuning/games.yaml') if r.returncode == 0 else ''
check('plies, if it does not; a folder beside a file of its name', re.search(r'  depth: \d\n', made) is not None and
      'limit:' not in made and "goes on beyond 'go nodes" in r.stdout, made + r.stdout + r.stderr)
check('plies do not compare what belongs to the search', re.search(
    r'(?m)^# Left out, as at a limit of plies.*: Lazy Margin$', read('disobeys-tuning/space.yaml')) is not None)

r = init('./obeys', '--by', 'nodes', '-o', 'suite')
made = read('suite/nodes.yaml') if r.returncode == 0 else ''
check('by nodes, switches evolve too', 'phase: search\n' in made and '"Prune": {type: check, default: true, bits: 1}' in
      read('suite/space.yaml'), made + r.stderr)
os.mkdir('empty')
write('empty/plain', "#!/bin/sh\n%s | sed -u '/^option /d'\n" % uci)
os.chmod('empty/plain', 0o755)
for what, arguments, words in (
        ('an engine without options', ('empty/plain',), 'Grayling.*: nothing is left to evolve of its 0 UCI options'),
        ('another method', ('./obeys', '--by', 'luck'), "--by takes games, nodes or moves, not 'luck'"),
        ('moves without the trace protocol', ('false', '--by', 'moves'), '--by moves needs an evaluation that speaks')):
    r = init(*arguments, '-o', 'refused')
    check('refused: ' + what, r.returncode == 2 and re.search(words, r.stderr) is not None and
          not os.path.exists('refused'), r.stderr)


shown = tap.asked(b'\n\nevening\n', 'hours', 'init', './obeys')[1]
check('on a terminal it asks three questions, with what is usual', re.search(
    r'hours.*\[8\].*games.*\[games\].*folder.*\[obeys-tuning\].*evening/space.yaml.*--force', shown, re.S) is not None, shown)
tap.plan()
