#include "game_pgn.h"

#include "engine.h"
#include "engine_fault.h"
#include "foreign_text.h"
#include "notation.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 79 };

/* ---- tags ---- */

/* Writes a text as the value of a tag has it, clean. */
static void write_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        char clean[UTF8_MAX + 1];
        text += foreign_text_next(text, clean);
        if (*clean == '"' || *clean == '\\')
            fputc('\\', out);
        fputs(clean, out);
    }
}

/* The colour that the name of a tag begins with, or nothing. */
static const char *const of_side[] = {[WHITE] = "White", [BLACK] = "Black"};

/* Writes `[Name "value"]`, or nothing if the value is NULL or "". */
static void write_tag(FILE *out, const char *side, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    fprintf(out, "[%s%s \"", side, name);
    write_text(out, value);
    fputs("\"]\n", out);
}

static void write_number(FILE *out, const char *name, uint64_t value)
{
    if (value > 0)
        fprintf(out, "[%s \"%" PRIu64 "\"]\n", name, value);
}

/* Writes a time in seconds, "10" or "0.05", or nothing if it is 0. */
static void write_seconds(FILE *out, const char *name, int64_t ms)
{
    if (ms > 0)
        fprintf(out, "[%s \"%.10g\"]\n", name, (double)ms / 1000);
}

static void write_rules(FILE *out, const struct game_adjudication *a)
{
    const bool won = a->win_score > 0, drawn = a->draw_moves > 0;
    if (!won && !drawn && a->max_plies == 0)
        return;
    fputs("[Adjudication \"", out);
    if (won)
        fprintf(out, "won %d", a->win_score);
    if (won && a->win_moves > 0)
        fprintf(out, " moves %d", a->win_moves);
    if (drawn)
        fprintf(out, "%sdrawn %d moves %d from %d", won ? ", " : "", a->draw_score, a->draw_moves,
                a->draw_from);
    if (a->max_plies > 0)
        fprintf(out, "%splies %d", won || drawn ? ", " : "", a->max_plies);
    fputs("\"]\n", out);
}

/* Writes the tags of a player's parameter files, or of its engine, with its options and the nodes that it
 * counts a move on average: ours keeps to the limit. */
static void write_player(FILE *out, const struct game *g, const struct game_pgn_tags *tags,
                         enum color side)
{
    const struct game_pgn_player *player = &tags->players[side];
    const struct uci_settings *process = player->process;
    const struct game_effort *e = &g->efforts[side];
    const char *color = of_side[side];
    if (process != NULL) {
        write_tag(out, color, "Command", process->command);
        write_tag(out, color, "Engine", player->engine);
        if (tags->limits.nodes > 0)
            fprintf(out, "[%sMeanNodes \"%" PRIu64 "\"]\n", color,
                    e->moves > 0 ? e->nodes / (uint64_t)e->moves : 0);
        fprintf(out, "[%sOptions \"", color);
        for (int i = 0; i < process->value_count; i++) {
            fputs(i == 0 ? "" : "; ", out);
            write_text(out, process->values[i].name);
            fputc('=', out);
            write_text(out, process->values[i].value);
        }
        fputs("\"]\n", out);
        return;
    }
    write_tag(out, color, "Evaluation", player->evaluation);
    write_tag(out, color, "EvaluationSHA256", player->evaluation_sha256);
    write_tag(out, color, "Search", player->search);
    write_tag(out, color, "SearchSHA256", player->search_sha256);
}

static const char *result_text(const struct game *g)
{
    static const char *const texts[] = {
        [GAME_BLACK_WINS] = "0-1", [GAME_DRAWN] = "1/2-1/2", [GAME_WHITE_WINS] = "1-0"};
    return g->end == GAME_ABANDONED || g->end == GAME_BROKEN ? "*" : texts[g->result];
}

/* The terms for the ends of games: those of the PGN standard, and of match runners where it has none. */
static const char *termination(enum game_end end)
{
    static const char *const terms[] = {
        [GAME_TIME] = "time forfeit",       [GAME_RESIGNED] = "adjudication",
        [GAME_AGREED] = "adjudication",     [GAME_TOO_LONG] = "adjudication",
        [GAME_ABANDONED] = "unterminated",  [GAME_EXITED] = "abandoned",
        [GAME_HUNG] = "stalled connection", [GAME_ILLEGAL] = "rules infraction",
        [GAME_BROKEN] = "rules infraction"};
    return terms[end] != NULL ? terms[end] : "normal";
}

enum game_end game_pgn_termination(const char *text)
{
    for (enum game_end end = GAME_CHECKMATE; end < GAME_BROKEN; end++)
        if (engine_fault_of_game(end) != FAULT_NONE && strcmp(termination(end), text) == 0)
            return end;
    return GAME_CHECKMATE;
}

