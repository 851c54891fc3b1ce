/* Prints a reproduction's table as text for a terminal, or as Markdown for a page. */
#ifndef GRAYLING_REPRODUCE_SHOW_H
#define GRAYLING_REPRODUCE_SHOW_H

#include "lab_table.h"

#include <stdio.h>

/* `command` is the command that produces the table, for the page. */
void reproduce_show_text(FILE *out, const struct grid *g, const char *command);
void reproduce_show_markdown(FILE *out, const struct grid *g, const char *command);

#endif
