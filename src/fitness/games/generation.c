/* The games of a generation, or with the opponent: who plays whom on which opening, and what the organisms have
 * of it. The steps are those of coevolution.c. */
#include "coevolution.h"

#include "stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static int add_entrant(struct tournament *t, enum player_kind kind, int index,
                       const int32_t *values)
{
    t->entrants[t->entrant_count] = (struct entrant){{kind, index}, values};
    return t->entrant_count++;
}

/* Takes the result of a known game, unless a file has one of another schedule. */
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
    *row = *known;
    p->known = true;
}

/* Schedules a game between two entrants, or takes its result if it is known. */
static void add_game(struct tournament *t, int white, int black)
{
    assert(t->count < t->room);
    struct scheduled_game *p = &t->games[t->count];
    struct opening_stream *s = &t->openings;
    *p = (struct scheduled_game){
        .row = {.number = t->count,
                .white = t->entrants[white].ref,
                .black = t->entrants[black].ref,
                .opening = (int)s->order[(size_t)(s->games++ / s->games_each) % s->count]},
        .entrants = {white, black}};
    for (size_t i = 0; i < t->c->known_count && !p->known; i++)
        if (t->c->known[i].number == t->count)
            take_known(t, p, &t->c->known[i]);
    t->count++;
}

/* Schedules `games` games between two entrants. The first has White in the first game. */
static void add_games(struct tournament *t, int a, int b, int games)
{
    for (int k = 0; k < games; k++)
        add_game(t, k % 2 == 0 ? a : b, k % 2 == 0 ? b : a);
}

/* ---- schedule ---- */

static int rematch_opponents(const struct recipe *r)
{
    return r->optimiser.population - 1 + (r->seed_games > 0 ? r->seed_count : 0);
}

static const int32_t *champion(const struct tournament *t, int generation)
{
    return t->c->champions + coevolution_genes(t->m, generation);
}

/* The openings that organisms play in a generation. Those of pairs go on where the generation before ends, if
 * it had a full hall and its leader one rematch. That follows from the recipe alone, so a run that goes on, and
 * every rank, finds the same. */
static struct opening_stream first_openings(struct coevolution *m, int generation)
{
    /* the games of a generation, with one rematch instead of one of each organism, but those against the start */
    const struct recipe *r = &m->recipe;
    const int64_t rematches = (int64_t)rematch_opponents(r) * r->rematch;
    const int64_t usual =
        m->most_games - r->start_games - (r->optimiser.population - 1) * rematches;
    if (r->pairs)
        return (struct opening_stream){m->openings + m->reserved, m->taught, generation * usual, 2};
    book_shuffle(r->seed, (uint64_t)generation, m->taught, m->shuffled);
    for (size_t i = 0; i < m->taught; i++)
        m->shuffled[i] = m->openings[m->reserved + m->shuffled[i]];
    return (struct opening_stream){m->shuffled, m->taught, 0, 1};
}

/* 1: round robin. */
static void add_all_pairs(struct tournament *t)
{
    for (int i = 0; i < t->c->count; i++)
        for (int j = i + 1; j < t->c->count; j++)
            add_games(t, i, j, t->r->games);
}

/* 1: draws the circle; each organism meets half of its neighbours, those that follow it. */
static void add_neighbours(struct tournament *t)
{
    uint32_t *circle = t->m->circle;
    const int count = t->c->count;
    struct stream stream;
    stream_init(&stream, t->r->seed, STREAM_CIRCLE, (uint64_t)t->c->generation, 0);
    stream_permutation(&stream, (size_t)count, circle);
    for (int i = 0; i < count; i++)
        for (int next = 1; next <= t->r->neighbours / 2; next++)
            add_games(t, (int)circle[i], (int)circle[(i + next) % count], t->r->games);
}

/* 1: the pairs play, and the last organism the start, which is generation 0. */
static void add_mates(struct tournament *t)
{
    const struct coevolution *m = t->m;
    const int last = t->c->count - 1;
    if (t->c->generation == 0)
        return;
    for (int i = 0; i < last; i += 2)
        add_games(t, i, i + 1, t->r->games);
    t->openings = (struct opening_stream){m->openings + m->reserved + m->taught, m->started,
                                          (int64_t)t->c->generation * t->r->start_games, 2};
    add_games(t, last, add_entrant(t, PLAYER_CHAMPION, 0, champion(t, 0)), t->r->start_games);
}

/* ---- points ---- */

/* What an organism has of the games that count for it. */
struct standing {
    int64_t points; /* half points */
    int64_t games;
    bool rematched;
};

/* Counts the games from number `first` on for one organism, or for all (`only` < 0). */
static void count_points(const struct tournament *t, int first, int only,
                         struct standing *standings)
{
    for (int n = first; n < t->count; n++)
        for (int side = WHITE; side <= BLACK; side++) {
            const struct game_record *row = &t->games[n].row;
            const struct player_ref player = side == WHITE ? row->white : row->black;
            if (player.kind != PLAYER_ORGANISM || (only >= 0 && player.index != only))
                continue;
            standings[player.index].points += side == WHITE ? row->result : 2 - row->result;
            standings[player.index].games++;
        }
}

/* ---- how much there can be ---- */

int64_t generation_points(const struct coevolution *m)
{
    const struct recipe *r = &m->recipe;
    return 2 * ((int64_t)recipe_opponents(r) * r->games + (int64_t)r->seed_count * r->seed_games +
                (int64_t)r->hall * r->hall_games + (int64_t)rematch_opponents(r) * r->rematch);
}

