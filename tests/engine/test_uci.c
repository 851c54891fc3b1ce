/* Conversations with a UCI session, within this process. */
#include "move_time.h"
#include "movegen.h"
#include "notation.h"
#include "position_of.h"
#include "uci.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- uci ---- */

enum { HEARD = 1 << 20 };

/* A session and all that it said. */
struct talk {
    struct uci *uci;
    pthread_mutex_t mutex;
    char heard[HEARD];
    size_t length;
    int64_t time, step; /* microseconds that the clock shows, and how far it goes on each look */
};

static void hear(void *context, const char *text, size_t length)
{
    struct talk *t = context;
    pthread_mutex_lock(&t->mutex);
    cr_assert_lt(t->length + length, (size_t)HEARD);
    cr_assert_eq(text[length - 1], '\n', "whole lines only");
    memcpy(t->heard + t->length, text, length);
    t->length += length;
    t->heard[t->length] = '\0';
    pthread_mutex_unlock(&t->mutex);
}

static int64_t ticking(void *context)
{
    struct talk *t = context;
    pthread_mutex_lock(&t->mutex);
    const int64_t time = t->time += t->step;
    pthread_mutex_unlock(&t->mutex);
    return time;
}

/* The table of kind evaluation-modern, with pieces and the move alone. */
static const struct param_table *read_modern(const struct param_table *const *tables,
                                             int32_t *values)
{
    const struct param_table *table = tables[EVALUATION_MODERN];
    for (int i = 0; i < table->count; i++)
        values[i] = strncmp(table->params[i].name, "MATERIAL", 8) == 0
                        ? table->params[i].initial
                        : 40 * (strcmp(table->params[i].name, "TEMPO_EG") == 0);
    return table;
}

/* A file of 35 times, or 40 times, the value 1; of the modern evaluation by its name. */
static const struct param_table *read_ones(const char *path,
                                           const struct param_table *const *tables, int32_t *values,
                                           struct error *err)
{
    if (strcmp(path, "missing file.yaml") == 0) {
        error_set(err, "%s:7:3: KNIGHT_VALEU: unknown", path);
        return NULL;
    }
    if (strcmp(path, "modern.yaml") == 0)
        return read_modern(tables, values);
    for (int i = 0; i < tables[0]->count; i++)
        values[i] = tables[0]->params[i].max > 0;
    return tables[0];
}

static struct talk *start(bool tune, bool no_thread, int64_t step)
{
    struct error err;
    struct talk *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    pthread_mutex_init(&t->mutex, NULL);
    t->step = step;
    const struct uci_setup setup = {
        .name = "Test",
        .author = "nobody",
        .defaults = {.evaluation = evaluation_initial(),
                     .params = search_initial_params(),
                     .tune = tune,
                     .hash = 2,
                     .hash_max = 64,
                     .threads_max = 4,
                     .read_params = read_ones},
        .write = hear,
        .clock = step > 0 ? ticking : NULL,
        .context = t,
        .no_thread = no_thread,
        .node_cap = no_thread ? 100000 : 0,
    };
    t->uci = uci_create(&setup, &err);
    cr_assert_not_null(t->uci, "%s", err.text);
    return t;
}

static struct talk *start_alone(void)
{
    return start(true, true, 1);
}

