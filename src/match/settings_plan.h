/* The settings of a UCI engine in the context of a list of jobs (ranks.h). The engine is started where the
 * work is done. */
#ifndef GRAYLING_SETTINGS_PLAN_H
#define GRAYLING_SETTINGS_PLAN_H

#include "ranks.h"
#include "uci_client.h"

/* Passes them on; NULL: there is no such engine. */
const struct uci_settings *settings_plan(struct plan *p, const struct uci_settings *settings);

#endif
