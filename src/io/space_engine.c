#define _GNU_SOURCE /* strcasestr */
#include "space_engine.h"

#include "foreign_text.h"
#include "params_file.h"
#include "parse.h"
#include "suggest.h"
#include "value_document.h"
#include "yaml_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- from the engine ---- */

/* True if a name, in letters of either case, has one of these words; the list ends with NULL. */
static bool has_word(const char *name, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcasestr(name, *words) != NULL)
            return true;
    return false;
}

/* True if an option says how the engine is used. A number is no file, no log and no count of cores: those words
 * are parts of "Semi-open File", "Log Base" and "Mate Scores" there. */
static bool is_usage(const struct uci_option *o)
{
    static const char *const any[] = {"hash",          "thread",          "ponder",
                                      "book",          "multipv",         "uci_",
                                      "syzygy",        "tablebase",       "egtb",
                                      "bitbase",       "nalimov",         "gaviota",
                                      "overhead",      "slow mover",      "search time",
                                      "search depth",  "split",           "skill",
                                      "contempt",      "randomness",      "nodestime",
                                      "cpu",           "cache",           "large pages",
                                      "personality",   "limit strength",  "move time",
                                      "thinking time", "number of cores", NULL};
    static const char *const of_words[] = {"path", "file", "log", "debug", "cores", NULL};
    return has_word(o->name, any) || (o->type != UCI_SPIN && has_word(o->name, of_words));
}

bool space_is_search(const char *name)
{
    static const char *const words[] = {
        "margin",  "reduc",    "extension", "prun",    "futility", "razor",      "null", "lmr",
        "lmp",     "depth",    "plies",     "history", "delta",    "aspiration", "lazy", "verif",
        "probcut", "singular", "multi",     "quiesc",  "search",   "iid",        "iir",  NULL};
    return has_word(name, words);
}

static int32_t nearest(int64_t value, int64_t min, int64_t max)
{
    return (int32_t)(value < min ? min : value > max ? max : value);
}

/* Limits a range to what a gene of 30 bits can hold. */
static void take_range(struct param *p, int64_t min, int64_t max)
{
    const int64_t most = 1000000000, half = (INT64_C(1) << 29) - 1;
    p->min = nearest(min, -most, most);
    p->max = nearest(max, -most, most);
    if ((int64_t)p->max - p->min > 2 * half) {
        p->min = nearest(p->min, -half, half);
        p->max = nearest(p->max, -half, half);
    }
}

/* Reads the default. False if it is none of the values; letters of either case are equal, as UCI has it. */
static bool find_default(struct param *p, const char *text)
{
    char value[PARAM_TEXT];
    if (param_parse_value(p, text, &p->initial))
        return p->type != PARAM_SPIN || (p->initial >= p->min && p->initial <= p->max);
    if (p->type != PARAM_CHECK && p->type != PARAM_COMBO)
        return false;
    for (p->initial = p->min; p->initial <= p->max; p->initial++)
        if (strcasecmp(param_value_text(p, p->initial, value), text) == 0)
            return true;
    return false;
}

/* Takes the default. Instead of one that is none of the values takes the nearest or first, and notes it. */
static void take_default(struct param *p, const char *text, FILE *notes)
{
    char taken[PARAM_TEXT];
    int64_t number;
    if (find_default(p, text))
        return;
    bool is_number = p->type == PARAM_SPIN && parse_int64(text, &number);
    p->initial = is_number ? nearest(number, p->min, p->max) : p->min;
    fprintf(notes, "option %s: its default '%s' is none of its values; taken: %s\n", p->name, text,
            param_value_text(p, p->initial, taken));
}

