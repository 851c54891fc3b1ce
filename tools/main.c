/* grayling: evolve the parameters of a chess engine. */
#include "beal.h"
#include "book_maker.h"
#include "command.h"
#include "fitness.h"
#include "label.h"
#include "match.h"
#include "match_all.h"
#include "mine.h"
#include "programs.h"
#include "recipe.h"
#include "solve_table.h"
#include "suggest.h"
#include "version.h"

static const struct {
    enum command_group group;
    const char *name;
    int (*run)(int argc, char **argv);
    const char *words;
} commands[] = {
#define COMMAND(group, name, words) {group, #name, cmd_##name, words},
    COMMANDS
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char *const groups[COMMAND_GROUPS] = {[TUNE] = "Tune",
                                                   [PROVE] = "Prove",
                                                   [DATA] = "Make data",
                                                   [LABORATORY] = "Laboratory and tools"};

static const char night_help[] =
    "The keys of a night or a comparison: a recipe with stages, each a run, several\n"
    "runs, or a match. The recipes night and compare-moves are examples.\n\n"
    "  name, seed      of the run\n"
    "  hours           of the night, divided by the shares (8; 1000: no limit)\n"
    "  runs, set       for all stages that do not say otherwise\n"
    "  stages          NAME: {KEY: VALUE, ...}, at most 16, in their order\n\n"
    "A stage that evolves:\n"
    "  recipe          a file, relative to this one, or the name of a recipe\n"
    "  set             settings of the recipe, as in {ga: {population: 50}}\n"
    "  runs, share     runs with other seeds (1); their part of the time (1)\n"
    "  seeds           the earlier stage whose best organisms it begins with\n"
    "  evaluation, search  the earlier stage whose best it plays with\n"
    "  results         the earlier stages whose games it learns from\n\n"
    "A stage that is a match:\n"
    "  players         NAME: {evaluation: STAGE or FILE, search: the same}, 2 to 8\n"
    "  openings        an opening book\n"
    "  games, limit    games a pairing (400); nodes a move (5000)\n"
    "  hash, win_score, keep, share  MiB (4); centipawns (none); the games (no); (1)\n\n"
    "  grayling evolve night --set hours=2 --set stages.match.games=200\n";

/* What `grayling help` lists besides. */
static const struct {
    const char *name;
    unsigned kinds;
} topics[] = {
    {"recipes", DATA_RECIPES}, {"parameters", DATA_PARAMS}, {"positions", DATA_POSITIONS}};

enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

static void print_help(FILE *out)
{
    fputs("usage: grayling COMMAND [ARGUMENTS]; 'grayling help COMMAND' explains a command\n", out);
    for (int i = 0, first; i < COMMAND_COUNT;) {
        if (i == 0 || commands[i].group != commands[i - 1].group)
            fprintf(out, "%s:\n", groups[commands[i].group]);
        int used = fprintf(out, "  %s", commands[first = i].name);
        while (++i < COMMAND_COUNT && commands[i].words[0] == '\0') /* they share its line */
            used += fprintf(out, ", %s", commands[i].name);
        fprintf(out, "%*s%s\n", 28 - used, "", commands[first].words);
    }
    fputs("'grayling help keys' and '... night' explain what a recipe says; '... recipes',\n"
          "'... parameters' and '... positions' list what comes with the program.\n",
          out);
}

/* Runs a command; argv[0] is its name. Returns -1 if there is none of this name. */
static int run_command(int argc, char **argv)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc, argv);
    return -1;
}

static int refuse_command(const char *name)
{
    struct suggestion near;
    suggest_init(&near, name);
    for (int i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&near, commands[i].name, commands[i].name);
    fprintf(stderr, "grayling: no command '%s'; ", shown_text(name));
    if (near.name != NULL)
        fprintf(stderr, "did you mean %s? ", near.name);
    fputs("'grayling help' lists them\n", stderr);
    return EXIT_BAD;
}

/* grayling help [COMMAND | TOPIC]; `name` may be NULL. */
static int help(char *name)
{
    char option[] = "--help", *words[] = {name, option, NULL};
    if (name == NULL) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "keys") == 0) {
        char *reference = recipe_reference();
        printf("The keys of a recipe. On the command line: --set KEY=VALUE.\n\n%s",
               reference == NULL ? "" : reference);
        free(reference);
        return EXIT_DONE;
    }
    if (strcmp(name, "night") == 0)
        return fputs(night_help, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
    for (int i = 0; i < TOPIC_COUNT; i++) {
        struct error err;
        struct data_files files;
        struct table t;
        if (strcmp(name, topics[i].name) != 0)
            continue;
        if (!data_files_list(&files, topics[i].kinds, &err))
            return command_fail(EXIT_FAILED, &err);
        table_begin(&t, "<0|<0");
        for (size_t f = 0; f < files.count; f++)
            fprintf(t.rows, "%s\t%s\n", shown_text(files.items[f].name),
                    shown_text(files.items[f].path));
        table_end(&t, stdout);
        data_files_free(&files);
        return EXIT_DONE;
    }
    int code = run_command(2, words);
    return code >= 0 ? code : refuse_command(name);
}

/* grayling complete WORD...: completes the last word of a command line, for the shells. */
static int complete(int argc, char **argv)
{
    char flag[] = "--complete";
    const bool is_help = argc > 1 && strcmp(argv[0], "help") == 0;
    if (argc > 1 && !is_help) {
        char *first[] = {argv[0], flag}; /* in the places of "complete" and of the command */
        memcpy(argv - 1, first, sizeof first);
        return run_command(argc + 1, argv - 1) >= 0 ? EXIT_DONE : EXIT_BAD;
    }
    const char *words = "";
    for (int i = 0; i < COMMAND_COUNT; i++) {
        words = commands[i].words[0] != '\0' ? commands[i].words : words;
        printf("%s\t%s\n", commands[i].name, words);
    }
    for (int i = 0; is_help && i < TOPIC_COUNT; i++)
        puts(topics[i].name);
    puts(is_help ? "keys\nnight" : "help\texplain a command\n--help\n--version");
    return EXIT_DONE;
}

static int run_named(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("grayling " GRAYLING_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argv[2]);
    if (strcmp(argv[1], "complete") == 0)
        return complete(argc - 2, argv + 2);
    int code = run_command(argc - 1, argv + 1);
    return code >= 0 ? code : refuse_command(argv[1]);
}

/* What ranks of a run can be asked to do. */
static const struct job_kind *const kinds[] = {
    &match_job, &solve_job_kind, &beal_job, &mine_job, &label_job, &book_job, &match_all_job, NULL};

/* Runs the command, or serves the rank that does. */
static int run_in_ranks(int argc, char **argv)
{
    struct error err;
    enum ranks_role role = ranks_begin(argc, argv, &err);
    if (role == RANKS_REFUSED)
        return err.text[0] == '\0' ? EXIT_DONE : command_fail(EXIT_BAD, &err);
    if (role == RANKS_OTHER)
        return ranks_serve(kinds, &fitness_builder);
    if (argc < 2 ||
        (strcmp(argv[1], "uci") != 0 && strcmp(argv[1], "complete") != 0)) /* for programs */
        terminal_fold();
    const int code = run_named(argc, argv);
    ranks_end();
    return code;
}

int main(int argc, char **argv)
{
    return program_main("grayling", run_in_ranks, argc, argv);
}
