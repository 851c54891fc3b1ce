/* Our evaluation as a server of the trace protocol, over files instead of pipes. */
#include "trace_server.h"

#include "random_chess.h"
#include "random_evaluation.h"
#include "trace_protocol.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Serves a text and returns all answers, to be freed. */
static char *serve(const struct evaluation *e, const char *text)
{
    struct error err = {""};
    FILE *in = tmpfile(), *out = tmpfile();
    cr_assert(in != NULL && out != NULL);
    cr_assert(fputs(text, in) >= 0 && fflush(in) == 0);
    cr_assert_eq(lseek(fileno(in), 0, SEEK_SET), 0);
    cr_expect(trace_server_run(e, fileno(in), fileno(out), &err), "%s", err.text);
    off_t size = lseek(fileno(out), 0, SEEK_END);
    char *answers = calloc(1, (size_t)size + 1);
    cr_assert_eq(pread(fileno(out), answers, (size_t)size, 0), size);
    fclose(in);
    fclose(out);
    return answers;
}

enum { POSITIONS = 2000 };

/* Draws positions and writes the questions for them; to be freed. */
static char *write_questions(struct stream *s, struct position positions[POSITIONS])
{
    char *text = calloc(POSITIONS, FEN_MAX + 16), *to = text;
    cr_assert_not_null(text);
    to += sprintf(to, "trace 1\n");
    for (int i = 0; i < POSITIONS; i++) {
        positions[i] = random_position(s, (int)stream_below(s, 120));
        to += sprintf(to, "fen ");
        to += position_to_fen(&positions[i], to);
        to += sprintf(to, "\n");
    }
    return text;
}

/* An answer has the score and the counts of the evaluation. */
static void expect_answer(const char *line, const struct trace_weights *weights,
                          const struct evaluation *e, const struct position *p)
{
    struct weight_count items[EVALUATION_WEIGHTS], own[EVALUATION_WEIGHTS];
    struct leaf_counts counts;
    struct error err = {""};
    int32_t score, exact = evaluation_exact(e, p) * (p->side == WHITE ? 1 : -1);
    cr_assert(trace_read_answer(line, strcspn(line, "\n"), weights->table.count, items, &score,
                                &counts, &err),
              "%s", err.text);
    cr_assert_eq(counts.count, evaluation_counts(e->kind, p, own));
    for (int c = 0; c < counts.count; c++)
        cr_assert(items[c].weight == own[c].weight && items[c].count == own[c].count);
    cr_expect_eq(score, exact / weights->scale);
    cr_expect(trace_is_linear(weights, score, &counts, &err), "%s", err.text);
}

/* The answers to random positions, by a random evaluation of a kind. */
static void expect_evaluation(enum evaluation_kind kind)
{
    static struct position positions[POSITIONS];
    struct stream s;
    stream_init(&s, (uint64_t)kind, STREAM_TEST, 7, 0);
    const struct evaluation e = random_evaluation(&s, kind);
    char *text = write_questions(&s, positions), *answers = serve(&e, text), *line = answers;
    struct trace_weights weights = {0};
    struct error err = {""};
    enum trace_step step = TRACE_GOES_ON;
    for (; step == TRACE_GOES_ON; line += strcspn(line, "\n") + 1)
        step = trace_read_weights(&weights, line, strcspn(line, "\n"), &err);
    cr_assert_eq(step, TRACE_READY, "%s", err.text);
    cr_assert_eq(weights.table.count, evaluation_tables[kind]->count);
    cr_assert_eq(weights.scale, evaluation_scale(kind));
    for (int i = 0; i < POSITIONS; i++, line += strcspn(line, "\n") + 1)
        expect_answer(line, &weights, &e, &positions[i]);
    cr_expect_eq(*line, '\0', "one answer a position");
    trace_weights_free(&weights);
    free(answers);
    free(text);
}

Test(trace_server, answers_are_the_evaluation)
{
    expect_evaluation(EVALUATION_PAPER);
    expect_evaluation(EVALUATION_MODERN);
}

/* Answers to lines, but not those of the handshake. */
static void expect_answers(const char *lines, const char *answers)
{
    const struct evaluation e = material_evaluation();
    char *got = serve(&e, lines);
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
    const struct evaluation e = material_evaluation();
    FILE *in = tmpfile();
    cr_assert(fputs("trace 1\n", in) >= 0 && fflush(in) == 0);
    cr_assert_eq(lseek(fileno(in), 0, SEEK_SET), 0);
    cr_expect_not(trace_server_run(&e, fileno(in), -1, &err));
    cr_expect_not_null(strstr(err.text, "cannot write standard output"), "%s", err.text);
    fclose(in);
}
