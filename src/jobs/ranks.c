#include "foreign_text.h"
#include "ranks_internal.h"

#include "clock.h"
#include "launcher.h"
#include "text_stream.h"
#include "version.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds for the other ranks to say hello, and to say goodbye: after the engines of their last list, two
 * of a worker, have quit or were killed, and when a rank that is stopped goes on. */
enum { HELLO_LIMIT = 60, GOODBYE_LIMIT = 120 };

/* Seconds that a job may take, unless the user says otherwise or jobs are long (ranks_batch.c). */
enum { JOB_LIMIT = 600 };

/* Seconds of a group of short jobs: many times what it costs to send one. */
static const double GROUP_SECONDS = 0.02;

/* The ranks of this process. MPI is a state of the process as well. */
static struct ranks *here;

struct ranks *ranks_here(void)
{
    return here;
}

bool ranks_serves(void)
{
    return here != NULL && here->rank != 0;
}

bool ranks_many(void)
{
    return here != NULL && here->rank == 0;
}

/* ---- messages ---- */

bool ranks_send(struct ranks *r, int to, const struct message *head, const void *a, size_t a_size,
                const void *b, size_t b_size)
{
    const size_t size = sizeof *head + a_size + b_size;
    unsigned char *bytes = r->broken ? NULL : malloc(size);
    if (bytes == NULL)
        return false;
    memcpy(bytes, head, sizeof *head);
    if (a_size > 0)
        memcpy(bytes + sizeof *head, a, a_size);
    if (b_size > 0)
        memcpy(bytes + sizeof *head + a_size, b, b_size);
    r->times.bytes += (double)size;
    return post_send(r->post, to, bytes, size);
}

/* Rank 0 keeps what a message says about its sender. True if that was all. */
static bool note_sender(struct ranks *r, const struct arrival *a)
{
    struct peer *p = &r->peers[a->from];
    p->heard = clock_seconds();
    r->times.bytes += (double)(a->size + sizeof a->head);
    switch (a->head.kind) {
    case MESSAGE_BEAT:
        p->job_age = a->head.seconds;
        p->job = (size_t)a->head.first;
        return true;
    case MESSAGE_FILE:
        kept_file_take(a);
        return true;
    case MESSAGE_BYE:
        p->answered = true;
        return true;
    default:
        return false;
    }
}

bool ranks_receive(struct ranks *r, struct arrival *a)
{
    void *bytes;
    size_t size;
    while (post_receive(r->post, &a->from, &bytes, &size)) {
        a->memory = bytes;
        ((char *)bytes)[size] = '\0'; /* the post leaves room for it */
        if (size >= sizeof a->head) {
            memcpy(&a->head, bytes, sizeof a->head);
            a->bytes = (unsigned char *)bytes + sizeof a->head;
            a->size = size - sizeof a->head;
            if (r->rank != 0 || !note_sender(r, a))
                return true;
        }
        free(bytes);
    }
    return false;
}

/* ---- faults ---- */

bool ranks_break(struct ranks *r, const char *format, ...)
{
    if (r->broken)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(r->reason.text, sizeof r->reason.text, format, args);
    va_end(args);
    foreign_text_copy(r->reason.text, sizeof r->reason.text, r->reason.text);
    r->broken = true;
    return false;
}

bool ranks_has_ended(const struct ranks *r, int rank)
{
    return r->peers[rank].local && !process_lives(r->peers[rank].process);
}

bool ranks_all_live(struct ranks *r)
{
    for (int rank = 1; rank < r->count; rank++)
        if (ranks_has_ended(r, rank))
            return ranks_break(r,
                               "rank %d on host %s has died (process %ld); what was measured is "
                               "kept",
                               rank, r->peers[rank].host, strtol(r->peers[rank].process, NULL, 10));
    return true;
}

/* Set by SIGCONT. */
static volatile sig_atomic_t continued;

static void note_continued(int number)
{
    continued = number;
}

bool ranks_were_continued(void)
{
    bool were = continued != 0;
    continued = 0;
    return were;
}

bool ranks_is_doubtful(const struct ranks *r, int rank)
{
    return rank > 0 && !r->peers[rank].local && r->called > 0 && r->peers[rank].heard < r->called;
}

