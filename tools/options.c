#include "options.h"

#include "command.h"
#include "jobs.h"
#include "parse.h"
#include "recipe.h"
#include "runner_line.h"
#include "suggest.h"
#include "text_stream.h"

#include <getopt.h>

enum { ROWS = 64, FIRST_ID = 256, COLUMNS = 80, HEAD = 96, HEAD_USUAL = 22, THREADS_MOST = 1024 };

static const struct option_row no_rows[] = {{0}};

/* The row itself, or the first of those that follow the end. */
static const struct option_row *row_at(const struct option_row *r)
{
    return r->name == NULL && r->next != NULL ? r->next : r;
}

static const struct option_row *first_row(const struct command *c)
{
    return row_at(c->rows != NULL ? c->rows : no_rows);
}

/* ---- values ---- */

static bool take_number(const struct option_row *r, void *target, const char *text,
                        struct error *err)
{
    const int64_t min = r->kind == AS_THREADS ? 1 : r->min;
    const int64_t max = r->kind == AS_THREADS ? THREADS_MOST : r->max;
    int64_t value;
    if (!parse_int64(text, &value) || value < min || value > max)
        return error_set(err, "takes a whole number from %" PRId64 " to %" PRId64 ", not '%s'", min,
                         max, text);
    if (r->size == sizeof(int32_t))
        *(int32_t *)target = (int32_t)value;
    else
        memcpy(target, &value, sizeof value);
    return true;
}

static bool take_real(const struct option_row *r, double *target, const char *text,
                      struct error *err)
{
    double value;
    const bool open = r->min == 0;
    if (!parse_double(text, &value) || value < (double)r->min || (open && value == 0) ||
        value > (double)r->max)
        return error_set(err,
                         open ? "takes a number above %" PRId64 ", up to %" PRId64 ", not '%s'"
                              : "takes a number from %" PRId64 " to %" PRId64 ", not '%s'",
                         r->min, r->max, text);
    *target = value;
    return true;
}

static bool take_choice(const struct option_row *r, int *target, const char *text,
                        struct error *err)
{
    char known[512] = "";
    for (int i = 0; r->choices[i] != NULL; i++) {
        if (strcmp(text, r->choices[i]) == 0) {
            *target = i;
            return true;
        }
        const char *before = i == 0 ? "" : r->choices[i + 1] == NULL ? " or " : ", ";
        text_add(known, sizeof known, "%s%s", before, r->choices[i]);
    }
    return error_set(err, "takes %s, not '%s'", known, text);
}

bool word_list_add(struct word_list *list, const char *word, struct error *err)
{
    if (list->count == WORDS_MAX)
        return error_set(err, "can be given %d times", WORDS_MAX);
    list->items[list->count++] = word;
    return true;
}

/* Reads an option's value, NULL of one without. On failure prints the reason and returns false. */
static bool take(const struct command *c, const struct option_row *r, void *options,
                 const char *text)
{
    struct error err;
    void *target = (char *)options + r->at;
    bool good = true;
    switch (r->kind) {
    case AS_FLAG:
        *(bool *)target = true;
        break;
    case AS_VALUE:
        *(int *)target = (int)r->min;
        break;
    case AS_TEXT:
        *(const char **)target = text;
        break;
    case AS_LIST:
        good = word_list_add(target, text, &err);
        break;
    case AS_NUMBER:
    case AS_THREADS:
        good = take_number(r, target, text, &err);
        break;
    case AS_REAL:
        good = take_real(r, target, text, &err);
        break;
    case AS_CHOICE:
        good = take_choice(r, target, text, &err);
        break;
    case AS_CALL:
        good = r->take(target, text, &err);
        break;
    }
    if (!good)
        command_misuse(c->name, "--%s %s", r->name, err.text);
    return good;
}

bool options_take(const struct command *c, const char *name, const char *text, void *target)
{
    const struct option_row *r = first_row(c);
    while (strcmp(r->name, name) != 0)
        r = row_at(r + 1);
    return take(c, r, target, text);
}

/* ---- help ---- */

/* "  -o, --output FILE, --force": the options that share a line. Returns the row after them. */
static const struct option_row *write_head(const struct option_row *r, bool letters,
                                           char text[HEAD])
{
    text[0] = '\0';
    do {
        text_add(text, HEAD, "%s",
                 text[0] != '\0'                ? ", "
                 : letters && r->letter == '\0' ? "      "
                                                : "  ");
        if (r->letter != '\0')
            text_add(text, HEAD, "-%c, ", r->letter);
        text_add(text, HEAD, "--%s%s%s", r->name, r->argument == NULL ? "" : " ",
                 r->argument == NULL ? "" : r->argument);
        r = row_at(r + 1);
    } while (r->name != NULL && r->help == NULL);
    return r;
}

