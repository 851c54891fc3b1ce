/* Streams into memory: what was written, or nothing, and never a part of it. */
#include "text_stream.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

Test(text_stream, nothing_written_is_an_empty_text)
{
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    cr_assert_not_null(out);
    cr_assert_eq(fclose(out), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(size, 0u);
    free(text);
}

Test(text_stream, holds_what_was_written_at_each_flush)
{
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    fprintf(out, "%d and ", 1);
    fflush(out);
    cr_assert_str_eq(text, "1 and ");
    fputs("two", out);
    cr_assert_eq(ftell(out), 9);
    fflush(out);
    cr_assert_str_eq(text, "1 and two");
    fwrite("\0three", 1, 6, out);
    cr_assert_eq(fclose(out), 0);
    cr_assert_eq(size, 15u);
    cr_assert_arr_eq(text, "1 and two\0three", 16);
    free(text);
}

Test(text_stream, grows_beyond_any_buffer)
{
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    for (int i = 0; i < 100000; i++)
        fprintf(out, "%06d", i);
    cr_assert_eq(fclose(out), 0);
    cr_assert_eq(size, 600000u);
    cr_assert_arr_eq(text, "000000000001", 12);
    cr_assert_str_eq(text + 6 * 99999, "099999");
    free(text);
}

/* Sanitizers reserve more addresses than this test leaves. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifndef __SANITIZE_ADDRESS__
Test(text_stream, without_memory_there_is_no_text_and_fclose_says_so)
{
    static char block[1 << 20];
    const struct rlimit little = {.rlim_cur = 256 << 20, .rlim_max = 256 << 20};
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    cr_assert_eq(setrlimit(RLIMIT_AS, &little), 0);
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 512; i++)
        fwrite(block, 1, sizeof block, out);
    fputs("the end", out);
    cr_assert(ferror(out));
    cr_assert_neq(fclose(out), 0);
    cr_assert_null(text);
    cr_assert_eq(size, 0u);
}
#endif
