/* grayling evolve: a run from random chromosomes to an evolved parameter file. */
#include "command.h"

#include "data_files.h"
#include "dry_run.h"
#include "finish.h"
#include "night_recipe.h"
#include "night_view.h"
#include "resume_words.h"
#include "trust.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: grayling evolve RECIPE[.yaml] [-o RUN.db] [OPTIONS]\n\n"
    "Runs a recipe, a YAML file or the name of a recipe that 'grayling help recipes'\n"
    "lists: evolves the evaluation or the search of the engine from random\n"
    "chromosomes, with a genetic algorithm or another optimiser. The run is one\n"
    "SQLite file. After a stop, a crash or a power cut, 'grayling resume' continues\n"
    "it. When the run ends, it writes beside that file the best organism (RUN.yaml),\n"
    "the objective value per generation (RUN.svg, RUN.png) and a report (RUN.html).\n"
    "The same recipe, data and seed give the same run for any number of threads.\n\n"
    "  -o, --output RUN.db  the run (default: NAME-seedN.db, from the recipe's name\n"
    "                       and seed)\n"
    "      --set KEY=VALUE  override a value of the recipe, as in ga.population=50;\n"
    "                       repeatable\n"
    "      --threads N      number of threads (all cores, or OMP_NUM_THREADS)\n"
    "      --until HH:MM    stop at this time ('YYYY-MM-DD HH:MM' gives a date too)\n"
    "                       and write the best organism so far; 'resume' continues\n"
    "                       the run\n"
    "      --hours H        stop after H hours likewise; for a night or a comparison,\n"
    "                       its time budget\n"
    "      --page FILE.html rewrite a page about the run while it goes on, at most\n"
    "                       every 5 seconds; a browser loads it again by itself\n"
    "      --at-end COMMAND run a command when the run is over; see below\n"
    "      --check-share P  of several ranks ('mpirun -n 4 grayling'), this share of\n"
    "                       the jobs, such as 1%, is done twice and compared\n"
    "      --job-limit S    and a job that takes longer than S seconds (600), and\n"
    "                       than 50 times the longest one so far, hangs\n"
    "      --trust          start the engine of a space file that you have not used\n"
    "                       before; needed once for each command line\n"
    "      --force          overwrite an existing run and files beside it, but not\n"
    "                       the recipe, nor a file that it names\n"
    "      --dry-run        check everything, say what would run, which files it\n"
    "                       would write and how long it would take, and write nothing\n\n"
    "The command of --at-end is split into words as in a shell, with '...', \"...\"\n"
    "and \\, and started without one; name a shell where you want it, as in\n"
    "--at-end \"sh -c '...'\". Its environment has GRAYLING_RUN, GRAYLING_STATE\n"
    "(complete, ended, which is by its time, stopped or failed), GRAYLING_BEST,\n"
    "GRAYLING_PARAMETERS and GRAYLING_REPORT. It has a minute. Its failure is\n"
    "reported and does not change the exit code.\n\n"
    "A recipe's keys:\n";

static const char example[] =
    "\nA night or a comparison has other keys: name, phase, seed, hours, runs, set and\n"
    "stages (docs/coevolution.md); --set stages.STAGE.set.KEY=VALUE sets a key of a\n"
    "stage's recipe, and --set set.KEY=VALUE that of all stages.\n"
    "\nexample: the paper's settings with another seed, until 07:00\n"
    "  grayling evolve paper --set seed=2 --until 07:00\n"
    "the search, trained on one half of a suite and tested on the other\n"
    "  grayling evolve search --set 'data={train: suite.epd, split: halves}'\n"
    "a night: from random parameters to a whole engine and a final match\n"
    "  grayling evolve night --until 07:00\n"
    "another optimiser, and a comparison of eight of them\n"
    "  grayling evolve search-quick --set optimiser.kind=cma-es\n"
    "  grayling evolve compare-moves -o moves.db\n";

struct options {
    const char *recipe_path;
    const char **settings; /* argc long at most */
    int setting_count;
    struct run_view view;
    bool show_help;
};

static int print_help(void)
{
    char *reference = recipe_reference();
    printf("%s%s%s", help, reference == NULL ? "" : reference, example);
    free(reference);
    return EXIT_DONE;
}

