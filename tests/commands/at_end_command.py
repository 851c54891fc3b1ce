"""`--at-end`: a command that runs when a run is over, and what it is told."""
import json
import os
import sys

import small_night
import tap
from tap import check, count_rows, interrupt, refuses, run, run_of, start, wait_for, works, write


def prepare():
    small_night.write_recipes()
    write('tell.py', 'import json, os, sys\n'
            "told = {k: v for k, v in os.environ.items() if k.startswith('GRAYLING_')}\n"
            "json.dump([told, sys.argv[1:], sys.stdin.read()], open('told.json', 'w'))\n")


TELL = "%s tell.py 'two words' \"a \\\"quote\\\"\" back\\ slash $HOME" % sys.executable


def told():
    """What the command was told, once."""
    if not os.path.exists('told.json'):
        return {}, [], None
    with open('told.json') as f:
        found = json.load(f)
    os.remove('told.json')
    return found


def test_complete():
    made = run('evolve', 'evolve.yaml', '-o', 'run.db', '--at-end', TELL)
    variables, words, text = told()
    check('a command runs when the run is complete', made.returncode == 0 and
          variables.get('GRAYLING_STATE') == 'complete' and variables.get('GRAYLING_RUN') == 'run.db', made.stderr)
    check('its words are split as a shell splits them, and no more',
          words == ['two words', 'a "quote"', 'back slash', '$HOME'] and text == '', words)
    best = json.loads(run('status', 'run.db', '--format', 'json').stdout)['best']
    check('it is told the best', variables.get('GRAYLING_BEST') ==
          '%s in training, %s held out' % (best['train']['text'], best['held_out']['text']), variables)
    check('and where the files are', variables.get('GRAYLING_PARAMETERS') == 'run.yaml' and
          variables.get('GRAYLING_REPORT') == 'run.html', variables)


def stop(path, table, *command):
    """Starts a command, and interrupts it when a table of its run has grown by two rows; the process, what
    its --at-end was told, and its standard error."""
    before = count_rows(path, table)
    child = start(*command, '--at-end', TELL)
    wait_for(lambda: count_rows(path, table) > before + 1)
    error = interrupt(child)
    return child, told()[0], error


def test_other_ends():
    long = ['--set', 'ga.generations=1000000', '--set', 'ga.population=20']
    ended = run('resume', 'run.db', '--generations', '1000000', '--hours', '0.0002', '--at-end', TELL)
    check('a run that its time ended says so', ended.returncode == 0 and told()[0].get('GRAYLING_STATE') == 'ended',
          ended.stderr)
    child, variables, error = stop('stopped.db', 'generation', 'evolve', 'evolve.yaml', '-o', 'stopped.db', *long)
    check('a run that was stopped says so, and keeps its exit code', child.returncode == 130 and
          variables.get('GRAYLING_STATE') == 'stopped' and variables.get('GRAYLING_PARAMETERS') == '', error)
    resumed = run('resume', 'stopped.db', '--hours', '0.0002', '--at-end', TELL)
    variables = told()[0]
    check('resume has it too', resumed.returncode == 0 and variables.get('GRAYLING_STATE') == 'ended' and
          variables.get('GRAYLING_PARAMETERS') == 'stopped.yaml', resumed.stderr)
    child, variables, error = stop('stopped.db', 'generation', 'resume', 'stopped.db')
    check('files of an earlier end are not given as those of a run that was stopped', child.returncode == 130 and
          os.path.exists('stopped.yaml') and os.path.exists('stopped.html') and variables.get('GRAYLING_BEST') and
          variables.get('GRAYLING_PARAMETERS') == variables.get('GRAYLING_REPORT') == '', str(variables) + error)


def test_failures():
    works('a command that fails is reported, and the exit code is the run\'s', 'evolve', 'evolve.yaml', '-o',
          'failed.db', '--at-end', "sh -c 'exit 7'", says='--at-end: sh failed with exit code 7')
    works('so is one that is not there', 'evolve', 'evolve.yaml', '-o', 'absent.db', '--at-end',
          'no-such-program now', says='--at-end: cannot start no-such-program: No such file')
    for text, words in (("sh 'open", "the quote ' is not closed"), ('  ', 'there is no command')):
        refuses('--at-end "%s" is refused before the run' % text, words, 'evolve', 'evolve.yaml', '-o', 'refused.db',
                '--at-end', text, absent='refused.db')
    bad = run('evolve', 'none.yaml', '--at-end', TELL)
    check('where no run began, nothing runs at its end', bad.returncode == 2 and not os.path.exists('told.json'), bad.stderr)


def test_night():
    made = run('evolve', 'night.yaml', '-o', 'night.db', '--at-end', TELL)
    variables = told()[0]
    check('a night tells its first pairing and its last stage', made.returncode == 0 and
          variables.get('GRAYLING_STATE') == 'complete' and
          variables.get('GRAYLING_BEST', '').startswith('EVOL* against EVOL0 ') and
          variables.get('GRAYLING_PARAMETERS') == 'night-search.yaml', str(variables) + made.stderr)
    child, variables, error = stop('part.db', 'generation WHERE ' + run_of('coevolve'), 'evolve', 'night.yaml',
                                   '-o', 'part.db', '--set', 'stages.coevolve.set.ga.generations=100000')
    check('a night that was stopped has no files', child.returncode == 130 and
          variables.get('GRAYLING_PARAMETERS') == variables.get('GRAYLING_REPORT') == '', str(variables) + error)
    whole = run('resume', 'part.db#evolve', '--at-end', TELL)
    variables = told()[0]
    check('and then the parameters are those of the last stage that has ended', whole.returncode == 0 and
          variables.get('GRAYLING_PARAMETERS') == 'part-evolve.yaml' and
          variables.get('GRAYLING_REPORT') == 'part.html', str(variables) + whole.stderr)


prepare()
tap.main()
