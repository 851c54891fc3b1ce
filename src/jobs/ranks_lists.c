/* Descriptions: how all ranks come to have the same lists. */
#include "jobs_internal.h"

#include "text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the context of a list ---- */

/* Memory that lasts as long as a plan. */
struct piece {
    struct piece *next;
    alignas(max_align_t) unsigned char bytes[];
};

struct plan {
    FILE *out;      /* on rank 0; else: */
    const char *at; /* what is read next */
    struct piece *pieces;
};

static void *plan_alloc(struct plan *p, size_t size)
{
    struct piece *piece = ranks_alloc(sizeof *piece + size);
    piece->next = p->pieces;
    p->pieces = piece;
    return piece->bytes;
}

void plan_free(struct plan *p)
{
    while (p != NULL && p->pieces != NULL) {
        struct piece *next = p->pieces->next;
        free(p->pieces);
        p->pieces = next;
    }
    free(p);
}

void *plan_structs(struct plan *p, const void *items, size_t count, size_t size)
{
    const size_t bytes = count * size;
    if (items == NULL)
        return NULL;
    void *copy = plan_alloc(p, bytes);
    memcpy(copy, p->out != NULL ? items : p->at, bytes);
    if (p->out != NULL)
        fwrite(items, 1, bytes, p->out);
    else
        p->at += bytes;
    return copy;
}

void *plan_array(struct plan *p, const void *items, size_t count, size_t size)
{
    if (p->out == NULL)
        return plan_structs(p, items, count, size);
    if (items != NULL)
        fwrite(items, size, count, p->out);
    return (void *)(uintptr_t)items;
}

char *plan_text(struct plan *p, const char *text)
{
    uint64_t size = text == NULL || p->out == NULL ? 0 : strlen(text) + 1;
    if (text == NULL)
        return NULL;
    memcpy(&size, plan_structs(p, &size, 1, sizeof size), sizeof size);
    return plan_structs(p, text, (size_t)size, 1);
}

bool ranks_offer(const struct job_kind *kind, const void *context, int threads, struct error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    struct plan *p = ranks_alloc(sizeof *p);
    *p = (struct plan){.out = text_stream(&bytes, &size)};
    if (p->out == NULL)
        ranks_abort(EXIT_FAILURE);
    kind->describe(p, plan_structs(p, context, 1, kind->context_size));
    if (fclose(p->out) != 0)
        ranks_abort(EXIT_FAILURE);
    plan_free(p);
    const bool shared = ranks_share(kind->name, bytes, size, threads, err);
    free(bytes);
    return shared;
}

struct plan *plan_read(const struct job_kind *kind, const void *bytes, void **context)
{
    struct plan *p = ranks_alloc(sizeof *p);
    *p = (struct plan){.at = bytes};
    *context = plan_structs(p, bytes, 1, kind->context_size);
    kind->describe(p, *context);
    return p;
}

/* ---- lists ---- */

bool ranks_enter_list(struct jobs *jobs, struct error *err)
{
    const struct ranks *r = ranks_here();
    struct scope *s = r == NULL ? NULL : r->open;
    if (s == NULL)
        return true;
    if (s->count == SCOPE_LISTS)
        return error_set(err, "a description of more than %d lists", SCOPE_LISTS);
    jobs->scope = s;
    jobs->number = s->count;
    s->lists[s->count++] = jobs;
    s->alive++;
    return true;
}

/* Rank 0 tells the others that the lists of a description are gone, and forgets it. */
static void close_scope(struct ranks *r, struct scope *s)
{
    const struct message head = {.kind = MESSAGE_CLOSE, .scope = s->number};
    ranks_send_all(r, &head, NULL, 0, NULL, 0);
    free(s);
}

void ranks_remove_list(struct jobs *jobs)
{
    struct ranks *r = ranks_here();
    struct scope *s = jobs->scope;
    if (s == NULL)
        return;
    s->lists[jobs->number] = NULL;
    s->alive--;
    if (s->alive == 0 && r->rank == 0 && r->open != s)
        close_scope(r, s);
}

/* ---- rank 0 ---- */

bool ranks_share(const char *builder, const void *bytes, size_t size, int threads,
                 struct error *err)
{
    struct ranks *r = ranks_here();
    if (!ranks_many())
        return true;
    if (r->broken)
        return error_set(err, "%s", r->reason.text);
    const bool given = threads != jobs_threads();
    const struct message head = {
        .kind = MESSAGE_SHARE, .scope = ++r->scopes, .count = given ? (uint64_t)threads : 0};
    r->open = ranks_alloc(sizeof *r->open);
    *r->open = (struct scope){.number = r->scopes};
    ranks_send_all(r, &head, builder, strlen(builder) + 1, bytes, size);
    for (int to = 1; to < r->count; to++)
        r->peers[to].builds = true;
    r->method->flush(r->post); /* so that they build while this rank does */
    return true;
}

bool ranks_shared(bool good, bool repeats, struct error *err)
{
    struct ranks *r = ranks_here();
    struct scope *s = r == NULL ? NULL : r->open;
    struct error first = {""}; /* of the ranks that failed */
    if (s == NULL || r->rank != 0)
        return true;
    r->open = NULL;
    s->repeats = repeats;
    if (s->lists[0] != NULL)
        r->peers[0].threads = s->lists[0]->threads;
    r->threads = r->peers[0].threads;
    for (int rank = 1; rank < r->count; r->threads += r->peers[rank++].threads)
        while (r->peers[rank].builds) {
            struct arrival a;
            if (!ranks_receive(r, &a)) {
                nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
                continue;
            }
            struct peer *p = &r->peers[a.from];
            if (a.head.kind == MESSAGE_READY && a.head.scope == r->scopes) {
                p->builds = false;
                p->threads = (int)a.head.first;
                if (first.text[0] == '\0' && a.size > 0)
                    error_set(&first, "rank %d on host %s: %s", a.from, p->host,
                              (const char *)a.bytes);
                else if (first.text[0] == '\0' && (int)a.head.count != s->count)
                    error_set(&first, "rank %d on host %s has other lists of jobs", a.from,
                              p->host);
            }
            free(a.memory);
        }
    if (s->alive == 0)
        close_scope(r, s);
    return !good || first.text[0] == '\0' || error_set(err, "%s", first.text);
}
