/* How engines are set up for games, shown by a script with many options. */
#include "engine_setup.h"
#include "notation.h"

#include "scratch.h"

static const char *script;
static struct engine_setup setup;

SCRATCH_SUITE_ENDS(engine_setup, engine_setup_free(&setup));

static void write_script(const char *name, const char *text)
{
    script = scratch_program(name, text);
}

/* Writes an engine with these options: lines of echo. */
static void write_engine(const char *options)
{
    write_script("engine", text_of("#!/bin/sh\n"
                                   "while read -r word rest; do case $word in\n"
                                   "uci) echo id name Fake 1.0\n%s\necho uciok;;\n"
                                   "isready) echo readyok;;\n"
                                   "go) echo bestmove c1b1;;\n"
                                   "quit) exit 0;;\n"
                                   "esac; done\n",
                                   options));
}

/* Sets up the engine; its values are these: "NAME=VALUE;". */
static void expect_values(const struct uci_value *values, int count, int hash, const char *expected)
{
    char found[512] = "";
    struct error err = {""};
    engine_setup_free(&setup);
    MUST(engine_setup_read(&setup, script, values, count, (struct engine_hash){hash, NULL}, &err));
    for (int i = 0; i < setup.settings.value_count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%s;",
                 setup.settings.values[i].name, setup.settings.values[i].value);
    cr_expect_str_eq(found, expected);
    cr_expect_str_eq(setup.name, "Fake 1.0");
    cr_expect_str_eq(setup.settings.command, script);
}

static const char usual[] = "echo option name Hash type spin default 64 min 4 max 128\n"
                            "echo option name Threads type spin default 2 min 1 max 8\n"
                            "echo option name OwnBook type check default true\n"
                            "echo option name Book type string default x\n"
                            "echo option name Margin type spin default 5 min 0 max 9";

Test(engine_setup, one_thread_no_book_and_the_given_table)
{
    static const struct uci_value given[] = {{"Margin", "7"}, {"ownbook", "true"}};
    write_engine(usual);
    expect_values(NULL, 0, 16, "Hash=16;Threads=1;OwnBook=false;");
    expect_values(NULL, 0, 0, "Threads=1;OwnBook=false;");
    expect_values(given, 2, 16, "Hash=16;Threads=1;Margin=7;ownbook=true;");
    write_engine("echo option name Number of Threads type spin default 1 min 1 max 16\n"
                 "echo option name Book type check default true\n"
                 "echo option name Ponder type check default true");
    expect_values(NULL, 0, 16, "Number of Threads=1;Book=false;Ponder=false;");
    write_engine("");
    expect_values(NULL, 0, 16, "");
}

/* What nobody asked for must not keep an engine from playing. */
Test(engine_setup, our_values_are_the_nearest_that_the_engine_takes)
{
    write_engine("echo option name Hash type spin default 64 min 32 max 1024\n"
                 "echo option name Threads type spin default 4 min 2 max 8");
    expect_values(NULL, 0, 16, "Hash=32;Threads=2;");
    expect_values(NULL, 0, 2000, "Hash=1024;Threads=2;");
    write_engine("echo option name Hash type spin default 64 min 9 max 1");
    expect_values(NULL, 0, 16, "");
}

static void expect_error(const struct uci_value *value, int hash, const char *reason)
{
    struct error err = {""};
    cr_expect_not(
        engine_setup_read(&setup, script, value, 1, (struct engine_hash){hash, "--hash"}, &err));
    SAID(reason);
    cr_expect_null(setup.settings.command);
}

Test(engine_setup, bad_values_are_found_before_any_work)
{
    static const struct uci_value unknown = {"Margn", "7"}, high = {"Margin", "10"},
                                  good = {"Margin", "0"};
    write_engine(usual);
    expect_error(&unknown, 16, "has no option \"Margn\"; did you mean \"Margin\"?");
    expect_error(&high, 16, "the option Margin takes a whole number from 0 to 9, not \"10\"");
    expect_error(&good, 3, "--hash: /");
    expect_error(&good, 3, "engine: the option Hash takes a whole number from 4 to 128, not \"3\"");
    script = "no-such-engine";
    expect_error(&good, 16, "cannot start no-such-engine");
}

/* It is not set beforehand: positions say whether it is needed. */
Test(engine_setup, chess960_is_known_and_may_be_set)
{
    static const struct uci_value on = {"uci_chess960", "true"};
    write_engine("echo option name UCI_Chess960 type check default false");
    expect_values(NULL, 0, 16, "");
    cr_expect(setup.settings.chess960);
    expect_values(&on, 1, 16, "uci_chess960=true;");
    write_engine("");
    expect_values(NULL, 0, 16, "");
    cr_expect_not(setup.settings.chess960);
}

/* Starts the engine with its setup. */
static struct uci_client *start(void)
{
    struct error err = {""};
    expect_values(NULL, 0, 16, "");
    struct uci_client *client = uci_client_start(&setup.settings, &err);
    MUST(client);
    return client;
}