/* Reads one option. On failure prints the reason and returns false. */
static bool take_option(struct options *o, int id, const char *text)
{
    int64_t threads;
    switch (id) {
    case 'o':
        o->view.store_path = text;
        return true;
    case 's':
        o->settings[o->setting_count++] = text;
        return true;
    case 't':
        if (!command_number("evolve", "--threads", text, 1, 1024, &threads))
            return false;
        o->view.threads = (int)threads;
        return true;
    case 'u':
        o->view.until = text;
        return true;
    case 'H':
        return command_hours("evolve", text, &o->view.hours);
    case 'F':
        o->view.force = true;
        return true;
    case 'n':
        o->view.dry_run = true;
        return true;
    case 'p':
        o->view.page.path = text;
        return true;
    case 'e':
        return command_at_end("evolve", text, &o->view.at_end);
    case 'c':
        return command_check_share("evolve", text);
    case 'j':
        return command_job_limit("evolve", text);
    case 'T':
        trust_all();
        return true;
    default:
        o->show_help = true;
        return true;
    }
}

/* Reads the command line. Returns EXIT_DONE, or the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"set", required_argument, NULL, 's'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"until", required_argument, NULL, 'u'},
                                            {"hours", required_argument, NULL, 'H'},
                                            {"page", required_argument, NULL, 'p'},
                                            {"at-end", required_argument, NULL, 'e'},
                                            {"check-share", required_argument, NULL, 'c'},
                                            {"job-limit", required_argument, NULL, 'j'},
                                            {"trust", no_argument, NULL, 'T'},
                                            {"force", no_argument, NULL, 'F'},
                                            {"dry-run", no_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
        if (c == ':' || c == '?')
            return command_bad_option("evolve", c, argv);
        if (!take_option(o, c, optarg))
            return EXIT_BAD;
    }
    if (o->show_help)
        return EXIT_DONE;
    if (store_is_database(o->recipe_path)) {
        error_set(&err, "%s: a run, not a recipe; continue it with: %s", o->recipe_path,
                  resume_words(command_program(), o->recipe_path, command));
        return command_fail(EXIT_BAD, &err);
    }
    if (argc - optind != 1)
        return command_misuse("evolve", "expected one recipe, not %d", argc - optind);
    o->recipe_path = argv[optind];
    return EXIT_DONE;
}

/* Runs a recipe of one run. */
static int evolve_run(struct options *o)
{
    struct error err = {""};
    struct recipe recipe;
    char output[RUN_VIEW_OUTPUT];
    if (!recipe_read(o->recipe_path, o->settings, o->setting_count, &recipe, &err))
        return command_fail(EXIT_BAD, &err);
    if (o->view.store_path == NULL) {
        run_view_default_output(recipe.name, recipe.seed, output);
        o->view.store_path = output;
    }
    if (!trust_recipe(&recipe, &err) || !run_view_spares(&o->view, o->recipe_path, &recipe, &err) ||
        !store_available(o->view.store_path, o->view.force, &err) ||
        !run_view_check(&o->view, &err))
        return command_fail(EXIT_BAD, &err);
    if (o->view.dry_run)
        return dry_run_evolve(&recipe, &o->view);
    if (!run_view_begin(&o->view, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = run_view_observer(&o->view);
    enum run_end end =
        run_evolve(&recipe, o->view.store_path, o->view.force, o->view.threads, &observer, &err);
    return run_view_finish(&o->view, end, &err);
}

/* Runs the command, after its command line is read. */
static int evolve(struct options *o)
{
    struct error err = {""};
    char path[PATH_SIZE], command[RESUME_WORDS];
    bool is_night;
    if (strcmp(o->recipe_path, "-") == 0)
        return command_misuse("evolve", "a recipe is a file, not standard input: its paths are "
                                        "relative to it");
    if (!data_file_find(o->recipe_path, DATA_RECIPES, path, &err) ||
        !night_recipe_recognise(path, &is_night, &err))
        return command_fail(EXIT_BAD, &err);
    o->recipe_path = path;
    return is_night ? night_view_evolve(o->recipe_path, o->settings, o->setting_count, &o->view)
                    : evolve_run(o);
}

int cmd_evolve(int argc, char **argv)
{
    struct options o = {.view.threads = command_threads()};
    o.settings = calloc((size_t)argc, sizeof *o.settings);
    if (o.settings == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory"});
    int code = read_options(argc, argv, &o);
    if (code == EXIT_DONE)
        code = o.show_help ? print_help() : evolve(&o);
    free(o.settings);
    return code;
}
