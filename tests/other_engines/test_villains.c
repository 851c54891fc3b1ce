/* The client against an engine that misbehaves: each vice ends as it should, and leaves neither a
 * process nor a descriptor. */
#include "villain.h"

#include "clock.h"
#include "jobs.h"
#include "notation.h"
#include "proc.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

/* The patience where an engine is waited for in vain, after it has started within it, and where it
 * must suffice under load. */
#define SHORT 2.0
#define LONG  60.0

static int descriptors;

static void begin(void)
{
    descriptors = proc_descriptors();
}

static void end(void)
{
    cr_expect_eq(proc_children(), 0, "a process is left");
    cr_expect_eq(proc_descriptors(), descriptors, "a descriptor is left");
}

TestSuite(villains, .init = begin, .fini = end, .timeout = 120);

/* The first search ends so, for this reason, and a second attempt after a restart does, too. */
static void expect_end(const char *vices, double patience, enum uci_end expected,
                       const char *reason)
{
    struct error err;
    struct uci_client *client = villain_start(vices, patience);
    for (int i = 0; i < 2; i++) {
        const struct uci_outcome outcome = villain_search(client, FEN_START, 2000, &err);
        cr_expect_eq(outcome.end, expected, "%s: %d, %s", vices, outcome.end, err.text);
        cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
        if (expected == UCI_MOVE)
            continue;
        cr_expect_eq(proc_descendants(2), 0, "the process is gone after a fault");
        cr_expect_eq(proc_children(), 1, "its guardian is not");
        cr_expect_eq(villain_search(client, FEN_START, 2000, &err).end, expected, "as before");
        cr_expect_not_null(strstr(err.text, reason), "%s", err.text);
        cr_assert(uci_client_restart(client, &err), "%s", err.text);
    }
    uci_client_stop(client);
}

/* The engine cannot be started, for this reason. */
static void expect_no_start(const char *vices, double patience, const char *reason)
{
    struct error err = {""};
    cr_expect_null(villain_try(vices, patience, &err));
    cr_expect_not_null(strstr(err.text, reason), "\"%s\" instead of \"%s\"", err.text, reason);
}

/* Searches the initial position. */
static struct uci_outcome search(struct uci_client *client, const struct uci_limits *limits,
                                 const struct uci_watcher *watcher, struct error *err)
{
    struct position p;
    err->text[0] = '\0';
    position_from_fen(&p, FEN_START, NULL, NULL);
    return uci_client_search(client, &p, NULL, 0, limits, watcher, err);
}

/* ---- each alone ---- */

