#include "pgn_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads one item: a tag, a comment, a variation, a NAG or a word. */
static enum step read_item(struct pgn_reader *r, int c)
{
    if (r->first_line == 0 && c != '{' && c != ';')
        r->first_line = r->line.number;
    if (!r->in_moves && c != '[' && c != '{' && c != ';') { /* end of the tags */
        enum step step = pgn_begin_moves(r);
        if (step != GO_ON)
            return step;
    }
    switch (c) {
    case '[':
        return pgn_read_tag(r);
    case '{':
        return pgn_read_comment(r, r->in_moves);
    case ';':
        return pgn_read_line_comment(r, r->in_moves);
    case '(':
        return pgn_skip_variation(r);
    case '$':
        return pgn_read_nag(r);
    case ')':
        return pgn_broken(r, "')' without a variation");
    case '}':
        return pgn_broken(r, "'}' without a comment");
    case ']':
        return pgn_broken(r, "']' among the moves");
    default:
        return pgn_read_word(r);
    }
}

/* Clears the last game. */
static void clear_game(struct pgn_reader *r)
{
    r->number++;
    r->first_line = 0;
    r->seen = 0;
    r->any_tag = r->in_moves = r->bad_tag = false;
    r->movetext_result = PGN_UNKNOWN;
    r->plies = 0;
    pgn_text_clear(&r->text);
    memset(r->tags, 0, sizeof r->tags);
}

/* Skips to the tags of the next game. Those of a game without moves may go on after what is broken: the
 * next game's stand after other text, and either after a blank line, too, or begin as this game's do. If
 * that text is moves, no start tag above it is the next game's. */
static void resynchronise(struct pgn_reader *r)
{
    const bool any = r->plies > 0 || !r->any_tag;
    bool text = r->in_moves, blank = false, moves = r->plies > 0;
    r->apart = false;
    for (; !r->ended; pgn_next_line(r)) {
        const char *c = r->line.text + strspn(r->line.text, " \t");
        if (r->at == 0 && pgn_is_tag_line(&r->line, NULL)) {
            const bool begins = blank || pgn_repeats_tag(r);
            moves = moves && begins;
            if (any || (text && begins))
                break;
            text = blank = moves = false;
        } else if (*c == '\0') {
            blank = text;
        } else {
            text = true;
            blank = false;
            moves = moves || isdigit((unsigned char)*c) || *c == '*';
        }
    }
    if (moves)
        r->orphans = 0;
}

/* Reads up to the end of a game. */
static enum step read_game(struct pgn_reader *r)
{
    clear_game(r);
    for (;;) {
        int c = pgn_skip_space(r);
        if (r->failed)
            return FAILED;
        enum step step = c == END_OF_FILE ? GAME_OVER : read_item(r, c);
        if (step == GAME_OVER && (r->any_tag || r->bad_tag) && !r->in_moves)
            step = pgn_begin_moves(r) == BROKEN ? BROKEN : GAME_OVER;
        if (step != GO_ON)
            return step;
    }
}

/* Fills in the game for the caller. */
static void fill_game(struct pgn_reader *r, struct pgn_game *game)
{
    for (size_t i = 0; i < r->plies; i++)
        r->moves[i].comment = r->comments[i] != 0 ? r->text.bytes + r->comments[i] : NULL;
    *game = (struct pgn_game){
        .number = r->number,
        .line = r->first_line,
        .start = r->start,
        .moves = r->moves,
        .plies = r->plies,
    };
    pgn_fill_tags(r, game);
}

/* Notes the start tags that may be those of the moves below. Those of moves up to a result are not. */
static void note_orphans(struct pgn_reader *r)
{
    r->orphans = (r->plies > 0 ? 0 : r->orphans) | (r->seen & PGN_START_TAGS);
    if (r->plies > 0 && r->apart)
        r->orphans = 0;
    r->apart = r->apart || r->plies > 0;
}

enum pgn_status pgn_next(struct pgn_reader *r, struct pgn_game *game, struct error *err)
{
    if (r->ended)
        return PGN_END;
    r->err = err;
    enum step step = read_game(r);
    note_orphans(r);
    if (step == BROKEN)
        resynchronise(r);
    if (step == FAILED || r->failed) {
        r->ended = true;
        return r->damaged && r->keep_damaged ? PGN_BROKEN : PGN_FAILED;
    }
    if (step == BROKEN)
        return PGN_BROKEN;
    if (!r->any_tag && r->plies == 0)
        return PGN_END;
    fill_game(r, game);
    return PGN_GAME;
}

struct pgn_reader *pgn_open_input(struct input *in, const char *path, struct error *err)
{
    struct pgn_reader *r = calloc(1, sizeof *r);
    if (r != NULL)
        r->path = strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    if (r == NULL || r->path == NULL || !pgn_text_clear(&r->text)) {
        error_set(err, "no memory to read %s", path);
        input_close(in);
        pgn_close(r);
        return NULL;
    }
    r->err = err;
    r->in = in;
    if (!pgn_next_line(r) && r->failed) {
        pgn_close(r);
        return NULL;
    }
    return r;
}

struct pgn_reader *pgn_open(const char *path, struct error *err)
{
    struct input *in = input_open(path, FILE_GAMES, err);
    return in != NULL ? pgn_open_input(in, path, err) : NULL;
}

void pgn_keep_damaged(struct pgn_reader *r)
{
    r->keep_damaged = true;
}

void pgn_close(struct pgn_reader *r)
{
    if (r == NULL)
        return;
    input_close(r->in);
    free(r->moves);
    free(r->comments);
    free(r->text.bytes);
    free(r->path);
    free(r);
}
