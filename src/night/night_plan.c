#include "night.h"
#include "text_stream.h"

#include <stdio.h>
#include <string.h>

/* ---- dependencies ---- */

/* True if stage `later` takes the result of stage `s`. */
static bool takes(const struct night_stage *later, const struct night_stage *s)
{
    const char *name = s->name;
    for (int i = 0; i < later->player_count; i++)
        if (strcmp(later->players[i].evaluation, name) == 0 ||
            strcmp(later->players[i].search, name) == 0)
            return true;
    return !later->is_match &&
           (strcmp(later->seeds, name) == 0 || strcmp(later->evaluation, name) == 0 ||
            strcmp(later->search, name) == 0 || night_stage_learns(later, s));
}

/* True if the result of `later` depends on stage `s`, directly or through other stages. */
static bool depends_on(const struct night_stage *later, const struct night_stage *s)
{
    for (const struct night_stage *between = s; between < later; between++)
        if (takes(later, between) && (between == s || depends_on(between, s)))
            return true;
    return false;
}

const struct night_stage *night_fed(const struct night_summary *night, const struct night_stage *s)
{
    for (int n = 0; n < night->run_count; n++)
        if (night->runs[n].state != NIGHT_WAITING && takes(night->runs[n].run.stage, s))
            return night->runs[n].run.stage;
    return NULL;
}

/* ---- the request ---- */

/* A plan in progress. */
struct plan {
    struct night_summary *night;
    const struct night_request *request;
    const struct night_stage *again; /* request->again, or NULL */
    bool longer[NIGHT_STAGES];       /* stages that were given more generations or games */
};

static bool find_again(struct plan *p, struct error *err)
{
    const char *name = p->request->again;
    const struct night_recipe *recipe = &p->night->recipe;
    p->again = name == NULL ? NULL : night_stage_find(recipe, name);
    if (name == NULL || (p->again != NULL && !p->again->is_match))
        return true;
    for (int i = 0; p->again != NULL && i < recipe->stage_count; i++)
        if (takes(&recipe->stages[i], p->again))
            return true;
    return p->again == NULL ? night_fail_name(recipe, name, err)
                            : error_set(err,
                                        "no stage begins from the match %s, so it needs no "
                                        "--again; --games gives it more games",
                                        name);
}

static bool is_asked(const struct plan *p, const struct night_run *run)
{
    if (p->again != NULL)
        return run->stage == p->again;
    return p->request->only == NULL || night_run_is_named(run, p->request->only);
}

/* Checks that `only` names a run, and that the stages that it takes results from have ended. */
static bool check_only(const struct plan *p, struct error *err)
{
    const char *only = p->request->only;
    const struct night_run *asked = NULL;
    for (int n = 0; only != NULL && asked == NULL && n < p->night->run_count; n++)
        if (night_run_is_named(&p->night->runs[n].run, only))
            asked = &p->night->runs[n].run;
    if (only == NULL || asked == NULL)
        return only == NULL || night_fail_name(&p->night->recipe, only, err);
    for (int n = 0; n < p->night->run_count; n++)
        if (p->night->runs[n].state < NIGHT_TIME &&
            takes(asked->stage, p->night->runs[n].run.stage))
            return error_set(err,
                             "%s takes the result of %s, which has not ended; resume the night",
                             only, p->night->runs[n].run.name);
    return true;
}

/* ---- more generations, more games ---- */

static bool is_stage_asked(const struct plan *p, const struct night_stage *s)
{
    const char *only = p->request->only;
    return p->again != NULL ? s == p->again : only == NULL || strcmp(only, s->name) == 0;
}

/* True if the request names no stage and is about several of this sort. */
static bool is_one_of_several(const struct plan *p, bool matches)
{
    const struct night_recipe *recipe = &p->night->recipe;
    int count = 0;
    for (int i = 0; i < recipe->stage_count; i++)
        count += recipe->stages[i].is_match == matches;
    return p->request->only == NULL && p->again == NULL && count > 1;
}

/* Gives a stage the number of generations or games that was asked for. */
static bool lengthen_stage(struct plan *p, struct night_stage *s, struct error *err)
{
    const char *what = s->is_match ? "games" : "generations";
    int *now = s->is_match ? &s->games : &s->recipe->generations;
    int asked = s->is_match ? p->request->games : p->request->generations;
    if (asked == 0)
        return true;
    if (asked < *now)
        return error_set(
            err, "%s has %d %s; --%s takes a larger number%s", s->name, *now, what, what,
            is_one_of_several(p, s->is_match) ? "; name the stage, as NIGHT.db#STAGE" : "");
    p->longer[s - p->night->recipe.stages] = asked > *now;
    *now = asked;
    size_t different;
    if (!s->is_match)
        return true;
    return night_book_games(s->openings, &different, err) &&
           ((size_t)s->games <= different ||
            error_set(err, "%s: two players have %zu different games from the openings in %s",
                      s->name, different, s->openings));
}