static void print_help(const struct command *c)
{
    char head[HEAD];
    bool letters = false;
    int width = 0;
    const struct option_row *next;
    for (const struct option_row *r = first_row(c); r->name != NULL; r = row_at(r + 1))
        letters = letters || r->letter != '\0';
    for (const struct option_row *r = first_row(c); r->name != NULL; r = next) {
        next = write_head(r, letters, head);
        const int length = (int)strlen(head);
        width = length > width && length <= HEAD_USUAL ? length : width;
    }
    printf("%s\n", c->about);
    for (const struct option_row *r = first_row(c); r->name != NULL; r = next) {
        next = write_head(r, letters, head);
        const int used = printf("%-*s  ", width, head);
        text_wrap(stdout, r->help, used, width + 2, COLUMNS);
        putchar('\n');
    }
    printf("%s%s", first_row(c)->name != NULL ? "\n" : "", c->more);
}

/* ---- completion ---- */

/* Prints what may stand for words of the help, such as RUN.db|PARAMS.yaml. */
static void complete_words(const char *words)
{
    static const struct {
        const char *word;
        unsigned kinds;
        const char *files;
    } known[] = {
        {"RECIPE", DATA_RECIPES, NULL},      {"PARAMS", DATA_PARAMS, NULL},
        {"POSITIONS", DATA_POSITIONS, NULL}, {"SUITE", DATA_POSITIONS, NULL},
        {".db", 0, "*.db\n*.db.zst"},        {".yaml", 0, "*.yaml\n*.yml"},
        {".epd", 0, "*.epd\n*.epd.*"},       {"GAMES", 0, "*.pgn\n*.gz\n*.bz2\n*.zst\n*.zip"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct data_files files;
        if (strstr(words, known[i].word) == NULL || !data_files_list(&files, known[i].kinds, NULL))
            continue;
        for (size_t n = 0; n < files.count; n++)
            puts(files.items[n].name);
        data_files_free(&files);
        if (known[i].files != NULL)
            puts(known[i].files);
    }
    char *reference = strcmp(words, "KEY=VALUE") == 0 ? recipe_reference() : NULL;
    for (const char *line = reference; line != NULL && *line != '\0'; line += strcspn(line, "\n")) {
        line += *line == '\n';
        const size_t length = strspn(line, " abcdefghijklmnopqrstuvwxyz_.");
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[length] == ':')
            printf("%.*s=\n", (int)length - 2, line + 2); /* "ga.population=" */
    }
    free(reference);
    if (strncmp(words, "FILE", 4) == 0 || strcmp(words, "DIR") == 0 ||
        strcmp(words, "COMMAND") == 0)
        puts("*");
}

/* Prints what completes the last of the words after the command, a candidate a line with its explanation after a
 * tab; or *, *.db: files. */
static int complete(const struct command *c, int count, char **words)
{
    const char *last = count > 0 ? words[count - 1] : "",
               *before = count > 1 ? words[count - 2] : "";
    const char *help = "";
    if (last[0] == '-')
        puts("--help\texplain the command");
    for (const struct option_row *r = first_row(c); r->name != NULL; r = row_at(r + 1)) {
        const bool named = strncmp(before, "--", 2) == 0
                               ? strcmp(before + 2, r->name) == 0
                               : before[0] == '-' && before[1] == r->letter && before[1] != '\0';
        help = r->help != NULL ? r->help : help;
        if (last[0] == '-')
            printf("--%s\t%.*s\n", r->name, (int)strcspn(help, "\n"), help);
        else if (named && r->argument != NULL) {
            for (const char *const *word = r->choices; word != NULL && *word != NULL; word++)
                puts(*word);
            complete_words(r->argument);
            return EXIT_DONE;
        }
    }
    if (last[0] != '-' && c->operands.kinds != NULL)
        complete_words(c->operands.kinds);
    return EXIT_DONE;
}

/* ---- reading ---- */

