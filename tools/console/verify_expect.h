/* Comparing a run with evidence, for `grayling verify --expect`. */
#ifndef GRAYLING_VERIFY_EXPECT_H
#define GRAYLING_VERIFY_EXPECT_H

/* Compares the run at `run` with the evidence file, or where `run` is NULL repeats that of the file
 * in a temporary folder, with so many threads. Prints what comes out and returns the exit code. */
int verify_expect(const char *evidence, const char *run, int threads);

#endif
