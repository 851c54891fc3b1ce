/* Words for people: numbers, Elo, and the command that continues a run. */
#include "format.h"
#include "outcome_words.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static char text[RESUME_WORDS]; /* of any function */

#define EXPECT(call, expected)                                                                     \
    cr_expect_str_eq(call, expected, "'%s' in place of '%s'", text, expected)

Test(words, counts_have_commas_and_nouns_agree)
{
    EXPECT(format_count(0, text), "0");
    EXPECT(format_count(999, text), "999");
    EXPECT(format_count(1000, text), "1,000");
    EXPECT(format_count(1234567, text), "1,234,567");
    EXPECT(format_count(-123, text), "-123");
    EXPECT(format_count(-1234, text), "-1,234");
    EXPECT(format_count(INT64_MIN, text), "-9,223,372,036,854,775,808");
    EXPECT(format_things(0, "game", text), "0 games");
    EXPECT(format_things(1, "game", text), "1 game");
    EXPECT(format_things(12345, "game", text), "12,345 games");
    EXPECT(format_things(INT64_MIN, "position", text), "-9,223,372,036,854,775,808 positions");
}

Test(words, a_chance_below_a_threshold_looks_so)
{
    static const struct {
        double chance;
        const char *text;
    } cases[] = {{0, "< 2 %"},       {0.01999, "< 2 %"}, {0.02, "2.0 %"},    {0.0497, "4.9 %"},
                 {0.04999, "4.9 %"}, {0.05, "5.0 %"},    {0.09999, "9.9 %"}, {0.1, "10 %"},
                 {0.376, "38 %"},    {1, "100 %"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EXPECT(format_chance(cases[i].chance, text), cases[i].text);
}

Test(words, durations_take_two_units_at_most)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0304, "30 ms"},    {1.44, "1.4 s"},      {9.96, "10 s"},
                 {59.4, "59 s"},       {59.6, "1 min 00 s"}, {3599, "59 min 59 s"},
                 {3720, "1 h 02 min"}, {93600, "1 d 2 h"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EXPECT(format_duration(cases[i].seconds, text), cases[i].text);
}

Test(words, progress_says_what_there_is)
{
    EXPECT(format_generation(3, 200, text), "3 of 200");
    EXPECT(format_generation(0, 1, text), "0 of 1");
    EXPECT(format_generation(0, 0, text), "0");
    EXPECT(format_progress("", true, 200, 200, text), "complete, 200 generations");
    EXPECT(format_progress("", true, 1, 1, text), "complete, 1 generation");
    EXPECT(format_progress("", true, 0, 0, text), "complete, generation 0 only");
    EXPECT(format_progress("stopped", false, 0, 3, text), "stopped after generation 0 of 3");
}

/* ---- Elo: signs, rounding, what is infinite, and what an interval says ---- */

#define MINUS "\xe2\x88\x92"
#define NBSP  "\xc2\xa0"

Test(words, differences_have_a_sign_unless_they_are_nothing)
{
    EXPECT(elo_signed(61.24, 1, text), "+61.2");
    EXPECT(elo_signed(-20.5001, 0, text), MINUS "21");
    EXPECT(elo_signed(0.04, 1, text), "0.0");
    EXPECT(elo_signed(-0.04, 1, text), "0.0");
    EXPECT(elo_signed(-0.06, 1, text), MINUS "0.1");
    EXPECT(elo_signed(INFINITY, 0, text), "+∞");
    EXPECT(elo_signed(-INFINITY, 1, text), MINUS "∞");
    EXPECT(elo_chance(0.8214, text), "82.1" NBSP "%");
    EXPECT(elo_chance(1, text), ">" NBSP "99.9" NBSP "%");
    EXPECT(elo_chance(0.0004, text), "<" NBSP "0.1" NBSP "%");
}

/* A range may have one end or none; only one beside zero is a verdict. */
Test(words, ranges_and_verdicts)
{
    static const struct {
        struct elo_estimate e;
        const char *range;
        enum elo_verdict verdict;
    } cases[] = {{{.elo_low = -3.2, .elo_high = 12}, MINUS "3.2 to +12.0", ELO_OPEN},
                 {{.elo_low = 0.1, .elo_high = INFINITY}, "+0.1 to +∞", ELO_AHEAD},
                 {{.elo_low = -9, .elo_high = -0.1}, MINUS "9.0 to " MINUS "0.1", ELO_BEHIND},
                 {{.elo_low = -INFINITY, .elo_high = INFINITY}, "–", ELO_OPEN}};
    for (int i = 0; i < 4; i++) {
        EXPECT(elo_range(&cases[i].e, 1, text), cases[i].range);
        cr_assert_eq(elo_verdict(&cases[i].e), cases[i].verdict);
    }
    cr_assert_str_eq(elo_verdict_class(ELO_BEHIND), "behind");
}

/* ---- the command ---- */

Test(words, a_compressed_run_is_decompressed_first)
{
    static const char *const cases[][2] = {
        {"runs/a.db", "grayling resume runs/a.db"},
        {"my runs/a.db", "grayling resume 'my runs/a.db'"},
        {"a.db.zst", "zstd -d a.db.zst && grayling resume a.db"},
        {"my runs/a.db.zst", "zstd -d 'my runs/a.db.zst' && grayling resume 'my runs/a.db'"},
        {".zst", "grayling resume .zst"},
    };
    for (int i = 0; i < 5; i++)
        EXPECT(resume_words("grayling", cases[i][0], text), cases[i][1]);
}

Test(words, a_stage_is_kept)
{
    char plain[RESUME_WORDS], packed[RESUME_WORDS];
    resume_words("./my grayling", "n.db#search", plain);
    resume_words("./my grayling", "n.db.zst#search", packed);
    cr_assert_str_eq(strstr(packed, "'./my grayling' resume"), plain);
    cr_assert_eq(strncmp(packed, "zstd -d n.db.zst && ", 20), 0, "%s", packed);
}
