/* Another engine over UCI, played by shell scripts that behave and misbehave. */
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
static struct uci_client *start(const char *on_go, struct error *err)
{
    char text[1024];
    snprintf(text, sizeof text,
             "#!/bin/sh\n"
             "while read -r word rest; do case $word in\n"
             "uci) echo id name fake; echo uciok;;\n"
             "isready) echo readyok;;\n"
             "setoption) option=$rest;;\n"
             "go) %s;;\n"
             "quit) exit 0;;\n"
             "esac; done\n",
             on_go);
    scratch_write(directory, "engine", text, script);
    cr_assert_eq(chmod(script, 0755), 0);
    const char *const command[] = {script, NULL};
    const char *const options[] = {"setoption name Move value e2e4"};
    return uci_client_start(command, options, 1, err);
}

/* What a search of the initial position by such an engine is refused for. */
static void expect_failure(const char *on_go, double patience, const char *reason)
{
    struct error err = {""};
    struct position p;
    Move m;
    struct uci_client *peer = start(on_go, &err);
    cr_assert_not_null(peer, "%s", err.text);
    cr_assert(position_from_fen(&p, FEN_START, NULL, &err));
    cr_expect_not(uci_client_search(peer, &p, "go nodes 1", patience, &m, &err));
    cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
    uci_client_stop(peer);
}

Test(peer, searches_with_the_options_it_was_given)
{
    struct error err = {""};
    struct position p;
    Move m = NO_MOVE;
    char uci[UCI_MAX];
    struct uci_client *peer =
        start("echo info depth 1; echo \"bestmove ${option##* } ponder e7e5\"", &err);
    cr_assert_not_null(peer, "%s", err.text);
    cr_assert(position_from_fen(&p, FEN_START, NULL, &err));
    for (int i = 0; i < 3; i++) {
        cr_assert(uci_client_search(peer, &p, "go nodes 1", 10, &m, &err), "%s", err.text);
        move_to_uci(m, uci);
        cr_expect_str_eq(uci, "e2e4");
    }
    uci_client_stop(peer);
}

Test(peer, one_that_does_not_answer_is_given_up)
{
    expect_failure("true", 0.3, "does not answer");
}

Test(peer, one_that_goes_away_is_noticed)
{
    expect_failure("exit 1", 30, "has exited");
}

Test(peer, an_illegal_move_is_named)
{
    expect_failure("echo bestmove e2e5", 30, "illegal move: e2e5");
}

Test(peer, lines_without_end_do_no_harm)
{
    expect_failure("head -c 300000 /dev/zero | tr '\\0' x; echo; echo bestmove 0000", 30,
                   "illegal move");
}

Test(peer, what_is_no_program_is_refused)
{
    struct error err = {""};
    const char *const command[] = {"no-such-engine", NULL};
    cr_expect_not(peer_is_there("no-such-engine"));
    cr_expect(peer_is_there("sh"));
    cr_expect_null(uci_client_start(command, NULL, 0, &err));
    cr_expect_not_null(strstr(err.text, "cannot start no-such-engine"), "%s", err.text);
}

Test(peer, one_that_is_no_engine_is_refused)
{
    struct error err = {""};
    const char *const command[] = {"true", NULL};
    cr_expect_null(uci_client_start(command, NULL, 0, &err));
    cr_expect_neq(err.text[0], '\0');
}
