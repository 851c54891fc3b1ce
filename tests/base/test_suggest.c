/* The known name closest to a misspelt one. */
#include "suggest.h"

#include <criterion/criterion.h>

/* What is proposed for a word among three known names; "" for nothing. */
static const char *proposed(const char *word)
{
    static const char *const known[] = {"population", "generations", "elitism"};
    struct suggestion s;
    suggest_init(&s, word);
    for (int i = 0; i < 3; i++)
        suggest_offer(&s, known[i], known[i]);
    return s.name != NULL ? s.name : "";
}

Test(suggest, finds_a_name_within_an_edit_in_three_letters)
{
    cr_assert_str_eq(proposed("populaton"), "population");
    cr_assert_str_eq(proposed("Population"), "population");
    cr_assert_str_eq(proposed("elitsm"), "elitism");
    cr_assert_str_eq(proposed("generation"), "generations");
    cr_assert_str_eq(proposed("elitism"), "elitism");
}

Test(suggest, proposes_nothing_that_is_far)
{
    cr_assert_str_eq(proposed("seed"), "");
    cr_assert_str_eq(proposed(""), "");
    cr_assert_str_eq(proposed("e"), "");
    cr_assert_str_eq(proposed("elephants"), "");
}

Test(suggest, a_spelling_stands_for_a_longer_name)
{
    struct suggestion s;
    suggest_init(&s, "rate");
    suggest_offer(&s, "race", "ga.race");
    suggest_offer(&s, "rate", "ga.mutation.rate");
    suggest_offer(&s, "rata", "ga.rata");
    cr_assert_str_eq(s.name, "ga.mutation.rate");
    cr_assert_eq(s.distance, 0);
}

Test(suggest, very_long_words_are_no_trouble)
{
    char word[4096];
    for (int i = 0; i < 4095; i++)
        word[i] = 'x';
    word[4095] = '\0';
    cr_assert_str_eq(proposed(word), "");
    struct suggestion s;
    suggest_init(&s, "x");
    suggest_offer(&s, word, word);
    cr_assert_null(s.name);
}
