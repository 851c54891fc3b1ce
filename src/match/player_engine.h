/* Our engine as a player, in this process. Under node or depth limits its moves depend only on its
 * settings and on the game so far. */
#ifndef GRAYLING_PLAYER_ENGINE_H
#define GRAYLING_PLAYER_ENGINE_H

#include "engine.h"
#include "player.h"

/* Creates an engine with the initial weights and parameters, and a table of `hash_mib` MiB. Returns
 * NULL and sets `err` when out of memory. */
struct player *player_engine_create(int hash_mib, struct error *err);

/* Sets what it plays with; between games. */
void player_engine_set(struct player *p, const struct evaluation *evaluation,
                       const struct search_params *params);

#endif