void ranks_watch_continued(void)
{
    struct sigaction action = {.sa_handler = note_continued, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
}

/* ---- hello ---- */

/* Writes the first message of a rank: lines that any version can read. The layout of messages and of
 * results must be the same, which an order of bytes and some sizes stand for. */
static char *write_hello(const struct ranks *r, int argc, char **argv, size_t *size)
{
    char *text = NULL, process[PROCESS_TEXT];
    const uint32_t order = 0x01020304;
    const unsigned char *byte = (const unsigned char *)&order;
    FILE *out = text_stream(&text, size);
    if (out == NULL)
        return NULL;
    process_identity(process);
    fprintf(out, "grayling %s\n%d %zu %zu %zu\n%s\n%d\n%s\n", GRAYLING_VERSION, *byte,
            sizeof(struct message), sizeof(long), sizeof(void *), post_host(r->post),
            jobs_threads(), process);
    for (int i = 1; i < argc; i++)
        fprintf(out, "%s%s", i > 1 ? " " : "", argv[i]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Takes the next line of a text. */
static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    *text = end == NULL ? line + strlen(line) : end + 1;
    if (end != NULL)
        *end = '\0';
    return line;
}

/* Reads the hello of a rank, and compares it with that of this process. */
static bool read_hello(struct ranks *r, int rank, char *theirs, char *ours, struct error *err)
{
    struct peer *p = &r->peers[rank];
    const char *version = next_line(&theirs), *our_version = next_line(&ours);
    const char *layout = next_line(&theirs), *our_layout = next_line(&ours);
    snprintf(p->host, sizeof p->host, "%s", next_line(&theirs));
    next_line(&ours);
    p->threads = (int)strtol(next_line(&theirs), NULL, 10);
    next_line(&ours);
    snprintf(p->process, sizeof p->process, "%s", next_line(&theirs));
    next_line(&ours);
    p->local = process_lives(p->process);
    if (strcmp(version, our_version) != 0)
        return error_set(err,
                         "rank %d on host %s is %s, and rank 0 on host %s is %s: the ranks need "
                         "the same version",
                         rank, p->host, version, post_host(r->post), our_version);
    if (strcmp(layout, our_layout) != 0)
        return error_set(err,
                         "rank %d on host %s has another kind of processor (%s) than rank 0 on "
                         "host %s (%s)",
                         rank, p->host, layout, post_host(r->post), our_layout);
    return strcmp(theirs, ours) == 0 ||
           error_set(err, "rank %d on host %s was started with '%s', and rank 0 with '%s'", rank,
                     p->host, theirs, ours);
}

/* Reads the hello of the rank that sent it. */
static bool take_hello(struct ranks *r, int from, void *bytes, size_t size, const char *hello,
                       struct error *err)
{
    char *theirs = bytes, *ours = strdup(hello);
    theirs[size] = '\0';
    bool good = ours != NULL ? read_hello(r, from, theirs, ours, err)
                             : error_set(err, "no memory for %d ranks", r->count);
    r->threads += r->peers[from].threads;
    free(ours);
    return good;
}

/* Waits for a text of another rank. */
static bool wait_text(struct ranks *r, double end, int *from, void **bytes, size_t *size)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    while (!post_receive(r->post, from, bytes, size)) {
        if (clock_seconds() > end)
            return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

/* Rank 0 hears the hello of all others. The first one that is refused gives the reason. */
static bool hear_all(struct ranks *r, const char *hello, struct error *err)
{
    const double end = clock_seconds() + HELLO_LIMIT;
    bool good = true;
    for (int heard = 1; heard < r->count; heard++) {
        int from;
        void *bytes;
        size_t size;
        if (!wait_text(r, end, &from, &bytes, &size))
            return good ? error_set(err, "only %d of %d ranks answer", heard, r->count) : false;
        good = take_hello(r, from, bytes, size, hello, good ? err : NULL) && good;
        free(bytes);
    }
    return good;
}

/* Sends a text. */
static void send_text(struct ranks *r, int to, const char *text)
{
    post_send(r->post, to, strdup(text), strlen(text));
}

/* ---- life cycle ---- */

void ranks_free(struct ranks *r)
{
    rank_data_free();
    free(r->peers);
    free(r);
    here = NULL;
}

/* Rank 0 meets the others. */
static enum ranks_role begin_first(struct ranks *r, const char *hello, struct error *err)
{
    r->peers[0].threads = r->threads = jobs_threads();
    snprintf(r->peers[0].host, sizeof r->peers[0].host, "%s", post_host(r->post));
    bool good = hear_all(r, hello, err);
    for (int to = 1; to < r->count; to++)
        send_text(r, to, good ? "welcome" : "refused");
    if (good) {
        ranks_watch_continued();
        return RANKS_FIRST;
    }
    post_close(r->post);
    ranks_free(r);
    return RANKS_REFUSED;
}

/* Another rank says hello. A rank that is refused ends as it began, without a word: rank 0 has told. */
static enum ranks_role begin_other(struct ranks *r, const char *hello)
{
    void *bytes;
    size_t size;
    int from;
    send_text(r, 0, hello);
    bool answered = wait_text(r, clock_seconds() + 2 * HELLO_LIMIT, &from, &bytes, &size);
    r->broken = !answered || size < 7 || memcmp(bytes, "welcome", 7) != 0;
    if (answered)
        free(bytes);
    return RANKS_OTHER;
}

/* Creates the state of the ranks. */
static struct ranks *create_ranks(struct error *err)
{
    struct ranks *r = calloc(1, sizeof *r);
    struct post *post = r == NULL ? NULL : post_open(err);
    if (post == NULL) {
        free(r);
        return NULL;
    }
    r->post = post;
    r->rank = post_rank(post);
    r->count = post_ranks(post);
    r->peers = calloc((size_t)r->count, sizeof *r->peers);
    r->job_limit = JOB_LIMIT;
    r->group_seconds = GROUP_SECONDS;
    if (r->peers == NULL)
        post_abort(post, EXIT_FAILURE);
    return r;
}

enum ranks_role ranks_begin(int argc, char **argv, struct error *err)
{
    size_t size;
    if (launcher_ranks() <= 1)
        return RANKS_ALONE;
    launcher_stay_here();
    if ((here = create_ranks(err)) == NULL)
        return launcher_rank() == 0 ? RANKS_REFUSED : RANKS_SILENT;
    launcher_forget();
    char *hello = write_hello(here, argc, argv, &size);
    if (hello == NULL)
        post_abort(here->post, EXIT_FAILURE);
    enum ranks_role role =
        here->rank == 0 ? begin_first(here, hello, err) : begin_other(here, hello);
    free(hello);
    return role;
}

/* Waits until all ranks that can answer have done so, or have ended. */
static void wait_goodbyes(struct ranks *r)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const double end = clock_seconds() + GOODBYE_LIMIT;
    int missing = 1;
    while (missing > 0 && clock_seconds() < end) {
        struct arrival a;
        while (ranks_receive(r, &a))
            free(a.memory);
        missing = 0;
        for (int rank = 1; rank < r->count; rank++)
            missing += !r->peers[rank].answered && !ranks_has_ended(r, rank);
        if (missing > 0)
            nanosleep(&nap, NULL);
    }
}

/* Says goodbye to all. Breaks if one is gone. */
static bool dismiss(struct ranks *r)
{
    const struct message head = {.kind = MESSAGE_QUIT};
    for (int to = 1; to < r->count; to++) {
        r->peers[to].answered = false;
        ranks_send(r, to, &head, NULL, 0, NULL, 0);
    }
    wait_goodbyes(r);
    for (int rank = 1; rank < r->count; rank++)
        if (!r->peers[rank].answered)
            return ranks_break(r, "rank %d on host %s %s", rank, r->peers[rank].host,
                               ranks_has_ended(r, rank) ? "has died" : "does not answer");
    return true;
}

bool ranks_end(struct error *err)
{
    struct ranks *r = here;
    if (r == NULL)
        return true;
    if (r->broken)
        return true; /* the command has told why */
    if (!dismiss(r))
        return error_set(err, "%s", r->reason.text);
    post_close(r->post);
    ranks_free(r);
    return true;
}

void ranks_exit_if_broken(int code)
{
    if (here == NULL || !here->broken)
        return;
    fflush(NULL);
    post_abort(here->post, code);
}

void ranks_check_share(double share)
{
    if (here != NULL)
        here->check_share = share;
}

void ranks_group_seconds(double seconds)
{
    if (here != NULL)
        here->group_seconds = seconds;
}

void ranks_job_limit(double seconds)
{
    if (here != NULL)
        here->job_limit = seconds;
}
