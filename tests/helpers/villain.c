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
 *   --remember          has the number of its games behind its numbers of nodes
 * In a search:
 *   --silent            says nothing until "stop"
 *   --ignore-stop       says nothing any more, not even after "stop"
 *   --deaf              does not read its input any more
 *   --slow MS           answers so many milliseconds later
 *   --die CODE          begins, complains, and exits with this code
 *   --crash             begins, and dies of a segmentation violation
 *   --crash N           dies so when KNIGHT_VALUE is set above N, and in no search
 *   --garbage           says bytes that are no UCI, and very long lines
 *   --babble            never ends to say such things
 *   --illegal           plays a2a1
 *   --none              plays (none)
 *   --close             closes its output, and lives on
 *   --late              plays the move of the position before once more, before it reads "position"
 *   --ignore-nodes      searches until "stop" if the limit is a number of nodes
 *   --ends-at-once      plays after depth 1 if the limit is a number of nodes
 *
 * With `--tell FILE` it creates the file when vices show in a search.
 *
 * It may also have other manners, which show in all that it says, in this order:
 *   --change WORD FROM TO   in its lines that begin with WORD, each FROM becomes TO
 *   --before WORD TEXT      says TEXT before each of its lines that begins with WORD; "start": at once
 *   --one FOLDER            only the second process that is started with this folder has them
 * Texts have \\n, \\r, \\t, \\0 and \\xHH. A WORD of "" begins every line. */
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
    REMEMBER,
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
    "silent-at-start", "die-at-start", "grandchild", "flood", "ignore-quit", "remember",
    "silent",          "ignore-stop",  "deaf",       "slow",  "die",         "crash",
    "garbage",         "babble",       "illegal",    "none",  "close",       "late",
    "ignore-nodes",    "ends-at-once"};

enum { LINE_SIZE = 1 << 16, LONG_LINE = 200000, FLOOD_LINES = 16384, MANNERS = 16 };

/* A text of an argument; it may hold any byte. */
struct text {
    char *bytes;
    size_t length;
};

/* Another manner: what is said before a line, or what takes the place of a part of it. */
struct manner {
    const char *word;
    struct text from, to; /* `from` is empty: said before */
};

struct villain {
    bool has[VICES];
    int number[VICES]; /* that follows the vice; 0: none */
    int every;
    const char *tell; /* the file that is created when the vices show; NULL: none */
    int searches, games;
    bool bad;           /* the vices show in this search */
    bool quiet;         /* nothing is said any more */
    char last_move[32]; /* the line of the last move */
    struct manner manners[MANNERS];
    int manner_count;
    const char *folder; /* of `--one`; NULL: none */
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

/* ---- manners ---- */

/* Reads a text with its escapes, in place. */
static struct text read_text(char *at)
{
    static const char letters[] = "nrt0\\", bytes[] = "\n\r\t\0\\";
    struct text text = {at, 0};
    while (*at != '\0') {
        const char *letter = *at == '\\' && at[1] != '\0' ? strchr(letters, at[1]) : NULL;
        if (*at == '\\' && at[1] == 'x') {
            const char digits[] = {at[2], at[3], '\0'};
            text.bytes[text.length++] = (char)strtol(digits, NULL, 16);
            at += 4;
        } else {
            text.bytes[text.length++] = letter == NULL ? *at : bytes[letter - letters];
            at += letter == NULL ? 1 : 2;
        }
    }
    return text;
}

static void say_text(struct text text)
{
    fwrite(text.bytes, 1, text.length, stdout);
}

/* Says a line, or the start, which is no line, in its own manner. */
static void say_politely(const struct villain *v, const char *line)
{
    const struct manner *change = NULL;
    for (const struct manner *m = v->manners; m < v->manners + v->manner_count; m++)
        if (strncmp(line, m->word, strlen(m->word)) != 0)
            continue;
        else if (m->from.length > 0)
            change = m;
        else
            say_text(m->to);
    for (const char *at = line; *at != '\0' && strcmp(line, "start") != 0;)
        if (change != NULL && strncmp(at, change->from.bytes, change->from.length) == 0) {
            say_text(change->to);
            at += change->from.length;
        } else
            putchar(*at++);
    fflush(stdout);
}

/* Forgets the manners, unless this is the second process of its folder. */
static void be_the_one(struct villain *v)
{
    char path[LINE_SIZE];
    int number = 0, file;
    do
        snprintf(path, sizeof path, "%s/%d", v->folder, ++number);
    while ((file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644)) < 0 && number < 1000);
    close(file);
    v->manner_count = number == 2 ? v->manner_count : 0;
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
        say_politely(v, line);
    snprintf(v->last_move, sizeof v->last_move, "%.31s", line);
}

/* Says what is found in a search, with the number of games behind that of nodes. */
static void say_remembered(const struct villain *v, const char *line)
{
    const char *nodes = strstr(line, " nodes ");
    const char *end = nodes == NULL ? line : nodes + 7 + strspn(nodes + 7, "0123456789");
    if (nodes != NULL)
        printf("%.*s%d", (int)(end - line), line, v->games);
    say(end);
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
        else if (strncmp(line, "info ", 5) == 0 && v->has[REMEMBER])
            say_remembered(v, line);
        else if (strncmp(line, "info ", 5) != 0 || !shows(v, SILENT))
            say_politely(v, line);
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

static void crash(void)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

/* Ends in the middle of a search. */
static void die(const struct villain *v)
{
    say("info depth 1 nodes 20 score cp 10 pv e2e4\n");
    fputs("villain: something is wrong\n", stderr);
    if (v->has[CRASH])
        crash();
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
    if (v->has[DIE] || (v->has[CRASH] && v->number[CRASH] == 0))
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
    int knight;
    if (strncmp(line, "uci\n", 4) == 0 && v->has[DIE_AT_START])
        exit(3);
    if (v->number[CRASH] > 0 &&
        sscanf(line, "setoption name KNIGHT_VALUE value %d", &knight) == 1 &&
        knight > v->number[CRASH])
        crash();
    v->games += strncmp(line, "ucinewgame", 10) == 0;
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

/* Reads a manner, if this is one. Returns how many words it has. */
static int read_manner(struct villain *v, int argc, char **argv)
{
    bool change = argc > 3 && strcmp(argv[0], "--change") == 0;
    if (argc > 1 && strcmp(argv[0], "--one") == 0)
        v->folder = argv[1];
    else if (!change && (argc < 3 || strcmp(argv[0], "--before") != 0))
        return 0;
    else
        v->manners[v->manner_count++] =
            (struct manner){.word = argv[1],
                            .from = change ? read_text(argv[2]) : (struct text){NULL, 0},
                            .to = read_text(argv[2 + change])};
    return v->folder == argv[1] ? 2 : 3 + change;
}

/* Reads the vices. */
static void read_arguments(struct villain *v, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int manner = read_manner(v, argc - i, argv + i);
        if (manner > 0) {
            i += manner - 1;
            continue;
        }
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
                                    .defaults = {.evaluation = evaluation_initial(),
                                                 .params = search_initial_params(),
                                                 .tune = true,
                                                 .hash = 1,
                                                 .hash_max = 64},
                                    .write = filter,
                                    .context = &v};
    struct error err;
    struct uci *u = uci_create(&setup, &err);
    if (u == NULL)
        return 1;
    if (v.folder != NULL)
        be_the_one(&v);
    say_politely(&v, "start");
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
