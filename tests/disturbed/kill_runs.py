"""Commands and optimisers, killed -9 at random moments: what is completed then is what completes undisturbed, no
temporary file stays, and no process.

    kill_runs.py [KILLS [SEED]]

KILLS is the number of all kills (16), two or more for each command; fewer than two for all are for some of them. These and
the moments come from SEED, which is printed.
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

KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 16
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
MOST = 4  # kills before a command is completed


def kill(place, command, longest, moments):
    """Starts a command and kills it after a while; whether it was still at work."""
    words = command.line(place.folder)
    if words is None:
        return False
    process = place.start(words, moments.choice((1, 2)))
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
    place, began = Place(number), time.time()
    whole = complete(place, command)
    longest, wrong = time.time() - began, ['%s: %s' % (whole[0], place.errors())] if whole[0] != 0 else []
    done = attempts = 0
    while done < kills and not wrong and attempts < 20 * kills:
        place.renew()
        for _ in range(moments.randrange(MOST) + 1):
            done += kill(place, command, longest, moments)
            attempts += 1
        after = complete(place, command, moments.choice((1, 2)))
        if after != whole:
            wrong.append('after %d kills: %s %s %s %s' % (done, after[0], place.errors(), after[1],
                                                         small_commands.differences(after[2], whole[2])))
        wrong += ['after %d kills: %s stays' % (done, name) for name in place.left()]
    if not wrong:
        place.remove()
    return done, longest, wrong


def test_kills():
    small_commands.make_inputs()
    print('# kills at moments from seed', SEED, flush=True)
    commands = small_commands.commands()
    numbers = random.Random(SEED).sample(range(len(commands)), min(len(commands), max(1, KILLS // 2)))
    each = -(-KILLS // len(numbers))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        ends = [pool.submit(torture, number, commands[number], each) for number in numbers]
        killed = 0
        for number, end in zip(numbers, ends):
            done, longest, wrong = end.result()
            killed += done
            check('%s: %d kills within %.2f s' % (commands[number].name, done, longest), not wrong, '\n'.join(map(str, wrong)))
        check('most kills met a command at work', 2 * killed >= KILLS, killed)


tap.main()
