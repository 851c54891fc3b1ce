/* grayling init: a folder with all that the tuning of an engine needs. */
#include "init.h"

#include "command.h"
#include "command_line.h"
#include "games_plan.h"
#include "jobs.h"
#include "parse.h"
#include "recipe.h"
#include "run_view.h"
#include "trace_client.h"
#include "trust.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may be left to questions. */
struct request {
    struct init x;
    bool force, made; /* the folder was made here */
    char folder[PATH_SIZE];
};

#define AT(member) OPTION_AT(struct request, member)

static const struct option_row option_rows[] = {
    {"hours", "H", AS_REAL, AT(x.hours), "how long the tuning may take (8)", 0, 10000},
    {"by", "METHOD", AS_CHOICE, AT(x.by),
     "games: the engine plays itself (the default); nodes: it needs fewer to solve tactical "
     "positions; moves: it matches those of masters, by the trace protocol",
     .choices = init_by_names},
    {"output", "DIR", AS_TEXT, AT(x.folder), "the folder (the engine's name)", .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force), "overwrite files of the folder"},
    {0}};

static const struct command cmd = {
    "init",
    "usage: grayling init ENGINE [--hours H] [--by METHOD] [-o FOLDER]\n\n"
    "Begins the tuning of an engine: measures it, and writes a folder with space.yaml\n"
    "(what may change), games.yaml (a recipe that fits the engine and the hours) and\n"
    "README.md (the commands of the night). Takes less than two minutes. Asks on a\n"
    "terminal for what is not given.\n\n"
    "ENGINE is a command, with its arguments in the same word, or a parameter file of\n"
    "kind uci with a command; then the tuning begins with its values. The space says\n"
    "what it leaves out: what is a file, a log or a limit of the machine, and what\n"
    "changes no move. An engine that does not obey 'go nodes' plays so many plies a\n"
    "move; then what belongs to the search is left out too.\n",
    option_rows,
    "  grayling init 'gnuchess -u' --hours 0.5 -o evening\n",
    {"PARAMS.yaml", "one engine (quote its arguments: 'gnuchess -u')", 1, 1}};

/* ---- the questions ---- */

/* Asks on a terminal for a word, and returns it or what stands in brackets. The answer has its own memory for good. */
static const char *ask(const char *question, const char *usual)
{
    char line[PATH_SIZE] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return usual;
    fprintf(stderr, "%s [%s] ", question, usual);
    fflush(stderr);
    if (fgets(line, sizeof line, stdin) == NULL)
        return usual;
    line[strcspn(line, "\n")] = '\0';
    const char *answer = line[0] == '\0' ? NULL : strdup(line);
    return answer == NULL ? usual : answer;
}

/* The engine's own name as that of a folder: its program without folder and ending. */
static bool name_folder(struct request *r, struct error *err)
{
    struct stat found;
    char **words = command_words(r->x.engine, err);
    if (words == NULL)
        return false;
    snprintf(r->folder, sizeof r->folder - 8, "%s", path_name(words[0]));
    free(words);
    char *dot = strrchr(r->folder, '.');
    if (dot != NULL && dot > r->folder)
        *dot = '\0';
    if (stat(r->folder, &found) == 0 && !S_ISDIR(found.st_mode))
        strcat(r->folder, "-tuning");
    return true;
}

/* Takes what is not given from the terminal, or the usual. Returns OPTIONS_READ, or the exit code. */
static int complete(struct request *r)
{
    struct error err;
    const char *folder = r->x.folder;
    if (folder == NULL && !name_folder(r, &err))
        return command_fail(EXIT_BAD, &err);
    if (r->x.hours == 0 && !options_take(&cmd, "hours", ask("How many hours may it take?", "8"), r))
        return EXIT_BAD;
    if (r->x.by == INIT_BYS &&
        !options_take(&cmd, "by", ask("By games, nodes or moves?", "games"), r))
        return EXIT_BAD;
    if (folder == NULL)
        folder = ask("Into which folder?", r->folder);
    if (folder != r->folder && snprintf(r->folder, PATH_SIZE, "%s", folder) >= PATH_SIZE)
        return command_misuse("init", "--output takes a shorter path");
    for (size_t length = strlen(r->folder); length > 1 && r->folder[length - 1] == '/';)
        r->folder[--length] = '\0'; /* slashes at its end */
    r->x.folder = r->folder;
    return OPTIONS_READ;
}

