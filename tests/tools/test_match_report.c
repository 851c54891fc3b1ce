/* What a match says of its games beside the estimate. */
#include "match_report.h"

#include "text_stream.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* The commands are no library: this one is of match_report_files, which is not called. */
void command_tell(const char *what, const char *path);
void command_tell(const char *what, const char *path)
{
    (void)what, (void)path;
}

static void expect_conduct(struct match_counts counts, const char *expected)
{
    char *text;
    size_t size;
    const struct match_settings settings = {.seed = 1};
    const struct match match = {.settings = &settings, .counts = counts};
    FILE *out = text_stream(&text, &size);
    cr_assert_not_null(out);
    match_report_conduct(out, &match);
    fclose(out);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(match_report, a_game_without_a_partner_is_not_in_the_estimate)
{
    expect_conduct((struct match_counts){.wins = 15, .losses = 14, .draws = 4, .pairs = {0, 0, 16}},
                   "Elo of 16 complete pairs: the last game has no partner yet\n");
    expect_conduct((struct match_counts){.wins = 1},
                   "Elo of 0 complete pairs: the last game has no partner yet\n");
    expect_conduct((struct match_counts){.wins = 14, .losses = 14, .draws = 4, .pairs = {0, 0, 16}},
                   "");
}
