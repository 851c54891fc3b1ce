#include "match_file.h"

#include "game_pgn.h"
#include "match_broken.h"
#include "paths.h"
#include "pgn.h"
#include "text_stream.h"
#include "uci_client.h"
#include "version.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEATED_PLIES = 8, REPEATED_NODES = 4000000 };

/* ---- tags ---- */

/* What the tags say of a player. */
static struct game_pgn_player pgn_player(const struct match_player *p, const char *options)
{
    if (p->process != NULL)
        return (struct game_pgn_player){.name = p->name,
                                        .command = p->process->command,
                                        .engine = p->engine,
                                        .options = options};
    return (struct game_pgn_player){p->name, p->evaluation.name, p->evaluation.sha256,
                                    p->search.name, p->search.sha256};
}

/* The tags of a game. Round "3.2" is the second game of the third pair. */
static struct game_pgn_tags tags_of(const struct match_file *f, int64_t number, char round[32])
{
    const struct match_settings *s = f->match->settings;
    snprintf(round, 32, "%" PRId64 ".%d", number / 2 + 1, (int)(number % 2) + 1);
    struct game_pgn_tags tags = {.event = "grayling match",
                                 .date = s->date,
                                 .round = round,
                                 .limits = s->limits,
                                 .adjudication =
                                     f->adjudication[0] != '\0' ? f->adjudication : NULL,
                                 .engine = "grayling " GRAYLING_VERSION,
                                 .hash = f->hash,
                                 .openings = s->book_name,
                                 .openings_sha256 = f->openings_sha256,
                                 .seed = f->seed};
    for (int side = WHITE; side <= BLACK; side++) {
        int player = match_player_of(number, (enum color)side);
        tags.players[side] = pgn_player(&s->players[player], f->options[player]);
    }
    return tags;
}

/* Describes the adjudication rules, if any. */
static void describe_adjudication(const struct game_adjudication *a, char text[MATCH_RULES_MAX])
{
    int used = 0;
    text[0] = '\0';
    if (a->win_score > 0)
        used += snprintf(text, MATCH_RULES_MAX, "won %d moves %d, ", a->win_score, a->win_moves);
    if (a->draw_moves > 0)
        used += snprintf(text + used, MATCH_RULES_MAX - (size_t)used, "drawn %d moves %d from %d, ",
                         a->draw_score, a->draw_moves, a->draw_from);
    if (a->max_plies > 0)
        used += snprintf(text + used, MATCH_RULES_MAX - (size_t)used, "plies %d, ", a->max_plies);
    if (used > 0)
        text[used - 2] = '\0';
}

static void print_opening(FILE *out, const struct opening *o)
{
    char fen[FEN_MAX], uci[UCI_MAX];
    struct position p = o->start;
    position_to_fen(&p, fen);
    fputs(fen, out);
    for (int i = 0; i < o->plies; i++) {
        struct undo undo;
        move_to_uci(&p, o->moves[i], uci);
        fprintf(out, " %s", uci);
        position_make(&p, o->moves[i], &undo);
    }
    fputc('\n', out);
}

bool match_book_checksum(const struct book *b, char text[CHECKSUM_MAX], struct error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = text_stream(&bytes, &length);
    for (size_t i = 0; out != NULL && i < b->count; i++)
        print_opening(out, &b->items[i]);
    bool written = out != NULL && fclose(out) == 0;
    if (written)
        checksum_bytes(bytes, length, text);
    free(bytes);
    return written || error_set(err, "no memory for the checksum of %zu openings", b->count);
}

/* Describes the options of a player's engine (malloc'ed): "Hash=16; Threads=1". */
static bool describe_options(const struct match_player *p, char **text, struct error *err)
{
    size_t size;
    *text = NULL;
    if (p->process == NULL)
        return true;
    FILE *out = text_stream(text, &size);
    for (int i = 0; out != NULL && i < p->process->value_count; i++)
        fprintf(out, "%s%s=%s", i == 0 ? "" : "; ", p->process->values[i].name,
                p->process->values[i].value);
    return (out != NULL && fclose(out) == 0) || error_set(err, "no memory for options");
}

/* Sets the tag values that all games of a match share. */
static bool describe(struct match_file *f, const struct match *m, struct error *err)
{
    const struct match_settings *s = m->settings;
    f->match = m;
    describe_adjudication(&s->adjudication, f->adjudication);
    snprintf(f->hash, sizeof f->hash, "%d", s->hash_mib);
    snprintf(f->seed, sizeof f->seed, "%" PRIu64, s->seed);
    for (int p = 0; p < 2; p++) {
        free(f->options[p]);
        if (!describe_options(&s->players[p], &f->options[p], err))
            return false;
    }
    return match_book_checksum(s->book, f->openings_sha256, err);
}

