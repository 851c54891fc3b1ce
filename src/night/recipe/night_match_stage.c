#include "engine.h"
#include "foreign_text.h"
#include "night_reader.h"
#include "opening.h"
#include "values.h"

#include <string.h>

/* Reads the source of a player's evaluation or search: an earlier stage, one of the words, or a
 * file, which must contain such parameters. */
static bool take_half(const struct night_reader *in, const struct yaml_node *player,
                      const char *key, bool evaluation, char out[RECIPE_PATH])
{
    const struct yaml_node *node = yaml_find(player, key);
    const char *text;
    strcpy(out, evaluation ? "" : NIGHT_PLAIN);
    if (!night_text_of(in, player, key, &text))
        return false;
    if (text == NULL)
        return !evaluation || night_fail(in, player, "a player needs an evaluation");
    if (night_stage_find(in->night, text) != NULL) {
        char name[STORE_STAGE];
        bool taken = night_take_stage(in, player, key, evaluation, name);
        return taken && strcpy(out, name) != NULL;
    }
    if (strcmp(text, NIGHT_RANDOM) == 0 || (!evaluation && strcmp(text, NIGHT_PLAIN) == 0))
        return strcpy(out, text) != NULL;
    struct evaluation e;
    struct search_params p;
    if (!night_take_path(in, node, out))
        return false;
    if (in->directory == NULL)
        return true; /* it was checked when the night started */
    return evaluation ? values_evaluation(out, &e, in->err)
                      : values_search_params(out, &p, in->err);
}

/* Checks the book and the number of games: each opening gives two games of two players, who play the same ones
 * again after that. */
static bool check_games(const struct night_reader *in, const struct yaml_node *mapping,
                        const struct yaml_node *openings, const struct night_stage *stage)
{
    const struct yaml_node *games = yaml_find(mapping, "games");
    size_t different;
    if (in->directory == NULL)
        return true; /* it was checked when the night started */
    if (!night_book_games(stage->openings, &different, in->err))
        return false;
    return (size_t)stage->games <= different ||
           yaml_fail(in->doc, games != NULL ? games : openings, in->err,
                     "%d games of two players are more than the %zu that %s gives, two for each "
                     "opening; the rest would be the same again",
                     stage->games, different, openings->text);
}

bool night_book_games(const char *path, size_t *games, struct error *err)
{
    struct book book;
    if (!book_read(&book, path, NIGHT_BOOK_PLIES, err))
        return false;
    *games = 2 * book.count;
    book_free(&book);
    return true;
}

static bool take_player(const struct night_reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    static const char *const known[] = {"evaluation", "search", NULL};
    if (stage->player_count == NIGHT_PLAYERS)
        return night_fail(in, node, "too many players");
    struct night_player *player = &stage->players[stage->player_count++];
    if (node->key[0] == '\0' || strlen(node->key) >= sizeof player->name ||
        !foreign_text_is_clean(node->key))
        return night_fail(in, node, "the name is too long, or not visible UTF-8 on one line");
    strcpy(player->name, node->key);
    return night_check_keys(in, node, known) &&
           take_half(in, node, "evaluation", true, player->evaluation) &&
           take_half(in, node, "search", false, player->search);
}

bool night_take_match(const struct night_reader *in, const struct yaml_node *mapping,
                      struct night_stage *stage)
{
    static const char *const known[] = {"players",  "share",     "games", "limit", "hash",
                                        "openings", "win_score", "keep",  NULL};
    const struct yaml_node *players = yaml_find(mapping, "players");
    const struct yaml_node *openings = yaml_find(mapping, "openings");
    stage->is_match = true;
    stage->games = 400;
    stage->limit = 5000;
    stage->hash = 4;
    if (!night_check_keys(in, mapping, known) ||
        !night_take_whole(in, mapping, "games", 2, 1000000, 2, &stage->games) ||
        !night_take_whole(in, mapping, "limit", 1, 1000000000, 1, &stage->limit) ||
        !night_take_whole(in, mapping, "hash", HASH_MIN, HASH_MAX, 1, &stage->hash) ||
        !night_take_whole(in, mapping, "win_score", 0, 30000, 1, &stage->win_score) ||
        !night_take_yes(in, mapping, "keep", &stage->keeps))
        return false;
    if (openings == NULL)
        return night_fail(in, mapping, "a match needs openings: a book of EPD, FEN or PGN");
    if (!night_take_path(in, openings, stage->openings) ||
        !check_games(in, mapping, openings, stage))
        return false;
    if (players->kind != YAML_MAPPING)
        return night_fail(in, players,
                          "expected players by name, each with an evaluation and a search");
    for (const struct yaml_node *p = players->child; p != NULL; p = p->next)
        if (!take_player(in, p, stage))
            return false;
    return stage->player_count >= 2 || night_fail(in, players, "a match needs two players or more");
}
