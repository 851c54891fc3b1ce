/* Suites as they are found: what is kept, and why the rest is not. */
#include "scratch.h"
#include "suite.h"

#define BACK_RANK "6k1/5ppp/8/8/8/8/8/R3K3 w - -"

SCRATCH_SUITE(suite);

static struct suite loaded(const char *name, const char *text)
{
    struct suite s;
    struct error err = {""};
    MUST(suite_load(&s, scratch_write(name, text), &err));
    return s;
}

Test(suite, keeps_what_can_be_solved_and_says_why_not)
{
    static const char *const reasons[] = {":4: FEN column ", ":5: column 34: \"Rxa9\"",
                                          ":6: neither a best move (bm) nor one to avoid (am)",
                                          ":7: neither a best move (bm) nor one to avoid (am)"};
    struct suite s = loaded("some.epd", "# comment\n" BACK_RANK " bm Ra8#; id \"one\";\n\n"
                                        "nonsense\n" BACK_RANK " bm Rxa9;\n" BACK_RANK
                                        " dm 1;\n" BACK_RANK "\n" BACK_RANK " am Ra7; id \"two\";");
    cr_assert_eq(s.positions.count, 2u);
    cr_assert_str_eq(s.positions.items[0].id, "one");
    cr_assert_str_eq(s.positions.items[1].id, "two");
    cr_assert(s.lines[0] == 2 && s.lines[1] == 8);
    cr_assert(s.left_out_count == 4 && s.left_out_kept == 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect(strstr(s.left_out[i].text, reasons[i]) != NULL, "%s", s.left_out[i].text);
    suite_free(&s);
}

Test(suite, many_lines)
{
    char *text = calloc(1, 300000), *to = text;
    for (int i = 0; i < 2000; i++)
        to += sprintf(to, i % 3 == 0 ? BACK_RANK "\n" : BACK_RANK " bm Ra8; id \"%d\";\n", i);
    struct suite s = loaded("many.epd", text);
    cr_assert_eq(s.left_out_count, 667u);
    cr_assert_eq(s.left_out_kept, (size_t)SUITE_REASONS, "memory has a bound");
    cr_assert(strstr(s.left_out[SUITE_REASONS - 1].text, ":766: neither") != NULL, "%s",
              s.left_out[SUITE_REASONS - 1].text);
    cr_assert_eq(s.positions.count, 1333u);
    for (size_t i = 0; i < s.positions.count; i++)
        cr_assert_eq(atoi(s.positions.items[i].id), s.lines[i] - 1);
    suite_free(&s);
    free(text);
}

Test(suite, nothing_left_is_no_failure_but_no_file_is)
{
    struct error err = {""};
    struct suite s = loaded("none.epd", "");
    cr_assert(s.positions.count == 0 && s.left_out_count == 0);
    suite_free(&s);
    cr_assert_not(suite_load(&s, "/nowhere/none.epd", &err));
    SAID("/nowhere/none.epd");
}

static void checksum_of(const char *name, const char *text, char checksum[CHECKSUM_MAX])
{
    struct suite s = loaded(name, text);
    cr_assert(suite_checksum(&s, checksum, NULL));
    suite_free(&s);
}

Test(suite, the_checksum_is_that_of_the_positions)
{
    char a[CHECKSUM_MAX], b[CHECKSUM_MAX];
    const char *text = BACK_RANK " bm Ra8#; id \"one\";\n";
    checksum_of("a.epd", text, a);
    checksum_bytes(BACK_RANK " bm Ra8#; id \"one\";\n", strlen(text), b);
    cr_assert_str_eq(a, b, "that of the text, as it is written in the project's own way");
    checksum_of("b.epd", "# comment\r\n\r\n" BACK_RANK " id \"one\"; bm a1a8; \r\n", b);
    cr_assert_str_eq(a, b, "the same positions, written otherwise");
    checksum_of("c.epd", BACK_RANK " bm Ra7; id \"one\";\n", b);
    cr_assert_str_neq(a, b, "another move");
    checksum_of("d.epd", BACK_RANK " bm Ra8#; id \"one\";\n" BACK_RANK " bm Ra8;\n", b);
    cr_assert_str_neq(a, b, "one position more");
}
