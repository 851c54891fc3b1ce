/* The post by MPI: point-to-point messages that nobody waits for. It is the only file that knows
 * mpi.h, and a module of its own. */
#include "post_method.h"

#include "clock.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 7 };

/* A message on its way. */
struct letter {
    struct letter *next;
    MPI_Request request;
    void *bytes;
};

struct post {
    MPI_Comm ranks;
    int rank, count;
    char host[POST_HOST];
    struct letter *sent; /* not known to have left */
};

/* ---- life cycle ---- */

/* Names the machine, without its domain. */
static void name_host(struct post *p)
{
    if (gethostname(p->host, sizeof p->host) != 0)
        strcpy(p->host, "unknown");
    p->host[sizeof p->host - 1] = '\0';
    p->host[strcspn(p->host, ".")] = '\0';
}

static struct post *mpi_open(struct error *err)
{
    struct post *p = calloc(1, sizeof *p);
    int level;
    if (p == NULL) {
        error_set(err, "no memory for messages between ranks");
        return NULL;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED) {
        error_set(err, "MPI does not work here: it offers no threads (MPI_THREAD_FUNNELED)");
        free(p);
        return NULL;
    }
    p->ranks = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(p->ranks, MPI_ERRORS_RETURN);
    MPI_Comm_rank(p->ranks, &p->rank);
    MPI_Comm_size(p->ranks, &p->count);
    name_host(p);
    return p;
}

/* MPICH's launcher throws away what the ranks have written and it has not read yet, so it gets time:
 * without the wait one message of ten was lost, and with it the reason. */
static void mpi_abort(struct post *p, int code)
{
    const struct timespec wait = {.tv_sec = 1};
    nanosleep(&wait, NULL);
    MPI_Abort(p->ranks, code);
}

static int mpi_rank(const struct post *p)
{
    return p->rank;
}

static int mpi_ranks(const struct post *p)
{
    return p->count;
}

static const char *mpi_host(const struct post *p)
{
    return p->host;
}

/* ---- messages ---- */

/* Frees the letters that have left. */
static void sweep(struct post *p)
{
    for (struct letter **at = &p->sent; *at != NULL;) {
        struct letter *l = *at;
        int left = 0;
        if (MPI_Test(&l->request, &left, MPI_STATUS_IGNORE) == MPI_SUCCESS && !left) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l->bytes);
        free(l);
    }
}

static bool mpi_send(struct post *p, int to, void *bytes, size_t size)
{
    struct letter *l = malloc(sizeof *l);
    sweep(p);
    if (l == NULL || bytes == NULL || size > 1 << 30 ||
        MPI_Isend(bytes, (int)size, MPI_BYTE, to, TAG, p->ranks, &l->request) != MPI_SUCCESS) {
        free(l);
        free(bytes);
        return false;
    }
    l->bytes = bytes;
    l->next = p->sent;
    p->sent = l;
    return true;
}

static bool mpi_receive(struct post *p, int *from, void **bytes, size_t *size)
{
    MPI_Status status;
    MPI_Message message;
    int there = 0, count = 0;
    if (MPI_Improbe(MPI_ANY_SOURCE, TAG, p->ranks, &there, &message, &status) != MPI_SUCCESS ||
        !there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *bytes = malloc((size_t)count + 1);
    if (*bytes == NULL)
        mpi_abort(p, EXIT_FAILURE); /* the message cannot be refused */
    *size = (size_t)count;
    *from = status.MPI_SOURCE;
    if (MPI_Mrecv(*bytes, count, MPI_BYTE, &message, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        return true;
    free(*bytes);
    return false;
}

static bool mpi_flush(struct post *p, double seconds)
{
    const struct timespec nap = {.tv_nsec = 100000};
    double end = clock_seconds() + seconds;
    for (sweep(p); p->sent != NULL && clock_seconds() < end; sweep(p))
        nanosleep(&nap, NULL);
    return p->sent == NULL;
}

static void mpi_close(struct post *p)
{
    if (p == NULL)
        return;
    mpi_flush(p, 5);
    MPI_Finalize();
    free(p);
}

/* ---- the module ---- */

extern const struct post_method grayling_post_mpi;

const struct post_method grayling_post_mpi = {
    .open = mpi_open,
    .rank = mpi_rank,
    .ranks = mpi_ranks,
    .host = mpi_host,
    .send = mpi_send,
    .receive = mpi_receive,
    .flush = mpi_flush,
    .close = mpi_close,
    .abort = mpi_abort,
};
