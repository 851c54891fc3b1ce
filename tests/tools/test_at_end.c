/* The time of the command of --at-end. */
#include "live_page.h"

#include <criterion/criterion.h>

/* What the command has started is ended with it. */
Test(at_end, ends_a_command_whose_time_is_over, .timeout = 30)
{
    struct error err;
    cr_expect_not(at_end_run("sh -c 'sleep 100 & sleep 100'", "no.db", false, 0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
    cr_expect_not(at_end_run("sh -c \"trap '' TERM; while :; do sleep 0.1; done\"", "no.db", false,
                             0.2, &err));
    cr_expect_str_eq(err.text, "--at-end: sh took longer than 0.2 seconds, and was ended");
}
