#include "night.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A night being fitted. */
struct fitting {
    struct night_recipe *recipe;
    double seconds;
    struct night_need *needs;
    struct night_fit *fit;
};

__attribute__((format(printf, 2, 3))) static void note(struct fitting *f, const char *format, ...)
{
    va_list arguments;
    if (f->fit->count == NIGHT_FIT_NOTES)
        return;
    va_start(arguments, format);
    vsnprintf(f->fit->notes[f->fit->count++], NIGHT_FIT_NOTE, format, arguments);
    va_end(arguments);
}

static double share_of(const struct fitting *f, const struct night_stage *stage)
{
    double shares = 0;
    for (int i = 0; i < f->recipe->stage_count; i++)
        shares += f->recipe->stages[i].share;
    return f->seconds * stage->share / shares / night_stage_runs(stage);
}

static double need_of(const struct fitting *f, int i)
{
    return f->needs[i].data + f->needs[i].seconds;
}

/* Takes runs from a stage of several. False if it has only one. */
static bool drop_runs(struct fitting *f, int i)
{
    struct night_stage *s = &f->recipe->stages[i];
    const int before = night_stage_runs(s);
    const double held = floor(share_of(f, s) * before / need_of(f, i));
    if (before == 1)
        return false;
    s->runs = held > 1 ? (int)held : 1;
    note(f, "%s has %d of its %d runs: each needs %.1f s", s->name, s->runs, before, need_of(f, i));
    return true;
}

/* True if the runs of a stage may stand for another that begins from them, and from whose games none learns. */
static bool may_stand(const struct fitting *f, const struct night_stage *out)
{
    const struct night_stage *earlier = night_stage_find(f->recipe, out->seeds);
    for (int i = 0; earlier != NULL && i < f->recipe->stage_count; i++) {
        const struct night_stage *s = &f->recipe->stages[i];
        if (night_stage_learns(s, out) ||
            (strcmp(s->seeds, out->name) == 0 &&
             night_stage_runs(earlier) > s->recipe->optimiser.population))
            return false;
    }
    return earlier != NULL;
}

/* Reduces a number that a run's time is in proportion to, as far as needed and not below `least`. False if
 * it cannot be reduced, or does not help and the stage can be left out. */
static bool reduce(struct fitting *f, int i, int64_t *number, int64_t least, const char *what)
{
    const struct night_stage *s = &f->recipe->stages[i];
    struct night_need *need = &f->needs[i];
    const int64_t before = *number;
    const double room = share_of(f, s) - need->data;
    const double held = floor((double)before * room / need->seconds);
    if (before <= least || (held < (double)least && may_stand(f, s)))
        return false;
    note(f, "%s has %" PRId64 " of its %" PRId64 " %s: all need %.1f s", s->name,
         held > (double)least ? (int64_t)held : least, before, what, need_of(f, i));
    *number = held > (double)least ? (int64_t)held : least;
    need->seconds *= (double)*number / (double)before;
    return true;
}

/* Takes nodes or positions from a run. False if it cannot do with fewer. */
static bool drop_work(struct fitting *f, int i)
{
    struct recipe *r = f->recipe->stages[i].recipe;
    int64_t nodes = r->limit, *positions = &f->needs[i].positions;
    if (recipe_is_timed(r) || r->depth > 0 || r->batch > 0)
        return false;
    if (r->measure == MEASURE_NODES_TO_SOLUTION || r->measure == MEASURE_GAMES) {
        const bool reduced = reduce(f, i, &nodes, NIGHT_FEWEST_NODES, "nodes");
        r->limit = (int)nodes;
        return reduced;
    }
    if (!reduce(f, i, positions, NIGHT_FEWEST_POSITIONS, "positions"))
        return false;
    r->first = (int)*positions * (r->split == SPLIT_HALVES ? 2 : 1);
    return true;
}

/* Replaces the name of a stage. */
static void rename_stage(char *name, size_t room, const struct night_stage *from)
{
    if (strcmp(name, from->name) == 0)
        snprintf(name, room, "%s", from->seeds);
}

/* Removes the players of a match that are equal to an earlier one, as long as two are left. */
static void remove_equal_players(struct night_stage *match)
{
    for (int b = 1; b < match->player_count && match->player_count > 2; b++)
        for (int a = 0; a < b; a++) {
            const struct night_player *x = &match->players[a], *y = &match->players[b];
            if (strcmp(x->evaluation, y->evaluation) != 0 || strcmp(x->search, y->search) != 0)
                continue;
            match->player_count--;
            memmove(&match->players[b], &match->players[b + 1],
                    (size_t)(match->player_count - b) * sizeof *match->players);
            b--;
            break;
        }
}

/* Puts the earlier stage in the place of one that is left out. */
static void replace_stage(struct night_recipe *recipe, const struct night_stage *out)
{
    for (int i = 0; i < recipe->stage_count; i++) {
        struct night_stage *s = &recipe->stages[i];
        rename_stage(s->seeds, sizeof s->seeds, out);
        rename_stage(s->evaluation, sizeof s->evaluation, out);
        rename_stage(s->search, sizeof s->search, out);
        for (int p = 0; p < s->player_count; p++) {
            rename_stage(s->players[p].evaluation, sizeof s->players[p].evaluation, out);
            rename_stage(s->players[p].search, sizeof s->players[p].search, out);
        }
        remove_equal_players(s);
    }
}

/* Leaves out a stage that begins from an earlier one. False if it does not. */
static bool leave_out(struct fitting *f, int i)
{
    struct night_recipe *recipe = f->recipe;
    const struct night_stage out = recipe->stages[i];
    if (!may_stand(f, &out))
        return false;
    note(f, "%s is left out, and %s stands for it: a generation needs %.1f s, its share is %.1f s",
         out.name, out.seeds, need_of(f, i), share_of(f, &out));
    replace_stage(recipe, &out);
    free(out.recipe);
    recipe->stage_count--;
    const size_t after = (size_t)(recipe->stage_count - i);
    memmove(&recipe->stages[i], &recipe->stages[i + 1], after * sizeof out);
    memmove(&f->needs[i], &f->needs[i + 1], after * sizeof *f->needs);
    return true;
}

void night_fit(struct night_recipe *recipe, double seconds, struct night_need needs[NIGHT_STAGES],
               struct night_fit *fit)
{
    struct fitting f = {recipe, seconds, needs, fit};
    *fit = (struct night_fit){0};
    for (int i = 0; i < recipe->stage_count; i++)
        if (need_of(&f, i) > share_of(&f, &recipe->stages[i]) &&
            (drop_runs(&f, i) || drop_work(&f, i) || leave_out(&f, i)))
            i = -1; /* the shares may have changed */
    for (int i = 0; i < recipe->stage_count; i++)
        fit->least += need_of(&f, i) * night_stage_runs(&recipe->stages[i]);
}
