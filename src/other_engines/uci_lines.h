/* Lines of UCI engines: options, their values, and `info`. Nothing here reads or waits. */
#ifndef GRAYLING_UCI_LINES_H
#define GRAYLING_UCI_LINES_H

#include "error.h"
#include "position.h"

#include <stdbool.h>
#include <stdint.h>

struct words; /* words.h */

/* ---- options */

/* An engine with this option plays Chess960. */
#define UCI_CHESS960 "UCI_Chess960"

enum uci_option_type { UCI_CHECK, UCI_SPIN, UCI_COMBO, UCI_BUTTON, UCI_STRING };

/* An option as the engine announced it. Texts are owned by the list. */
struct uci_option {
    enum uci_option_type type;
    const char *name;
    const char *initial; /* "" if there is none; "<empty>" is "" */
    int64_t min, max;    /* of a spin */
    const char *choices; /* of a combo: each ended by a newline; else "" */
};

/* Owned by the caller; zeroed: empty. */
struct option_list {
    struct uci_option *options;
    int count;
};

/* Parses the words after `option` and adds the option. A line without a name or a known type is
 * skipped, as is a name that is there already. The default of a check becomes "true" or "false", also
 * from "1" or "On", and that of a spin a whole number, also from "1.0". False, with what the engine
 * "has", if these are more than 10,000 options, or more than the memory holds. */
bool option_list_add(struct option_list *list, const struct words *words, struct error *err);

/* Returns the option with this name, in letters of either case, or NULL. */
const struct uci_option *option_list_find(const struct option_list *list, const char *name);

void option_list_free(struct option_list *list);

/* ---- values */

/* A value for an option, as the engine reads it. */
struct uci_value {
    const char *name, *value;
};

/* A list of values that owns its texts: one block each, at the name. Owned by the caller; zeroed: empty. */
struct uci_values {
    struct uci_value *items;
    int count;
};

/* Appends copies of a name and a value. False if memory is short. */
bool uci_values_add(struct uci_values *v, const char *name, const char *value);

/* Returns the index of the first value of this name, or -1. Letters of either case are equal. */
int uci_values_find(const struct uci_value *values, int count, const char *name);

void uci_values_free(struct uci_values *v);

/* Checks a value, and returns it as the engine reads it: "" of a string as "<empty>", a choice as
 * the engine spells it, a check's 1 or 0, which tuners write, on or off as "true" or "false". The caller
 * frees the result. NULL, with the reason, if the option does not take the value. */
char *option_value(const struct uci_option *option, const char *value, struct error *err);

/* ---- info */

/* What an engine reported in its last `info` lines: those that were given, since the search began. */
struct uci_info {
    int depth;      /* plies; 0: not given */
    uint64_t nodes; /* the largest given */
    int64_t time;   /* milliseconds, by the engine; 0: not given */
    bool has_score, mate;
    bool bound;    /* the score is a lower or upper bound: no score of the position */
    int32_t score; /* centipawns, or moves to mate, for the side to move */
    Move move;     /* the first of the latest pv; NO_MOVE: none */
    int current;   /* the number of the move that is searched (currmovenumber); 0: not given */
    int line; /* the rank of the variation (multipv): 1, the best, unless a watcher has `lines` */
    bool judges; /* this line itself gave a score or a pv */
};

/* Parses the words after `info` in a search of position `p`, and adds to `info` what they give: depth, nodes, time,
 * score, and the first move of the pv if it is legal. Returns true if they hold depth, nodes, score or pv. Skips
 * unknown and unreadable words, and all after `string`. The score is a bound if the line says so anywhere. The depth
 * of a line with `currmove` is that of a search in progress, and is left out. If `info->line` is not 1 afterwards,
 * the line is about another variation than the best: score and move are those that it gives, or none. */
bool uci_info_line_read(const struct words *words, const struct position *p, struct uci_info *info);

#endif
