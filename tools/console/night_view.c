#include "run_view.h"

#include "command.h"
#include "comparison.h"
#include "night_games.h"
#include "night_match.h"
#include "outcome.h"
#include "report_file.h"
#include "report_page.h"
#include "source.h"
#include "trust.h"
#include "verdict.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

struct night_view {
    struct run_view *view; /* of the whole night */
    const char *last_head; /* the stage whose head was printed last */
    bool limited;          /* the night has a time limit: a new one, or the one it had */
    bool whole;            /* no stage was asked for by name */
    struct run_view stage; /* of the current run */
    struct run_observer observer;
    int code; /* the exit code, when the night is over */
};

/* ---- while it runs ---- */

static void after_game(void *context, const struct run_progress *p)
{
    struct night_view *n = context;
    char note[FORMAT_MAX];
    snprintf(note, sizeof note, "pairing %d", p->generation + 1);
    if (n->stage.progress.unit == NULL)
        progress_begin(&n->stage.progress, "game", p->done - 1);
    progress_show(&n->stage.progress, p->done, p->total, note);
}

/* Prints the stages that the plan gives an action to, after a word: "goes on  match, search". */
static void print_stages(const struct night_summary *night, const char *word,
                         enum night_action action)
{
    const struct night_stage *last = NULL;
    for (int n = 0; n < night->run_count; n++) {
        const struct night_run_summary *r = &night->runs[n];
        if (r->action != action || r->run.stage == last)
            continue;
        printf("%s%s", last == NULL ? word : ", ", r->run.stage->name);
        last = r->run.stage;
    }
    if (last != NULL)
        putchar('\n');
}

/* Prints what the night does with runs that had ended. */
static void planned(void *context, const struct night_summary *night)
{
    struct night_view *n = context;
    n->limited = n->view->seconds > 0 ? n->view->seconds < 3600 * NIGHT_UNLIMITED_HOURS
                                      : night_is_limited(night);
    run_view_print_until(n->view);
    print_stages(night, "reopens  ", NIGHT_REOPENS);
    print_stages(night, "anew     ", NIGHT_ANEW);
    const struct night_stage *last = NULL;
    for (int i = 0; n->whole && n->view->seconds > 0 && i < night->run_count; i++) {
        /* Each stage that ended by its time and stays so, and why it does. */
        const struct night_run_summary *r = &night->runs[i];
        const struct night_stage *later = night_fed(night, r->run.stage);
        if (r->action == NIGHT_STAYS && r->state == NIGHT_TIME && later != NULL &&
            r->run.stage != last)
            printf("stays    %s, as %s began from it (--again %s extends it)\n", r->run.stage->name,
                   later->name, r->run.stage->name);
        last = r->run.stage;
    }
    fflush(stdout);
}

static const struct run_observer *begins(void *context, const struct night_run *run, double seconds)
{
    struct night_view *n = context;
    struct error err;
    char text[FORMAT_MAX];
    bool brief = n->last_head == run->stage->name;
    printf("%sstage    %s", brief ? "" : "\n", run->name);
    if (n->limited && seconds > 0)
        printf(": %s at most", format_duration(seconds, text));
    else if (n->limited)
        fputs(": no time is left for it", stdout);
    putchar('\n');
    n->last_head = run->stage->name;
    run_view_start_page(n->view);
    n->stage =
        (struct run_view){.store_path = run->path,
                          .threads = n->view->threads,
                          .brief = brief,
                          .deadline = n->limited ? (int64_t)time(NULL) + (int64_t)seconds : 0,
                          .stop = n->view->stop};
    n->observer = run_view_observer(&n->stage);
    if (run->stage->is_match) {
        n->observer =
            (struct run_observer){.context = n, .progress = after_game, .stop = n->view->stop};
        printf("measure  %d games a pairing at %d nodes a move\n", run->stage->games,
               run->stage->limit);
    } else
        progress_wait(&n->stage.progress, "reading the data");
    fflush(stdout);
    interrupt_take_alarm(); /* discards an alarm of the run before, which is complete */
    if (n->limited && *n->view->stop == 0 &&
        !(n->view->end > 0 ? interrupt_at((double)time(NULL) + seconds, &err)
                           : interrupt_in(seconds, &err)))
        fprintf(stderr, "grayling: %s\n", err.text);
    return &n->observer;
}

