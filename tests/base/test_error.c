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
