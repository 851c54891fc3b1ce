#include "uci_go.h"

#include "notation.h"
#include "suggest.h"

#include <string.h>

enum {
    NUMBER_MAX = 1000000000,
    PERFT_MAX = 20,
    MATE_PLIES = 6 /* extra plies: a selective search may find a mate later */
};
static const int64_t long_time = (int64_t)1000 * 3600 * 24 * 365; /* a year */

/* A limit: its keyword and the range of its number. */
struct limit {
    const char *name;
    int64_t min, max;
    void (*take)(struct uci_go *go, int64_t value);
};

static void take_white_time(struct uci_go *go, int64_t value)
{
    go->clock[WHITE] = value;
    go->has_clock[WHITE] = true;
}

static void take_black_time(struct uci_go *go, int64_t value)
{
    go->clock[BLACK] = value;
    go->has_clock[BLACK] = true;
}

static void take_white_increment(struct uci_go *go, int64_t value)
{
    go->increment[WHITE] = value;
}

static void take_black_increment(struct uci_go *go, int64_t value)
{
    go->increment[BLACK] = value;
}

static void take_moves_to_go(struct uci_go *go, int64_t value)
{
    go->moves_to_go = value;
}

static void take_move_time(struct uci_go *go, int64_t value)
{
    go->move_time = value;
}

static void take_nodes(struct uci_go *go, int64_t value)
{
    go->nodes = (uint64_t)value;
}

static void take_depth(struct uci_go *go, int64_t value)
{
    go->depth = (int)value;
}

static void take_mate(struct uci_go *go, int64_t value)
{
    go->mate = (int)value;
}

static void take_perft(struct uci_go *go, int64_t value)
{
    go->perft = (int)value;
}

static const struct limit limits[] = {
    {"wtime", -1000000, long_time, take_white_time},
    {"btime", -1000000, long_time, take_black_time},
    {"winc", 0, long_time, take_white_increment},
    {"binc", 0, long_time, take_black_increment},
    {"movestogo", 0, NUMBER_MAX, take_moves_to_go},
    {"movetime", 1, long_time, take_move_time},
    {"nodes", 1, INT64_MAX, take_nodes},
    {"depth", 1, MAX_DEPTH, take_depth},
    {"mate", 1, MAX_DEPTH / 2, take_mate},
    {"perft", 1, PERFT_MAX, take_perft},
};

static const char *const keywords[] = {"infinite", "ponder", "searchmoves"};

enum { LIMITS = sizeof limits / sizeof limits[0], KEYWORDS = sizeof keywords / sizeof keywords[0] };

static const struct limit *find_limit(struct word word)
{
    for (int i = 0; i < LIMITS; i++)
        if (word_is(word, limits[i].name))
            return &limits[i];
    return NULL;
}

/* Whether the word is a keyword of `go`, not a move. */
static bool is_keyword(struct word word)
{
    for (int i = 0; i < KEYWORDS; i++)
        if (word_is(word, keywords[i]))
            return true;
    return find_limit(word) != NULL;
}

/* Parses the number after the name of a limit. */
static void read_limit(struct uci_go *go, const struct limit *limit, struct words *w,
                       struct uci_text *notes)
{
    int64_t value;
    char shown[SHOWN];
    if (word_number(words_peek(w), limit->min, limit->max, &value)) {
        words_next(w);
        limit->take(go, value);
        return;
    }
    go->refused = true;
    uci_note(notes, "go: %s expects an integer, not '%s'", limit->name,
             word_shown(words_peek(w), shown));
}

static void add_move(struct uci_go *go, Move m)
{
    for (int i = 0; i < go->move_count; i++)
        if (go->moves[i] == m)
            return;
    go->moves[go->move_count++] = m;
}

/* Parses the moves after `searchmoves`. */
static void read_search_moves(struct uci_go *go, const struct position *p, struct words *w,
                              struct uci_text *notes)
{
    char shown[SHOWN];
    for (struct word word; (word = words_peek(w)).text != NULL && !is_keyword(word);) {
        struct error err;
        Move m;
        words_next(w);
        if (move_from_text(p, word.text, word.length, &m, &err))
            add_move(go, m);
        else {
            go->refused = true;
            uci_note(notes, "go: searchmoves: '%s' is ignored: %s", word_shown(word, shown),
                     err.text);
        }
    }
    if (go->move_count == 0)
        uci_note(notes, "go: searchmoves is ignored: no legal move is given");
}

/* Notes a word that `go` does not know, and suggests a similar one. Skips a number after it. */
static void refuse_word(struct uci_go *go, struct word word, struct words *w,
                        struct uci_text *notes)
{
    char shown[SHOWN];
    int64_t number;
    struct suggestion near;
    suggest_init(&near, word_shown(word, shown));
    for (int i = 0; i < LIMITS; i++)
        suggest_offer(&near, limits[i].name, limits[i].name);
    for (int i = 0; i < KEYWORDS; i++)
        suggest_offer(&near, keywords[i], keywords[i]);
    if (near.name != NULL)
        uci_note(notes, "go: '%s' is ignored; did you mean %s?", shown, near.name);
    else
        uci_note(notes, "go: '%s' is ignored: it is no limit of a search", shown);
    go->refused = true;
    if (word_number(words_peek(w), 0, 0, &number))
        words_next(w);
}

/* Whether a limit is given to the side to move, or the search is asked to have none. */
static bool is_limited(const struct uci_go *go, enum color side)
{
    return go->infinite || go->perft > 0 || go->nodes > 0 || go->depth > 0 || go->move_time > 0 ||
           go->has_clock[side];
}

/* Completes a clock of which something is given, but not the time of the side to move: an increment,
 * or the time of the other side. Nothing is left on it then but the increment. A search without end
 * would lose the game of a GUI that never says `stop`, and a refusal has no best move. */
static void complete_clock(struct uci_go *go, enum color side)
{
    const enum color other = color_other(side);
    if (is_limited(go, side) ||
        !(go->increment[side] > 0 || go->increment[other] > 0 || go->has_clock[other]))
        return;
    go->has_clock[side] = true;
    go->clock[side] = go->increment[side];
}

void uci_go_read(struct uci_go *go, const struct position *p, struct words *w,
                 struct uci_text *notes)
{
    memset(go, 0, sizeof *go);
    for (struct word word; (word = words_next(w)).text != NULL;) {
        const struct limit *limit = find_limit(word);
        if (limit != NULL)
            read_limit(go, limit, w, notes);
        else if (word_is(word, "infinite"))
            go->infinite = true;
        else if (word_is(word, "ponder"))
            go->ponder = true;
        else if (word_is(word, "searchmoves"))
            read_search_moves(go, p, w, notes);
        else
            refuse_word(go, word, w, notes);
    }
    if (go->mate > 0 && go->depth == 0)
        go->depth = 2 * go->mate + MATE_PLIES;
    complete_clock(go, (enum color)p->side);
    bool limited = is_limited(go, (enum color)p->side);
    go->refused = go->refused && !limited;
    go->infinite = go->infinite || (!limited && !go->refused);
    if (go->refused)
        uci_note(notes, "go: nothing is searched; 'go infinite' searches until 'stop'");
}

struct time_request uci_go_time(const struct uci_go *go, enum color side, int64_t overhead)
{
    return (struct time_request){
        .has_clock = go->has_clock[side] && !go->infinite,
        .left = go->clock[side],
        .increment = go->increment[side],
        .moves = go->moves_to_go,
        .fixed = go->infinite ? 0 : go->move_time,
        .overhead = overhead,
    };
}
