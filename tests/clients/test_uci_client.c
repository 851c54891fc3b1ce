/* Another engine over UCI, played by shell scripts that behave and misbehave. */
#include "notation.h"
#include "uci_client.h"

#include "scratch.h"

#include <sys/stat.h>

static char directory[SCRATCH_PATH], script[SCRATCH_PATH];

static void begin(void)
{
    scratch_begin(directory);
}

static void end(void)
{
    scratch_end(directory);
}

TestSuite(peer, .init = begin, .fini = end);

/* An engine that answers, and does `on_go` when it is told to search. */
static struct uci_client *start(const char *on_go, double patience, struct error *err)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#!/bin/sh\n"
             "while read -r word rest; do case $word in\n"
             "uci) echo id name fake; echo option name Move type string default; echo uciok;;\n"
             "isready) echo readyok;;\n"
             "setoption) option=$rest;;\n"
             "go) %s;;\n"
             "quit) exit 0;;\n"
             "esac; done\n",
             on_go);
    scratch_write(directory, "engine", text, script);
    cr_assert_eq(chmod(script, 0755), 0);
    const struct uci_value values[] = {{"Move", "e2e4"}};
    const struct uci_settings settings = {
        .command = script, .values = values, .value_count = 1, .answer_seconds = patience};
    return uci_client_start(&settings, err);
}

/* Searches the initial position. */
static struct uci_outcome search(struct uci_client *client, struct error *err)
{
    const struct uci_limits limits = {.nodes = 1};
    struct position p;
    cr_assert(position_from_fen(&p, FEN_START, NULL, err));
    return uci_client_search(client, &p, NULL, 0, &limits, NULL, err);
}

/* A search of the initial position by such an engine fails so, for this reason. */
static void expect_failure(const char *on_go, double patience, enum uci_end end, const char *reason)
{
    struct error err = {""};
    struct uci_client *client = start(on_go, patience, &err);
    cr_assert_not_null(client, "%s", err.text);
    cr_expect_eq(search(client, &err).end, end);
    cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
    uci_client_stop(client);
}

Test(peer, searches_with_the_options_it_was_given)
{
    struct error err = {""};
    char uci[UCI_MAX];
    struct uci_client *client =
        start("echo info depth 1; echo \"bestmove ${option##* } ponder e7e5\"", 10, &err);
    cr_assert_not_null(client, "%s", err.text);
    for (int i = 0; i < 3; i++) {
        const struct uci_outcome outcome = search(client, &err);
        cr_assert_eq(outcome.end, UCI_MOVE, "%s", err.text);
        move_to_uci(outcome.move, uci);
        cr_expect_str_eq(uci, "e2e4");
        cr_expect_eq(outcome.info.depth, 1);
    }
    uci_client_stop(client);
}

Test(peer, one_that_does_not_answer_is_given_up)
{
    expect_failure("true", 0.3, UCI_HUNG, "ignores \"stop\"");
}

Test(peer, one_that_goes_away_is_noticed)
{
    expect_failure("exit 1", 30, UCI_EXITED, "exited with code 1");
}

Test(peer, an_illegal_move_is_named)
{
    expect_failure("echo bestmove e2e5", 30, UCI_ILLEGAL, "illegal move, \"e2e5\"");
}

Test(peer, lines_without_end_do_no_harm)
{
    expect_failure("head -c 300000 /dev/zero | tr '\\0' x; echo; echo bestmove 0000", 30,
                   UCI_ILLEGAL, "illegal move");
}

Test(peer, what_is_no_program_is_refused)
{
    struct error err = {""};
    const struct uci_settings settings = {.command = "no-such-engine"};
    cr_expect_not(uci_command_exists("no-such-engine"));
    cr_expect(uci_command_exists("sh"));
    cr_expect_null(uci_client_start(&settings, &err));
    cr_expect_not_null(strstr(err.text, "cannot start no-such-engine"), "%s", err.text);
}

Test(peer, one_that_is_no_engine_is_refused)
{
    struct error err = {""};
    const struct uci_settings settings = {.command = "true"};
    cr_expect_null(uci_client_start(&settings, &err));
    cr_expect_neq(err.text[0], '\0');
}
