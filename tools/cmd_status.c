/* grayling status: the state of a run, in progress or not. */
#include "command.h"

#include "format.h"
#include "night.h"
#include "night_view.h"
#include "run_summary.h"

#include <inttypes.h>
#include <time.h>

static const char help[] =
    "usage: grayling status RUN.db\n\n"
    "Prints the state of a run, its generation, best organism and time left. The run\n"
    "may be in progress.\n\n"
    "example:\n"
    "  grayling status paper-seed1.db\n";

enum { RECENT = 20 }; /* generations from which the time left is estimated */

static const char *state_of(const struct run_summary *s)
{
    if (s->running)
        return "running";
    return s->complete ? "complete" : "stopped";
}

static void print_best(const struct run_summary *s)
{
    char text[FORMAT_MAX];
    const struct generation_row *row = &s->rows[s->best_generation];
    printf("best         generation %d, organism %d; %s%s:\n", s->best_generation, s->best_index,
           s->value->name, objective_note(s->value));
    printf("  train      %s\n", objective_full(s->value, row->measure, s->train_size, text));
    if (row->held_out != NOT_MEASURED)
        printf("  held-out   %s\n",
               objective_full(s->value, row->held_out, s->held_out_size, text));
}

/* Prints the time of the generations so far, and an estimate for the rest. */
static void print_times(const struct run_summary *s)
{
    char all[FORMAT_MAX], each[FORMAT_MAX], left[FORMAT_MAX], when[64];
    double total = 0, recent = 0;
    int count = s->generation + 1 < RECENT ? s->generation + 1 : RECENT;
    for (int g = 0; g <= s->generation; g++) {
        total += s->rows[g].seconds;
        recent += g > s->generation - count ? s->rows[g].seconds : 0;
    }
    recent /= count;
    printf("time         %s, %s a generation", format_duration(total, all),
           format_duration(recent, each));
    if (!s->complete)
        printf(", %s left",
               format_duration(recent * (s->recipe.generations - s->generation), left));
    time_t ended = (time_t)s->rows[s->generation].ended;
    struct tm local;
    localtime_r(&ended, &local);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    printf("\nlast change  %s", when);
    if (difftime(time(NULL), ended) >= 1)
        printf(", %s ago", format_duration(difftime(time(NULL), ended), left));
    putchar('\n');
}

static void print_status(const char *path, const struct run_summary *s)
{
    char text[FORMAT_MAX];
    printf("run          %s\n", path);
    printf("recipe       %s, seed %" PRIu64 "\n", s->recipe.name, s->recipe.seed);
    printf("state        %s\n", state_of(s));
    if (s->generation < 0) {
        printf("generation   none of %d yet\n", s->recipe.generations);
    } else {
        printf("generation   %s\n", format_generation(s->generation, s->recipe.generations, text));
        print_best(s);
        print_times(s);
    }
    printf("measured     %s\n", format_things(s->genomes, "genome", text));
    if (!s->running && !s->complete)
        printf("continue     grayling resume %s\n", path);
}

/* True if the path is a run that has generations, or could have. */
static bool is_run(const char *path)
{
    struct run_summary summary;
    bool is = run_summary_read(path, &summary, NULL);
    if (is)
        run_summary_free(&summary);
    return is;
}

int cmd_status(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    struct run_summary summary;
    struct error err;
    char night[NIGHT_PATH];
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (c != 'h')
            return command_bad_option("status", c, argv);
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc - optind != 1)
        return command_misuse("status", "expected one run, not %d", argc - optind);
    const char *stage = night_split(argv[optind], night);
    if (stage != NULL && !is_run(argv[optind]))
        return night_view_status(night, stage);
    if (night_is(argv[optind]))
        return night_view_status(argv[optind], NULL);
    if (!run_summary_read(argv[optind], &summary, &err))
        return command_fail(EXIT_BAD, &err);
    print_status(argv[optind], &summary);
    run_summary_free(&summary);
    return EXIT_DONE;
}
