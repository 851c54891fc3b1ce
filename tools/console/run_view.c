#include "run_view.h"

#include "clock.h"
#include "command.h"
#include "default_params.h"
#include "games_plan.h"
#include "hosts_kept.h"
#include "plot.h"
#include "report_file.h"
#include "source.h"
#include "text_stream.h"
#include "verdict.h"

#include <time.h>
#include <unistd.h>

void run_view_name(struct run_view *view, const char *name, uint64_t seed)
{
    if (view->store_path != NULL)
        return;
    snprintf(view->output, sizeof view->output, "%s-seed%" PRIu64 ".db", name, seed);
    for (char *c = view->output; *c != '\0'; c++)
        if (*c == '/' || *c == ' ')
            *c = '-';
    view->store_path = view->output;
}

bool run_view_outcome(const struct run_view *view, struct outcome *o, struct error *err)
{
    for (o->count = 0; o->count < OUTCOME_FILES; o->count++)
        if (!outcome_path(view->store_path, outcome_kinds[o->count].ending, o->paths[o->count],
                          err))
            return false;
    return true;
}

bool run_view_check(const struct run_view *view, const struct outcome *o, struct error *err)
{
    for (int i = 0; i < o->count; i++)
        if (!outcome_check(view->store_path, o->paths[i], view->force, err) ||
            (i + 1 < o->count && !live_page_is_apart(&view->page, o->paths[i], err)))
            return false;
    return live_page_check(&view->page, view->store_path, view->force, err);
}

void run_view_print_files(const struct run_view *view, const struct outcome *o)
{
    printf("writes   %s\n", shown_text(view->store_path));
    for (int i = 0; i < o->count; i++)
        printf("         %s\n", shown_text(o->paths[i]));
}

bool run_view_seconds(struct run_view *view, struct error *err)
{
    time_t now = time(NULL), when;
    view->seconds = 3600 * view->hours;
    view->end = 0;
    if (view->until == NULL)
        return true;
    if (!interrupt_parse_time(view->until, now, &when, err))
        return false;
    double left = difftime(when, now);
    if (view->hours <= 0 || left < view->seconds) {
        view->seconds = left;
        view->end = when;
    }
    return true;
}

void run_view_print_until(const struct run_view *view)
{
    char when[64], left[FORMAT_MAX];
    if (view->seconds <= 0)
        return;
    time_t end = view->end > 0 ? view->end : time(NULL) + (time_t)(view->seconds + 0.5);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M %Z", localtime_r(&end, &(struct tm){0}));
    printf("until    %s, in %s\n", when, format_duration(view->seconds, left));
}

bool run_view_begin(struct run_view *view, struct error *err)
{
    if (!run_view_seconds(view, err))
        return false;
    view->stop = interrupt_watch_output();
    if (view->end > 0 ? !interrupt_at((double)view->end, err)
                      : view->seconds > 0 && !interrupt_in(view->seconds, err))
        return false;
    view->deadline = view->end > 0       ? (int64_t)view->end
                     : view->seconds > 0 ? (int64_t)time(NULL) + (int64_t)view->seconds
                                         : 0;
    progress_wait(&view->progress, "reading the data");
    return true;
}

/* ---- while it runs ---- */

/* Prints what a run by games will play, what that can find, and what stands in its way. */
static void print_games(const struct run_view *view, const struct recipe *recipe,
                        const struct param_table *space)
{
    char text[COUNTED_MAX], all[COUNT_MAX], warnings[GAMES_WARNINGS][GAMES_WARNING];
    int parameters = 0;
    for (int i = 0; i < space->count; i++)
        parameters += space->params[i].bits > 0;
    const struct games_plan p = games_plan_of(recipe, parameters);
    printf("games    %s%s a generation, %s in all%s\n", recipe->rematch > 0 ? "at most " : "",
           format_count(p.each, text), format_count(p.all, all),
           view->dry_run ? "" : "; --dry-run measures how many an hour");
    if (p.least > 0)
        printf("expect   noise costs at most %.0f Elo in %s; one is followed if its perturbation "
               "changes %.2g Elo or more\n",
               p.noise, format_things(parameters, "parameter", text), p.least);
    if (p.shown > 0)
        printf("shows    a gain of %.0f Elo or more, by %s against the start (95 %%)\n", p.shown,
               format_things(p.start, "game", text));
    const int count = games_plan_warnings(recipe, space, warnings);
    for (int i = 0; i < count; i++)
        printf("warning  %s\n", warnings[i]);
}

