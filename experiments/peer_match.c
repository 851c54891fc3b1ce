/* Moves matched by another engine over UCI, for a table that compares like with like.
 *
 *   peer_match POSITIONS.epd 'go depth 1' ['setoption name X value Y']... -- ENGINE [ARGUMENTS]
 *
 * The search is limited by depth, nodes or movetime. Each position is a new game; the engine's
 * bestmove counts when it is one of the position's bm. */
#include "epd.h"
#include "uci_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 60 /* seconds */, OPTIONS_MAX = 32, COMMAND_MAX = 4096 };

static void die(const char *reason)
{
    fprintf(stderr, "peer_match: %s\n", reason);
    exit(2);
}

/* Reads "go depth N", "go nodes N" or "go movetime N". */
static struct uci_limits read_limits(const char *text)
{
    struct uci_limits limits = {0};
    char word[16] = "";
    long long number = 0;
    if (sscanf(text, "go %15s %lld", word, &number) != 2 || number < 1)
        die("no limit: go depth N, go nodes N, or go movetime N");
    if (strcmp(word, "depth") == 0)
        limits.depth = (int)number;
    else if (strcmp(word, "nodes") == 0)
        limits.nodes = (uint64_t)number;
    else if (strcmp(word, "movetime") == 0)
        limits.movetime = number;
    else
        die("no limit: go depth N, go nodes N, or go movetime N");
    return limits;
}

/* Splits "setoption name X value Y" in place. */
static struct uci_value read_option(char *text)
{
    const char *head = "setoption name ";
    char *value = strstr(text, " value ");
    if (strncmp(text, head, strlen(head)) != 0 || value == NULL)
        die("no option: setoption name X value Y");
    *value = '\0';
    return (struct uci_value){text + strlen(head), value + strlen(" value ")};
}

/* Starts the engine whose words are given. */
static struct uci_client *start(char **words, const struct uci_value *values, int count)
{
    char command[COMMAND_MAX] = "";
    struct error err;
    for (size_t used = 0; *words != NULL && used < sizeof command; words++)
        used += (size_t)snprintf(command + used, sizeof command - used, "'%s' ", *words);
    const struct uci_settings settings = {
        .command = command, .values = values, .value_count = count, .answer_seconds = PATIENCE};
    struct uci_client *client = uci_client_start(&settings, &err);
    if (client == NULL)
        die(err.text);
    return client;
}

/* Whether the engine plays one of the position's bm. */
static bool matches(struct uci_client *client, const struct epd *epd,
                    const struct uci_limits *limits)
{
    struct error err;
    if (!uci_client_new_game(client, &err))
        die(err.text);
    const struct uci_outcome outcome =
        uci_client_search(client, &epd->position, NULL, 0, limits, NULL, &err);
    if (outcome.end != UCI_MOVE)
        die(err.text);
    for (int i = 0; i < epd->best_count; i++)
        if (epd->best[i] == outcome.move)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    int cut = 1;
    while (cut < argc && strcmp(argv[cut], "--") != 0)
        cut++;
    if (cut < 3 || cut + 1 >= argc || cut - 3 > OPTIONS_MAX) {
        fputs("usage: peer_match POSITIONS.epd GO [SETOPTION]... -- ENGINE [ARGUMENTS]\n", stderr);
        return 2;
    }
    struct dataset data = {0};
    struct error err;
    struct uci_value values[OPTIONS_MAX];
    const struct uci_limits limits = read_limits(argv[2]);
    for (int i = 3; i < cut; i++)
        values[i - 3] = read_option(argv[i]);
    if (!dataset_load(&data, argv[1], EPD_ANY, &err))
        die(err.text);
    struct uci_client *client = start(argv + cut + 1, values, cut - 3);
    size_t matched = 0;
    for (size_t i = 0; i < data.count; i++)
        matched += matches(client, &data.items[i], &limits);
    uci_client_stop(client);
    printf("%s: %zu of %zu = %.2f %%\n", argv[cut + 1], matched, data.count,
           100.0 * (double)matched / (double)data.count);
    dataset_free(&data);
    return 0;
}
