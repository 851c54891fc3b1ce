/* Comparing a run with evidence, for `grayling verify --expect`. */
#ifndef GRAYLING_VERIFY_EXPECT_H
#define GRAYLING_VERIFY_EXPECT_H

/* Which run is compared. */
struct expectation {
    const char *evidence; /* the file */
    const char *run;      /* a run that is there; NULL: that of the file is repeated, */
    const char *output;   /* into this new run; NULL: into one that is removed */
    int threads;
};

/* Compares, prints what comes out and returns the exit code. */
int verify_expect(const struct expectation *x);

#endif
