/* The ledger: what was entered is found again, also after a crash, by the same program only. */
#include "experiment.h"

#include "scratch.h"

static const char head[] = LEDGER_BEGIN "test 1";

static const char *path;

static void begin(void)
{
    scratch_begin();
    path = scratch_path("ledger");
}

TestSuite(ledger, .init = begin, .fini = scratch_end);

static struct ledger *open_good(const char *name)
{
    struct error err = {""};
    struct ledger *l = ledger_open(name, head, false, &err);
    MUST(l);
    return l;
}

static void add(struct ledger *l, const char *key, int64_t a, int64_t b)
{
    struct error err = {""};
    const int64_t values[2] = {a, b};
    MUST(ledger_add(l, key, values, 2, &err));
}

static void expect(const struct ledger *l, const char *key, int64_t a, int64_t b)
{
    int64_t values[2];
    cr_assert(ledger_find(l, key, values, 2), "%s", key);
    cr_expect(values[0] == a && values[1] == b, "%s", key);
}

/* Appends bytes, zeros among them. */
static void append_bytes(const char *bytes, size_t size)
{
    FILE *f = fopen(path, "a");
    cr_assert(f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static void append(const char *text)
{
    append_bytes(text, strlen(text));
}

/* What opening the file is refused for. */
static void expect_refused(const char *first_line, bool anew, const char *reason)
{
    struct error err = {""};
    struct ledger *l = ledger_open(path, first_line, anew, &err);
    cr_expect_null(l);
    SAID(reason);
    ledger_close(l);
}

static long size_of_file(void)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

Test(ledger, finds_what_was_entered_and_nothing_else)
{
    struct ledger *l = open_good(NULL);
    int64_t values[3];
    cr_expect_not(ledger_find(l, "a", values, 2));
    add(l, "a", 1, -2);
    add(l, "b", INT64_MAX, INT64_MIN);
    expect(l, "a", 1, -2);
    expect(l, "b", INT64_MAX, INT64_MIN);
    cr_expect_not(ledger_find(l, "ab", values, 2));
    cr_expect_not(ledger_find(l, "a", values, 3), "another number of values");
    ledger_close(l);
}

Test(ledger, keeps_thousands_over_a_restart)
{
    struct ledger *l = open_good(path);
    for (int i = 0; i < 5000; i++)
        add(l, text_of("key-%d", i), i, -i);
    ledger_close(l);
    l = open_good(path);
    for (int i = 0; i < 5000; i++)
        expect(l, text_of("key-%d", i), i, -i);
    ledger_close(l);
}

Test(ledger, drops_a_line_that_was_cut_short)
{
    int64_t values[2];
    struct ledger *l = open_good(path);
    add(l, "whole", 1, 2);
    ledger_close(l);
    append("cut 3 4");
    l = open_good(path);
    expect(l, "whole", 1, 2);
    cr_expect_not(ledger_find(l, "cut", values, 2));
    add(l, "next", 5, 6);
    ledger_close(l);
    l = open_good(path);
    expect(l, "next", 5, 6);
    ledger_close(l);
}

Test(ledger, refuses_a_program_that_measures_otherwise)
{
    ledger_close(open_good(path));
    expect_refused(LEDGER_BEGIN "test 2", false, "ledger:1: it was begun by");
}

Test(ledger, refuses_a_damaged_line_by_its_number)
{
    ledger_close(open_good(path));
    append("key 1 x\n");
    expect_refused(head, false, "ledger:2: damaged");
}

Test(ledger, refuses_zeros_in_a_line)
{
    ledger_close(open_good(path));
    append_bytes("key 1\0002\n", 8);
    expect_refused(head, false, "ledger:2: damaged");
    cr_assert(remove(path) == 0);
    append_bytes(head, strlen(head));
    append_bytes("\0diary", 6);
    expect_refused(head, false, "not a ledger");
}

Test(ledger, leaves_a_file_alone_that_is_no_ledger)
{
    static const char *const diaries[] = {"a diary without a newline", "a diary\nof two lines\n"};
    for (int i = 0; i < 2; i++) {
        scratch_write("ledger", diaries[i]);
        long size = size_of_file();
        expect_refused(head, false, "not a ledger");
        expect_refused(head, true, "not a ledger");
        cr_expect_eq(size_of_file(), size);
    }
}

Test(ledger, begins_anew_when_told_to)
{
    struct error err = {""};
    int64_t values[2];
    struct ledger *l = open_good(path);
    add(l, "old", 1, 2);
    ledger_close(l);
    l = ledger_open(path, LEDGER_BEGIN "test 2", true, &err);
    MUST(l);
    cr_expect_not(ledger_find(l, "old", values, 2));
    ledger_close(l);
}

/* Writes what is kept beside the ledger; that zstd is read is tested with input.c. */
static void keep(const char *text)
{
    scratch_write("ledger.zst", text);
}

Test(ledger, knows_what_is_kept_beside_it)
{
    struct error err = {""};
    int64_t values[2];
    keep(LEDGER_BEGIN "test 1\nkept 1 2\nolder 3 4\n");
    struct ledger *l = open_good(path);
    expect(l, "kept", 1, 2);
    add(l, "older", 5, 6);
    ledger_close(l);
    cr_expect_lt(size_of_file(), 40, "what is kept is not written again");
    l = open_good(path);
    expect(l, "kept", 1, 2);
    expect(l, "older", 5, 6);
    ledger_close(l);
    l = ledger_open(path, head, true, &err);
    MUST(l);
    cr_expect_not(ledger_find(l, "kept", values, 2), "measured anew");
    ledger_close(l);
}

Test(ledger, refuses_what_is_kept_by_another_program)
{
    keep(LEDGER_BEGIN "test 2\nkept 1 2\n");
    expect_refused(head, false, "ledger.zst:1: it was begun by");
    keep(LEDGER_BEGIN "test 1\nkept 1 x\n");
    expect_refused(head, false, "ledger.zst:2: damaged");
}

/* What is kept stays that of another program when the file is begun anew beside it. */
Test(ledger, continues_what_was_begun_anew_beside_what_another_program_has_kept)
{
    struct error err = {""};
    int64_t values[2];
    keep(LEDGER_BEGIN "test 2\nkept 1 2\n");
    struct ledger *l = ledger_open(path, head, true, &err);
    MUST(l);
    add(l, "new", 3, 4);
    ledger_close(l);
    for (int i = 0; i < 2; i++) {
        l = open_good(path);
        expect(l, "new", 3, 4);
        cr_expect_not(ledger_find(l, "kept", values, 2));
        ledger_close(l);
    }
    keep("a diary\n");
    expect_refused(head, false, "ledger.zst: not a ledger");
}

Test(ledger, makes_a_key_of_all_of_a_text)
{
    char text[2000], key[LEDGER_KEY], other[LEDGER_KEY];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ledger_key(key, "solve", text);
    cr_expect_eq(strncmp(key, "solve-", 6), 0);
    cr_expect_null(strchr(key, ' '));
    ledger_key(other, "solve", text);
    cr_expect_str_eq(key, other);
    text[sizeof text - 2] = 'y';
    ledger_key(other, "solve", text);
    cr_expect_str_neq(key, other);
}
