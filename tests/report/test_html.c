/* Text into HTML: nothing that comes from outside becomes markup. */
#include "html.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(void (*write)(FILE *out, const char *text), const char *text, const char *wanted)
{
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    write(out, text);
    fclose(out);
    cr_assert_str_eq(result, wanted);
    free(result);
}

#define NONE "\xef\xbf\xbd" /* for what is no character */

Test(html, text_is_no_markup_and_of_characters_alone)
{
    static const char *const cases[][2] = {
        {"<b a=\"x\" b='y'>R&eacute;ti</b>",
         "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;R&amp;eacute;ti&lt;/b&gt;"},
        {"Réti – Шахматы 国际象棋 ♞ \xf0\x9f\x90\x9f\n\tx",
         "Réti – Шахматы 国际象棋 ♞ \xf0\x9f\x90\x9f\n\tx"},
        {"a\x01\x7f\r", "a" NONE NONE NONE},
        {"R\xe9ti", "R" NONE "ti"},       /* Latin-1 */
        {"cut\xe2\x80", "cut" NONE NONE}, /* in the middle of a letter */
        {"\xc0\xaf", NONE NONE},          /* longer than needed */
        {"\xed\xa0\x80", NONE NONE NONE}, /* a surrogate */
        {"\xf5\x80\x80\x80", NONE NONE NONE NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(html_text, cases[i][0], cases[i][1]);
}

Test(html, names_may_break_after_an_underscore)
{
    expect(html_name, "KING_NO_PAWN", "KING_<wbr/>NO_<wbr/>PAWN");
    expect(html_name, "A_<B>_", "A_<wbr/>&lt;B&gt;_");
    expect(html_name, "", "");
}

Test(html, paths_may_break_after_a_folder_and_before_a_stage)
{
    char name[401] = "", long_path[404], broken[416];
    memset(name, 'x', 400);
    snprintf(long_path, sizeof long_path, "a/%s", name);
    snprintf(broken, sizeof broken, "a/<wbr/>%s", name);
    expect(html_path, "../runs/night_1.db#evolve", "../<wbr/>runs/<wbr/>night_1.db#<wbr/>evolve");
    expect(html_path, long_path, broken);
}

static void write_printed(FILE *out, const char *text)
{
    html_print(out, "<b>%s</b> %.*s %.3s: %d %%, %.1f, %.*f, %.2g, %ld %u", text, 2, "<>a", "abcd",
               -3, 2.25, 2, 0.5, 1234.0, 1234567890123L, 7u);
}

Test(html, markup_may_have_texts_and_numbers)
{
    expect(write_printed, "<x>",
           "<b>&lt;x&gt;</b> &lt;&gt; abc: -3 %, 2.2, 0.50, 1.2e+03, 1234567890123 7");
}

static void write_table(FILE *out, const char *text)
{
    html_table(out, "runs", text, "run", "", "|state", NULL);
    html_table_end(out);
}

Test(html, a_table_has_its_columns)
{
    expect(
        write_table, "<x>",
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"runs\">\n<caption>&lt;x&gt;</caption>\n"
        "<thead><tr><th scope=\"col\">run</th><th scope=\"col\" class=\"words\">state</th></tr></thead>\n"
        "<tbody>\n</tbody></table></div>\n");
}

static void write_data(FILE *out, const char *text)
{
    html_data(out, "text/csv", text);
}

Test(html, data_is_an_address)
{
    expect(write_data, "a b,\"<#>\"\n%\xc3\xa9",
           "data:text/csv;charset=utf-8,a%20b,%22%3C%23%3E%22%0A%25%C3%A9");
}