/* Describes an option. `text` is memory for its only choice, if it is a text. */
static void describe(const struct uci_option *o, char text[PARAM_TEXT + 1], struct param *p,
                     FILE *notes)
{
    static const enum param_type types[] = {[UCI_CHECK] = PARAM_CHECK,
                                            [UCI_SPIN] = PARAM_SPIN,
                                            [UCI_COMBO] = PARAM_COMBO,
                                            [UCI_STRING] = PARAM_STRING};
    *p =
        (struct param){.name = o->name, .sign = 1, .meaning = "", .type = types[o->type], .max = 1};
    if (o->type == UCI_SPIN) {
        take_range(p, o->min, o->max);
    } else if (o->type == UCI_COMBO) {
        p->choices = o->choices;
        p->max = -1;
        for (const char *c = o->choices; *c != '\0'; c++)
            p->max += *c == '\n';
    } else if (o->type == UCI_STRING && space_decimals(o->initial) > 0) {
        p->decimals = space_decimals(o->initial);
    } else if (o->type == UCI_STRING) {
        snprintf(text, PARAM_TEXT + 1, "%s\n", o->initial);
        p->choices = text;
    }
    take_default(p, o->initial, notes);
    p->bits = o->type == UCI_STRING || is_usage(o) ? 0 : param_bits(p);
    if (o->type == UCI_STRING)
        p->min = p->max = p->initial;
}

/* True if a space has an option. Notes those that it cannot have. */
static bool belongs(const struct uci_option *o, FILE *notes)
{
    char name[PARAM_TEXT];
    if (o->type == UCI_BUTTON || engine_setup_sets(o))
        return false;
    foreign_text_copy(name, sizeof name, o->name);
    bool lines =
        param_is_text(o->name, strlen(o->name)) && param_is_text(o->initial, strlen(o->initial));
    for (const char *c = o->choices; *c != '\0'; c += strcspn(c, "\n") + 1)
        lines = lines && param_is_text(c, strcspn(c, "\n"));
    if (!lines)
        fprintf(
            notes,
            "option %s is left out: its name, its default or a choice is not visible UTF-8 of at most "
            "%d bytes\n",
            name, PARAM_TEXT - 1);
    else if (o->type == UCI_COMBO && o->choices[0] == '\0')
        fprintf(notes, "option %s is left out: it has no choices (var)\n", name);
    else if (o->type == UCI_SPIN && o->min > o->max)
        fprintf(notes, "option %s is left out: its min is above its max\n", name);
    else
        return true;
    return false;
}

/* Copies a text into the memory behind the rows. */
static const char *keep(char **at, const char *text)
{
    char *kept = *at;
    *at = stpcpy(kept, text) + 1;
    return kept;
}

bool space_of_engine(const struct uci_client *client, const char *command, FILE *notes,
                     struct space *space, struct error *err)
{
    int count, kept = 0;
    const struct uci_option *options = uci_client_options(client, &count);
    *space = (struct space){0};
    if (!foreign_text_is_clean(command))
        return error_set(
            err, "%s: a space file cannot have this command: it is not visible UTF-8 on a line",
            command);
    size_t rows = (size_t)(count + 1) * sizeof(struct param), texts = strlen(command) + 1;
    for (int i = 0; i < count; i++)
        texts +=
            strlen(options[i].name) + strlen(options[i].choices) + strlen(options[i].initial) + 4;
    struct param *params = malloc(rows + texts);
    if (params == NULL)
        return error_set(err, "no memory for %d options", count);
    char *text = (char *)params + rows;
    for (int i = 0; i < count; i++) {
        if (!belongs(&options[i], notes))
            continue;
        struct param *p = &params[kept++];
        char choice[PARAM_TEXT + 1];
        describe(&options[i], choice, p, notes);
        p->name = keep(&text, p->name);
        if (p->choices != NULL)
            p->choices = keep(&text, p->choices);
    }
    *space = (struct space){.table = {space_kind_uci, params, kept, keep(&text, command), NULL},
                            .params = params};
    return true;
}

/* ---- against the engine ---- */

bool space_engine_constants(const struct param_table *table, struct engine_hash hash,
                            struct engine_setup *setup, struct error *err)
{
    struct uci_values constants = {0};
    bool good = true;
    for (int i = 0; good && i < table->count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &table->params[i];
        param_value_text(p, p->initial, text);
        if (p->bits == 0)
            good = uci_values_add(&constants, p->name, text);
    }
    good = good || error_set(err, "no memory for the options of %s", table->command);
    good = good &&
           engine_setup_read(setup, table->command, constants.items, constants.count, hash, err);
    uci_values_free(&constants);
    return good;
}