Test(villains, each_ends_as_it_should)
{
    static const struct {
        const char *vices;
        enum uci_end end;
        const char *reason;
    } ends[] = {
        {"", UCI_MOVE, ""},
        {"--slow 100", UCI_MOVE, ""},
        {"--garbage", UCI_MOVE, ""},
        {"--ignore-quit", UCI_MOVE, ""},
        {"--flood", UCI_MOVE, ""},
        {"--die 7", UCI_EXITED,
         "exited with code 7; it wrote to standard error: villain: something is wrong"},
        {"--crash", UCI_EXITED, "was ended by signal 11 (Segmentation fault)"},
        {"--close", UCI_EXITED, "closed its output"},
        {"--illegal", UCI_ILLEGAL,
         "answers with an illegal move, \"a2a1\", in rnbqkbnr/pppppppp/8/8"},
        {"--none", UCI_ILLEGAL, "answers with an illegal move, \"(none)\""},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        expect_end(ends[i].vices, LONG, ends[i].end, ends[i].reason);
}

Test(villains, that_do_not_start_say_why)
{
    expect_no_start("--silent-at-start", 0.5,
                    "does not answer \"uci\" with \"uciok\" within 0.5 s");
    expect_no_start("--die-at-start", LONG, "exited with code 3");
    expect_no_start("--no-such-vice", LONG, "no such vice: --no-such-vice");
}

Test(villains, silent_in_search_plays_when_it_is_stopped)
{
    struct error err;
    struct uci_client *client = villain_start("--silent --ignore-nodes", SHORT);
    const struct uci_outcome outcome = villain_search(client, FEN_START, 2000, &err);
    cr_expect_eq(outcome.end, UCI_MOVE, "%s", err.text);
    cr_expect(outcome.cut);
    uci_client_stop(client);
}

Test(villains, ignores_stop)
{
    expect_end("--ignore-stop", SHORT, UCI_HUNG, "ignores \"stop\"");
}

Test(villains, deaf)
{
    expect_end("--deaf", SHORT, UCI_HUNG, "ignores \"stop\"");
}

Test(villains, babbles)
{
    expect_end("--babble", SHORT, UCI_HUNG, "ignores \"stop\"");
}

/* The move of the position before is illegal in this one, and must not be taken for its move. */
Test(villains, late)
{
    static const char *const fens[] = {FEN_START, "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
                                       "8/8/4k3/8/8/4K3/4p3/8 b - - 0 1"};
    struct error err;
    struct uci_client *client = villain_start("--late", LONG);
    for (int i = 0; i < 9; i++) {
        const struct uci_outcome outcome = villain_search(client, fens[i % 3], 2000, &err);
        struct position p;
        cr_assert_eq(outcome.end, UCI_MOVE, "%s", err.text);
        position_from_fen(&p, fens[i % 3], NULL, NULL);
        cr_expect(movegen_is_legal(&p, outcome.move));
        cr_expect(outcome.info.move == outcome.move);
    }
    uci_client_stop(client);
}

/* Reads the number of its child from the conversation. */
static long grandchild(const struct uci_client *client)
{
    const char *found = strstr(uci_client_log(client), "info string child ");
    cr_assert_not_null(found);
    return strtol(found + strlen("info string child "), NULL, 10);
}

Test(villains, with_children)
{
    struct error err;
    struct uci_client *client = villain_start("--grandchild --ignore-quit", LONG);
    long child = grandchild(client);
    cr_expect(proc_lives(child));
    cr_expect_eq(villain_search(client, FEN_START, 2000, &err).end, UCI_MOVE);
    uci_client_stop(client);
    cr_expect(proc_ends(child));
    client = villain_start("--grandchild --crash", LONG);
    child = grandchild(client);
    cr_expect_eq(villain_search(client, FEN_START, 2000, &err).end, UCI_EXITED);
    cr_expect(proc_ends(child));
    uci_client_stop(client);
}

/* ---- limits of nodes ---- */

/* Those that keep the limit are not cut; those that ignore it, or end at once, are. */
Test(villains, with_a_limit_of_nodes_are_cut_if_they_ignore_it)
{
    static const char *const vices[] = {"", "--ignore-nodes", "--ends-at-once"};
    for (int v = 0; v < 3; v++) {
        struct error err;
        struct uci_client *client = villain_start(vices[v], LONG);
        for (int i = 0; i < 10; i++) {
            const struct uci_outcome outcome = villain_search(client, FEN_START, 5000, &err);
            cr_expect(outcome.end == UCI_MOVE && outcome.cut == (v > 0), "%s", vices[v]);
            cr_expect(v > 0 ? outcome.info.nodes > 5000
                            : outcome.info.nodes >= 1000 && outcome.info.nodes <= 5000);
        }
        cr_expect_eq(strstr(uci_client_log(client), "> go infinite\n") != NULL, v == 2);
        uci_client_stop(client);
    }
}

/* Searches the initial position to a depth with a client of a script that does so after `go`. */
static struct uci_client *search_by_script(const char *on_go, double patience,
                                           struct uci_outcome *outcome)
{
    char command[1024];
    struct error err = {""};
    snprintf(command, sizeof command,
             "sh -c 'while read -r w r; do case $w in uci) echo uciok;; isready) echo readyok;; "
             "go) %s;; quit) exit;; esac; done'",
             on_go);
    const struct uci_settings settings = {.command = command, .answer_seconds = patience};
    struct uci_client *client = uci_client_start(&settings, &err);
    cr_assert_not_null(client, "%s", err.text);
    *outcome = search(client, &(struct uci_limits){.depth = 2}, NULL, &err);
    cr_expect_eq(outcome->end, UCI_MOVE, "%s", err.text);
    return client;
}

/* The next move of the root is news in a search by depth: the engine is not stopped. */
Test(villains, may_take_long_for_an_iteration, .timeout = 60)
{
    struct uci_outcome outcome;
    struct uci_client *client = search_by_script(
        "for i in 1 2 3 4 5 6; do echo info depth 2 currmove e2e4 currmovenumber $i; sleep 0.5; "
        "done; echo bestmove e2e4",
        2, &outcome);
    cr_expect_not(outcome.cut);
    uci_client_stop(client);
}

/* The log has the latest lines, whole but for the end of long ones. */
Test(villains, that_talk_much_leave_a_log_of_their_end)
{
    struct uci_outcome outcome;
    struct uci_client *client = search_by_script(
        "seq -f \"info string line %.0f\" 1 9999; head -c 20000 /dev/zero | tr \"\\0\" x; echo; "
        "seq 101 199; echo bestmove e2e4",
        LONG, &outcome);
    const char *log = uci_client_log(client), *line = strstr(log, "\n< x");
    cr_expect(strlen(log) > 5000 && strlen(log) <= 16384);
    cr_expect_eq(strncmp(log, "< info string line ", 19), 0, "begins in the middle of a line");
    cr_assert_not_null(line);
    cr_expect_eq(strspn(line + 3, "x"), 4096);
    cr_expect_not_null(strstr(line, "x\n< 101\n< 102\n"));
    cr_expect_not_null(strstr(line, "< 199\n< bestmove e2e4\n"));
    uci_client_stop(client);
}

/* ---- the watcher ---- */

/* Sets a flag soon. */
static void *set_flag(void *flag)
{
    poll(NULL, 0, 100);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static const struct uci_limits endless = {.depth = 90};

/* A search without an end is ended by a flag, in order, and the next one goes on as usual. */
Test(villains, in_order_can_be_cancelled)
{
    struct error err = {""};
    struct uci_client *client = villain_start("", LONG);
    static atomic_bool cancelled;
    static volatile sig_atomic_t stop;
    const struct uci_watcher watcher = {.cancelled = &cancelled, .stop = &stop};
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, set_flag, &cancelled), 0);
    cr_expect_eq(search(client, &endless, &watcher, &err).end, UCI_STOPPED, "%s", err.text);
    pthread_join(thread, NULL);
    atomic_store(&cancelled, false);
    stop = 1;
    cr_expect_eq(search(client, &endless, &watcher, &err).end, UCI_STOPPED);
    cr_expect_str_eq(err.text, "");
    cr_expect_eq(villain_search(client, FEN_START, 2000, &err).end, UCI_MOVE);
    uci_client_stop(client);
}

