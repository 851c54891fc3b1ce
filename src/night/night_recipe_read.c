/* Reads the recipe of a night. Each function here that takes an entry fails with file, line and key. */
#include "night_recipe.h"

#include "engine.h"
#include "foreign_text.h"
#include "opening.h"
#include "parse.h"
#include "paths.h"
#include "space.h"
#include "values.h"
#include "yaml_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The source and the destination of a night that is being read. */
struct reader {
    const struct yaml_document *doc;
    /* Paths are relative to it. NULL: a stored text, which was checked when the night began; paths are not
     * changed, and no file is opened. */
    const char *directory;
    struct night_recipe *night;
};

/* ---- entries ---- */

/* Finds an entry that is a text; NULL if it is absent. If it is none, fails, and it is not NULL. */
static bool find_text(const struct reader *in, const struct yaml_node *mapping, const char *key,
                      const struct yaml_node **node)
{
    *node = yaml_find(mapping, key);
    return *node == NULL || ((*node)->kind == YAML_SCALAR && (*node)->text[0] != '\0') ||
           refuse(in, *node, "expected a text");
}

/* Copies a name: visible UTF-8 on one line. */
static bool copy_name(const struct reader *in, const struct yaml_node *node, const char *text,
                      const char *what, char *out, size_t size)
{
    if (text[0] == '\0' || strlen(text) >= size || !foreign_text_is_clean(text))
        return refuse(in, node, "the %s is too long, or not visible UTF-8 on one line", what);
    strcpy(out, text);
    return true;
}

/* Reads a number in a range. An absent entry leaves the value unchanged. */
static bool take_real(const struct reader *in, const struct yaml_node *mapping, const char *key,
                      double min, double max, double *value)
{
    const struct yaml_node *node;
    double number;
    if (!find_text(in, mapping, key, &node) || node == NULL)
        return node == NULL;
    if (!parse_double(node->text, &number) || number < min || number > max)
        return refuse(in, node, "'%s' is wrong; expected a number from %g to %g", node->text, min,
                      max);
    *value = number;
    return true;
}

/* The same for a whole number. */
static bool take_whole(const struct reader *in, const struct yaml_node *mapping, const char *key,
                       int min, int max, int *value)
{
    const struct yaml_node *node = yaml_find(mapping, key);
    return node == NULL || yaml_take_whole(in->doc, node, min, max, "", value);
}

/* Reads "yes" or "no". An absent entry leaves the value unchanged. */
static bool take_yes(const struct reader *in, const struct yaml_node *mapping, const char *key,
                     bool *value)
{
    const struct yaml_node *node;
    if (!find_text(in, mapping, key, &node) || node == NULL)
        return node == NULL;
    *value = strcmp(node->text, "yes") == 0;
    return *value || strcmp(node->text, "no") == 0 ||
           refuse(in, node, "'%s' is wrong; expected yes or no", node->text);
}

/* Reads the path of a file, relative to the recipe. The file must exist. */
static bool take_path(const struct reader *in, const struct yaml_node *node, char path[RECIPE_PATH])
{
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return refuse(in, node, "expected the name of a file");
    if (!copy_name(in, node, node->text, "path", path, RECIPE_PATH))
        return false;
    if (in->directory == NULL)
        return true;
    return (node->line == 0 || path_absolute(in->directory, node->text, path, in->doc->err)) &&
           (access(path, R_OK) == 0 ||
            refuse(in, node, "cannot open '%s'; paths are relative to the recipe", node->text));
}

/* Reads the name of an earlier stage that evolves an evaluation, or a search. An absent entry gives "". */
static bool take_stage(const struct reader *in, const struct yaml_node *mapping, const char *key,
                       bool evaluation, char out[STORE_STAGE])
{
    const struct yaml_node *node;
    out[0] = '\0';
    if (!find_text(in, mapping, key, &node) || node == NULL)
        return node == NULL;
    const struct night_stage *s = night_stage_find(in->night, node->text);
    if (s == NULL || s->is_match)
        return refuse(in, node, "'%s' is not an earlier stage that evolves", node->text);
    if (s->evolves_evaluation != evaluation)
        return refuse(in, node, "the stage %s evolves %s; expected one that evolves %s", s->name,
                      evaluation ? "a search" : "an evaluation",
                      evaluation ? "an evaluation" : "a search");
    strcpy(out, s->name);
    return strcmp(key, "seeds") == 0 || s->kind[0] == '\0' || recipe_is_kind(s->kind) ||
           refuse(in, node,
                  "the stage %s evolves kind %s, of another engine; expected a stage that "
                  "evolves our own",
                  s->name, s->kind);
}

