#include "move_time.h"
#include "suggest.h"
#include "uci_session.h"

#include <stddef.h>
#include <string.h>

enum { PATH_BYTES = 4096, MOVE_OVERHEAD = 30 };

#define FIELD(name) offsetof(struct uci_options, name)

/* The options of the protocol. A spin, check or button sets an int, a string reads a file. A `max` of 0 means
 * the limit of the defaults. */
static const struct option {
    const char *name;
    enum { SPIN, CHECK, BUTTON, STRING } type;
    int initial, min, max;
    size_t field;
    const struct param_table *const *files;
} options[] = {
    {"Hash", SPIN, 0, HASH_MIN, 0, FIELD(hash), NULL},
    {"Clear Hash", BUTTON, 0, 0, 0, FIELD(clear), NULL},
    {"Threads", SPIN, 1, 1, 0, FIELD(threads), NULL},
    {"Ponder", CHECK, 0, 0, 1, FIELD(ponder), NULL},
    {"UCI_Chess960", CHECK, 0, 0, 1, FIELD(chess960), NULL},
    {"MultiPV", SPIN, 1, 1, MAX_MOVES, FIELD(lines), NULL},
    {"UCI_ShowWDL", CHECK, 0, 0, 1, FIELD(show_wdl), NULL},
    {"Move Overhead", SPIN, MOVE_OVERHEAD, 0, TIME_OVERHEAD_MAX, FIELD(overhead), NULL},
    {"EvalFile", STRING, 0, 0, 0, 0, evaluation_tables},
    {"SearchFile", STRING, 0, 0, 0, 0, search_tables},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

/* ---- init and description ---- */

void uci_options_init(struct uci *u)
{
    const struct uci_defaults *defaults = &u->setup.defaults;
    u->options = (struct uci_options){
        .evaluation = defaults->evaluation,
        .params = defaults->params,
        .hash = defaults->hash,
        .hash_used = defaults->hash,
        .threads = 1,
        .threads_used = 1,
        .lines = 1,
        .overhead = MOVE_OVERHEAD,
        .evaluation_changed = true,
        .params_changed = true,
    };
    if (defaults->tune)
        u->options.weights = defaults->evaluation.paper;
}

/* The largest number of a spin. */
static int option_max(const struct uci *u, const struct option *row)
{
    const struct uci_defaults *d = &u->setup.defaults;
    const int most = row->field == FIELD(hash) ? d->hash_max : d->threads_max;
    return row->max != 0 ? row->max : most > 1 ? most : 1;
}

static void describe_spin(struct uci *u, const char *name, int initial, int min, int max)
{
    uci_answer(u, "option name %s type spin default %d min %d max %d\n", name, initial, min, max);
}

static void describe_params(struct uci *u, const struct param_table *table, const int32_t *values)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        describe_spin(u, p->name, values[i], p->min, p->max);
    }
}

void uci_options_describe(struct uci *u)
{
    static const char *const rest[] = {
        [CHECK] = "check default false", [BUTTON] = "button", [STRING] = "string default <empty>"};
    const struct uci_defaults *d = &u->setup.defaults;
    for (const struct option *row = options; row < options + OPTIONS; row++) {
        if (row->type == SPIN)
            describe_spin(u, row->name, row->field == FIELD(hash) ? d->hash : row->initial,
                          row->min, option_max(u, row));
        else
            uci_answer(u, "option name %s type %s\n", row->name, rest[row->type]);
    }
    if (!d->tune)
        return;
    describe_params(u, &eval_table, d->evaluation.paper.value);
    describe_params(u, &search_all_table, d->params.value);
}

/* ---- setoption ---- */

/* Parses an integer and clamps it to a range; notes errors and clamping. */
static bool take_number(struct uci *u, const char *name, struct word value, int min, int max,
                        int32_t *number)
{
    char shown[WORD_SHOWN];
    int64_t wanted;
    if (!word_number(value, INT64_MIN + 1, INT64_MAX, &wanted)) {
        uci_note(u, "%s: '%s' is not an integer; expected %d to %d", name, word_shown(value, shown),
                 min, max);
        return false;
    }
    *number = wanted < min ? min : wanted > max ? max : (int32_t)wanted;
    if (*number == wanted)
        return true;
    u->options.clamped++;
    uci_note(u, "%s: %s is clamped to %d", name, word_shown(value, shown), (int)*number);
    return true;
}

/* Reads a parameter file, or takes the defaults where there is no path or "<empty>". On failure notes the
 * reason, and changes nothing. */
static void load_file(struct uci *u, const struct option *row, struct word value)
{
    char path[PATH_BYTES] = "";
    int32_t values[EVALUATION_WEIGHTS]; /* more than those of a search */
    const struct uci_defaults *d = &u->setup.defaults;
    const struct param_table *table = NULL;
    struct uci_options *o = &u->options;
    struct error err = {"this engine reads no files"};
    if (value.length >= PATH_BYTES) {
        uci_note(u, "%s: the path is too long", row->name);
        return;
    }
    if (value.text != NULL && !word_is(value, "<empty>")) {
        memcpy(path, value.text, (size_t)value.length);
        if (d->read_params != NULL)
            table = d->read_params(path, row->files, values, &err);
        if (table == NULL) {
            uci_note(u, "%s: error, nothing is changed: %s", row->name, err.text);
            return;
        }
        uci_note(u, "%s: %d values applied from %s", row->name, table->count, path);
    }
    if (row->files == search_tables) {
        o->params = table != NULL ? search_params_from(table, values) : d->params;
        o->params_changed = true;
        return;
    }
    o->evaluation = table != NULL ? evaluation_from(table, values) : d->evaluation;
    if (o->evaluation.kind == EVALUATION_PAPER)
        o->weights = o->evaluation.paper;
    o->evaluation_changed = true;
}