bool space_engine_setup(const struct param_table *table, int hash_mib, struct engine_setup *setup,
                        struct error *err)
{
    int genes = 0;
    for (int i = 0; i < table->count; i++)
        genes += table->params[i].bits > 0;
    if (genes == 0)
        return error_set(err, "%s: nothing can evolve: all parameters of the space are fixed",
                         table->command);
    if (!space_engine_constants(table, (struct engine_hash){hash_mib, "fitness.hash"}, setup, err))
        return false;
    struct uci_client *c = uci_client_start(&setup->settings, err);
    bool good = c != NULL;
    for (int i = 0; good && i < table->count; i++) { /* the range of each: its bounds, or choices */
        char text[PARAM_TEXT];
        const struct param *p = &table->params[i];
        const int64_t range = (int64_t)p->max - p->min;
        const int64_t stride = p->choices != NULL || range == 0 ? 1 : range;
        for (int64_t value = p->min; good && value <= p->max; value += stride)
            good = uci_client_takes(c, p->name, param_value_text(p, (int32_t)value, text), err);
    }
    uci_client_stop(c);
    if (!good)
        engine_setup_free(setup);
    return good;
}

/* ---- from the input of a tuner that plays games: OpenBench, fishtest, weather-factory ---- */

struct tuner_reader {
    struct yaml_document doc;
    const struct param_table *table; /* the engine's options */
    struct param *params;            /* its rows */
    FILE *notes;
};

/* Finds the option of an entry; letters of either case are equal, as UCI has it. */
static struct param *find_option(const struct tuner_reader *in, const struct yaml_node *entry)
{
    struct suggestion near;
    suggest_init(&near, entry->key);
    for (int i = 0; i < in->table->count; i++) {
        if (strcasecmp(in->params[i].name, entry->key) == 0)
            return &in->params[i];
        suggest_offer(&near, in->params[i].name, in->params[i].name);
    }
    yaml_fail(&in->doc, entry, "the engine has no such option%s%s%s",
              near.name != NULL ? "; did you mean " : " that a run may change",
              near.name != NULL ? near.name : "", near.name != NULL ? "?" : "");
    return NULL;
}

static const struct yaml_node *find_number(const struct tuner_reader *in,
                                           const struct yaml_node *entry, const char *key)
{
    double number;
    const struct yaml_node *node = yaml_find(entry, key);
    if (node != NULL && node->kind == YAML_SCALAR && parse_double(node->text, &number) &&
        isfinite(number))
        return node;
    yaml_fail(
        &in->doc, node != NULL ? node : entry,
        "expected {\"value\": V, \"min_value\": A, \"max_value\": Z, \"step\": C}, numbers, as "
        "weather-factory has them");
    return NULL;
}

/* The length of a number without zeros after its last decimal, and how many decimals these are. */
static int length_of(const char *text, int *decimals)
{
    const int whole = (int)strcspn(text, ".");
    *decimals = text[whole] == '.' ? (int)strlen(text + whole + 1) : 0;
    while (*decimals > 0 && text[whole + *decimals] == '0')
        --*decimals;
    return whole + (*decimals > 0 ? 1 + *decimals : 0);
}

/* Gives an option that is a text the decimals of its value, its range and its default, and more where c is
 * less than the last of them. Without decimals it is a whole number. */
static void set_decimals(struct param *p, const struct yaml_node *const numbers[3], double c)
{
    int decimals = p->choices == NULL ? p->decimals : 0;
    for (int i = 0, of_number; i < 3; i++) {
        length_of(numbers[i]->text, &of_number);
        decimals = decimals > of_number ? decimals : of_number;
    }
    while (decimals < 6 && c > 0 && c * pow(10, decimals) < 1)
        decimals++;
    p->choices = NULL;
    p->decimals = decimals;
    p->type = decimals > 0 ? PARAM_STRING : PARAM_SPIN;
    p->min = INT32_MIN / 2;
    p->max = INT32_MAX / 2;
}

