/* Any bytes as the answers of a UCI engine: each line is an option, or else information about a search
 * of the initial position. Nothing fails; options have a name, moves are legal, nodes never go back. */
#include "fuzz.h"
#include "movegen.h"
#include "parse.h"
#include "uci_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What an option takes by its own account is taken. */
static void check_option(const struct uci_option *o)
{
    struct error err;
    assert(o->name[0] != '\0' && o->initial != NULL && o->choices != NULL);
    char *value = option_value(o, o->initial, &err);
    assert(value != NULL || err.text[0] != '\0');
    free(value);
}

/* Takes a line. */
static void hear(struct option_list *options, const struct position *p, struct uci_info *info,
                 struct words words)
{
    uint64_t nodes = info->nodes;
    if (word_is(words_peek(&words), "option")) {
        words_next(&words);
        struct error err = {""};
        assert(option_list_add(options, &words, &err) || err.text[0] != '\0');
        return;
    }
    uci_info_line_read(&words, p, info);
    assert(info->nodes >= nodes && info->depth >= 0);
    assert(info->move == NO_MOVE || movegen_is_legal(p, info->move));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct option_list options = {0};
    struct uci_info info = {0};
    struct position p;
    const char *at = (const char *)data, *end = at + size;
    position_from_fen(&p, FEN_START, NULL, NULL);
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((feed != NULL ? feed : end) - at);
        hear(&options, &p, &info, words_of(at, length));
        at += length + 1;
    }
    for (int i = 0; i < options.count; i++)
        check_option(&options.options[i]);
    option_list_free(&options);
    return 0;
}
