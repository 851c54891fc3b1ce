"""Every command, when a call fails: memory, a file that does not open, a full disk, a process that does not start;
or when it is killed at such a call. It ends with an exit code of ours and one message, leaves no temporary file, and
what is completed then is what completes undisturbed.

    fail_runs.py [MOST[/STRIDE] [NAME...]]

Where libarchive is without memory it ends the program itself, in its own way; what is completed then
must be the same nevertheless.

Of the calls of a kind at most MOST fail, one in each run, spread over all of them and others in each command (1; 0:
each call; "places": the first call from each stack of functions, so that each way to each call fails once; an
optimiser after the first has only those that no earlier one has). Each command has every STRIDEth kind of call (11),
and the next command begins with the next kind. NAME: only commands whose names begin so. Without an argument: every other
command.
"""
import concurrent.futures
import os
import re
import sys

import small_commands
import tap
from command_place import Place, complete, finish
from tap import check, read

MOST, STRIDE = ((sys.argv[1] if len(sys.argv) > 1 else '1/11') + '/1').split('/')[:2]
PLACES = MOST == 'places'
MOST, STRIDE = 0 if PLACES else int(MOST), int(STRIDE)
NAMES = tuple(sys.argv[2:]) or ('',)
SKIP = 1 if len(sys.argv) > 1 else 2
KINDS = ['malloc', 'open', 'write', 'write+', 'sync', 'rename', 'spawn', 'open!', 'write!', 'sync!', 'rename!']
CODES = {0, 1, 2}
OFFSET = 7919  # a prime: how much later another command, or another kind, has its first failure
KEPT = ('.journal', '-wal', '-shm')  # what a command that failed may leave to be resumed
STACK = r'/.*\[0x[0-9a-f]+\]$'
LIBRARY = os.path.join(tap.build, 'tests', 'libfail_nth.so')


def disturb(place, command, failing):
    """Runs a command while a call fails; its exit code and what it said to the terminal."""
    process = place.start(command.words, LD_PRELOAD=LIBRARY, GRAYLING_FAIL=failing, GRAYLING_FAIL_STACK='1')
    told = finish(process, command)
    return process.returncode, told + place.errors()


def count_calls(place, command):
    """What an undisturbed run comes to; by kind how many calls it has, and by place the first of them."""
    path = place.temporary + '.calls'
    variables = {'GRAYLING_FAIL_PLACES': '1'} if PLACES else {}
    whole = complete(place, command, LD_PRELOAD=LIBRARY, GRAYLING_FAIL_COUNT=path, **variables)
    lines = [line.split() for line in read(path).splitlines()]
    return whole, {words[0]: (int(words[1]), {p: int(n) for n, p in (w.split(':') for w in words[2:])}) for words in lines}


def known_places(commands, number):
    """By kind, the places that the optimisers before this one have."""
    known = {}
    for earlier in range(number if PLACES and commands[number].name.startswith('evolve') else 0):
        place = Place('count-%d-%d' % (number, earlier))
        for kind, (_, places) in count_calls(place, commands[earlier])[1].items():
            known.setdefault(kind, set()).update(places)
        place.remove()
    return known


def in_library(told):
    """Whether the call was one of a library that says nothing of missing memory, or ends the process then."""
    return any(re.match(STACK, line) and re.search('lib(archive|rsvg|fontconfig|cairo|glib|pango|freetype|xml2)', line)
               for line in told.splitlines())


def complaint(kind, code, told):
    """What is wrong with how a command failed, or None. When all later writes fail too, it may say so of each of its
    outputs."""
    said = [line for line in told.splitlines() if line.startswith('grayling:')]
    if kind == 'write+' and len(set(said)) == len(said):
        said = said[:1] + [line for line in said[1:] if 'cannot write' not in line]
    if code not in CODES:
        return 'exit code %d' % code
    return '%d messages' % len(said) if code != 0 and len(said) != 1 else None


def same(kind, one, other, told):
    """What differs, unless that was told: a picture that could not be drawn, which fails nothing, or a fault of an
    engine. Memory that is missing here is no fault of an engine."""
    if kind != 'malloc' and re.search('[1-9] fault', told) or any(name.endswith('.failures') for name in one):
        return []
    if 'no plot' in told:
        one, other = ({name: text for name, text in files.items() if not name.endswith(('.svg', '.png', '.html'))}
                      for files in (one, other))
    return small_commands.differences(one, other)


def fail_at(place, command, kind, number, whole):
    """All that is wrong when this call fails, in words."""
    plain = kind.strip('+!')
    code, told = disturb(place, command, '%s:%d%s' % (plain, number, kind[len(plain):]))
    wrong = []
    if kind[-1] != '!' and not in_library(told):
        wrong = [complaint(kind, code, told)] + ['%s stays' % name for name in place.left() if not str(name).endswith(KEPT)]
        if code == 0:
            wrong += same(kind, small_commands.contents(place.folder), whole[2], told)
    if code != 0:
        after = complete(place, command)
        wrong += [None if after[0] == 0 else 'completed: exit code %d: %s' % (after[0], place.errors())]
        wrong += ['completed: %s' % name for name in small_commands.differences(after[2], whole[2]) + place.left()]
    wrong = [what for what in wrong if what is not None]
    stack = [line for line in told.splitlines() if re.match(STACK, line)]
    rest = [line for line in told.splitlines() if line not in stack]
    return ['%s %d: %s' % (kind, number, '; '.join(map(str, wrong)))] + stack + rest[-3:] if wrong else []


def chosen(count, places, known, offset):
    """The numbers of the calls that fail."""
    if PLACES:
        return sorted(n for p, n in places.items() if p not in known)
    step = 1 if MOST == 0 or count <= MOST else -(-count // MOST)
    return range(1 + offset % step, count + 1, step)


def disturb_often(commands, number):
    """Lets calls of a command fail; what was tried, all that is wrong, and which kinds of call it has."""
    command, known = commands[number], known_places(commands, number)
    place = Place(number)
    whole, calls = count_calls(place, command)
    notes, wrong = [], []
    for index, kind in list(enumerate(KINDS))[number // SKIP % STRIDE::STRIDE]:
        count, places = calls[kind.strip('+!')]
        numbers = chosen(count, places, known.get(kind.strip('+!'), ()), OFFSET * (number + index))
        notes.append('%s %d/%d' % (kind, len(numbers), count))
        for n in numbers:
            place.renew()
            wrong += fail_at(place, command, kind, n, whole)
    place.remove()
    return notes, wrong, {kind for kind, (count, _) in calls.items() if count > 0}


def test_failures():
    tap.draw_png()
    small_commands.make_inputs()
    commands = small_commands.commands()
    numbers = [n for n, command in enumerate(commands) if command.name.startswith(NAMES)][::SKIP]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        ends = [pool.submit(disturb_often, commands, number) for number in numbers]
        counted = set()
        for number, end in zip(numbers, ends):
            notes, wrong, kinds = end.result()
            counted |= kinds
            check('%s: %s' % (commands[number].name, ', '.join(notes)), not wrong, '\n'.join(wrong))
        missing = {kind.strip('+!') for kind in KINDS} - counted
        check('each kind of call is counted somewhere', not missing or NAMES != ('',), missing)


tap.main()