/* Reads value, min or max: a number from `least` to `most`. */
static bool take_number(const struct tuner_reader *in, const struct yaml_node *node,
                        const struct param *p, int32_t least, int32_t most, int32_t *value)
{
    char text[PARAM_TEXT], low[PARAM_TEXT], high[PARAM_TEXT];
    int decimals;
    const struct param number = {.decimals = p->decimals};
    snprintf(text, sizeof text, "%.*s", length_of(node->text, &decimals), node->text);
    if (param_parse_value(&number, text, value) && *value >= least && *value <= most)
        return true;
    return yaml_fail_value(
        &in->doc, node, "a %s from %s to %s", p->decimals > 0 ? "number" : "whole number",
        param_value_text(&number, least, low), param_value_text(&number, most, high));
}

static void note_default(const struct tuner_reader *in, const struct param *engine,
                         const struct param *p)
{
    char given[PARAM_TEXT], taken[PARAM_TEXT];
    double before, now;
    param_value_text(engine, engine->initial, given);
    param_value_text(p, p->initial, taken);
    if (strcmp(given, taken) != 0 &&
        !(parse_double(given, &before) && parse_double(taken, &now) && before == now))
        fprintf(in->notes, "option %s: its default is %s; taken: %s\n", p->name, given, taken);
}

/* Makes an option a gene with the range of an entry. A check has no perturbation. */
static bool take_tuned(const struct tuner_reader *in, const struct yaml_node *entry,
                       struct param *p)
{
    static const char *const keys[] = {"value", "min_value", "max_value"};
    const struct yaml_node *numbers[3], *c = find_number(in, entry, "step");
    const struct param engine = *p;
    double distance;
    for (int i = 0; i < 3; i++)
        if ((numbers[i] = find_number(in, entry, keys[i])) == NULL)
            return false;
    if (c == NULL || !parse_double(c->text, &distance))
        return false;
    if (p->type == PARAM_COMBO)
        return yaml_fail(&in->doc, entry, "the engine's option is a combo, and no number");
    if (p->type == PARAM_STRING)
        set_decimals(p, numbers, distance);
    const int32_t least = p->min, most = p->max;
    if (!take_number(in, numbers[1], p, least, most, &p->min) ||
        !take_number(in, numbers[2], p, p->min, most, &p->max) ||
        !take_number(in, numbers[0], p, p->min, p->max, &p->initial))
        return false;
    if ((p->bits = param_bits(p)) > 30)
        return yaml_fail(&in->doc, entry, "a gene has at most 30 bits: narrow the range");
    note_default(in, &engine, p);
    return p->type == PARAM_CHECK || params_take_c(&in->doc, entry, "step", p);
}

/* Makes genes of the options that the file has, and drops the others. */
static bool take_tuner(const struct tuner_reader *in, struct space *space)
{
    int kept = 0;
    for (const struct yaml_node *entry = in->doc.root->child; entry != NULL; entry = entry->next) {
        struct param *p = find_option(in, entry);
        if (p == NULL || !take_tuned(in, entry, p))
            return false;
        /* An option that is taken moves to those before it, so that the rest can be cut off. */
        const struct param taken = *p;
        if (p < in->params + kept)
            return yaml_fail(&in->doc, entry, "repeated");
        memmove(in->params + kept + 1, in->params + kept,
                (size_t)(p - in->params - kept) * sizeof *p);
        in->params[kept++] = taken;
    }
    space->table.count = kept;
    return kept > 0 || error_set(in->doc.err, "%s: no parameters", in->doc.path);
}

bool space_take_tuner(struct space *space, const char *path, FILE *notes, struct error *err)
{
    struct tuner_reader in = {.table = &space->table, .params = space->params, .notes = notes};
    if (!value_document_read(&in.doc, path, true, err))
        return false;
    bool read = value_document_is_flat(&in.doc)
                    ? take_tuner(&in, space)
                    : error_set(err,
                                "%s: expected the input of a tuner: the lines of OpenBench or "
                                "fishtest, or weather-factory's config.json",
                                in.doc.path);
    yaml_finish(&in.doc);
    return read;
}
