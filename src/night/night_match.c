#include "night_match.h"

#include "clock.h"
#include "data_kept.h"
#include "evaluation.h"
#include "game_pgn.h"
#include "genome.h"
#include "match.h"
#include "night_summary.h"
#include "operators.h"
#include "paths.h"
#include "run_summary.h"
#include "search_params.h"
#include "stream.h"
#include "values.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES_AT_A_TIME = 20,
    NOTE_EVERY = 60 /* seconds */,
    WIN_MOVES = 4,
    PAIRINGS = NIGHT_PLAYERS * (NIGHT_PLAYERS - 1) / 2
};

/* A match in progress. */
struct match_stage {
    const char *night_path;
    const struct night_recipe *recipe;
    const struct night_stage *stage;
    const struct run_observer *observer;
    struct store *store;
    struct book book;
    struct match_player players[NIGHT_PLAYERS];
    int threads;
    int pairing;         /* the current pairing */
    int a, b;            /* and its players */
    int64_t total;       /* games in the stage's store */
    double began, noted; /* clock_elapsed() at seconds 0, and when they were noted last */
    struct match *match; /* the current pairing */
};

static int pairings_of(const struct night_stage *match)
{
    return match->player_count * (match->player_count - 1) / 2;
}

/* The first games of a pairing, whole pairs of them. */
static int first_games(const struct night_stage *match)
{
    int pairs = (NIGHT_FEWEST_GAMES / 2 + pairings_of(match) - 1) / pairings_of(match);
    return 2 * pairs < match->games ? 2 * pairs : match->games;
}

/* ---- random players: what the evolution of a night began with ---- */

/* Draws organism 0 of generation 0 of a run with this space and seed. */
static bool draw(const struct param_table *space, uint64_t seed, int32_t *values, struct error *err)
{
    struct genome genome;
    struct stream s;
    if (!genome_init(&genome, space, err))
        return false;
    uint64_t *chromosome = malloc(genome_bytes(&genome, 1));
    if (chromosome == NULL)
        return error_set(err, "no memory for a chromosome");
    stream_init(&s, seed, STREAM_INITIAL, 0, 0);
    chromosome_random(chromosome, &genome, &s);
    genome_decode(&genome, chromosome, values);
    free(chromosome);
    return true;
}

/* Draws in the space of a run of our kinds. Returns the table, whose genes since added are initial. */
static const struct param_table *draw_of_run(const char *path, bool evaluation, uint64_t seed,
                                             int32_t values[VALUES_MAX], struct error *err)
{
    struct run_summary run;
    if (!run_summary_read(path, &run, err))
        return NULL;
    const int count = run.space.count;
    const struct param_table *table = evaluation ? evaluation_table_of_kind(run.space.kind)
                                                 : search_table_of_kind(run.space.kind);
    if (table == NULL || count > table->count ||
        (count < table->count && !param_is_added(table, count))) {
        error_set(err, "%s: kind %s is not of our engine", path, run.space.kind);
        table = NULL;
    } else if (!draw(&run.space, seed, values, err))
        table = NULL;
    for (int i = count; table != NULL && i < table->count; i++)
        values[i] = table->params[i].initial;
    run_summary_free(&run);
    return table;
}

/* Draws a half, in the space of the first stage that evolves such, or the usual. Returns its table. */
static const struct param_table *draw_half(const struct match_stage *m, bool evaluation,
                                           int32_t values[VALUES_MAX], struct error *err)
{
    const struct param_table *usual = evaluation ? &eval_table : &search_table;
    const uint64_t seed = m->recipe->seed;
    char path[NIGHT_PATH];
    for (const struct night_stage *s = m->recipe->stages; s != m->stage; s++)
        if (!s->is_match && s->evolves_evaluation == evaluation)
            return night_best_run(m->night_path, s, path, err)
                       ? draw_of_run(path, evaluation, seed, values, err)
                       : NULL;
    return draw(usual, seed, values, err) ? usual : NULL;
}

/* ---- players ---- */

/* Loads half a player: one that is drawn, a plain search, or that of a file or of the best run of a stage. */
static bool load_half(const struct match_stage *m, const char *half, bool evaluation,
                      struct match_player *p, struct error *err)
{
    const struct night_stage *stage = night_stage_find(m->recipe, half);
    int32_t values[VALUES_MAX];
    char path[NIGHT_PATH];
    if (strcmp(half, NIGHT_RANDOM) == 0) {
        const struct param_table *table = draw_half(m, evaluation, values, err);
        if (table != NULL && evaluation)
            p->eval = evaluation_from(table, values);
        else if (table != NULL)
            p->params = search_params_from(table, values);
        return table != NULL;
    }
    p->params = evaluation ? p->params : search_plain_params();
    if (!evaluation && strcmp(half, NIGHT_PLAIN) == 0)
        return true;
    snprintf(path, sizeof path, "%s", half);
    if (stage != NULL && !night_best_run(m->night_path, stage, path, err))
        return false;
    return evaluation ? values_evaluation(path, &p->eval, err)
                      : values_search_params(path, &p->params, err);
}

