/* grayling evolve: a run from random chromosomes to an evolved parameter file; and grayling resume, which
 * continues it. */
#include "command.h"

#include "command_line.h"
#include "night.h"
#include "night_recipe.h"
#include "outcome_words.h"
#include "run_view.h"
#include "trust.h"

struct options {
    struct run_view view;
    struct word_list settings;    /* of evolve */
    struct night_request request; /* of resume */
};

#define AT(member) OPTION_AT(struct options, member)

/* Takes a command for --at-end that can be split into words. */
static bool take_at_end(void *target, const char *text, struct error *err)
{
    char **words = command_words(text, err);
    *(const char **)target = text;
    free(words);
    return words != NULL || error_prefix(err, "cannot take this: ");
}

static const struct option_row common[] = {
    {"hours", "H", AS_REAL, AT(view.hours), "stop after H hours, and write the best so far", 0,
     10000},
    {"until", "HH:MM", AS_TEXT, AT(view.until),
     "stop at this time likewise; or 'YYYY-MM-DD HH:MM'"},
    {"page", "FILE.html", AS_TEXT, AT(view.page.path),
     "rewrite a page about the run while it goes on"},
    {"at-end", "COMMAND", AS_CALL, AT(view.at_end),
     "run a command when the run is over (see grayling(1))", .take = take_at_end},
    OPTION_THREADS(AT(view.threads)),
    OPTION_TRUST("start the engine of a file that you have not used before"),
    {"force", NULL, AS_FLAG, AT(view.force), "overwrite an existing run; changed files beside it"},
    {0}};

static const struct option_row evolve_rows[] = {
    {"output", "RUN.db", AS_TEXT, AT(view.store_path),
     "the run (NAME-seedN.db, after the recipe and its seed)", .letter = 'o'},
    {"set", "KEY=VALUE", AS_LIST, AT(settings), "override a value of the recipe; repeatable"},
    {"dry-run", NULL, AS_FLAG, AT(view.dry_run), "say what would run, and how long; write nothing"},
    OPTION_ROWS(common)};

static const struct option_row resume_rows[] = {
    {"generations", "N", AS_NUMBER, AT(request.generations),
     "make a run, or the stages of a comparison, this long", 1, 1000000},
    {"games", "N", AS_NUMBER, AT(request.games),
     "make the matches of a night N games a pairing long", 2, 1000000},
    {"again", "STAGE", AS_TEXT, AT(request.again),
     "extend a stage of a night although later stages began from its result; those are computed "
     "anew"},
    OPTION_ROWS(common)};

static const struct command evolve_command = {
    .name = "evolve",
    .about = "usage: grayling evolve RECIPE[.yaml] [-o RUN.db] [OPTIONS]\n\n"
             "Runs a recipe: a file, or a name that 'grayling help recipes' lists. 'help keys'\n"
             "and 'help night' explain what it says. The run is one file; 'grayling resume'\n"
             "continues it after a stop. At its end it has beside it the best organism\n"
             "(RUN.yaml), two pictures (RUN.svg, RUN.png) and a report (RUN.html).\n",
    .rows = evolve_rows,
    .more = "  grayling evolve night --until 07:00\n"
            "  grayling evolve paper --set seed=2 --set ga.population=100\n"
            "  grayling evolve search-quick --set optimiser.kind=cma-es\n",
    .operands = {"RECIPE.yaml", "one recipe", 1, 1}};

static const struct command resume_command = {
    .name = "resume",
    .about = "usage: grayling resume RUN.db|NIGHT.db|NIGHT.db#STAGE [OPTIONS]\n\n"
             "Continues a run that was interrupted; the result is the same as without the\n"
             "interruption. With more time, of a night from now on, its stages that ended by\n"
             "their time go on too. NIGHT.db#STAGE continues one stage alone.\n",
    .rows = resume_rows,
    .more = "  grayling resume paper-seed1.db --until 07:00\n"
            "  grayling resume night-seed1.db --again search --hours 3\n",
    .operands = {"RUN.db", "one run", 1, 1}};

