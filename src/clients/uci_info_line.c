#include "uci_info_line.h"

#include "notation.h"

/* A line as far as it has been read. */
struct reading {
    struct words words;
    const struct position *position;
    struct uci_info info;
    bool depth, nodes, score, pv; /* given */
    bool bound;                   /* `lowerbound` or `upperbound`, anywhere in the line */
    bool current;                 /* `currmove` */
};

/* Consumes a number; false, and nothing consumed, if the next word is none. */
static bool read_number(struct reading *r, int64_t min, int64_t max, int64_t *value)
{
    if (!word_number(words_peek(&r->words), min, max, value))
        return false;
    words_next(&r->words);
    return true;
}

static void read_depth(struct reading *r)
{
    int64_t depth;
    if (read_number(r, 0, INT32_MAX, &depth)) {
        r->info.depth = (int)depth;
        r->depth = true;
    }
}

static void read_nodes(struct reading *r)
{
    int64_t nodes;
    if (read_number(r, 0, INT64_MAX, &nodes)) {
        r->info.nodes = (uint64_t)nodes;
        r->nodes = true;
    }
}

static void read_time(struct reading *r)
{
    int64_t time;
    if (read_number(r, 0, INT64_MAX, &time))
        r->info.time = time;
}

/* Engines write it behind the score, behind its `wdl`, or before. */
static void read_bound(struct reading *r)
{
    r->bound = true;
}

/* Reads "cp N" or "mate N". */
static void read_score(struct reading *r)
{
    struct word unit = words_next(&r->words);
    int64_t score;
    if (word_is(unit, "lowerbound") || word_is(unit, "upperbound")) {
        read_bound(r);
        unit = words_next(&r->words);
    }
    if ((!word_is(unit, "cp") && !word_is(unit, "mate")) ||
        !read_number(r, -INT32_MAX, INT32_MAX, &score))
        return;
    r->info.score = (int32_t)score;
    r->info.mate = word_is(unit, "mate");
    r->info.has_score = r->score = true;
}

/* Reads the first move; the others are words without a meaning here. */
static void read_pv(struct reading *r)
{
    struct word word = words_next(&r->words);
    Move m;
    if (word.text == NULL || !move_from_text(r->position, word.text, word.length, &m, NULL))
        return;
    r->info.move = m;
    r->pv = true;
}

static void read_multipv(struct reading *r)
{
    int64_t number;
    if (read_number(r, 1, INT32_MAX, &number))
        r->info.line = (int)number;
}

static void read_currmove(struct reading *r)
{
    r->current = true;
}

static void read_currmovenumber(struct reading *r)
{
    int64_t number;
    if (read_number(r, 1, INT32_MAX, &number))
        r->info.current = (int)number;
}

static void read_string(struct reading *r)
{
    words_rest(&r->words);
    r->words.at = r->words.end;
}

static const struct {
    const char *word;
    void (*read)(struct reading *r);
} readers[] = {
    {"depth", read_depth},
    {"nodes", read_nodes},
    {"time", read_time},
    {"score", read_score},
    {"lowerbound", read_bound},
    {"upperbound", read_bound},
    {"pv", read_pv},
    {"multipv", read_multipv},
    {"string", read_string},
    {"currmove", read_currmove},
    {"currmovenumber", read_currmovenumber},
};

/* Reads a word and what belongs to it. */
static void read_word(struct reading *r, struct word word)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (word_is(word, readers[i].word)) {
            readers[i].read(r);
            return;
        }
}

/* Removes from another variation what earlier lines gave of the best. */
static void forget_best(struct reading *r)
{
    r->info.has_score = r->score;
    r->info.move = r->pv ? r->info.move : NO_MOVE;
}

bool uci_info_line_read(struct words words, const struct position *p, struct uci_info *info)
{
    struct reading r = {.words = words, .position = p, .info = *info};
    r.info.line = 1;
    for (struct word w; (w = words_next(&r.words)).text != NULL;)
        read_word(&r, w);
    if (r.current)
        r.info.depth = info->depth;
    if (r.info.line != 1)
        forget_best(&r);
    if (r.score)
        r.info.bound = r.bound;
    r.info.judges = r.score || r.pv;
    r.info.nodes = r.info.nodes > info->nodes ? r.info.nodes : info->nodes;
    *info = r.info;
    return (r.depth && !r.current) || r.nodes || r.score || r.pv;
}
