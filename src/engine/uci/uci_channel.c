#include "uci_channel.h"

#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 64 << 20 }; /* bytes */

bool channel_init(struct channel *c, uci_write *write, void *context, struct error *err)
{
    memset(c, 0, sizeof *c);
    c->last = &c->first;
    c->write = write;
    c->context = context;
    atomic_init(&c->stopped, 0);
    atomic_init(&c->left, 0);
    atomic_init(&c->hit, 0);
    if (pthread_mutex_init(&c->mutex, NULL) != 0)
        return error_set(err, "cannot create a lock for the UCI session");
    if (pthread_mutex_init(&c->writing, NULL) == 0) {
        if (pthread_cond_init(&c->changed, NULL) == 0)
            return true;
        pthread_mutex_destroy(&c->writing);
    }
    pthread_mutex_destroy(&c->mutex);
    return error_set(err, "cannot create a lock for the UCI session");
}

void channel_finish(struct channel *c)
{
    while (c->first != NULL) {
        struct waiting_line *line = c->first;
        c->first = line->next;
        free(line);
    }
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->writing);
    pthread_mutex_destroy(&c->mutex);
}

/* ---- the reader thread ---- */

/* Appends a line to the queue; false if the queue is full. */
static bool append(struct channel *c, struct waiting_line *line, bool begins_search)
{
    pthread_mutex_lock(&c->mutex);
    bool fits = c->bytes + line->length <= WAITING_MAX;
    if (fits) {
        line->search = begins_search ? ++c->begun : 0;
        *c->last = line;
        c->last = &line->next;
        c->bytes += line->length;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->mutex);
    return fits;
}

bool channel_put(struct channel *c, const char *line, size_t length, bool begins_search,
                 int64_t arrived)
{
    struct waiting_line *waiting = malloc(sizeof *waiting + length);
    if (waiting == NULL)
        return false;
    waiting->next = NULL;
    waiting->arrived = arrived;
    waiting->length = length;
    memcpy(waiting->text, line, length);
    if (append(c, waiting, begins_search))
        return true;
    free(waiting);
    return false;
}

bool channel_is_busy(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    bool busy = c->begun > c->ended;
    pthread_mutex_unlock(&c->mutex);
    return busy;
}

/* Sends a signal to all searches queued so far. */
static void signal_searches(struct channel *c, atomic_uint_fast64_t *signal)
{
    pthread_mutex_lock(&c->mutex);
    atomic_store(signal, c->begun);
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

void channel_stop(struct channel *c)
{
    signal_searches(c, &c->stopped);
}

void channel_leave(struct channel *c)
{
    signal_searches(c, &c->left);
}

void channel_ponderhit(struct channel *c)
{
    signal_searches(c, &c->hit);
}

void channel_close(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    c->closed = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

/* ---- the worker thread ---- */

struct waiting_line *channel_take(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    while (c->first == NULL && !c->closed)
        pthread_cond_wait(&c->changed, &c->mutex);
    struct waiting_line *line = c->first;
    if (line != NULL) {
        c->first = line->next;
        c->last = c->first == NULL ? &c->first : c->last;
        c->bytes -= line->length;
    }
    pthread_mutex_unlock(&c->mutex);
    return line;
}

void channel_search_ended(struct channel *c, uint64_t search)
{
    pthread_mutex_lock(&c->mutex);
    c->ended = search;
    pthread_mutex_unlock(&c->mutex);
}

bool channel_stops_count(struct channel *c, uint64_t search)
{
    return atomic_load_explicit(&c->stopped, memory_order_relaxed) >= search;
}

bool channel_stops(struct channel *c, uint64_t search)
{
    return channel_stops_count(c, search) ||
           atomic_load_explicit(&c->left, memory_order_relaxed) >= search;
}

bool channel_hits(struct channel *c, uint64_t search)
{
    return atomic_load_explicit(&c->hit, memory_order_relaxed) >= search;
}

void channel_hold(struct channel *c, uint64_t search, bool pondering)
{
    pthread_mutex_lock(&c->mutex);
    while (!channel_stops(c, search) && !(pondering && channel_hits(c, search)))
        pthread_cond_wait(&c->changed, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

/* ---- both threads ---- */

void channel_write(struct channel *c, const char *text, size_t length)
{
    if (length == 0)
        return;
    pthread_mutex_lock(&c->writing);
    c->write(c->context, text, length);
    pthread_mutex_unlock(&c->writing);
}
