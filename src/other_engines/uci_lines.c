#include "uci_lines.h"

#include "array.h"
#include "notation.h"
#include "parse.h"
#include "text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* More options than any engine has. */
enum { OPTIONS_MAX = 10000 };

/* ---- options ---- */

/* The parts of a line: each the words between two keywords. */
struct parts {
    enum uci_option_type type;
    struct word name, initial, min, max;
    bool has_default; /* the keyword has been seen */
    char *choices;    /* each ended by a newline */
    size_t length;    /* of the choices */
};

/* True if a word of this type's line is a keyword. A second "default" is a choice. */
static bool is_keyword(const struct parts *p, struct word word)
{
    return (word_is(word, "default") && !p->has_default) ||
           (p->type == UCI_SPIN && (word_is(word, "min") || word_is(word, "max"))) ||
           (p->type == UCI_COMBO && word_is(word, "var"));
}

/* Reads the name, which may hold blanks, and the type after it. */
static void read_name(struct words *w, struct parts *p)
{
    static const char *const types[] = {"check", "spin", "combo", "button", "string"};
    const char *start = w->at;
    for (struct word word; p->name.text == NULL && (word = words_next(w)).text != NULL;)
        for (int i = 0; word_is(word, "type") && i <= UCI_STRING; i++)
            if (word_is(words_peek(w), types[i])) {
                const struct words name = {start, word.text};
                p->type = (enum uci_option_type)i;
                p->name = words_rest(&name);
            }
    words_next(w);
}

/* Returns the words up to the next keyword; of a string, all that is left. A choice has at least one
 * word, whichever that is: the text before the second keyword of `var var` is the choice "var". */
static struct word read_text(struct words *w, const struct parts *p, bool is_choice)
{
    struct words start = *w, ahead = *w;
    const bool named_var = word_is(words_next(&ahead), "var") && word_is(words_next(&ahead), "var");
    if (is_choice || (p->type == UCI_COMBO && named_var))
        words_next(w);
    while (p->type != UCI_STRING && words_peek(w).text != NULL && !is_keyword(p, words_peek(w)))
        words_next(w);
    if (p->type != UCI_STRING)
        start.end = w->at;
    else
        w->at = w->end;
    return words_rest(&start);
}

/* Reads the default, the range and the choices. The room for choices is that of the line, since each is
 * shorter with its newline than with its keyword. */
static void read_values(struct words *w, struct parts *p)
{
    for (struct word word; (word = words_next(w)).text != NULL;) {
        if (!is_keyword(p, word))
            continue;
        p->has_default = p->has_default || word_is(word, "default");
        struct word text = read_text(w, p, word_is(word, "var"));
        if (word_is(word, "default")) {
            p->initial = text;
        } else if (word_is(word, "min")) {
            p->min = text;
        } else if (word_is(word, "max")) {
            p->max = text;
        } else if (text.text != NULL) {
            memcpy(p->choices + p->length, text.text, (size_t)text.length);
            p->length += (size_t)text.length;
            p->choices[p->length++] = '\n';
        }
    }
    p->choices[p->length] = '\0';
}

