#include "uci_go.h"

#include "notation.h"
#include "suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- answers ---- */

void uci_text_add(struct uci_text *t, const char *format, ...)
{
    va_list args;
    int room = (int)sizeof t->text - t->length;
    va_start(args, format);
    int added = vsnprintf(t->text + t->length, (size_t)room, format, args);
    va_end(args);
    t->length += added < room ? added : room - 1;
}

void uci_note(struct uci_text *t, const char *format, ...)
{
    char note[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    for (char *c = note; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = ' ';
    if (t->length + (int)strlen(note) + 16 < (int)sizeof t->text)
        uci_text_add(t, "info string %s\n", note);
}

/* ---- position ---- */

enum { FEN_TEXT = 512 };

void uci_position_init(struct uci_position *p)
{
    position_from_fen(&p->position, FEN_START, NULL, NULL);
    history_init(&p->history);
}

/* Joins the words up to `moves` with spaces; false if they are too long for a FEN. */
static bool join_fen(struct words *w, char fen[FEN_TEXT])
{
    int length = 0;
    fen[0] = '\0';
    for (struct word word; (word = words_peek(w)).text != NULL && !word_is(word, "moves");) {
        words_next(w);
        if (length + word.length + 2 > FEN_TEXT)
            return false;
        if (length > 0)
            fen[length++] = ' ';
        memcpy(fen + length, word.text, (size_t)word.length);
        length += word.length;
        fen[length] = '\0';
    }
    return true;
}

/* Parses the position. */
static bool read_board(struct position *p, struct words *w, struct error *err)
{
    char fen[FEN_TEXT], shown[WORD_SHOWN];
    struct word word = words_next(w);
    if (word_is(word, "startpos"))
        return position_from_fen(p, FEN_START, NULL, err);
    if (!word_is(word, "fen"))
        return error_set(err, "expected startpos or fen, not '%s'", word_shown(word, shown));
    if (!join_fen(w, fen))
        return error_set(err, "too long for a FEN");
    return position_from_fen(p, fen, NULL, err);
}

/* Makes the moves up to the first illegal one. */
static void read_moves(struct uci_position *p, struct words *w, struct uci_text *notes)
{
    char shown[WORD_SHOWN];
    for (struct word word; (word = words_next(w)).text != NULL;) {
        struct error err;
        struct undo undo;
        Move m;
        if (!move_from_text(&p->position, word.text, word.length, &m, &err)) {
            uci_note(notes, "position: '%s' and all moves after it are ignored: %s",
                     word_shown(word, shown), err.text);
            return;
        }
        history_push(&p->history, &p->position);
        position_make(&p->position, m, &undo);
    }
}

void uci_position_read(struct uci_position *p, struct words *w, struct uci_text *notes)
{
    struct error err;
    struct uci_position read;
    char shown[WORD_SHOWN];
    history_init(&read.history);
    if (!read_board(&read.position, w, &err)) {
        uci_note(notes, "position refused, the previous one is kept: %s", err.text);
        return;
    }
    struct word word = words_next(w);
    if (word_is(word, "moves"))
        read_moves(&read, w, notes);
    else if (word.text != NULL)
        uci_note(notes, "position: '%s' is ignored; expected moves", word_shown(word, shown));
    *p = read;
}

/* ---- time ---- */

enum {
    HORIZON = 26,      /* expected number of moves in the rest of a game */
    SOFT_PERCENT = 55, /* of a move's share; an iteration started later would seldom finish */
    HARD_PERCENT = 350
};

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

/* A fixed time less the overhead, but at least half of it. */
static struct time_limits fixed_limits(const struct time_request *r)
{
    int64_t time = at_least(r->fixed - r->overhead, at_least(r->fixed / 2, 1));
    return (struct time_limits){time, time, true};
}

/* The maximum time of a move out of `usable`: all of it for the last move before the time control,
 * otherwise less a reserve for later moves. */
static int64_t ceiling(int64_t usable, int64_t moves)
{
    return moves == 1 ? usable : moves == 2 ? usable * 7 / 10 : usable / 2;
}

struct time_limits time_limits_for(const struct time_request *r)
{
    if (r->fixed > 0)
        return fixed_limits(r);
    if (!r->has_clock)
        return (struct time_limits){0};
    int64_t usable = at_least(r->left - r->overhead, 1);
    int64_t moves = r->moves > 0 ? at_most(r->moves, HORIZON) : HORIZON;
    int64_t share = usable / moves + at_least(r->increment, 0) * 3 / 4;
    int64_t most = at_least(ceiling(usable, r->moves), 1);
    int64_t hard = at_least(at_most(share * HARD_PERCENT / 100, most), 1);
    int64_t soft = at_least(at_most(share * SOFT_PERCENT / 100, hard), 1);
    return (struct time_limits){soft, hard, false};
}

bool time_is_enough(const struct time_limits *limits, int64_t elapsed, int stable)
{
    static const int percent[] = {170, 135, 110, 95, 85, 75, 70};
    enum { LAST = sizeof percent / sizeof percent[0] - 1 };
    if (limits->hard == 0 || limits->fixed)
        return limits->hard > 0 && elapsed >= limits->hard;
    return elapsed >= limits->soft * percent[stable < LAST ? stable : LAST] / 100;
}

/* ---- go ---- */

enum {
    NUMBER_MAX = 1000000000,
    PERFT_MAX = 20,
    MATE_PLIES = 6 /* extra plies: a selective search may find a mate later */
};
static const int64_t long_time = (int64_t)1000 * 3600 * 24 * 365; /* a year */

/* A word of `go` that a number follows: the number's range, and its field of struct uci_go. */
struct limit {
    const char *name;
    int64_t min, max;
    size_t field;
};

#define FIELD(name) offsetof(struct uci_go, name)

static const struct limit limits[] = {
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
    char shown[WORD_SHOWN];
    if (word_number(words_peek(w), limit->min, limit->max, &value)) {
        words_next(w);
        memcpy((char *)go + limit->field, &value, sizeof value);
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
    char shown[WORD_SHOWN];
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
    char shown[WORD_SHOWN];
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
           go->clock[side] != UCI_NO_CLOCK;
}

/* Completes a clock of which something is given, but not the time of the side to move: an increment,
 * or the time of the other side. Nothing is left on it then but the increment. A search without end
 * would lose the game of a GUI that never says `stop`, and a refusal has no best move. */
static void complete_clock(struct uci_go *go, enum color side)
{
    const enum color other = color_other(side);
    if (is_limited(go, side) ||
        !(go->increment[side] > 0 || go->increment[other] > 0 || go->clock[other] != UCI_NO_CLOCK))
        return;
    go->clock[side] = go->increment[side];
}

void uci_go_read(struct uci_go *go, const struct position *p, struct words *w,
                 struct uci_text *notes)
{
    *go = (struct uci_go){.clock = {UCI_NO_CLOCK, UCI_NO_CLOCK}};
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
        .has_clock = go->clock[side] != UCI_NO_CLOCK && !go->infinite,
        .left = go->clock[side],
        .increment = go->increment[side],
        .moves = go->moves_to_go,
        .fixed = go->infinite ? 0 : go->move_time,
        .overhead = overhead,
    };
}
