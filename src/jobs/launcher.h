/* What the environment says about a launcher, mpirun or srun, that started this process with others.
 * MPI itself cannot be asked: its beginning takes half a second, and without a launcher it starts
 * processes of its own. */
#ifndef GRAYLING_LAUNCHER_H
#define GRAYLING_LAUNCHER_H

/* The number of processes that were started together; 1 if there is no launcher. */
int launcher_ranks(void);

/* The number of this process among them, from 0. */
int launcher_rank(void);

/* Tells Open MPI, where all these processes are on this machine and the user has not chosen anything, to
 * carry messages through memory. It would load the libraries of all fast networks to look for one
 * otherwise, of which some measure the clock for a tenth of a second. */
void launcher_stay_here(void);

/* Removes the launcher's variables, so that the programs which this process starts do not believe
 * that they are ranks. */
void launcher_forget(void);

#endif
