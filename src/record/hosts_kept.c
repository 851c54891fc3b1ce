#include "hosts_kept.h"

#include "count.h"
#include "foreign_text.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields of the line about all, in their order. Older runs have more. */
static const struct field {
    enum { INT, INT64, REAL } type;
    size_t at;
    int decimals;
} fields[] = {
#define AT(field) offsetof(struct ranks_report, field)
    {INT, AT(ranks), 0},       {INT, AT(threads), 0},  {INT, AT(hosts), 0},
    {INT64, AT(jobs), 0},      {REAL, AT(idle), 4},    {INT, AT(reason), 0},
    {INT64, AT(batches), 0},   {INT64, AT(groups), 0}, {REAL, AT(seconds), 3},
    {REAL, AT(in_batches), 3}, {REAL, AT(busy), 3},    {REAL, AT(serving), 3},
    {REAL, AT(bytes), 0},
#undef AT
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

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
    for (const struct field *f = fields; f < fields + FIELDS; f++) {
        const void *value = (const char *)&all + f->at;
        if (f->type == INT)
            fprintf(out, "%d ", *(const int *)value);
        else if (f->type == INT64)
            fprintf(out, "%" PRId64 " ", *(const int64_t *)value);
        else
            fprintf(out, "%.*f ", f->decimals, *(const double *)value);
    }
    fputs("\n", out);
    for (int i = 0; ranks_report_host(i, &h); i++)
        fprintf(out, "%d %d %" PRId64 " %.4f %s\n", h.ranks, h.threads, h.jobs, h.idle, h.name);
    bool put = fclose(out) == 0 ? store_put(s, "hosts", text, err)
                                : error_set(err, "no memory for the names of hosts");
    free(text);
    return put;
}

/* ---- reading ---- */

/* The text after the next line. */
static const char *after_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end == NULL ? text + strlen(text) : end + 1;
}

const char *hosts_kept_all(const char *text, struct ranks_report *all)
{
    const char *line = text;
    *all = (struct ranks_report){0};
    for (const struct field *f = fields; f < fields + FIELDS; f++) {
        void *value = (char *)all + f->at;
        char *end;
        if (f->type == INT)
            *(int *)value = (int)strtol(line, &end, 10);
        else if (f->type == INT64)
            *(int64_t *)value = strtoll(line, &end, 10);
        else
            *(double *)value = strtod(line, &end);
        line = end;
    }
    if ((int)all->reason < IDLE_LITTLE || all->reason > IDLE_SERVICE)
        all->reason = IDLE_LITTLE;
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
