#include "uci_client_internal.h"

#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* More options than any engine has. */
enum { OPTIONS_MAX = 10000, FIRST_ROOM = 64 };

static const char *const type_names[] = {"check", "spin", "combo", "button", "string"};
enum { TYPES = sizeof type_names / sizeof type_names[0] };

/* ---- parsing ---- */

/* The parts of a line: each the words between two keywords. */
struct parts {
    struct word name, initial, min, max;
    int type;         /* -1: none */
    bool has_default; /* the keyword has been seen */
    char *choices;    /* owned; each ended by a newline */
    size_t length;    /* of the choices */
};

/* Returns the type with this name, or -1. */
static int find_type(struct word word)
{
    for (int i = 0; i < TYPES; i++)
        if (word_is(word, type_names[i]))
            return i;
    return -1;
}

/* True if a word of this type's line is a keyword. There is one default: a second one is a choice with this
 * name. */
static bool is_keyword(const struct parts *p, struct word word)
{
    return (word_is(word, "default") && !p->has_default) ||
           (p->type == UCI_SPIN && (word_is(word, "min") || word_is(word, "max"))) ||
           (p->type == UCI_COMBO && word_is(word, "var"));
}

/* Reads the name, which may hold blanks, and the type after it. */
static void read_name(struct words *w, struct parts *p)
{
    struct words start = *w;
    const char *end = NULL;
    p->type = -1;
    for (struct word word; p->type < 0 && (word = words_next(w)).text != NULL;)
        if (word_is(word, "type") && (p->type = find_type(words_peek(w))) >= 0)
            end = word.text;
    if (p->type >= 0) {
        words_next(w);
        start.end = end;
        p->name = words_rest(&start);
    }
}

/* True if the words begin with `var var`: the text before the second keyword is the choice "var". */
static bool is_named_var(struct words w)
{
    return word_is(words_next(&w), "var") && word_is(words_next(&w), "var");
}

/* Returns the words up to the next keyword; of a string, all that is left. A choice has at least one
 * word, whichever that is. */
static struct word read_text(struct words *w, const struct parts *p, bool is_choice)
{
    struct words start = *w;
    if (is_choice || (p->type == UCI_COMBO && is_named_var(*w)))
        words_next(w);
    while (p->type != UCI_STRING && words_peek(w).text != NULL && !is_keyword(p, words_peek(w)))
        words_next(w);
    if (p->type != UCI_STRING)
        start.end = w->at;
    else
        w->at = w->end;
    return words_rest(&start);
}

/* Adds a choice; the room is that of the line, since each is shorter with its newline than with its
 * keyword. */
static void add_choice(struct parts *p, struct word choice)
{
    if (choice.text == NULL)
        return;
    memcpy(p->choices + p->length, choice.text, (size_t)choice.length);
    p->length += (size_t)choice.length;
    p->choices[p->length++] = '\n';
}

