#include "tournament.h"

#include "coevolution_game.h"
#include "count.h"
#include "stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- playing ---- */

/* Fails if more than FAULTS of the MANY games so far ended by a fault, or of the first MANY will have: then
 * they tell how often the engine fails, and not how it plays. A run that goes on later is judged by the
 * games from there on: what made the engine fail may be gone. Only a run is judged, which keeps the faults. */
static void judge_faults(struct coevolution *m, enum engine_fault fault)
{
    enum { FAULTS = 2, MANY = 100 };
    char text[ENGINE_FAULTS_TEXT], games[COUNTED_MAX];
    const struct engine_faults *faults = &m->so_far.faults;
    m->so_far.games++;
    engine_faults_add(&m->so_far.faults, fault);
    const int64_t total = engine_faults_total(faults),
                  of = m->so_far.games > MANY ? m->so_far.games : MANY;
    if (fault == FAULT_NONE || m->base.fault_folder[0] == '\0' || total * MANY <= FAULTS * of)
        return;
    error_set(&m->base.failed,
              "the engine's faults decide too many games, more than %d of %d: %s in %s; their "
              "reports are in %s. %s, and begin anew; or resume, if the cause is gone",
              FAULTS, MANY, engine_faults_text(faults, text),
              format_things(m->so_far.games, "game", games), m->base.fault_folder,
              2 * faults->counts[FAULT_LATE] > total
                  ? "Give fitness.movetime more milliseconds, or play with fewer --threads"
                  : "Take the values that it fails with out of the space");
}

/* Stores a finished game and reports it to the observer. */
static bool take(void *taker, size_t number, void *result)
{
    struct tournament *t = taker;
    const struct outcome *o = result;
    const struct game_record *played = &o->record;
    struct game_record *row = &t->games[played->number].row;
    engine_faults_add(&t->m->base.faults, o->fault);
    row->result = played->result;
    row->plies = played->plies;
    row->nodes = played->nodes;
    if (t->c != NULL)
        t->stopped = !t->c->played(t->c->context, row, t->count);
    else
        fitness_tell_worked(t->watcher, (int64_t)number + 1, t->count);
    judge_faults(t->m, o->fault);
    t->stopped = t->stopped || t->m->base.failed.text[0] != '\0';
    return !t->stopped;
}

/* Creates the block of the unknown games from number `first` on; *count is their number. NULL if
 * memory is short. */
static struct game_batch *new_batch(const struct tournament *t, int first, size_t *count,
                                    size_t *size)
{
    struct game_batch *batch =
        game_batch_create(t->m, t->entrants, t->entrant_count, t->count - first, size);
    *count = 0;
    if (batch == NULL)
        return NULL;
    struct batch_game *games = game_batch_games(t->m, batch);
    for (int i = first; i < t->count; i++) {
        const struct scheduled_game *p = &t->games[i];
        if (!p->known)
            games[(*count)++] =
                (struct batch_game){i, p->row.opening, {p->entrants[WHITE], p->entrants[BLACK]}};
    }
    return batch;
}

bool tournament_play(struct tournament *t, int first)
{
    struct coevolution *m = t->m;
    size_t count, size;
    if (t->refused)
        return false;
    struct game_batch *games = new_batch(t, first, &count, &size);
    if (games == NULL)
        return error_set(&m->base.failed, "no memory for %d games", t->count - first);
    const struct game_conditions conditions = {.limits = m->limits}; /* some are not adjudicated */
    const struct jobs_batch batch = {.count = count,
                                     .block = games,
                                     .block_size = size,
                                     .job_seconds = game_seconds(&conditions),
                                     .stop = t->stop,
                                     .taker = t,
                                     .take = take};
    bool done = jobs_run(m->jobs, &batch, &m->base.failed) == JOBS_DONE;
    free(games);
    return done && !t->stopped;
}

/* ---- the list ---- */

int tournament_add_entrant(struct tournament *t, enum player_kind kind, int index,
                           const int32_t *values)
{
    t->entrants[t->entrant_count] = (struct entrant){{kind, index}, values};
    return t->entrant_count++;
}

/* The opening of the next game. */
static int next_opening(struct opening_stream *s)
{
    return (int)s->order[(size_t)(s->games++ / s->games_each) % s->count];
}

/* Takes the result of a game that is known. A file may hold any players, opening and result: those
 * of another schedule are refused. */
static void take_known(struct tournament *t, struct scheduled_game *p,
                       const struct game_record *known)
{
    struct game_record *row = &p->row;
    if (!player_ref_equal(known->white, row->white) ||
        !player_ref_equal(known->black, row->black) || known->opening != row->opening ||
        known->result < 0 || known->result > 2) {
        t->refused =
            !error_set(&t->m->base.failed,
                       "generation %d, game %d: the stored game has other players, another "
                       "opening or no result; go back to a copy",
                       t->c->generation, row->number);
        return;
    }
    row->result = known->result;
    row->plies = known->plies;
    row->nodes = known->nodes;
    p->known = true;
}