/* Gives all stages that the request is about more generations or games. Fails if there is none. */
static bool lengthen(struct plan *p, struct error *err)
{
    const struct night_request *r = p->request;
    struct night_recipe *recipe = &p->night->recipe;
    bool evolves = false, plays = false;
    for (int i = 0; i < recipe->stage_count; i++) {
        if (!is_stage_asked(p, &recipe->stages[i]))
            continue;
        evolves = evolves || !recipe->stages[i].is_match;
        plays = plays || recipe->stages[i].is_match;
        if (!lengthen_stage(p, &recipe->stages[i], err))
            return false;
    }
    if (r->generations > 0 && !evolves)
        return error_set(err, "--generations is for a stage that evolves, and for all runs of it: "
                              "name the stage, as NIGHT.db#STAGE");
    return r->games == 0 || plays || error_set(err, "--games is for a match");
}

/* ---- actions ---- */

/* Says that a run cannot go on, since a later stage has begun from it. */
static bool fail_fed(const struct plan *p, const struct night_run *run,
                     const struct night_stage *later, struct error *err)
{
    char anew[256] = "";
    const struct night_recipe *recipe = &p->night->recipe;
    for (int i = 0; i < recipe->stage_count; i++)
        if (depends_on(&recipe->stages[i], run->stage))
            text_add(anew, sizeof anew, "%s%s", anew[0] == '\0' ? "" : ", ",
                     recipe->stages[i].name);
    return error_set(err,
                     "%s has begun from the result of %s; --again %s extends it, and computes %s "
                     "anew%s",
                     later->name, run->stage->name, run->stage->name, anew,
                     is_one_of_several(p, run->stage->is_match)
                         ? "; for another stage alone, name it, as NIGHT.db#STAGE"
                         : "");
}

/* Decides what happens to a run that has ended and that the request is about. */
static bool reopen(const struct plan *p, struct night_run_summary *r, struct error *err)
{
    const struct night_stage *later = night_fed(p->night, r->run.stage);
    const bool longer = p->longer[r->run.stage - p->night->recipe.stages];
    if (!longer && (r->state != NIGHT_TIME || p->request->seconds <= 0))
        return true;
    if (later != NULL && p->again == NULL)
        return (p->request->only == NULL && !longer) || fail_fed(p, &r->run, later, err);
    r->action = NIGHT_REOPENS;
    return true;
}

static bool decide(const struct plan *p, struct night_run_summary *r, struct error *err)
{
    r->action = NIGHT_STAYS;
    if (p->again != NULL && depends_on(r->run.stage, p->again))
        r->action = r->state == NIGHT_WAITING ? NIGHT_GOES_ON : NIGHT_ANEW;
    else if (r->state < NIGHT_TIME)
        r->action = p->again != NULL || is_asked(p, &r->run) ? NIGHT_GOES_ON : NIGHT_STAYS;
    else if (is_asked(p, &r->run))
        return reopen(p, r, err);
    return true;
}

static bool check_again(const struct plan *p, struct error *err)
{
    bool cut = false;
    for (int n = 0; n < p->night->run_count; n++) {
        const struct night_run_summary *r = &p->night->runs[n];
        if (r->run.stage == p->again && r->action != NIGHT_STAYS)
            return true;
        cut = cut || (r->run.stage == p->again && r->state == NIGHT_TIME);
    }
    return error_set(err,
                     cut ? "--again %s needs time: --hours H or --until HH:MM"
                         : "%s is complete; --generations N makes it longer",
                     p->again->name);
}

/* Checks that there is time for what the plan does. */
static bool check_time(const struct plan *p, struct error *err)
{
    bool works = false;
    for (int n = 0; n < p->night->run_count; n++)
        works = works || p->night->runs[n].action != NIGHT_STAYS;
    return !works || p->request->seconds > 0 || p->night->given > p->night->spent ||
           error_set(err,
                     "the time of the night is over; --hours H or --until HH:MM gives it more");
}

bool night_plan(struct night_summary *night, const struct night_request *request, struct error *err)
{
    struct plan p = {.night = night, .request = request};
    if (!find_again(&p, err) || !check_only(&p, err) || !lengthen(&p, err))
        return false;
    for (int n = 0; n < night->run_count; n++)
        if (!decide(&p, &night->runs[n], err))
            return false;
    return (p.again == NULL || check_again(&p, err)) && check_time(&p, err);
}
