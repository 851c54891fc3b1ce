/* The names of a night's runs, and names that would mean two things. */
#include "night_reader.h"

#include <stdio.h>
#include <string.h>

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
