/* The space of another engine's UCI options, as the engine announces them or a tuner has them. */
#ifndef GRAYLING_SPACE_ENGINE_H
#define GRAYLING_SPACE_ENGINE_H

#include "engine_setup.h"
#include "space.h"

/* Makes a space of kind "uci" with a parameter for each option in the engine's order, except buttons and those that a
 * run sets: Hash, threads, own book, pondering (engine_setup_sets), for which the engine's default would replace the
 * run's value. Other options that say how the engine is used, not how it plays, are fixed: files, logs, tablebases,
 * all texts. A text that is a decimal number gets its decimals, and is fixed too, because it announces no range.
 * Options that a file cannot have are left out, and a default that is none of the values is replaced by the nearest
 * or first, each with a line in `notes`. `command` starts the engine. */
bool space_of_engine(const struct uci_client *client, const char *command, FILE *notes,
                     struct space *space, struct error *err);

/* True if an option's name says that it belongs to the search: a margin, a reduction, a depth. At a limit of plies
 * those cannot be compared: the search that prunes less plays better. */
bool space_is_search(const char *name);

/* Thins a space of space_of_engine to the parameters of a tuner that plays games: lines of OpenBench or
 * fishtest, or weather-factory's config.json (value_document.h). They become genes in the order of the file,
 * with its value as the default, its range, and its c_end or step as c; r_end has no use. An option that is a
 * text becomes a number with the decimals that it needs. Another default than the engine's is a line in
 * `notes`. Fails, with the reason and its place, if the engine has no such option or does not take the range. */
bool space_take_tuner(struct space *space, const char *path, FILE *notes, struct error *err);

/* Reads the setup of a space's engine: its constants, and the usual settings (engine_setup.h). Fails, with
 * the reason, if the engine cannot be started, or does not take a constant. */
bool space_engine_constants(const struct param_table *table, struct engine_hash hash,
                            struct engine_setup *setup, struct error *err);

/* The same for evolution, with the recipe's `fitness.hash`: fails also if nothing can evolve, or the engine
 * lacks a parameter or does not take all values that the space has. */
bool space_engine_setup(const struct param_table *table, int hash_mib, struct engine_setup *setup,
                        struct error *err);

#endif
