/* Text from outside, made safe to show. */
#include "foreign_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What a text is once it is clean. */
static const char *cleaned(const char *text, char copy[64])
{
    return foreign_text_copy(copy, 64, text);
}

Test(foreign_text, a_copy_has_whole_characters)
{
    char text[8];
    foreign_text_copy(text, sizeof text, "Ren\xc3\xa9");
    cr_expect_str_eq(text, "Ren\xc3\xa9");
    foreign_text_copy(text, sizeof text, "seven b\xc3\xa9");
    cr_expect_str_eq(text, "seven b");
    foreign_text_copy(text, sizeof text, "six by\xc3\xa9");
    cr_expect_str_eq(text, "six by", "half of a character");
    foreign_text_copy(text, 1, "x");
    cr_expect_str_eq(text, "");
}

Test(foreign_text, no_control_character_is_left)
{
    char text[8], copy[64];
    for (int c = 1; c < 256; c++) {
        snprintf(text, sizeof text, "a%cb", c);
        cleaned(text, copy);
        const char expected = c >= ' ' && c < 0x7f ? (char)c : c >= '\t' && c <= '\r' ? ' ' : '?';
        cr_expect(copy[0] == 'a' && copy[1] == expected && strcmp(copy + 2, "b") == 0,
                  "byte 0x%02x", c);
    }
    cr_expect_str_eq(cleaned("\x1b[31m\x1b]0;title\x07", copy), "?[31m?]0;title?");
}

Test(foreign_text, what_is_not_seen_is_left_out)
{
    static const char *const unclean[] = {
        "\xc2\x80",     "\xc2\x9b",     "\xc2\x9f",     "\xc2\xad",        "\xd8\x9c",
        "\xe1\xa0\x8e", "\xe2\x80\x8b", "\xe2\x80\x8d", "\xe2\x80\x8e",    "\xe2\x80\x8f",
        "\xe2\x80\xa8", "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6",    "\xe2\x81\xa9",
        "\xef\xbb\xbf", "\xef\xbf\xbb", "\xef\xbf\xbf", "\xf3\xa0\x81\x81"};
    char copy[64];
    for (size_t i = 0; i < sizeof unclean / sizeof unclean[0]; i++) {
        cr_expect_str_eq(cleaned(unclean[i], copy), "?", "character %zu", i);
        cr_expect_not(foreign_text_is_clean(unclean[i]), "character %zu", i);
    }
}

Test(foreign_text, what_is_no_utf8_is_left_out)
{
    static const struct {
        const char *text, *clean;
    } cases[] = {{"Ren\xe9 \xff!", "Ren? ?!"},
                 {"cut \xe2\x80", "cut ??"},
                 {"overlong \xc0\x9b \xe0\x80\x9b", "overlong ?? ???"},
                 {"surrogate \xed\xa0\x80", "surrogate ???"},
                 {"beyond \xf4\x90\x80\x80", "beyond ????"}};
    char copy[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(cleaned(cases[i].text, copy), cases[i].clean);
}

Test(foreign_text, letters_of_all_languages_stay)
{
    static const char text[] = "Réti – Шахматы 国际象棋 ♞ \xf0\x9f\x90\x9f ~";
    char copy[64];
    cr_expect(foreign_text_is_clean(text));
    cr_expect_str_eq(cleaned(text, copy), text);
    cr_expect_eq(utf8_columns(text), 25);
}

Test(foreign_text, a_text_is_copied_onto_itself)
{
    char text[] = "a\xe2\x80\xae"
                  "b\xc2\x9b"
                  "c\xff"
                  "d";
    cr_expect_str_eq(foreign_text_copy(text, sizeof text, text), "a?b?c?d");
}

Test(foreign_text, a_column_counts_characters)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    foreign_text_column(out, "Réti", 6);
    fputc('|', out);
    foreign_text_column(out, "Réti", 2);
    fputc('|', out);
    foreign_text_column(out, "\x1b[0m", 4);
    fclose(out);
    cr_expect_str_eq(text, "Réti  |Ré|?[0m");
    free(text);
}

Test(foreign_text, shown_texts_of_a_line_are_apart)
{
    char line[16];
    snprintf(line, sizeof line, "%s %s", shown_text("a\n"), shown_text("\tb"));
    cr_expect_str_eq(line, "a   b");
}