Test(villains, that_ignore_stop_cannot_hold_the_program, .timeout = 20)
{
    struct error err = {""};
    struct uci_client *client = villain_start("--ignore-stop", LONG);
    static atomic_bool cancelled;
    const struct uci_watcher watcher = {.cancelled = &cancelled};
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, set_flag, &cancelled), 0);
    const enum uci_end found = search(client, &endless, &watcher, &err).end;
    cr_expect(found == UCI_HUNG && uci_is_abandoned(found, &watcher));
    pthread_join(thread, NULL);
    uci_client_stop(client);
}

/* A failure counts unless a flag is set; a move always does. */
Test(villains, that_fail_after_a_flag_are_not_to_blame)
{
    static atomic_bool cancelled;
    static volatile sig_atomic_t stop;
    const struct uci_watcher nobody = {0}, watcher = {.cancelled = &cancelled, .stop = &stop};
    cr_expect_not(uci_is_abandoned(UCI_EXITED, &nobody));
    cr_expect_not(uci_is_abandoned(UCI_EXITED, &watcher));
    cr_expect(uci_is_abandoned(UCI_STOPPED, &nobody));
    stop = 1;
    cr_expect(uci_is_abandoned(UCI_EXITED, &watcher));
    cr_expect_not(uci_is_abandoned(UCI_MOVE, &watcher));
    stop = 0;
    atomic_store(&cancelled, true);
    cr_expect(uci_is_abandoned(UCI_HUNG, &watcher));
}

