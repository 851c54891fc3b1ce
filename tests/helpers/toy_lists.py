"""What every kind of MPI must do with a list of jobs."""
from tap import check, toy


def check_lists(mpirun):
    """`mpirun(RANKS, WORDS…)` runs a program; the toy has jobs whose results can be seen through."""
    for what in ('sum', 'enough', 'stop', 'fail'):
        outputs = [mpirun(n, toy, what) for n in (1, 3)]
        check('the list of jobs with 1 and 3 ranks: ' + what,
              outputs[0].stdout == outputs[1].stdout != '' and 'disorder' not in outputs[0].stdout, outputs)
    check('the lowest job that failed gives the reason', 'job 700 fails' in outputs[1].stderr, outputs[1])