/* ---- a match ---- */

/* Reads the source of a player's evaluation or search: a stage, a word, or a file of such. */
static bool take_half(const struct reader *in, const struct yaml_node *player, const char *key,
                      bool evaluation, char out[RECIPE_PATH])
{
    const struct yaml_node *node;
    strcpy(out, evaluation ? "" : NIGHT_PLAIN);
    if (!find_text(in, player, key, &node))
        return false;
    if (node == NULL)
        return !evaluation || refuse(in, player, "a player needs an evaluation");
    if (night_stage_find(in->night, node->text) != NULL)
        return take_stage(in, player, key, evaluation, out);
    if (strcmp(node->text, NIGHT_RANDOM) == 0 ||
        (!evaluation && strcmp(node->text, NIGHT_PLAIN) == 0))
        return strcpy(out, node->text) != NULL;
    struct evaluation e;
    struct search_params p;
    if (!take_path(in, node, out))
        return false;
    if (in->directory == NULL)
        return true;
    return evaluation ? values_evaluation(out, &e, in->doc->err)
                      : values_search_params(out, &p, in->doc->err);
}

/* Checks the book and the number of games: each opening gives two players two. */
static bool check_games(const struct reader *in, const struct yaml_node *mapping,
                        const struct yaml_node *openings, const struct night_stage *stage)
{
    const struct yaml_node *games = yaml_find(mapping, "games");
    size_t different;
    if (in->directory == NULL)
        return true;
    if (!night_book_games(stage->openings, &different, in->doc->err))
        return false;
    return (size_t)stage->games <= different ||
           refuse(in, games != NULL ? games : openings,
                  "%d games of two players are more than the %zu that %s gives, two for each "
                  "opening; the rest would be the same again",
                  stage->games, different, openings->text);
}

static bool take_player(const struct reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    if (stage->player_count == NIGHT_PLAYERS)
        return refuse(in, node, "too many players");
    struct night_player *player = &stage->players[stage->player_count++];
    return copy_name(in, node, node->key, "name", player->name, sizeof player->name) &&
           yaml_check_keys(in->doc, node, "evaluation, search") &&
           take_half(in, node, "evaluation", true, player->evaluation) &&
           take_half(in, node, "search", false, player->search);
}

static bool take_match(const struct reader *in, const struct yaml_node *mapping,
                       struct night_stage *stage)
{
    const struct yaml_node *players = yaml_find(mapping, "players");
    const struct yaml_node *openings = yaml_find(mapping, "openings");
    stage->is_match = true;
    stage->games = 400;
    stage->limit = 5000;
    stage->hash = 4;
    if (!yaml_check_keys(in->doc, mapping,
                         "players, share, games, limit, hash, openings, win_score, keep") ||
        !take_whole(in, mapping, "games", 2, 1000000, &stage->games) ||
        !take_whole(in, mapping, "limit", 1, 1000000000, &stage->limit) ||
        !take_whole(in, mapping, "hash", HASH_MIN, HASH_MAX, &stage->hash) ||
        !take_whole(in, mapping, "win_score", 0, 30000, &stage->win_score) ||
        !take_yes(in, mapping, "keep", &stage->keeps))
        return false;
    if (stage->games % 2 != 0)
        return refuse(in, yaml_find(mapping, "games"), "expected an even number of games");
    if (openings == NULL)
        return refuse(in, mapping, "a match needs openings: a book of EPD, FEN or PGN");
    if (!take_path(in, openings, stage->openings) || !check_games(in, mapping, openings, stage))
        return false;
    if (players->kind != YAML_MAPPING)
        return refuse(in, players,
                      "expected players by name, each with an evaluation and a search");
    for (const struct yaml_node *p = players->child; p != NULL; p = p->next)
        if (!take_player(in, p, stage))
            return false;
    return stage->player_count >= 2 || refuse(in, players, "a match needs two players or more");
}

