/* A UCI engine that plays well, and misbehaves as it is told. For tests of clients.
 *
 *   villain [--every N] [--tell FILE] [VICE [NUMBER]]...
 *
 * A vice shows at each search, or at each Nth. Some show at the start:
 *   --silent-at-start   answers nothing
 *   --die-at-start      exits with code 3 instead of answering "uci"
 *   --grandchild        starts a process that sleeps for ten minutes, and prints "info string child PID"
 *   --flood             writes a megabyte to standard error, also in searches
 *   --ignore-quit       goes on after "quit" and after the end of its input
 * In a search:
 *   --silent            says nothing until "stop"
 *   --ignore-stop       says nothing any more, not even after "stop"
 *   --deaf              does not read its input any more
 *   --slow MS           answers so many milliseconds later
 *   --die CODE          begins, complains, and exits with this code
 *   --crash             begins, and dies of a segmentation violation
 *   --garbage           says bytes that are no UCI, and very long lines
 *   --babble            never ends to say such things
 *   --illegal           plays a2a1
 *   --none              plays (none)
 *   --close             closes its output, and lives on
 *   --late              plays the move of the position before once more, before it reads "position"
 *   --ignore-nodes      searches until "stop" if the limit is a number of nodes
 *   --ends-at-once      plays after depth 1 if the limit is a number of nodes
 *
 * With `--tell FILE` it creates the file when vices show in a search. */
#include "uci.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum vice {
    SILENT_AT_START,
    DIE_AT_START,
    GRANDCHILD,
    FLOOD,
    IGNORE_QUIT,
    SILENT,
    IGNORE_STOP,
    DEAF,
    SLOW,
    DIE,
    CRASH,
    GARBAGE,
    BABBLE,
    ILLEGAL,
    NONE,
    CLOSE,
    LATE,
    IGNORE_NODES,
    ENDS_AT_ONCE,
    VICES
};

static const char *const names[VICES] = {
    "silent-at-start", "die-at-start", "grandchild",   "flood",       "ignore-quit",
    "silent",          "ignore-stop",  "deaf",         "slow",        "die",
    "crash",           "garbage",      "babble",       "illegal",     "none",
    "close",           "late",         "ignore-nodes", "ends-at-once"};

enum { LINE_SIZE = 1 << 16, LONG_LINE = 200000, FLOOD_LINES = 16384 };

struct villain {
    bool has[VICES];
    int number[VICES]; /* that follows the vice; 0: none */
    int every;
    const char *tell; /* the file that is created when the vices show; NULL: none */
    int searches;
    bool bad;           /* the vices show in this search */
    bool quiet;         /* nothing is said any more */
    char last_move[32]; /* the line of the last move */
};

