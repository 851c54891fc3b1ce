/* grayling status: the state of a run, in progress or not. */
#include "command.h"

#include "hosts_kept.h"
#include "live_page.h"
#include "outcome_words.h"
#include "run_view.h"
#include "source.h"
#include "verdict.h"

#include <math.h>
#include <time.h>

enum format { TEXT, JSON };

static const char *const formats[] = {[TEXT] = "text", [JSON] = "json", NULL};

static const struct option_row option_rows[] = {
    {"format", "FORMAT", AS_CHOICE, 0, sizeof(int),
     "text, or json: one object, with the stages of a night", .choices = formats},
    {0}};

static const struct command cmd = {
    "status",
    "usage: grayling status RUN.db [--format text|json]\n\n"
    "Prints the state of a run, its generation, best organism and time left. The run\n"
    "may be in progress.\n",
    option_rows,
    "A run is running, stopped (by Ctrl-C or a signal), ended (by its time),\n"
    "complete, failed (with the reason, such as a full disk), or has died: its\n"
    "process vanished. 'grayling resume' continues it; a complete run with\n"
    "--generations, and a night's match with --games.\n\n"
    "example:\n"
    "  grayling status paper-seed1.db\n",
    {"RUN.db", "one run", 1, 1}};

/* Prints the machines that work on a run, if there are others than this one. */
static void print_hosts(const struct run_summary *s)
{
    char words[HOSTS_TEXT], jobs[FORMAT_MAX];
    struct ranks_report all;
    struct rank_host h;
    struct table t;
    if (s->hosts == NULL)
        return;
    const char *text = hosts_kept_all(s->hosts, &all);
    printf("ranks        %s\n", hosts_kept_words(&all, words));
    table_begin(&t, "<0|<3|<4|>2|>1");
    while ((text = hosts_kept_next(text, &h)) != NULL)
        fprintf(t.rows, "  %s\t%d %s\t%d %s\t%s jobs\t%.0f %% idle\n", h.name, h.ranks,
                h.ranks == 1 ? "rank" : "ranks", h.threads, h.threads == 1 ? "thread" : "threads",
                format_count(h.jobs, jobs), 100 * h.idle);
    table_end(&t, stdout);
    if (hosts_kept_warning(&all, words)[0] != '\0')
        printf("warning      %s\n", words);
}

/* "now  position 3,200 of 5,000 of generation 12": within a run, of a night the one of this name. */
static void print_inside(const struct status_run *run, const char *name)
{
    char done[FORMAT_MAX], total[FORMAT_MAX];
    const struct run_progress *p = &run->progress;
    printf("now          %s%s %s of %s of generation %d%s%s\n", p->held_out ? "held-out " : "",
           run->unit, format_count(p->done, done), format_count(p->total, total), p->generation,
           name != NULL ? " of " : "", name != NULL ? name : "");
}

static void print_run(const struct status *s)
{
    char text[FORMAT_MAX];
    const struct status_run *run = s->runs;
    const struct run_summary *r = &run->summary;
    if (r->generation < 0)
        printf("generation   0 of %d is not complete\n", r->recipe.generations);
    else
        printf("generation   %s\n", format_generation(r->generation, r->recipe.generations, text));
    if (run->inside)
        print_inside(run, NULL);
    if (r->generation >= 0) {
        const struct verdict verdict = verdict_of(r);
        const bool gains = run_gain_known(&r->gain);
        printf("best         generation %d, organism %d; %s%s:\n", r->best_generation,
               r->best_index, gains ? "the estimate, 95 % interval" : r->value->name,
               gains ? "" : objective_note(r->value));
        result_lines(stdout, r, 11);
        if (verdict.text[0] != '\0')
            printf("verdict      %s\n", verdict.text);
    }
    if (r->generation >= 0 || !isnan(run->left)) {
        printf("time         %s", format_duration(run->seconds, text));
        if (!isnan(run->each))
            printf(", %s a generation", format_duration(run->each, text));
        if (run->left > 0)
            printf(", %s left", format_duration(run->left, text));
        putchar('\n');
    }
    if (s->changed > 0) {
        char when[64];
        const time_t changed = (time_t)s->changed;
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&changed, &(struct tm){0}));
        printf("last change  %s", when);
        if (s->read - s->changed >= 1)
            printf(", %s ago", format_duration((double)(s->read - s->changed), text));
        putchar('\n');
    }
    printf("measured     %s\n", format_things(r->genomes, "genome", text));
    if (r->faults != NULL)
        printf("faults       %s of %s\n", r->faults, r->space.command);
    print_hosts(r);
}

