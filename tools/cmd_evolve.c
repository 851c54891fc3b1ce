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
    "Runs a recipe: a file, or a name that 'grayling help recipes' lists. 'help keys'\n"
    "and 'help night' explain what it says. The run is one file; 'grayling resume'\n"
    "continues it after a stop. At its end it has beside it the best organism\n"
    "(RUN.yaml), two pictures (RUN.svg, RUN.png) and a report (RUN.html).\n\n"
    "  -o, --output RUN.db   the run (NAME-seedN.db, after the recipe and its seed)\n"
    "      --set KEY=VALUE   override a value of the recipe; repeatable\n"
    "      --hours H         stop after H hours, and write the best so far\n"
    "      --until HH:MM     stop at this time likewise; or 'YYYY-MM-DD HH:MM'\n"
    "      --dry-run         say what would run, and how long; write nothing\n"
    "      --page FILE.html  rewrite a page about the run while it goes on\n"
    "      --at-end COMMAND  run a command when the run is over (see grayling(1))\n"
    "      --threads N       number of threads (all cores, or OMP_NUM_THREADS)\n"
    "      --trust           start the engine of a file that you have not used before\n"
    "      --force           overwrite an existing run and the files beside it\n"
    "      --check-share P, --job-limit S  of several ranks (see grayling(1))\n\n"
    "  grayling evolve night --until 07:00\n"
    "  grayling evolve paper --set seed=2 --set ga.population=100\n"
    "  grayling evolve search-quick --set optimiser.kind=cma-es\n";

struct options {
    const char *recipe_path;
    const char **settings; /* argc long at most */
    int setting_count;
    struct run_view view;
    bool show_help;
};

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
            return command_bad_option("evolve", c, argv, options);
        if (!take_option(o, c, optarg))
            return EXIT_BAD;
    }
    if (o->show_help)
        return EXIT_DONE;
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
    if (store_is_database(o->recipe_path)) {
        error_set(&err, "%s: a run, not a recipe; continue it with: %s", o->recipe_path,
                  resume_words(command_program(), o->recipe_path, command));
        return command_fail(EXIT_BAD, &err);
    }
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
    if (code == EXIT_DONE && o.show_help)
        fputs(help, stdout);
    else if (code == EXIT_DONE)
        code = evolve(&o);
    free(o.settings);
    return code;
}
