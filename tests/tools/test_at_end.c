/* The command of --at-end, and its time. */
#include "at_end.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* What the command has started is ended with it. */
Test(at_end, ends_a_command_whose_time_is_over, .timeout = 30)
{
    struct error err;
    char *const none[] = {NULL};
    cr_expect_not(run_command("sh -c 'sleep 100 & sleep 100'", none, 0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
    cr_expect_not(
        run_command("sh -c \"trap '' TERM; while :; do sleep 0.1; done\"", none, 0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
}

Test(at_end, puts_its_variables_before_those_of_the_same_name)
{
    struct error err;
    char mine[] = "GRAYLING_RUN=mine";
    char *const variables[] = {mine, NULL};
    setenv("GRAYLING_RUN", "other", 1);
    cr_expect(run_command("sh -c 'test \"$GRAYLING_RUN\" = mine && test -n \"$PATH\"'", variables,
                          10, &err),
              "%s", err.text);
}
