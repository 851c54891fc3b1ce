#include "endgames.h"
#include "process.h"
#include "uci_session.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAITING_MAX = 64 << 20 }; /* bytes */

/* ---- answers ---- */

void uci_say(struct uci *u, const struct uci_text *text)
{
    pthread_mutex_lock(&u->writing);
    u->setup.write(u->setup.context, text->text, (size_t)text->length);
    pthread_mutex_unlock(&u->writing);
}

static void add(struct uci_text *t, const char *format, va_list args)
{
    int room = (int)sizeof t->text - t->length;
    int added = vsnprintf(t->text + t->length, (size_t)room, format, args);
    t->length += added < room ? added : room - 1;
}

void uci_text_add(struct uci_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(t, format, args);
    va_end(args);
}

void uci_answer(struct uci *u, const char *format, ...)
{
    struct uci_text text = {.length = 0};
    va_list args;
    va_start(args, format);
    add(&text, format, args);
    va_end(args);
    uci_say(u, &text);
}

void uci_note(struct uci *u, const char *format, ...)
{
    char note[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    for (char *c = note; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = ' ';
    uci_answer(u, "info string %s\n", note);
}

static int64_t now(const struct uci *u)
{
    return u->setup.clock(u->setup.context);
}

/* ---- the queue, and signals to the worker ---- */

/* Queues a line for the worker; false if the queue is full, or memory is short. One that starts a search gets
 * the next number. */
static bool put(struct uci *u, const char *text, size_t length, bool is_go)
{
    struct waiting_line *line = malloc(sizeof *line + length);
    if (line == NULL)
        return false;
    *line = (struct waiting_line){.arrived = now(u), .length = length};
    memcpy(line->text, text, length);
    pthread_mutex_lock(&u->mutex);
    const bool fits = u->bytes + length <= WAITING_MAX;
    if (fits) {
        line->search = is_go ? ++u->begun : 0;
        *u->last = line;
        u->last = &line->next;
        u->bytes += length;
        pthread_cond_broadcast(&u->changed);
    }
    pthread_mutex_unlock(&u->mutex);
    if (!fits)
        free(line);
    return fits;
}

/* Waits for a line, which the caller frees; NULL once the queue is empty and closed. */
static struct waiting_line *take(struct uci *u)
{
    pthread_mutex_lock(&u->mutex);
    while (u->first == NULL && !u->closed)
        pthread_cond_wait(&u->changed, &u->mutex);
    struct waiting_line *line = u->first;
    if (line != NULL) {
        u->first = line->next;
        u->last = u->first == NULL ? &u->first : u->last;
        u->bytes -= line->length;
    }
    pthread_mutex_unlock(&u->mutex);
    return line;
}

/* Sends a signal to all searches queued so far. */
static void signal_searches(struct uci *u, atomic_uint_fast64_t *signal)
{
    pthread_mutex_lock(&u->mutex);
    atomic_store(signal, u->begun);
    pthread_cond_broadcast(&u->changed);
    pthread_mutex_unlock(&u->mutex);
}

/* Whether a search is running or queued. */
static bool is_busy(struct uci *u)
{
    pthread_mutex_lock(&u->mutex);
    const bool busy = u->begun > u->ended;
    pthread_mutex_unlock(&u->mutex);
    return busy;
}

void uci_search_ends(struct uci *u, uint64_t search, bool waits, bool pondering)
{
    pthread_mutex_lock(&u->mutex);
    while (waits && search > 0 && !uci_is_stopped(u, search) &&
           !(pondering && uci_signalled(&u->hit, search)))
        pthread_cond_wait(&u->changed, &u->mutex);
    u->ended = search;
    pthread_mutex_unlock(&u->mutex);
}

/* ---- commands answered at once ---- */

static void do_uci(struct uci *u, struct words *w)
{
    (void)w;
    uci_answer(u, "id name %s\nid author %s\n", u->setup.name, u->setup.author);
    uci_options_describe(u);
    uci_answer(u, "uciok\n");
}

static void do_stop(struct uci *u, struct words *w)
{
    (void)w;
    signal_searches(u, &u->stopped);
}

static void do_ponderhit(struct uci *u, struct words *w)
{
    (void)w;
    signal_searches(u, &u->hit);
}

/* ---- commands executed in order ---- */

static void do_isready(struct uci *u, struct words *w)
{
    (void)w;
    uci_options_apply(u);
    uci_answer(u, "readyok\n");
}

static void do_ucinewgame(struct uci *u, struct words *w)
{
    (void)w;
    engine_clear(u->engine);
}

static void do_go(struct uci *u, struct words *w)
{
    struct uci_go go;
    uci_options_apply(u);
    uci_read_go(u, &go, w);
    if (!go.refused && go.perft > 0)
        uci_perft(u, &go, u->search);
    else if (!go.refused)
        uci_search(u, &go, u->search, u->arrived > u->idle_since ? u->arrived : u->idle_since);
    u->idle_since = now(u);
    uci_search_ends(u, u->search, false, false);
}

/* ---- d and eval ---- */

/* The letter of the piece on a square, lower case for Black; a blank if the square is empty. */
static char piece_at(const struct position *p, int square)
{
    static const char letters[2][NO_KIND + 2] = {"PNBRQK ", "pnbrqk "};
    return letters[p->by_color[BLACK] >> square & 1][p->board[square]];
}

/* Shows the board, White at the bottom, then the lines "Fen: ", "Key: " and "Checkers: " (the squares
 * of the pieces that give check). */
static void do_d(struct uci *u, struct words *w)
{
    static const char line[] = " +---+---+---+---+---+---+---+---+\n";
    const struct position *p = &u->position;
    struct uci_text text = {.length = 0};
    char fen[FEN_MAX];
    (void)w;
    uci_text_add(&text, "\n%s", line);
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++)
            uci_text_add(&text, " | %c", piece_at(p, square_at(file, rank)));
        uci_text_add(&text, " | %d\n%s", rank + 1, line);
    }
    position_to_fen(p, fen);
    uci_text_add(&text,
                 "   a   b   c   d   e   f   g   h\n\nFen: %s\nKey: %016" PRIX64 "\nCheckers:", fen,
                 p->key);
    for (Bitboard set = position_checkers(p); set != 0;) {
        int square = bits_pop(&set);
        uci_text_add(&text, " %c%d", 'a' + square_file(square), square_rank(square) + 1);
    }
    uci_text_add(&text, "\n");
    uci_say(u, &text);
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
static void do_eval(struct uci *u, struct words *w)
{
    (void)w;
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t weights[EVALUATION_WEIGHTS], score = 0;
    const struct evaluation *e = &u->options.evaluation;
    const struct position *p = &u->position;
    const bool white = p->side == WHITE;
    uci_options_apply(u);
    const int32_t scale = evaluation_scale(e->kind);
    const int count = evaluation_counts(e->kind, p, items);
    evaluation_values(e, weights);
    uci_answer(u, "\n%-33s %6s %7s %11s\n", "Term (from White's side)", "count", "weight",
               "centipawns");
    for (int i = 0; i < count; i++) {
        const int weight = items[i].weight;
        const int32_t share = items[i].count * weights[weight];
        score += share;
        uci_answer(u, "%-33s %+6d %7" PRId32 " %+11.*f\n", evaluation_table(e)->params[weight].name,
                   items[i].count, weights[weight], scale > 1 ? 2 : 0, (double)share / scale);
    }
    const int32_t sum = score / scale, final = score_in_search(e->kind, p, sum);
    const int32_t shown = uci_score_shown(e->kind, final);
    if (final != sum)
        uci_answer(u, "%-33s %6s %7s %+11.2f\n", "endings and the fifty-move clock", "", "",
                   (double)(final - sum));
    uci_answer(u, "\nFinal evaluation %+.2f (white side), %+.2f (side to move: %s)\n",
               final / 100.0, (white ? final : -final) / 100.0, white ? "white" : "black");
    if (shown != final)
        uci_answer(u, "Shown in a game %+.2f (white side)\n", shown / 100.0);
}

/* ---- command lookup ---- */

static const struct verb {
    const char *name;
    void (*run)(struct uci *u, struct words *w);
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
    {"setoption", uci_options_set, false},
    {"position", uci_read_position, false},
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

/* The first word that is a command, as the protocol has it. Notes a line without one. */
static const struct verb *next_verb(struct uci *u, struct words *w)
{
    char shown[WORD_SHOWN];
    const struct word first = words_peek(w);
    for (struct word word; (word = words_next(w)).text != NULL;) {
        const struct verb *verb = find_verb(word);
        if (verb != NULL)
            return verb;
    }
    if (first.text != NULL)
        uci_note(u, "no command '%s'", word_shown(first, shown));
    return NULL;
}

/* ---- the worker ---- */

/* Executes queued lines. */
static void *work(void *session)
{
    struct uci *u = session;
    for (struct waiting_line *line; (line = take(u)) != NULL;) {
        struct words words = words_of(line->text, line->length);
        const struct verb *verb = next_verb(u, &words);
        u->arrived = line->arrived;
        u->search = line->search;
        if (verb != NULL && verb->run != NULL)
            verb->run(u, &words);
        free(line);
    }
    return NULL;
}

/* Lets the worker end after the lines that wait. */
static void join_worker(struct uci *u)
{
    if (!u->running)
        return;
    pthread_mutex_lock(&u->mutex);
    u->closed = true;
    pthread_cond_broadcast(&u->changed);
    pthread_mutex_unlock(&u->mutex);
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
    struct uci *u = malloc(sizeof *u);
    if (u == NULL)
        return error_null(err, "no memory for a UCI session");
    *u = (struct uci){.setup = *setup,
                      .writing = PTHREAD_MUTEX_INITIALIZER,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER,
                      .last = &u->first,
                      .idle_since = INT64_MIN};
    if (u->setup.clock == NULL)
        u->setup.clock = system_clock;
    uci_options_init(u);
    position_from_fen(&u->position, FEN_START, NULL, NULL);
    history_init(&u->history);
    u->engine = engine_create(u->options.hash, err);
    if (u->engine != NULL && !setup->no_thread) {
        u->running = thread_start(&u->worker, work, u) == 0;
        if (!u->running)
            error_set(err, "cannot start a thread for the UCI session");
    }
    if (u->engine != NULL && (setup->no_thread || u->running))
        return u;
    uci_destroy(u);
    return NULL;
}

void uci_destroy(struct uci *u)
{
    if (u == NULL)
        return;
    signal_searches(u, &u->stopped);
    join_worker(u);
    for (struct waiting_line *next; u->first != NULL; u->first = next) {
        next = u->first->next;
        free(u->first);
    }
    pthread_cond_destroy(&u->changed);
    pthread_mutex_destroy(&u->writing);
    pthread_mutex_destroy(&u->mutex);
    engine_destroy(u->engine);
    free(u);
}

/* ---- commands ---- */

bool uci_line(struct uci *u, const char *line, size_t length)
{
    struct words words = words_of(line, length);
    const struct verb *verb = next_verb(u, &words);
    if (verb == NULL)
        return true;
    if (u->setup.no_thread)
        u->arrived = now(u);
    if (verb->at_once || u->setup.no_thread) {
        if (verb->run != NULL)
            verb->run(u, &words);
        return strcmp(verb->name, "quit") != 0;
    }
    if (verb->run == do_isready && is_busy(u))
        uci_answer(u, "readyok\n");
    else if (verb->run != NULL && !put(u, line, length, verb->run == do_go))
        uci_note(u, "too many commands are waiting; a line is ignored");
    return true;
}

/* Reads a line; one beyond UCI_LINE_MAX is cut, and `*cut` set. False at the end of the file. */
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
    char *line = malloc(UCI_LINE_MAX);
    size_t length;
    bool cut, more = line != NULL;
    while (more && read_line(in, line, &length, &cut)) {
        if (cut)
            uci_note(u, "a line is too long and is ignored");
        else
            more = uci_line(u, line, length);
    }
    signal_searches(u, &u->left);
    free(line);
    join_worker(u);
}
