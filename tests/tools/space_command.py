"""`grayling space`: a tuner's input as a space, and calibration without games. Speaks TAP.

    space_command.py GRAYLING_UCI GRAYLING
"""
import json
import os
import re
import sys

import tap
from tap import check, read, write

grayling_uci, grayling = (os.path.abspath(a) for a in sys.argv[1:3])
tap.enter_scratch()


def run(*arguments):
    return tap.run(grayling, *map(str, arguments))


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


write('ours.yaml', 'kind: uci\ncommand: "%s"\nparameters:\n  MULTI_CUT_USE: {fixed: 0}\n' % grayling_uci + GENES)
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
        ('options without --calibrate', (grayling_uci, '--nodes', '5'), '--nodes needs --calibrate'),
        ('a share of nothing', ('ours.yaml', '--calibrate', '--share', '0'), "--share '0' is wrong"),
        ('two ways at once', ('ours.yaml', '--calibrate', '--from', 'tune'), 'two commands'),
        ('values of another kind', ('ours.yaml', '--calibrate', '--values', 'one.yaml'), 'a range, not a value')):
    r = run('space', *arguments)
    check('refused: ' + what, r.returncode == 2 and words in r.stderr, r.stderr)
tap.plan()
