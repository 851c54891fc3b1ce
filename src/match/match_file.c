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
#include <sys/stat.h>
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
    bool written = text_close(out, "the checksum of the openings", err);
    if (written)
        checksum_bytes(text, length, sum);
    free(text);
    return written;
}

/* ---- writing ---- */

bool match_file_open(struct match_file *f, const char *path, enum match_file_mode mode,
                     struct error *err)
{
    static const int flags[] = {[MATCH_FILE_NEW] = O_CREAT | O_EXCL,
                                [MATCH_FILE_OVER] = O_CREAT | O_NOFOLLOW,
                                [MATCH_FILE_RESUMES] = 0};
    char log[MATCH_LOG_PATH];
    struct stat there;
    *f = (struct match_file){.path = path, .reading = mode == MATCH_FILE_RESUMES};
    if (mode == MATCH_FILE_NEW && access(path, F_OK) == 0)
        return error_set(err, "%s exists; resume with --resume, or overwrite with --force", path);
    if (mode == MATCH_FILE_OVER && lstat(path, &there) == 0 && S_ISLNK(there.st_mode))
        remove(path);
    f->file = growing_file_open(path, flags[mode], err);
    if (f->file == NULL || f->reading)
        return f->file != NULL;
    match_file_log(path, log);
    remove(log);
    return growing_file_cut(f->file, path, 0, err);
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
    game_pgn_write(f->file, g, &tags);
    return growing_file_flush(f->file, f->path, err);
}

void match_file_log(const char *path, char log[MATCH_LOG_PATH])
{
    snprintf(log, MATCH_LOG_PATH, "%.4000s.failures", path);
}

void match_file_close(struct match_file *f)
{
    pgn_close(f->games);
    if (f->file != NULL)
        fclose(f->file);
    *f = (struct match_file){0};
}

/* ---- comparing ---- */

/* The expected tags of a game as text (malloc'ed), including those that depend on its course; NULL with the reason. */
static char *expected_tags(const struct match_file *f, int64_t number, struct error *err)
{
    char round[32];
    const struct game g = {.start = match_opening(f->match, number)->start, .end = GAME_TOO_LONG};
    const struct game_pgn_tags tags = tags_of(f, number, round);
    char *text = game_pgn_text(&g, &tags, err);
    if (text != NULL)
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

/* Compares a line, which may be incomplete, with the tag that is expected. A different start position is
 * only noted, because a later tag may name its cause. */
static bool compare_tag(const struct scan *s, const char *tag, struct error *position,
                        struct error *err)
{
    static const char *const of_game[] = {"[Result \"", "[PlyCount \"", "[Termination \"",
                                          "[BlackMeanNodes \"", "[WhiteMeanNodes \""};
    const size_t whole = strcspn(tag, "\n"), there = strlen(s->text);
    size_t length = whole; /* of what does not depend on how the game went */
    for (size_t i = 0; i < sizeof of_game / sizeof of_game[0]; i++)
        if (strncmp(tag, of_game[i], strlen(of_game[i])) == 0)
            length = strlen(of_game[i]);
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

/* Checks the moves of the game whose tags are read, and counts it. */
static bool count_game(struct scan *s, const char *termination, struct error *err)
{
    static const enum game_result results[] = {[PGN_WHITE_WINS] = GAME_WHITE_WINS,
                                               [PGN_BLACK_WINS] = GAME_BLACK_WINS,
                                               [PGN_DRAW] = GAME_DRAWN};
    struct match_file *f = s->f;
    struct pgn_game game;
    const int64_t number = s->match->played;
    const struct opening *o = match_opening(s->match, number);
    if (f->games == NULL)
        f->games = pgn_open(f->path, err);
    const enum pgn_status status = f->games == NULL ? PGN_FAILED : pgn_next(f->games, &game, err);
    if (status == PGN_END)
        return error_set(err, "%s:%ld: damaged: the moves end before", f->path, s->line);
    if (status != PGN_GAME)
        return false;
    bool same = game.plies >= (size_t)o->plies && game.start.key == o->start.key;
    for (int i = 0; same && i < o->plies; i++)
        same = game.moves[i] == o->moves[i];
    if (game.result == PGN_UNKNOWN || !same)
        return error_set(err, "%s:%ld: game %" PRId64 " is damaged: %s", f->path, game.line,
                         number + 1,
                         game.result == PGN_UNKNOWN ? "no result" : "not from its opening");
    if (number == 0 && !check_repeats(f, &game, err))
        return false;
    match_count(s->match, results[game.result], game_pgn_termination(termination));
    f->end = s->at;
    f->line = s->line;
    return true;
}

/* Compares the game that the current line begins with the match, as far as it is there, and counts it if
 * it is complete. */
static bool scan_game(struct scan *s, struct error *err)
{
    char termination[64] = "";
    struct error position = {""};
    char *tags = expected_tags(s->f, s->match->played, err);
    bool good = tags != NULL, there = true;
    for (const char *tag = tags; good && there && *tag != '\0'; tag += strcspn(tag, "\n") + 1) {
        good = compare_tag(s, tag, &position, err);
        sscanf(s->text, "[Termination \"%63[^\"]", termination);
        there = s->whole && next_line(s);
    }
    free(tags);
    if (good && position.text[0] != '\0')
        return error_set(err, "%s", position.text);
    if (good && there && s->text[0] != '\0')
        return error_set(err, "%s:%ld: damaged: a blank line is missing", s->f->path, s->line);
    while (good && there && next_line(s))
        if (s->whole && s->text[0] == '\0')
            return count_game(s, termination, err);
    return good;
}

/* Counts the complete games of the match, and finds the end of the last one. Games of other matches may
 * follow unless it is the last. */
static bool count_games(struct match_file *f, struct match *m, bool last, struct error *err)
{
    struct scan s = {.f = f, .match = m, .line = f->line, .at = f->end};
    bool over = false, good = true;
    const bool there = fseeko(f->file, f->end, SEEK_SET) == 0;
    while (good && !over && there && next_line(&s)) {
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
        good = error_set(err, "cannot read %s: %s", f->path, strerror(errno));
    free(s.text);
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
    if (!count_games(f, m, last, err))
        return false;
    f->reading = !match_goes_on(m) && !last;
    if (f->reading)
        return true;
    pgn_close(f->games);
    f->games = NULL;
    return growing_file_lock(f->file, f->path, err) &&
           growing_file_cut(f->file, f->path, f->end, err);
}