/* ---- a stage that evolves ---- */

/* Reads the space of a recipe. The caller frees it. */
static bool read_recipe_space(const struct reader *in, const struct recipe *r, struct space *space)
{
    if (r->space[0] == '\0')
        return space_of_table(r->phase == PHASE_SEARCH ? &search_table : &eval_table, space,
                              in->doc->err);
    return space_read(r->space, recipe_tables, space, in->doc->err);
}

/* Finds out what a recipe evolves: the kind, and which half. The space decides by games; of a
 * stored night, which opens no files, the key `evolves`, and the kind is not known. */
static bool find_half(const struct reader *in, const struct yaml_node *mapping,
                      struct night_stage *stage)
{
    const struct recipe *r = stage->recipe;
    const struct yaml_node *word;
    struct space space;
    stage->evolves_evaluation = r->phase != PHASE_SEARCH;
    if (in->directory == NULL) {
        if (!find_text(in, mapping, "evolves", &word))
            return false;
        if (word != NULL && strcmp(word->text, "search") == 0)
            stage->evolves_evaluation = false;
        return true;
    }
    if (!read_recipe_space(in, r, &space))
        return false;
    snprintf(stage->kind, NIGHT_KIND, "%s", space.table.kind);
    space_free(&space);
    if (r->phase != PHASE_GAMES)
        return true;
    stage->evolves_evaluation = evaluation_table_of_kind(stage->kind) != NULL;
    return recipe_is_kind(stage->kind) ||
           error_set(in->doc->err, "%s: kind %s: in a night, only our own engine plays itself",
                     r->space, stage->kind);
}

/* The least and the largest value of a gene; one without bits is constant. */
static int32_t least(const struct param *gene)
{
    return gene->bits == 0 ? gene->initial : gene->min;
}

static int32_t largest(const struct param *gene)
{
    return gene->bits == 0 ? gene->initial : gene->max;
}

/* Checks that each value that a seed may have is one of the stage (values_read). */
static bool check_ranges(const struct reader *in, const struct yaml_node *node,
                         const struct night_stage *seeds, const struct param_table *from,
                         const struct param_table *to)
{
    for (int i = 0; i < to->count; i++) {
        const struct param *gene = &to->params[i];
        const int j = param_find_from(from, gene->name, i);
        if (j < 0 && param_is_added(to, i))
            continue;
        if (j < 0)
            return refuse(in, node, "the stage %s has no gene %s", seeds->name, gene->name);
        const struct param *seed = &from->params[j];
        if (least(seed) < least(gene) || largest(seed) > largest(gene))
            return refuse(in, node,
                          "the stage %s has %s from %d to %d, and this one from %d to %d; "
                          "expected a range that holds the other",
                          seeds->name, gene->name, (int)least(seed), (int)largest(seed),
                          (int)least(gene), (int)largest(gene));
    }
    return true;
}

/* Checks that the seeds have the genes of the stage. The stored text of a night has been checked. */
static bool check_seeds(const struct reader *in, const struct yaml_node *mapping,
                        const struct night_stage *stage)
{
    const struct night_stage *seeds = night_stage_find(in->night, stage->seeds);
    const struct yaml_node *node = yaml_find(mapping, "seeds");
    if (seeds == NULL)
        return true;
    if (in->directory != NULL && stage->recipe->seed_count > 0)
        return refuse(in, node,
                      "the recipe has seeds already; leave out its ga.seeds, or set them to []");
    if (strcmp(seeds->kind, stage->kind) != 0)
        return refuse(in, node,
                      "the stage %s evolves kind %s, and this one %s; expected a stage that "
                      "evolves %s",
                      seeds->name, seeds->kind, stage->kind, stage->kind);
    if (seeds->runs > stage->recipe->optimiser.population || seeds->runs > RECIPE_FILES)
        return refuse(in, node, "%d seeds for a population of %d (at most %d are allowed)",
                      seeds->runs, stage->recipe->optimiser.population, RECIPE_FILES);
    struct space from = {0}, to = {0};
    bool good = in->directory == NULL || (read_recipe_space(in, seeds->recipe, &from) &&
                                          read_recipe_space(in, stage->recipe, &to) &&
                                          check_ranges(in, node, seeds, &from.table, &to.table));
    space_free(&from);
    space_free(&to);
    return good;
}