static void overtime(void *context, const struct night_run *run)
{
    struct night_view *n = context;
    progress_end(&n->stage.progress);
    printf("  the time of %s is up; it continues to %s\n", run->name,
           run->stage->is_match ? "the first games of each pairing" : "the end of a generation");
    fflush(stdout);
}

static void ends(void *context, const struct night_run *run, bool complete)
{
    struct night_view *n = context;
    struct run_summary s;
    char text[FORMAT_MAX];
    progress_end(&n->stage.progress);
    printf("  %s\n", complete ? "complete" : "ended by its time");
    if (!run->stage->is_match && run_summary_read(run->path, &s, NULL)) {
        const struct verdict verdict = verdict_of(&s);
        printf("  generation  %s\n", format_generation(s.generation, s.recipe.generations, text));
        result_lines(stdout, &s, 12);
        if (verdict.text[0] != '\0')
            printf("  %s\n", verdict.text);
        run_summary_free(&s);
    }
    fflush(stdout);
}

static bool time_up(void *context)
{
    (void)context;
    return interrupt_take_alarm();
}

/* ---- the outcome ---- */

/* Lists the files of the outcome: of each stage its parameters, or those of a match; and the page. */
static bool list_outcome(const struct run_view *view, const struct night_recipe *recipe,
                         struct outcome *o, struct error *err)
{
    o->count = 0;
    for (int i = 0; i < recipe->stage_count; i++) {
        const struct night_stage *stage = &recipe->stages[i];
        if (!stage->is_match &&
            !outcome_path_of_stage(view->store_path, stage, o->paths[o->count++], err))
            return false;
        for (enum night_games_file f = 0; f < NIGHT_GAMES_FILES; f++)
            if (night_games_makes(recipe, stage, f) &&
                !night_games_path(view->store_path, stage, f, o->paths[o->count++], err))
                return false;
    }
    return outcome_path(view->store_path, ".html", o->paths[o->count++], err);
}

/* "evolved - paper   +61.2  (+40.1 to +83.0)  1000 games: +480 =214 -306" for each pairing. */
bool night_view_print_match(const struct night_run *run, struct error *err)
{
    int count;
    struct table t;
    struct night_pairing *pairings = night_match_read(run, &count, err);
    if (pairings == NULL)
        return false;
    printf("\n%s: games at %d nodes a move, Elo with 95 %% intervals\n", run->name,
           run->stage->limit);
    table_begin(&t, "<0|>1|>2|<3");
    for (int i = 0; i < count; i++) {
        const struct match_counts *c = &pairings[i].counts;
        const struct elo_estimate e = elo_estimate(c);
        const int64_t games = match_counts_games(c);
        char text[COUNTED_MAX];
        fprintf(t.rows, "  %20s - %-20s\t", run->stage->players[pairings[i].a].name,
                run->stage->players[pairings[i].b].name);
        if (games == 0)
            fputs("not played\n", t.rows);
        else if (!isfinite(e.elo_margin))
            fputs("not known yet\t", t.rows);
        else
            fprintf(t.rows, "%+.1f\t(%+.1f to %+.1f)", e.elo, e.elo_low, e.elo_high);
        if (games > 0)
            fprintf(t.rows, "\t%s: +%" PRId64 " =%" PRId64 " -%" PRId64 "\n",
                    format_things(games, "game", text), c->wins, c->draws, c->losses);
    }
    table_end(&t, stdout);
    free(pairings);
    return true;
}

