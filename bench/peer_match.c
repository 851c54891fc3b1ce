/* Moves matched by another engine over UCI, for a table that compares like with like.
 *
 *   peer_match POSITIONS.epd 'go depth 1' ['setoption name X value Y']... -- ENGINE [ARGUMENTS]
 *
 * Each position is a new game; the engine's bestmove counts when it is one of the position's bm. */
#include "epd.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* An engine behind two pipes. */
struct peer {
    FILE *to, *from;
    pid_t pid;
};

static void die(const char *reason)
{
    fprintf(stderr, "peer_match: %s\n", reason);
    exit(2);
}

/* Starts the engine with its standard input and output on our pipes. */
static struct peer start(char **command)
{
    struct peer peer;
    int in[2], out[2];
    posix_spawn_file_actions_t actions;
    if (pipe(in) != 0 || pipe(out) != 0 || posix_spawn_file_actions_init(&actions) != 0)
        die("no pipes for the engine");
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addclose(&actions, in[1]);
    posix_spawn_file_actions_addclose(&actions, out[0]);
    if (posix_spawnp(&peer.pid, command[0], &actions, NULL, command, environ) != 0)
        die("the engine does not start");
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    peer.to = fdopen(in[1], "w");
    peer.from = fdopen(out[0], "r");
    if (peer.to == NULL || peer.from == NULL)
        die("no streams for the engine");
    return peer;
}

/* Sends a line. */
static void say(struct peer *peer, const char *line)
{
    fprintf(peer->to, "%s\n", line);
    fflush(peer->to);
}

/* Reads lines up to one that begins with `word`, and returns what follows it in `rest`. */
static void await(struct peer *peer, const char *word, char rest[256])
{
    char line[8192];
    size_t length = strlen(word);
    do
        if (fgets(line, sizeof line, peer->from) == NULL)
            die("the engine has gone");
    while (strncmp(line, word, length) != 0);
    snprintf(rest, 256, "%.255s", line + length);
}

/* Whether the engine plays one of the position's bm. */
static bool matches(struct peer *peer, const struct epd *epd, const char *go)
{
    char fen[FEN_MAX], command[FEN_MAX + 16], answer[256];
    Move m;
    position_to_fen(&epd->position, fen);
    snprintf(command, sizeof command, "position fen %s", fen);
    say(peer, "ucinewgame");
    say(peer, command);
    say(peer, go);
    await(peer, "bestmove ", answer);
    if (!move_from_text(&epd->position, answer, (int)strcspn(answer, " \r\n"), &m, NULL))
        return false;
    for (int i = 0; i < epd->best_count; i++)
        if (epd->best[i] == m)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int cut = 1;
    while (cut < argc && strcmp(argv[cut], "--") != 0)
        cut++;
    if (cut < 3 || cut + 1 >= argc) {
        fputs("usage: peer_match POSITIONS.epd GO [SETOPTION]... -- ENGINE [ARGUMENTS]\n", stderr);
        return 2;
    }
    struct dataset data = {0};
    struct error err;
    char rest[256];
    if (!dataset_load(&data, argv[1], true, &err))
        die(err.text);
    struct peer peer = start(argv + cut + 1);
    say(&peer, "uci");
    await(&peer, "uciok", rest);
    for (int i = 3; i < cut; i++)
        say(&peer, argv[i]);
    size_t matched = 0;
    for (size_t i = 0; i < data.count; i++)
        matched += matches(&peer, &data.items[i], argv[2]);
    say(&peer, "quit");
    waitpid(peer.pid, NULL, 0);
    printf("%s: %zu of %zu = %.2f %%\n", argv[cut + 1], matched, data.count,
           100.0 * (double)matched / (double)data.count);
    dataset_free(&data);
    return 0;
}