static void write_tags(FILE *out, const struct game *g, const struct game_pgn_tags *tags)
{
    const struct game_limits *l = &tags->limits;
    char fen[FEN_MAX];
    position_to_fen(&g->start, fen);
    bool usual = strcmp(fen, FEN_START) == 0;
    write_tag(out, "", "Event", tags->event != NULL ? tags->event : "?");
    write_tag(out, "", "Site", "?");
    write_tag(out, "", "Date", tags->date != NULL ? tags->date : "????.??.??");
    write_tag(out, "", "Round", tags->round != NULL ? tags->round : "?");
    for (int side = WHITE; side <= BLACK; side++)
        write_tag(out, "", of_side[side],
                  tags->players[side].name != NULL ? tags->players[side].name : "?");
    write_tag(out, "", "Result", result_text(g));
    write_rules(out, &tags->adjudication);
    write_player(out, g, tags, BLACK);
    write_number(out, "DepthPerMove", (uint64_t)l->depth);
    write_tag(out, "", "Engine", tags->engine);
    write_tag(out, "", "FEN", usual ? NULL : fen);
    write_seconds(out, "Grace", l->grace);
    write_number(out, "Hash", (uint64_t)tags->hash_mib);
    write_number(out, "NodesPerMove", l->nodes);
    write_tag(out, "", "Openings", tags->openings);
    write_tag(out, "", "OpeningsSHA256", tags->openings_sha256);
    fprintf(out, "[PlyCount \"%d\"]\n", g->plies);
    fprintf(out, "[Seed \"%" PRIu64 "\"]\n", tags->seed);
    write_tag(out, "", "SetUp", usual ? NULL : "1");
    write_tag(out, "", "Termination", termination(g->end));
    fputs("[TimeControl \"", out); /* "10+0.1", or "-" without a clock */
    if (l->time > 0)
        fprintf(out, "%.10g", (double)l->time / 1000);
    if (l->time > 0 && l->increment > 0)
        fprintf(out, "+%.10g", (double)l->increment / 1000);
    fputs(l->time > 0 ? "\"]\n" : "-\"]\n", out);
    write_seconds(out, "TimePerMove", l->movetime);
    write_tag(out, "", "Variant", position_is_chess960(&g->start) ? "Chess960" : NULL);
    write_player(out, g, tags, WHITE);
}

/* ---- moves ---- */

/* Movetext being written, in lines of limited length. */
struct movetext {
    FILE *out;
    int column;
};

/* Writes a word, on a new line if it does not fit. */
static void write_word(struct movetext *t, const char *word)
{
    int length = (int)strlen(word);
    bool fits = t->column + 1 + length <= LINE_WIDTH;
    if (t->column > 0)
        fputc(fits ? ' ' : '\n', t->out);
    fputs(word, t->out);
    t->column = t->column > 0 && fits ? t->column + 1 + length : length;
}

/* Writes the moves, with numbers where they are needed, and how the game ended, word by word. */
static void write_moves(FILE *out, const struct game *g)
{
    struct movetext t = {.out = out};
    struct position p = g->start;
    bool numbered = true; /* Black's next move needs a number */
    char text[128], *rest = text;
    for (int i = 0; i < g->plies; i++) {
        const struct game_move *m = &g->moves[i];
        const int mate = score_mate_moves(m->score), size = abs(m->score);
        const char *sign = m->score > 0 ? "+" : m->score < 0 ? "-" : "";
        struct undo undo;
        if (p.side == WHITE || numbered) {
            snprintf(text, sizeof text, "%d%s", p.fullmove, p.side == WHITE ? "." : "...");
            write_word(&t, text);
        }
        move_to_san(&p, m->move, text);
        write_word(&t, text);
        position_make(&p, m->move, &undo);
        numbered = i >= g->opening_plies;
        if (!numbered || m->score == GAME_UNSCORED)
            continue;
        if (mate != 0)
            snprintf(text, sizeof text, "{%sM%d/%d}", sign, abs(mate), m->depth);
        else
            snprintf(text, sizeof text, "{%s%d.%02d/%d}", sign, size / 100, size % 100, m->depth);
        write_word(&t, text);
    }
    snprintf(text, sizeof text, "{%s}", game_end_text(g->end, g->result));
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        write_word(&t, word);
    write_word(&t, result_text(g));
}

bool game_pgn_write(FILE *out, const struct game *g, const struct game_pgn_tags *tags)
{
    write_tags(out, g, tags);
    fputc('\n', out);
    write_moves(out, g);
    fputs("\n\n", out);
    return !ferror(out);
}

char *game_pgn_text(const struct game *g, const struct game_pgn_tags *tags, struct error *err)
{
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out != NULL)
        game_pgn_write(out, g, tags);
    if (text_close(out, "the text of a game", err))
        return text;
    free(text);
    return NULL;
}
