/* The settings of a UCI engine in a description of work (plan.h). The engine is started where the work
 * is done. */
#ifndef GRAYLING_SETTINGS_PLAN_H
#define GRAYLING_SETTINGS_PLAN_H

#include "plan.h"
#include "uci_client.h"

/* Writes them; NULL: there is no such engine. */
void settings_plan_put(struct plan_writer *w, const struct uci_settings *settings);

/* Reads them, malloc'ed; NULL if there is no such engine, or if they cannot be read. */
struct uci_settings *settings_plan_get(struct plan_reader *r);
void settings_plan_free(struct uci_settings *settings); /* accepts NULL */

#endif
