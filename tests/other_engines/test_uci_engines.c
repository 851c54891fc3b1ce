/* Engines as they are installed: what they announce, and how they keep limits. Skipped where they
 * are absent. */
#include "uci_client.h"

#include <criterion/criterion.h>
#include <string.h>

/* Searches the initial position. */
static struct uci_outcome search(struct uci_client *client, const struct uci_limits *limits)
{
    struct error err = {""};
    struct position p;
    position_from_fen(&p, FEN_START, NULL, NULL);
    cr_assert(uci_client_new_game(client, &err), "%s", err.text);
    const struct uci_outcome outcome = uci_client_search(client, &p, NULL, 0, limits, NULL, &err);
    cr_expect_eq(outcome.end, UCI_MOVE, "%s: %s", uci_client_name(client), err.text);
    return outcome;
}

static void check_options(struct uci_client *client, const char *name, const char *option,
                          enum uci_option_type type)
{
    const struct uci_option *found = uci_client_find(client, option);
    const struct uci_option *hash = uci_client_find(client, "Hash");
    int count;
    cr_expect_eq(strncmp(uci_client_name(client), name, strlen(name)), 0, "%s",
                 uci_client_name(client));
    cr_expect_neq(uci_client_author(client)[0], '\0');
    cr_assert(found != NULL && hash != NULL, "%s", name);
    cr_expect_eq(found->type, type);
    cr_expect(hash->min >= 1 && hash->max > hash->min);
    cr_assert_not_null(uci_client_options(client, &count));
    cr_expect_geq(count, 5);
}

/* Depth, time and clocks end a search without the client's doing. By nodes it keeps the limit or is stopped:
 * it searches about as much as it may. Some look at the limit only now and then (Glaurung: up to each 30,000
 * nodes). */
static void check_limits(struct uci_client *client, const char *name)
{
    static const struct uci_limits limits[] = {
        {.depth = 4}, {.movetime = 50}, {.time = {1000, 1000}, .increment = {10, 10}}};
    const struct uci_limits nodes = {.nodes = 20000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct uci_outcome outcome = search(client, &limits[i]);
        cr_expect(!outcome.cut && outcome.move != NO_MOVE, "%s", name);
    }
    for (int i = 0; i < 3; i++) {
        const struct uci_outcome o = search(client, &nodes);
        cr_expect(o.cut || o.info.nodes < 4 * nodes.nodes, "%s: %llu", name,
                  (unsigned long long)o.info.nodes);
        cr_expect(o.info.depth >= 3 && o.info.has_score, "%s", name);
    }
}

Test(uci_engines, announce_what_they_are_and_keep_limits, .timeout = 120)
{
    static const struct {
        const char *command, *name, *option;
        enum uci_option_type type;
    } engines[] = {
        {"toga2", "Toga II", "nullmove pruning", UCI_COMBO},
        {"glaurung", "Glaurung", "OwnBook", UCI_CHECK},
        {"gnuchess -u", "GNU Chess", "Hash", UCI_SPIN},
        {"stockfish", "Stockfish", "clear hash", UCI_BUTTON},
        {"ethereal-chess", "Ethereal", "SyzygyPath", UCI_STRING},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        struct error err = {""};
        const struct uci_settings settings = {.command = engines[i].command, .answer_seconds = 60};
        if (!uci_command_exists(engines[i].command))
            continue;
        struct uci_client *client = uci_client_start(&settings, &err);
        cr_assert_not_null(client, "%s", err.text);
        if (uci_client_find(client, "OwnBook") != NULL)
            cr_assert(uci_client_set(client, "OwnBook", "false", &err), "%s", err.text);
        check_options(client, engines[i].name, engines[i].option, engines[i].type);
        check_limits(client, engines[i].name);
        uci_client_stop(client);
        count++;
    }
    if (count == 0)
        cr_skip_test("no engine is installed");
}
