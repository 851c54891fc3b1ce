/* The settings with which a UCI engine plays and is measured: one thread, no book, no pondering, a
 * given table; and what the user sets. An engine is asked for its options first, so that each of
 * them is set only if the engine has it, and bad values are found before any work begins. */
#ifndef GRAYLING_ENGINE_SETUP_H
#define GRAYLING_ENGINE_SETUP_H

#include "uci_client.h"

enum { ENGINE_NAME_MAX = 200 };

/* The size of the table. */
struct engine_hash {
    int mib; /* 0: the engine's own */
    const char
        *option; /* that the user gave it with: the engine must take it. NULL: it is ours, and
                           the nearest that the engine takes will do */
};

/* Owned by the caller between read and free. */
struct engine_setup {
    struct uci_settings settings; /* for uci_client_start; its texts are those below */
    char name[ENGINE_NAME_MAX];   /* "id name" */
    char *command;
    struct uci_values values;
};

/* The whole command for the usual short name of an engine that needs arguments to speak UCI
 * ("gnuchess": "gnuchess -u"); else `command` itself. */
const char *engine_usual_command(const char *command);

/* True if an option is one that gets a value of ours unless the user sets it: Hash, Threads, OwnBook,
 * Ponder, UCI_Chess960 and the like, in letters of either case. */
bool engine_setup_sets(const struct uci_option *option);

/* Starts the engine, checks the values and stops it again. Values of the user replace ours, which become the
 * nearest that the engine takes. Fails, with the reason, if the command cannot be started, is not a UCI
 * engine, lacks an option, or refuses a value of the user. */
bool engine_setup_read(struct engine_setup *s, const char *command, const struct uci_value *values,
                       int count, struct engine_hash hash, struct error *err);

void engine_setup_free(struct engine_setup *s); /* accepts a zeroed one */

#endif
