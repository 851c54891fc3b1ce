/* Fields of CSV. */
#include "csv.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(csv, a_field_is_quoted_if_it_must_be)
{
    static const struct {
        const char *text, *field;
    } cases[] = {{"plain", "plain"},
                 {"", ""},
                 {"a, b", "\"a, b\""},
                 {"say \"e4\"", "\"say \"\"e4\"\"\""},
                 {" first", "\" first\""},
                 {"two\r\nlines", "two  lines"},
                 {"\x1b[2J", "?[2J"},
                 {"=1+1", "\"'=1+1\""},
                 {"@SUM(1)", "\"'@SUM(1)\""},
                 {"-cmd", "\"'-cmd\""},
                 {"+x", "\"'+x\""},
                 {"\t=1", "\"' =1\""},
                 {"-5", "-5"},
                 {"-0.25", "-0.25"},
                 {"a=b", "a=b"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        csv_text(out, cases[i].text);
        fclose(out);
        cr_expect_str_eq(text, cases[i].field);
        free(text);
    }
}

Test(csv, the_apostrophe_is_no_part_of_the_text)
{
    char formula[] = "'=1+1", word[] = "'tis", number[] = "-5";
    cr_expect_str_eq(csv_text_read(formula), "=1+1");
    cr_expect_str_eq(csv_text_read(word), "'tis");
    cr_expect_str_eq(csv_text_read(number), "-5");
}
