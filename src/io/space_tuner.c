/* A space from the input of a tuner that plays games: OpenBench, fishtest, weather-factory. */
#include "space_engine.h"

#include "parse.h"
#include "space_entry.h"
#include "suggest.h"
#include "value_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The file being read. */
struct tuner_reader {
    struct yaml_document doc;
    const struct param_table *table; /* the engine's options */
    struct param *params;            /* its rows */
    FILE *notes;
    struct error *err;
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
    if (near.name == NULL)
        yaml_fail(&in->doc, entry, in->err, "the engine has no such option that a run may change");
    else
        yaml_fail(&in->doc, entry, in->err, "the engine has no such option; did you mean %s?",
                  near.name);
    return NULL;
}

/* Finds a number of an entry. */
static const struct yaml_node *find_number(const struct tuner_reader *in,
                                           const struct yaml_node *entry, const char *key)
{
    double number;
    const struct yaml_node *node = yaml_find(entry, key);
    if (node != NULL && node->kind == YAML_SCALAR && parse_double(node->text, &number) &&
        isfinite(number))
        return node;
    yaml_fail(
        &in->doc, node != NULL ? node : entry, in->err,
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
    char found[YAML_KEY], text[PARAM_TEXT], low[PARAM_TEXT], high[PARAM_TEXT];
    int decimals;
    const struct param number = {.decimals = p->decimals};
    snprintf(text, sizeof text, "%.*s", length_of(node->text, &decimals), node->text);
    if (param_parse_value(&number, text, value) && *value >= least && *value <= most)
        return true;
    yaml_describe(node, found);
    return yaml_fail(&in->doc, node, in->err, "%s is wrong; expected a %s from %s to %s", found,
                     p->decimals > 0 ? "number" : "whole number",
                     param_value_text(&number, least, low), param_value_text(&number, most, high));
}

/* Notes that the tuner begins elsewhere than the engine. */
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
static bool take_entry(const struct tuner_reader *in, const struct yaml_node *entry,
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
        return yaml_fail(&in->doc, entry, in->err, "the engine's option is a combo, and no number");
    if (p->type == PARAM_STRING)
        set_decimals(p, numbers, distance);
    const int32_t least = p->min, most = p->max;
    if (!take_number(in, numbers[1], p, least, most, &p->min) ||
        !take_number(in, numbers[2], p, p->min, most, &p->max) ||
        !take_number(in, numbers[0], p, p->min, p->max, &p->initial))
        return false;
    if ((p->bits = param_bits(p)) > 30)
        return yaml_fail(&in->doc, entry, in->err, "a gene has at most 30 bits: narrow the range");
    note_default(in, &engine, p);
    return p->type == PARAM_CHECK || space_take_c(&in->doc, entry, "step", p, in->err);
}

/* Makes genes of the options that the file has, and drops the others. */
static bool take_all(const struct tuner_reader *in, struct space *space)
{
    int kept = 0;
    for (const struct yaml_node *entry = in->doc.root->child; entry != NULL; entry = entry->next) {
        struct param *p = find_option(in, entry);
        if (p == NULL || !take_entry(in, entry, p))
            return false;
        /* An option that is taken moves to those before it, so that the rest can be cut off. */
        const struct param taken = *p;
        if (p < in->params + kept)
            return yaml_fail(&in->doc, entry, in->err, "repeated");
        memmove(in->params + kept + 1, in->params + kept,
                (size_t)(p - in->params - kept) * sizeof *p);
        in->params[kept++] = taken;
    }
    space->table.count = kept;
    return kept > 0 || error_set(in->err, "%s: no parameters", in->doc.path);
}

bool space_take_tuner(struct space *space, const char *path, FILE *notes, struct error *err)
{
    struct tuner_reader in = {
        .table = &space->table, .params = space->memory, .notes = notes, .err = err};
    if (!value_document_read_ranges(&in.doc, path, err))
        return false;
    bool read = value_document_is_flat(&in.doc)
                    ? take_all(&in, space)
                    : error_set(err,
                                "%s: expected the input of a tuner: the lines of OpenBench or "
                                "fishtest, or weather-factory's config.json",
                                in.doc.path);
    yaml_finish(&in.doc);
    return read;
}