/* Asks for a move after another one; what was said contains these lines. */
static void expect_talk(struct uci_client *client, const char *fen, const char *text,
                        const char *lines)
{
    const struct uci_limits limits = {.depth = 1};
    struct position p;
    struct error err = {""};
    Move m = NO_MOVE;
    MUST(position_from_fen(&p, fen, NULL, &err));
    MUST(move_from_text(&p, text, (int)strlen(text), &m, &err));
    cr_expect_eq(uci_client_search(client, &p, &m, 1, &limits, NULL, &err).end, UCI_MOVE, "%s",
                 err.text);
    cr_expect_not_null(strstr(uci_client_log(client), lines), "%s", uci_client_log(client));
}

/* Positions of Chess960 say so to the engine, and others take it back. */
Test(engine_setup, chess960_is_spoken_where_it_is_needed)
{
    static const char open_rook[] = "4k2r/8/8/8/8/8/8/2R1K3 b k - 0 1";
    static const char start960[] = "1rk4r/8/8/8/8/8/8/1RK4R b HBhb - 0 1";
    struct error err = {""};
    write_engine("echo option name UCI_Chess960 type check default false");
    struct uci_client *client = start();
    expect_talk(client, open_rook, "O-O",
                "> position fen 4k2r/8/8/8/8/8/8/2R1K3 b k - 0 1 moves e8g8\n");
    cr_expect_null(strstr(uci_client_log(client), "setoption"));
    expect_talk(client, start960, "O-O",
                "> setoption name UCI_Chess960 value true\n"
                "> position fen 1rk4r/8/8/8/8/8/8/1RK4R b HBhb - 0 1 moves c8h8\n");
    expect_talk(client, open_rook, "O-O",
                "> setoption name UCI_Chess960 value false\n"
                "> position fen 4k2r/8/8/8/8/8/8/2R1K3 b k - 0 1 moves e8g8\n");
    cr_expect(uci_client_set(client, "UCI_Chess960", "true", &err), "%s", err.text);
    expect_talk(client, open_rook, "O-O", " b k - 0 1 moves e8h8\n");
    uci_client_stop(client);
    write_engine("echo option name UCI_Chess960 type check default 1");
    client = start();
    expect_talk(client, open_rook, "O-O", "> setoption name UCI_Chess960 value false\n");
    uci_client_stop(client);
    write_engine("");
    client = start();
    struct position p;
    const struct uci_limits limits = {.depth = 1};
    cr_assert(position_from_fen(&p, start960, NULL, &err));
    cr_expect_eq(uci_client_search(client, &p, NULL, 0, &limits, NULL, &err).end, UCI_NO_MEMORY);
    cr_expect_not_null(
        strstr(err.text, "has no option UCI_Chess960, and the position is one of Chess960"), "%s",
        err.text);
    uci_client_stop(client);
}

/* An engine may end its introduction before it is asked for it. */
Test(engine_setup, what_is_said_before_readyok_is_the_introduction)
{
    static const struct uci_value margin = {"Margin", "7"};
    write_engine(usual);
    write_script("early", text_of("#!/bin/sh\necho uciok\nexec %s\n", script));
    expect_values(&margin, 1, 16, "Hash=16;Threads=1;OwnBook=false;Margin=7;");
}

/* Writes an engine that fails at its first starts, and has said half of its introduction by then. */
static void write_unsteady(int failures)
{
    write_engine(usual);
    write_script("unsteady",
                 text_of("#!/bin/sh\necho start >>%s/starts\n[ $(wc -l <%s/starts) -gt %d ] || "
                         "{ echo option name Half type check default true; exit 3; }\nexec %s\n",
                         directory, directory, failures, script));
}

Test(engine_setup, an_engine_has_three_attempts_to_start)
{
    static const struct uci_value half = {"Half", "false"};
    const struct engine_hash hash = {16, NULL};
    struct error err = {""};
    write_unsteady(2);
    expect_values(NULL, 0, 16, "Hash=16;Threads=1;OwnBook=false;");
    write_unsteady(6);
    engine_setup_free(&setup);
    cr_expect_not(engine_setup_read(&setup, script, NULL, 0, hash, &err), "starts 4 to 6");
    SAID("exited with code 3");
    cr_expect_not(engine_setup_read(&setup, script, &half, 1, hash, &err));
    SAID("has no option \"Half\"");
}

/* A new game presses the button, in the engine's own spelling: some compare names letter by letter. */
Test(engine_setup, clear_hash_is_pressed_as_the_engine_spells_it)
{
    struct error err = {""};
    write_engine("echo option name CLEAR hash type button");
    struct uci_client *client = start();
    cr_expect(uci_client_new_game(client, &err), "%s", err.text);
    cr_expect_not_null(
        strstr(uci_client_log(client), "> ucinewgame\n> setoption name CLEAR hash\n> isready\n"),
        "%s", uci_client_log(client));
    uci_client_stop(client);
}

Test(engine_setup, usual_names_have_their_arguments)
{
    cr_expect_str_eq(engine_usual_command("gnuchess"), "gnuchess -u");
    cr_expect_str_eq(engine_usual_command("gnuchess -u"), "gnuchess -u");
    cr_expect_str_eq(engine_usual_command("toga2"), "toga2");
}