/* Reports the option that getopt_long rejected with '?' or ':', and which one may be meant. */
static int refuse_option(const struct command *c, int answer, char **argv)
{
    const char *word = argv[optind - 1], *next = argv[optind];
    /* It has stopped at the first letter of several, -xy, and not gone past the word. */
    const bool inside = next != NULL && next[0] == '-' && next[1] == optopt && next[2] != '\0';
    char name[64];
    struct suggestion near;
    if (answer == ':')
        return command_misuse(c->name, "%s needs a value", word);
    if (optopt != 0 && (inside || strncmp(word, "--", 2) != 0))
        return command_misuse(c->name, "no option -%c", optopt);
    if (optopt != 0)
        return command_misuse(c->name, "%.*s takes no value", (int)strcspn(word, "="), word);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    suggest_init(&near, name + 2);
    for (const struct option_row *r = first_row(c); r->name != NULL; r = row_at(r + 1))
        suggest_offer(&near, r->name, r->name);
    return near.name == NULL
               ? command_misuse(c->name, "no option %s", word)
               : command_misuse(c->name, "no option %s; did you mean --%s?", word, near.name);
}

int options_read(const struct command *c, int *argc, char ***argv, void *target)
{
    struct option options[ROWS] = {{"help", no_argument, NULL, 'h'}};
    const struct option_row *all[ROWS];
    char letters[ROWS + 8] = ":h";
    int count = 1;
    if (*argc > 1 && strcmp((*argv)[1], "--complete") == 0)
        return complete(c, *argc - 2, *argv + 2);
    for (const struct option_row *r = first_row(c); r->name != NULL; r = row_at(r + 1)) {
        const int id = r->letter != '\0' ? r->letter : FIRST_ID + count;
        const bool valued = r->argument != NULL;
        if (r->letter != '\0')
            sprintf(letters + strlen(letters), "%c%s", r->letter, valued ? ":" : "");
        all[count] = r;
        options[count++] =
            (struct option){r->name, valued ? required_argument : no_argument, NULL, id};
    }
    options[count] = (struct option){0};
    opterr = 0;
    optind = 0;
    for (int id; (id = getopt_long(*argc, *argv, letters, options, NULL)) != -1;) {
        if (id == ':' || id == '?')
            return refuse_option(c, id, *argv);
        if (id == 'h') {
            print_help(c);
            return EXIT_DONE;
        }
        int i = 1;
        while (options[i].val != id)
            i++;
        if (!take(c, all[i], target, optarg))
            return EXIT_BAD;
    }
    for (int i = 1; i < count; i++)
        if (all[i]->kind == AS_THREADS && *(int *)((char *)target + all[i]->at) == 0)
            *(int *)((char *)target + all[i]->at) = jobs_threads();
    *argc -= optind;
    *argv += optind;
    if (*argc >= c->operands.least && *argc <= c->operands.most)
        return OPTIONS_READ;
    if (c->operands.most == 0)
        return command_misuse(c->name, "unexpected argument '%s'", *argv[0]);
    return c->operands.most == OPERANDS_ANY
               ? command_misuse(c->name, "no %s are given", c->operands.name)
               : command_misuse(c->name, "expected %s, not %d", c->operands.name, *argc);
}

/* ---- writing ---- */

static bool is_changed(const struct option_row *r, const void *target, const void *usual)
{
    return memcmp((const char *)target + r->at, (const char *)usual + r->at, r->size) != 0;
}

const char *options_changed(const struct option_row *rows, const void *target, const void *usual)
{
    for (const struct option_row *r = row_at(rows); r->name != NULL; r = row_at(r + 1))
        if (r->kind != AS_THREADS && is_changed(r, target, usual))
            return r->name;
    return NULL;
}

void options_write(const struct option_row *rows, const void *target, const void *usual)
{
    for (const struct option_row *r = row_at(rows); r->name != NULL; r = row_at(r + 1)) {
        const void *value = (const char *)target + r->at;
        char number[32];
        if (!is_changed(r, target, usual))
            continue;
        printf(r->letter != '\0' ? " -%.1s" : " --%s", r->letter != '\0' ? &r->letter : r->name);
        if (r->kind == AS_TEXT)
            runner_line_word(stdout, *(const char *const *)value);
        else if (r->argument != NULL) {
            int64_t whole = *(const int32_t *)value;
            if (r->size != sizeof(int32_t))
                memcpy(&whole, value, sizeof whole);
            snprintf(number, sizeof number, "%" PRId64, whole);
            runner_line_word(stdout, number);
        }
    }
}
