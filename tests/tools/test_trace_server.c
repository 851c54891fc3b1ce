/* Our evaluation as a server of the trace protocol, over files instead of pipes. */
#include "trace_server.h"

#include "random_chess.h"
#include "trace_protocol.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Serves a text and returns all answers, to be freed. */
static char *serve(const struct eval_weights *w, const char *text)
{
    struct error err = {""};
    FILE *in = tmpfile(), *out = tmpfile();
    cr_assert(in != NULL && out != NULL);
    cr_assert(fputs(text, in) >= 0 && fflush(in) == 0);
    cr_assert_eq(lseek(fileno(in), 0, SEEK_SET), 0);
    cr_expect(trace_server_run(w, fileno(in), fileno(out), &err), "%s", err.text);
    off_t size = lseek(fileno(out), 0, SEEK_END);
    char *answers = calloc(1, (size_t)size + 1);
    cr_assert_eq(pread(fileno(out), answers, (size_t)size, 0), size);
    fclose(in);
    fclose(out);
    return answers;
}

Test(trace_server, answers_are_the_evaluation)
{
    enum { POSITIONS = 2000 };
    static struct position positions[POSITIONS];
    struct stream s;
    stream_init(&s, 0, STREAM_TEST, 7, 0);
    const struct eval_weights w = random_weights(&s);
    char *text = calloc(POSITIONS, FEN_MAX + 16), *to = text;
    cr_assert_not_null(text);
    to += sprintf(to, "trace 1\n");
    for (int i = 0; i < POSITIONS; i++) {
        positions[i] = random_position(&s, (int)stream_below(&s, 120));
        to += sprintf(to, "fen ");
        to += position_to_fen(&positions[i], to);
        to += sprintf(to, "\n");
    }
    char *answers = serve(&w, text), *line = answers;
    struct trace_weights weights = {0};
    struct error err = {""};
    enum trace_step step = TRACE_GOES_ON;
    for (; step == TRACE_GOES_ON; line += strcspn(line, "\n") + 1)
        step = trace_read_weights(&weights, line, strcspn(line, "\n"), &err);
    cr_assert_eq(step, TRACE_READY, "%s", err.text);
    cr_assert_eq(weights.table.count, EVAL_TERMS);
    for (int i = 0; i < POSITIONS; i++, line += strcspn(line, "\n") + 1) {
        struct weight_count items[EVAL_TERMS];
        struct leaf_counts counts;
        struct eval_trace trace;
        int32_t score;
        cr_assert(
            trace_read_answer(line, strcspn(line, "\n"), EVAL_TERMS, items, &score, &counts, &err),
            "%s", err.text);
        evaluate_trace(&positions[i], &trace);
        for (int c = 0; c < counts.count; c++)
            trace.count[items[c].weight] = (int16_t)(trace.count[items[c].weight] - items[c].count);
        for (int t = 0; t < EVAL_TERMS; t++)
            cr_expect_eq(trace.count[t], 0);
        int32_t own = evaluate(&positions[i], &w);
        cr_expect_eq(score, positions[i].side == WHITE ? own : -own);
        cr_expect_eq(trace_scaled_score(&weights, &counts), score);
    }
    cr_expect_eq(*line, '\0', "one answer a position");
    trace_weights_free(&weights);
    free(answers);
    free(text);
}

/* Answers to lines, but not those of the handshake. */
static void expect_answers(const char *lines, const char *answers)
{
    const struct eval_weights w = eval_material_weights();
    char *got = serve(&w, lines);
    cr_expect_str_eq(got, answers, "%s", lines);
    free(got);
}

Test(trace_server, unknown_words_have_no_answer)
{
    expect_answers("uci\n\nfenfen\nquits\n", "");
}

Test(trace_server, bad_positions_are_refused_and_it_goes_on)
{
    expect_answers("fen 8/8/8/8/8/8/8/8 w - - 0 1\nfen\nfen k7/8/8/8/8/8/8/K7 w - - 0 1\r\n",
                   "error FEN column 1, pieces: White has 0 kings, expected one\n"
                   "error FEN column 1, pieces: missing, expected eight ranks\n"
                   "0 bias 0\n");
    expect_answers("trace 2\n", "error this is version 1 of the trace protocol, not '2'\n");
}

Test(trace_server, quit_and_the_end_of_the_input_end_it)
{
    expect_answers("quit\nfen 8/8/8/8/k7/8/8/K7 w - - 0 1\n", "");
    expect_answers("fen x",
                   "error FEN column 1, pieces: 'x' in rank 8, expected one of PNBRQKpnbrqk "
                   "or 1 to 8\n");
    expect_answers("", "");
}

Test(trace_server, a_closed_output_is_told)
{
    struct error err = {""};
    const struct eval_weights w = eval_material_weights();
    FILE *in = tmpfile();
    cr_assert(fputs("trace 1\n", in) >= 0 && fflush(in) == 0);
    cr_assert_eq(lseek(fileno(in), 0, SEEK_SET), 0);
    cr_expect_not(trace_server_run(&w, fileno(in), -1, &err));
    cr_expect_not_null(strstr(err.text, "cannot write standard output"), "%s", err.text);
    fclose(in);
}
