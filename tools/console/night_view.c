#include "night_view.h"

#include "command.h"
#include "comparison.h"
#include "dry_run.h"
#include "foreign_text.h"
#include "format.h"
#include "interrupt.h"
#include "night.h"
#include "night_games.h"
#include "night_match.h"
#include "report_page.h"
#include "outcome.h"
#include "params_file.h"
#include "paths.h"
#include "report_file.h"
#include "result_lines.h"
#include "outcome_words.h"
#include "source.h"
#include "terminal.h"
#include "trust.h"
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A night, with the options of its command. */
struct night_view {
    struct run_view *view; /* of the whole night */
    const char *last_head; /* the stage whose head was printed last */
    bool limited;          /* the night has a time limit: a new one, or the one it had */
    bool whole;            /* no stage was asked for by name */
    struct run_view stage; /* of the current run */
    struct run_observer observer;
    char stage_path[NIGHT_PATH];
    int code; /* the exit code, when the night is over */
};

/* ---- while it runs ---- */

/* Shows the progress of a match: games played of all games. */
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

/* Says of each stage that ended by its time and stays so, why it does. */
static void print_fed(const struct night_summary *night)
{
    const struct night_stage *last = NULL;
    for (int n = 0; n < night->run_count; n++) {
        const struct night_run_summary *r = &night->runs[n];
        const struct night_stage *later = night_fed(night, r->run.stage);
        if (r->action == NIGHT_STAYS && r->state == NIGHT_TIME && later != NULL &&
            r->run.stage != last)
            printf("stays    %s, as %s began from it (--again %s extends it)\n", r->run.stage->name,
                   later->name, r->run.stage->name);
        last = r->run.stage;
    }
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
    if (n->whole && n->view->seconds > 0)
        print_fed(night);
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
    snprintf(n->stage_path, sizeof n->stage_path, "%s", run->path);
    run_view_start_page(n->view);
    n->stage =
        (struct run_view){.store_path = n->stage_path,
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

/* Prints the result of a run that evolves. */
static void print_outcome(const struct night_run *run)
{
    struct run_summary s;
    struct error err;
    char text[FORMAT_MAX];
    if (!run_summary_read(run->path, &s, &err))
        return;
    printf("  generation  %s\n", format_generation(s.generation, s.recipe.generations, text));
    result_lines(stdout, &s, 12);
    const struct verdict verdict = verdict_of(&s);
    if (verdict.text[0] != '\0')
        printf("  %s\n", verdict.text);
    run_summary_free(&s);
}

static void ends(void *context, const struct night_run *run, bool complete)
{
    struct night_view *n = context;
    progress_end(&n->stage.progress);
    printf("  %s\n", complete ? "complete" : "ended by its time");
    if (!run->stage->is_match)
        print_outcome(run);
    fflush(stdout);
}

static bool time_up(void *context)
{
    (void)context;
    return interrupt_take_alarm();
}

/* ---- the outcome ---- */

/* The file of a stage's parameters: NIGHT-stage.yaml. */
static bool stage_path(const char *night, const struct night_stage *stage, char path[OUTCOME_PATH],
                       struct error *err)
{
    char ending[STORE_STAGE + 8];
    snprintf(ending, sizeof ending, "-%s.yaml", stage->name);
    return outcome_path(night, ending, path, err);
}

/* The files of a stage: its parameters, or those of a match. */
struct stage_files {
    char paths[NIGHT_GAMES_FILES][OUTCOME_PATH];
    int count;
};

static bool list_files(const struct run_view *view, const struct night_recipe *recipe,
                       const struct night_stage *stage, struct stage_files *files,
                       struct error *err)
{
    files->count = 0;
    if (!stage->is_match)
        return stage_path(view->store_path, stage, files->paths[files->count++], err);
    for (int f = 0; f < NIGHT_GAMES_FILES; f++)
        if (night_games_makes(recipe, stage, (enum night_games_file)f) &&
            !night_games_path(view->store_path, stage, (enum night_games_file)f,
                              files->paths[files->count++], err))
            return false;
    return true;
}

/* Checks that the files of a stage can be written, and that the live page is none of them. */
static bool check_stage(const struct run_view *view, const struct night_recipe *recipe,
                        const struct night_stage *stage, struct error *err)
{
    struct stage_files files;
    bool good = list_files(view, recipe, stage, &files, err);
    for (int f = 0; good && f < files.count; f++)
        good = outcome_check(view->store_path, files.paths[f], view->force, err) &&
               live_page_is_apart(&view->page, files.paths[f], err);
    return good;
}

/* Checks that the night's outcome can be written. Call it before the night starts. */
static bool check_outcome(const struct run_view *view, const struct night_recipe *recipe,
                          struct error *err)
{
    char path[OUTCOME_PATH];
    for (int i = 0; i < recipe->stage_count; i++)
        if (!check_stage(view, recipe, &recipe->stages[i], err))
            return false;
    return outcome_path(view->store_path, ".html", path, err) &&
           outcome_check(view->store_path, path, view->force, err) &&
           live_page_check(&view->page, view->store_path, view->force, err);
}

/* Checks that a file of the outcome is nothing that the night reads. */
static bool spares_inputs(char path[OUTCOME_PATH], const char *recipe_path,
                          struct night_recipe *recipe, struct error *err)
{
    bool good = outcome_spares(path, "recipe", recipe_path, err);
    for (int i = 0; good && i < recipe->stage_count; i++)
        good = outcome_spares(path, "recipe", recipe->stages[i].source, err);
    return good && night_recipe_each_file(recipe, outcome_spares_file, path, err);
}

/* Checks that the outcome would replace nothing that the night reads (outcome.h). */
static bool check_inputs(const struct run_view *view, const char *recipe_path,
                         struct night_recipe *recipe, struct error *err)
{
    char page[OUTCOME_PATH];
    struct stage_files files;
    bool good = true;
    for (int i = 0; good && i < recipe->stage_count; i++) {
        good = list_files(view, recipe, &recipe->stages[i], &files, err);
        for (int f = 0; good && f < files.count; f++)
            good = spares_inputs(files.paths[f], recipe_path, recipe, err);
    }
    return good && outcome_path(view->store_path, ".html", page, err) &&
           spares_inputs(page, recipe_path, recipe, err);
}

/* Prints the names of the files that the night would write. */
static void print_files(const struct run_view *view, const struct night_recipe *recipe)
{
    char path[OUTCOME_PATH];
    struct stage_files files;
    printf("writes   %s\n", shown_text(view->store_path));
    for (int i = 0; i < recipe->stage_count; i++)
        if (list_files(view, recipe, &recipe->stages[i], &files, NULL))
            for (int f = 0; f < files.count; f++)
                printf("         %s\n", shown_text(files.paths[f]));
    if (outcome_path(view->store_path, ".html", path, NULL))
        printf("         %s\n", shown_text(path));
}

/* Writes the best organism of a stage beside the night. */
static bool write_stage(const struct run_view *view, const struct night_stage *stage,
                        struct error *err)
{
    char best[NIGHT_PATH], path[OUTCOME_PATH];
    struct run_summary s;
    if (!stage_path(view->store_path, stage, path, err) ||
        !outcome_check(view->store_path, path, view->force, err) ||
        !night_best_run(view->store_path, stage, best, err) || !run_summary_read(best, &s, err))
        return false;
    bool written = outcome_write(view->store_path, path, outcome_print_values, &s, err);
    run_summary_free(&s);
    if (written)
        outcome_tell("parameters", path);
    return written;
}

/* Tells where the games of a match are, if it keeps them; the night has written them. The file may
 * have been moved since. */
static void tell_games(const struct run_view *view, const struct night_recipe *recipe,
                       const struct night_stage *match)
{
    char path[OUTCOME_PATH];
    if (night_games_makes(recipe, match, NIGHT_PGN) &&
        night_games_path(view->store_path, match, NIGHT_PGN, path, NULL) && access(path, F_OK) == 0)
        outcome_tell("games", path);
}

/* Writes the night's page beside the night. */
static bool write_page(const struct run_view *view, struct error *err)
{
    char path[OUTCOME_PATH];
    if (!outcome_path(view->store_path, ".html", path, err) ||
        !outcome_check(view->store_path, path, view->force, err) ||
        !outcome_write(view->store_path, path, report_file_print, view->store_path, err))
        return false;
    outcome_tell("report", path);
    return true;
}

/* "evolved - paper   +61.2  (+40.1 to +83.0)  1000 games: +480 =214 -306". */
static void print_pairing(FILE *out, const struct night_stage *stage,
                          const struct night_pairing *pairing)
{
    const struct match_counts *c = &pairing->counts;
    const struct elo_estimate e = elo_estimate(c);
    char text[COUNTED_MAX];
    int64_t games = c->wins + c->draws + c->losses;
    fprintf(out, "  %20s - %-20s " COLUMN(1), stage->players[pairing->a].name,
            stage->players[pairing->b].name);
    if (games == 0)
        fputs("not played\n", out);
    else if (!isfinite(e.elo_margin))
        fprintf(out, "not known yet  %s: +%" PRId64 " =%" PRId64 " -%" PRId64 "\n",
                format_things(games, "game", text), c->wins, c->draws, c->losses);
    else
        fprintf(out,
                "%+7.1f" COLUMN(2) "  (%+.1f to %+.1f)" COLUMN(3) "  %s: +%" PRId64 " =%" PRId64
                                                                  " -%" PRId64 "\n",
                e.elo, e.elo_low, e.elo_high, format_things(games, "game", text), c->wins, c->draws,
                c->losses);
}

/* The table of a match. */
struct pairings {
    const struct night_stage *stage;
    const struct night_pairing *pairings;
    int count;
};

static void print_pairings(FILE *out, const void *context)
{
    const struct pairings *p = context;
    for (int i = 0; i < p->count; i++)
        print_pairing(out, p->stage, &p->pairings[i]);
}

bool night_view_print_match(const struct night_run *run, struct error *err)
{
    int count;
    struct night_pairing *pairings = night_match_read(run, &count, err);
    if (pairings == NULL)
        return false;
    printf("\n%s: games at %d nodes a move, Elo with 95 %% intervals\n", run->name,
           run->stage->limit);
    terminal_table(stdout, print_pairings, &(struct pairings){run->stage, pairings, count});
    free(pairings);
    return true;
}

/* Prints how far the night is. */
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

/* Prints the lines that play with what the night leads to, and that confirm it, if both halves are of stages:
 * their files are written. */
static void print_next(const struct run_view *view, const struct night_recipe *recipe)
{
    const struct night_stage *match = NULL;
    char paths[2][OUTCOME_PATH], directory[PATH_SIZE];
    for (int i = 0; i < recipe->stage_count; i++)
        match = recipe->stages[i].is_match ? &recipe->stages[i] : match;
    if (match == NULL || !path_directory(view->store_path, directory, NULL))
        return;
    const struct night_player *p = &match->players[night_final_player(recipe, match)];
    const struct night_stage *of[2] = {night_stage_find(recipe, p->evaluation),
                                       night_stage_find(recipe, p->search)};
    for (int half = 0; half < 2; half++)
        if (of[half] == NULL || !stage_path(view->store_path, of[half], paths[half], NULL))
            return;
    const char *eval = path_name(paths[0]), *search = path_name(paths[1]);
    char d[SHELL_WORD];
    snprintf(d, sizeof d, "%s", shown_text(directory));
    printf("\nplays it:    setoption name EvalFile value %s/%s\n", d, shown_text(eval));
    printf("             setoption name SearchFile value %s/%s\n", d, shown_text(search));
    printf("confirms it: grayling match %s/%s,%s/%s default --sprt 0,5\n", d, shown_text(eval), d,
           shown_text(search));
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
    struct error err;
    if (!night_summary_read(view->store_path, &night, &err))
        return command_fail(EXIT_FAILED, &err);
    print_headline(view);
    print_state(&night);
    int code = EXIT_DONE;
    for (int i = 0; i < night.recipe.stage_count; i++) {
        const struct night_stage *stage = &night.recipe.stages[i];
        if (!night_has_ended(&night, stage))
            continue;
        if (stage->is_match)
            tell_games(view, &night.recipe, stage);
        else if (!write_stage(view, stage, &err))
            code = command_fail(EXIT_FAILED, &err);
    }
    if (!write_page(view, &err))
        code = command_fail(EXIT_FAILED, &err);
    for (int i = 0; i < night.run_count; i++)
        if (night.runs[i].run.stage->is_match && night.runs[i].state != NIGHT_WAITING &&
            !night_view_print_match(&night.runs[i].run, &err))
            code = command_fail(EXIT_FAILED, &err);
    print_next(view, &night.recipe);
    night_summary_free(&night);
    fflush(stdout);
    return code;
}

static int finish_night(struct night_view *n, enum run_end end, const struct error *reason)
{
    int code = EXIT_INTERRUPTED;
    char command[RESUME_WORDS];
    if (end == RUN_FAILED)
        code = command_fail(EXIT_FAILED, reason);
    else if (end == RUN_STOPPED)
        fputs("grayling: interrupted; all measurements are saved\n", stderr);
    else
        code = report(n->view);
    if (end != RUN_COMPLETE && access(n->view->store_path, F_OK) == 0)
        fprintf(stderr, "continue with: %s\n",
                resume_words(command_program(), n->view->store_path, command));
    return code;
}

static void over(void *context, enum run_end end, const struct error *reason)
{
    struct night_view *n = context;
    progress_end(&n->stage.progress);
    live_page_stop(&n->view->page);
    n->code = finish_night(n, end, reason);
}

/* Returns the exit code of the command. */
static int finish(const struct night_view *n, enum run_end end, const struct error *reason)
{
    return end == RUN_REFUSED ? command_fail(EXIT_BAD, reason)
                              : run_view_close(n->view, end, n->code);
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

/* Checks everything that may refuse a night whose recipe is read. Its time counts from then on. */
static bool check_night(const char *recipe_path, struct night_recipe *recipe, struct run_view *view,
                        struct error *err)
{
    if (!trust_night(recipe, err) || !run_view_seconds(view, err) ||
        !check_inputs(view, recipe_path, recipe, err) ||
        !store_available(view->store_path, view->force, err) || !check_outcome(view, recipe, err))
        return false;
    progress_wait(&view->progress, "checking the stages");
    if (view->dry_run && !view->progress.terminal)
        fputs("checking the stages\n", stderr);
    const bool good = night_check_stages(recipe, view->threads, err);
    progress_end(&view->progress);
    return good && run_view_seconds(view, err);
}

/* Starts a night whose recipe is read. */
static int begin(const char *recipe_path, struct night_recipe *recipe, struct run_view *view)
{
    struct night_view n = {.view = view};
    struct error err = {""};
    char output[RUN_VIEW_OUTPUT], stages[COUNTED_MAX];
    if (view->store_path == NULL) {
        run_view_default_output(recipe->name, recipe->seed, output);
        view->store_path = output;
    }
    if (!check_night(recipe_path, recipe, view, &err))
        return command_fail(EXIT_BAD, &err);
    view->stop = interrupt_watch_output();
    printf("%-8s %s: a %s of %s, recipe %s, seed %" PRIu64 "\n", view->dry_run ? "run" : "starts",
           view->store_path, comparison_or_night(recipe),
           format_things(recipe->stage_count, "stage", stages), recipe->name, recipe->seed);
    if (view->dry_run) {
        print_files(view, recipe);
        return dry_run_night(recipe, view);
    }
    const int fitted = dry_run_fit(recipe, view);
    if (fitted != EXIT_DONE)
        return fitted;
    const struct night_observer observer = observer_of(&n);
    enum run_end end = night_evolve(recipe, view->store_path, view->force, view->seconds,
                                    view->threads, &observer, &err);
    return finish(&n, end, &err);
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

/* The same check before a night is resumed. */
static bool check_resumed(const struct run_view *view, struct error *err)
{
    struct night_summary night;
    if (!night_summary_read(view->store_path, &night, err))
        return false;
    bool good = trust_night(&night.recipe, err) && check_outcome(view, &night.recipe, err);
    night_summary_free(&night);
    return good;
}

int night_view_resume(struct run_view *view, const struct night_request *asked)
{
    struct night_view n = {.view = view, .whole = asked->only == NULL};
    struct night_request request = *asked;
    struct error err = {""};
    if (!check_resumed(view, &err) || !run_view_seconds(view, &err))
        return command_fail(EXIT_BAD, &err);
    view->stop = interrupt_watch_output();
    request.seconds = view->seconds;
    printf("resumes  %s%s%s\n", view->store_path, request.only == NULL ? "" : "#",
           request.only == NULL ? "" : request.only);
    const struct night_observer observer = observer_of(&n);
    enum run_end end = night_resume(view->store_path, &request, view->threads, &observer, &err);
    return finish(&n, end, &err);
}
