#include "count.h"

#include <inttypes.h>
#include <stdio.h>

const char *format_count(int64_t number, char text[COUNT_MAX])
{
    char digits[COUNT_MAX];
    int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && digits[i - 1] != '-' && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *format_things(int64_t number, const char *noun, char text[COUNTED_MAX])
{
    char count[COUNT_MAX];
    snprintf(text, COUNTED_MAX, "%s %.32s%s", format_count(number, count), noun,
             number == 1 ? "" : "s");
    return text;
}