/* ---- writing ---- */

static bool fail(const struct match_file *f, const char *what, struct error *err)
{
    return error_set(err, "cannot %s %s: %s", what, f->path, strerror(errno));
}

/* Locks the file against other processes. */
static bool lock(const struct match_file *f, struct error *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(f->file), F_SETLK, &all) == 0)
        return true;
    return file_lock_is_held(errno)
               ? error_set(err, "%s is being written by another process", f->path)
               : fail(f, "lock", err);
}

/* Opens a file to be written anew. A link in its place is replaced, not followed. */
static int open_anew(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
    if (fd >= 0 || errno != ELOOP || remove(path) != 0)
        return fd;
    return open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
}

/* Opens the file with `flags`. */
static bool open_file(struct match_file *f, int flags, struct error *err)
{
    int fd = flags == O_CREAT ? open_anew(f->path) : open(f->path, O_RDWR | flags, 0666);
    if (fd < 0 && errno == EEXIST)
        return error_set(err, "%s exists; resume with --resume, or overwrite with --force",
                         f->path);
    if (fd < 0)
        return fail(f, flags == 0 ? "open" : "write", err);
    f->file = fdopen(fd, "r+");
    if (f->file != NULL)
        return lock(f, err);
    close(fd);
    return fail(f, "open", err);
}

/* Truncates the file at `end` and seeks there. */
static bool cut(struct match_file *f, off_t end, struct error *err)
{
    return (fseeko(f->file, end, SEEK_SET) == 0 && ftruncate(fileno(f->file), end) == 0) ||
           fail(f, "write", err);
}

bool match_file_begin(struct match_file *f, const struct match *m, const char *path, bool force,
                      struct error *err)
{
    char log[MATCH_LOG_PATH];
    *f = (struct match_file){.path = path};
    match_file_log(path, log);
    bool good =
        describe(f, m, err) && open_file(f, O_CREAT | (force ? 0 : O_EXCL), err) && cut(f, 0, err);
    if (good)
        remove(log);
    else
        match_file_close(f);
    return good;
}

bool match_file_add(struct match_file *f, int64_t number, const struct game *g, struct error *err)
{
    char round[32], log[MATCH_LOG_PATH];
    if (f->file == NULL)
        return true;
    match_file_log(f->path, log);
    if (g->failure[0] != '\0' && !match_failure_add(log, f->match, number, g, err))
        return false;
    struct game_pgn_tags tags = tags_of(f, number, round);
    return (game_pgn_write(f->file, g, &tags) && fflush(f->file) == 0) || fail(f, "write", err);
}

void match_file_log(const char *path, char log[MATCH_LOG_PATH])
{
    snprintf(log, MATCH_LOG_PATH, "%.4000s.failures", path);
}

void match_file_close(struct match_file *f)
{
    if (f->file != NULL)
        fclose(f->file);
    free(f->options[0]);
    free(f->options[1]);
    *f = (struct match_file){0};
}

/* ---- comparing ---- */

/* The expected tags of a game as text (malloc'ed), including those that depend on its course; NULL
 * with the reason. */
static char *expected_tags(const struct match_file *f, int64_t number, struct error *err)
{
    char round[32], *text = NULL;
    size_t size;
    struct game g = {.start = match_opening(f->match, number)->start, .end = GAME_TOO_LONG};
    struct game_pgn_tags tags = tags_of(f, number, round);
    FILE *out = text_stream(&text, &size);
    bool written = out != NULL && game_pgn_write(out, &g, &tags);
    if (out != NULL && fclose(out) == 0 && written) {
        *strstr(text, "]\n\n") = '\0';
        strcat(text, "]\n");
        return text;
    }
    free(text);
    error_set(err, "no memory for the tags of a game");
    return NULL;
}

/* A file being compared with the match. */
struct scan {
    struct match_file *f;
    struct match *match; /* counts the games */
    bool last;           /* no game may follow the match */
    bool over;           /* the match is over, and others may follow */
    char *text;          /* the current line; owned */
    size_t size;
    bool whole; /* the line is complete */
    long line;  /* from 1 */
    off_t at;   /* offset of the next line */
    enum pgn_result result;
    enum game_end end;           /* of the current game, if a player failed */
    char *tags;                  /* expected tags of the current game; owned */
    const char *next;            /* the next expected tag; NULL in the moves */
    struct error other_position; /* a different start position, reported if no later tag explains
                                    it */
};

