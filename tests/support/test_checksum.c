/* SHA-256 against the examples of FIPS 180-4. */
#include "checksum.h"
#include "scratch.h"

static const char of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char of_nothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char of_million_a[] =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

Test(checksum, bytes)
{
    char text[CHECKSUM_MAX];
    checksum_bytes("abc", 3, text);
    cr_assert_str_eq(text, of_abc);
    checksum_bytes("", 0, text);
    cr_assert_str_eq(text, of_nothing);
}

Test(checksum, files)
{
    static char million[1000001];
    char directory[SCRATCH_PATH], path[SCRATCH_PATH], text[CHECKSUM_MAX];
    struct error err = {""};
    memset(million, 'a', 1000000);
    scratch_begin(directory);
    scratch_write(directory, "abc", "abc", path);
    cr_assert(checksum_file(path, text, &err), "%s", err.text);
    cr_assert_str_eq(text, of_abc);
    scratch_write(directory, "million", million, path);
    cr_assert(checksum_file(path, text, &err), "%s", err.text);
    cr_assert_str_eq(text, of_million_a);
    scratch_end(directory);
}

Test(checksum, a_file_that_cannot_be_read_says_why)
{
    char text[CHECKSUM_MAX];
    struct error err = {""};
    cr_assert_not(checksum_file("/nowhere/none.epd", text, &err));
    cr_assert(strstr(err.text, "/nowhere/none.epd: No such file") != NULL, "%s", err.text);
    cr_assert_not(checksum_file("/", text, &err));
    cr_assert(strstr(err.text, "directory") != NULL, "%s", err.text);
}