/* ---- its recipe ---- */

/* Reads the recipe of a stage: a file, with `set` applied, or the text of a stored night. */
static bool take_recipe(const struct reader *in, const struct yaml_node *mapping,
                        struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "recipe"), *set = yaml_find(mapping, "set");
    const struct yaml_node *all = yaml_find(in->doc->root, "set");
    if (node == NULL)
        return refuse(in, mapping, "a stage needs a recipe, or players");
    if (set != NULL && set->kind != YAML_MAPPING)
        return refuse(in, set, "expected keys of the recipe");
    if (all != NULL && all->kind != YAML_MAPPING)
        return refuse(in, all, "expected keys of the stages' recipes");
    stage->recipe = calloc(1, sizeof *stage->recipe);
    if (stage->recipe == NULL)
        return refuse(in, node, "no memory");
    if (node->kind == YAML_SCALAR && (in->directory == NULL || strchr(node->text, '\n') != NULL))
        return recipe_from_text(in->doc->path, node->text, stage->recipe, in->doc->err);
    const unsigned later = (yaml_find(mapping, "results") != NULL ? RECIPE_TRAIN_LATER : 0u) |
                           (yaml_find(mapping, "seeds") != NULL ? RECIPE_SEEDS_LATER : 0u);
    return take_path(in, node, stage->source) &&
           (recipe_read_of_stage(stage->source, (const struct yaml_node *const[]){all, set},
                                 in->directory, later, stage->recipe, in->doc->err) ||
            error_prefix(in->doc->err, "%s: stages.%s: ", in->doc->path, stage->name));
}

/* Adds the earlier match, or run of games, that a node names to those whose games a stage learns from. It keeps them. */
static bool add_results(const struct reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    if (node->kind != YAML_SCALAR)
        return refuse(in, node, "expected the name of a stage of games");
    const struct night_stage *games = night_stage_find(in->night, node->text);
    const bool evolves = games != NULL && !games->is_match && games->runs == 1 &&
                         games->recipe->measure == MEASURE_GAMES;
    if (games == NULL || !(games->is_match || evolves))
        return refuse(in, node, "'%s' is not an earlier match, or one run of games", node->text);
    if (night_stage_learns(stage, games))
        return refuse(in, node, "'%s' stands there twice", node->text);
    if (stage->result_count == NIGHT_RESULTS)
        return refuse(in, node, "too many matches; at most %d", NIGHT_RESULTS);
    if (evolves)
        games->recipe->keep = 1;
    else if (games->games * games->player_count * (games->player_count - 1) / 2 <
             NIGHT_FEWEST_GAMES)
        return refuse(in, node,
                      "'%s' plays %d games a pairing; %d or more in all are needed to learn from",
                      games->name, games->games, NIGHT_FEWEST_GAMES);
    strcpy(stage->results[stage->result_count++], games->name);
    in->night->stages[games - in->night->stages].keeps = true;
    return true;
}

/* Reads the matches whose games a stage learns from: a name or a list of names. */
static bool take_results(const struct reader *in, const struct yaml_node *mapping,
                         struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "results");
    if (node == NULL)
        return true;
    if (stage->recipe->measure != MEASURE_RESULTS)
        return refuse(in, node,
                      "the recipe does not learn from results; its fitness.measure must be "
                      "results");
    if (stage->recipe->train_count > 0)
        return refuse(in, node,
                      "the recipe has training positions already; leave out its data.train");
    if (node->kind == YAML_SCALAR)
        return add_results(in, node, stage);
    if (node->kind != YAML_SEQUENCE || node->child == NULL)
        return refuse(in, node,
                      "expected the name of an earlier stage of games, or a list of names");
    for (const struct yaml_node *n = node->child; n != NULL; n = n->next)
        if (!add_results(in, n, stage))
            return false;
    return true;
}