/* Makes the folder, and refuses one with files that would be overwritten. */
static bool make_folder(struct request *r, struct error *err)
{
    char path[PATH_SIZE];
    const char *const names[] = {"space.yaml", init_recipes[r->x.by], "README.md"};
    if (mkdir(r->x.folder, 0777) == 0)
        r->made = true;
    else if (errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", r->x.folder, strerror(errno));
    for (int i = 0; i < 3; i++)
        if (!init_path(&r->x, r->x.folder, names[i], path, err) ||
            !output_check(path, r->force, err))
            return false;
    return true;
}

/* ---- what is told ---- */

/* Prints what the games can find, and what to do if that is too little. */
static void print_games(struct init *x, const struct recipe *recipe, int parameters)
{
    enum { SHOWN = 6 };
    const double noisy = 15, coarse = 3; /* Elo */
    char games[COUNTED_MAX], text[COUNTED_MAX];
    const struct games_plan p = games_plan_of(recipe, parameters);
    if (x->generation > 0)
        printf("games    %s an hour with %s\n",
               format_count((int64_t)(3600 * (double)p.each / x->generation), games),
               format_things(x->threads, "thread", text));
    printf("in all   %s in %g hours, %d a generation\n", format_things(p.all, "game", games),
           x->hours, (int)p.each);
    printf("finds    what changes %.2g Elo or more when it moves by c; noise costs %s at most %.0f "
           "Elo\n",
           p.least, format_things(parameters, "parameter", text), p.noise);
    const int surplus = parameters - (int)fmax(1, parameters * noisy / p.noise);
    if (p.noise > noisy && surplus > 0) {
        printf("narrow   so many parameters need more games: delete some %d from space.yaml",
               surplus);
        for (int shown = 0; x->influence != NULL && shown < surplus && shown < SHOWN; shown++) {
            int weakest = -1; /* those that change the fewest moves */
            for (int i = 0; i < x->space.table.count; i++)
                if (init_evolves(x, i) && (weakest < 0 || x->influence[i] < x->influence[weakest]))
                    weakest = i;
            printf("%s%s", shown == 0 ? ": " : ", ", x->space.table.params[weakest].name);
            x->influence[weakest] = INFINITY;
        }
        puts(x->influence != NULL && surplus > SHOWN ? " ..." : "");
    } else if (p.least > coarse)
        puts("narrow   so few games find little: take more hours, or a smaller limit of a move");
    else
        puts("narrow   nothing: the games are enough for these parameters");
}

static void tell(struct init *x, const struct recipe *recipe)
{
    char text[COUNT_MAX], path[PATH_SIZE + 16], word[SHELL_WORD], run[SHELL_WORD];
    int parameters = 0;
    for (int i = 0; i < x->space.table.count; i++)
        parameters += init_evolves(x, i);
    if (x->by != BY_MOVES) {
        printf("engine   %s: ready in %.2g s, %s nodes a second\n", x->name, x->start,
               format_count((int64_t)x->speed, text));
        if (x->by == BY_GAMES)
            printf("plays    %s; %s\n", x->kept,
                   x->lives ? "one process plays many games"
                            : "each change of values needs a new process");
    }
    printf("space    %d of %d %s", parameters, x->options_all,
           x->by == BY_MOVES ? "weights" : "options");
    snprintf(path, sizeof path, "%s/space.yaml", x->folder);
    if (x->influence != NULL || x->by == BY_MOVES)
        puts(x->by == BY_MOVES ? "" : "; space.yaml says what is left out");
    else
        printf("; not tried which of them change moves: 'grayling space %s --calibrate' does\n",
               shell_word_shown(path, word));
    if (x->by == BY_GAMES)
        print_games(x, recipe, parameters);
    else
        printf("in all   %s organisms in %g hours, %d generations of %d\n",
               format_count((int64_t)x->population * (x->generations + 1), text), x->hours,
               x->generations, x->population);
    snprintf(path, sizeof path, "%s/%s", x->folder, init_recipes[x->by]);
    shell_word_shown(path, word);
    snprintf(path, sizeof path, "%s/tuned.db", x->folder);
    printf("next     grayling evolve %s -o %s --hours %g --trust\n", word,
           shell_word_shown(path, run), x->hours);
}

/* ---- the work ---- */

static bool read_weights(struct init *x, struct trace_weights *weights, struct error *err)
{
    const struct trace_settings settings = {.command = x->command};
    struct trace_client *client = trace_client_start(&settings, err);
    if (client == NULL)
        return error_prefix(err, "--by moves needs an evaluation that speaks the trace protocol "
                                 "(docs/trace-protocol.md): ");
    *weights = trace_client_take_weights(client);
    trace_client_stop(client);
    x->space.table = weights->table;
    x->space.table.command = x->command;
    x->options_all = weights->table.count;
    foreign_text_copy(x->name, sizeof x->name, x->folder);
    x->comment = strdup("The weights of an evaluation, with its own ranges.");
    return x->comment != NULL || error_set(err, "no memory for a space");
}

/* Finds the command, which the user has agreed to by typing it, or agrees to as one of a file. */
static bool find_engine(struct init *x, struct error *err)
{
    x->command = engine_usual_command(x->engine);
    if (!engine_options_is(x->engine)) {
        trust_typed(x->command);
        return true;
    }
    if (!engine_options_read(x->engine, &x->options, err))
        return false;
    x->command = x->options.command;
    return x->command != NULL
               ? trust_command(x->engine, x->command, err)
               : error_set(err, "%s: command: missing; it says what to start", x->engine);
}

/* Tries the recipe, and gives it as many generations as the hours have. */
static bool fill_hours(struct init *x, struct recipe *recipe, struct error *err)
{
    char path[PATH_SIZE];
    const double all = 3600 * x->hours;
    if (!init_write(x, NULL, err) || !init_path(x, NULL, init_recipes[x->by], path, err) ||
        !recipe_read(path, NULL, 0, recipe, err))
        return false;
    x->generation = dry_run_generation(recipe, x->threads, fmin(10, all / 60), err);
    if (x->generation < 0)
        return false;
    if (x->generation > 0)
        x->generations = (int)fmin(1000000, fmax(1, all / x->generation));
    recipe->generations = x->generations;
    return true;
}

static int run(struct request *r)
{
    struct error err = {""};
    struct init *x = &r->x;
    struct trace_weights weights = {.rows = NULL};
    struct recipe recipe;
    const int pairs = x->threads > 4 ? x->threads : 4;
    int code = EXIT_DONE;
    x->population = x->by == BY_GAMES ? 2 * pairs + 1 : x->by == BY_NODES ? 20 : 100;
    x->generations = 200;
    x->stop = interrupt_watch();
    if (!make_folder(r, &err) || !find_engine(x, &err) || !scratch_make(&x->scratch, &err))
        code = command_fail(EXIT_BAD, &err);
    else if (!(x->by == BY_MOVES ? read_weights(x, &weights, &err)
                                 : init_read_space(x, &err) && init_measure(x, &err) &&
                                       init_thin_space(x, fmin(30, 3600 * x->hours / 20), &err)) ||
             !fill_hours(x, &recipe, &err) || !make_folder(r, &err) ||
             !init_write(x, x->folder, &err))
        code = !interrupt_take_alarm() && *x->stop != 0
                   ? command_fail(EXIT_INTERRUPTED,
                                  &(struct error){"interrupted; nothing was written"})
                   : command_fail(EXIT_BAD, &err);
    else
        tell(x, &recipe);
    if (code != EXIT_DONE && r->made)
        rmdir(x->folder);
    if (x->scratch.folder[0] != '\0')
        scratch_remove(&x->scratch);
    if (x->notes != NULL)
        fclose(x->notes);
    free(x->comment);
    free(x->influence);
    if (x->by != BY_MOVES)
        space_free(&x->space);
    trace_weights_free(&weights);
    engine_options_free(&x->options);
    return code;
}

int cmd_init(int argc, char **argv)
{
    struct request r = {.x.by = INIT_BYS};
    int code = options_read(&cmd, &argc, &argv, &r);
    if (code != OPTIONS_READ)
        return code;
    r.x.threads = jobs_threads();
    r.x.engine = argv[0];
    code = complete(&r);
    return code == OPTIONS_READ ? run(&r) : code;
}
