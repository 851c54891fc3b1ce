#include "uci_options.h"

#include "suggest.h"

#include <stddef.h>
#include <string.h>

enum { PATH_BYTES = 4096, MOVE_OVERHEAD = 30 };
enum option_type { SPIN, CHECK, BUTTON, STRING };

static const char *const type_names[] = {"spin", "check", "button", "string"};

/* An option of the protocol. A spin, check or button sets an int, a string loads a file. A `max` of 0 means the
 * limit of the defaults. */
struct option {
    const char *name;
    enum option_type type;
    int initial, min, max;
    size_t field; /* of struct uci_options */
    void (*load)(struct uci_options *o, const char *path, struct uci_text *notes);
};

#define FIELD(name) offsetof(struct uci_options, name)

/* ---- the options of the protocol ---- */

/* Reads a parameter file of one of the kinds. On failure returns NULL and notes the reason. */
static const struct param_table *read_file(const struct uci_options *o, const char *option,
                                           const char *path, const struct param_table *const *kinds,
                                           int32_t *values, struct uci_text *notes)
{
    struct error err;
    const struct param_table *table = NULL;
    if (o->defaults->read_params == NULL)
        error_set(&err, "this engine reads no files");
    else
        table = o->defaults->read_params(path, kinds, values, &err);
    if (table == NULL)
        uci_note(notes, "%s: error, nothing is changed: %s", option, err.text);
    else
        uci_note(notes, "%s: %d values applied from %s", option, table->count, path);
    return table;
}

static void load_weights(struct uci_options *o, const char *path, struct uci_text *notes)
{
    int32_t values[EVALUATION_WEIGHTS];
    struct evaluation read = o->defaults->evaluation;
    if (path[0] != '\0') {
        const struct param_table *table =
            read_file(o, "EvalFile", path, evaluation_tables, values, notes);
        if (table == NULL)
            return;
        read = evaluation_from(table, values);
    }
    o->evaluation = read;
    if (o->evaluation.kind == EVALUATION_PAPER)
        o->weights = o->evaluation.paper;
    o->evaluation_changed = true;
}

static void load_params(struct uci_options *o, const char *path, struct uci_text *notes)
{
    struct search_params read = o->defaults->params;
    int32_t values[SEARCH_PARAMS];
    if (path[0] != '\0') {
        const struct param_table *table =
            read_file(o, "SearchFile", path, search_tables, values, notes);
        if (table == NULL)
            return;
        read = search_params_from(table, values);
    }
    o->params = read;
    o->params_changed = true;
}