static void set_option(struct uci *u, const struct option *row, struct word value)
{
    int number = row->type == BUTTON || word_is_like(value, "true");
    if (row->type == STRING)
        load_file(u, row, value);
    else if (row->type != SPIN ||
             take_number(u, row->name, value, row->min, option_max(u, row), &number))
        memcpy((char *)&u->options + row->field, &number, sizeof number);
}

/* Sets the parameter of that name; false if the table has none. */
static bool set_param(struct uci *u, const struct param_table *table, int32_t *values,
                      bool *changed, struct word name, struct word value)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        int32_t number;
        if (!word_is_like(name, p->name))
            continue;
        if (!u->setup.defaults.tune) {
            u->options.unknown++;
            uci_note(u, "%s is an option of the engine with --tune", p->name);
            return true;
        }
        if (!take_number(u, p->name, value, p->min, p->max, &number))
            return true;
        *changed |= values[i] != number;
        values[i] = number;
        u->options.applied++;
        return true;
    }
    return false;
}

/* Notes an unknown option, and suggests a similar name. */
static void note_unknown(struct uci *u, struct word name)
{
    const bool tune = u->setup.defaults.tune;
    char shown[WORD_SHOWN];
    struct suggestion near;
    suggest_init(&near, word_shown(name, shown));
    for (int i = 0; i < OPTIONS; i++)
        suggest_offer(&near, options[i].name, options[i].name);
    for (int i = 0; tune && i < EVAL_TERMS; i++)
        suggest_offer(&near, eval_table.params[i].name, eval_table.params[i].name);
    for (int i = 0; tune && i < SEARCH_PARAMS; i++)
        suggest_offer(&near, search_all_table.params[i].name, search_all_table.params[i].name);
    u->options.unknown++;
    if (near.name != NULL)
        uci_note(u, "no option '%s'; did you mean %s?", shown, near.name);
    else
        uci_note(u, "no option '%s'", shown);
}

void uci_options_set(struct uci *u, struct words *w)
{
    struct uci_options *o = &u->options;
    if (word_is(words_peek(w), "name"))
        words_next(w);
    struct words before = *w;
    struct word word;
    do {
        before.end = w->at;
        word = words_next(w);
    } while (word.text != NULL && !word_is(word, "value"));
    const struct word name = words_rest(&before), value = words_rest(w);
    if (name.text == NULL) {
        uci_note(u, "setoption: no name; expected name N value V");
        return;
    }
    for (int i = 0; i < OPTIONS; i++)
        if (word_is_like(name, options[i].name)) {
            set_option(u, &options[i], value);
            return;
        }
    if (!set_param(u, &eval_table, o->weights.value, &o->weights_changed, name, value) &&
        !set_param(u, &search_all_table, o->params.value, &o->params_changed, name, value))
        note_unknown(u, name);
}

/* ---- applying to the engine ---- */

/* Gives the engine the memory and the threads asked for. A number that failed is forgotten, so that
 * it is tried again when it is set again. */
static void apply_resources(struct uci *u)
{
    struct uci_options *o = &u->options;
    struct error err;
    if (o->hash != o->hash_used && !engine_set_hash(u->engine, o->hash, &err)) {
        uci_note(u, "Hash: the table is unchanged: %s", err.text);
        o->hash = o->hash_used;
    }
    if (o->threads != o->threads_used && !engine_set_threads(u->engine, o->threads, &err)) {
        uci_note(u, "Threads: unchanged: %s", err.text);
        o->threads = o->threads_used;
    }
    o->hash_used = o->hash;
    o->threads_used = o->threads;
}

void uci_options_apply(struct uci *u)
{
    struct uci_options *o = &u->options;
    if (o->applied + o->clamped + o->unknown > 0)
        uci_note(u, "parameters applied: %d, values clamped: %d, names unknown: %d", o->applied,
                 o->clamped, o->unknown);
    apply_resources(u);
    if (o->weights_changed && o->evaluation.kind == EVALUATION_PAPER) {
        o->evaluation.paper = o->weights;
        o->evaluation_changed = true;
    } else if (o->weights_changed) {
        uci_note(u, "EvalFile plays: the options of the other evaluation have no effect");
    }
    if (o->evaluation_changed)
        engine_set_evaluation(u->engine, &o->evaluation);
    if (o->params_changed)
        engine_set_params(u->engine, &o->params);
    if (o->clear != 0)
        engine_clear(u->engine);
    o->applied = o->clamped = o->unknown = o->clear = 0;
    o->weights_changed = o->evaluation_changed = o->params_changed = false;
}
