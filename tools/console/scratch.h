/* A temporary folder for one run, removed with it and with what is written beside it. A process that is killed
 * leaves its folder behind; the next that makes one removes it. */
#ifndef GRAYLING_SCRATCH_H
#define GRAYLING_SCRATCH_H

#include "paths.h"

struct scratch {
    char folder[PATH_SIZE];
    char run[PATH_SIZE + 16]; /* where the run is to be stored */
    int lock;                 /* on the folder, as long as this process lives */
};

/* Makes the folder in TMPDIR, or in /tmp. */
bool scratch_make(struct scratch *s, struct error *err);
void scratch_remove(const struct scratch *s);

#endif
