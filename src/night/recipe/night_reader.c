#include "night_reader.h"

#include "foreign_text.h"
#include "parse.h"
#include "paths.h"
#include "suggest.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

bool night_fail(const struct night_reader *in, const struct yaml_node *node, const char *reason)
{
    return yaml_fail(in->doc, node, in->err, "%s", reason);
}

bool night_check_keys(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *const *known)
{
    char all[256] = "";
    for (int i = 0; known[i] != NULL; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", known[i]);
    if (mapping->kind != YAML_MAPPING)
        return yaml_fail(in->doc, mapping, in->err, "expected keys inside: %s", all);
    for (const struct yaml_node *node = mapping->child; node != NULL; node = node->next) {
        struct suggestion near;
        bool found = false;
        suggest_init(&near, node->key);
        for (int i = 0; known[i] != NULL; i++) {
            found = found || strcmp(known[i], node->key) == 0;
            suggest_offer(&near, known[i], known[i]);
        }
        if (!found && near.name != NULL)
            return yaml_fail(in->doc, node, in->err, "unknown key; did you mean %s?", near.name);
        if (!found)
            return yaml_fail(in->doc, node, in->err, "unknown key; known here: %s", all);
    }
    return true;
}

bool night_text_of(const struct night_reader *in, const struct yaml_node *mapping, const char *key,
                   const char **text)
{
    const struct yaml_node *node = yaml_find(mapping, key);
    *text = NULL;
    if (node == NULL)
        return true;
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return night_fail(in, node, "expected a text");
    *text = node->text;
    return true;
}

bool night_take_text(const struct night_reader *in, const struct yaml_node *mapping,
                     const char *key, char *out, size_t size)
{
    const char *text;
    if (!night_text_of(in, mapping, key, &text))
        return false;
    out[0] = '\0';
    if (text == NULL)
        return true;
    if (strlen(text) >= size || !foreign_text_is_clean(text))
        return night_fail(in, yaml_find(mapping, key),
                          "the text is too long, or not visible UTF-8 on one line");
    strcpy(out, text);
    return true;
}

bool night_take_real(const struct night_reader *in, const struct yaml_node *mapping,
                     const char *key, double min, double max, double *value)
{
    const char *text;
    double number;
    if (!night_text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    if (!parse_double(text, &number) || number < min || number > max)
        return yaml_fail(in->doc, yaml_find(mapping, key), in->err,
                         "'%s' is wrong; expected a number from %g to %g", text, min, max);
    *value = number;
    return true;
}

bool night_take_whole(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *key, int min, int max, int step, int *value)
{
    const char *text;
    int64_t number;
    if (!night_text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    if (!parse_int64(text, &number) || number < min || number > max || number % step != 0)
        return yaml_fail(in->doc, yaml_find(mapping, key), in->err,
                         "'%s' is wrong; expected %s number from %d to %d", text,
                         step == 2 ? "an even" : "a whole", min, max);
    *value = (int)number;
    return true;
}

bool night_take_path(const struct night_reader *in, const struct yaml_node *node,
                     char path[RECIPE_PATH])
{
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return night_fail(in, node, "expected the name of a file");
    if (!foreign_text_is_clean(node->text) || strlen(node->text) >= RECIPE_PATH)
        return night_fail(in, node, "the path is too long, or not visible UTF-8 on one line");
    if (in->directory == NULL || node->line == 0) {
        strcpy(path, node->text);
    } else if (!path_absolute(in->directory, node->text, path, in->err))
        return false;
    FILE *file = in->directory == NULL ? NULL : fopen(path, "r");
    bool exists = in->directory == NULL || file != NULL;
    if (file != NULL)
        fclose(file);
    return exists || yaml_fail(in->doc, node, in->err,
                               "cannot open '%s'; paths are relative to the recipe", node->text);
}

bool night_take_yes(const struct night_reader *in, const struct yaml_node *mapping, const char *key,
                    bool *value)
{
    const char *text;
    if (!night_text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    *value = strcmp(text, "yes") == 0;
    return *value || strcmp(text, "no") == 0 ||
           yaml_fail(in->doc, yaml_find(mapping, key), in->err, "'%s' is wrong; expected yes or no",
                     text);
}

bool night_take_stage(const struct night_reader *in, const struct yaml_node *mapping,
                      const char *key, bool evaluation, char out[STORE_STAGE])
{
    const char *text;
    out[0] = '\0';
    if (!night_text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    const struct night_stage *s = night_stage_find(in->night, text);
    const struct yaml_node *node = yaml_find(mapping, key);
    if (s == NULL || s->is_match)
        return yaml_fail(in->doc, node, in->err, "'%s' is not an earlier stage that evolves", text);
    if (s->evolves_evaluation != evaluation)
        return yaml_fail(in->doc, node, in->err,
                         "the stage %s evolves %s; expected one that "
                         "evolves %s",
                         text, evaluation ? "a search" : "an evaluation",
                         evaluation ? "an evaluation" : "a search");
    strcpy(out, s->name);
    return strcmp(key, "seeds") == 0 || s->kind[0] == '\0' || recipe_is_kind(s->kind) ||
           yaml_fail(in->doc, node, in->err,
                     "the stage %s evolves kind %s, of another engine; expected a stage that "
                     "evolves our own",
                     text, s->kind);
}
