#include "live_site.h"

#include "clock.h"
#include "live_page.h"
#include "status_json.h"
#include "text_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A document is made at most once in so many seconds. The body of the page, which costs more, is
 * made at most for a hundredth of the time while the run goes on; its head is always new. */
#define PAGE_SECONDS   3.0
#define STATUS_SECONDS 1.0

/* A document as it was made last. */
struct made {
    struct report_text text;
    double at, cost; /* of the monotonic clock; seconds it took */
};

/* How far the run was at a moment. */
struct moment {
    enum run_state state;
    double spent;
};

struct live_site {
    const char *store_path;
    struct made body, page, status;
    struct report_reading reading;          /* of the body */
    struct moment before_page, before_body; /* when the latest of each was begun */
};

struct live_site *live_site_create(const char *store_path, struct error *err)
{
    struct live_site *site = calloc(1, sizeof *site);
    if (site == NULL)
        error_set(err, "no memory for the server");
    else
        site->store_path = store_path;
    return site;
}

void live_site_destroy(struct live_site *site)
{
    if (site == NULL)
        return;
    report_reading_free(&site->reading);
    free(site->body.text.bytes);
    free(site->page.text.bytes);
    free(site->status.text.bytes);
    free(site);
}

static bool make_status(struct live_site *site, struct report_text *text, struct error *err)
{
    struct status s;
    if (!status_read(site->store_path, &s, err))
        return false;
    *text = (struct report_text){NULL, 0};
    FILE *out = text_stream(&text->bytes, &text->length);
    if (out != NULL)
        status_json_write(out, site->store_path, &s);
    status_free(&s);
    return (out != NULL && fclose(out) == 0) || error_set(err, "no memory for the status");
}

static bool make_body(struct live_site *site, struct report_text *text, struct error *err)
{
    site->before_body = site->before_page;
    return report_text_compose(site->store_path, &site->reading, text, err);
}

/* Makes a document again if it is too old: older than `seconds`, and than a hundred times its
 * cost. */
static bool renew(struct live_site *site, struct made *made, double seconds,
                  bool (*make)(struct live_site *, struct report_text *, struct error *),
                  struct error *err)
{
    struct report_text text;
    double now = clock_seconds();
    if (made->text.bytes != NULL && now - made->at < fmax(seconds, 100 * made->cost))
        return true;
    if (!make(site, &text, err))
        return false;
    free(made->text.bytes);
    *made = (struct made){.text = text, .at = clock_seconds(), .cost = clock_seconds() - now};
    return true;
}

/* True if the body is of the run as it is now. While the run goes on it need not be: the page loads
 * itself again. */
static bool body_holds(const struct live_site *site)
{
    const struct moment *page = &site->before_page, *body = &site->before_body;
    return page->state == RUN_STATE_RUNNING ||
           (page->state == body->state && page->spent == body->spent);
}

/* Copies the body for a page, which may be the last. */
static bool copy_body(struct live_site *site, struct report_text *text, struct error *err)
{
    if (!body_holds(site))
        site->body.at = -INFINITY; /* whatever its age */
    if (!renew(site, &site->body, PAGE_SECONDS, make_body, err))
        return false;
    *text = (struct report_text){malloc(site->body.text.length), site->body.text.length};
    if (text->bytes == NULL)
        return error_set(err, "no memory for the page");
    memcpy(text->bytes, site->body.text.bytes, text->length);
    return true;
}

/* The page: its body with the head of this moment. The status is read first, so that a page that does
 * not load itself again has no body of a run that goes on. */
static bool make_page(struct live_site *site, struct report_text *text, struct error *err)
{
    struct status s;
    if (!status_read(site->store_path, &s, err))
        return false;
    site->before_page = (struct moment){s.state, s.spent};
    int refresh = (int)ceil(live_page_interval(0));
    bool made =
        copy_body(site, text, err) && live_page_enliven(site->store_path, &s, refresh, text, err);
    status_free(&s);
    return made;
}

bool live_site_get(void *context, const char *path, struct http_document *document,
                   struct error *err)
{
    struct live_site *site = context;
    bool page = strcmp(path, "/") == 0;
    struct made *made = page ? &site->page : &site->status;
    *document = (struct http_document){.type = page ? "text/html; charset=utf-8"
                                                    : "application/json; charset=utf-8"};
    if (!page && strcmp(path, "/status.json") != 0)
        return true;
    site->page.cost = 0; /* its body has the cost */
    if (!renew(site, made, page ? PAGE_SECONDS : STATUS_SECONDS, page ? make_page : make_status,
               err))
        return false;
    document->bytes = made->text.bytes;
    document->length = made->text.length;
    return true;
}