/* Counts reports, and ends the search with the third. */
static bool count_three(void *context, const struct uci_info *info)
{
    int *count = context;
    cr_expect(info->depth > 0);
    return ++*count < 3;
}

Test(villains, in_order_can_be_watched)
{
    struct error err = {""};
    int count = 0;
    struct uci_client *client = villain_start("", LONG);
    const struct uci_watcher watcher = {.info = count_three, .context = &count};
    const struct uci_outcome outcome = search(client, &endless, &watcher, &err);
    cr_expect(outcome.end == UCI_MOVE && count == 3 && !outcome.cut, "%s", err.text);
    uci_client_stop(client);
}

/* ---- games ---- */

/* The engine is told the moves of the game, and answers in the position after them. */
Test(villains, in_order_are_given_the_game)
{
    struct error err = {""};
    struct uci_client *client = villain_start("", LONG);
    const struct uci_limits limits = {
        .time = {60000, 50000}, .increment = {100, 200}, .nodes = 500};
    struct position start, p;
    Move moves[12];
    position_from_fen(&start, FEN_START, NULL, NULL);
    p = start;
    for (int i = 0; i < 12; i++) {
        struct undo undo;
        const struct uci_outcome outcome =
            uci_client_search(client, &start, moves, i, &limits, NULL, &err);
        cr_assert_eq(outcome.end, UCI_MOVE, "%s", err.text);
        cr_assert(movegen_is_legal(&p, outcome.move));
        moves[i] = outcome.move;
        position_make(&p, moves[i], &undo);
    }
    const char *log = uci_client_log(client);
    cr_expect_not_null(strstr(log, "> position startpos moves "));
    cr_expect_not_null(strstr(log, "> go nodes 500 wtime 60000 btime 50000 winc 100 binc 200\n"));
    uci_client_stop(client);
}

/* Nobody moves later than the clock, the grace and the patience allow. */
Test(villains, slow_lose_on_time)
{
    static const struct uci_limits limits[] = {{.time = {50, 50}, .grace = 50},
                                               {.movetime = 50, .grace = 50}};
    struct uci_client *client = villain_start("--slow 60000", SHORT);
    for (int i = 0; i < 2; i++) {
        struct error err = {""};
        const struct uci_outcome outcome = search(client, &limits[i], NULL, &err);
        cr_expect_eq(outcome.end, UCI_HUNG);
        cr_expect_not_null(strstr(err.text, "has not moved for "), "%s", err.text);
        cr_expect_geq(outcome.seconds, 0.1 + SHORT - 1e-6);
        cr_assert(uci_client_restart(client, &err), "%s", err.text);
    }
    uci_client_stop(client);
}

/* ---- options ---- */

/* Values are checked, sent, and sent again after a fault, with those set meanwhile. */
Test(villains, keep_their_options)
{
    struct error err = {""};
    struct uci_client *client = villain_start("--every 2 --die 1", LONG);
    cr_expect_str_eq(uci_client_name(client), "Villain");
    cr_expect(uci_client_set(client, "hash", "2", &err), "%s", err.text);
    cr_expect_not_null(strstr(uci_client_log(client), "> setoption name Hash value 2\n"));
    cr_expect(uci_client_set(client, "MultiPV", "2", &err), "%s", err.text);
    cr_expect_eq(villain_search(client, FEN_START, 500, &err).end, UCI_MOVE);
    cr_expect_eq(villain_search(client, FEN_START, 500, &err).end, UCI_EXITED);
    cr_expect(uci_client_set(client, "MultiPV", "3", &err), "%s", err.text);
    cr_expect_not(uci_client_new_game(client, &err));
    cr_expect_not_null(strstr(err.text, "exited with code 1"), "%s", err.text);
    cr_assert(uci_client_restart(client, &err), "%s", err.text);
    const char *again = strstr(strstr(uci_client_log(client), "! "), "> uci\n");
    cr_assert_not_null(again);
    cr_expect_not_null(
        strstr(again, "> setoption name Hash value 2\n> setoption name MultiPV value 3\n"));
    cr_expect(uci_client_new_game(client, &err), "%s", err.text);
    cr_expect_not(uci_client_set(client, "Hash", "65", &err));
    cr_expect_not_null(strstr(err.text, "takes a whole number from 1 to 64"), "%s", err.text);
    uci_client_stop(client);
}

