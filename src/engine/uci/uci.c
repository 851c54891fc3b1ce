#include "uci.h"

#include "endgames.h"
#include "process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct uci {
    struct uci_setup setup;
    struct channel channel;
    pthread_t worker;
    bool running; /* the worker thread was started and not joined */
    /* The worker, if any, owns the fields below. */
    struct engine *engine;
    struct uci_options options;
    struct uci_position position;
    int64_t idle_since; /* when the last search ended */
};

/* A command, its words and its arrival time. */
struct command {
    struct words words;
    int64_t arrived;
    uint64_t search; /* the number of the search that it starts, or 0 */
};

static void say(struct uci *u, const struct uci_text *text)
{
    channel_write(&u->channel, text->text, (size_t)text->length);
}

static int64_t now(const struct uci *u)
{
    return u->setup.clock(u->setup.context);
}

/* ---- commands answered at once ---- */

static void do_uci(struct uci *u, struct command *c)
{
    (void)c;
    struct uci_text text = {.length = 0};
    uci_text_add(&text, "id name %s\nid author %s\n", u->setup.name, u->setup.author);
    for (int i = 0; uci_option_describe(&u->setup.defaults, i, &text); i++) {
        say(u, &text);
        text.length = 0;
    }
    channel_write(&u->channel, "uciok\n", 6);
}

static void do_stop(struct uci *u, struct command *c)
{
    (void)c;
    channel_stop(&u->channel);
}

static void do_ponderhit(struct uci *u, struct command *c)
{
    (void)c;
    channel_ponderhit(&u->channel);
}

/* ---- commands executed in order ---- */

/* Applies changed options to the engine. */
static void apply_options(struct uci *u)
{
    struct uci_text notes = {.length = 0};
    uci_options_apply(&u->options, u->engine, &notes);
    say(u, &notes);
}

static void do_isready(struct uci *u, struct command *c)
{
    (void)c;
    apply_options(u);
    channel_write(&u->channel, "readyok\n", 8);
}

static void do_ucinewgame(struct uci *u, struct command *c)
{
    (void)c;
    engine_clear(u->engine);
}

static void do_setoption(struct uci *u, struct command *c)
{
    struct uci_text notes = {.length = 0};
    uci_options_set(&u->options, &c->words, &notes);
    say(u, &notes);
}

static void do_position(struct uci *u, struct command *c)
{
    struct uci_text notes = {.length = 0};
    uci_position_read(&u->position, &c->words, &notes);
    say(u, &notes);
}

/* Searches or counts as `go` asks. */
static void run_go(struct uci *u, const struct uci_go *go, const struct command *c)
{
    const struct uci_task task = {
        .engine = u->engine,
        .start = &u->position,
        .go = go,
        .channel = &u->channel,
        .number = c->search,
        .start_time = c->arrived > u->idle_since ? c->arrived : u->idle_since,
        .clock = u->setup.clock,
        .context = u->setup.context,
        .lines = u->options.lines,
        .kind = u->options.evaluation.kind,
        .show_wdl = u->options.show_wdl,
        .chess960 = u->options.chess960,
        .overhead = u->options.overhead,
        .node_cap = u->setup.node_cap,
    };
    (go->perft > 0 ? uci_perft_run : uci_search_run)(&task);
}

static void do_go(struct uci *u, struct command *c)
{
    struct uci_text notes = {.length = 0};
    struct uci_go go;
    apply_options(u);
    uci_go_read(&go, &u->position.position, &c->words, &notes);
    say(u, &notes);
    if (!go.refused)
        run_go(u, &go, c);
    u->idle_since = now(u);
    channel_search_ended(&u->channel, c->search);
}

/* ---- d and eval ---- */

/* The letter of the piece on a square, lower case for Black; a blank if the square is empty. */
static char piece_at(const struct position *p, int square)
{
    static const char letters[2][NO_KIND + 2] = {"PNBRQK ", "pnbrqk "};
    return letters[p->by_color[BLACK] >> square & 1][p->board[square]];
}

static void add_rank(const struct position *p, int rank, struct uci_text *text)
{
    for (int file = 0; file < 8; file++)
        uci_text_add(text, " | %c", piece_at(p, square_at(file, rank)));
    uci_text_add(text, " | %d\n", rank + 1);
}

/* Adds the board, White at the bottom, then the lines "Fen: ", "Key: " and "Checkers: " (the squares
 * of the pieces that give check). */
