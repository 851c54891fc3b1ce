/* Any bytes as a UCI conversation: each line is a command. Nothing fails; all that is said is
 * printable lines, and after it the engine still plays a legal move from the initial position. */
#include "fuzz.h"
#include "notation.h"
#include "uci.h"

#include <assert.h>
#include <string.h>

enum { NODES = 300, SAID = 256, LINES = 40 };

/* The last line that was said, and a clock that only counts. */
struct listener {
    char last[SAID];
    int64_t time;
};

static void listen(void *context, const char *text, size_t length)
{
    struct listener *l = context;
    assert(length > 0 && text[length - 1] == '\n');
    for (size_t i = 0; i < length; i++)
        assert(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
    const char *line = text + length - 1;
    while (line > text && line[-1] != '\n')
        line--;
    size_t room = (size_t)(text + length - line);
    room = room < SAID ? room : SAID - 1;
    memcpy(l->last, line, room);
    l->last[room] = '\0';
}

static int64_t tick(void *context)
{
    struct listener *l = context;
    return l->time += 20;
}

/* Parameters from nowhere: all at their least, so that no input reads a file. */
static const struct param_table *read_least(const char *path,
                                            const struct param_table *const *tables,
                                            int32_t *values, struct error *err)
{
    (void)err;
    const struct param_table *table = tables[path[0] == 'm' && tables[1] != NULL];
    for (int i = 0; i < table->count; i++)
        values[i] = table->params[i].min;
    return table;
}

static bool say(struct uci *u, const char *line)
{
    return uci_line(u, line, strlen(line));
}

/* The engine is none the worse for what it heard. */
static void check_play(struct uci *u, const struct listener *l)
{
    struct position p;
    Move m;
    say(u, "position startpos");
    say(u, "go depth 1");
    assert(strncmp(l->last, "bestmove ", 9) == 0);
    position_from_fen(&p, FEN_START, NULL, NULL);
    assert(move_from_text(&p, l->last + 9, (int)strcspn(l->last + 9, " \n"), &m, NULL));
}

/* The engine of the inputs before, if none of them has changed an option or ended it; else a new one. */
static struct uci *engine(struct listener *l, bool anew)
{
    static struct uci *u;
    const struct uci_setup setup = {.name = "fuzz",
                                    .author = "fuzz",
                                    .defaults = {.evaluation = evaluation_initial(),
                                                 .params = search_initial_params(),
                                                 .tune = true,
                                                 .hash = 1,
                                                 .hash_max = 2,
                                                 .threads_max = 3,
                                                 .read_params = read_least},
                                    .write = listen,
                                    .clock = tick,
                                    .context = l,
                                    .no_thread = true,
                                    .node_cap = NODES};
    if (anew) {
        uci_destroy(u);
        u = NULL;
    }
    if (u == NULL)
        u = uci_create(&setup, NULL);
    assert(u != NULL);
    return u;
}

/* True if some line has more than a search in mind. */
static bool has_word(const uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(data + i, word, length) == 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct listener l;
    struct uci *u = engine(&l, false);
    say(u, "ucinewgame");
    const char *at = (const char *)data, *end = at + size;
    int lines = 0;
    for (bool more = true; more && at < end && lines < LINES; lines++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed != NULL ? feed : end;
        more = uci_line(u, at, (size_t)(stop - at));
        at = stop < end ? stop + 1 : end;
    }
    bool changed = has_word(data, size, "setoption") || has_word(data, size, "debug");
    check_play(u, &l);
    if (changed || has_word(data, size, "quit"))
        engine(&l, true);
    return 0;
}