/* ---- a generation ---- */

/* 1 and 2. */
static bool play_round(struct tournament *t, struct standing *standings)
{
    for (int i = 0; i < t->c->count; i++)
        add_entrant(t, PLAYER_ORGANISM, i, t->c->organisms + coevolution_genes(t->m, i));
    for (int s = 0; s < t->c->seed_count; s++)
        add_entrant(t, PLAYER_SEED, s, t->c->seeds + coevolution_genes(t->m, s));
    (t->r->mates ? add_mates : t->r->neighbours > 0 ? add_neighbours : add_all_pairs)(t);
    /* 2: games with the initial population. */
    for (int s = 0; s < t->c->seed_count && t->r->seed_games > 0; s++)
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, t->c->count + s, t->r->seed_games);
    /* 2: games with the hall of fame: of champions with the same values, the last. */
    const size_t size = coevolution_genes(t->m, 1) * sizeof(int32_t);
    int seated = 0;
    for (int g = t->c->generation - 1; g >= 0 && seated < t->r->hall; g--) {
        int later = g + 1;
        while (later < t->c->generation && memcmp(champion(t, g), champion(t, later), size) != 0)
            later++;
        if (later < t->c->generation)
            continue;
        seated++;
        int entrant = add_entrant(t, PLAYER_CHAMPION, g, champion(t, g));
        for (int i = 0; i < t->c->count; i++)
            add_games(t, i, entrant, t->r->hall_games);
    }
    if (!tournament_play(t, 0))
        return false;
    count_points(t, 0, -1, standings);
    return true;
}

/* 3: until the leader has played its rematch. */
static bool play_rematches(struct tournament *t, struct standing *standings)
{
    for (;;) {
        const int first = t->count;
        int leader = 0; /* with the largest share of its points; the first of equals */
        for (int i = 1; i < t->c->count; i++)
            if (standings[i].points * standings[leader].games >
                standings[leader].points * standings[i].games)
                leader = i;
        if (t->r->rematch == 0 || standings[leader].rematched)
            return true;
        /* Against everyone else whose games count. */
        for (int i = 0; i < t->c->count; i++)
            if (i != leader)
                add_games(t, leader, i, t->r->rematch);
        for (int s = 0; s < t->c->seed_count && t->r->seed_games > 0; s++)
            add_games(t, leader, t->c->count + s, t->r->rematch);
        if (!tournament_play(t, first))
            return false;
        count_points(t, first, leader, standings);
        standings[leader].rematched = true;
    }
}

static bool reserve(struct tournament *t, size_t entrants, int games)
{
    t->room = games;
    t->entrants = calloc(entrants, sizeof *t->entrants);
    t->games = calloc((size_t)games, sizeof *t->games);
    return (t->entrants != NULL && t->games != NULL) ||
           error_set(&t->m->base.failed, "no memory for %d games", games);
}

static void release(struct tournament *t)
{
    free(t->entrants);
    free(t->games);
}

bool generation_compete(struct fitness *f, const struct competition *c, int64_t *values)
{
    struct coevolution *m = (struct coevolution *)f;
    const size_t entrants =
        (size_t)c->count + (size_t)(c->seed_count + m->recipe.hall) + m->recipe.mates;
    struct tournament t = {
        .m = m, .r = &m->recipe, .c = c, .openings = first_openings(m, c->generation)};
    struct standing *standings = calloc((size_t)c->count, sizeof *standings);
    bool done = standings != NULL ? reserve(&t, entrants, (int)m->most_games)
                                  : error_set(&m->base.failed,
                                              "no memory for the games of %d organisms", c->count);
    done = done && play_round(&t, standings) && play_rematches(&t, standings);
    for (int i = 0; done && i < c->count; i++) { /* 4: rounded shares; one half without a game */
        const struct standing *s = &standings[i];
        const int64_t all = generation_points(m);
        values[i] = s->games == 0 ? all / 2 : (s->points * all + s->games) / (2 * s->games);
    }
    free(standings);
    release(&t);
    return done;
}

/* ---- the opponent ---- */

static bool tell_watcher(void *watcher, const struct game_record *game, int total)
{
    fitness_tell_worked(watcher, (int64_t)game->number + 1, total);
    return true;
}

int64_t opponent_points(struct fitness *f, const int32_t *organism,
                        const struct fitness_watcher *watcher)
{
    struct coevolution *m = (struct coevolution *)f;
    struct fitness_watcher told = *watcher;
    const struct competition c = {.stop = told.stop, .played = tell_watcher, .context = &told};
    struct tournament t = {
        .m = m, .r = &m->recipe, .c = &c, .openings = {m->openings, m->reserved, 0, 2}};
    int64_t points = -1;
    if (m->opponent_games > 0 && reserve(&t, 2, m->opponent_games)) {
        add_entrant(&t, PLAYER_ORGANISM, -1, organism);
        add_entrant(&t, PLAYER_OPPONENT, -1, NULL);
        add_games(&t, 0, 1, m->opponent_games);
        points = tournament_play(&t, 0) ? 0 : -1;
    }
    for (int k = 0; k < t.count && points >= 0; k++)
        points += k % 2 == 0 ? t.games[k].row.result : 2 - t.games[k].row.result;
    release(&t);
    return points;
}
