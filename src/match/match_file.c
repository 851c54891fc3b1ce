#include "match_file.h"

#include "game_pgn.h"
#include "paths.h"
#include "pgn.h"
#include "text_stream.h"
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

/* The tags of a game. Round "3.2" is the second game of the third pair. */
static struct game_pgn_tags tags_of(const struct match_file *f, int64_t number, char round[32])
{
    const struct match_settings *s = f->match->settings;
    struct game_pgn_tags tags = {.event = "grayling match",
                                 .date = s->date,
                                 .round = round,
                                 .limits = s->limits,
                                 .adjudication = s->adjudication,
                                 .engine = "grayling " GRAYLING_VERSION,
                                 .openings = s->book_name,
                                 .openings_sha256 = f->openings_sha256,
                                 .hash_mib = s->hash_mib,
                                 .seed = s->seed};
    snprintf(round, 32, "%" PRId64 ".%d", number / 2 + 1, (int)(number % 2) + 1);
    for (int side = WHITE; side <= BLACK; side++) {
        const struct match_player *p = &s->players[match_player_of(number, (enum color)side)];
        tags.players[side] = (struct game_pgn_player){
            p->name,    p->evaluation.name, p->evaluation.sha256, p->search.name, p->search.sha256,
            p->process, p->engine};
    }
    return tags;
}

/* Finds the checksum of a book's contents: one line "FEN move move..." per opening. */
static bool sum_book(const struct book *b, char sum[CHECKSUM_MAX], struct error *err)
{
    char fen[FEN_MAX], uci[UCI_MAX], *text;
    size_t length;
    FILE *out = text_stream(&text, &length);
    for (size_t i = 0; out != NULL && i < b->count; i++) {
        const struct opening *o = &b->items[i];
        struct position p = o->start;
        struct undo undo;
        position_to_fen(&p, fen);
        fputs(fen, out);
        for (int k = 0; k < o->plies; k++) {
            move_to_uci(&p, o->moves[k], uci);
            fprintf(out, " %s", uci);
            position_make(&p, o->moves[k], &undo);
        }
        fputc('\n', out);
    }
    bool written = out != NULL && fclose(out) == 0;
    if (written)
        checksum_bytes(text, length, sum);
    free(text);
    return written || error_set(err, "no memory for the checksum of %zu openings", b->count);
}

/* ---- writing ---- */

static bool fail(const struct match_file *f, const char *what, struct error *err)
{
    return error_set(err, "cannot %s %s: %s", what, f->path, strerror(errno));
}

/* Opens the file with `flags`. A link in the place of one that is written anew is replaced, not followed. */
static bool open_file(struct match_file *f, int flags, struct error *err)
{
    int fd = open(f->path, O_RDWR | flags | (flags == O_CREAT ? O_NOFOLLOW : 0), 0666);
    if (fd < 0 && errno == ELOOP && flags == O_CREAT && remove(f->path) == 0)
        fd = open(f->path, O_RDWR | O_CREAT | O_EXCL, 0666);
    if (fd < 0 && errno == EEXIST)
        return error_set(err, "%s exists; resume with --resume, or overwrite with --force",
                         f->path);
    if (fd < 0)
        return fail(f, flags == 0 ? "open" : "write", err);
    f->file = fdopen(fd, "r+");
    if (f->file != NULL)
        return growing_file_lock(f->file, f->path, err);
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
    *f = (struct match_file){.path = path, .match = m};
    match_file_log(path, log);
    bool good = sum_book(m->settings->book, f->openings_sha256, err) &&
                open_file(f, O_CREAT | (force ? 0 : O_EXCL), err) && cut(f, 0, err);
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
    *f = (struct match_file){0};
}

/* ---- comparing ---- */

/* The expected tags of a game as text (malloc'ed), including those that depend on its course; NULL
 * with the reason. */
static char *expected_tags(const struct match_file *f, int64_t number, struct error *err)
{
    char round[32], *text;
    size_t size;
    const struct game g = {.start = match_opening(f->match, number)->start, .end = GAME_TOO_LONG};
    const struct game_pgn_tags tags = tags_of(f, number, round);
    FILE *out = text_stream(&text, &size);
    if (out != NULL) {
        game_pgn_write(out, &g, &tags);
        fclose(out);
    }
    if (text == NULL)
        error_set(err, "no memory for the tags of a game");
    else
        strstr(text, "]\n\n")[2] = '\0';
    return text;
}

/* A file being compared with the match. */
struct scan {
    struct match_file *f;
    struct match *match; /* counts the games */
    char *text;          /* the current line; owned */
    size_t size;
    bool whole; /* the line is complete */
    long line;  /* from 1 */
    off_t at;   /* offset of the next line */
};

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

/* Compares a line, which may be incomplete, with the tag that is expected. A different start position is
 * only noted, because a later tag may name its cause. */
static bool compare_tag(const struct scan *s, const char *tag, struct error *position,
                        struct error *err)
{
    const size_t whole = strcspn(tag, "\n"), there = strlen(s->text);
    size_t length = fixed_length(tag);
    if (!s->whole && there < length)
        length = there;
    if (strncmp(s->text, tag, length) == 0 && (length < whole || there == whole))
        return true;
    bool is_position = strncmp(s->text, "[FEN ", 5) == 0 && strncmp(tag, "[FEN ", 5) == 0;
    error_set(is_position ? position : err,
              "%s:%ld: the match was begun with %.200s, and now there is %.*s", s->f->path, s->line,
              s->text, (int)whole, tag);
    return is_position;
}