/* The truth that a word of an engine or a user means, as UCI writes it; NULL if it is none. */
static const char *truth_of(struct word word)
{
    static const char *const words[][2] = {{"true", "false"}, {"1", "0"}, {"on", "off"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int off = 0; off < 2; off++)
            if (word_is_like(word, words[i][off]))
                return words[0][off];
    return NULL;
}

/* A whole number without the decimals that some engines write after it: "1.0". */
static struct word whole_of(struct word word)
{
    const char *point = word.text == NULL ? NULL : memchr(word.text, '.', (size_t)word.length);
    for (const char *at = point; at != NULL && ++at < word.text + word.length;)
        if (*at != '0')
            return word;
    return point == NULL ? word : (struct word){word.text, (int)(point - word.text)};
}

static char *copy_word(struct word word)
{
    return word.text == NULL ? strdup("") : strndup(word.text, (size_t)word.length);
}

static void free_option(const struct uci_option *o)
{
    free((void *)(uintptr_t)o->name);
    free((void *)(uintptr_t)o->initial);
    free((void *)(uintptr_t)o->choices);
}

bool option_list_add(struct option_list *list, const struct words *words, struct error *err)
{
    struct words line = *words;
    struct parts parts = {.has_default = false};
    if (word_is(words_peek(&line), "name"))
        words_next(&line);
    read_name(&line, &parts);
    if (parts.name.text == NULL)
        return true;
    if (list->count == OPTIONS_MAX)
        return error_set(err, "has more than %d options", OPTIONS_MAX);
    const bool room = array_grow(list->options, list->count);
    parts.choices = malloc((size_t)(line.end - line.at) + 1);
    if (parts.choices != NULL)
        read_values(&line, &parts);
    const char *truth = parts.type == UCI_CHECK ? truth_of(parts.initial) : NULL;
    const struct word initial = word_is(parts.initial, "<empty>") ? (struct word){NULL, 0}
                                : truth != NULL          ? (struct word){truth, (int)strlen(truth)}
                                : parts.type == UCI_SPIN ? whole_of(parts.initial)
                                                         : parts.initial;
    /* a spin without a range takes any number */
    struct uci_option option = {.type = parts.type,
                                .name = copy_word(parts.name),
                                .initial = copy_word(initial),
                                .min = INT64_MIN,
                                .max = INT64_MAX,
                                .choices = parts.choices};
    word_number(whole_of(parts.min), INT64_MIN, INT64_MAX, &option.min);
    word_number(whole_of(parts.max), INT64_MIN, INT64_MAX, &option.max);
    const bool made =
        room && option.choices != NULL && option.name != NULL && option.initial != NULL;
    if (made && option_list_find(list, option.name) == NULL)
        list->options[list->count++] = option;
    else
        free_option(&option);
    return made || error_set(err, "has too many options for the memory");
}

const struct uci_option *option_list_find(const struct option_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcasecmp(list->options[i].name, name) == 0)
            return &list->options[i];
    return NULL;
}

void option_list_free(struct option_list *list)
{
    for (int i = 0; i < list->count; i++)
        free_option(&list->options[i]);
    free(list->options);
    *list = (struct option_list){0};
}

/* ---- values ---- */

char *option_value(const struct uci_option *o, const char *value, struct error *err)
{
    char known[512] = ""; /* "A, B or C" */
    const char *text = value;
    struct word choice = {NULL, 0}; /* of a combo, as the engine spells it */
    int64_t number;
    bool good = strpbrk(value, "\r\n") == NULL ||
                error_set(err, "the value of the option %s holds more than one line", o->name);
    if (good && o->type == UCI_SPIN)
        good = (parse_int64(value, &number) && number >= o->min && number <= o->max) ||
               error_set(err, "the option %s takes a whole number from %lld to %lld, not \"%s\"",
                         o->name, (long long)o->min, (long long)o->max, value);
    else if (good && o->type == UCI_CHECK)
        good = (text = truth_of((struct word){value, (int)strlen(value)})) != NULL ||
               error_set(err, "the option %s takes true or false, not \"%s\"", o->name, value);
    else if (good && o->type == UCI_COMBO) {
        for (const char *at = o->choices; *at != '\0' && !word_is_like(choice, value);
             at += choice.length + 1) {
            choice = (struct word){at, (int)strcspn(at, "\n")};
            const char *before = at == o->choices                ? ""
                                 : at[choice.length + 1] == '\0' ? " or "
                                                                 : ", ";
            text_add(known, sizeof known, "%s%.*s", before, choice.length, at);
        }
        good = word_is_like(choice, value) ||
               error_set(err, "the option %s takes %s, not \"%s\"", o->name, known, value);
    } else if (good && o->type == UCI_BUTTON)
        good = value[0] == '\0' ||
               error_set(err, "the option %s is a button: it takes no value", o->name);
    else if (value[0] == '\0')
        text = "<empty>";
    if (!good)
        return NULL;
    char *copy = choice.text != NULL ? copy_word(choice) : strdup(text);
    if (copy == NULL)
        error_set(err, "no memory for a value");
    return copy;
}

