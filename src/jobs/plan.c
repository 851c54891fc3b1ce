#include "plan.h"
#include "text_stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

void plan_begin(struct plan_writer *w)
{
    *w = (struct plan_writer){0};
    if (ranks_many())
        w->out = text_stream(&w->bytes, &w->size);
}

void plan_put(struct plan_writer *w, const void *bytes, size_t size)
{
    if (w->out != NULL && size > 0)
        fwrite(bytes, 1, size, w->out);
}

void plan_put_text(struct plan_writer *w, const char *text)
{
    const uint64_t size = text == NULL ? 0 : strlen(text) + 1;
    plan_put(w, &size, sizeof size);
    plan_put(w, text, (size_t)size);
}

/* Shares what was written. */
static bool share(struct plan_writer *w, const char *builder, int threads, struct error *err)
{
    if (!ranks_many())
        return true;
    bool written = w->out != NULL && fclose(w->out) == 0;
    bool shared = written ? ranks_share(builder, w->bytes, w->size, threads, err)
                          : error_set(err, "no memory to share work with other ranks");
    free(w->bytes);
    return shared;
}

struct jobs *plan_create_jobs(struct plan_writer *w, const char *builder,
                              const struct job_kind *kind, const void *context, int threads,
                              struct error *err)
{
    if (!share(w, builder, threads, err))
        return NULL;
    struct jobs *jobs = jobs_create(kind, context, threads, err);
    if (ranks_shared(jobs != NULL, false, err))
        return jobs;
    jobs_destroy(jobs);
    return NULL;
}

/* ---- reading ---- */

struct plan_reader plan_reader(const void *bytes, size_t size)
{
    return (struct plan_reader){.at = bytes, .left = size, .good = true};
}

void plan_get(struct plan_reader *r, void *bytes, size_t size)
{
    r->good = r->good && size <= r->left;
    if (!r->good) {
        memset(bytes, 0, size);
        return;
    }
    memcpy(bytes, r->at, size);
    r->at += size;
    r->left -= size;
}

void *plan_get_array(struct plan_reader *r, size_t count, size_t size)
{
    r->good = r->good && count <= r->left / size;
    void *array = r->good && count > 0 ? malloc(count * size) : NULL;
    if (array != NULL)
        plan_get(r, array, count * size);
    r->good = r->good && (array != NULL || count == 0);
    return array;
}

char *plan_get_text(struct plan_reader *r)
{
    uint64_t size;
    plan_get(r, &size, sizeof size);
    char *text = plan_get_array(r, (size_t)size, 1);
    if (text != NULL)
        text[size - 1] = '\0';
    return text;
}

bool plan_end(const struct plan_reader *r, struct error *err)
{
    return (r->good && r->left == 0) || error_set(err, "a description of work arrived damaged");
}