static int evolve_run(struct options *o, const char *recipe_path)
{
    struct error err = {""};
    struct recipe recipe;
    struct outcome outcome;
    if (!recipe_read(recipe_path, o->settings.items, o->settings.count, &recipe, &err))
        return command_fail(EXIT_BAD, &err);
    run_view_name(&o->view, recipe.name, recipe.seed);
    if (!run_view_outcome(&o->view, &outcome, &err) || !trust_recipe(&recipe, &err) ||
        !outcome_spares(&outcome, "recipe", recipe_path, &err) ||
        !recipe_each_file(&recipe, outcome_spares_file, &outcome, &err) ||
        !store_available(o->view.store_path, o->view.force, &err) ||
        !run_view_check(&o->view, &outcome, &err))
        return command_fail(EXIT_BAD, &err);
    if (o->view.dry_run)
        return dry_run_evolve(&recipe, &o->view, &outcome);
    if (!run_view_begin(&o->view, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = run_view_observer(&o->view);
    enum run_end end =
        run_evolve(&recipe, o->view.store_path, o->view.force, o->view.threads, &observer, &err);
    return run_view_finish(&o->view, end, &err);
}

int cmd_evolve(int argc, char **argv)
{
    struct options o = {.view.threads = 0};
    struct error err = {""};
    char path[PATH_SIZE], command[RESUME_WORDS];
    bool is_night;
    const int code = options_read(&evolve_command, &argc, &argv, &o);
    if (code != OPTIONS_READ)
        return code;
    if (strcmp(argv[0], "-") == 0)
        return command_misuse("evolve", "a recipe is a file, not standard input: its paths are "
                                        "relative to it");
    if (store_is_database(argv[0])) {
        error_set(&err, "%s: a run, not a recipe; continue it with: %s", argv[0],
                  resume_words(command_program(), argv[0], command));
        return command_fail(EXIT_BAD, &err);
    }
    if (!data_file_find(argv[0], DATA_RECIPES, path, &err) ||
        !night_recipe_recognise(path, NULL, &is_night, &err))
        return command_fail(EXIT_BAD, &err);
    return is_night ? night_view_evolve(path, o.settings.items, o.settings.count, &o.view)
                    : evolve_run(&o, path);
}

static int resume_run(struct options *o)
{
    struct error err = {""};
    struct run_view *view = &o->view;
    struct outcome outcome;
    if (o->request.again != NULL || o->request.games > 0) {
        error_set(&err, "%s is no night: --again and --games are for nights", view->store_path);
        return command_fail(EXIT_BAD, &err);
    }
    if (!run_view_outcome(view, &outcome, &err) || !trust_run(view->store_path, &err) ||
        !run_view_check(view, &outcome, &err) || !run_view_begin(view, &err))
        return command_fail(EXIT_BAD, &err);
    struct run_observer observer = run_view_observer(view);
    enum run_end end =
        run_resume(view->store_path, o->request.generations, view->threads, &observer, &err);
    return run_view_finish(view, end, &err);
}

int cmd_resume(int argc, char **argv)
{
    struct options o = {.view.threads = 0};
    struct error err = {""};
    char night[NIGHT_PATH];
    const int code = options_read(&resume_command, &argc, &argv, &o);
    if (code != OPTIONS_READ)
        return code;
    if (o.request.games % 2 != 0)
        return command_misuse("resume", "--games takes an even number, not %d", o.request.games);
    o.view.store_path = argv[0];
    if (!store_writable(argv[0], &err))
        return command_fail(EXIT_BAD, &err);
    o.request.only = night_split(argv[0], night); /* a stage */
    if (o.request.only == NULL && !night_is(argv[0]))
        return resume_run(&o);
    if (o.request.only != NULL)
        o.view.store_path = night;
    if (o.request.only != NULL && o.request.again != NULL)
        return command_misuse("resume", "--again is for the whole night %s", night);
    return night_view_resume(&o.view, &o.request);
}
