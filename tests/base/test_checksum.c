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

Test(checksum, numbers_are_four_bytes_each)
{
    enum { MANY = 5000 };
    static int32_t values[MANY];
    static unsigned char bytes[4 * MANY];
    char of_numbers[CHECKSUM_MAX], of_bytes[CHECKSUM_MAX];
    for (int i = 0; i < MANY; i++) {
        values[i] = i % 2 == 0 ? i * 70000 : -i;
        for (int b = 0; b < 4; b++)
            bytes[4 * i + b] = (unsigned char)((uint32_t)values[i] >> 8 * b);
    }
    static const size_t counts[] = {0, 1, 40, 256, 257, MANY};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        checksum_numbers(values, counts[i], of_numbers);
        checksum_bytes(bytes, 4 * counts[i], of_bytes);
        cr_assert_str_eq(of_numbers, of_bytes, "%zu numbers", counts[i]);
    }
}

Test(checksum, files)
{
    static char million[1000001];
    char text[CHECKSUM_MAX];
    struct error err = {""};
    memset(million, 'a', 1000000);
    scratch_begin();
    MUST(checksum_file(scratch_write("abc", "abc"), text, &err));
    cr_assert_str_eq(text, of_abc);
    MUST(checksum_file(scratch_write("million", million), text, &err));
    cr_assert_str_eq(text, of_million_a);
    scratch_end();
}

Test(checksum, a_file_that_cannot_be_read_says_why)
{
    char text[CHECKSUM_MAX];
    struct error err = {""};
    cr_assert_not(checksum_file("/nowhere/none.epd", text, &err));
    SAID("/nowhere/none.epd: No such file");
    cr_assert_not(checksum_file("/", text, &err));
    SAID("directory");
}
