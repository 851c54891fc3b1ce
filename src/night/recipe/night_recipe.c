#include "night_recipe.h"

#include "night_reader.h"
#include "parse.h"
#include "paths.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <stdlib.h>
#include <string.h>

/* ---- names of stages and their runs ---- */

int night_stage_runs(const struct night_stage *s)
{
    return s->is_match ? 1 : s->runs;
}

void night_run_name(const struct night_stage *s, int index, char name[STORE_STAGE])
{
    if (night_stage_runs(s) > 1)
        snprintf(name, STORE_STAGE, "%.19s-%d", s->name, index + 1);
    else
        snprintf(name, STORE_STAGE, "%s", s->name);
}

/* Checks that no run of a stage with several has the name of another stage. */
static bool check_runs(const struct night_reader *in, const struct yaml_node *node,
                       const struct night_stage *stage)
{
    const struct yaml_node *runs = yaml_find(node, "runs");
    char name[STORE_STAGE];
    for (int i = 0; night_stage_runs(stage) > 1 && i < stage->runs; i++) {
        night_run_name(stage, i, name);
        if (night_stage_find(in->night, name) != NULL)
            return yaml_fail(in->doc, runs != NULL ? runs : node, in->err,
                             "run %d of the stage %s is named %s, as another stage is; rename one "
                             "of the two stages, or give %s fewer runs",
                             i + 1, stage->name, name, stage->name);
    }
    return true;
}

/* Checks that a word for half a player is not the name of a stage too. */
static bool check_word(const struct night_reader *in, const struct yaml_node *player,
                       const char *key, const char *half, const char *word)
{
    const struct yaml_node *node = yaml_find(player, key);
    if (strcmp(half, word) != 0 || night_stage_find(in->night, word) == NULL)
        return true;
    return yaml_fail(in->doc, node != NULL ? node : player, in->err,
                     "'%s' may be the stage of this name, or the word for a %s %s; rename the "
                     "stage",
                     word, word, key);
}

/* Checks the words of a match's players. */
static bool check_players(const struct night_reader *in, const struct yaml_node *node,
                          const struct night_stage *match)
{
    const struct yaml_node *players = yaml_find(node, "players");
    for (int i = 0; i < match->player_count; i++) {
        const struct night_player *p = &match->players[i];
        const struct yaml_node *player = yaml_find(players, p->name);
        if (!check_word(in, player, "evaluation", p->evaluation, NIGHT_RANDOM) ||
            !check_word(in, player, "search", p->search, NIGHT_RANDOM) ||
            !check_word(in, player, "search", p->search, NIGHT_PLAIN))
            return false;
    }
    return true;
}

bool night_check_names(const struct night_reader *in)
{
    const struct yaml_node *stages = yaml_find(in->doc->root, "stages");
    for (int i = 0; i < in->night->stage_count; i++) {
        const struct night_stage *stage = &in->night->stages[i];
        const struct yaml_node *node = yaml_find(stages, stage->name);
        if (!check_runs(in, node, stage) || !check_players(in, node, stage))
            return false;
    }
    return true;
}

const struct night_stage *night_stage_find(const struct night_recipe *night, const char *name)
{
    for (int i = 0; i < night->stage_count; i++)
        if (strcmp(night->stages[i].name, name) == 0)
            return &night->stages[i];
    return NULL;
}

bool night_stage_learns(const struct night_stage *stage, const struct night_stage *match)
{
    for (int i = 0; i < stage->result_count; i++)
        if (strcmp(stage->results[i], match->name) == 0)
            return true;
    return false;
}

/* ---- the document ---- */

static bool take_stages(const struct night_reader *in, const struct yaml_node *stages)
{
    if (stages == NULL || stages->kind != YAML_MAPPING || stages->child == NULL)
        return yaml_fail(in->doc, stages == NULL ? in->doc->root : stages, in->err,
                         "stages: missing; at least one is needed, each with its name");
    for (const struct yaml_node *node = stages->child; node != NULL; node = node->next) {
        if (in->night->stage_count == NIGHT_STAGES)
            return night_fail(in, node, "too many stages");
        struct night_stage stage = {.share = 1};
        if (!path_is_stage_name(node->key) || strlen(node->key) > STORE_STAGE - 13)
            return night_fail(
                in, node,
                "the name of a stage has lower-case letters, digits and -, starts with a "
                "letter, and has at most 19 characters");
        strcpy(stage.name, node->key);
        bool match = yaml_find(node, "players") != NULL;
        bool taken = match ? night_take_match(in, node, &stage) : night_take_run(in, node, &stage);
        taken = taken && night_take_real(in, node, "share", 1e-6, 1e6, &stage.share);
        in->night->stages[in->night->stage_count++] = stage; /* night_recipe_free frees it */
        if (!taken)
            return false;
    }
    return night_check_names(in);
}

static bool read_document(const struct night_reader *in)
{
    static const char *const known[] = {"name", "phase", "seed",   "hours",
                                        "runs", "set",   "stages", NULL};
    struct night_recipe *night = in->night;
    const struct yaml_node *root = in->doc->root, *seed = yaml_find(root, "seed");
    int64_t number = 1;
    *night = (struct night_recipe){.hours = 8};
    night->stages = calloc(NIGHT_STAGES, sizeof *night->stages);
    if (night->stages == NULL)
        return error_set(in->err, "no memory for the stages");
    if (!night_check_keys(in, root, known) ||
        !night_take_text(in, root, "name", night->name, sizeof night->name) ||
        !night_take_real(in, root, "hours", 1e-3, 1e4, &night->hours))
        return false;
    if (night->name[0] == '\0')
        return night_fail(in, root, "name: missing; the name of the run");
    if (seed != NULL && (seed->kind != YAML_SCALAR || !parse_int64(seed->text, &number) ||
                         number < 0 || number > INT64_MAX - NIGHT_RUNS))
        return night_fail(in, seed, "expected a whole number from 0");
    night->seed = (uint64_t)number;
    return take_stages(in, yaml_find(root, "stages"));
}

