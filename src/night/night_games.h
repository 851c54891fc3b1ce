/* The games that a match of a night keeps, or a run of games, as files beside the night, and the positions that a
 * later stage learns from.
 *
 *     NIGHT-STAGE.pgn             the games, if the stage keeps them
 *     NIGHT-STAGE-train.epd       positions with results, for a recipe with measure: results
 *     NIGHT-STAGE-held-out.epd    the same from other games, one of each
 *
 * All of them follow from the stored games and the seed of the night. Which games are held out follows from
 * their moves, so a game that two matches played is held out in both or in none. */
#ifndef GRAYLING_NIGHT_GAMES_H
#define GRAYLING_NIGHT_GAMES_H

#include "night_summary.h"
#include "outcome_file.h"

/* The files of a match: the games, and positions. */
enum night_games_file { NIGHT_PGN, NIGHT_TRAIN, NIGHT_HELD_OUT, NIGHT_GAMES_FILES };

bool night_games_makes(const struct night_recipe *night, const struct night_stage *match,
                       enum night_games_file file);

bool night_games_path(const char *night_path, const struct night_stage *match,
                      enum night_games_file file, char path[OUTCOME_PATH], struct error *err);

bool night_games_write(const char *night_path, const struct night_stage *match, struct error *err);

/* Makes positions from the games of each match that a stage learns from its training positions, and
 * held-out ones if it has none, a too large batch all of them. Fails if there are too few games. */
bool night_games_draw(const char *night_path, const struct night_recipe *night,
                      const struct night_stage *learner, struct recipe *recipe, struct error *err);

#endif