/* Schedules a game between two entrants, or takes its result if it is known. */
static void add_game(struct tournament *t, int white, int black)
{
    assert(t->count < t->room);
    struct scheduled_game *p = &t->games[t->count];
    *p = (struct scheduled_game){.row = {.number = t->count,
                                         .white = t->entrants[white].ref,
                                         .black = t->entrants[black].ref,
                                         .opening = next_opening(&t->openings)},
                                 .entrants = {white, black}};
    for (size_t i = 0; i < t->c->known_count && !p->known; i++)
        if (t->c->known[i].number == t->count)
            take_known(t, p, &t->c->known[i]);
    t->count++;
}

void tournament_add_games(struct tournament *t, int a, int b, int games)
{
    for (int k = 0; k < games; k++)
        add_game(t, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
}

/* ==== the games of a generation ==== */

/* ---- schedule ---- */

/* The number of a leader's opponents in a rematch. */
static int rematch_opponents(const struct coevolution *m)
{
    return m->population - 1 + (m->seed_games > 0 ? m->seeds : 0);
}

/* The number of games of a generation with a full hall and one rematch, instead of one of each organism, and
 * without those against the start. */
static int64_t usual_games(const struct coevolution *m)
{
    return m->most_games - m->start_games -
           (int64_t)(m->population - 1) * rematch_opponents(m) * m->rematch;
}

/* The number of genes of this many organisms. */
static size_t genes(const struct tournament *t, int organisms)
{
    return (size_t)organisms * coevolution_genes(t->m);
}

/* Adds the organisms and the initial population. */
static void add_entrants(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        tournament_add_entrant(t, PLAYER_ORGANISM, i, t->c->organisms + genes(t, i));
    for (int s = 0; s < t->c->seed_count; s++)
        tournament_add_entrant(t, PLAYER_SEED, s, t->c->seeds + genes(t, s));
}

/* The entrant index of a member of the initial population. */
static int seed_entrant(const struct tournament *t, int s)
{
    return t->c->count + s;
}

static const int32_t *champion(const struct tournament *t, int generation)
{
    return t->c->champions + genes(t, generation);
}

static bool same_champion(const struct tournament *t, int a, int b)
{
    return memcmp(champion(t, a), champion(t, b), genes(t, 1) * sizeof(int32_t)) == 0;
}

/* The openings that organisms play in a generation. Those of pairs go on where the generation before ends, if
 * its leader had one rematch. That follows from the recipe alone, so a run that goes on, and every rank,
 * finds the same. */
static struct opening_stream first_openings(struct coevolution *m, int generation)
{
    if (m->pairs)
        return (struct opening_stream){m->openings + m->reserved, m->taught,
                                       generation * usual_games(m), 2};
    book_shuffle(m->seed, (uint64_t)generation, m->taught, m->shuffled);
    for (size_t i = 0; i < m->taught; i++)
        m->shuffled[i] = m->openings[m->reserved + m->shuffled[i]];
    return (struct opening_stream){m->shuffled, m->taught, 0, 1};
}

/* The same of games with the start. */
static struct opening_stream start_openings(const struct tournament *t)
{
    const struct coevolution *m = t->m;
    return (struct opening_stream){m->openings + m->reserved + m->taught, m->started,
                                   (int64_t)t->c->generation * m->start_games, 2};
}

/* 1: round robin. */
static void add_all_pairs(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        for (int j = i + 1; j < t->c->count; j++)
            tournament_add_games(t, i, j, t->m->games);
}

/* 1: draws the circle; each organism meets half of its neighbours, those that follow it. */
static void add_neighbours(struct tournament *t)
{
    uint32_t *circle = t->m->circle;
    const int count = t->c->count;
    struct stream stream;
    stream_init(&stream, t->m->seed, STREAM_CIRCLE, (uint64_t)t->c->generation, 0);
    stream_permutation(&stream, (size_t)count, circle);
    for (int i = 0; i < count; i++)
        for (int next = 1; next <= t->m->neighbours / 2; next++)
            tournament_add_games(t, (int)circle[i], (int)circle[(i + next) % count], t->m->games);
}

/* 1: the pairs play, and the last organism the start. Nothing is played in generation 0, which is the
 * start. */
static void add_mates(struct tournament *t)
{
    const int last = t->c->count - 1;
    if (t->c->generation == 0)
        return;
    for (int i = 0; i < last; i += 2)
        tournament_add_games(t, i, i + 1, t->m->games);
    t->openings = start_openings(t);
    const int start = tournament_add_entrant(t, PLAYER_CHAMPION, 0, champion(t, 0));
    tournament_add_games(t, last, start, t->m->start_games);
}

static void add_round(struct tournament *t)
{
    if (t->m->mates)
        add_mates(t);
    else if (t->m->neighbours > 0)
        add_neighbours(t);
    else
        add_all_pairs(t);
}

/* True if no later champion has the same values. */
static bool is_last_of_equals(const struct tournament *t, int generation)
{
    for (int later = generation + 1; later < t->c->generation; later++)
        if (same_champion(t, generation, later))
            return false;
    return true;
}

/* 2: games with the initial population. */
static void add_seeds(struct tournament *t)
{
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        for (int i = 0; i < t->c->count; i++)
            tournament_add_games(t, i, seed_entrant(t, s), t->m->seed_games);
}

/* 2: games with the hall of fame. */
static void add_hall(struct tournament *t)
{
    int seated = 0;
    for (int g = t->c->generation - 1; g >= 0 && seated < t->m->hall; g--) {
        if (!is_last_of_equals(t, g))
            continue;
        seated++;
        int entrant = tournament_add_entrant(t, PLAYER_CHAMPION, g, champion(t, g));
        for (int i = 0; i < t->c->count; i++)
            tournament_add_games(t, i, entrant, t->m->hall_games);
    }
}

/* 3: rematch of the leader against everyone else; against the initial population only if its games
 * count. */
static void add_rematch(struct tournament *t, int leader)
{
    for (int i = 0; i < t->c->count; i++)
        if (i != leader)
            tournament_add_games(t, leader, i, t->m->rematch);
    for (int s = 0; s < t->c->seed_count && t->m->seed_games > 0; s++)
        tournament_add_games(t, leader, seed_entrant(t, s), t->m->rematch);
}

/* ---- points ---- */

/* What an organism has of the games that count for it. */
struct standing {
    int64_t points; /* half points */
    int64_t games;
    bool rematched;
};

static void count_player(struct standing *standings, struct player_ref player, int points, int only)
{
    if (player.kind != PLAYER_ORGANISM || (only >= 0 && player.index != only))
        return;
    standings[player.index].points += points;
    standings[player.index].games++;
}

/* Counts the games from number `first` on for one organism, or for all (`only` < 0). */
static void count_points(const struct tournament *t, int first, int only,
                         struct standing *standings)
{
    for (int n = first; n < t->count; n++) {
        const struct game_record *row = &t->games[n].row;
        count_player(standings, row->white, row->result, only);
        count_player(standings, row->black, 2 - row->result, only);
    }
}

/* The organism with the largest share of its points; the first of equals. */
static int leader_of(const struct standing *standings, int count)
{
    int leader = 0;
    for (int i = 1; i < count; i++)
        if (standings[i].points * standings[leader].games >
            standings[leader].points * standings[i].games)
            leader = i;
    return leader;
}

/* ---- how much there can be ---- */

int64_t generation_points(const struct coevolution *m)
{
    return 2 * ((int64_t)m->opponents * m->games + (int64_t)m->seeds * m->seed_games +
                (int64_t)m->hall * m->hall_games + (int64_t)rematch_opponents(m) * m->rematch);
}

/* 4: rounded shares of the points; one half without a game. */
static void write_values(const struct coevolution *m, const struct standing *standings, int count,
                         int64_t *values)
{
    for (int i = 0; i < count; i++) {
        const struct standing *s = &standings[i];
        values[i] = s->games == 0 ? generation_points(m) / 2
                                  : (s->points * generation_points(m) + s->games) / (2 * s->games);
    }
}

/* ---- a generation ---- */

/* 1 and 2. */
static bool play_round(struct tournament *t, struct standing *standings)
{
    add_entrants(t);
    add_round(t);
    add_seeds(t);
    add_hall(t);
    if (!tournament_play(t, 0))
        return false;
    count_points(t, 0, -1, standings);
    return true;
}

/* 3: until the leader has played its rematch. */
static bool play_rematches(struct tournament *t, struct standing *standings)
{
    for (;;) {
        const int leader = leader_of(standings, t->c->count), first = t->count;
        if (t->m->rematch == 0 || standings[leader].rematched)
            return true;
        add_rematch(t, leader);
        if (!tournament_play(t, first))
            return false;
        count_points(t, first, leader, standings);
        standings[leader].rematched = true;
    }
}

bool generation_compete(struct coevolution *m, const struct competition *c, int64_t *values)
{
    const size_t entrants = (size_t)c->count + (size_t)(c->seed_count + m->hall) + m->mates;
    const int room = (int)m->most_games;
    struct standing *standings = calloc((size_t)c->count, sizeof *standings);
    struct tournament t = {
        .m = m,
        .c = c,
        .stop = c->stop,
        .openings = first_openings(m, c->generation),
        .room = room,
        .entrants = calloc(entrants, sizeof *t.entrants),
        .games = calloc((size_t)room, sizeof *t.games),
    };
    bool done = standings != NULL && t.entrants != NULL && t.games != NULL;
    if (!done)
        error_set(&m->base.failed, "no memory for the games of %d organisms", c->count);
    done = done && play_round(&t, standings) && play_rematches(&t, standings);
    if (done)
        write_values(m, standings, c->count, values);
    free(standings);
    free(t.entrants);
    free(t.games);
    return done;
}