bool night_recipe_recognise(const char *path, bool *is_night, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_file(&doc, path, err))
        return false;
    const struct yaml_node *phase = yaml_find(doc.root, "phase");
    *is_night = phase != NULL && phase->kind == YAML_SCALAR && strcmp(phase->text, "night") == 0;
    yaml_finish(&doc);
    return true;
}

bool night_recipe_read(const char *path, const char *const *settings, int setting_count,
                       struct night_recipe *night, struct error *err)
{
    struct yaml_document doc;
    char directory[PATH_SIZE];
    *night = (struct night_recipe){0};
    if (!path_directory(path, directory, err) || !yaml_read_file(&doc, path, err))
        return false;
    bool read = true;
    for (int i = 0; read && i < setting_count; i++)
        read = yaml_apply(&doc, settings[i], err);
    struct night_reader in = {.doc = &doc, .directory = directory, .night = night, .err = err};
    read = read && read_document(&in);
    yaml_finish(&doc);
    if (!read)
        night_recipe_free(night);
    return read;
}

bool night_recipe_from_text(const char *name, const char *text, struct night_recipe *night,
                            struct error *err)
{
    struct yaml_document doc;
    *night = (struct night_recipe){0};
    if (!yaml_read_text(&doc, name, text, strlen(text), err))
        return false;
    struct night_reader in = {.doc = &doc, .night = night, .err = err};
    bool read = read_document(&in);
    yaml_finish(&doc);
    if (!read)
        night_recipe_free(night);
    return read;
}

void night_recipe_free(struct night_recipe *night)
{
    for (int i = 0; i < night->stage_count; i++)
        free(night->stages[i].recipe);
    free(night->stages);
    *night = (struct night_recipe){0};
}

/* ---- files ---- */

/* True if the evaluation or search of a player is a file. */
static bool is_file(const struct night_recipe *night, const char *half)
{
    return strcmp(half, NIGHT_RANDOM) != 0 && strcmp(half, NIGHT_PLAIN) != 0 &&
           night_stage_find(night, half) == NULL;
}

bool night_match_each_file(const struct night_recipe *night, struct night_stage *s,
                           recipe_visit *visit, void *context, struct error *err)
{
    if (!visit(context, "openings", s->openings, err))
        return false;
    for (int i = 0; i < s->player_count; i++) {
        struct night_player *p = &s->players[i];
        if ((is_file(night, p->evaluation) && !visit(context, "evaluation", p->evaluation, err)) ||
            (is_file(night, p->search) && !visit(context, "search", p->search, err)))
            return false;
    }
    return true;
}

bool night_recipe_each_file(struct night_recipe *night, recipe_visit *visit, void *context,
                            struct error *err)
{
    for (int i = 0; i < night->stage_count; i++) {
        struct night_stage *s = &night->stages[i];
        if (s->is_match ? !night_match_each_file(night, s, visit, context, err)
                        : !recipe_each_file(s->recipe, visit, context, err))
            return false;
    }
    return true;
}

/* ---- the recipe as a text ---- */

void night_recipe_write_block(FILE *out, int indent, const char *text)
{
    fprintf(out, "%*srecipe: |\n", indent, "");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", indent + 2, "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Writes a stage's recipe. */
static bool write_recipe(FILE *out, const struct recipe *recipe)
{
    char *text = recipe_text(recipe);
    if (text != NULL)
        night_recipe_write_block(out, 4, text);
    free(text);
    return text != NULL;
}

static bool write_run(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    runs: %d\n    evolves: %s\n", s->runs,
            s->evolves_evaluation ? "evaluation" : "search");
    if (s->seeds[0] != '\0')
        fprintf(out, "    seeds: %s\n", s->seeds);
    if (s->evaluation[0] != '\0')
        fprintf(out, "    evaluation: %s\n", s->evaluation);
    if (s->search[0] != '\0')
        fprintf(out, "    search: %s\n", s->search);
    for (int i = 0; i < s->result_count; i++)
        fprintf(out, "%s%s%s", i == 0 ? "    results: [" : ", ", s->results[i],
                i + 1 == s->result_count ? "]\n" : "");
    return write_recipe(out, s->recipe);
}

static void write_match(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    games: %d\n    limit: %d\n    hash: %d\n", s->games, s->limit, s->hash);
    if (s->win_score > 0)
        fprintf(out, "    win_score: %d\n", s->win_score);
    if (s->keeps)
        fputs("    keep: yes\n", out);
    fputs("    openings: ", out);
    yaml_write_text(out, s->openings);
    fputs("\n    players:\n", out);
    for (int i = 0; i < s->player_count; i++) {
        fputs("      ", out);
        yaml_write_text(out, s->players[i].name);
        fputs(": {evaluation: ", out);
        yaml_write_text(out, s->players[i].evaluation);
        fputs(", search: ", out);
        yaml_write_text(out, s->players[i].search);
        fputs("}\n", out);
    }
}

char *night_recipe_text(const struct night_recipe *night)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    fputs("name: ", out);
    yaml_write_text(out, night->name);
    fprintf(out, "\nphase: night\nseed: %llu\nhours: %.15g\nstages:\n",
            (unsigned long long)night->seed, night->hours);
    bool written = true;
    for (int i = 0; i < night->stage_count; i++) {
        const struct night_stage *s = &night->stages[i];
        fprintf(out, "  %s:\n    share: %.15g\n", s->name, s->share);
        if (s->is_match)
            write_match(out, s);
        else
            written = write_run(out, s) && written;
    }
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}
