#include "uci_client.h"

#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_MAX_SIZE = 65536, PATH_SIZE = 4096, ARGUMENTS_MAX = 15, ANSWER_SECONDS = 10 };

extern char **environ;

struct uci_client {
    const char *name; /* borrowed: the command */
    int to, from;     /* pipes */
    pid_t pid;
    char *line; /* bytes read but not processed, at most LINE_MAX_SIZE */
    size_t length;
};

/* ---- starting and stopping ---- */

/* Finds a command on the PATH or in /usr/games, Debian's folder of games, which is often not on the
 * PATH. */
static bool find_command(const char *command, char file[PATH_SIZE])
{
    char path[PATH_SIZE], *rest;
    const char *all = getenv("PATH");
    if (strchr(command, '/') != NULL) {
        snprintf(file, PATH_SIZE, "%s", command);
        return access(file, X_OK) == 0;
    }
    snprintf(path, sizeof path, "%.4000s:/usr/games", all == NULL ? "/usr/bin:/bin" : all);
    for (char *folder = strtok_r(path, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest)) {
        snprintf(file, PATH_SIZE, "%.3800s/%.200s", folder, command);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

bool peer_is_there(const char *command)
{
    char file[PATH_SIZE];
    return find_command(command, file);
}

/* Starts the process with the pipes as its standard input and output. */
static bool spawn(struct uci_client *peer, const char *const command[], const int in[2],
                  const int out[2], struct error *err)
{
    posix_spawn_file_actions_t actions;
    char file[PATH_SIZE], *arguments[ARGUMENTS_MAX + 1] = {0};
    if (!find_command(command[0], file))
        return error_set(err, "cannot start %s: no such program", command[0]);
    for (int i = 0; i < ARGUMENTS_MAX && command[i] != NULL; i++)
        arguments[i] = strdup(command[i]);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed == 0) {
        posix_spawn_file_actions_adddup2(&actions, in[0], 0);
        posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        posix_spawn_file_actions_addclose(&actions, in[1]);
        posix_spawn_file_actions_addclose(&actions, out[0]);
        failed = posix_spawn(&peer->pid, file, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    for (int i = 0; i < ARGUMENTS_MAX; i++)
        free(arguments[i]);
    return failed == 0 || error_set(err, "cannot start %s: %s", command[0], strerror(failed));
}

/* Creates both pipes and the process. */
static bool connect_peer(struct uci_client *peer, const char *const command[], struct error *err)
{
    int in[2], out[2];
    if (pipe(in) != 0)
        return error_set(err, "no pipe for %s: %s", command[0], strerror(errno));
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return error_set(err, "no pipe for %s: %s", command[0], strerror(errno));
    }
    bool good = spawn(peer, command, in, out, err);
    close(in[0]);
    close(out[1]);
    peer->to = in[1];
    peer->from = out[0];
    return good;
}

/* ---- communication ---- */

/* Sends a line. */
static bool send_line(struct uci_client *peer, const char *text, struct error *err)
{
    return dprintf(peer->to, "%s\n", text) > 0 ||
           error_set(err, "cannot write to %s: %s", peer->name, strerror(errno));
}

/* Waits for input until time `end`. */
static bool read_more(struct uci_client *peer, double end, struct error *err)
{
    struct pollfd ready = {.fd = peer->from, .events = POLLIN};
    double left = end - clock_seconds();
    if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) <= 0)
        return error_set(err, "%s does not answer", peer->name);
    ssize_t n = read(peer->from, peer->line + peer->length, LINE_MAX_SIZE - peer->length);
    if (n <= 0)
        return error_set(err, "%s has exited", peer->name);
    peer->length += (size_t)n;
    return true;
}

/* Copies the next line into `text`, cut to fit. False if there is no complete line. A line that
 * fills the buffer counts as complete. */
