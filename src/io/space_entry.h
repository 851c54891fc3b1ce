/* Internal to space files: reads the entry of one parameter of another engine, and the key that spaces of
 * our own tables share with it. */
#ifndef GRAYLING_SPACE_ENTRY_H
#define GRAYLING_SPACE_ENTRY_H

#include "space.h"
#include "yaml_document.h"

/* A space file being read. */
struct space_reader {
    const struct yaml_document *doc;
    struct space *space;
    struct param *params; /* the space's rows */
    char *text;           /* free memory for texts, enough for all of the document */
    struct error *err;
};

/* Copies a text into the space's memory; returns the copy. */
const char *space_keep_text(struct space_reader *in, const char *text);

/* Reads the perturbation of an entry from `key`, as the engine reads it: of two decimals, 0.05 is 5. Leaves it
 * alone if the key is absent. Type, range and bits are known. */
bool space_take_c(const struct yaml_document *doc, const struct yaml_node *entry, const char *key,
                  struct param *p, struct error *err);

/* Reads the entry of one parameter. */
bool space_take_entry(struct space_reader *in, const struct yaml_node *entry, struct param *p);

#endif