/* The length of the part of a tag that does not depend on how its game went. */
static size_t fixed_length(const char *tag)
{
    static const char *const free_tags[] = {"[Result \"", "[PlyCount \"", "[Termination \"",
                                            "[BlackMeanNodes \"", "[WhiteMeanNodes \""};
    for (size_t i = 0; i < sizeof free_tags / sizeof free_tags[0]; i++)
        if (strncmp(tag, free_tags[i], strlen(free_tags[i])) == 0)
            return strlen(free_tags[i]);
    return strcspn(tag, "\n");
}

/* Reports a different tag. A different start position is only noted, because a later tag may name
 * its cause. */
static bool tag_differs(struct scan *s, struct error *err)
{
    bool position = strncmp(s->text, "[FEN ", 5) == 0 && strncmp(s->next, "[FEN ", 5) == 0;
    struct error *reason = position ? &s->other_position : err;
    error_set(reason, "%s:%ld: the match was begun with %.200s, and now there is %.*s", s->f->path,
              s->line, s->text, (int)strcspn(s->next, "\n"), s->next);
    return position;
}

/* Copies the value of the current line, which is a tag with this name. False for other tags. */
static bool tag_value(const struct scan *s, const char *name, char value[64])
{
    size_t length = strlen(name);
    if (strncmp(s->text + 1, name, length) != 0 || s->text[1 + length] != ' ')
        return false;
    snprintf(value, 64, "%s", s->text + length + 3);
    value[strcspn(value, "\"")] = '\0';
    return true;
}

/* Takes the result and the end of the game from their tags. */
static void read_tag(struct scan *s)
{
    char value[64];
    if (tag_value(s, "Result", value))
        s->result = pgn_result_named(value);
    else if (tag_value(s, "Termination", value))
        s->end = game_pgn_termination(value);
}

/* Compares a line, which may be incomplete, with the next tag. */
static bool compare_tag(struct scan *s, struct error *err)
{
    size_t length = fixed_length(s->next), whole = strcspn(s->next, "\n"), there = strlen(s->text);
    if (!s->whole && there < length)
        length = there;
    bool same = strncmp(s->text, s->next, length) == 0 && (length < whole || there == whole);
    if (!same && !tag_differs(s, err))
        return false;
    if (s->whole)
        read_tag(s);
    s->next += s->whole ? whole + 1 : 0;
    return true;
}

/* Ends the scan of a match that is over, unless it should be the last of the file. */
static bool end_match(struct scan *s, struct error *err)
{
    const struct match *m = s->match;
    s->over = true;
    if (!s->last)
        return true;
    if (m->played == m->settings->games)
        return error_set(err, "%s:%ld: more games than --games %" PRId64, s->f->path, s->line,
                         m->settings->games);
    return error_set(err, "%s:%ld: game %" PRId64 ": the test was decided before it", s->f->path,
                     s->line, m->played + 1);
}

/* Prepares to read the next game. */
static bool expect_game(struct scan *s, struct error *err)
{
    free(s->tags);
    s->tags = expected_tags(s->f, s->match->played, err);
    s->next = s->tags;
    s->result = PGN_UNKNOWN;
    s->end = GAME_CHECKMATE;
    return s->tags != NULL;
}

/* Expects the blank line between tags and moves. */
static bool end_tags(struct scan *s, struct error *err)
{
    s->next = NULL;
    if (s->other_position.text[0] != '\0')
        return error_set(err, "%s", s->other_position.text);
    return s->text[0] == '\0' ||
           error_set(err, "%s:%ld: damaged: a blank line is missing", s->f->path, s->line);
}

/* Counts the game that has ended. */
static bool end_game(struct scan *s, struct error *err)
{
    static const enum game_result results[] = {[PGN_WHITE_WINS] = GAME_WHITE_WINS,
                                               [PGN_BLACK_WINS] = GAME_BLACK_WINS,
                                               [PGN_DRAW] = GAME_DRAWN};
    int64_t number = s->match->played;
    free(s->tags);
    s->tags = NULL;
    if (s->result == PGN_UNKNOWN)
        return error_set(err, "%s:%ld: game %" PRId64 " is damaged: no result", s->f->path, s->line,
                         number + 1);
    match_count(s->match, results[s->result]);
    match_count_failure(s->match, number, s->end, results[s->result]);
    s->f->end = s->at;
    s->f->line = s->line;
    return true;
}

/* Processes a line. */
static bool scan_line(struct scan *s, struct error *err)
{
    if (s->tags == NULL && !match_goes_on(s->match))
        return end_match(s, err);
    if (s->tags == NULL && !expect_game(s, err))
        return false;
    if (s->next != NULL && *s->next != '\0')
        return compare_tag(s, err);
    if (s->next != NULL)
        return end_tags(s, err);
    return s->text[0] != '\0' || !s->whole || end_game(s, err);
}