/* Checks the halves that a stage names, whose kinds are not known of a stored night. */
static bool check_halves(const struct reader *in, const struct yaml_node *mapping,
                         const struct night_stage *stage)
{
    const struct yaml_node *evaluation = yaml_find(mapping, "evaluation");
    if (stage->evaluation[0] != '\0' && stage->evolves_evaluation)
        return refuse(in, evaluation, "only a search reads an evaluation");
    if (stage->evaluation[0] != '\0' && in->directory != NULL && !recipe_is_kind(stage->kind))
        return refuse(in, evaluation,
                      "the stage evolves kind %s, of another engine, which has an evaluation of "
                      "its own; leave the key out",
                      stage->kind);
    if (stage->search[0] != '\0' &&
        (!stage->evolves_evaluation || stage->recipe->measure != MEASURE_GAMES))
        return refuse(in, yaml_find(mapping, "search"),
                      "only evaluations in games play with a search");
    return true;
}

static bool take_run(const struct reader *in, const struct yaml_node *mapping,
                     struct night_stage *stage)
{
    const struct yaml_node *evolves = yaml_find(mapping, "evolves");
    stage->runs = 1;
    if (in->directory != NULL && evolves != NULL)
        return refuse(in, evolves, "unknown key; the recipe determines what it evolves");
    if (!yaml_check_keys(in->doc, mapping,
                         "recipe, runs, share, seeds, results, set, evaluation, search, evolves") ||
        !take_recipe(in, mapping, stage) || !find_half(in, mapping, stage) ||
        !take_whole(in, in->doc->root, "runs", 1, NIGHT_RUNS, &stage->runs) ||
        !take_whole(in, mapping, "runs", 1, NIGHT_RUNS, &stage->runs) ||
        !take_stage(in, mapping, "seeds", stage->evolves_evaluation, stage->seeds) ||
        !take_stage(in, mapping, "evaluation", true, stage->evaluation) ||
        !take_stage(in, mapping, "search", false, stage->search) ||
        !take_results(in, mapping, stage))
        return false;
    return check_halves(in, mapping, stage) && check_seeds(in, mapping, stage);
}

/* ---- names ---- */

/* Checks that no run of a stage with several has the name of another stage. */
static bool check_runs(const struct reader *in, const struct yaml_node *node,
                       const struct night_stage *stage)
{
    const struct yaml_node *runs = yaml_find(node, "runs");
    char name[STORE_STAGE];
    for (int i = 0; night_stage_runs(stage) > 1 && i < stage->runs; i++) {
        night_run_name(stage, i, name);
        if (night_stage_find(in->night, name) != NULL)
            return refuse(in, runs != NULL ? runs : node,
                          "run %d of the stage %s is named %s, as another stage is; rename one "
                          "of the two stages, or give %s fewer runs",
                          i + 1, stage->name, name, stage->name);
    }
    return true;
}

/* Checks that no word for half a player is the name of a stage too. */
static bool check_players(const struct reader *in, const struct yaml_node *node,
                          const struct night_stage *match)
{
    for (int i = 0; i < match->player_count; i++) {
        const struct night_player *p = &match->players[i];
        const struct {
            const char *key, *half, *word;
        } halves[] = {{"evaluation", p->evaluation, NIGHT_RANDOM},
                      {"search", p->search, NIGHT_RANDOM},
                      {"search", p->search, NIGHT_PLAIN}};
        for (int h = 0; h < 3; h++) {
            const char *word = halves[h].word, *key = halves[h].key;
            const struct yaml_node *player = yaml_find(yaml_find(node, "players"), p->name),
                                   *half = yaml_find(player, key);
            if (strcmp(halves[h].half, word) == 0 && night_stage_find(in->night, word) != NULL)
                return refuse(in, half != NULL ? half : player,
                              "'%s' may be the stage of this name, or the word for a %s %s; "
                              "rename the stage",
                              word, word, key);
        }
    }
    return true;
}

/* ---- the document ---- */

