/* Evaluations of others, played by shell scripts that behave and misbehave. */
#include "trace_client.h"

#include "scratch.h"

/* Patience that is waited out, after a process has started within it, and patience that must suffice
 * on a loaded machine. */
#define SHORT 2.0
#define LONG  60.0

static const char *script;

SCRATCH_SUITE(trace_client);

#define WEIGHTS "echo weight A 10 0 20; echo weight B -3 -9 9; echo scale 2; echo traceok"
/* 5 for White to move; -2.5 for Black, rounded to -2. */
#define ANSWERS "case $rest in *' w '*) echo '5 bias 0 0:1';; *) echo '-2 bias -1 1:1';; esac"

/* Starts a command, and waits so many seconds for an answer. */
static struct trace_client *start_command(const char *command, double patience, struct error *err)
{
    const struct trace_settings settings = {.command = command, .answer_seconds = patience};
    return trace_client_start(&settings, err);
}

/* Starts a script that does `on_trace` and `on_fen`, the FEN in $rest. */
static struct trace_client *start(const char *on_trace, const char *on_fen, double patience,
                                  struct error *err)
{
    script = scratch_program("evaluation", text_of("#!/bin/sh\n"
                                                   "while read -r word rest; do case $word in\n"
                                                   "trace) %s;;\n"
                                                   "fen) %s;;\n"
                                                   "quit) exit 0;;\n"
                                                   "esac; done\n",
                                                   on_trace, on_fen));
    return start_command(script, patience, err);
}

/* White and Black to move, in turn. */
static void fill_positions(struct position *positions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cr_assert(position_from_fen(&positions[i],
                                    i % 2 == 0 ? "8/8/8/8/k7/8/8/K6R w - - 0 1"
                                               : "8/8/8/8/k7/8/8/K6R b - - 3 70",
                                    NULL, NULL));
}

/* Starts a script that behaves: it names its weights. */
static struct trace_client *start_sound(const char *on_fen, double patience)
{
    struct error err = {""};
    struct trace_client *c = start(WEIGHTS, on_fen, patience, &err);
    MUST(c);
    return c;
}

/* ---- in order ---- */

/* What came in, and when to say that it is enough. */
struct taken {
    size_t count, enough; /* 0: never */
    bool wrong;
};

static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    struct taken *t = context;
    bool white = index % 2 == 0;
    t->wrong |= index != t->count || counts->count != 1 || counts->bias != (white ? 0 : -1) ||
                counts->items[0].weight != (white ? 0 : 1) || counts->items[0].count != 1;
    t->count++;
    return t->count != t->enough;
}

/* A call that is ended by its taker leaves the next one as it is. */
Test(trace_client, asks_for_many_positions_in_order)
{
    enum { COUNT = 3000 };
    static struct position positions[COUNT];
    struct error err = {"untouched"};
    struct taken some = {.enough = 5}, all = {0};
    struct trace_client *c = start_sound(ANSWERS, LONG);
    cr_expect_eq(trace_client_weights(c)->table.count, 2);
    cr_expect_eq(trace_client_weights(c)->scale, 2);
    fill_positions(positions, COUNT);
    cr_expect_not(trace_client_ask(c, positions, COUNT, take, &some, &err));
    cr_expect_str_eq(err.text, "untouched");
    cr_expect_eq(some.count, 5);
    MUST(trace_client_ask(c, positions, COUNT, take, &all, &err));
    cr_expect(all.count == COUNT && !all.wrong);
    cr_expect(trace_client_ask(c, positions, 0, take, &all, &err));
    trace_client_stop(c);
}

/* Answers of the greatest length, to requests of which many fit a pipe: who reads and who writes? */
Test(trace_client, long_answers_do_not_stop_the_conversation)
{
    enum { COUNT = 2000 };
    static struct position positions[COUNT];
    struct error err = {""};
    struct taken taken = {0};
    struct trace_client *c = start("zeros=$(seq -f ' %.0f:0' 2 4095 | tr -d '\\n'); "
                                   "echo weight A 10 0 20; echo weight B -3 -9 9; "
                                   "seq -f 'weight W%.0f 0 0 1' 2 4095; echo scale 2; echo traceok",
                                   "case $rest in *' w '*) echo \"5 bias 0 0:1$zeros\";; "
                                   "*) echo \"-2 bias -1 1:1$zeros\";; esac",
                                   LONG, &err);
    MUST(c);
    fill_positions(positions, COUNT);
    MUST(trace_client_ask(c, positions, COUNT, take, &taken, &err));
    cr_expect(taken.count == COUNT && !taken.wrong);
    trace_client_stop(c);
}

