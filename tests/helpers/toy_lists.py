"""What every kind of MPI must do with a list of jobs."""
from tap import check


def check_lists(mpirun, toy):
    """`mpirun(RANKS, WORDS…)` runs a program; the toy has jobs whose results can be seen through."""
    for what in ('sum', 'enough', 'stop', 'fail'):
        outputs = [mpirun(n, toy, what) for n in (1, 2, 4)]
        check('the list of jobs with 1, 2 and 4 ranks: ' + what,
              outputs[0].stdout == outputs[1].stdout == outputs[2].stdout != '' and
              'disorder' not in outputs[0].stdout, [o.stdout + o.stderr for o in outputs])
    check('the lowest job that failed gives the reason', 'job 700 fails' in outputs[2].stderr, outputs[2].stderr)