static bool take_stages(const struct reader *in, const struct yaml_node *stages)
{
    if (stages == NULL || stages->kind != YAML_MAPPING || stages->child == NULL)
        return refuse(in, stages == NULL ? in->doc->root : stages,
                      "stages: missing; at least one is needed, each with its name");
    for (const struct yaml_node *node = stages->child; node != NULL; node = node->next) {
        if (in->night->stage_count == NIGHT_STAGES)
            return refuse(in, node, "too many stages");
        struct night_stage stage = {.share = 1};
        if (!path_is_stage_name(node->key) || strlen(node->key) > STORE_STAGE - 13)
            return refuse(in, node,
                          "the name of a stage has lower-case letters, digits and -, starts with a "
                          "letter, and has at most 19 characters");
        strcpy(stage.name, node->key);
        bool match = yaml_find(node, "players") != NULL;
        bool taken = match ? take_match(in, node, &stage) : take_run(in, node, &stage);
        taken = taken && take_real(in, node, "share", 1e-6, 1e6, &stage.share);
        in->night->stages[in->night->stage_count++] = stage; /* night_recipe_free frees it */
        if (!taken)
            return false;
    }
    /* No name may be that of two runs, or of a stage and a word. */
    for (int i = 0; i < in->night->stage_count; i++) {
        const struct night_stage *stage = &in->night->stages[i];
        const struct yaml_node *node = yaml_find(stages, stage->name);
        if (!check_runs(in, node, stage) || !check_players(in, node, stage))
            return false;
    }
    return true;
}

static bool read_document(const struct reader *in)
{
    struct night_recipe *night = in->night;
    const struct yaml_node *root = in->doc->root, *seed = yaml_find(root, "seed"), *name;
    int64_t number = 1;
    *night = (struct night_recipe){.hours = 8};
    night->stages = calloc(NIGHT_STAGES, sizeof *night->stages);
    if (night->stages == NULL)
        return error_set(in->doc->err, "no memory for the stages");
    if (!yaml_check_keys(in->doc, root, "name, phase, seed, hours, runs, set, stages") ||
        !find_text(in, root, "name", &name) ||
        (name != NULL &&
         !copy_name(in, name, name->text, "text", night->name, sizeof night->name)) ||
        !take_real(in, root, "hours", 1e-3, 1e4, &night->hours))
        return false;
    if (name == NULL)
        return refuse(in, root, "name: missing; the name of the run");
    if (seed != NULL && (seed->kind != YAML_SCALAR || !parse_int64(seed->text, &number) ||
                         number < 0 || number > INT64_MAX - NIGHT_RUNS))
        return refuse(in, seed, "expected a whole number from 0");
    night->seed = (uint64_t)number;
    return take_stages(in, yaml_find(root, "stages"));
}

bool night_recipe_recognise(const char *path, const char *text, bool *is_night, struct error *err)
{
    struct yaml_document doc;
    if (text == NULL ? !yaml_read_file(&doc, path, err)
                     : !yaml_read_text(&doc, path, text, strlen(text), err))
        return false;
    const struct yaml_node *phase = yaml_find(doc.root, "phase");
    *is_night = phase != NULL && phase->kind == YAML_SCALAR && strcmp(phase->text, "night") == 0;
    yaml_finish(&doc);
    return true;
}

static bool finish_reading(struct reader *in, struct yaml_document *doc, bool good)
{
    in->doc = doc;
    good = good && read_document(in);
    yaml_finish(doc);
    if (!good)
        night_recipe_free(in->night);
    return good;
}

bool night_recipe_read(const char *path, const char *const *settings, int setting_count,
                       struct night_recipe *night, struct error *err)
{
    struct yaml_document doc;
    char directory[PATH_SIZE];
    struct reader in = {.directory = directory, .night = night};
    *night = (struct night_recipe){0};
    if (!path_directory(path, directory, err) || !yaml_read_file(&doc, path, err))
        return false;
    bool read = true;
    for (int i = 0; read && i < setting_count; i++)
        read = yaml_apply(&doc, settings[i]);
    return finish_reading(&in, &doc, read);
}

bool night_recipe_from_text(const char *name, const char *text, struct night_recipe *night,
                            struct error *err)
{
    struct yaml_document doc;
    struct reader in = {.night = night};
    *night = (struct night_recipe){0};
    return yaml_read_text(&doc, name, text, strlen(text), err) && finish_reading(&in, &doc, true);
}
