#include "pieces.h"

#include <omp.h>
#include <stdlib.h>

/* What the threads share. */
struct shared {
    const struct pieces *pieces;
    char *results; /* by the piece's number */
    bool *done;
    size_t next;   /* all pieces before it are taken in */
    bool given_up; /* no other piece is begun */
    bool enough;   /* nor is anything taken in */
};

static bool goes_on(struct shared *s)
{
    bool on;
#pragma omp critical(pieces)
    on = !s->given_up && !s->enough;
    return on;
}

static void *result_of(const struct shared *s, size_t number)
{
    return s->results + number * s->pieces->result_size;
}

/* Enters a piece that is done, and takes in all that is due. */
static void enter(struct shared *s, size_t number)
{
    const struct pieces *p = s->pieces;
    s->done[number] = true;
    while (!s->enough && s->next < p->count && s->done[s->next]) {
        s->enough = !p->take(p->context, s->next, result_of(s, s->next));
        s->next++;
    }
}

static void do_piece(struct shared *s, size_t number)
{
    const struct pieces *p = s->pieces;
    if (!goes_on(s))
        return;
    bool good = p->work(p->context, omp_get_thread_num(), number, result_of(s, number));
#pragma omp critical(pieces)
    {
        if (good)
            enter(s, number);
        else
            s->given_up = true;
    }
}

bool pieces_do(const struct pieces *p, struct error *err)
{
    struct shared s = {.pieces = p,
                       .results = calloc(p->count + 1, p->result_size),
                       .done = calloc(p->count + 1, sizeof(bool))};
    bool good = (s.results != NULL && s.done != NULL) ||
                error_set(err, "no memory for %zu pieces of work", p->count);
    if (good) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(p->threads)
        for (size_t number = 0; number < p->count; number++)
            do_piece(&s, number);
    }
    free(s.results);
    free(s.done);
    return good;
}
