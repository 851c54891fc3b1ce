/* The post by MPI, a module of its own, and the only file that knows mpi.h. */
#include "jobs_internal.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 7 };

/* A message on its way. */
struct letter {
    struct letter *next;
    MPI_Request request;
    void *bytes;
};

struct post {
    struct letter *sent; /* not known to have left */
};

static struct post *mpi_open(int *rank, int *count, struct error *err)
{
    struct post *p = calloc(1, sizeof *p);
    int level;
    if (p == NULL)
        return error_null(err, "no memory for messages between ranks");
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED) {
        free(p);
        return error_null(err,
                          "MPI does not work here: it offers no threads (MPI_THREAD_FUNNELED)");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, count);
    return p;
}

/* MPICH's launcher throws away what it has not read by then: without the wait, one message of ten. */
static _Noreturn void mpi_abort(struct post *p, int code)
{
    const struct timespec wait = {.tv_sec = 1};
    (void)p;
    nanosleep(&wait, NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

static void mpi_gather(struct post *p, const void *mine, void *all, size_t size)
{
    (void)p;
    MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD);
}

static void sweep(struct post *p)
{
    for (struct letter **at = &p->sent; *at != NULL;) {
        struct letter *l = *at;
        int left = 0;
        MPI_Test(&l->request, &left, MPI_STATUS_IGNORE);
        if (!left) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l->bytes);
        free(l);
    }
}

static void mpi_send(struct post *p, int to, void *bytes, size_t size)
{
    struct letter *l = malloc(sizeof *l);
    sweep(p);
    if (l == NULL || size > 1 << 30)
        mpi_abort(p, EXIT_FAILURE);
    l->bytes = bytes;
    l->next = p->sent;
    p->sent = l;
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &l->request);
}

static bool mpi_receive(struct post *p, int *from, void **bytes, size_t *size)
{
    MPI_Status status;
    MPI_Message message;
    int there = 0, count = 0;
    MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &message, &status);
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if ((*bytes = malloc((size_t)count + 1)) == NULL)
        mpi_abort(p, EXIT_FAILURE); /* the message cannot be refused */
    MPI_Mrecv(*bytes, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    *size = (size_t)count;
    *from = status.MPI_SOURCE;
    return true;
}

static void mpi_flush(struct post *p)
{
    for (sweep(p); p->sent != NULL; sweep(p))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void mpi_close(struct post *p)
{
    mpi_flush(p);
    MPI_Finalize();
    free(p);
}

extern const struct post_method grayling_mpi;

const struct post_method grayling_mpi = {
    .open = mpi_open,
    .gather = mpi_gather,
    .send = mpi_send,
    .receive = mpi_receive,
    .flush = mpi_flush,
    .close = mpi_close,
    .abort = mpi_abort,
};
