/* The text of a recipe, and the reference of all keys. */
#include "recipe_keys.h"

#include "parse.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <stdio.h>
#include <string.h>

/* ---- the recipe as a text ---- */

/* Writes a share's word for 0 or 1, else 15 digits, or 17 if the number needs them. */
static void write_real(FILE *out, const struct key *key, double value)
{
    char text[32];
    double back;
    if (key->choice != NULL && (value <= 0 || value >= 1)) {
        fputs(key->choice(value >= 1), out);
        return;
    }
    snprintf(text, sizeof text, "%.15g", value);
    if (!parse_double(text, &back) || back < value || back > value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, out);
}

static void write_value(FILE *out, const struct key *key, const struct recipe *r)
{
    const void *value = (const char *)r + key->field;
    switch (key->kind) {
    case VALUE_NAME:
    case VALUE_FILE:
    case VALUE_SPACE:
    case VALUE_CLOCK:
        yaml_write_text(out, value);
        break;
    case VALUE_FILES:
        putc('[', out);
        for (int i = 0; i < *(const int *)(const void *)((const char *)r + key->count); i++) {
            fputs(i > 0 ? ", " : "", out);
            yaml_write_text(out, (const char *)value + i * RECIPE_PATH);
        }
        putc(']', out);
        break;
    case VALUE_SEED:
        fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)value);
        break;
    case VALUE_WHOLE:
    case VALUE_EVEN:
        fprintf(out, "%d", *(const int *)value);
        break;
    case VALUE_REAL:
        write_real(out, key, *(const double *)value);
        break;
    case VALUE_CHOICE:
        fputs(key->choice(*(const int *)value), out);
        break;
    }
}

/* Returns the length of the section that two paths share, including the final dot. */
static size_t shared_section(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '.')
            shared = i + 1;
    return shared;
}

/* Writes "key: ", indented by its depth, after the headings of sections that start here. */
static void write_heading(FILE *out, const char *path, const char *before)
{
    size_t place = shared_section(path, before);
    int depth = 0;
    for (size_t i = 0; i < place; i++)
        depth += path[i] == '.';
    for (;; depth++) {
        size_t length = strcspn(path + place, ".");
        fprintf(out, "%*s%.*s:", 2 * depth, "", (int)length, path + place);
        place += length;
        if (path[place++] == '\0')
            break;
        putc('\n', out);
    }
    putc(' ', out);
}

char *recipe_text(const struct recipe *recipe)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    const char *before = "";
    for (int i = 0; i < recipe_key_count; i++) {
        if (!recipe_key_of_measure(&recipe_keys[i], recipe->measure) ||
            !recipe_key_of_optimiser(&recipe_keys[i], recipe->optimiser.kind))
            continue;
        write_heading(out, recipe_keys[i].path, before);
        write_value(out, &recipe_keys[i], recipe);
        putc('\n', out);
        before = recipe_keys[i].path;
    }
    fclose(out); /* leaves no text without memory */
    return text;
}

/* Lists phases with another default of a key, and the measures and optimisers it is limited to. */
static void describe_exceptions(const struct key *key, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < recipe_phase_default_count; i++)
        if (strcmp(recipe_phase_defaults[i].path, key->path) == 0)
            text_add(text, size, "; in phase %s %s",
                     recipe_phase_name((int)recipe_phase_defaults[i].phase),
                     recipe_phase_defaults[i].initial);
    char owners[256];
    recipe_list_owners(key->owners & ((1u << RECIPE_MEASURES) - 1), RECIPE_MEASURES,
                       recipe_measure_name, owners, sizeof owners);
    if (owners[0] != '\0')
        text_add(text, size, "; only with measure %s", owners);
    recipe_list_optimisers(key->owners, owners, sizeof owners);
    if (owners[0] != '\0')
        text_add(text, size, "; only with optimiser %s", owners);
}

/* Writes a key: its meaning, then its valid values and its default. */
static void write_reference(FILE *out, const struct key *key)
{
    enum { COLUMNS = 80 };
    char expected[256], exceptions[256], text[1024];
    snprintf(text, sizeof text, "%s: %s", key->path, key->meaning);
    fputs("  ", out);
    text_wrap(out, text, 2, 4, COLUMNS);
    putc('\n', out);
    recipe_describe_expected(key, expected, sizeof expected);
    describe_exceptions(key, exceptions, sizeof exceptions);
    if (key->initial == NULL)
        snprintf(text, sizeof text, "%s; required%s", expected, exceptions);
    else
        snprintf(text, sizeof text, "%s; default %s%s", expected,
                 *key->initial == '\0' ? "none" : key->initial, exceptions);
    fprintf(out, "%6s", "");
    text_wrap(out, text, 6, 6, COLUMNS);
    putc('\n', out);
}

char *recipe_reference(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    for (int i = 0; i < recipe_key_count; i++)
        write_reference(out, &recipe_keys[i]);
    fclose(out); /* leaves no text without memory */
    return text;
}
