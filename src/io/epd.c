#include "epd.h"

#include "array.h"
#include "foreign_text.h"
#include "input.h"
#include "parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACES " \t\r\n\v\f"

enum { CITED = 20, FIELD = 32 }; /* bytes of a line in a reason; of a number */

/* Reports a word of a line that is wrong. Returns false. */
static bool wrong(const char *line, struct word word, const char *expected, struct error *err)
{
    return error_set(err, "column %d: expected %s, not '%.*s'", (int)(word.text - line) + 1,
                     expected, word.length > CITED ? CITED : word.length, word.text);
}

static struct word trimmed(const char *text, const char *end)
{
    const struct words words = {text, end};
    const struct word word = words_rest(&words);
    return word.text != NULL ? word : (struct word){end, 0};
}

/* ---- labels ---- */

/* The result of a text: 1-0, 1.0 or 1; 1/2-1/2 or 0.5; 0-1, 0.0 or 0. PGN_UNKNOWN if it is none. */
static enum pgn_result result_of(struct word word)
{
    static const struct {
        const char *text;
        enum pgn_result result;
    } results[] = {
        {"1-0", PGN_WHITE_WINS}, {"0-1", PGN_BLACK_WINS}, {"1/2-1/2", PGN_DRAW},
        {"1.0", PGN_WHITE_WINS}, {"0.0", PGN_BLACK_WINS}, {"0.5", PGN_DRAW},
        {"1", PGN_WHITE_WINS},   {"0", PGN_BLACK_WINS},
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (word_is(word, results[i].text))
            return results[i].result;
    return PGN_UNKNOWN;
}

static bool is_score(struct word word)
{
    char text[FIELD];
    double number;
    if (word.length >= FIELD)
        return false;
    snprintf(text, sizeof text, "%.*s", word.length, word.text);
    return parse_double(text, &number);
}

/* True if the rest is a label, or was meant to be one: it begins with `[`, `; [` or `|`. */
static bool has_label(const char *rest)
{
    rest += strspn(rest, SPACES);
    if (*rest == ';')
        rest += 1 + strspn(rest + 1, SPACES);
    else if (*rest == '|')
        return true;
    return *rest == '[';
}

/* Reads a label (epd.h), for which has_label holds, and removes it from the front. False, with the reason, if it
 * is wrong or other text than EPD operations follows it. */
static bool read_label(const char *line, const char **rest, enum pgn_result *result,
                       struct error *err)
{
    struct word text;
    const char *at = *rest + strspn(*rest, SPACES), *end;
    if (*at == '|') {
        const char *second = at + 1 + strcspn(at + 1, "|");
        const struct word score = trimmed(at + 1, second);
        end = second + strlen(second);
        if (!is_score(score))
            return wrong(line, score, "a score in centipawns, as | 35 | 1.0", err);
        if (*second == '\0')
            return wrong(line, (struct word){second, 0}, "a result after the score, as | 35 | 1.0",
                         err);
        text = trimmed(second + 1, end);
    } else {
        const char *open = strchr(at, '['), *close = open + strcspn(open, "]");
        if (*close == '\0')
            return wrong(line, trimmed(open, close), "a result in brackets, as [1.0]", err);
        end = close + 1 + strcspn(close + 1, ";");
        const struct word after = trimmed(close + 1, end);
        if (after.length > 0 && !is_score(after))
            return wrong(line, after, "the end of the line after the result", err);
        text = trimmed(open + 1, close);
    }
    if (result_of(text) == PGN_UNKNOWN)
        return wrong(line, text, "a result, 1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1", err);
    *result = result_of(text);
    *rest = end;
    return true;
}

/* ---- operations ---- */

/* True for a quote that a backslash escapes in a string from the quote `open` on. */
static bool is_escaped(const char *open, const char *quote)
{
    const char *c = quote;
    while (c - 1 > open && c[-1] == '\\')
        c--;
    return (quote - c) % 2 != 0;
}

/* The end of the operation: its `;` outside quotes, or the end of the line. `*open` is its last quote if
 * that has no end, or NULL. */
static const char *operation_end(const char *at, bool escapes, const char **open)
{
    for (*open = NULL; *at != '\0' && (*open != NULL || *at != ';'); at++)
        if (*at == '"' && !(escapes && *open != NULL && is_escaped(*open, at)))
            *open = *open == NULL ? at : NULL;
    return at;
}

/* Removes the operation up to `;` from the front. A `;` inside quotes does not end it, nor does `\"` end
 * these, unless they would stay open: "C:\". `*open` is a quote that stays open, or NULL. */
static struct words take_operation(const char **rest, const char **open)
{
    const char *end = operation_end(*rest, true, open);
    if (*open != NULL)
        end = operation_end(*rest, false, open);
    const struct words operation = {*rest, end};
    *rest = *end == ';' ? end + 1 : end;
    return operation;
}

/* The text between the quotes, or the operand itself, without surrounding white space. */
static struct word unquoted(const struct words *operand)
{
    struct word word = trimmed(operand->at, operand->end);
    if (word.length == 0 || word.text[0] != '"')
        return word;
    word.text++, word.length--;
    int end = word.length;
    for (int i = 0; i < word.length; i++)
        if (word.text[i] == '"') {
            end = i;
            if (!is_escaped(word.text - 1, word.text + i))
                break;
        }
    word.length = end;
    return word;
}

/* Reads the moves of bm or am; ignores repeated moves. */
static bool read_moves(const struct position *p, const char *line, struct words operand,
                       Move moves[EPD_MOVES], int *count, struct error *err)
{
    for (struct word word; (word = words_next(&operand)).text != NULL;) {
        Move move;
        int i = 0, column = (int)(word.text - line) + 1;
        if (!move_from_text(p, word.text, word.length, &move, err))
            return error_prefix(err, "column %d: ", column);
        while (i < *count && moves[i] != move)
            i++;
        if (i == EPD_MOVES)
            return error_set(err, "column %d: more than %d moves", column, EPD_MOVES);
        moves[i] = move;
        *count += i == *count;
    }
    return true;
}

/* Reads a count of plies or moves, at most `max`. */
static bool read_count(const char *line, struct words operand, int max, int *count,
                       struct error *err)
{
    char expected[2 * FIELD];
    int64_t number;
    const struct word word = words_next(&operand);
    if (word_number(word, -1, (int64_t)max + 1, &number) && number >= 0 && number <= max) {
        *count = (int)number;
        return true;
    }
    snprintf(expected, sizeof expected, "a number from 0 to %d", max);
    return wrong(line, word.text != NULL ? word : (struct word){operand.end, 0}, expected, err);
}

/* Stores the first id, cut to size, clean and without quotes. */
static void read_id(struct epd *epd, struct words operand)
{
    char text[UTF8_MAX * EPD_ID];
    const struct word id = unquoted(&operand);
    if (epd->id[0] != '\0')
        return;
    snprintf(text, sizeof text, "%.*s", id.length, id.text);
    foreign_text_copy(epd->id, sizeof epd->id, text);
    for (size_t i = 0; epd->id[i] != '\0'; i++)
        if (epd->id[i] == '"' || (epd->id[i] == '\\' && epd->id[i + 1] == '"'))
            epd->id[i] = ' ';
}

/* Reads one operation; ignores unknown ones and text that is not an operation. Notes why a result is none, unless
 * there is a reason already. */
static bool read_operation(struct epd *epd, const char *line, struct words operation,
                           struct error *no_result, struct error *err)
{
    enum { BEYOND = EPD_SCORE_MAX + 1 };
    const struct word opcode = words_next(&operation), text = unquoted(&operation);
    int64_t score;
    int count;
    if (word_is(opcode, "bm"))
        return read_moves(&epd->position, line, operation, epd->best, &epd->best_count, err);
    if (word_is(opcode, "am"))
        return read_moves(&epd->position, line, operation, epd->avoid, &epd->avoid_count, err);
    if (word_is(opcode, "id"))
        read_id(epd, operation);
    if (word_is(opcode, "c0") && text.length == 21 && strncmp(text.text, "game ", 5) == 0 &&
        strspn(text.text + 5, "0123456789abcdef") == 16)
        epd->game = strtoull(text.text + 5, NULL, 16);
    if (word_is(opcode, "c9") && result_of(text) != PGN_UNKNOWN)
        epd->result = result_of(text);
    else if (word_is(opcode, "c9") && no_result->text[0] == '\0')
        wrong(line, text, "a result as c9, \"1-0\", \"0-1\" or \"1/2-1/2\"", no_result);
    if (word_is(opcode, "ce")) {
        epd->has_score = word_number(words_peek(&operation), -BEYOND, BEYOND, &score) &&
                         score > -BEYOND && score < BEYOND;
        epd->score = epd->has_score ? (int32_t)score : 0;
    }
    if (word_is(opcode, "hmvc")) {
        if (!read_count(line, operation, 255, &count, err))
            return false;
        epd->position.halfmove = (uint8_t)count;
    }
    if (word_is(opcode, "fmvn")) {
        if (!read_count(line, operation, FULLMOVE_MAX, &count, err))
            return false;
        epd->position.fullmove = count == 0 ? 1 : count; /* as in a FEN */
    }
    return true;
}

/* Refuses a single number before the operations: it is none, and what follows it would be lost. */
static bool check_counters(const char *line, const char *rest, struct error *err)
{
    const char *open;
    struct words operation = take_operation(&rest, &open);
    const struct word word = words_next(&operation), more = words_next(&operation);
    bool number = word.text != NULL;
    for (int i = 0; i < word.length; i++)
        number = number && isdigit((unsigned char)word.text[i]);
    return !number || more.text == NULL ||
           error_set(err,
                     "column %d: '%.*s' alone; expected both counters of a FEN or none, then "
                     "operations such as bm e4;",
                     (int)(word.text - line) + 1, word.length > CITED ? CITED : word.length,
                     word.text);
}

/* Parses a line. `no_result` says why its label or c9 is none; empty if there is neither. */
static bool parse(const char *line, struct epd *epd, struct error *no_result, struct error *err)
{
    const char *rest;
    *epd = (struct epd){0};
    no_result->text[0] = '\0';
    if (!position_from_fen(&epd->position, line, &rest, err))
        return false;
    if (has_label(rest)) /* text that is none after all is passed over */
        read_label(line, &rest, &epd->result, no_result);
    if (!check_counters(line, rest, err))
        return false;
    while (*rest != '\0') {
        const char *open;
        const struct words operation = take_operation(&rest, &open);
        if (open != NULL && strchr(open, ';') != NULL)
            return error_set(err, "column %d: the quote that begins here has no end",
                             (int)(open - line) + 1);
        if (!read_operation(epd, line, operation, no_result, err))
            return false;
    }
    return true;
}

bool epd_parse(const char *line, struct epd *epd, struct error *err)
{
    struct error no_result;
    return parse(line, epd, &no_result, err);
}

/* ---- writing ---- */

/* Writes " bm Nf3 e4;" if there are moves. */
static void write_moves(FILE *out, const struct position *p, const char *opcode, const Move *moves,
                        int count)
{
    char san[SAN_MAX];
    if (count == 0)
        return;
    fprintf(out, " %s", opcode);
    for (int i = 0; i < count; i++) {
        move_to_san(p, moves[i], san);
        fprintf(out, " %s", san);
    }
    fputs(";", out);
}

bool epd_has_best(const struct epd *epd, Move m)
{
    for (int i = 0; i < epd->best_count; i++)
        if (epd->best[i] == m)
            return true;
    return false;
}

double epd_points(const struct epd *epd)
{
    if (epd->result == PGN_DRAW)
        return 0.5;
    return (epd->result == PGN_WHITE_WINS) == (epd->position.side == WHITE) ? 1 : 0;
}

static void write_line(FILE *out, const struct epd *epd)
{
    static const char *const results[] = {
        [PGN_WHITE_WINS] = "1-0", [PGN_BLACK_WINS] = "0-1", [PGN_DRAW] = "1/2-1/2"};
    char fen[FEN_MAX];
    position_to_fen(&epd->position, fen);
    for (int field = 0; field < 2; field++) /* EPD does not have the two counters */
        *strrchr(fen, ' ') = '\0';
    fputs(fen, out);
    write_moves(out, &epd->position, "bm", epd->best, epd->best_count);
    write_moves(out, &epd->position, "am", epd->avoid, epd->avoid_count);
    if (epd->has_score)
        fprintf(out, " ce %d;", epd->score);
    if (epd->id[0] != '\0')
        fprintf(out, " id \"%s\";", epd->id);
    if (epd->game != 0)
        fprintf(out, " c0 \"game %016" PRIx64 "\";", epd->game);
    if (epd->result != PGN_UNKNOWN)
        fprintf(out, " c9 \"%s\";", results[epd->result]);
    if (epd->position.halfmove != 0)
        fprintf(out, " hmvc %d;", epd->position.halfmove);
}

int epd_format(const struct epd *epd, char *text, size_t size)
{
    FILE *out = size > 0 ? fmemopen(text, size, "w") : NULL;
    if (out == NULL)
        return -1;
    write_line(out, epd);
    const long length = ftell(out);
    return fclose(out) == 0 && length >= 0 && (size_t)length < size ? (int)length : -1;
}

/* ---- files ---- */

void epd_print(FILE *out, const struct epd *items, size_t count, size_t step)
{
    for (size_t i = 0; i < count; i += step) {
        write_line(out, &items[i]);
        fputs("\n", out);
    }
}

bool dataset_append(struct dataset *d, const struct epd *epd, struct error *err)
{
    if (!array_grow(d->items, d->count))
        return error_set(err, "no memory for %zu positions", d->count + 1);
    d->items[d->count++] = *epd;
    return true;
}

enum epd_status epd_next(struct input *in, const char *path, enum epd_need need, struct epd *epd,
                         long *number, struct error *err)
{
    struct input_line line;
    struct error no_result;
    const char *content;
    do {
        const enum input_status status = input_next_text(in, &line, err);
        if (status != INPUT_LINE)
            return status == INPUT_END ? EPD_END : EPD_FAILED;
        content = line.text + strspn(line.text, SPACES);
    } while (content == line.text + line.length || *content == '#');
    const size_t length = strlen(line.text);
    *number = line.number;
    if ((length == line.length || error_set(err, "column %zu: a NUL byte", length + 1)) &&
        parse(line.text, epd, &no_result, err)) {
        const char *in_id = epd->id[0] != '\0' ? " in " : "";
        if (need == EPD_NEED_BEST && epd->best_count == 0)
            error_set(err, "no best move%s%s; expected bm MOVE;", in_id, epd->id);
        else if (need == EPD_NEED_SCORE && !epd->has_score)
            error_set(err, "no score%s%s; expected ce CENTIPAWNS;", in_id, epd->id);
        else if (need != EPD_NEED_RESULT || epd->result != PGN_UNKNOWN)
            return EPD_POSITION;
        else
            error_set(err, "%s",
                      no_result.text[0] != '\0'
                          ? no_result.text
                          : "no result; expected c9 \"1-0\", \"0-1\" or \"1/2-1/2\"; or a label "
                            "such as [0.5]");
    }
    error_prefix(err, "%s:%ld: ", path, line.number);
    return EPD_REFUSED;
}

bool dataset_load(struct dataset *d, const char *path, enum epd_need need, struct error *err)
{
    struct epd epd;
    long line;
    enum epd_status status = EPD_POSITION;
    struct input *in = input_open(path, FILE_POSITIONS, err);
    bool good = in != NULL;
    while (good && (status = epd_next(in, path, need, &epd, &line, err)) == EPD_POSITION)
        good = dataset_append(d, &epd, err);
    input_close(in);
    return good && status == EPD_END;
}

void dataset_free(struct dataset *d)
{
    free(d->items);
    *d = (struct dataset){0};
}
