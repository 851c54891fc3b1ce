/* Internal to space files: reads the entry of one parameter of another engine. Only the space's own
 * files include this. */
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

/* Reads the entry of one parameter. */
bool space_take_entry(struct space_reader *in, const struct yaml_node *entry, struct param *p);

#endif