static const struct option options[] = {
    {"Hash", SPIN, 0, HASH_MIN, 0, FIELD(hash), NULL},
    {"Clear Hash", BUTTON, 0, 0, 0, FIELD(clear), NULL},
    {"Threads", SPIN, 1, 1, 0, FIELD(threads), NULL},
    {"Ponder", CHECK, 0, 0, 1, FIELD(ponder), NULL},
    {"UCI_Chess960", CHECK, 0, 0, 1, FIELD(chess960), NULL},
    {"MultiPV", SPIN, 1, 1, MAX_MOVES, FIELD(lines), NULL},
    {"UCI_ShowWDL", CHECK, 0, 0, 1, FIELD(show_wdl), NULL},
    {"Move Overhead", SPIN, MOVE_OVERHEAD, 0, TIME_OVERHEAD_MAX, FIELD(overhead), NULL},
    {"EvalFile", STRING, 0, 0, 0, 0, load_weights},
    {"SearchFile", STRING, 0, 0, 0, 0, load_params},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

/* ---- init and description ---- */

void uci_options_init(struct uci_options *o, const struct uci_defaults *defaults)
{
    *o = (struct uci_options){
        .defaults = defaults,
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
        o->weights = defaults->evaluation.paper;
}

/* The largest number of a spin. */
static int option_max(const struct uci_defaults *defaults, const struct option *row)
{
    const int most = row->field == FIELD(hash) ? defaults->hash_max : defaults->threads_max;
    return row->max != 0 ? row->max : most > 1 ? most : 1;
}

static void describe_spin(struct uci_text *text, const char *name, int initial, int min, int max)
{
    uci_text_add(text, "option name %s type spin default %d min %d max %d\n", name, initial, min,
                 max);
}

/* Writes the line of a protocol option. */
static void describe_option(const struct uci_defaults *defaults, const struct option *row,
                            struct uci_text *text)
{
    if (row->type == SPIN)
        describe_spin(text, row->name, row->field == FIELD(hash) ? defaults->hash : row->initial,
                      row->min, option_max(defaults, row));
    else
        uci_text_add(text, "option name %s type %s%s\n", row->name, type_names[row->type],
                     row->type == CHECK    ? " default false"
                     : row->type == STRING ? " default <empty>"
                                           : "");
}

bool uci_option_describe(const struct uci_defaults *defaults, int index, struct uci_text *text)
{
    if (index < OPTIONS) {
        describe_option(defaults, &options[index], text);
        return true;
    }
    index -= OPTIONS;
    bool of_search = index >= EVAL_TERMS;
    const struct param_table *table = of_search ? &search_all_table : &eval_table;
    const int32_t *values = of_search ? defaults->params.value : defaults->evaluation.paper.value;
    index -= of_search ? EVAL_TERMS : 0;
    if (!defaults->tune || index >= table->count)
        return false;
    const struct param *p = &table->params[index];
    describe_spin(text, p->name, values[index], p->min, p->max);
    return true;
}

/* ---- setoption ---- */

/* Parses an integer and clamps it to a range; notes errors and clamping. */
static bool take_number(struct uci_options *o, const char *name, struct word value, int min,
                        int max, int32_t *number, struct uci_text *notes)
{
    char shown[WORD_SHOWN];
    int64_t wanted;
    if (!word_number(value, INT64_MIN + 1, INT64_MAX, &wanted)) {
        uci_note(notes, "%s: '%s' is not an integer; expected %d to %d", name,
                 word_shown(value, shown), min, max);
        return false;
    }
    *number = wanted < min ? min : wanted > max ? max : (int32_t)wanted;
    if (*number == wanted)
        return true;
    o->clamped++;
    uci_note(notes, "%s: %s is clamped to %d", name, word_shown(value, shown), (int)*number);
    return true;
}

/* Passes on the path of a file; "<empty>" means none. */
static void load_file(struct uci_options *o, const struct option *row, struct word value,
                      struct uci_text *notes)
{
    char path[PATH_BYTES] = "";
    if (value.length >= PATH_BYTES) {
        uci_note(notes, "%s: the path is too long", row->name);
        return;
    }
    if (value.text != NULL && !word_is(value, "<empty>"))
        memcpy(path, value.text, (size_t)value.length);
    row->load(o, path, notes);
}

static void set_option(struct uci_options *o, const struct option *row, struct word value,
                       struct uci_text *notes)
{
    int number = row->type == BUTTON || word_is_like(value, "true");
    if (row->type == STRING)
        load_file(o, row, value, notes);
    else if (row->type != SPIN || take_number(o, row->name, value, row->min,
                                              option_max(o->defaults, row), &number, notes))
        memcpy((char *)o + row->field, &number, sizeof number);
}

/* Sets the parameter of that name; false if the table has none. */
static bool set_param(struct uci_options *o, const struct param_table *table, int32_t *values,
                      bool *changed, struct word name, struct word value, struct uci_text *notes)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        int32_t number;
        if (!word_is_like(name, p->name))
            continue;
        if (!o->defaults->tune) {
            o->unknown++;
            uci_note(notes, "%s is an option of the engine with --tune", p->name);
            return true;
        }
        if (!take_number(o, p->name, value, p->min, p->max, &number, notes))
            return true;
        *changed |= values[i] != number;
        values[i] = number;
        o->applied++;
        return true;
    }
    return false;
}

