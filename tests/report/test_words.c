/* Words for people: numbers, Elo, and the command that continues a run. */
#include "format.h"
#include "outcome_words.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static void expect(const char *found, const char *expected)
{
    cr_assert_str_eq(found, expected, "'%s' in place of '%s'", found, expected);
}

Test(words, counts_have_commas)
{
    char text[FORMAT_MAX];
    expect(format_count(0, text), "0");
    expect(format_count(999, text), "999");
    expect(format_count(1000, text), "1,000");
    expect(format_count(1234567, text), "1,234,567");
    expect(format_count(-123, text), "-123");
    expect(format_count(-1234, text), "-1,234");
    expect(format_count(INT64_MIN, text), "-9,223,372,036,854,775,808");
}

Test(words, nouns_agree_with_their_counts)
{
    char text[COUNTED_MAX];
    expect(format_things(0, "game", text), "0 games");
    expect(format_things(1, "game", text), "1 game");
    expect(format_things(12345, "game", text), "12,345 games");
    expect(format_things(INT64_MIN, "position", text), "-9,223,372,036,854,775,808 positions");
}

Test(words, a_run_of_one_generation_has_no_last)
{
    char text[FORMAT_MAX];
    expect(format_generation(3, 200, text), "3 of 200");
    expect(format_generation(0, 1, text), "0 of 1");
    expect(format_generation(0, 0, text), "0");
}

Test(words, a_chance_below_a_threshold_looks_so)
{
    char text[FORMAT_MAX];
    expect(format_chance(0, text), "< 2 %");
    expect(format_chance(0.01999, text), "< 2 %");
    expect(format_chance(0.02, text), "2.0 %");
    expect(format_chance(0.0497, text), "4.9 %");
    expect(format_chance(0.04999, text), "4.9 %");
    expect(format_chance(0.05, text), "5.0 %");
    expect(format_chance(0.09999, text), "9.9 %");
    expect(format_chance(0.1, text), "10 %");
    expect(format_chance(0.376, text), "38 %");
    expect(format_chance(1, text), "100 %");
}

Test(words, durations_take_two_units_at_most)
{
    char text[FORMAT_MAX];
    expect(format_duration(0.0304, text), "30 ms");
    expect(format_duration(1.44, text), "1.4 s");
    expect(format_duration(9.96, text), "10 s");
    expect(format_duration(59.4, text), "59 s");
    expect(format_duration(59.6, text), "1 min 00 s");
    expect(format_duration(3599, text), "59 min 59 s");
    expect(format_duration(3600 + 120, text), "1 h 02 min");
    expect(format_duration(86400 + 7200, text), "1 d 2 h");
}

Test(words, progress_says_what_there_is)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(format_progress("", true, 200, 200, text), "complete, 200 generations");
    cr_assert_str_eq(format_progress("", true, 1, 1, text), "complete, 1 generation");
    cr_assert_str_eq(format_progress("", true, 0, 0, text), "complete, generation 0 only");
    cr_assert_str_eq(format_progress("stopped", false, 0, 3, text),
                     "stopped after generation 0 of 3");
}

/* ---- Elo: signs, rounding, what is infinite, and what an interval says ---- */

#define MINUS "\xe2\x88\x92"
#define NBSP  "\xc2\xa0"

static void expect_signed(double elo, int decimals, const char *expected)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(elo_signed(elo, decimals, text), expected);
}

Test(words, differences_have_a_sign_unless_they_are_nothing)
{
    expect_signed(61.24, 1, "+61.2");
    expect_signed(-20.5001, 0, MINUS "21");
    expect_signed(0.04, 1, "0.0");
    expect_signed(-0.04, 1, "0.0");
    expect_signed(-0.06, 1, MINUS "0.1");
    expect_signed(INFINITY, 0, "+∞");
    expect_signed(-INFINITY, 1, MINUS "∞");
}

Test(words, ranges_may_have_one_end_or_none)
{
    char text[FORMAT_MAX];
    const struct elo_estimate both = {.elo_low = -3.2, .elo_high = 12},
                              one = {.elo_low = 40, .elo_high = INFINITY},
                              none = {.elo_low = -INFINITY, .elo_high = INFINITY};
    cr_assert_str_eq(elo_range(&both, 1, text), MINUS "3.2 to +12.0");
    cr_assert_str_eq(elo_range(&one, 0, text), "+40 to +∞");
    cr_assert_str_eq(elo_range(&none, 0, text), "–");
}

Test(words, no_chance_is_said_to_be_certain)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(elo_chance(0.8214, text), "82.1" NBSP "%");
    cr_assert_str_eq(elo_chance(1, text), ">" NBSP "99.9" NBSP "%");
    cr_assert_str_eq(elo_chance(0.0004, text), "<" NBSP "0.1" NBSP "%");
}

Test(words, only_an_interval_beside_zero_is_a_verdict)
{
    const struct elo_estimate open = {.elo_low = -1, .elo_high = 30},
                              ahead = {.elo_low = 0.1, .elo_high = INFINITY},
                              behind = {.elo_low = -9, .elo_high = -0.1};
    cr_assert_eq(elo_verdict(&open), ELO_OPEN);
    cr_assert_eq(elo_verdict(&ahead), ELO_AHEAD);
    cr_assert_eq(elo_verdict(&behind), ELO_BEHIND);
    cr_assert_str_eq(elo_verdict_class(ELO_BEHIND), "behind");
}

/* ---- the command ---- */

static void expect_command(const char *path, const char *command)
{
    char text[RESUME_WORDS];
    cr_assert_str_eq(resume_words("grayling", path, text), command, "%s", text);
}

Test(words, a_compressed_run_is_decompressed_first)
{
    expect_command("runs/a.db", "grayling resume runs/a.db");
    expect_command("my runs/a.db", "grayling resume 'my runs/a.db'");
    expect_command("a.db.zst", "zstd -d a.db.zst && grayling resume a.db");
    expect_command("my runs/a.db.zst",
                   "zstd -d 'my runs/a.db.zst' && grayling resume 'my runs/a.db'");
    expect_command(".zst", "grayling resume .zst");
}

Test(words, a_stage_is_kept)
{
    char plain[RESUME_WORDS], packed[RESUME_WORDS];
    resume_words("./my grayling", "n.db#search", plain);
    resume_words("./my grayling", "n.db.zst#search", packed);
    cr_assert_str_eq(strstr(packed, "'./my grayling' resume"), plain);
    cr_assert_eq(strncmp(packed, "zstd -d n.db.zst && ", 20), 0, "%s", packed);
}
