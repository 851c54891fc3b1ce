/* Moves matched by another engine over UCI, for a table that compares like with like.
 *
 *   peer_match POSITIONS.epd 'go depth 1' ['setoption name X value Y']... -- ENGINE [ARGUMENTS]
 *
 * Each position is a new game; the engine's bestmove counts when it is one of the position's bm. */
#include "epd.h"
#include "uci_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 60 /* seconds */ };

static void die(const char *reason)
{
    fprintf(stderr, "peer_match: %s\n", reason);
    exit(2);
}

/* Whether the engine plays one of the position's bm. */
static bool matches(struct uci_client *peer, const struct epd *epd, const char *go)
{
    struct error err;
    Move m;
    if (!uci_client_search(peer, &epd->position, go, PATIENCE, &m, &err))
        die(err.text);
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
    if (!dataset_load(&data, argv[1], true, &err))
        die(err.text);
    const char *const *arguments = (const char *const *)argv;
    struct uci_client *peer = uci_client_start(arguments + cut + 1, arguments + 3, cut - 3, &err);
    if (peer == NULL)
        die(err.text);
    size_t matched = 0;
    for (size_t i = 0; i < data.count; i++)
        matched += matches(peer, &data.items[i], argv[2]);
    uci_client_stop(peer);
    printf("%s: %zu of %zu = %.2f %%\n", argv[cut + 1], matched, data.count,
           100.0 * (double)matched / (double)data.count);
    dataset_free(&data);
    return 0;
}
