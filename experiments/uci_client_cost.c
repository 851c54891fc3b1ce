/* What the client of UCI engines costs.
 *
 *   uci_client_cost POSITIONS.epd COUNT NODES ENGINE
 *
 * Searches so many positions, each as a new game with so many nodes, through the client, and by a
 * script: the engine reads the same commands from a file, and nobody waits for its answers. Prints
 * wall and processor time of both, the least of some rounds in turn, from the start of the process
 * to its end; the processor time is that of the engine and the client. The engine must end a search
 * before it obeys the next `go`; one that ignores `go nodes` has no script.
 *
 * Before that it prints how coarsely the engine counts: the nodes that it reports at the end. After
 * it, the delay of a move: the times from `go nodes 1` to the move, and of the whole call. */
#include "clock.h"
#include "command_line.h"
#include "epd.h"
#include "launch.h"
#include "uci_client.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5, MOVES = 5000, WARMING = 100 };

/* Seconds. */
struct cost {
    double wall, processor, own; /* own: the processor time of this process alone */
};

/* What is searched. */
struct work {
    const char *command;
    struct dataset data;
    size_t count;
    struct uci_limits limits;
};

static void die(const char *reason)
{
    fprintf(stderr, "uci_client_cost: %s\n", reason);
    exit(2);
}

