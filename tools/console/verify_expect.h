/* Compares a run with evidence, for `grayling verify --expect`. */
#ifndef GRAYLING_VERIFY_EXPECT_H
#define GRAYLING_VERIFY_EXPECT_H

/* Which run is compared with which evidence. */
struct expectation {
    const char *evidence; /* the evidence file */
    const char *run;      /* an existing run; NULL: repeat the run of the evidence file */
    const char *output;   /* where to keep the repeated run; NULL: remove it */
    int threads;
};

/* Compares, prints the result and returns the exit code. */
int verify_expect(const struct expectation *x);

#endif
