/* Any text as an EPD line: refused with a reason, or a position whose moves are legal and whose own
 * line reads back as the same line. */
#include "epd.h"
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void check_line(const struct epd *epd)
{
    char line[2048], again[2048];
    struct epd copy;
    for (int i = 0; i < epd->best_count; i++)
        assert(movegen_is_legal(&epd->position, epd->best[i]));
    for (int i = 0; i < epd->avoid_count; i++)
        assert(movegen_is_legal(&epd->position, epd->avoid[i]));
    int length = epd_format(epd, line, sizeof line);
    assert(length > 0 && (size_t)length == strlen(line));
    assert(epd_parse(line, &copy, NULL));
    assert(copy.position.key == epd->position.key && copy.game == epd->game);
    assert(copy.result == epd->result);
    assert(copy.best_count == epd->best_count && copy.avoid_count == epd->avoid_count);
    assert(epd_format(&copy, again, sizeof again) == length && strcmp(line, again) == 0);
    assert(epd_format(&copy, again, (size_t)length) == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct epd epd;
    struct error err = {""};
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (epd_parse(text, &epd, &err))
        check_line(&epd);
    else
        assert(err.text[0] != '\0');
    free(text);
    return 0;
}