static bool load_players(struct match_stage *m, struct error *err)
{
    for (int i = 0; i < m->stage->player_count; i++) {
        const struct night_player *from = &m->stage->players[i];
        struct match_player *p = &m->players[i];
        snprintf(p->name, sizeof p->name, "%s", from->name);
        snprintf(p->evaluation.name, sizeof p->evaluation.name, "%.200s", from->evaluation);
        snprintf(p->search.name, sizeof p->search.name, "%.200s", from->search);
        if (!load_half(m, from->evaluation, true, p, err) ||
            !load_half(m, from->search, false, p, err))
            return error_prefix(err, "player %s: ", from->name);
    }
    return true;
}

/* ---- games ---- */

/* Stores a game as PGN, if the match keeps its games. From its tag Seed the openings of the pairing follow. */
static bool keep_text(struct match_stage *m, const struct match_game_row *row, const struct game *g,
                      struct error *err)
{
    char round[48];
    const struct game_pgn_tags tags = {
        .event = m->recipe->name,
        .round = round,
        .players = {{.name = m->players[row->white].name}, {.name = m->players[row->black].name}},
        .limits = {.nodes = (uint64_t)m->stage->limit},
        .adjudication = {.win_score = m->stage->win_score},
        .engine = "grayling " GRAYLING_VERSION,
        .openings = path_name(m->stage->openings),
        .seed = m->recipe->seed + (uint64_t)m->pairing,
    };
    snprintf(round, sizeof round, "%d.%d", m->pairing + 1, row->number + 1);
    char *text = m->stage->keeps ? game_pgn_text(g, &tags, err) : NULL;
    const bool kept = text == NULL
                          ? !m->stage->keeps
                          : store_put_match_pgn(m->store, m->pairing, row->number, text, err);
    free(text);
    return kept;
}

/* Notes now and then how many seconds the match has taken, for a night that is killed. */
static bool note_seconds(struct match_stage *m, struct error *err)
{
    char text[32];
    double now = clock_elapsed();
    if (now - m->noted < NOTE_EVERY)
        return true;
    m->noted = now;
    snprintf(text, sizeof text, "%.3f", now - m->began);
    return store_put(m->store, NIGHT_PLAYED, text, err);
}

static bool keep_game(void *context, int64_t number, const struct game *g, struct error *err)
{
    struct match_stage *m = context;
    const int players[2] = {m->a, m->b};
    const struct match_game_row row = {
        .pairing = m->pairing,
        .number = (int)number,
        .white = players[match_player_of(number, WHITE)],
        .black = players[match_player_of(number, BLACK)],
        .result = (int)g->result,
        .plies = g->plies,
        .nodes = (int64_t)g->nodes,
    };
    m->total++;
    const struct run_progress p = {.generation = m->pairing,
                                   .unit = "game",
                                   .done = m->total,
                                   .total = pairings_of(m->stage) * m->stage->games};
    if (m->observer->progress != NULL)
        m->observer->progress(m->observer->context, &p);
    return store_begin(m->store, err) && store_put_match_game(m->store, &row, err) &&
           keep_text(m, &row, g, err) && note_seconds(m, err) && store_commit(m->store, err);
}

/* Checks that a stored game is one of players a and b, and has a result. */
static bool check_game(const struct match_game_row *game, int a, int b, struct error *err)
{
    bool meet = (game->white == a && game->black == b) || (game->white == b && game->black == a);
    return (meet && game->result >= 0 && game->result <= 2) ||
           error_set(
               err,
               "game %d of players %d and %d has players %d and %d and the result %d; the run "
               "file is damaged or was changed; go back to a copy",
               game->number, a, b, game->white, game->black, game->result);
}

static bool count_stored(const struct match_stage *m, struct error *err)
{
    struct match_game_row game;
    bool good = true;
    struct store_rows r = store_match_games(m->store, m->pairing, m->pairing);
    while (good && store_next_match_game(&r, &game)) {
        good = check_game(&game, m->a, m->b, err);
        if (good && match_goes_on(m->match))
            match_count(m->match, (enum game_result)game.result, GAME_CHECKMATE);
    }
    return store_end(&r, err) && good;
}

