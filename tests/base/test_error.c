/* Reasons in words. */
#include "error.h"

#include <criterion/criterion.h>
#include <string.h>

Test(error, a_reason_is_written_and_false_returned)
{
    struct error err;
    cr_assert_not(error_set(&err, "%d is %s", 7, "odd"));
    cr_assert_str_eq(err.text, "7 is odd");
    cr_assert_not(error_set(NULL, "nobody asks"));
}

Test(error, a_place_goes_in_front)
{
    struct error err;
    error_set(&err, "odd");
    cr_assert_not(error_prefix(&err, "%s:%d: ", "file", 3));
    cr_assert_str_eq(err.text, "file:3: odd");
    cr_assert_not(error_prefix(NULL, "nobody asks"));
}

Test(error, long_reasons_and_places_are_cut)
{
    struct error err;
    char words[2000];
    memset(words, 'w', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    error_set(&err, "%s", words);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "here: ");
    cr_assert_eq(strncmp(err.text, "here: www", 9), 0);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    error_prefix(&err, "%s", words);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
}

Test(error, a_reason_is_one_clean_line)
{
    struct error err;
    error_set(&err, "'%s' is not a move", "\x1b]0;owned\x07\n\xc2\x9b");
    cr_assert_str_eq(err.text, "'?]0;owned? ?' is not a move");
    error_prefix(&err, "%s:%d: ", "a\x1b[2J.pgn", 3);
    cr_assert_str_eq(err.text, "a?[2J.pgn:3: '?]0;owned? ?' is not a move");
}

Test(error, no_character_is_cut_in_half)
{
    struct error err;
    char words[2000] = "";
    for (size_t i = 0; i + 2 < sizeof words; i += 2)
        memcpy(words + i, "\xc3\xa9", 3);
    error_set(&err, "%s", words);
    cr_assert_eq(strlen(err.text), sizeof err.text - 2);
    error_prefix(&err, "e");
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    cr_assert_null(strchr(err.text, '?'));
}
