/* Descriptions: how all ranks come to have the same lists. */
#include "ranks_internal.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds for the others to build their lists when rank 0 has its own. */
enum { BUILD_LIMIT = 600 };

/* ---- lists ---- */

bool ranks_enter_list(struct jobs *jobs, struct error *err)
{
    struct ranks *r = ranks_here();
    struct scope *s = r == NULL ? NULL : r->open;
    if (s == NULL)
        return true;
    if (s->count == SCOPE_LISTS)
        return error_set(err, "a description of more than %d lists", SCOPE_LISTS);
    struct shared_list *shared = calloc(1, sizeof *shared);
    double *rates = calloc((size_t)r->count, sizeof *rates);
    bool room = (shared != NULL && rates != NULL) || error_set(err, "no memory for a list of jobs");
    struct crew *crew = room ? crew_create(jobs, err) : NULL;
    if (crew == NULL) {
        free(rates);
        free(shared);
        return false;
    }
    *shared = (struct shared_list){.scope = s, .number = s->count, .crew = crew, .rates = rates};
    jobs->shared = shared;
    s->lists[s->count++] = jobs;
    s->alive++;
    return true;
}

/* Rank 0 tells the others that the lists of a description are gone, and forgets it. */
static void close_scope(struct ranks *r, struct scope *s)
{
    const struct message head = {.kind = MESSAGE_CLOSE, .scope = s->number};
    for (int to = 1; to < r->count; to++)
        ranks_send(r, to, &head, NULL, 0, NULL, 0);
    free(s);
}

void ranks_remove_list(struct jobs *jobs)
{
    struct ranks *r = ranks_here();
    struct shared_list *shared = jobs->shared;
    if (shared == NULL)
        return;
    struct scope *s = shared->scope;
    crew_destroy(shared->crew);
    s->lists[shared->number] = NULL;
    s->alive--;
    free(shared->rates);
    free(shared);
    jobs->shared = NULL;
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
    struct scope *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_set(err, "no memory to share work with %d ranks", r->count);
    s->number = ++r->scopes;
    const bool given = threads != jobs_threads();
    const struct message head = {
        .kind = MESSAGE_SHARE, .scope = s->number, .count = given ? (uint64_t)threads : 0};
    for (int to = 1; to < r->count; to++) {
        r->peers[to].builds = ranks_send(r, to, &head, builder, strlen(builder) + 1, bytes, size);
        if (!r->peers[to].builds) {
            free(s);
            return error_set(err, "cannot send work to rank %d on host %s", to, r->peers[to].host);
        }
    }
    post_flush(r->post, BUILD_LIMIT); /* so that they build while this rank does */
    r->open = s;
    return true;
}

/* Takes the answer of a rank to the description. Keeps the reason of the first one that failed. */
static void take_ready(struct ranks *r, const struct arrival *a, int lists, struct error *first)
{
    struct peer *p = &r->peers[a->from];
    if (a->head.kind != MESSAGE_READY || a->head.scope != r->scopes)
        return;
    p->builds = false;
    p->threads = (int)a->head.first;
    if (first->text[0] != '\0' || lists < 0)
        return;
    if (a->size > 0)
        error_set(first, "rank %d on host %s: %.*s", a->from, p->host, (int)a->size,
                  (const char *)a->bytes);
    else if ((int)a->head.count != lists)
        error_set(first, "rank %d on host %s has other lists of jobs", a->from, p->host);
}

/* The first rank that still builds; 0 if there is none. */
static int building(const struct ranks *r)
{
    for (int rank = 1; rank < r->count; rank++)
        if (r->peers[rank].builds)
            return rank;
    return 0;
}

/* Waits for the answers of all ranks, of which each should have so many lists; -1: any number. */
static bool wait_ready(struct ranks *r, int lists, double limit, struct error *err)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const double end = clock_seconds() + limit;
    struct error first = {""};
    for (int rank; (rank = building(r)) != 0;) {
        struct arrival a;
        while (ranks_receive(r, &a)) {
            take_ready(r, &a, lists, &first);
            free(a.memory);
        }
        if (!ranks_all_live(r) || (clock_seconds() > end &&
                                   !ranks_break(r, "rank %d on host %s is not ready after %.0f s",
                                                rank, r->peers[rank].host, limit)))
            return error_set(err, "%s", r->reason.text);
        nanosleep(&nap, NULL);
    }
    return first.text[0] == '\0' || error_set(err, "%s", first.text);
}

/* Adds up the threads of all ranks. */
static void count_threads(struct ranks *r)
{
    r->threads = 0;
    for (int rank = 0; rank < r->count; rank++)
        r->threads += r->peers[rank].threads;
}

bool ranks_shared(bool good, bool repeats, struct error *err)
{
    struct ranks *r = ranks_here();
    struct scope *s = r == NULL ? NULL : r->open;
    if (s == NULL || r->rank != 0)
        return true;
    r->open = NULL;
    s->repeats = repeats;
    if (s->count > 0)
        r->peers[0].threads = s->lists[0]->threads;
    bool ready = wait_ready(r, good ? s->count : -1, BUILD_LIMIT, good ? err : NULL);
    count_threads(r);
    if (s->alive == 0)
        close_scope(r, s);
    return ready;
}
