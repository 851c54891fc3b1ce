"""Every command and every optimiser, killed -9 at random moments: what is completed then is what completes
undisturbed, no temporary file stays, and no process. Speaks TAP.

    kill_runs.py GRAYLING_UCI GRAYLING SOURCE [KILLS [SEED]]

KILLS is the number of all kills (100). The moments come from SEED, which is printed.
"""
import concurrent.futures
import os
import random
import subprocess
import sys
import time

import small_commands
import tap
from command_place import Place, complete
from tap import check

grayling_uci, grayling, source = map(os.path.abspath, sys.argv[1:4])
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 100
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(1 << 30)
MOST = 4  # kills before a command is completed
work = tap.enter_scratch()


def kill(place, command, longest, moments):
    """Starts a command and kills it after a while; whether it was still at work."""
    words = command.line(place.folder)
    if words is None:
        return False
    process = place.start([grayling] + words, moments.choice((1, 2)))
    try:
        process.wait(moments.uniform(0, longest))
    except subprocess.TimeoutExpired:
        pass
    at_work = process.poll() is None
    process.kill()
    process.communicate()
    return at_work


def torture(number, command, kills):
    """Kills a command so often, and completes it after each few kills; all that went wrong, in words."""
    moments = random.Random('%d %d' % (SEED, number))
    place, began = Place(work, number), time.time()
    whole = complete(place, grayling, command, 1)
    longest, wrong = time.time() - began, ['%s: %s' % (whole[0], place.errors())] if whole[0] != 0 else []
    done = attempts = 0
    while done < kills and not wrong and attempts < 20 * kills:
        place.remove()
        place = Place(work, number)
        for _ in range(moments.randrange(MOST) + 1):
            done += kill(place, command, longest, moments)
            attempts += 1
        after = complete(place, grayling, command, moments.choice((1, 2)))
        if after != whole:
            wrong.append('after %d kills: %s %s %s %s' % (done, after[0], place.errors(), after[1],
                                                         small_commands.differences(after[2], whole[2])))
        wrong += ['after %d kills: %s stays' % (done, name) for name in place.left()]
    if not wrong:
        place.remove()
    return done, longest, wrong


def test_kills():
    commands = small_commands.commands(grayling_uci)
    each = -(-KILLS // len(commands))
    print('# kills at moments from seed', SEED, flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        ends = [pool.submit(torture, number, command, each) for number, command in enumerate(commands)]
        killed = 0
        for command, end in zip(commands, ends):
            done, longest, wrong = end.result()
            killed += done
            check('%s: %d kills within %.2f s' % (command.name, done, longest), not wrong, '\n'.join(map(str, wrong)))
        check('most kills met a command at work', 2 * killed >= KILLS, killed)


os.mkdir('inputs')
os.chdir('inputs')
small_commands.inputs(grayling, source)
os.chdir(work)
test_kills()
tap.plan()