/* The engine may die of a value while the next one is sent: both are taken, and the fault shows when
 * an answer is due. */
Test(villains, that_die_of_a_value)
{
    struct error err = {""};
    const struct uci_settings settings = {
        .command =
            "sh -c 'while read -r w r; do case $w in uci) echo option name X type spin min 0 max 9; "
            "echo uciok;; isready) echo readyok;; setoption) kill -SEGV $$;; quit) exit;; esac; "
            "done'"};
    struct uci_client *client = uci_client_start(&settings, &err);
    cr_assert_not_null(client, "%s", err.text);
    for (int i = 0; i < 3; i++) {
        cr_expect(uci_client_set(client, "X", "7", &err), "%s", err.text);
        poll(NULL, 0, 100);
    }
    cr_expect_not(uci_client_restart(client, &err));
    cr_expect_not_null(strstr(err.text, "ended by signal 11"), "%s", err.text);
    cr_expect_eq(villain_search(client, FEN_START, 2000, &err).end, UCI_EXITED);
    cr_expect_not_null(strstr(err.text, "ended by signal 11"), "%s", err.text);
    uci_client_stop(client);
}

/* ---- four at once ---- */

enum { WORKERS = 4, SEARCHES = 24 };

/* Four villains with the same vice, in every fifth search. */
struct team {
    const char *vice;
    double patience;
    atomic_int faults;
};

static void *begin_worker(const void *context, struct error *err)
{
    const struct team *team = context;
    char vices[64];
    snprintf(vices, sizeof vices, "--every 5 %s", team->vice);
    return villain_try(vices, team->patience, err);
}

static void finish_worker(void *worker)
{
    uci_client_stop(worker);
}

/* Searches, and once more after a fault. */
static bool search_job(struct job *job, void *result, struct error *err)
{
    struct team *team = (struct team *)(uintptr_t)job->context;
    struct error reason;
    while (villain_search(job->worker, FEN_START, 1000, &reason).end != UCI_MOVE) {
        atomic_fetch_add(&team->faults, 1);
        if (!uci_client_restart(job->worker, err))
            return false;
    }
    *(int *)result = 1;
    return true;
}

static bool take(void *taker, size_t number, void *result)
{
    (void)number;
    *(int *)taker += *(int *)result;
    return true;
}

/* None keeps the others from anything. */
static void expect_team(const char *vice, double patience, bool fails)
{
    static const struct job_kind kind = {.result_size = sizeof(int),
                                         .begin = begin_worker,
                                         .finish = finish_worker,
                                         .work = search_job};
    struct team team = {.vice = vice, .patience = patience};
    struct error err = {""};
    int taken = 0;
    const struct jobs_batch batch = {.count = SEARCHES, .taker = &taken, .take = take};
    cr_assert_eq(jobs_run_once(&kind, &team, WORKERS, &batch, &err), JOBS_DONE, "%s: %s", vice,
                 err.text);
    cr_expect_eq(taken, SEARCHES, "%s", vice);
    cr_expect_eq(atomic_load(&team.faults) > 0, fails, "%s", vice);
    cr_expect_eq(proc_children(), 0, "%s", vice);
}

Test(villains, at_once)
{
    expect_team("--die 1", LONG, true);
    expect_team("--crash", LONG, true);
    expect_team("--close", LONG, true);
    expect_team("--illegal", LONG, true);
    expect_team("--garbage", LONG, false);
    expect_team("--flood", LONG, false);
    expect_team("--late", LONG, false);
    expect_team("--grandchild --ignore-quit", LONG, false);
    expect_team("--slow 20", LONG, false);
}

Test(villains, that_hang_at_once)
{
    expect_team("--ignore-stop", 1, true);
    expect_team("--deaf", 1, true);
}