/* Seconds of processor time of this process or of its children that have ended. */
static double processor_seconds(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The time now, of which differences are costs. */
static struct cost now(void)
{
    double own = processor_seconds(RUSAGE_SELF);
    return (struct cost){clock_seconds(), own + processor_seconds(RUSAGE_CHILDREN), own};
}

/* Lowers `least` to what was spent since `began`. */
static void keep_least(struct cost *least, struct cost began)
{
    const struct cost end = now();
    least->wall = fmin(least->wall, end.wall - began.wall);
    least->processor = fmin(least->processor, end.processor - began.processor);
    least->own = fmin(least->own, end.own - began.own);
}

/* ---- through the client ---- */

static struct uci_client *start(const struct work *work)
{
    struct error err;
    const struct uci_settings settings = {.command = work->command};
    struct uci_client *client = uci_client_start(&settings, &err);
    if (client == NULL)
        die(err.text);
    return client;
}

static struct uci_outcome search(struct uci_client *client, const struct position *p,
                                 const struct uci_limits *limits)
{
    struct error err;
    const struct uci_outcome outcome = uci_client_search(client, p, NULL, 0, limits, NULL, &err);
    if (outcome.end != UCI_MOVE)
        die(err.text);
    return outcome;
}

/* Searches all positions through the client. Writes the nodes of each search if `nodes` is not NULL.
 * Returns how many searches had to be cut. */
static size_t run_client(const struct work *work, double *nodes)
{
    struct uci_client *client = start(work);
    struct error err;
    size_t cut = 0;
    for (size_t i = 0; i < work->count; i++) {
        if (!uci_client_new_game(client, &err))
            die(err.text);
        const struct uci_outcome outcome =
            search(client, &work->data.items[i].position, &work->limits);
        cut += outcome.cut;
        if (nodes != NULL)
            nodes[i] = (double)outcome.info.nodes;
    }
    uci_client_stop(client);
    return cut;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Prints the nodes of the searches. Returns how many were cut. */
static size_t show_nodes(const struct work *work)
{
    double *nodes = malloc(work->count * sizeof *nodes);
    if (nodes == NULL)
        die("no memory");
    size_t cut = run_client(work, nodes);
    qsort(nodes, work->count, sizeof *nodes, by_size);
    printf("%s, %zu positions, %llu nodes each\n", work->command, work->count,
           (unsigned long long)work->limits.nodes);
    printf("nodes: median %.0f, 9 of 10 under %.0f, at most %.0f; %zu searches cut\n",
           nodes[work->count / 2], nodes[work->count * 9 / 10], nodes[work->count - 1], cut);
    free(nodes);
    return cut;
}

/* ---- by a script ---- */

/* Writes the commands of all searches, those that the client sends. */
static FILE *write_script(const struct work *work, bool clear)
{
    FILE *script = tmpfile();
    if (script == NULL)
        die("no temporary file");
    fputs("uci\nisready\n", script);
    for (size_t i = 0; i < work->count; i++) {
        char fen[FEN_MAX];
        position_to_fen(&work->data.items[i].position, fen);
        fprintf(script, "ucinewgame\n%sisready\nposition fen %s\nisready\ngo nodes %llu\n",
                clear ? "setoption name Clear Hash\n" : "", fen,
                (unsigned long long)work->limits.nodes);
    }
    fflush(script);
    return script;
}

/* Has the engine read the script. */
static void run_script(const struct work *work, FILE *script)
{
    char file[PROGRAM_PATH];
    struct error err;
    char **words = command_words(work->command, &err);
    if (words == NULL || !program_find(words[0], file, &err))
        die(err.text);
    rewind(script);
    lseek(fileno(script), 0, SEEK_SET);
    const struct launch engine = {.file = file,
                                  .words = words,
                                  .streams = {fileno(script), LAUNCH_NULL, LAUNCH_NULL},
                                  .group = LAUNCH_OUR_GROUP};
    pid_t pid;
    if (launch_start(&engine, &pid) != 0)
        die("cannot start the engine");
    waitpid(pid, NULL, 0);
    free(words);
}

/* Prints the costs of both. */
static void compare(const struct work *work)
{
    struct cost client = {INFINITY, INFINITY, INFINITY}, script = client;
    struct uci_client *first = start(work);
    FILE *commands = write_script(work, uci_client_find(first, "Clear Hash") != NULL);
    uci_client_stop(first);
    for (int i = 0; i < ROUNDS; i++) {
        struct cost began = now();
        run_script(work, commands);
        keep_least(&script, began);
        began = now();
        run_client(work, NULL);
        keep_least(&client, began);
    }
    fclose(commands);
    printf("least of %d   by a script   by the client   more\n", ROUNDS);
    printf("wall         %9.3f s   %11.3f s   %.2f %%\n", script.wall, client.wall,
           100 * (client.wall / script.wall - 1));
    printf("processor    %9.3f s   %11.3f s   %.2f %%\n", script.processor, client.processor,
           100 * (client.processor / script.processor - 1));
    printf("the client's own processor time: %.3f s, %.2f %% of the engine's\n", client.own,
           100 * client.own / script.processor);
}

/* ---- the delay of a move ---- */

/* Prints the median and high values of some times. */
static void show(const char *what, double *seconds)
{
    qsort(seconds, MOVES, sizeof *seconds, by_size);
    printf("%s: median %.3f ms, 99 of 100 under %.3f ms, the longest %.3f ms\n", what,
           1000 * seconds[MOVES / 2], 1000 * seconds[MOVES * 99 / 100], 1000 * seconds[MOVES - 1]);
}

static void measure_delay(const struct work *work)
{
    static double answers[MOVES], calls[MOVES];
    const struct uci_limits one_node = {.nodes = 1};
    struct uci_client *client = start(work);
    for (int i = -WARMING; i < MOVES; i++) {
        const struct position *p = &work->data.items[(size_t)(i + WARMING) % work->count].position;
        double began = clock_seconds();
        const struct uci_outcome outcome = search(client, p, &one_node);
        if (i >= 0) {
            answers[i] = outcome.seconds;
            calls[i] = clock_seconds() - began;
        }
    }
    uci_client_stop(client);
    show("from `go nodes 1` to the move", answers);
    show("the whole call", calls);
}

int main(int argc, char **argv)
{
    struct error err;
    struct work work = {0};
    if (argc != 5) {
        fputs("usage: uci_client_cost POSITIONS.epd COUNT NODES ENGINE\n", stderr);
        return 2;
    }
    work.command = argv[4];
    work.count = strtoull(argv[2], NULL, 10);
    work.limits.nodes = strtoull(argv[3], NULL, 10);
    if (!dataset_load(&work.data, argv[1], EPD_ANY, &err))
        die(err.text);
    work.count = work.count < work.data.count ? work.count : work.data.count;
    if (work.count == 0 || work.limits.nodes == 0)
        die("COUNT and NODES are at least 1");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (show_nodes(&work) == 0) {
        compare(&work);
        measure_delay(&work);
    }
    dataset_free(&work.data);
    return 0;
}