static void add_board(const struct position *p, struct uci_text *text)
{
    static const char line[] = " +---+---+---+---+---+---+---+---+\n";
    char fen[FEN_MAX];
    uci_text_add(text, "\n%s", line);
    for (int rank = 7; rank >= 0; rank--) {
        add_rank(p, rank, text);
        uci_text_add(text, "%s", line);
    }
    position_to_fen(p, fen);
    uci_text_add(text,
                 "   a   b   c   d   e   f   g   h\n\nFen: %s\nKey: %016" PRIX64 "\nCheckers:", fen,
                 p->key);
    for (Bitboard set = position_checkers(p); set != 0;) {
        int square = bits_pop(&set);
        uci_text_add(text, " %c%d", 'a' + square_file(square), square_rank(square) + 1);
    }
    uci_text_add(text, "\n");
}

/* Shows the board. */
static void do_d(struct uci *u, struct command *c)
{
    (void)c;
    struct uci_text text = {.length = 0};
    add_board(&u->position.position, &text);
    say(u, &text);
}

/* The score that a search has where the terms add up to `sum`, both from White's side. */
static int32_t score_in_search(enum evaluation_kind kind, const struct position *p, int32_t sum)
{
    if (kind != EVALUATION_MODERN)
        return sum;
    return p->side == WHITE ? endgame_score(p, sum) : -endgame_score(p, -sum);
}

/* Shows what each term contributes to the evaluation of the position, from White's side: count times weight,
 * divided by the evaluation's scale to centipawns; what endgames.h adds to their sum; and the final evaluation in
 * pawns, also as a GUI reads it if that differs. */
static void do_eval(struct uci *u, struct command *c)
{
    (void)c;
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t weights[EVALUATION_WEIGHTS], score = 0;
    const struct evaluation *e = &u->options.evaluation;
    const struct position *p = &u->position.position;
    const bool white = p->side == WHITE;
    struct uci_text text = {.length = 0};
    apply_options(u);
    const int32_t scale = evaluation_scale(e->kind);
    const int count = evaluation_counts(e->kind, p, items);
    evaluation_values(e, weights);
    uci_text_add(&text, "\n%-33s %6s %7s %11s\n", "Term (from White's side)", "count", "weight",
                 "centipawns");
    for (int i = 0; i < count; i++) {
        const int w = items[i].weight;
        const int32_t share = items[i].count * weights[w];
        score += share;
        uci_text_add(&text, "%-33s %+6d %7" PRId32 " %+11.*f\n",
                     evaluation_table(e)->params[w].name, items[i].count, weights[w],
                     scale > 1 ? 2 : 0, (double)share / scale);
        say(u, &text);
        text.length = 0;
    }
    const int32_t sum = score / scale, final = score_in_search(e->kind, p, sum);
    const int32_t shown = uci_score_shown(e->kind, final);
    if (final != sum)
        uci_text_add(&text, "%-33s %6s %7s %+11.2f\n", "endings and the fifty-move clock", "", "",
                     (double)(final - sum));
    uci_text_add(&text, "\nFinal evaluation %+.2f (white side), %+.2f (side to move: %s)\n",
                 final / 100.0, (white ? final : -final) / 100.0, white ? "white" : "black");
    if (shown != final)
        uci_text_add(&text, "Shown in a game %+.2f (white side)\n", shown / 100.0);
    say(u, &text);
}

/* ---- command lookup ---- */

static const struct verb {
    const char *name;
    void (*run)(struct uci *u, struct command *c);
    bool at_once; /* executed by the reader thread */
} verbs[] = {
    {"uci", do_uci, true},
    {"stop", do_stop, true},
    {"ponderhit", do_ponderhit, true},
    {"quit", NULL, true},
    {"debug", NULL, false},
    {"register", NULL, false},
    {"isready", do_isready, false},
    {"ucinewgame", do_ucinewgame, false},
    {"setoption", do_setoption, false},
    {"position", do_position, false},
    {"go", do_go, false},
    {"d", do_d, false},
    {"eval", do_eval, false},
};

static const struct verb *find_verb(struct word word)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (word_is(word, verbs[i].name))
            return &verbs[i];
    return NULL;
}

/* Finds the first word that is a command; the protocol ignores words before it. If `u` is not NULL,
 * notes a line without a command. */