/* Reads the next line; false at the end. */
static bool next_line(struct scan *s)
{
    ssize_t length = getline(&s->text, &s->size, s->f->file);
    if (length <= 0)
        return false;
    s->whole = s->text[length - 1] == '\n';
    if (s->whole)
        s->text[length - 1] = '\0';
    s->line++;
    s->at += length;
    return true;
}

/* Counts the complete games of the match from their tags, and finds the end of the last one. */
static bool count_games(struct match_file *f, struct match *m, bool last, struct error *err)
{
    struct scan s = {.f = f, .match = m, .last = last, .line = f->line, .at = f->end};
    bool good = fseeko(f->file, f->end, SEEK_SET) == 0 || fail(f, "read", err);
    while (good && !s.over && next_line(&s))
        good = scan_line(&s, err);
    if (good && !s.over && !feof(f->file)) /* or memory is missing */
        good = fail(f, "read", err);
    if (good && s.other_position.text[0] != '\0')
        good = error_set(err, "%s", s.other_position.text);
    free(s.text);
    free(s.tags);
    return good;
}

/* The number of moves to replay, which take a second or two. */
static int repeated_plies(const struct game_limits *l)
{
    uint64_t affordable = l->nodes == 0 ? REPEATED_PLIES : REPEATED_NODES / l->nodes;
    return affordable < 1 ? 1 : affordable < REPEATED_PLIES ? (int)affordable : REPEATED_PLIES;
}

/* Replays the first moves of the first game. */
static bool check_repeats(const struct match_file *f, const struct pgn_game *game,
                          struct error *err)
{
    struct game g = {0};
    bool good = !match_is_repeatable(f->match->settings) ||
                match_replay(f->match, 0, repeated_plies(&f->match->settings->limits), &g, err);
    for (int i = 0; good && i < g.plies && (size_t)i < game->plies; i++)
        if (g.moves[i].move != game->moves[i].move)
            good = error_set(err,
                             "%s: game 1 does not repeat from move %d of both sides on: it was "
                             "played by another build of grayling",
                             f->path, i / 2 + 1);
    game_free(&g);
    return good;
}

static bool has_opening(const struct pgn_game *game, const struct opening *o)
{
    bool same = game->plies >= (size_t)o->plies && game->start.key == o->start.key;
    for (int i = 0; same && i < o->plies; i++)
        same = game->moves[i].move == o->moves[i];
    return same;
}

/* Checks the moves of a counted game. */
static bool check_game(const struct match_file *f, int64_t number, const struct pgn_game *game,
                       struct error *err)
{
    if (game->result == PGN_UNKNOWN || !has_opening(game, match_opening(f->match, number)))
        return error_set(err, "%s:%ld: game %" PRId64 " is damaged: %s", f->path, game->line,
                         number + 1,
                         game->result == PGN_UNKNOWN ? "no result" : "not from its opening");
    return number > 0 || check_repeats(f, game, err);
}

/* Checks the moves of the counted games, which follow those of earlier matches. */
static bool check_games(struct match_file *f, int64_t games, struct error *err)
{
    struct pgn_game game;
    struct pgn_reader *reader = pgn_open(f->path, err);
    bool good = reader != NULL;
    for (int64_t i = -f->games; good && i < games; i++)
        good = pgn_next(reader, &game, err) == PGN_GAME && (i < 0 || check_game(f, i, &game, err));
    pgn_close(reader);
    f->games += games;
    return good;
}

bool match_file_open(struct match_file *f, const char *path, struct error *err)
{
    *f = (struct match_file){.path = path, .reading = true};
    bool good = open_file(f, 0, err);
    if (!good)
        match_file_close(f);
    return good;
}

/* Reading through another descriptor releases the lock, so it is taken again. */
bool match_file_next(struct match_file *f, struct match *m, bool last, struct error *err)
{
    assert(m->played == 0);
    if (!describe(f, m, err))
        return false;
    if (!f->reading)
        return true;
    if (!count_games(f, m, last, err) || !check_games(f, m->played, err) || !lock(f, err))
        return false;
    f->reading = !match_goes_on(m) && !last;
    return f->reading || cut(f, f->end, err);
}

bool match_file_resume(struct match_file *f, struct match *m, const char *path, struct error *err)
{
    bool good = match_file_open(f, path, err) && match_file_next(f, m, true, err);
    if (!good)
        match_file_close(f);
    return good;
}
