#include "hosts_kept.h"

#include "count.h"
#include "foreign_text.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

bool hosts_kept_put(struct store *s, struct error *err)
{
    struct ranks_report all;
    struct rank_host h;
    char *text = NULL;
    size_t size;
    if (!ranks_many())
        return store_remove(s, "hosts", err);
    FILE *out = ranks_report(&all) ? text_stream(&text, &size) : NULL;
    if (out == NULL)
        return true;
    fprintf(out, "%d %d %d %" PRId64 " %.4f %d %" PRId64 " %" PRId64 " %.3f %.3f %.3f %.3f %.0f \n",
            all.ranks, all.threads, all.hosts, all.jobs, all.idle, (int)all.reason, all.batches,
            all.groups, all.seconds, all.in_batches, all.busy, all.serving, all.bytes);
    for (int i = 0; ranks_report_host(i, &h); i++)
        fprintf(out, "%d %d %" PRId64 " %.4f %s\n", h.ranks, h.threads, h.jobs, h.idle, h.name);
    bool put = text_close(out, "the names of hosts", err) && store_put(s, "hosts", text, err);
    free(text);
    return put;
}

/* ---- reading ---- */

static const char *after_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end == NULL ? text + strlen(text) : end + 1;
}

/* Older runs have more numbers in the line. */
const char *hosts_kept_all(const char *text, struct ranks_report *all)
{
    int reason = IDLE_LITTLE;
    *all = (struct ranks_report){0};
    sscanf(text, "%d %d %d %" SCNd64 " %lf %d %" SCNd64 " %" SCNd64 " %lf %lf %lf %lf %lf",
           &all->ranks, &all->threads, &all->hosts, &all->jobs, &all->idle, &reason, &all->batches,
           &all->groups, &all->seconds, &all->in_batches, &all->busy, &all->serving, &all->bytes);
    if (reason >= IDLE_LITTLE && reason <= IDLE_SERVICE)
        all->reason = (enum ranks_idle)reason;
    return after_line(text);
}

const char *hosts_kept_next(const char *text, struct rank_host *h)
{
    *h = (struct rank_host){0};
    if (sscanf(text, "%d %d %" SCNd64 " %lf %63s", &h->ranks, &h->threads, &h->jobs, &h->idle,
               h->name) != 5)
        return NULL;
    foreign_text_copy(h->name, sizeof h->name, h->name);
    return after_line(text);
}

const char *hosts_kept_words(const struct ranks_report *all, char text[HOSTS_TEXT])
{
    char ranks[COUNTED_MAX], threads[COUNTED_MAX], hosts[COUNTED_MAX], jobs[COUNTED_MAX];
    snprintf(text, HOSTS_TEXT, "%s with %s on %s, %s, %.0f %% idle",
             format_things(all->ranks, "rank", ranks),
             format_things(all->threads, "thread", threads),
             format_things(all->hosts, "host", hosts), format_things(all->jobs, "job", jobs),
             100 * all->idle);
    return text;
}

const char *hosts_kept_warning(const struct ranks_report *all, char text[HOSTS_TEXT])
{
    text[0] = '\0';
    if (all->reason != IDLE_LITTLE)
        snprintf(text, HOSTS_TEXT, "the threads are idle for %.0f %% of the time: %s",
                 100 * all->idle, ranks_idle_text(all->reason));
    return text;
}