static const struct verb *next_verb(struct uci *u, struct words *w)
{
    char shown[WORD_SHOWN];
    struct uci_text notes = {.length = 0};
    const struct word first = words_peek(w);
    for (struct word word; (word = words_next(w)).text != NULL;) {
        const struct verb *verb = find_verb(word);
        if (verb != NULL)
            return verb;
    }
    if (first.text != NULL) {
        uci_note(&notes, "no command '%s'", word_shown(first, shown));
        say(u, &notes);
    }
    return NULL;
}

/* ---- the worker ---- */

/* Executes queued lines. */
static void *work(void *session)
{
    struct uci *u = session;
    for (struct waiting_line *line; (line = channel_take(&u->channel)) != NULL;) {
        struct command c = {words_of(line->text, line->length), line->arrived, line->search};
        const struct verb *verb = next_verb(u, &c.words);
        if (verb != NULL && verb->run != NULL)
            verb->run(u, &c);
        free(line);
    }
    return NULL;
}

static bool start_worker(struct uci *u, struct error *err)
{
    u->running = thread_start(&u->worker, work, u) == 0;
    return u->running || error_set(err, "cannot start a thread for the UCI session");
}

static void join_worker(struct uci *u)
{
    if (!u->running)
        return;
    channel_close(&u->channel);
    pthread_join(u->worker, NULL);
    u->running = false;
}

/* ---- life cycle ---- */

static int64_t system_clock(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

struct uci *uci_create(const struct uci_setup *setup, struct error *err)
{
    struct uci *u = calloc(1, sizeof *u);
    if (u == NULL) {
        error_set(err, "no memory for a UCI session");
        return NULL;
    }
    u->setup = *setup;
    u->idle_since = INT64_MIN;
    if (u->setup.clock == NULL)
        u->setup.clock = system_clock;
    uci_options_init(&u->options, &u->setup.defaults);
    uci_position_init(&u->position);
    u->engine = engine_create(u->options.hash, err);
    if (u->engine != NULL && channel_init(&u->channel, setup->write, setup->context, err)) {
        if (setup->no_thread || start_worker(u, err))
            return u;
        channel_finish(&u->channel);
    }
    engine_destroy(u->engine);
    free(u);
    return NULL;
}

void uci_destroy(struct uci *u)
{
    if (u == NULL)
        return;
    channel_stop(&u->channel);
    join_worker(u);
    channel_finish(&u->channel);
    engine_destroy(u->engine);
    free(u);
}

/* ---- commands ---- */

/* Queues a command for the worker. */
static void put(struct uci *u, const char *line, size_t length, bool is_go)
{
    static const char refused[] = "info string too many commands are waiting; a line is ignored\n";
    if (channel_put(&u->channel, line, length, is_go, now(u)))
        return;
    channel_write(&u->channel, refused, sizeof refused - 1);
}

bool uci_line(struct uci *u, const char *line, size_t length)
{
    struct command c = {words_of(line, length), now(u), 0};
    const struct verb *verb = next_verb(u, &c.words);
    if (verb == NULL)
        return true;
    if (verb->at_once || u->setup.no_thread) {
        if (verb->run != NULL)
            verb->run(u, &c);
        return strcmp(verb->name, "quit") != 0;
    }
    if (verb->run == do_isready && channel_is_busy(&u->channel))
        channel_write(&u->channel, "readyok\n", 8);
    else if (verb->run != NULL)
        put(u, line, length, verb->run == do_go);
    return true;
}

/* Reads a line of any length. Truncates it at UCI_LINE_MAX and sets `*cut`. False at end of
 * file. */
static bool read_line(FILE *in, char *line, size_t *length, bool *cut)
{
    int c;
    *length = 0;
    *cut = false;
    while ((c = getc(in)) != EOF && c != '\n') {
        if (*length < UCI_LINE_MAX)
            line[(*length)++] = (char)c;
        else
            *cut = true;
    }
    return c != EOF || *length > 0;
}

void uci_serve(struct uci *u, FILE *in)
{
    static const char cut_off[] = "info string a line is too long and is ignored\n";
    char *line = malloc(UCI_LINE_MAX);
    size_t length;
    bool cut, more = line != NULL;
    while (more && read_line(in, line, &length, &cut)) {
        if (cut)
            channel_write(&u->channel, cut_off, sizeof cut_off - 1);
        else
            more = uci_line(u, line, length);
    }
    channel_leave(&u->channel);
    free(line);
    join_worker(u);
}
