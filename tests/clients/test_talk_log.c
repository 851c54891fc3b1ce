/* The log of a conversation keeps its latest lines. */
#include "talk_log.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct talk_log talk;

Test(talk_log, marks_each_line)
{
    talk_log_add(&talk, '<', "id name X");
    talk_log_add_lines(&talk, '>', "position startpos\nisready\n");
    talk_log_add_lines(&talk, '!', "no newline");
    cr_expect_str_eq(talk.text, "< id name X\n> position startpos\n> isready\n! no newline\n");
}

Test(talk_log, drops_the_oldest_lines)
{
    char line[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(line, sizeof line, "line %d", i);
        talk_log_add(&talk, '<', line);
        cr_assert_eq(strlen(talk.text), talk.length);
        cr_assert_leq(talk.length, TALK_LOG_SIZE);
    }
    cr_expect_eq(strncmp(talk.text, "< line ", 7), 0, "begins in the middle of a line");
    cr_expect_not_null(strstr(talk.text, "< line 99999\n"));
    cr_expect_not_null(strstr(talk.text, "< line 99500\n"));
}

Test(talk_log, cuts_long_lines)
{
    static char line[3 * TALK_LOG_LINE];
    memset(line, 'x', sizeof line - 1);
    for (int i = 0; i < 10; i++)
        talk_log_add(&talk, '<', line);
    cr_expect_leq(talk.length, TALK_LOG_SIZE);
    cr_expect_eq(strcspn(talk.text, "\n"), TALK_LOG_LINE + 2);
}