/* Reads the default, the range and the choices. */
static void read_values(struct words *w, struct parts *p)
{
    for (struct word word; (word = words_next(w)).text != NULL;) {
        if (!is_keyword(p, word))
            continue;
        p->has_default = p->has_default || word_is(word, "default");
        struct word text = read_text(w, p, word_is(word, "var"));
        if (word_is(word, "default"))
            p->initial = text;
        else if (word_is(word, "min"))
            p->min = text;
        else if (word_is(word, "max"))
            p->max = text;
        else
            add_choice(p, text);
    }
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

/* Writes the default as UCI has it. */
static struct word usual_default(const struct parts *p)
{
    const char *truth = p->type == UCI_CHECK ? truth_of(p->initial) : NULL;
    return word_is(p->initial, "<empty>") ? (struct word){NULL, 0}
           : truth != NULL                ? (struct word){truth, (int)strlen(truth)}
           : p->type == UCI_SPIN          ? whole_of(p->initial)
                                          : p->initial;
}

/* Makes an option of the parts, and takes over the choices. A spin without a range takes any number. */
static bool make_option(struct parts *p, struct uci_option *o)
{
    p->choices[p->length] = '\0';
    *o = (struct uci_option){.type = (enum uci_option_type)p->type,
                             .name = copy_word(p->name),
                             .initial = copy_word(usual_default(p)),
                             .min = INT64_MIN,
                             .max = INT64_MAX,
                             .choices = p->choices};
    word_number(whole_of(p->min), INT64_MIN, INT64_MAX, &o->min);
    word_number(whole_of(p->max), INT64_MIN, INT64_MAX, &o->max);
    return o->name != NULL && o->initial != NULL;
}

static void free_option(const struct uci_option *o)
{
    free((void *)(uintptr_t)o->name);
    free((void *)(uintptr_t)o->initial);
    free((void *)(uintptr_t)o->choices);
}

/* Makes room for one more. */
static bool grow(struct option_list *list)
{
    if (list->count < list->room)
        return true;
    int room = list->room == 0 ? FIRST_ROOM : 2 * list->room;
    struct uci_option *more = realloc(list->options, (size_t)room * sizeof *more);
    if (more == NULL)
        return false;
    list->options = more;
    list->room = room;
    return true;
}

bool option_list_add(struct option_list *list, struct words words, struct error *err)
{
    struct parts parts = {.type = -1};
    if (word_is(words_peek(&words), "name"))
        words_next(&words);
    read_name(&words, &parts);
    if (parts.name.text == NULL)
        return true;
    if (list->count == OPTIONS_MAX)
        return error_set(err, "has more than %d options", OPTIONS_MAX);
    parts.choices = malloc((size_t)(words.end - words.at) + 1);
    if (parts.choices == NULL)
        return error_set(err, "has too many options for the memory");
    read_values(&words, &parts);
    struct uci_option option;
    bool made = make_option(&parts, &option);
    bool known = made && option_list_find(list, option.name) != NULL;
    bool added = made && !known && grow(list);
    if (added)
        list->options[list->count++] = option;
    else
        free_option(&option);
    return added || known || error_set(err, "has too many options for the memory");
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

/* No value. */
#define REFUSED ((struct word){NULL, 0})

static struct word as_it_is(const char *value)
{
    return (struct word){value, (int)strlen(value)};
}

static struct word spin_value(const struct uci_option *o, const char *value, struct error *err)
{
    int64_t number;
    if (parse_int64(value, &number) && number >= o->min && number <= o->max)
        return as_it_is(value);
    error_set(err, "the option %s takes a whole number from %lld to %lld, not \"%s\"", o->name,
              (long long)o->min, (long long)o->max, value);
    return REFUSED;
}

static struct word check_value(const struct uci_option *o, const char *value, struct error *err)
{
    const char *truth = truth_of(as_it_is(value));
    if (truth != NULL)
        return as_it_is(truth);
    error_set(err, "the option %s takes true or false, not \"%s\"", o->name, value);
    return REFUSED;
}

/* Writes the choices as "A, B or C", cut to fit. */
static void list_choices(const char *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    while (*choices != '\0' && used < size - 1) {
        size_t length = strcspn(choices, "\n");
        bool last = choices[length + 1] == '\0';
        int written = snprintf(text + used, size - used, "%s%.*s",
                               used == 0 ? ""
                               : last    ? " or "
                                         : ", ",
                               (int)length, choices);
        used += (size_t)written < size - used ? (size_t)written : size - used - 1;
        choices += length + 1;
    }
}

/* Finds the choice in letters of either case. */
static struct word combo_value(const struct uci_option *o, const char *value, struct error *err)
{
    char text[512];
    for (const char *at = o->choices; *at != '\0'; at += strcspn(at, "\n") + 1) {
        const struct word choice = {at, (int)strcspn(at, "\n")};
        if (word_is_like(choice, value))
            return choice;
    }
    list_choices(o->choices, text, sizeof text);
    error_set(err, "the option %s takes %s, not \"%s\"", o->name, text, value);
    return REFUSED;
}

static struct word button_value(const struct uci_option *o, const char *value, struct error *err)
{
    if (value[0] == '\0')
        return as_it_is(value);
    error_set(err, "the option %s is a button: it takes no value", o->name);
    return REFUSED;
}

/* Checks a value as its type has it. */
static struct word value_of(const struct uci_option *o, const char *value, struct error *err)
{
    switch (o->type) {
    case UCI_SPIN:
        return spin_value(o, value, err);
    case UCI_CHECK:
        return check_value(o, value, err);
    case UCI_COMBO:
        return combo_value(o, value, err);
    case UCI_BUTTON:
        return button_value(o, value, err);
    case UCI_STRING:
        break;
    }
    return as_it_is(value[0] == '\0' ? "<empty>" : value);
}

char *option_value(const struct uci_option *option, const char *value, struct error *err)
{
    if (strpbrk(value, "\r\n") != NULL) {
        error_set(err, "the value of the option %s holds more than one line", option->name);
        return NULL;
    }
    struct word word = value_of(option, value, err);
    char *copy = word.text == NULL ? NULL : copy_word(word);
    if (copy == NULL && word.text != NULL)
        error_set(err, "no memory for a value");
    return copy;
}

bool uci_values_add(struct uci_values *v, const char *name, const char *value)
{
    struct uci_value *items = realloc(v->items, ((size_t)v->count + 1) * sizeof *items);
    if (items == NULL)
        return false;
    v->items = items;
    char *own = strdup(name), *copy = strdup(value);
    if (own == NULL || copy == NULL) {
        free(own);
        free(copy);
        return false;
    }
    items[v->count++] = (struct uci_value){own, copy};
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
    for (int i = 0; i < v->count; i++) {
        free((void *)(uintptr_t)v->items[i].name);
        free((void *)(uintptr_t)v->items[i].value);
    }
    free(v->items);
    *v = (struct uci_values){0};
}