/* Copies the value of the current line if it is a tag with this name. */
static void take_value(const struct scan *s, const char *name, char value[64])
{
    size_t length = strlen(name);
    if (strncmp(s->text + 1, name, length) != 0 || s->text[1 + length] != ' ')
        return;
    snprintf(value, 64, "%s", s->text + length + 3);
    value[strcspn(value, "\"")] = '\0';
}

/* Compares the game that the current line begins with the match, as far as it is there, and counts it if
 * it is complete. */
static bool scan_game(struct scan *s, struct error *err)
{
    static const enum game_result results[] = {[PGN_WHITE_WINS] = GAME_WHITE_WINS,
                                               [PGN_BLACK_WINS] = GAME_BLACK_WINS,
                                               [PGN_DRAW] = GAME_DRAWN};
    char result[64] = "", termination[64] = "";
    struct error position = {""};
    char *tags = expected_tags(s->f, s->match->played, err);
    bool good = tags != NULL, there = true, complete = false;
    for (const char *tag = tags; good && there && *tag != '\0'; tag += strcspn(tag, "\n") + 1) {
        good = compare_tag(s, tag, &position, err);
        if (!good)
            break;
        take_value(s, "Result", result);
        take_value(s, "Termination", termination);
        there = s->whole && next_line(s);
    }
    free(tags);
    if (good && position.text[0] != '\0')
        return error_set(err, "%s", position.text);
    if (good && there && s->text[0] != '\0')
        return error_set(err, "%s:%ld: damaged: a blank line is missing", s->f->path, s->line);
    while (good && there && !complete) {
        there = next_line(s);
        complete = there && s->whole && s->text[0] == '\0';
    }
    if (!complete)
        return good;
    if (pgn_result_named(result) == PGN_UNKNOWN)
        return error_set(err, "%s:%ld: game %" PRId64 " is damaged: no result", s->f->path, s->line,
                         s->match->played + 1);
    match_count(s->match, results[pgn_result_named(result)], game_pgn_termination(termination));
    s->f->end = s->at;
    s->f->line = s->line;
    return true;
}

/* Counts the complete games of the match from their tags, and finds the end of the last one. Games of
 * other matches may follow unless it is the last. */
static bool count_games(struct match_file *f, struct match *m, bool last, struct error *err)
{
    struct scan s = {.f = f, .match = m, .line = f->line, .at = f->end};
    bool over = false, good = fseeko(f->file, f->end, SEEK_SET) == 0 || fail(f, "read", err);
    while (good && !over && next_line(&s)) {
        over = !match_goes_on(m);
        if (!over)
            good = scan_game(&s, err);
        else if (last && m->played == m->settings->games)
            good = error_set(err, "%s:%ld: more games than --games %" PRId64, f->path, s.line,
                             m->played);
        else if (last)
            good = error_set(err, "%s:%ld: game %" PRId64 ": the test was decided before it",
                             f->path, s.line, m->played + 1);
    }
    if (good && !over && !feof(f->file)) /* or memory is missing */
        good = fail(f, "read", err);
    free(s.text);
    return good;
}

/* Replays the first moves of the first game, as many as take a second or two. */
static bool check_repeats(const struct match_file *f, const struct pgn_game *game,
                          struct error *err)
{
    struct game g = {0};
    const struct match_settings *s = f->match->settings;
    const uint64_t nodes = s->limits.nodes,
                   most = nodes == 0 ? REPEATED_PLIES : REPEATED_NODES / nodes;
    const int plies = most < 1 ? 1 : most < REPEATED_PLIES ? (int)most : REPEATED_PLIES;
    bool good = !match_is_repeatable(s) || match_replay(f->match, 0, plies, &g, err);
    for (int i = 0; good && i < g.plies && (size_t)i < game->plies; i++)
        if (g.moves[i].move != game->moves[i])
            good = error_set(err,
                             "%s: game 1 does not repeat from move %d of both sides on: it was "
                             "played by another build of grayling",
                             f->path, i / 2 + 1);
    game_free(&g);
    return good;
}

/* Checks the moves of a counted game. */
static bool check_game(const struct match_file *f, int64_t number, const struct pgn_game *game,
                       struct error *err)
{
    const struct opening *o = match_opening(f->match, number);
    bool same = game->plies >= (size_t)o->plies && game->start.key == o->start.key;
    for (int i = 0; same && i < o->plies; i++)
        same = game->moves[i] == o->moves[i];
    if (game->result == PGN_UNKNOWN || !same)
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
    f->match = m;
    if (!sum_book(m->settings->book, f->openings_sha256, err))
        return false;
    if (!f->reading)
        return true;
    if (!count_games(f, m, last, err) || !check_games(f, m->played, err) ||
        !growing_file_lock(f->file, f->path, err))
        return false;
    f->reading = !match_goes_on(m) && !last;
    return f->reading || cut(f, f->end, err);
}
