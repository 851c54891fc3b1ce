/* The two documents of `grayling serve`: the live page and the status as JSON, each made at most
 * once in a few seconds, however many ask for it. */
#ifndef GRAYLING_LIVE_SITE_H
#define GRAYLING_LIVE_SITE_H

#include "http.h"

struct live_site;

/* `store_path` is borrowed. NULL, with the reason, if there is no memory. */
struct live_site *live_site_create(const char *store_path, struct error *err);
void live_site_destroy(struct live_site *site); /* accepts NULL */

/* The documents, for http_start: "/" and "/status.json". One caller at a time. */
bool live_site_get(void *site, const char *path, struct http_document *document, struct error *err);

#endif