static void print_head(const struct run_view *view, const struct recipe *recipe,
                       const struct fitness *fitness)
{
    char organisms[COUNTED_MAX], generations[COUNTED_MAX], text[COUNTED_MAX], note[512] = "";
    printf("run      %s: recipe %s, seed %" PRIu64 "\n", shown_text(view->store_path), recipe->name,
           recipe->seed);
    printf("search   %s x %s", format_things(recipe->optimiser.population, "organism", organisms),
           format_things(recipe->generations, "generation", generations));
    if (view->value->over_positions)
        printf(" x %s", format_things(fitness->train_size, "position", text));
    if (view->value->over_positions && fitness->held_out_size > 0)
        printf(", %s held out", format_count(fitness->held_out_size, text));
    if (fitness->method->describe != NULL)
        fitness->method->describe(fitness, note, sizeof note);
    printf("\nmeasure  %s%s%s, %s\n", view->value->name, note[0] != '\0' ? ", " : "", note,
           format_things(fitness->threads, "thread", text));
    if (recipe->measure == MEASURE_GAMES)
        print_games(view, recipe, &fitness->space);
    run_view_print_until(view);
}

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    struct run_view *view = context;
    view->value = fitness->method->value;
    view->faults = &fitness->faults;
    view->train_size = fitness->train_size;
    view->held_out_size = fitness->held_out_size;
    progress_end(&view->progress);
    if (!view->brief)
        print_head(view, recipe, fitness);
    view->brief = true; /* a stage that is given overtime begins again */
    if (next > recipe->generations)
        printf("resumes  after the last generation\n");
    else if (next > 0)
        printf("resumes  at generation %d\n", next);
    fflush(stdout);
    run_view_start_page(view);
    progress_begin(&view->progress, "generation", next - 1);
    view->progress.total = recipe->generations;
    if (view->deadline > 0)
        view->progress.ends_at = clock_seconds() + difftime((time_t)view->deadline, time(NULL));
}

static void note_gain(void *context, const struct run_gain *gain)
{
    struct run_view *view = context;
    view->gain = *gain;
}

static bool after_generation(void *context, const struct generation_row *row, int generations)
{
    struct run_view *view = context;
    char best[FORMAT_MAX], mean[FORMAT_MAX], held_out[FORMAT_MAX], faults[ENGINE_FAULTS_TEXT],
        gain[RUN_GAIN_TEXT], note[3 * FORMAT_MAX + RUN_GAIN_TEXT + ENGINE_FAULTS_TEXT];
    const bool gains = run_gain_known(&view->gain);
    if (gains)
        snprintf(note, sizeof note, "%s", run_gain_text(&view->gain, gain));
    else
        snprintf(note, sizeof note, "best %s  mean %s",
                 objective_brief(view->value, (double)row->measure, view->train_size, best),
                 objective_brief(view->value, row->mean, view->train_size, mean));
    if (!gains && row->held_out != NOT_MEASURED)
        text_add(
            note, sizeof note, "  held-out %s",
            objective_brief(view->value, (double)row->held_out, view->held_out_size, held_out));
    if (engine_faults_total(view->faults) > 0)
        text_add(note, sizeof note, "  %s", engine_faults_text(view->faults, faults));
    progress_show(&view->progress, row->generation, generations, note);
    return true;
}

/* Shows how far the generation is. What is measured on held-out data afterwards has no part in the
 * fraction, because its cost is not known before. */
static void after_work(void *context, const struct run_progress *p)
{
    struct run_view *view = context;
    char step[4 * FORMAT_MAX], done[FORMAT_MAX], total[FORMAT_MAX];
    snprintf(step, sizeof step, "%s%s %s of %s", p->held_out ? "held-out " : "", p->unit,
             format_count(p->done, done), format_count(p->total, total));
    progress_step(&view->progress,
                  p->held_out || p->total == 0 ? 1 : (double)p->done / (double)p->total, step);
}

struct run_observer run_view_observer(struct run_view *view)
{
    return (struct run_observer){.context = view,
                                 .begun = begun,
                                 .generation = after_generation,
                                 .gain = note_gain,
                                 .progress = after_work,
                                 .deadline = view->deadline,
                                 .stop = view->stop,
                                 .own = default_values};
}

/* ---- the outcome ---- */

/* Print a plot of a run; the context is its summary. */
static bool print_svg(FILE *out, const void *summary, struct error *err)
{
    return plot_fitness(summary, &(struct plot_file){.path = "run.svg", .out = out}, err);
}

static bool print_png(FILE *out, const void *summary, struct error *err)
{
    return plot_fitness(summary, &(struct plot_file){.path = "run.png", .out = out}, err);
}

/* Writes the files beside the run and prints what it leaves. A plot that cannot be drawn is reported, but is no
 * failure. */