/* "  evolve-3  complete  2.1 s  generation 6 of 6, best 28.42 %" for each run. */
static void print_stages(const struct status *s)
{
    char text[FORMAT_MAX], total[FORMAT_MAX];
    double elo, margin;
    struct table t;
    table_begin(&t, "<0|<1                  |>3        |<2");
    for (int i = 0; i < s->run_count; i++) {
        const struct status_run *run = &s->runs[i];
        const struct run_summary *r = &run->summary;
        fprintf(t.rows, "  %s\t%s\t%s\t", shown_text(run->name),
                run->state == RUN_STATE_ENDED ? "ended by its time" : status_run_state(run),
                !run->waiting && run->seconds > 0 ? format_duration(run->seconds, text) : "");
        if (r->generation >= 0)
            fprintf(t.rows, "generation %s, ",
                    format_generation(r->generation, r->recipe.generations, text));
        if (r->generation >= 0 && run_gain_elo(&r->gain, &elo, &margin))
            fprintf(t.rows, "%+.0f +/- %.0f Elo over the start", elo, margin);
        else if (r->generation >= 0 && run_gain_known(&r->gain))
            fputs("Elo not known yet", t.rows);
        else if (r->generation >= 0)
            fprintf(t.rows, "best %s",
                    objective_brief(r->value, (double)r->rows[r->best_generation].measure,
                                    r->train_size, text));
        else if (run->is_match && !run->waiting)
            fprintf(t.rows, "game %s of %s", format_count(run->games, text),
                    format_count(run->games_total, total));
        putc('\n', t.rows);
    }
    table_end(&t, stdout);
}

static void print_night(const struct status *s)
{
    char text[FORMAT_MAX];
    struct error err;
    printf("time         %s", format_duration(s->spent, text));
    if (night_is_limited(&s->night))
        printf(" of %s", format_duration(s->night.given, text));
    putchar('\n');
    const struct status_run *current = s->current >= 0 ? &s->runs[s->current] : NULL;
    if (current != NULL && current->inside)
        print_inside(current, current->name);
    printf("stages\n");
    print_stages(s);
    if (current != NULL)
        print_hosts(&current->summary);
    for (int i = 0; i < s->run_count; i++)
        if (s->runs[i].is_match && !s->runs[i].waiting &&
            !night_view_print_match(s->runs[i].of, &err))
            fprintf(stderr, "grayling: %s\n", err.text);
}

static void print_status(const char *path, const struct status *s)
{
    uint64_t seed;
    char command[RESUME_WORDS];
    const char *recipe = status_recipe(s, &seed);
    printf("%-12s %s\nrecipe       %s, seed %" PRIu64 "\n", status_kind(s), shown_text(path),
           recipe, seed);
    printf("state        %s",
           s->state == RUN_STATE_ENDED ? "ended by its time" : run_state_name(s->state));
    if (s->state == RUN_STATE_FAILED && s->reason[0] != '\0')
        printf(": %s", s->reason);
    if (s->state == RUN_STATE_DIED) /* which it may also do on a full disk */
        printf(": its process vanished; all that it had measured is saved");
    putchar('\n');
    if (s->is_night)
        print_night(s);
    else
        print_run(s);
    if (!s->over && s->state != RUN_STATE_RUNNING)
        printf("continue     %s\n", resume_words(command_program(), path, command));
}

int cmd_status(int argc, char **argv)
{
    struct status status;
    int format = TEXT;
    struct error err;
    const int code = options_read(&cmd, &argc, &argv, &format);
    if (code != OPTIONS_READ)
        return code;
    if (!status_read(argv[0], &status, &err))
        return command_fail(EXIT_BAD, &err);
    if (format == JSON)
        status_json_write(stdout, argv[0], &status);
    else
        print_status(argv[0], &status);
    status_free(&status);
    return EXIT_DONE;
}
