/* The options that a UCI engine announces: its lines `option`, and what values they take. */
#ifndef GRAYLING_OPTION_LIST_H
#define GRAYLING_OPTION_LIST_H

#include "uci_client.h"
#include "uci_words.h"

/* An empty list is all 0. Owns the texts of its options. */
struct option_list {
    struct uci_option *options;
    int count, room;
};

/* Parses the words after `option` and adds the option. A line without a name or a known type is
 * skipped, as is a name that is there already. The default of a check becomes "true" or "false", also
 * from "1" or "On", and that of a spin a whole number, also from "1.0". False, with what the engine
 * "has", if these are more than 10,000 options, or more than the memory holds. */
bool option_list_add(struct option_list *list, struct words words, struct error *err);

/* Returns the option with this name, in letters of either case, or NULL. */
const struct uci_option *option_list_find(const struct option_list *list, const char *name);

/* Checks a value, and returns it as the engine reads it: "" of a string as "<empty>", a choice as
 * the engine spells it, a check's 1 or 0, which tuners write, on or off as "true" or "false". The caller
 * frees the result. NULL, with the reason, if the option does not take the value. */
char *option_value(const struct uci_option *option, const char *value, struct error *err);

void option_list_free(struct option_list *list);

#endif