static void end(struct talk *t)
{
    uci_destroy(t->uci);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

static void tell(struct talk *t, const char *line)
{
    cr_assert(uci_line(t->uci, line, strlen(line)), "%s", line);
}

static void forget(struct talk *t)
{
    pthread_mutex_lock(&t->mutex);
    t->length = 0;
    t->heard[0] = '\0';
    pthread_mutex_unlock(&t->mutex);
}

/* Forgets what was said before, tells a line, and gives what is said to it. */
static const char *ask(struct talk *t, const char *line)
{
    forget(t);
    tell(t, line);
    return t->heard;
}

static bool says(struct talk *t, const char *text)
{
    pthread_mutex_lock(&t->mutex);
    bool found = strstr(t->heard, text) != NULL;
    pthread_mutex_unlock(&t->mutex);
    return found;
}

/* Waits until something is said, for ten seconds at most. */
static bool hears(struct talk *t, const char *text)
{
    const struct timespec pause = {0, 2000000};
    for (int i = 0; i < 5000 && !says(t, text); i++)
        nanosleep(&pause, NULL);
    return says(t, text);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Holds a conversation, line by line: what follows
 *
 *     >  is told, and all that was said before is forgotten;   :  is told
 *     =  is all that is said;   +  is said;   -  is not said;   ~  is said sooner or later */
static void converse(struct talk *t, const char *const *lines)
{
    for (; *lines != NULL; lines++) {
        const char *text = *lines + 1;
        switch (**lines) {
        case '>':
            forget(t);
            __attribute__((fallthrough));
        case ':':
            tell(t, text);
            break;
        case '=':
            cr_assert_str_eq(t->heard, text);
            break;
        case '~':
            cr_assert(hears(t, text), "never said: %s", text);
            break;
        default:
            cr_assert_eq(says(t, text), **lines == '+', "%s: %s", *lines, t->heard);
        }
    }
}

#define CONVERSE(t, ...) converse(t, (const char *const[]){__VA_ARGS__, NULL})

/* A conversation without a thread; each look at the clock is a microsecond later. */
#define ALONE(...)                                                                                 \
    do {                                                                                           \
        struct talk *alone = start_alone();                                                        \
        CONVERSE(alone, __VA_ARGS__);                                                              \
        end(alone);                                                                                \
    } while (0)

/* One with a thread, by the clock of the system. */
#define THREADED(...)                                                                              \
    do {                                                                                           \
        struct talk *threaded = start(true, false, 0);                                             \
        CONVERSE(threaded, __VA_ARGS__);                                                           \
        end(threaded);                                                                             \
    } while (0)

/* ---- the protocol ---- */

Test(uci, says_who_it_is_and_every_parameter)
{
    struct talk *t = start_alone();
    ask(t, "uci");
    cr_assert_eq(strncmp(t->heard, "id name Test\nid author nobody\n", 30), 0);
    CONVERSE(t, "+option name Hash type spin default 2 min 1 max 64\n",
             "+option name Threads type spin default 1 min 1 max 4\n",
             "+option name UCI_Chess960 type check default false\n",
             "+option name Move Overhead type spin default 30 min 0 max 5000\n",
             "+option name EvalFile type string default <empty>\n");
    for (int i = 0; i < EVAL_TERMS; i++)
        cr_assert(says(t, eval_table.params[i].name));
    for (int i = 0; i < SEARCH_PARAMS; i++)
        cr_assert(says(t, search_all_table.params[i].name));
    cr_assert_eq(count_of(t->heard, "option name "), 10 + EVAL_TERMS + SEARCH_PARAMS);
    cr_assert_eq(strcmp(t->heard + t->length - 6, "uciok\n"), 0);
    end(t);
}

Test(uci, parameters_are_options_only_for_tuners)
{
    struct talk *t = start(false, true, 1);
    cr_assert_eq(count_of(ask(t, "uci"), "option name "), 10, "%s", t->heard);
    CONVERSE(t, ">setoption name KNIGHT_VALUE value 3",
             "=info string KNIGHT_VALUE is an option of the engine with --tune\n",
             ">setoption name EvalFile value ones.yaml",
             "=info string EvalFile: 35 values applied from ones.yaml\n");
    end(t);
}

/* A NUL is a space. */
Test(uci, unknown_words_before_a_command_are_ignored)
{
    struct talk *t = start_alone();
    uci_line(t->uci, "\0isready\0", 9);
    CONVERSE(t, "=readyok\n", ">well then\tisready  please", "=readyok\n", ">  \r", "=",
             ">joho \x01", "=info string no command 'joho'\n");
    cr_assert_not(uci_line(t->uci, "quit", 4));
    end(t);
}

/* ---- go ---- */

/* Takes out of what was heard all that comes from the clock: " nps N hashfull N time N". */
static void forget_times(struct talk *t)
{
    for (char *at = t->heard; (at = strstr(at, " nps ")) != NULL;) {
        const char *after = strstr(at, " pv ");
        cr_assert_not_null(after);
        memmove(at, after, strlen(after) + 1);
    }
}

Test(uci, nodes_are_exact_and_the_same_again)
{
    struct talk *t = start_alone();
    tell(t, "position startpos moves e2e4");
    cr_assert(strstr(ask(t, "go nodes 5000"), " nodes 5000 ") != NULL);
    forget_times(t);
    char *first = strdup(t->heard);
    tell(t, "go nodes 700");
    tell(t, "ucinewgame");
    ask(t, "go nodes 5000");
    forget_times(t);
    cr_assert_str_eq(t->heard, first);
    cr_assert_eq(count_of(t->heard, "bestmove "), 1);
    free(first);
    end(t);
}

Test(uci, finds_mate_and_says_in_how_many_moves)
{
    ALONE(">position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", ">go mate 1", "+score mate 1 ",
          "+bestmove a1a8\n", ">position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", ">go depth 4",
          "+score mate -1 ");
}

Test(uci, answers_none_where_there_is_no_move)
{
    ALONE(">position fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", ">go depth 3",
          "=info depth 0 score mate 0\nbestmove (none)\n",
          ">position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ">go depth 3",
          "=info depth 0 score cp 0\nbestmove (none)\n");
}

Test(uci, searches_the_moves_named)
{
    ALONE(">go depth 3 searchmoves a2a3 b1b5", "+bestmove a2a3", "+searchmoves: 'b1b5' is ignored",
          ">go searchmoves h2h4 depth 2", "+bestmove h2h4", ">go searchmoves nothing depth 2",
          "+searchmoves is ignored", "+bestmove ");
}

Test(uci, shows_as_many_lines_as_wanted)
{
    struct talk *t = start_alone();
    tell(t, "setoption name multipv value 3");
    ask(t, "go depth 2");
    cr_assert_eq(count_of(t->heard, " multipv 3 "), 2);
    cr_assert_eq(count_of(t->heard, " multipv 4 "), 0);
    end(t);
}

Test(uci, absurd_numbers_are_brought_within_what_can_be_used)
{
    ALONE(">go depth 99999999999999999999999999 nodes 300", "+ nodes 300 ", ">go nodes -5",
          "+bestmove ", ">go depth", "+info string go: depth expects an integer, not ''\n",
          ">go nodes 12x nodes 200", "+go: nodes expects an integer, not '12x'\n",
          ">go wtime -999999999999999999999 btime 9e9 movestogo 0", "+bestmove ");
}

/* Each look at the clock is 50 microseconds later: time passes with the nodes. A clock may be the increment
 * alone, since such a search has no `stop` to wait for. */
Test(uci, keeps_to_its_time)
{
    static const struct {
        const char *go;
        int64_t least, most; /* microseconds */
    } cases[] = {{"go wtime 300 btime 1 winc 0", 0, 300000},
                 {"go movetime 5", 0, 6000},
                 {"go winc 100 binc 100", 5000, 100000},
                 {"go btime 60000", 0, 5000}}; /* nothing is left on White's clock */
    for (int i = 0; i < 4; i++) {
        struct talk *t = start(true, true, 50);
        const int64_t before = t->time;
        ask(t, cases[i].go);
        cr_assert(says(t, "bestmove "));
        cr_assert(t->time - before >= cases[i].least && t->time - before < cases[i].most, "%s",
                  cases[i].go);
        end(t);
    }
    ALONE(">go depth 3 winc 1 binc 1", "+info depth 3 ");
}

Test(uci, the_only_move_is_played_at_once)
{
    ALONE(">position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", ">go wtime 100000 btime 100000",
          "-info depth 2 ", "+bestmove h1g2");
}

/* The number after a word of a line, or -1. */
static int number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at != NULL ? atoi(at + strlen(word)) : -1;
}

/* Compares two lines " depth D ... score cp S ... pv MOVE": depth, score and first move. */
static void assert_one_iteration(const char *last, const char *before)
{
    cr_assert_eq(number_after(last, " score cp "), number_after(before, " score cp "), "%s", last);
    cr_assert_eq(strncmp(strstr(last, " pv "), strstr(before, " pv "), 8), 0, "%s", last);
}

/* Wherever the search is stopped, depth, score and move of the last line are of one iteration, and
 * the move is played. */
Test(uci, the_last_line_is_of_one_iteration)
{
    struct talk *t = start_alone();
    int changed = 0;
    tell(t, "position startpos moves d2d4");
    for (int nodes = 300; nodes < 20000; nodes += 101) {
        char line[64], *lines[200];
        int count = 0;
        tell(t, "ucinewgame");
        snprintf(line, sizeof line, "go nodes %d", nodes);
        char *heard = strdup(ask(t, line)), *state = NULL;
        for (char *at = strtok_r(heard, "\n", &state); at != NULL;
             at = strtok_r(NULL, "\n", &state))
            lines[count++] = at;
        const char *last = lines[count - 2];
        cr_assert_eq(strncmp(lines[count - 1] + 9, strstr(last, " pv ") + 4, 4), 0);
        for (int i = 0; i < count - 2; i++)
            if (number_after(lines[i], " depth ") == number_after(last, " depth ") &&
                strstr(lines[i], "bound") == NULL)
                assert_one_iteration(last, lines[i]);
        changed += number_after(lines[count - 3], " depth ") < number_after(last, " depth ");
        free(heard);
    }
    cr_assert_gt(changed, 0, "no search was stopped after its best move changed");
    end(t);
}

Test(uci, unknown_words_after_go_start_no_search)
{
#define NOTHING "info string go: nothing is searched; 'go infinite' searches until 'stop'\n"
    ALONE(">go dept 5", "=info string go: 'dept' is ignored; did you mean depth?\n" NOTHING,
          ">go fishing",
          "=info string go: 'fishing' is ignored: it is no limit of a search\n" NOTHING,
          ">go movetime soon", "+" NOTHING, ">go searchmoves e2e4 dept 5", "+" NOTHING,
          ">go fishing depth 2", "+'fishing' is ignored", "+bestmove ");
}

Test(uci, perft_counts_by_move)
{
    struct talk *t = start_alone();
    tell(t, "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    cr_assert_eq(count_of(ask(t, "go perft 3"), ": "), 48 + 1);
    CONVERSE(t, "+e1c1: 1887\n", "+\n\nNodes searched: 97862\n", "-bestmove", ">go perft 1",
             "+e1g1: 1\n", "+Nodes searched: 48\n", ">position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
             ">go perft 4", "=\nNodes searched: 0\n\n", ">position startpos", ">go perft 20",
             "+info string go: perft is stopped before its end\n", "-Nodes searched");
    end(t);
}

Test(uci, chess960_is_spoken_when_asked_for)
{
    ALONE(">position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", ">go perft 1", "+e1g1: 1\n",
          ">setoption name UCI_Chess960 value true", ">go perft 1", "+e1h1: 1\n",
          ">position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8", ">d",
          "+\nFen: rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w - - 6 5\n",
          ">position fen 7k/6pp/8/8/8/8/8/1RK4R w HB - 0 1", ">go depth 3 searchmoves c1b1",
          "+ pv c1b1 ", "+bestmove c1b1 ponder ", ">setoption name UCI_Chess960 value false",
          ">go depth 3 searchmoves c1b1", "+bestmove c1b1 ponder "); /* the king stays */
}

/* ---- d and eval ---- */

Test(uci, d_shows_the_board)
{
    ALONE(">position startpos moves e2e4 f7f5 d1h5", ">d",
          "+ | r | n | b | q | k | b | n | r | 8\n", "+ |   |   |   |   |   | p |   | Q | 5\n",
          "+\nFen: rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\n",
          "+\nKey: ", "+\nCheckers: h5\n", ">position startpos", ">d", "+\nCheckers:\n");
}

/* The contributions that eval lists, summed. */
static int sum_of_terms(const char *heard)
{
    int sum = 0;
    for (const char *line = heard; (line = strchr(line, '\n')) != NULL;) {
        int count, weight, share;
        if (sscanf(++line, "%*[A-Z0-9_] %d %d %d", &count, &weight, &share) != 3)
            continue;
        cr_assert_eq(share, count * weight);
        sum += share;
    }
    return sum;
}

/* Black is to move, so that the two sides' signs differ. */
Test(uci, eval_sums_the_terms)
{
    struct talk *t = start_alone();
    char wanted[96];
    const char *fen = "r1bqk2r/ppp2ppp/2n5/3np3/1bB5/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 7";
    const struct position p = position_of(fen);
    const struct eval_weights w = eval_initial_weights();
    snprintf(wanted, sizeof wanted, "position fen %s", fen);
    tell(t, wanted);
    int32_t score = evaluate(&p, &w);
    cr_assert_eq(sum_of_terms(ask(t, "eval")), -score);
    snprintf(wanted, sizeof wanted,
             "\nFinal evaluation %+.2f (white side), %+.2f (side to move: black)\n", -score / 100.0,
             score / 100.0);
    cr_assert(says(t, wanted), "%s", t->heard);
    tell(t, "setoption name BISHOP_PAIR value 63");
    cr_assert(sum_of_terms(ask(t, "eval")) == -score, "both sides have the pair");
    CONVERSE(t, ">setoption name KNIGHT_VALUE value 1000",
             ">position fen 4k3/8/8/8/8/8/8/4K1N1 b - - 0 1", ">eval",
             "+\nKNIGHT_VALUE                          +1    1000       +1000\n");
    end(t);
}

/* What eval gives as the score for the side to move, in centipawns. */
static int final_evaluation(const char *heard)
{
    double white, own;
    const char *line = strstr(heard, "\nFinal evaluation ");
    cr_assert(line != NULL &&
                  sscanf(line, " Final evaluation %lf (white side), %lf", &white, &own) == 2,
              "%s", heard);
    return (int)(own * 100 + (own < 0 ? -0.5 : 0.5));
}

/* The modern evaluation knows drawn endings, and fades with the clock: eval tells what the search has. */
Test(uci, eval_ends_with_the_score_of_the_search)
{
    static const char added[] = "\nendings and the fifty-move clock ";
    struct talk *t = start_alone();
    tell(t, "setoption name EvalFile value modern.yaml");
    tell(t, "position fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 80");
    const int whole = final_evaluation(ask(t, "eval"));
    cr_assert(whole < 0 && !says(t, added), "%s", t->heard);
    tell(t, "position fen 4k3/8/8/8/8/8/8/R3K3 b - - 70 80");
    cr_assert_eq(final_evaluation(ask(t, "eval")), whole * 3 / 4);
    cr_assert(says(t, added), "%s", t->heard);
    tell(t, "position fen 4k3/8/8/8/8/8/8/4KB2 w - - 0 1");
    cr_assert_eq(final_evaluation(ask(t, "eval")), 0);
    tell(t, "setoption name EvalFile value <empty>");
    cr_assert(final_evaluation(ask(t, "eval")) > 200 && !says(t, added), "%s", t->heard);
    end(t);
}

/* ---- position ---- */

Test(uci, what_is_no_position_or_move_is_ignored)
{
    ALONE(">position startpos moves e2e4 e7e5 e4e5 g1f3",
          "=info string position: 'e4e5' and all moves after it are ignored: \"e4e5\" is not a "
          "legal move here\n",
          ">go depth 1 searchmoves g1f3", "+bestmove g1f3", /* White is to move after 1. e4 e5 */
          ">position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", ">position fen 8/8/8/8/8/8/8/8 w - - 0 1",
          "+position refused", ">position", "+expected startpos or fen", ">position fen",
          "+position refused", ">go depth 1 searchmoves h1h8", "+bestmove h1h8");
}

/* White has a rook more, but every move but one has stood twice before. */
Test(uci, remembers_the_moves_for_repetition)
{
    ALONE(">position fen 7k/8/8/8/8/8/8/R6K b - - 0 1 moves h8g8 a1a2 g8h8 a2a1 h8g8 a1a2 g8h8",
          ">go depth 1 searchmoves a2a1", "+score cp 0 ");
}

/* ---- setoption ---- */

Test(uci, clamps_counts_and_names_what_is_wrong)
{
    ALONE(">setoption name KNIGHT_VALUE value 300", "=",
          ">setoption name knight_value value 999999",
          "=info string KNIGHT_VALUE: 999999 is clamped to 2047\n",
          ">setoption name NIGHT_VALUE value 3", "+did you mean KNIGHT_VALUE?",
          ">setoption name Hash value much", "+'much' is not an integer", ">setoption value 3",
          "+no name", ">isready",
          "=info string parameters applied: 2, values clamped: 1, names unknown: 1\nreadyok\n",
          ">isready", "=readyok\n");
}

/* The score of the position after one ply is what the weights say. */
static int score_of(struct talk *t)
{
    tell(t, "position fen 4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1");
    const char *score = strstr(ask(t, "go depth 1"), "score cp ");
    cr_assert_not_null(score);
    return atoi(score + 9);
}

Test(uci, parameters_reach_the_engine)
{
    struct talk *t = start_alone();
    int before = score_of(t);
    tell(t, "setoption name KNIGHT_VALUE value 1521");
    cr_assert_eq(score_of(t), before + 1000);
    CONVERSE(t, ">setoption name EvalFile value ones.yaml",
             "=info string EvalFile: 35 values applied from ones.yaml\n");
    cr_assert_lt(score_of(t), before / 2);
    CONVERSE(t, ">setoption name EvalFile value <empty>",
             ">setoption name EvalFile value missing file.yaml",
             "=info string EvalFile: error, nothing is changed: missing file.yaml:7:3: "
             "KNIGHT_VALEU: unknown\n");
    cr_assert_eq(score_of(t), before);
    CONVERSE(t, ">setoption name SearchFile value s.yaml",
             "=info string SearchFile: 18 values applied from s.yaml\n");
    end(t);
}

/* Takes the chances of the last line; their sum. */
static int last_chances(const char *heard, int chances[3])
{
    const char *last = NULL;
    for (const char *at = heard; (at = strstr(at, " wdl ")) != NULL; at++)
        last = at;
    cr_assert(last != NULL &&
                  sscanf(last, " wdl %d %d %d", &chances[0], &chances[1], &chances[2]) == 3,
              "%s", heard);
    return chances[0] + chances[1] + chances[2];
}

Test(uci, shows_chances_when_asked_to)
{
    struct talk *t = start_alone();
    int chances[3];
    cr_assert_eq(count_of(ask(t, "go depth 4"), " wdl "), 0);
    tell(t, "setoption name UCI_ShowWDL value true");
    cr_assert_eq(last_chances(ask(t, "go depth 4"), chances), 1000);
    cr_assert(chances[0] > 0 && chances[1] > 0 && chances[2] > 0);
    tell(t, "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    cr_assert_eq(last_chances(ask(t, "go depth 4"), chances), 1000);
    cr_assert_eq(chances[0], 1000);
    tell(t, "setoption name UCI_ShowWDL value false");
    cr_assert_eq(count_of(ask(t, "go depth 4"), " wdl "), 0);
    end(t);
}

/* It plays instead of the paper's evaluation, whose options stay. */
Test(uci, a_file_of_the_modern_evaluation_plays)
{
    struct talk *t = start_alone();
    char wanted[96];
    int before = score_of(t);
    snprintf(wanted, sizeof wanted, "info string EvalFile: %d values applied from modern.yaml\n",
             MODERN_WEIGHTS);
    cr_assert_str_eq(ask(t, "setoption name EvalFile value modern.yaml"), wanted);
    CONVERSE(t, ">position fen 4k3/8/8/8/8/8/8/4KN2 b - - 0 1", ">eval",
             "+\nMATERIAL_N_MG                         +1    2400      +12.50\n",
             "+\nTEMPO_EG                             -23      40       -4.79\n",
             "+\nendings and the fifty-move clock                     -295.00\n",
             "+\nFinal evaluation +0.00 (white side), +0.00 (side to move: black)\n",
             ">setoption name KNIGHT_VALUE value 1521", ">isready",
             "=info string parameters applied: 1, values clamped: 0, names unknown: 0\n"
             "info string EvalFile plays: the options of the other evaluation have no "
             "effect\nreadyok\n",
             ">eval", "-KNIGHT_VALUE");
    tell(t, "setoption name EvalFile value <empty>");
    cr_assert_eq(score_of(t), before);
    end(t);
}

/* ---- with a thread ---- */

Test(uci, is_ready_and_stops_while_it_searches, .timeout = 60)
{
    THREADED(":go infinite", "~info depth 3 ", ":isready", "~readyok", "-bestmove", ":stop",
             "~bestmove ", ">go perft 20", ":isready", "~readyok", ":stop", "~perft is stopped");
}

/* The search is long over, but its answer waits. */
Test(uci, an_infinite_search_never_answers_by_itself, .timeout = 60)
{
    THREADED(":position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ":go infinite", "~score cp 0",
             "-bestmove", ":stop", "~bestmove (none)");
}

Test(uci, a_stop_reaches_a_search_that_has_not_begun, .timeout = 60)
{
    struct talk *t = start(true, false, 0);
    for (int i = 0; i < 50; i++)
        CONVERSE(t, ":go infinite", ":stop");
    CONVERSE(t, ":position startpos", ":isready", ":go depth 2", "~readyok");
    end(t);
}

Test(uci, the_clock_runs_from_ponderhit, .timeout = 60)
{
    THREADED(":go ponder wtime 50 btime 50", "~info depth 7 ", "-bestmove", ":ponderhit",
             "~bestmove ", ">go ponder depth 2", "~info depth 2 ", "-bestmove", ":stop",
             "~bestmove ");
}

static int64_t time_of(struct talk *t)
{
    pthread_mutex_lock(&t->mutex);
    const int64_t time = t->time;
    pthread_mutex_unlock(&t->mutex);
    return time;
}

static void stop_clock(struct talk *t)
{
    pthread_mutex_lock(&t->mutex);
    t->step = 0;
    pthread_mutex_unlock(&t->mutex);
}

/* Each look at the clock is 50 milliseconds later; while pondering only lines look. A move has 0.7 s, and 2.7 s if
 * an iteration lasts so long. After ponderhit no time passes, so that a search that waited for some would not end. */
Test(uci, who_has_pondered_long_enough_moves_at_ponderhit, .timeout = 60)
{
    struct talk *t = start(true, false, 50000);
    tell(t, "go ponder wtime 20000 btime 20000");
    while (time_of(t) < 2000000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    stop_clock(t);
    tell(t, "ponderhit");
    cr_assert(hears(t, "bestmove "));
    end(t);
}

/* Without stop the second search never ends, and later commands wait for both. */
Test(uci, commands_during_a_search_wait_their_turn, .timeout = 60)
{
    THREADED(":go infinite", ":setoption name MultiPV value 2",
             ":position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", "~info depth 4 ", "-multipv 2", ":stop",
             "~bestmove ", ":go depth 3", "~bestmove h1g2");
}

Test(uci, destroying_a_session_stops_its_search, .timeout = 60)
{
    THREADED(":go infinite", "~info depth 2 ");
    uci_destroy(NULL);
}

/* The end of the input is quit: nobody is there to hear what a search finds. But a count is finished before, as
 * scripts expect. */
Test(uci, the_end_of_the_input_is_quit, .timeout = 60)
{
    static const struct {
        const char *input, *heard;
        int answers;
    } cases[] = {
        {"position startpos\ngo depth 100\ngo movetime 1000000\ngo mate 50", "", 3},
        {"position startpos moves e2e4\nd\neval\n", "PAWN_ADVANCE_A", 0},
        {"go infinite\n", "", 1},
        {"go ponder movetime 10\n", "", 1},
        {"go perft 3\nquit\n", "\nNodes searched: 8902\n", 0},
        {"go perft 3\n", "\nNodes searched: 8902\n", 0},
        {"go depth 100\nquit\ngo depth 100\n", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct talk *t = start(true, false, 0);
        FILE *in = fmemopen((void *)(uintptr_t)cases[i].input, strlen(cases[i].input), "r");
        cr_assert_not_null(in);
        uci_serve(t->uci, in);
        fclose(in);
        cr_expect_eq(count_of(t->heard, "bestmove "), cases[i].answers, "%s", cases[i].input);
        cr_expect(says(t, cases[i].heard), "%s: %s", cases[i].input, t->heard);
        end(t);
    }
}

/* ---- uci time ---- */

static struct time_limits limits_of(int64_t left, int64_t increment, int64_t moves)
{
    const struct time_request r = {.has_clock = true,
                                   .left = left,
                                   .increment = increment,
                                   .moves = moves,
                                   .overhead = TIME_OVERHEAD};
    return time_limits_for(&r);
}

/* Without a clock there is no limit, and a fixed time is used up but for the overhead, which leaves half of
 * it. */
Test(uci_time, only_a_clock_leaves_a_choice)
{
    static const struct {
        struct time_request r;
        int64_t hard;
    } cases[] = {
        {{.overhead = 10}, 0},
        {{.has_clock = true, .left = 50, .fixed = 1000, .overhead = 30}, 970},
        {{.fixed = 100, .overhead = 5000}, 50},
        {{.fixed = 1, .overhead = 5000}, 1},
        {{.fixed = 50}, 50},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct time_limits t = time_limits_for(&cases[i].r);
        cr_assert_eq(t.hard, cases[i].hard);
        cr_assert_eq(t.soft, cases[i].hard);
        cr_assert_not(
            time_is_enough(&t, t.hard - 1, &(struct time_signs){.stable = 20, .effort = 100}));
        cr_assert_eq(time_is_enough(&t, t.hard, &(struct time_signs){.fall = 50}), t.hard > 0);
    }
}

/* The invariants, for clocks from flagged to a year. */
Test(uci_time, limits_are_in_order_and_leave_time_on_the_clock)
{
    for (int64_t left = -50; left < INT64_C(40000000000);
         left = left < 20 ? left + 1 : left * 3 / 2)
        for (int64_t increment = 0; increment <= 100000; increment = increment * 10 + 1)
            for (int64_t moves = 0; moves < 100; moves = moves * 2 + 1) {
                struct time_limits t = limits_of(left, increment, moves);
                cr_assert_gt(t.soft, 0);
                cr_assert_leq(t.soft, t.hard);
                if (left > TIME_OVERHEAD)
                    cr_assert_leq(t.hard, left - TIME_OVERHEAD, "%lld", (long long)left);
                else
                    cr_assert_eq(t.hard, 1);
            }
}

/* A player who always takes the hard limit, and the overhead, never loses on time. */
Test(uci_time, the_hard_limit_can_be_taken_in_every_move)
{
    static const struct {
        int64_t base, increment, moves;
    } controls[] = {{200, 2, 0}, {10000, 100, 0}, {60000, 0, 40}, {1000, 0, 1}, {5400000, 0, 30}};
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        int64_t left = controls[i].base, moves = controls[i].moves;
        for (int ply = 0; ply < 300; ply++) {
            int64_t spent = limits_of(left, controls[i].increment, moves).hard;
            if (spent == 1)
                break; /* moves at once: only a real clock could tell */
            left -= spent + TIME_OVERHEAD;
            cr_assert_geq(left, 0, "control %zu, move %d", i, ply);
            left += controls[i].increment;
            if (controls[i].moves > 0 && --moves == 0) {
                left += controls[i].base;
                moves = controls[i].moves;
            }
        }
    }
}

Test(uci_time, the_last_move_before_the_control_may_take_all)
{
    cr_assert_eq(limits_of(1000, 0, 1).hard, 1000 - TIME_OVERHEAD);
    cr_assert_lt(limits_of(1000, 0, 2).hard, 800);
}

Test(uci_time, more_time_gives_more)
{
    cr_assert_gt(limits_of(60000, 0, 0).soft, limits_of(30000, 0, 0).soft);
    cr_assert_gt(limits_of(60000, 1000, 0).soft, limits_of(60000, 0, 0).soft);
    cr_assert_gt(limits_of(60000, 0, 10).soft, limits_of(60000, 0, 40).soft);
}

/* With little on the clock and a large increment both limits are the same. */
Test(uci_time, a_clock_is_no_fixed_time)
{
    const struct time_limits t = limits_of(1000, 2000, 0);
    cr_assert_eq(t.soft, t.hard);
    cr_assert(
        time_is_enough(&t, t.hard * 8 / 10, &(struct time_signs){.stable = 10, .effort = 100}));
}

/* A soft limit of 1,000 ms becomes so many by what the iterations say. */
Test(uci_time, a_move_that_stands_needs_less)
{
    static const struct {
        int stable, effort, fall, enough;
    } cases[] = {{5, 70, 0, 792},  {1000, 70, 0, 712}, {0, 70, 0, 1881},  {6, 100, 0, 432},
                 {6, 20, 0, 1180}, {6, 70, -80, 712},  {6, 70, 140, 855}, {6, 70, 5000, 1069}};
    const struct time_limits t = {.soft = 1000, .hard = 5000};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct time_signs signs = {
            .stable = cases[i].stable, .effort = cases[i].effort, .fall = cases[i].fall};
        cr_expect(time_is_enough(&t, cases[i].enough, &signs), "case %zu", i);
        cr_expect_not(time_is_enough(&t, cases[i].enough - 1, &signs), "case %zu", i);
    }
}