static struct match_settings settings_of(const struct match_stage *m, int games)
{
    return (struct match_settings){
        .players = {m->players[m->a], m->players[m->b]},
        .book = &m->book,
        .book_name = m->stage->openings,
        .seed = m->recipe->seed + (uint64_t)m->pairing,
        .games = games,
        .limits = {.nodes = (uint64_t)m->stage->limit},
        .adjudication = {.win_score = m->stage->win_score, .win_moves = WIN_MOVES},
        .hash_mib = m->stage->hash,
        .threads = m->threads,
        .stop = m->observer->stop,
    };
}

/* Plays the current pairing until it has `games` games. */
static enum run_end play_pairing(struct match_stage *m, int games, struct error *err)
{
    struct match match;
    char broken[NIGHT_PATH];
    const struct match_settings settings = settings_of(m, games);
    const struct match_watcher watcher = {.context = m, .played = keep_game, .broken_path = broken};
    snprintf(broken, sizeof broken, "%.1000s.broken-game", m->night_path);
    if (!match_init(&match, &settings, err))
        return RUN_FAILED;
    m->match = &match;
    const enum jobs_end end =
        count_stored(m, err) ? match_play(&match, &watcher, err) : JOBS_FAILED;
    match_finish(&match);
    return end == JOBS_DONE ? RUN_COMPLETE : end == JOBS_STOPPED ? RUN_STOPPED : RUN_FAILED;
}

/* Plays all pairings in turn, a few games each, until each has `most` games. */
static enum run_end play_all(struct match_stage *m, int most, struct error *err)
{
    for (int games = 0; games < most;) {
        games = games + GAMES_AT_A_TIME < most ? games + GAMES_AT_A_TIME : most;
        m->pairing = 0;
        for (m->a = 0; m->a < m->stage->player_count; m->a++)
            for (m->b = m->a + 1; m->b < m->stage->player_count; m->b++, m->pairing++) {
                enum run_end end = play_pairing(m, games, err);
                if (end != RUN_COMPLETE)
                    return end;
            }
    }
    return RUN_COMPLETE;
}

/* ---- the stage ---- */

/* Stores the names of the players and the players of each pairing. */
static bool put_players(struct store *s, const struct match_stage *m, struct error *err)
{
    for (int i = 0; i < m->stage->player_count; i++)
        if (!store_put_match_player(s, i, m->players[i].name, err))
            return false;
    for (int a = 0, pairing = 0; a < m->stage->player_count; a++)
        for (int b = a + 1; b < m->stage->player_count; b++)
            if (!store_put_match_pairing(s, pairing++, a, b, err))
                return false;
    return true;
}

static bool create_store(const struct match_stage *m, const char *path, struct error *err)
{
    struct night_stage files = *m->stage; /* a visit may change paths */
    struct store *s = store_create(path, false, err);
    if (s != NULL && store_put(s, "version", GRAYLING_VERSION, err) && put_players(s, m, err) &&
        night_match_each_file(m->recipe, &files, data_kept_put,
                              &(struct data_kept_view){s, m->night_path}, err))
        return store_publish(s, err);
    store_close(s);
    return false;
}

static double seconds_before(const struct match_stage *m, const struct night_run *run)
{
    struct store *s = store_open(m->night_path, STORE_READ, NULL);
    double seconds = s == NULL ? 0 : night_get_seconds(s, run, "seconds");
    store_close(s);
    return fmax(seconds, night_recorded_seconds(run));
}

/* ---- a match that goes on ---- */

/* Compares a game of the current pairing with the stored one. A replay that was stopped says nothing. */
static bool same_game(const struct match_stage *m, const struct game *now,
                      const struct match_game_row *then, struct error *err)
{
    if (now->end == GAME_ABANDONED ||
        ((int64_t)now->nodes == then->nodes && now->plies == then->plies))
        return true;
    char *version = store_get(m->store, "version");
    error_set(err,
              "%s: its first game had %" PRId64 " nodes in %d plies and now has %" PRIu64
              " in %d: grayling " GRAYLING_VERSION
              " plays differently from grayling %s, which began the match; resume with that "
              "version",
              m->stage->name, then->nodes, then->plies, now->nodes, now->plies,
              version == NULL ? "(unknown)" : version);
    free(version);
    return false;
}