static void say(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

static void wait_milliseconds(long milliseconds)
{
    const struct timespec t = {.tv_sec = milliseconds / 1000,
                               .tv_nsec = milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* True if a vice shows now. */
static bool shows(const struct villain *v, enum vice vice)
{
    return v->has[vice] && v->bad;
}

/* ---- what it says ---- */

/* Says the line of a move, or what the vices make of it. */
static void say_move(struct villain *v, const char *line)
{
    if (shows(v, SLOW))
        wait_milliseconds(v->number[SLOW]);
    if (shows(v, ILLEGAL))
        say("bestmove a2a1\n");
    else if (shows(v, NONE))
        say("bestmove (none)\n");
    else
        say(line);
    snprintf(v->last_move, sizeof v->last_move, "%.31s", line);
}

/* Takes what the engine says, line by line. */
static void filter(void *context, const char *text, size_t length)
{
    struct villain *v = context;
    char line[LINE_SIZE];
    for (const char *at = text, *end = text + length; !v->quiet && at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t size = feed == NULL ? (size_t)(end - at) : (size_t)(feed - at) + 1;
        snprintf(line, sizeof line, "%.*s", (int)size, at);
        at += size;
        if (strncmp(line, "bestmove ", 9) == 0)
            say_move(v, line);
        else if (strncmp(line, "info ", 5) != 0 || !shows(v, SILENT))
            say(line);
    }
}

static void say_garbage(void)
{
    static const char bytes[] = "\x01\xff\t\r\n\n  bestmov\ninfo depth x nodes -- score cp\ninfo\n"
                                "info depth 99999999999999999999 score mate q pv e9e0 e1e1\n"
                                "Bestmove h1h8\nreadyok\nid\noption name\n";
    char *line = malloc(LONG_LINE);
    memset(line, 'x', LONG_LINE);
    line[LONG_LINE - 1] = '\n';
    fwrite(bytes, 1, sizeof bytes - 1, stdout); /* without the final NUL */
    fwrite("\0\0\n", 1, 3, stdout);
    fwrite(line, 1, LONG_LINE, stdout);
    fflush(stdout);
    free(line);
}

static void flood(void)
{
    for (int i = 0; i < FLOOD_LINES; i++)
        fputs("this engine complains and complains, without an end or a reason\n", stderr);
}

/* ---- what it does ---- */

/* Starts a process that would outlive this one. */
static void start_grandchild(void)
{
    pid_t child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "600", (char *)NULL);
        _exit(127);
    }
    printf("info string child %ld\n", (long)child);
    fflush(stdout);
}

/* Does not end, and does nothing. */
static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* Ends in the middle of a search. */
static void die(const struct villain *v)
{
    say("info depth 1 nodes 20 score cp 10 pv e2e4\n");
    fputs("villain: something is wrong\n", stderr);
    if (v->has[CRASH]) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    _exit(v->number[DIE]);
}

static void babble(void)
{
    for (;;) {
        say_garbage();
        wait_milliseconds(1);
    }
}

/* Shows the vices that come before a search. */
static void misbehave(struct villain *v)
{
    if (v->tell != NULL)
        close(open(v->tell, O_WRONLY | O_CREAT, 0644));
    if (v->has[FLOOD])
        flood();
    if (v->has[GARBAGE])
        say_garbage();
    if (v->has[DIE] || v->has[CRASH])
        die(v);
    if (v->has[BABBLE])
        babble();
    if (v->has[DEAF])
        sleep_for_ever();
    if (v->has[CLOSE]) {
        close(STDOUT_FILENO);
        sleep_for_ever();
    }
    v->quiet = v->has[IGNORE_STOP];
}

/* Replaces a limit of nodes. */
static const char *change_limit(const struct villain *v, const char *line)
{
    if (strstr(line, "nodes") == NULL)
        return line;
    return shows(v, IGNORE_NODES) ? "go infinite" : shows(v, ENDS_AT_ONCE) ? "go depth 1" : line;
}

/* Takes a line. False if it is the last. */
static bool hear(struct villain *v, struct uci *u, const char *line)
{
    if (strncmp(line, "uci\n", 4) == 0 && v->has[DIE_AT_START])
        exit(3);
    if (strncmp(line, "position", 8) == 0 && v->has[LATE])
        say(v->last_move);
    if (strncmp(line, "go", 2) == 0) {
        v->bad = ++v->searches % v->every == 0;
        if (v->bad)
            misbehave(v);
        line = change_limit(v, line);
    }
    if (strncmp(line, "quit", 4) == 0 && v->has[IGNORE_QUIT])
        return true;
    return v->quiet || v->has[SILENT_AT_START] || uci_line(u, line, strlen(line));
}

/* Reads the vices. */
static void read_arguments(struct villain *v, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + (strncmp(argv[i], "--", 2) == 0 ? 2 : 0);
        int vice = 0;
        while (vice < VICES && strcmp(word, names[vice]) != 0)
            vice++;
        bool every = strcmp(word, "every") == 0, tell = strcmp(word, "tell") == 0;
        if (vice == VICES && !every && !tell) {
            fprintf(stderr, "villain: no such vice: %s\n", argv[i]);
            exit(2);
        }
        const char *next = i + 1 < argc && argv[i + 1][0] != '-' ? argv[++i] : NULL;
        int number = next == NULL ? 0 : atoi(next);
        if (tell)
            v->tell = next;
        else if (every)
            v->every = number;
        else {
            v->has[vice] = true;
            v->number[vice] = number;
        }
    }
}

int main(int argc, char **argv)
{
    static struct villain v = {.every = 1};
    static char line[LINE_SIZE];
    read_arguments(&v, argc, argv);
    const struct uci_setup setup = {.name = "Villain",
                                    .author = "nobody",
                                    .defaults = {.weights = eval_initial_weights(),
                                                 .params = search_initial_params(),
                                                 .hash = 1,
                                                 .hash_max = 64},
                                    .write = filter,
                                    .context = &v};
    struct error err;
    struct uci *u = uci_create(&setup, &err);
    if (u == NULL)
        return 1;
    if (v.has[GRANDCHILD])
        start_grandchild();
    if (v.has[FLOOD])
        flood();
    while (fgets(line, sizeof line, stdin) != NULL && hear(&v, u, line))
        continue;
    if (v.has[IGNORE_QUIT])
        sleep_for_ever();
    uci_destroy(u);
    return 0;
}