/* ---- handshakes that fail ---- */

static void expect_no_start(struct trace_client *c, const struct error *err, const char *reason)
{
    cr_expect_null(c);
    cr_expect_not_null(strstr(err->text, reason), "\"%s\" instead of \"%s\"", err->text, reason);
}

Test(trace_client, what_is_no_evaluation_is_refused)
{
    struct error err = {""};
    expect_no_start(start_command("no-such-evaluation", LONG, &err), &err,
                    "cannot start no-such-evaluation");
    script = scratch_write("text", "no program\n");
    expect_no_start(start_command(script, LONG, &err), &err, "it is not executable");
    expect_no_start(start_command("false", LONG, &err), &err, "false: it exited with code 1");
    expect_no_start(start_command("cat", SHORT, &err), &err,
                    "cat: it says 'trace 1', but no 'traceok' after 'trace 1' within 2 s");
    expect_no_start(start("true", "true", SHORT, &err), &err,
                    "no 'traceok' after 'trace 1' within 2 s");
    expect_no_start(start("echo weight A 30 0 20", "true", LONG, &err), &err,
                    "evaluation: in the handshake, 'weight A 30 0 20': VALUE 30 is not from MIN 0");
}

/* ---- answers that fail ---- */

/* What an evaluation is refused for that answers the second position so. */
static void expect_fault(const char *on_second, double patience, const char *reason)
{
    struct position positions[3];
    struct error err = {""};
    struct taken taken = {0};
    struct trace_client *c = start_sound(
        text_of("case $rest in *' w '*) echo '5 bias 0 0:1';; *) %s;; esac", on_second), patience);
    fill_positions(positions, 3);
    cr_expect_not(trace_client_ask(c, positions, 3, take, &taken, &err), "%s", on_second);
    SAID(text_of("/evaluation: 8/8/8/8/k7/8/8/K6R b - - 3 70: %s", reason));
    cr_expect_eq(taken.count, 1);
    cr_expect_not(trace_client_ask(c, positions, 1, take, &taken, &err));
    SAID("answers no more");
    trace_client_stop(c);
}

Test(trace_client, a_weight_that_is_set_counts_from_then_on)
{
    struct position positions[2];
    struct error err = {""};
    struct taken taken = {0};
    const int32_t values[] = {20, -3};
    struct trace_client *c =
        start("a=10; " WEIGHTS, "echo $((a / 2)) bias 0 0:1;; set) a=${rest#0 }", LONG, &err);
    MUST(c);
    fill_positions(positions, 2);
    cr_expect(trace_client_ask(c, positions, 1, take, &taken, &err), "%s", err.text);
    cr_expect(trace_client_set(c, values, &err), "%s", err.text);
    taken.count = 0;
    cr_expect_eq(trace_client_weights(c)->table.params[0].initial, 20);
    cr_expect(trace_client_ask(c, positions, 1, take, &taken, &err), "%s", err.text);
    trace_client_stop(c);
}

Test(trace_client, an_answer_that_is_wrong_is_shown)
{
    expect_fault("echo '7 bias 0 0:1'", LONG,
                 "the evaluation is not linear in its weights: "
                 "its score is 7, but its counts times its weights give 5.00");
    expect_fault("echo info string thinking", LONG,
                 "the answer 'info string thinking': column 1: SCORE is a whole number");
    expect_fault("echo '5 bias 0 2:1'", LONG,
                 "the answer '5 bias 0 2:1': column 10: a count for weight 2, but there are 2");
    expect_fault("echo error two kings", LONG, "the answer 'error two kings': two kings");
    expect_fault("head -c 200000 /dev/zero | tr '\\0' x; echo", LONG, "the answer 'xxxxxxxx");
}

Test(trace_client, silence_and_death_are_noticed)
{
    expect_fault("sleep 60", SHORT, "no answer within 2 s");
    expect_fault("exit 3", LONG, "it exited with code 3 and gives no answer");
    expect_fault("kill -SEGV $$", LONG, "it was ended by signal 11");
}

Test(trace_client, a_line_too_many_is_noticed)
{
    struct position positions[1];
    struct error err = {""};
    struct taken taken = {0};
    struct trace_client *c = start_sound("printf '5 bias 0 0:1\\n5 bias 0 0:1\\n'", LONG);
    fill_positions(positions, 1);
    cr_expect_not(trace_client_ask(c, positions, 1, take, &taken, &err));
    SAID("it says '5 bias 0 0:1' without being asked");
    trace_client_stop(c);
}