static void print_state(const struct night_summary *night)
{
    const char *what = comparison_or_night(&night->recipe);
    const char *open = NULL;
    bool cut = false;
    for (int n = 0; n < night->run_count; n++) {
        open = open == NULL && night->runs[n].state < NIGHT_TIME ? night->runs[n].run.name : open;
        cut = cut || night->runs[n].state == NIGHT_TIME;
    }
    if (open != NULL)
        printf("\nthe %s is not complete: it goes on with %s\n", what, open);
    else
        printf("\nthe %s is %s\n", what,
               cut ? "over; 'resume --hours H' gives it more time" : "complete");
}

/* Prints in a sentence what the night has come to: what its last match says, else what the last stage that
 * evolved has gained. */
static void print_headline(const struct run_view *view)
{
    struct night_report report;
    struct error err;
    char text[NIGHT_HEADLINE];
    if (!night_report_read(view->store_path, NULL, &report, &err))
        return; /* the page tells why */
    night_headline(&report, text);
    for (int i = report.night.recipe.stage_count - 1; i >= 0 && text[0] == '\0'; i--) {
        const struct night_report_stage *s = &report.stages[i];
        if (!s->stage->is_match && s->taken >= 0)
            snprintf(text, sizeof text, "%s", verdict_of(&s->summaries[s->taken]).text);
    }
    if (text[0] != '\0')
        printf("\n%s\n", text);
    night_report_free(&report);
}

/* Writes the parameters of each stage that evolved and the page, and prints the table of each
 * match. Reports what fails, and does the rest all the same. */
static int report(const struct run_view *view)
{
    struct night_summary night;
    struct outcome_line lines[OUTCOME_LINES];
    struct error err;
    char page[OUTCOME_PATH];
    if (!night_summary_read(view->store_path, &night, &err))
        return command_fail(EXIT_FAILED, &err);
    print_headline(view);
    print_state(&night);
    int code = EXIT_DONE;
    for (int i = 0; i < night.recipe.stage_count; i++) {
        const struct night_stage *stage = &night.recipe.stages[i];
        if (!night_has_ended(&night, stage))
            continue;
        char best[NIGHT_PATH];
        struct run_summary s = {.rows = NULL};
        if (!stage->is_match && (!outcome_path_of_stage(view->store_path, stage, page, &err) ||
                                 !night_best_run(view->store_path, stage, best, &err) ||
                                 !run_summary_read(best, &s, &err) ||
                                 !outcome_make(view->store_path, page, view->force, "parameters",
                                               outcome_print_values, &s, &err)))
            code = command_fail(EXIT_FAILED, &err);
        run_summary_free(&s);
        /* The night has written the games; the file may have been moved since. */
        if (night_games_makes(&night.recipe, stage, NIGHT_PGN) &&
            night_games_path(view->store_path, stage, NIGHT_PGN, page, NULL) &&
            access(page, F_OK) == 0)
            outcome_tell("games", page);
    }
    if (!outcome_path(view->store_path, ".html", page, &err) ||
        !outcome_make(view->store_path, page, view->force, "report", report_file_print,
                      view->store_path, &err))
        code = command_fail(EXIT_FAILED, &err);
    for (int i = 0; i < night.run_count; i++)
        if (night.runs[i].run.stage->is_match && night.runs[i].state != NIGHT_WAITING &&
            !night_view_print_match(&night.runs[i].run, &err))
            code = command_fail(EXIT_FAILED, &err);
    const int count = outcome_words_of_night(view->store_path, &night.recipe, lines);
    fputs(count > 0 ? "\n" : "", stdout);
    outcome_tell_lines(lines, count);
    night_summary_free(&night);
    fflush(stdout);
    return code;
}

static void over(void *context, enum run_end end, const struct error *reason)
{
    struct night_view *n = context;
    progress_end(&n->stage.progress);
    live_page_stop(&n->view->page);
    n->code = run_view_over(n->view, end, reason, report);
}

/* ---- commands ---- */

static struct night_observer observer_of(struct night_view *n)
{
    return (struct night_observer){.context = n,
                                   .stop = n->view->stop,
                                   .until = n->view->end,
                                   .planned = planned,
                                   .begins = begins,
                                   .overtime = overtime,
                                   .ends = ends,
                                   .time_up = time_up,
                                   .over = over};
}