/* Notes an unknown option, and suggests a similar name. */
static void note_unknown(struct uci_options *o, struct word name, struct uci_text *notes)
{
    char shown[WORD_SHOWN];
    struct suggestion near;
    suggest_init(&near, word_shown(name, shown));
    for (int i = 0; i < OPTIONS; i++)
        suggest_offer(&near, options[i].name, options[i].name);
    for (int i = 0; o->defaults->tune && i < EVAL_TERMS; i++)
        suggest_offer(&near, eval_table.params[i].name, eval_table.params[i].name);
    for (int i = 0; o->defaults->tune && i < SEARCH_PARAMS; i++)
        suggest_offer(&near, search_all_table.params[i].name, search_all_table.params[i].name);
    o->unknown++;
    if (near.name != NULL)
        uci_note(notes, "no option '%s'; did you mean %s?", shown, near.name);
    else
        uci_note(notes, "no option '%s'", shown);
}

/* Consumes the words up to and including `value`. */
static struct word take_name(struct words *w)
{
    struct words name = *w;
    for (;;) {
        name.end = w->at;
        struct word word = words_next(w);
        if (word.text == NULL || word_is(word, "value"))
            return words_rest(&name);
    }
}

void uci_options_set(struct uci_options *o, struct words *w, struct uci_text *notes)
{
    if (word_is(words_peek(w), "name"))
        words_next(w);
    struct word name = take_name(w), value = words_rest(w);
    if (name.text == NULL) {
        uci_note(notes, "setoption: no name; expected name N value V");
        return;
    }
    for (int i = 0; i < OPTIONS; i++)
        if (word_is_like(name, options[i].name)) {
            set_option(o, &options[i], value, notes);
            return;
        }
    if (!set_param(o, &eval_table, o->weights.value, &o->weights_changed, name, value, notes) &&
        !set_param(o, &search_all_table, o->params.value, &o->params_changed, name, value, notes))
        note_unknown(o, name, notes);
}

/* ---- applying to the engine ---- */

/* Reports how many parameters were set by name, clamped, and unknown. */
static void report_counts(struct uci_options *o, struct uci_text *notes)
{
    if (o->applied + o->clamped + o->unknown > 0)
        uci_note(notes, "parameters applied: %d, values clamped: %d, names unknown: %d", o->applied,
                 o->clamped, o->unknown);
    o->applied = o->clamped = o->unknown = 0;
}

/* Plays with the weights that were set by name, unless the evaluation is another one. */
static void use_weights(struct uci_options *o, struct uci_text *notes)
{
    if (!o->weights_changed)
        return;
    if (o->evaluation.kind == EVALUATION_PAPER) {
        o->evaluation.paper = o->weights;
        o->evaluation_changed = true;
    } else {
        uci_note(notes, "EvalFile plays: the options of the other evaluation have no effect");
    }
    o->weights_changed = false;
}

/* Gives the engine the memory and the threads asked for. A number that failed is forgotten, so that
 * it is tried again when it is set again. */
static void apply_resources(struct uci_options *o, struct engine *e, struct uci_text *notes)
{
    struct error err;
    if (o->hash != o->hash_used && !engine_set_hash(e, o->hash, &err)) {
        uci_note(notes, "Hash: the table is unchanged: %s", err.text);
        o->hash = o->hash_used;
    }
    if (o->threads != o->threads_used && !engine_set_threads(e, o->threads, &err)) {
        uci_note(notes, "Threads: unchanged: %s", err.text);
        o->threads = o->threads_used;
    }
    o->hash_used = o->hash;
    o->threads_used = o->threads;
}

void uci_options_apply(struct uci_options *o, struct engine *e, struct uci_text *notes)
{
    report_counts(o, notes);
    apply_resources(o, e, notes);
    use_weights(o, notes);
    if (o->evaluation_changed)
        engine_set_evaluation(e, &o->evaluation);
    if (o->params_changed)
        engine_set_params(e, &o->params);
    if (o->clear != 0)
        engine_clear(e);
    o->evaluation_changed = o->params_changed = false;
    o->clear = 0;
}
