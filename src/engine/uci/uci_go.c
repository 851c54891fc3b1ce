/* What to search, and for how long: the commands `position` and `go`. */
#include "notation.h"
#include "suggest.h"
#include "uci_session.h"

#include <stddef.h>
#include <string.h>

/* ---- position ---- */

/* Reads "startpos" or "fen FEN". */
static bool read_board(struct position *p, struct words *w, struct error *err)
{
    char fen[512], shown[WORD_SHOWN];
    const struct word word = words_next(w);
    if (word_is(word, "startpos"))
        return position_from_fen(p, FEN_START, NULL, err);
    if (!word_is(word, "fen"))
        return error_set(err, "expected startpos or fen, not '%s'", word_shown(word, shown));
    struct words text = *w;
    for (struct word next; (next = words_peek(w)).text != NULL && !word_is(next, "moves");)
        words_next(w);
    text.end = w->at;
    const struct word rest = words_rest(&text);
    if (rest.length >= (int)sizeof fen)
        return error_set(err, "too long for a FEN");
    for (int i = 0; i < rest.length; i++)
        fen[i] = (char)(rest.text[i] == '\0' ? ' ' : rest.text[i]);
    fen[rest.length] = '\0';
    return position_from_fen(p, fen, NULL, err);
}

/* Makes the moves up to the first illegal one. */
static void read_moves(struct uci *u, struct words *w)
{
    char shown[WORD_SHOWN];
    for (struct word word; (word = words_next(w)).text != NULL;) {
        struct error err;
        struct undo undo;
        Move m;
        if (!move_from_text(&u->position, word.text, word.length, &m, &err)) {
            uci_note(u, "position: '%s' and all moves after it are ignored: %s",
                     word_shown(word, shown), err.text);
            return;
        }
        history_push(&u->history, &u->position);
        position_make(&u->position, m, &undo);
    }
}

void uci_read_position(struct uci *u, struct words *w)
{
    struct error err;
    struct position read;
    char shown[WORD_SHOWN];
    if (!read_board(&read, w, &err)) {
        uci_note(u, "position refused, the previous one is kept: %s", err.text);
        return;
    }
    u->position = read;
    history_init(&u->history);
    const struct word word = words_next(w);
    if (word_is(word, "moves"))
        read_moves(u, w);
    else if (word.text != NULL)
        uci_note(u, "position: '%s' is ignored; expected moves", word_shown(word, shown));
}

/* ---- go ---- */

enum {
    NUMBER_MAX = 1000000000,
    PERFT_MAX = 20,
    MATE_PLIES = 6, /* extra plies: a selective search may find a mate later */
    NOTES_MAX = 16  /* about one line */
};
static const int64_t long_time = (int64_t)1000 * 3600 * 24 * 365; /* a year */

#define FIELD(name) offsetof(struct uci_go, name)

/* The words of `go`. A number follows most, in this range, for this field; of the others the range is 0. */
static const struct limit {
    const char *name;
    int64_t min, max;
    size_t field;
} limits[] = {
    {"wtime", -1000000, long_time, FIELD(clock[WHITE])},
    {"btime", -1000000, long_time, FIELD(clock[BLACK])},
    {"winc", 0, long_time, FIELD(increment[WHITE])},
    {"binc", 0, long_time, FIELD(increment[BLACK])},
    {"movestogo", 0, NUMBER_MAX, FIELD(moves_to_go)},
    {"movetime", 1, long_time, FIELD(move_time)},
    {"nodes", 1, INT64_MAX, FIELD(nodes)},
    {"depth", 1, MAX_DEPTH, FIELD(depth)},
    {"mate", 1, MAX_DEPTH / 2, FIELD(mate)},
    {"perft", 1, PERFT_MAX, FIELD(perft)},
    {"infinite", 0, 0, FIELD(infinite)},
    {"ponder", 0, 0, FIELD(ponder)},
    {"searchmoves", 0, 0, 0},
};

enum { LIMITS = sizeof limits / sizeof limits[0] };

static const struct limit *find_limit(struct word word)
{
    for (int i = 0; i < LIMITS; i++)
        if (word_is(word, limits[i].name))
            return &limits[i];
    return NULL;
}