/* Checks everything that may refuse a night whose recipe is read: the outcome would replace nothing that the night
 * reads, and each stage would begin. The time counts from then on. */
static bool check_night(const char *recipe_path, struct night_recipe *recipe, struct run_view *view,
                        const struct outcome *o, struct error *err)
{
    bool good = trust_night(recipe, err) && run_view_seconds(view, err) &&
                outcome_spares(o, "recipe", recipe_path, err);
    for (int i = 0; good && i < recipe->stage_count; i++)
        good = outcome_spares(o, "recipe", recipe->stages[i].source, err);
    if (!good || !night_recipe_each_file(recipe, outcome_spares_file, (void *)(uintptr_t)o, err) ||
        !store_available(view->store_path, view->force, err) || !run_view_check(view, o, err))
        return false;
    progress_wait(&view->progress, "checking the stages");
    if (view->dry_run && !view->progress.terminal)
        fputs("checking the stages\n", stderr);
    good = night_check_stages(recipe, view->threads, err);
    progress_end(&view->progress);
    return good && run_view_seconds(view, err);
}

static int begin(const char *recipe_path, struct night_recipe *recipe, struct run_view *view)
{
    struct night_view n = {.view = view};
    struct error err = {""};
    char stages[COUNTED_MAX];
    struct outcome o;
    run_view_name(view, recipe->name, recipe->seed);
    if (!list_outcome(view, recipe, &o, &err) || !check_night(recipe_path, recipe, view, &o, &err))
        return command_fail(EXIT_BAD, &err);
    view->stop = interrupt_watch_output();
    printf("%-8s %s: a %s of %s, recipe %s, seed %" PRIu64 "\n", view->dry_run ? "run" : "starts",
           view->store_path, comparison_or_night(recipe),
           format_things(recipe->stage_count, "stage", stages), recipe->name, recipe->seed);
    if (view->dry_run) {
        run_view_print_files(view, &o);
        return dry_run_night(recipe, view);
    }
    const int fitted = dry_run_fit(recipe, view);
    if (fitted != EXIT_DONE)
        return fitted;
    const struct night_observer observer = observer_of(&n);
    enum run_end end = night_evolve(recipe, view->store_path, view->force, view->seconds,
                                    view->threads, &observer, &err);
    return end == RUN_REFUSED ? command_fail(EXIT_BAD, &err) : run_view_close(view, n.code);
}

int night_view_evolve(const char *recipe_path, const char *const *settings, int setting_count,
                      struct run_view *view)
{
    struct night_recipe recipe;
    struct error err = {""};
    if (!night_recipe_read(recipe_path, settings, setting_count, &recipe, &err))
        return command_fail(EXIT_BAD, &err);
    int code = begin(recipe_path, &recipe, view);
    night_recipe_free(&recipe);
    return code;
}

int night_view_resume(struct run_view *view, const struct night_request *asked)
{
    struct night_view n = {.view = view, .whole = asked->only == NULL};
    struct night_request request = *asked;
    struct error err = {""};
    struct night_summary night;
    struct outcome o;
    bool good = night_summary_read(view->store_path, &night, &err);
    if (good) {
        good = trust_night(&night.recipe, &err) && list_outcome(view, &night.recipe, &o, &err) &&
               run_view_check(view, &o, &err);
        night_summary_free(&night);
    }
    if (!good || !run_view_seconds(view, &err))
        return command_fail(EXIT_BAD, &err);
    view->stop = interrupt_watch_output();
    request.seconds = view->seconds;
    printf("resumes  %s%s%s\n", view->store_path, request.only == NULL ? "" : "#",
           request.only == NULL ? "" : request.only);
    const struct night_observer observer = observer_of(&n);
    enum run_end end = night_resume(view->store_path, &request, view->threads, &observer, &err);
    return end == RUN_REFUSED ? command_fail(EXIT_BAD, &err) : run_view_close(view, n.code);
}
