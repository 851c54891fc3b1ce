#include "epd.h"

#include "epd_label.h"
#include "foreign_text.h"
#include "input.h"
#include "parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A part of the line. */
struct piece {
    const char *text;
    size_t length;
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Removes the next word from the front; false if only white space is left. */
static bool take_word(struct piece *from, struct piece *word)
{
    while (from->length > 0 && is_space(*from->text))
        from->text++, from->length--;
    word->text = from->text;
    while (from->length > 0 && !is_space(*from->text))
        from->text++, from->length--;
    word->length = (size_t)(from->text - word->text);
    return word->length > 0;
}

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
static struct piece take_operation(const char **rest, const char **open)
{
    struct piece operation = {.text = *rest};
    const char *end = operation_end(*rest, true, open);
    if (*open != NULL)
        end = operation_end(*rest, false, open);
    operation.length = (size_t)(end - *rest);
    *rest = *end == ';' ? end + 1 : end;
    return operation;
}

/* The text between the quotes, or the operand itself, without surrounding white space. */
static struct piece unquoted(struct piece operand)
{
    while (operand.length > 0 && is_space(operand.text[operand.length - 1]))
        operand.length--;
    while (operand.length > 0 && is_space(operand.text[0]))
        operand.text++, operand.length--;
    if (operand.length > 0 && operand.text[0] == '"') {
        operand.text++, operand.length--;
        size_t last = operand.length, i = 0;
        for (; i < operand.length; i++)
            if (operand.text[i] == '"') {
                last = i;
                if (!is_escaped(operand.text - 1, operand.text + i))
                    break;
            }
        operand.length = last;
    }
    return operand;
}

static bool is_word(struct piece word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

/* Reads the moves of bm or am; ignores repeated moves. */
static bool read_moves(const struct position *p, const char *line, struct piece operand,
                       Move moves[EPD_MOVES], int *count, struct error *err)
{
    struct piece word;
    while (take_word(&operand, &word)) {
        Move move;
        int i = 0, column = (int)(word.text - line) + 1;
        if (!move_from_text(p, word.text, (int)word.length, &move, err))
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
static bool read_count(const char *line, struct piece operand, int max, int *count,
                       struct error *err)
{
    struct piece word, text = operand;
    int n = 0;
    bool good = take_word(&text, &word);
    for (size_t i = 0; good && i < word.length; i++) {
        good = isdigit((unsigned char)word.text[i]) && n <= max;
        n = good ? 10 * n + (word.text[i] - '0') : n;
    }
    if (!good || n > max)
        return error_set(err, "column %d: expected a number from 0 to %d, not '%.*s'",
                         (int)(word.text - line) + 1, max, word.length > 20 ? 20 : (int)word.length,
                         word.text);
    *count = n;
    return true;
}

/* Stores the first id, cut to size, clean and without quotes. */
static void read_id(struct epd *epd, struct piece operand)
{
    struct piece id = unquoted(operand);
    if (epd->id[0] != '\0')
        return;
    size_t n = id.length < EPD_ID - 1 ? id.length : EPD_ID - 1;
    while (n < id.length && n > 0 && ((unsigned char)id.text[n] & 0xc0) == 0x80)
        n--; /* do not cut a character */
    memcpy(epd->id, id.text, n);
    epd->id[n] = '\0';
    foreign_text_copy(epd->id, sizeof epd->id, epd->id);
    for (size_t i = 0; epd->id[i] != '\0'; i++)
        if (epd->id[i] == '"' || (epd->id[i] == '\\' && epd->id[i + 1] == '"'))
            epd->id[i] = ' ';
}

/* Reads the comment with the game's hash. */
static void read_game(struct epd *epd, struct piece operand)
{
    struct piece text = unquoted(operand);
    if (text.length != 21 || memcmp(text.text, "game ", 5) != 0)
        return;
    uint64_t game = 0;
    for (size_t i = 5; i < text.length; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = memchr(digits, text.text[i], 16);
        if (digit == NULL)
            return;
        game = game << 4 | (uint64_t)(digit - digits);
    }
    epd->game = game;
}

/* Reads the result of the game. */
static void read_result(struct epd *epd, struct piece operand)
{
    struct piece text = unquoted(operand);
    enum pgn_result result = epd_result_from_text(text.text, text.length);
    if (result != PGN_UNKNOWN)
        epd->result = result;
}

/* Reads a score in centipawns. */
static void read_score(struct epd *epd, struct piece operation)
{
    struct piece word;
    char text[16];
    int64_t score;
    if (!take_word(&operation, &word) || word.length >= sizeof text)
        return;
    snprintf(text, sizeof text, "%.*s", (int)word.length, word.text);
    epd->has_score = parse_int64(text, &score) && score >= -EPD_SCORE_MAX && score <= EPD_SCORE_MAX;
    epd->score = epd->has_score ? (int32_t)score : 0;
}

/* Reads one operation; ignores unknown ones and text that is not an operation. */
static bool read_operation(struct epd *epd, const char *line, struct piece operation,
                           struct error *err)
{
    struct piece opcode;
    int count;
    if (!take_word(&operation, &opcode))
        return true;
    if (is_word(opcode, "bm"))
        return read_moves(&epd->position, line, operation, epd->best, &epd->best_count, err);
    if (is_word(opcode, "am"))
        return read_moves(&epd->position, line, operation, epd->avoid, &epd->avoid_count, err);
    if (is_word(opcode, "id"))
        read_id(epd, operation);
    if (is_word(opcode, "c0"))
        read_game(epd, operation);
    if (is_word(opcode, "c9"))
        read_result(epd, operation);
    if (is_word(opcode, "ce"))
        read_score(epd, operation);
    if (is_word(opcode, "hmvc")) {
        if (!read_count(line, operation, 255, &count, err))
            return false;
        epd->position.halfmove = (uint8_t)count;
    }
    if (is_word(opcode, "fmvn")) {
        if (!read_count(line, operation, FULLMOVE_MAX, &count, err))
            return false;
        epd->position.fullmove = count == 0 ? 1 : count; /* as in a FEN */
    }
    return true;
}

/* Reads a label after the fields, if there is one; text that is no label is passed over. */
static const char *read_label(struct epd *epd, const char *line, const char *rest)
{
    const char *end = rest;
    if (epd_has_label(rest))
        epd->result = epd_label_read(line, rest, &end, NULL);
    return epd->result != PGN_UNKNOWN ? end : rest;
}

/* Refuses a single number before the operations: it is none, and what follows it would be lost. */
static bool check_counters(const char *line, const char *rest, struct error *err)
{
    const char *open;
    struct piece operation = take_operation(&rest, &open), word, more;
    bool number = take_word(&operation, &word);
    for (size_t i = 0; number && i < word.length; i++)
        number = isdigit((unsigned char)word.text[i]);
    return !number || !take_word(&operation, &more) ||
           error_set(err,
                     "column %d: '%.*s' alone; expected both counters of a FEN or none, then "
                     "operations such as bm e4;",
                     (int)(word.text - line) + 1, word.length > 20 ? 20 : (int)word.length,
                     word.text);
}

bool epd_parse(const char *line, struct epd *epd, struct error *err)
{
    const char *rest;
    *epd = (struct epd){0};
    if (!position_from_fen(&epd->position, line, &rest, err))
        return false;
    rest = read_label(epd, line, rest);
    if (!check_counters(line, rest, err))
        return false;
    while (*rest != '\0') {
        const char *open;
        struct piece operation = take_operation(&rest, &open);
        if (open != NULL && strchr(open, ';') != NULL)
            return error_set(err, "column %d: the quote that begins here has no end",
                             (int)(open - line) + 1);
        if (!read_operation(epd, line, operation, err))
            return false;
    }
    return true;
}

/* ---- writing ---- */

/* Text in a buffer of fixed size; `length` keeps counting when it is full. */
struct writer {
    char *text;
    size_t size, length;
};

static void write_text(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_text(struct writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool room = w->length < w->size;
    int n =
        vsnprintf(room ? w->text + w->length : NULL, room ? w->size - w->length : 0, format, args);
    va_end(args);
    w->length += n > 0 ? (size_t)n : 0;
}

/* Writes " bm Nf3 e4;" if there are moves. */
static void write_moves(struct writer *w, const struct position *p, const char *opcode,
                        const Move *moves, int count)
{
    char san[SAN_MAX];
    if (count == 0)
        return;
    write_text(w, " %s", opcode);
    for (int i = 0; i < count; i++) {
        move_to_san(p, moves[i], san);
        write_text(w, " %s", san);
    }
    write_text(w, ";");
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

int epd_format(const struct epd *epd, char *text, size_t size)
{
    char fen[FEN_MAX];
    struct writer w = {.text = text, .size = size};
    position_to_fen(&epd->position, fen);
    for (int field = 0; field < 2; field++) /* EPD does not have the two counters */
        *strrchr(fen, ' ') = '\0';
    write_text(&w, "%s", fen);
    write_moves(&w, &epd->position, "bm", epd->best, epd->best_count);
    write_moves(&w, &epd->position, "am", epd->avoid, epd->avoid_count);
    if (epd->has_score)
        write_text(&w, " ce %d;", epd->score);
    if (epd->id[0] != '\0')
        write_text(&w, " id \"%s\";", epd->id);
    if (epd->game != 0)
        write_text(&w, " c0 \"game %016" PRIx64 "\";", epd->game);
    if (epd->result != PGN_UNKNOWN)
        write_text(&w, " c9 \"%s\";", pgn_result_text(epd->result));
    if (epd->position.halfmove != 0)
        write_text(&w, " hmvc %d;", epd->position.halfmove);
    return w.length < size ? (int)w.length : -1;
}

/* ---- files ---- */

void epd_print(FILE *out, const struct epd *items, size_t count, size_t step)
{
    enum { LINE = 4096 };
    char line[LINE];
    for (size_t i = 0; i < count; i += step)
        if (epd_format(&items[i], line, sizeof line) >= 0)
            fprintf(out, "%s\n", line);
}

/* Makes room for one more item. */
static bool dataset_reserve(struct dataset *d)
{
    if ((d->count & (d->count - 1)) != 0 || (d->count > 0 && d->count < 64))
        return true;
    size_t capacity = d->count < 64 ? 64 : 2 * d->count;
    struct epd *items = realloc(d->items, capacity * sizeof *items);
    if (items != NULL)
        d->items = items;
    return items != NULL;
}

static bool is_blank(const struct input_line *line)
{
    size_t i = 0;
    while (i < line->length && is_space(line->text[i]))
        i++;
    return i == line->length || line->text[i] == '#';
}

bool dataset_append(struct dataset *d, const struct epd *epd, struct error *err)
{
    if (!dataset_reserve(d))
        return error_set(err, "no memory for %zu positions", d->count + 1);
    d->items[d->count++] = *epd;
    return true;
}

/* Explains why a line that parses has no result: names the place of its label or last c9, or says that
 * there is none. */
static bool refuse_result(const char *line, struct error *err)
{
    static const char wanted[] = "\"1-0\", \"0-1\" or \"1/2-1/2\"";
    struct position p;
    const char *rest;
    bool found = false;
    if (!position_from_fen(&p, line, &rest, err))
        return false;
    if (epd_has_label(rest)) {
        epd_label_read(line, rest, &rest, err);
        return false;
    }
    while (*rest != '\0') {
        const char *open;
        struct piece opcode, operation = take_operation(&rest, &open);
        if (!take_word(&operation, &opcode) || !is_word(opcode, "c9"))
            continue;
        struct piece text = unquoted(operation);
        found = true;
        error_set(err, "column %d: expected a result as c9, %s, not '%.*s'",
                  (int)(text.text - line) + 1, wanted, text.length > 20 ? 20 : (int)text.length,
                  text.text);
    }
    return !found ? error_set(err, "no result; expected c9 %s; or a label such as [0.5]", wanted)
                  : false;
}

/* True if a position has what is required. */
static bool check_need(const struct epd *epd, const char *line, enum epd_need need,
                       struct error *err)
{
    if (need == EPD_NEED_BEST && epd->best_count == 0)
        return error_set(err, "no best move%s%s; expected bm MOVE;",
                         epd->id[0] != '\0' ? " in " : "", epd->id);
    if (need == EPD_NEED_SCORE && !epd->has_score)
        return error_set(err, "no score%s%s; expected ce CENTIPAWNS;",
                         epd->id[0] != '\0' ? " in " : "", epd->id);
    if (need == EPD_NEED_RESULT && epd->result == PGN_UNKNOWN)
        return refuse_result(line, err);
    return true;
}

/* Reads one line of a file. */
static bool parse_line(const struct input_line *line, enum epd_need need, struct epd *epd,
                       struct error *err)
{
    size_t length = strlen(line->text);
    if (length != line->length)
        return error_set(err, "column %zu: a NUL byte", length + 1);
    return epd_parse(line->text, epd, err) && check_need(epd, line->text, need, err);
}

/* Passes one line to the reader. */
static bool read_line(const struct epd_reader *reader, const char *path,
                      const struct input_line *line, struct error *err)
{
    struct epd epd;
    struct error reason;
    if (is_blank(line))
        return true;
    if (parse_line(line, reader->need, &epd, &reason))
        return reader->take(reader->context, &epd, line->number, err);
    error_prefix(&reason, "%s:%ld: ", path, line->number);
    return reader->refuse(reader->context, &reason, err);
}

bool epd_read_input(struct input *in, const char *path, const struct epd_reader *reader,
                    struct error *err)
{
    struct input_line line;
    enum input_status status = INPUT_LINE;
    bool good = true;
    while (good && (status = input_next_text(in, &line, err)) == INPUT_LINE)
        good = read_line(reader, path, &line, err);
    return good && status == INPUT_END;
}

bool epd_read(const char *path, const struct epd_reader *reader, struct error *err)
{
    struct input *in = input_open(path, FILE_POSITIONS, err);
    if (in == NULL)
        return false;
    bool good = epd_read_input(in, path, reader, err);
    input_close(in);
    return good;
}

/* A dataset being loaded. */
struct loader {
    struct dataset *d;
    bool strict;
};

static bool load_position(void *context, const struct epd *epd, long line, struct error *err)
{
    struct loader *l = context;
    (void)line;
    return dataset_append(l->d, epd, err);
}

static bool skip_line(void *context, const struct error *reason, struct error *err)
{
    struct loader *l = context;
    if (l->d->skipped++ == 0)
        l->d->first_skipped = *reason;
    return !l->strict || error_set(err, "%s", reason->text);
}

/* Loads a file with a requirement for each position. */
static bool load(struct dataset *d, const char *path, bool strict, enum epd_need need,
                 struct error *err)
{
    struct loader l = {d, strict};
    const struct epd_reader reader = {
        .context = &l, .take = load_position, .refuse = skip_line, .need = need};
    return epd_read(path, &reader, err);
}

bool dataset_load(struct dataset *d, const char *path, bool strict, struct error *err)
{
    return load(d, path, strict, EPD_ANY, err);
}

bool dataset_load_needed(struct dataset *d, const char *path, enum epd_need need, struct error *err)
{
    return load(d, path, true, need, err);
}

void dataset_free(struct dataset *d)
{
    free(d->items);
    *d = (struct dataset){0};
}