/* Parses the moves after `searchmoves`. Returns the number of bad ones. */
static int read_search_moves(struct uci *u, struct uci_go *go, struct words *w)
{
    char shown[WORD_SHOWN];
    int bad = 0;
    for (struct word word; (word = words_peek(w)).text != NULL && find_limit(word) == NULL;
         words_next(w)) {
        struct error err;
        Move m;
        int i = 0;
        if (move_from_text(&u->position, word.text, word.length, &m, &err)) {
            while (i < go->move_count && go->moves[i] != m)
                i++;
            go->moves[i] = m;
            go->move_count += i == go->move_count;
        } else if (bad++ < NOTES_MAX) {
            uci_note(u, "go: searchmoves: '%s' is ignored: %s", word_shown(word, shown), err.text);
        }
    }
    if (go->move_count == 0)
        uci_note(u, "go: searchmoves is ignored: no legal move is given");
    return bad;
}

/* Notes a word that `go` does not know, and suggests a similar one. */
static void note_unknown(struct uci *u, struct word word)
{
    char shown[WORD_SHOWN];
    struct suggestion near;
    suggest_init(&near, word_shown(word, shown));
    for (int i = 0; i < LIMITS; i++)
        suggest_offer(&near, limits[i].name, limits[i].name);
    if (near.name != NULL)
        uci_note(u, "go: '%s' is ignored; did you mean %s?", shown, near.name);
    else
        uci_note(u, "go: '%s' is ignored: it is no limit of a search", shown);
}

/* Reads a word, and what follows it. Returns the number of faults before it and in it. */
static int read_word(struct uci *u, struct uci_go *go, struct words *w, int faults)
{
    const struct word word = words_next(w), next = words_peek(w);
    const struct limit *limit = find_limit(word);
    char shown[WORD_SHOWN];
    int64_t value;
    if (limit != NULL && limit->max == 0) {
        if (word_is(word, "searchmoves"))
            return faults + read_search_moves(u, go, w);
        *(bool *)((char *)go + limit->field) = true;
        return faults;
    }
    if (limit != NULL && word_number(next, limit->min, limit->max, &value)) {
        words_next(w);
        memcpy((char *)go + limit->field, &value, sizeof value);
        return faults;
    }
    if (limit == NULL && word_number(next, 0, 0, &value))
        words_next(w);
    if (faults < NOTES_MAX && limit == NULL)
        note_unknown(u, word);
    else if (faults < NOTES_MAX)
        uci_note(u, "go: %s expects an integer, not '%s'", limit->name, word_shown(next, shown));
    return faults + 1;
}

/* Whether a limit is given to the side to move, or the search is asked to have none. */
static bool is_limited(const struct uci_go *go, enum color side)
{
    return go->infinite || go->perft > 0 || go->nodes > 0 || go->depth > 0 || go->move_time > 0 ||
           go->clock[side] != UCI_NO_CLOCK;
}

/* A clock of which something is given, but not the time of the side to move, has nothing left but the increment. A
 * search without end would lose the game of a GUI that never says `stop`, and a refusal has no best move. */
void uci_read_go(struct uci *u, struct uci_go *go, struct words *w)
{
    const enum color side = (enum color)u->position.side, other = color_other(side);
    int faults = 0;
    *go = (struct uci_go){.clock = {UCI_NO_CLOCK, UCI_NO_CLOCK}};
    while (words_peek(w).text != NULL)
        faults = read_word(u, go, w, faults);
    if (go->mate > 0 && go->depth == 0)
        go->depth = 2 * go->mate + MATE_PLIES;
    if (!is_limited(go, side) &&
        (go->increment[side] > 0 || go->increment[other] > 0 || go->clock[other] != UCI_NO_CLOCK))
        go->clock[side] = go->increment[side];
    const bool limited = is_limited(go, side);
    go->refused = faults > 0 && !limited;
    go->infinite = go->infinite || (!limited && !go->refused);
    if (go->refused)
        uci_note(u, "go: nothing is searched; 'go infinite' searches until 'stop'");
}