bool uci_values_add(struct uci_values *v, const char *name, const char *value)
{
    const size_t name_size = strlen(name) + 1, size = name_size + strlen(value) + 1;
    char *texts = array_grow(v->items, v->count) ? malloc(size) : NULL;
    if (texts == NULL)
        return false;
    strcpy(texts, name);
    strcpy(texts + name_size, value);
    v->items[v->count++] = (struct uci_value){texts, texts + name_size};
    return true;
}

int uci_values_find(const struct uci_value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcasecmp(values[i].name, name) == 0)
            return i;
    return -1;
}

void uci_values_free(struct uci_values *v)
{
    for (int i = 0; i < v->count; i++)
        free((void *)(uintptr_t)v->items[i].name);
    free(v->items);
    *v = (struct uci_values){0};
}

/* ---- info ---- */

bool uci_info_line_read(const struct words *words, const struct position *p, struct uci_info *info)
{
    struct words line = *words;
    enum { DEPTH, NODES, TIME, MULTIPV, CURRENT, CP, MATED, NUMBERS };
    static const struct {
        const char *name;
        int64_t min, max;
    } numbers[] = {{"depth", 0, INT32_MAX},          {"nodes", 0, INT64_MAX},
                   {"time", 0, INT64_MAX},           {"multipv", 1, INT32_MAX},
                   {"currmovenumber", 1, INT32_MAX}, {"cp", -INT32_MAX, INT32_MAX},
                   {"mate", -INT32_MAX, INT32_MAX}};
    int64_t value[NUMBERS];
    int unit = NUMBERS; /* of the score: CP, MATED, or none */
    bool given[NUMBERS] = {false}, pv = false, current = false;
    bool bound = false; /* that is written before the score, behind it, or behind its `wdl` */
    for (struct word w; (w = words_next(&line)).text != NULL && !word_is(w, "string");) {
        for (int i = 0; i < NUMBERS; i++)
            if (word_is(w, numbers[i].name) &&
                word_number(words_peek(&line), numbers[i].min, numbers[i].max, &value[i])) {
                given[i] = words_next(&line).text != NULL;
                unit = i == CP || i == MATED ? i : unit;
            }
        bound = bound || word_is(w, "lowerbound") || word_is(w, "upperbound");
        current = current || word_is(w, "currmove");
        if (word_is(w, "pv")) { /* whose other moves have no meaning here */
            const struct word first = words_next(&line);
            Move m;
            if (first.text != NULL && move_from_text(p, first.text, first.length, &m, NULL)) {
                info->move = m;
                pv = true;
            }
        }
    }
    const bool score = unit != NUMBERS;
    if (given[DEPTH] && !current)
        info->depth = (int)value[DEPTH];
    if (given[NODES] && (uint64_t)value[NODES] > info->nodes)
        info->nodes = (uint64_t)value[NODES];
    if (given[TIME])
        info->time = value[TIME];
    if (given[CURRENT])
        info->current = (int)value[CURRENT];
    info->line = given[MULTIPV] ? (int)value[MULTIPV] : 1;
    if (info->line != 1) { /* what was given of the best does not hold for another variation */
        info->has_score = false;
        info->move = pv ? info->move : NO_MOVE;
    }
    if (score) {
        info->has_score = true;
        info->score = (int32_t)value[unit];
        info->mate = unit == MATED;
        info->bound = bound;
    }
    info->judges = score || pv;
    return (given[DEPTH] && !current) || given[NODES] || score || pv;
}
