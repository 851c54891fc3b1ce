/* An evaluation over the trace protocol, for workers that start it again. */
#include "evaluator.h"

#include "scratch.h"

SCRATCH_SUITE(trace_evaluator);

/* Learns the weights of a script that names them with `on_trace`, $starts times started before. */
static struct trace_evaluator_source *learn(const char *on_trace, struct error *err)
{
    const char *text = text_of("#!/bin/sh\n"
                               "cd %s; starts=$(cat starts 2>/dev/null | wc -l); echo >>starts\n"
                               "while read -r word rest; do case $word in\n"
                               "trace) %s; echo scale 2; echo traceok;;\n"
                               "fen) echo \"${answer:-5 bias 0 0:1}\";;\n"
                               "quit) exit 0;;\n"
                               "esac; done\n",
                               directory, on_trace);
    const struct trace_settings settings = {.command = scratch_program("evaluation", text),
                                            .answer_seconds = 5};
    return trace_evaluator_source_create(&settings, err);
}

static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    size_t *taken = context;
    cr_expect_eq(index, *taken);
    cr_expect(counts->bias == 0 && counts->count == 1 && counts->items[0].weight == 0);
    ++*taken;
    return true;
}

Test(trace_evaluator, each_worker_has_a_process)
{
    struct error err = {""};
    struct position positions[2];
    struct trace_evaluator_source *s = learn("echo weight A 10 0 20; echo weight B 0 -1 1", &err);
    MUST(s);
    cr_expect_eq(trace_evaluator_source_weights(s)->table.count, 2);
    const struct evaluator_source source = trace_evaluator_source(s);
    for (int i = 0; i < 2; i++)
        cr_assert(position_from_fen(&positions[i], FEN_START, NULL, &err));
    struct evaluator *workers[2];
    for (int i = 0; i < 2; i++) {
        workers[i] = source.create(source.context, &err);
        MUST(workers[i]);
        cr_expect_eq(workers[i]->scale, 2);
        cr_expect_str_eq(workers[i]->table->params[1].name, "B");
    }
    for (int i = 0; i < 2; i++) {
        size_t taken = 0;
        cr_expect(workers[i]->trace(workers[i], positions, 2, take, &taken, &err), "%s", err.text);
        cr_expect_eq(taken, 2);
        workers[i]->destroy(workers[i]);
    }
    trace_evaluator_source_destroy(s);
}

/* What the evaluator of a worker is refused for. */
static void expect_refused(const char *on_trace, const char *reason)
{
    struct error err = {""};
    struct trace_evaluator_source *s = learn(on_trace, &err);
    MUST(s);
    const struct evaluator_source source = trace_evaluator_source(s);
    cr_expect_null(source.create(source.context, &err));
    SAID(reason);
    trace_evaluator_source_destroy(s);
}

Test(trace_evaluator, other_weights_at_a_second_start_are_refused)
{
    expect_refused("echo weight A 10 0 20; [ $starts = 0 ] || echo weight B 0 0 1",
                   "evaluation: it names other weights when it is started again: 2 weights, not 1");
    expect_refused("echo weight A$starts 10 0 20", "weight 0 is A");
    expect_refused("echo weight A 10 0 $((20 + starts))", "the weight A is");
}

Test(trace_evaluator, other_counts_in_a_second_process_are_refused)
{
    expect_refused("echo weight A 10 0 20; [ $starts = 0 ] || answer='5 bias 5'",
                   " b KQkq - 0 1: other counts when it is started again");
}

Test(trace_evaluator, a_command_that_does_not_start_is_refused)
{
    struct error err = {""};
    const struct trace_settings settings = {.command = "no-such-evaluation"};
    cr_expect_null(trace_evaluator_source_create(&settings, &err));
    SAID("no-such-evaluation");
}
