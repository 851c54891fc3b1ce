/* An engine as an option names it: a command, or a parameter file of kind `uci` that has one
 * (engine_options.h), whose values the engine is given. */
#ifndef GRAYLING_NAMED_ENGINE_H
#define GRAYLING_NAMED_ENGINE_H

#include "engine_setup.h"

/* Starts the engine, checks its options and stops it again (engine_setup_read). `more` are values that
 * the caller needs; they replace those of a file. `option` begins the error's text. */
bool named_engine_read(struct engine_setup *s, const char *option, const char *name,
                       const struct uci_value *more, int count, struct engine_hash hash,
                       struct error *err);

/* The table that --hash asks for; 0 MiB: it was not given, and 16 will do. */
struct engine_hash engine_hash_given(int mib);

#endif
