/* Engines as they are installed: what they announce, and how they keep limits. Skipped where they
 * are absent. */
#include "uci_client.h"

#include <criterion/criterion.h>
#include <string.h>

/* What is known of an engine. */
struct known {
    const char *command, *name;
    const char *option; /* that it has */
    enum uci_option_type type;
};

static const struct known engines[] = {
    {"toga2", "Toga II", "nullmove pruning", UCI_COMBO},
    {"glaurung", "Glaurung", "OwnBook", UCI_CHECK},
    {"gnuchess -u", "GNU Chess", "Hash", UCI_SPIN},
    {"stockfish", "Stockfish", "clear hash", UCI_BUTTON},
    {"ethereal-chess", "Ethereal", "SyzygyPath", UCI_STRING},
};

/* Starts an engine without a book; NULL if it is not installed. */
static struct uci_client *start(const char *command)
{
    struct error err = {""};
    const struct uci_settings settings = {.command = command, .answer_seconds = 60};
    if (!uci_command_exists(command))
        return NULL;
    struct uci_client *client = uci_client_start(&settings, &err);
    cr_assert_not_null(client, "%s", err.text);
    if (uci_client_find(client, "OwnBook") != NULL)
        cr_assert(uci_client_set(client, "OwnBook", "false", &err), "%s", err.text);
    return client;
}

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

/* Does something with each engine that is there. */
static void with_each(void (*use)(const struct known *known, struct uci_client *client))
{
    int count = 0;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        struct uci_client *client = start(engines[i].command);
        if (client == NULL)
            continue;
        use(&engines[i], client);
        uci_client_stop(client);
        count++;
    }
    if (count == 0)
        cr_skip_test("no engine is installed");
}

static void check_options(const struct known *known, struct uci_client *client)
{
    const struct uci_option *option = uci_client_find(client, known->option);
    int count;
    cr_expect_eq(strncmp(uci_client_name(client), known->name, strlen(known->name)), 0, "%s",
                 uci_client_name(client));
    cr_expect_neq(uci_client_author(client)[0], '\0');
    cr_assert_not_null(option, "%s", known->name);
    cr_expect_eq(option->type, known->type);
    const struct uci_option *hash = uci_client_find(client, "Hash");
    cr_assert_not_null(hash);
    cr_expect(hash->min >= 1 && hash->max > hash->min);
    cr_assert_not_null(uci_client_options(client, &count));
    cr_expect_geq(count, 5);
}

Test(uci_engines, announce_what_they_are, .timeout = 120)
{
    with_each(check_options);
}

/* Whether it keeps a limit of nodes or is stopped: it searches about as much as it may. Some look at
 * the limit only now and then (Glaurung: up to each 30,000 nodes). */
static void check_nodes(const struct known *known, struct uci_client *client)
{
    const struct uci_limits limits = {.nodes = 20000};
    for (int i = 0; i < 3; i++) {
        const struct uci_outcome outcome = search(client, &limits);
        cr_expect(outcome.cut || outcome.info.nodes < 4 * limits.nodes, "%s: %llu", known->name,
                  (unsigned long long)outcome.info.nodes);
        cr_expect_geq(outcome.info.depth, 3, "%s", known->name);
        cr_expect(outcome.info.has_score, "%s", known->name);
    }
}

Test(uci_engines, search_by_nodes, .timeout = 120)
{
    with_each(check_nodes);
}

/* Depth, time and clocks end a search without the client's doing. */
static void check_limits(const struct known *known, struct uci_client *client)
{
    static const struct uci_limits limits[] = {
        {.depth = 4}, {.movetime = 50}, {.time = {1000, 1000}, .increment = {10, 10}}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct uci_outcome outcome = search(client, &limits[i]);
        cr_expect_not(outcome.cut, "%s", known->name);
        cr_expect_neq(outcome.move, NO_MOVE);
    }
}

Test(uci_engines, search_by_depth_and_time, .timeout = 120)
{
    with_each(check_limits);
}