static bool take_line(struct uci_client *peer, char *text, size_t size)
{
    const char *feed = memchr(peer->line, '\n', peer->length);
    if (feed == NULL && peer->length < LINE_MAX_SIZE)
        return false;
    size_t length = feed == NULL ? peer->length : (size_t)(feed - peer->line);
    snprintf(text, size, "%.*s", (int)length, peer->line);
    text[strcspn(text, "\r\n")] = '\0';
    size_t used = feed == NULL ? length : length + 1;
    peer->length -= used;
    memmove(peer->line, peer->line + used, peer->length);
    return true;
}

/* Reads lines until one begins with `word`; copies the rest of that line to `rest`. */
static bool await(struct uci_client *peer, const char *word, double seconds, char *rest,
                  size_t size, struct error *err)
{
    char line[1024];
    double end = clock_seconds() + seconds;
    for (;;) {
        while (take_line(peer, line, sizeof line))
            if (strncmp(line, word, strlen(word)) == 0) {
                snprintf(rest, size, "%s", line + strlen(word));
                return true;
            }
        if (!read_more(peer, end, err))
            return false;
    }
}

/* Sends "uci" and the options. */
static bool greet(struct uci_client *peer, const char *const *options, int count, struct error *err)
{
    char rest[16];
    bool good =
        send_line(peer, "uci", err) && await(peer, "uciok", ANSWER_SECONDS, rest, sizeof rest, err);
    for (int i = 0; good && i < count; i++)
        good = send_line(peer, options[i], err);
    return good && send_line(peer, "isready", err) &&
           await(peer, "readyok", ANSWER_SECONDS, rest, sizeof rest, err);
}

struct uci_client *uci_client_start(const char *const command[], const char *const *options,
                                    int count, struct error *err)
{
    struct uci_client *peer = calloc(1, sizeof *peer);
    if (peer == NULL || (peer->line = malloc(LINE_MAX_SIZE)) == NULL) {
        free(peer);
        error_set(err, "no memory for %s", command[0]);
        return NULL;
    }
    peer->name = command[0];
    peer->to = peer->from = -1;
    signal(SIGPIPE, SIG_IGN); /* writing to a process that has exited is then an error of write */
    if (connect_peer(peer, command, err) && greet(peer, options, count, err))
        return peer;
    uci_client_stop(peer);
    return NULL;
}

bool uci_client_search(struct uci_client *peer, const struct position *p, const char *go,
                       double patience, Move *best, struct error *err)
{
    char fen[FEN_MAX], command[FEN_MAX + 16], answer[64], reply[16];
    position_to_fen(p, fen);
    snprintf(command, sizeof command, "position fen %s", fen);
    if (!send_line(peer, "ucinewgame", err) || !send_line(peer, "isready", err) ||
        !await(peer, "readyok", ANSWER_SECONDS, reply, sizeof reply, err) ||
        !send_line(peer, command, err) || !send_line(peer, go, err) ||
        !await(peer, "bestmove ", patience, answer, sizeof answer, err))
        return false;
    return move_from_text(p, answer, (int)strcspn(answer, " "), best, NULL) ||
           error_set(err, "%s answers with an illegal move: %s", peer->name, answer);
}

/* Waits at most two seconds for the process to exit. */
static bool has_exited(pid_t pid)
{
    for (int i = 0; i < 200; i++) {
        if (waitpid(pid, NULL, WNOHANG) != 0)
            return true;
        poll(NULL, 0, 10);
    }
    return false;
}

void uci_client_stop(struct uci_client *peer)
{
    struct error ignored;
    if (peer == NULL)
        return;
    if (peer->pid > 0) {
        send_line(peer, "quit", &ignored);
        if (!has_exited(peer->pid)) {
            kill(peer->pid, SIGKILL);
            waitpid(peer->pid, NULL, 0);
        }
    }
    if (peer->to >= 0)
        close(peer->to);
    if (peer->from >= 0)
        close(peer->from);
    free(peer->line);
    free(peer);
}