static int write_outcomes(const struct run_view *view, const struct run_summary *s)
{
    static outcome_print *const prints[OUTCOME_FILES] = {[OUTCOME_VALUES] = outcome_print_values,
                                                         [OUTCOME_SVG] = print_svg,
                                                         [OUTCOME_PNG] = print_png,
                                                         [OUTCOME_PAGE] = report_file_print};
    struct outcome_line lines[OUTCOME_LINES];
    struct error err;
    struct outcome o;
    bool good = run_view_outcome(view, &o, &err);
    for (int i = 0; good && i < OUTCOME_FILES; i++) {
        const void *context = i == OUTCOME_PAGE ? (const void *)view->store_path : s;
        good = outcome_make(view->store_path, o.paths[i], view->force, outcome_kinds[i].name,
                            prints[i], context, &err);
        if (!good && (i == OUTCOME_SVG || i == OUTCOME_PNG)) {
            printf("  no plot     %s\n", err.text);
            good = true;
        }
    }
    if (!good)
        return command_fail(EXIT_FAILED, &err);
    outcome_tell_lines(lines, outcome_words(view->store_path, s, lines));
    return EXIT_DONE;
}

static void print_result(const struct run_view *view, const struct run_summary *s)
{
    char text[FORMAT_MAX], generation[FORMAT_MAX], genomes[COUNTED_MAX];
    const struct verdict verdict = verdict_of(s);
    double seconds = 0;
    for (int g = 0; g <= s->generation; g++)
        seconds += s->rows[g].seconds;
    if (verdict.text[0] != '\0')
        printf("\n%s\n", verdict.text);
    printf("\n%s after generation %s, %s, %s measured\n", s->complete ? "complete" : "stopped",
           format_generation(s->generation, s->recipe.generations, generation),
           format_duration(seconds, text), format_things(s->genomes, "genome", genomes));
    if (run_gain_known(&s->gain))
        puts("the estimate, with its 95 % interval:");
    else
        printf("%s by the best%s:\n", s->value->name, objective_note(s->value));
    result_lines(stdout, s, 12);
    if (s->faults != NULL)
        printf("  faults      %s: %s.faults\n", s->faults, shown_text(view->store_path));
    if (s->hosts != NULL && ranks_many()) {
        char words[HOSTS_TEXT];
        struct ranks_report all;
        hosts_kept_all(s->hosts, &all);
        printf("  ranks       %s\n", hosts_kept_words(&all, words));
        if (hosts_kept_warning(&all, words)[0] != '\0')
            printf("  warning     %s\n", words);
    }
}

/* Prints the result and writes the files of a run that is complete or was stopped by --until. */
static int report(const struct run_view *view)
{
    struct run_summary summary;
    struct error err;
    if (!run_summary_read(view->store_path, &summary, &err))
        return command_fail(EXIT_FAILED, &err);
    int code = EXIT_DONE;
    if (summary.complete && view->value == NULL) /* the run was complete before */
        printf("%s is complete; --generations N makes it longer\n", shown_text(view->store_path));
    if (summary.generation >= 0) {
        print_result(view, &summary);
        code = write_outcomes(view, &summary);
    } else {
        error_set(&err,
                  "%s: its time was over before generation 0 was complete, so there is no best "
                  "organism to write",
                  view->store_path);
        code = command_fail(EXIT_FAILED, &err);
    }
    fflush(stdout);
    run_summary_free(&summary);
    return code;
}

void run_view_start_page(struct run_view *view)
{
    struct error err;
    if (!view->dry_run && !live_page_start(&view->page, view->store_path, &err))
        command_fail(EXIT_FAILED, &err);
}

int run_view_over(const struct run_view *view, enum run_end end, const struct error *reason,
                  int (*tell)(const struct run_view *view))
{
    int code = EXIT_INTERRUPTED;
    char command[RESUME_WORDS];
    if (end == RUN_FAILED)
        code = command_fail(EXIT_FAILED, reason);
    else if (end == RUN_STOPPED && *view->stop != SIGALRM)
        fputs("grayling: interrupted; all measurements are saved\n", stderr);
    else
        code = tell(view);
    if (end != RUN_COMPLETE && access(view->store_path, F_OK) == 0)
        fprintf(stderr, "continue with: %s\n",
                resume_words(command_program(), view->store_path, command));
    return code;
}

int run_view_close(struct run_view *view, int code)
{
    struct error err;
    const bool written = code == EXIT_DONE;
    if (!live_page_finish(&view->page, view->store_path, &err) &&
        code != EXIT_FAILED) /* else the page fails for the same reason */
        code = command_fail(EXIT_FAILED, &err);
    fflush(stdout);
    if (view->at_end != NULL &&
        !at_end_run(view->at_end, view->store_path, written, AT_END_SECONDS, &err))
        command_fail(EXIT_FAILED, &err);
    return code;
}

int run_view_finish(struct run_view *view, enum run_end end, const struct error *reason)
{
    progress_end(&view->progress);
    live_page_stop(&view->page);
    if (end == RUN_REFUSED)
        return command_fail(EXIT_BAD, reason);
    return run_view_close(view, run_view_over(view, end, reason, report));
}
