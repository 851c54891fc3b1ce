/* How ranks meet and part, and their messages. */
#include "jobs_internal.h"

#include "module.h"
#include "text_stream.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* The ranks of this process. MPI is a state of the process as well. */
static struct ranks *here;

struct ranks *ranks_here(void)
{
    return here;
}

bool ranks_many(void)
{
    return here != NULL && here->rank == 0;
}

_Noreturn void ranks_abort(int code)
{
    fflush(NULL);
    here->method->abort(here->post, code);
    _Exit(code);
}

void *ranks_alloc(size_t size)
{
    void *bytes = malloc(size + 1);
    if (bytes == NULL)
        ranks_abort(EXIT_FAILURE);
    return bytes;
}

/* ---- data from rank 0 ---- */

const struct rank_data *ranks_find_data(const char *name)
{
    const struct rank_data *d = here == NULL ? NULL : here->data;
    while (d != NULL && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

const struct rank_data *ranks_enter_data(const char *name, int file)
{
    struct rank_data *d = ranks_alloc(sizeof *d);
    *d = (struct rank_data){.next = here->data, .file = file};
    snprintf(d->name, sizeof d->name, "%s", name);
    snprintf(d->path, sizeof d->path, "/proc/self/fd/%d", file);
    return here->data = d;
}

/* ---- messages ---- */

void ranks_send(struct ranks *r, int to, const struct message *head, const void *a, size_t a_size,
                const void *b, size_t b_size)
{
    const size_t size = sizeof *head + a_size + b_size;
    unsigned char *bytes = ranks_alloc(size);
    memcpy(bytes, head, sizeof *head);
    if (a_size > 0)
        memcpy(bytes + sizeof *head, a, a_size);
    if (b_size > 0)
        memcpy(bytes + sizeof *head + a_size, b, b_size);
    r->times.bytes += (double)size;
    r->method->send(r->post, to, bytes, size);
}

void ranks_send_all(struct ranks *r, const struct message *head, const void *a, size_t a_size,
                    const void *b, size_t b_size)
{
    for (int to = 1; to < r->count; to++)
        ranks_send(r, to, head, a, a_size, b, b_size);
}

bool ranks_receive(struct ranks *r, struct arrival *a)
{
    void *bytes;
    size_t size;
    if (!r->method->receive(r->post, &a->from, &bytes, &size))
        return false;
    r->times.bytes += (double)size;
    memcpy(&a->head, bytes, sizeof a->head);
    a->memory = bytes;
    a->bytes = (unsigned char *)bytes + sizeof a->head;
    a->size = size - sizeof a->head;
    ((char *)bytes)[size] = '\0'; /* the post leaves room for it */
    return true;
}

double ranks_nap(double quiet)
{
    const double least = 0.00005, most = 0.005, nap = quiet / 8;
    return nap < least ? least : nap > most ? most : nap;
}

/* ---- the launcher ----
 *
 * What the environment says about mpirun or srun. MPI itself cannot be asked: its beginning takes half
 * a second, and without a launcher it starts processes of its own. */

/* The number in a variable; 0 if there is none. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    const long number = text != NULL ? strtol(text, NULL, 10) : 0;
    return number > 0 && number <= 1000000 ? (int)number : 0;
}

/* The number of processes that were started together; 0 or 1 if there is no launcher. */
static int launched_ranks(void)
{
    int ranks = number_of("OMPI_COMM_WORLD_SIZE"); /* Open MPI */
    if (ranks == 0)
        ranks = number_of("PMI_SIZE"); /* MPICH, Slurm with pmi2 */
    if (ranks == 0 && getenv("PMIX_RANK") != NULL)
        ranks = number_of("SLURM_STEP_NUM_TASKS"); /* Slurm with pmix */
    return ranks;
}

/* Tells Open MPI, where all ranks are on this machine and the user has not chosen anything, to use
 * memory: to look for fast networks it would load libraries that take a tenth of a second. */
static void stay_here(void)
{
    const bool chosen = getenv("OMPI_MCA_pml") != NULL || getenv("OMPI_MCA_mtl") != NULL;
    if (number_of("OMPI_COMM_WORLD_LOCAL_SIZE") == launched_ranks() && !chosen)
        setenv("OMPI_MCA_pml", "ob1", false);
}

/* Removes the launcher's variables, or programs started here would take themselves for ranks. */
static void forget_launcher(void)
{
    static const char *const prefixes[] = {"OMPI_COMM_",    "OMPI_UNIVERSE_", "OMPI_APP_",
                                           "OMPI_MCA_pml=", "PMIX_",          "PMI_",
                                           "ORTE_",         "HYDI_"};
    for (char **v = environ; *v != NULL;) {
        char name[128];
        const size_t length = strcspn(*v, "=");
        bool launchers = false;
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
            launchers = launchers || strncmp(*v, prefixes[i], strlen(prefixes[i])) == 0;
        snprintf(name, sizeof name, "%.*s", (int)length, *v);
        if (launchers && length < sizeof name)
            unsetenv(name); /* the next one moves here */
        else
            v++;
    }
}

/* ---- hello ---- */

/* What a rank says of itself, in texts that any version can read. The layout of messages and of
 * results must be the same, which an order of bytes and some sizes stand for. */
struct hello {
    char version[64], layout[64], host[RANK_HOST], threads[16], command[4096];
};

static void write_hello(struct hello *h, int argc, char **argv)
{
    const uint32_t order = 0x01020304;
    memset(h, 0, sizeof *h);
    for (int i = 1; i < argc; i++)
        text_add(h->command, sizeof h->command, "%s%s", i > 1 ? " " : "", argv[i]);
    snprintf(h->version, sizeof h->version, "grayling %s", GRAYLING_VERSION);
    snprintf(h->layout, sizeof h->layout, "%d %zu %zu %zu", *(const unsigned char *)&order,
             sizeof(struct message), sizeof(long), sizeof(void *));
    snprintf(h->threads, sizeof h->threads, "%d", jobs_threads());
    if (gethostname(h->host, sizeof h->host - 1) != 0)
        strcpy(h->host, "unknown");
    h->host[strcspn(h->host, ".")] = '\0';
}

/* All ranks hear each other, and compare all with rank 0. */
static bool meet(struct ranks *r, int argc, char **argv, struct error *err)
{
    struct hello mine, *all = ranks_alloc((size_t)r->count * sizeof *all);
    const struct hello *first = all;
    bool good = true;
    write_hello(&mine, argc, argv);
    r->method->gather(r->post, &mine, all, sizeof mine);
    for (int rank = 0; rank < r->count; rank++) {
        const struct hello *h = &all[rank];
        struct peer *p = &r->peers[rank];
        memcpy(p->host, h->host, sizeof p->host);
        p->threads = (int)strtol(h->threads, NULL, 10);
        r->threads += p->threads;
        if (good && strcmp(h->version, first->version) != 0)
            good = error_set(err,
                             "rank %d on host %s is %s, and rank 0 on host %s is %s: the ranks "
                             "need the same version",
                             rank, h->host, h->version, first->host, first->version);
        if (good && strcmp(h->layout, first->layout) != 0)
            good = error_set(err,
                             "rank %d on host %s has another kind of processor (%s) than rank 0 "
                             "on host %s (%s)",
                             rank, h->host, h->layout, first->host, first->layout);
        if (good && strcmp(h->command, first->command) != 0)
            good = error_set(
                err, "rank %d on host %s was started with '%.1000s', and rank 0 with '%.1000s'",
                rank, h->host, h->command, first->command);
    }
    free(all);
    return good;
}

/* ---- life cycle ---- */

void ranks_close(void)
{
    for (struct rank_data *d = here->data, *next; d != NULL; d = next) {
        next = d->next;
        if (d->file >= 0)
            close(d->file);
        free(d);
    }
    here->method->close(here->post);
    free(here);
    here = NULL;
}

/* Opens the post. */
static struct ranks *create(struct error *err)
{
    const struct post_method *method = module_load(
        "mpi",
        "mpirun started several processes, but this program works without MPI here: install the "
        "package grayling-mpi, or build with -Dmpi=enabled",
        err);
    if (method == NULL)
        return NULL;
    int rank, count;
    struct post *post = method->open(&rank, &count, err);
    if (post == NULL)
        return NULL;
    struct ranks *r = calloc(1, sizeof *r + (size_t)count * sizeof *r->peers);
    if (r == NULL)
        method->abort(post, EXIT_FAILURE);
    r->method = method;
    r->post = post;
    r->rank = rank;
    r->count = count;
    return r;
}

enum ranks_role ranks_begin(int argc, char **argv, struct error *err)
{
    const bool first = number_of("OMPI_COMM_WORLD_RANK") == 0 && number_of("PMI_RANK") == 0 &&
                       number_of("PMIX_RANK") == 0;
    bool good = false;
    if (launched_ranks() <= 1)
        return RANKS_ALONE;
    stay_here();
    if ((here = create(err)) != NULL) {
        forget_launcher();
        good = meet(here, argc, argv, err);
        if (!good)
            ranks_close();
    }
    if (!good && !first)
        err->text[0] = '\0';
    return !good ? RANKS_REFUSED : here->rank == 0 ? RANKS_FIRST : RANKS_OTHER;
}

void ranks_end(void)
{
    const struct message quit = {.kind = MESSAGE_QUIT};
    if (here == NULL)
        return;
    ranks_send_all(here, &quit, NULL, 0, NULL, 0);
    ranks_close();
}