/* Plays the first game again, as many plies as are stored. */
static bool replay_first(struct match_stage *m, const struct match_game_row *then,
                         struct error *err)
{
    struct match match;
    struct game now = {0};
    m->pairing = m->a = 0;
    m->b = 1;
    const struct match_settings settings = settings_of(m, m->stage->games);
    if (!match_init(&match, &settings, err))
        return false;
    const int plies = then->plies - match_opening(&match, 0)->plies;
    bool same =
        match_replay(&match, 0, plies > 1 ? plies : 1, &now, err) && same_game(m, &now, then, err);
    game_free(&now);
    match_finish(&match);
    return same;
}

/* Refuses to continue a match that this program plays differently. */
static bool repeats(struct match_stage *m, struct error *err)
{
    struct match_game_row first;
    struct store_rows r = store_match_games(m->store, 0, 0);
    const bool begun = store_next_match_game(&r, &first) && first.number == 0;
    return store_end(&r, err) &&
           (!begun || (check_game(&first, 0, 1, err) && replay_first(m, &first, err)));
}

/* Loads what the match is played with, and opens its store, or creates it. */
static bool prepare(struct match_stage *m, const struct night_run *run, struct error *err)
{
    return load_players(m, err) &&
           book_read(&m->book, run->stage->openings, NIGHT_BOOK_PLIES, err) &&
           (night_run_has_store(run) || create_store(m, run->path, err)) &&
           (m->store = store_open(run->path, STORE_WRITE, err)) != NULL &&
           data_kept_check(m->store, m->night_path, "match", "begin a new night", err) &&
           repeats(m, err);
}

enum run_end night_match_play(const char *night_path, const struct night_recipe *recipe,
                              const struct night_run *run, bool check, int threads,
                              const struct run_observer *observer, struct error *err)
{
    struct match_stage m = {.night_path = night_path,
                            .recipe = recipe,
                            .stage = run->stage,
                            .observer = observer,
                            .threads = threads};
    m.noted = clock_elapsed();
    m.began = m.noted - seconds_before(&m, run);
    enum run_end end = prepare(&m, run, err) ? RUN_COMPLETE : check ? RUN_REFUSED : RUN_FAILED;
    if (check && end == RUN_COMPLETE && observer->stop != NULL && *observer->stop != 0)
        end = RUN_STOPPED;
    if (!check && end == RUN_COMPLETE) {
        m.total = store_count_match_games(m.store);
        int most = observer->one_generation ? first_games(m.stage) : m.stage->games;
        end = play_all(&m, most, err);
        if (end == RUN_COMPLETE && most < m.stage->games)
            end = RUN_STOPPED;
    }
    store_close(m.store);
    book_free(&m.book);
    return end;
}

/* ---- reading ---- */

/* Reads the games into the counts of their pairings. Two consecutive games are a pair. */
static bool read_games(struct store *s, struct night_pairing *pairings, int count,
                       struct error *err)
{
    struct match_game_row game;
    int first = 0; /* the first player's half points in the first game of a pair */
    bool good = true;
    struct store_rows r = store_match_games(s, 0, count - 1);
    while (good && store_next_match_game(&r, &game)) {
        struct night_pairing *p = &pairings[game.pairing];
        good = check_game(&game, p->a, p->b, err);
        if (!good)
            break;
        const int points = game.white == p->a ? game.result : 2 - game.result;
        p->counts.wins += points == 2;
        p->counts.draws += points == 1;
        p->counts.losses += points == 0;
        if (game.number % 2 == 0)
            first = points;
        else
            p->counts.pairs[first + points]++;
    }
    return store_end(&r, err) && good;
}

struct night_pairing *night_match_read(const struct night_run *run, int *count, struct error *err)
{
    const int players = run->stage->player_count;
    struct night_pairing *pairings = calloc(PAIRINGS, sizeof *pairings);
    struct store *s = store_open(run->path, STORE_READ, err);
    *count = 0;
    bool read = s != NULL && (pairings != NULL || error_set(err, "no memory for the pairings"));
    for (int a = 0; read && a < players; a++)
        for (int b = a + 1; b < players; b++)
            pairings[(*count)++] = (struct night_pairing){.a = a, .b = b};
    read = read && read_games(s, pairings, *count, err);
    store_close(s);
    if (read)
        return pairings;
    *count = 0;
    free(pairings);
    return NULL;
}

bool night_match_has_first_games(const struct night_run *run)
{
    int count;
    struct night_pairing *pairings = night_match_read(run, &count, NULL);
    bool all = pairings != NULL;
    for (int i = 0; all && i < count; i++)
        all = match_counts_games(&pairings[i].counts) >= first_games(run->stage);
    free(pairings);
    return all;
}
