#define _GNU_SOURCE /* strcasestr */
#include "space_engine.h"

#include "foreign_text.h"
#include "params_file.h"
#include "params_write.h"
#include "parse.h"
#include "yaml_document.h"

#include <errno.h>
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

/* The digits after the point of a decimal number; -1 if the text is none. */
static int decimals_of(const char *text)
{
    size_t sign = text[0] == '-', whole = strspn(text + sign, "0123456789");
    const char *point = text + sign + whole;
    if (whole == 0 || *point != '.')
        return -1;
    size_t digits = strspn(point + 1, "0123456789");
    return digits > 0 && digits <= 6 && point[1 + digits] == '\0' ? (int)digits : -1;
}

/* The value of the range that is nearest to a number. */
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

/* Fixes a parameter at its default. */
static void fix(struct param *p)
{
    p->bits = 0;
    p->min = p->max = p->initial;
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
    } else if (o->type == UCI_STRING && decimals_of(o->initial) > 0) {
        p->decimals = decimals_of(o->initial);
    } else if (o->type == UCI_STRING) {
        snprintf(text, PARAM_TEXT + 1, "%s\n", o->initial);
        p->choices = text;
    }
    take_default(p, o->initial, notes);
    p->bits = param_bits(p);
    if (o->type == UCI_STRING)
        fix(p);
    else if (is_usage(o))
        p->bits = 0;
}

/* True if a file can have the name, the default and all choices of an option. */
static bool has_lines(const struct uci_option *o)
{
    for (const char *c = o->choices; *c != '\0'; c += strcspn(c, "\n") + 1)
        if (!param_is_text(c, strcspn(c, "\n")))
            return false;
    return param_is_text(o->name, strlen(o->name)) && param_is_text(o->initial, strlen(o->initial));
}

/* True if a space has an option. Notes those that it cannot have. */
static bool belongs(const struct uci_option *o, FILE *notes)
{
    char name[PARAM_TEXT];
    if (o->type == UCI_BUTTON || engine_setup_sets(o))
        return false;
    foreign_text_copy(name, sizeof name, o->name);
    if (!has_lines(o))
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

/* Copies a text into the space's memory. */
static const char *keep(char **at, const char *text)
{
    char *kept = *at;
    *at = stpcpy(kept, text) + 1;
    return kept;
}

/* The memory that the texts of all options need. */
static size_t text_size(const struct uci_option *options, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size +=
            strlen(options[i].name) + strlen(options[i].choices) + strlen(options[i].initial) + 4;
    return size;
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
    size_t rows = (size_t)(count + 1) * sizeof(struct param);
    struct param *params = malloc(rows + text_size(options, count) + strlen(command) + 1);
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
                            .memory = params};
    return true;
}

/* ---- against the engine ---- */

/* Checks the range of each gene: its bounds, or each choice. */
static bool takes_all(const struct uci_client *c, const struct param_table *table,
                      struct error *err)
{
    for (int i = 0; i < table->count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &table->params[i];
        const int64_t range = (int64_t)p->max - p->min;
        const int64_t stride = p->choices != NULL || range == 0 ? 1 : range;
        for (int64_t value = p->min; value <= p->max; value += stride)
            if (!uci_client_takes(c, p->name, param_value_text(p, (int32_t)value, text), err))
                return false;
    }
    return true;
}

/* True if a parameter evolves. */
static bool has_genes(const struct param_table *table)
{
    for (int i = 0; i < table->count; i++)
        if (table->params[i].bits > 0)
            return true;
    return false;
}

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
            good = uci_values_add(&constants, p->name, strlen(p->name), text, strlen(text));
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
    if (!has_genes(table))
        return error_set(err, "%s: nothing can evolve: all parameters of the space are fixed",
                         table->command);
    if (!space_engine_constants(table, (struct engine_hash){hash_mib, "fitness.hash"}, setup, err))
        return false;
    struct uci_client *c = uci_client_start(&setup->settings, err);
    bool good = c != NULL && takes_all(c, table, err);
    uci_client_stop(c);
    if (!good)
        engine_setup_free(setup);
    return good;
}

/* ---- to a file ---- */

/* Writes the choices of a combo. */
static void write_choices(FILE *out, const char *choices)
{
    fputs(", choices: [", out);
    for (const char *c = choices; *c != '\0'; c += strcspn(c, "\n") + 1) {
        char text[PARAM_TEXT];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(c, "\n"), c);
        fputs(c == choices ? "" : ", ", out);
        yaml_write_text(out, text);
    }
    fputs("]", out);
}

/* Writes the range of a gene. */
static void write_range(FILE *out, const struct param *p)
{
    if (p->type == PARAM_COMBO)
        write_choices(out, p->choices);
    if (p->type == PARAM_SPIN || p->type == PARAM_STRING) {
        fputs(", min: ", out);
        params_write_yaml_value(out, p, p->min);
        fputs(", max: ", out);
        params_write_yaml_value(out, p, p->max);
    }
    fputs(", default: ", out);
    params_write_yaml_value(out, p, p->initial);
    fprintf(out, ", bits: %d", p->bits);
    if (p->type == PARAM_SPIN || p->type == PARAM_STRING)
        fprintf(out, ", step: %d", param_step(p));
    if (p->c > 0)
        fprintf(out, ", c: %.6g", p->c / pow(10, p->decimals));
}

void space_write_ours(FILE *out, const struct param *p)
{
    fprintf(out, "  %s: {bits: %d, min: %d, max: %d", p->name, p->bits, p->min, p->max);
    if (param_step(p) > 1)
        fprintf(out, ", step: %d", p->step);
    if (p->c > 0)
        fprintf(out, ", c: %.6g", p->c);
    fputs("}\n", out);
}

/* Writes a text of one parameter, if it has it. */
static void write_text(FILE *out, const char *key, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(out, ", %s: ", key);
    yaml_write_text(out, text);
}

/* Writes one parameter. */
static void write_entry(FILE *out, const struct param *p)
{
    static const char *const types[PARAM_TYPES] = {[PARAM_SPIN] = "spin",
                                                   [PARAM_CHECK] = "check",
                                                   [PARAM_COMBO] = "combo",
                                                   [PARAM_STRING] = "string"};
    fputs("  ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": {type: %s", types[p->type]);
    if (p->decimals > 0)
        fprintf(out, ", decimals: %d", p->decimals);
    if (p->bits > 0) {
        write_range(out, p);
    } else {
        fputs(", fixed: ", out);
        params_write_yaml_value(out, p, p->initial);
    }
    write_text(out, "group", p->group);
    write_text(out, "meaning", p->meaning);
    fputs("}\n", out);
}

bool space_write(FILE *out, const struct space *space, const char *comment, struct error *err)
{
    const struct param_table *table = &space->table;
    errno = 0;
    while (comment != NULL && *comment != '\0') {
        size_t length = strcspn(comment, "\n");
        fprintf(out, "# %.*s\n", (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
    fprintf(out, "kind: %s", table->kind);
    if (table->command != NULL) {
        fputs("\ncommand: ", out);
        yaml_write_text(out, table->command);
    }
    if (table->plays != NULL) {
        fputs("\nplays: ", out);
        yaml_write_text(out, table->plays);
    }
    fputs("\nparameters:\n", out);
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (space_is_foreign(table))
            write_entry(out, p);
        else if (!params_omit_zeros(table) || p->bits > 0 || p->initial != 0)
            space_write_ours(out, p);
    }
    return (fflush(out) == 0 && !ferror(out)) ||
           error_set(err, "cannot write: %s", errno != 0 ? strerror(errno) : "output failed");
}
