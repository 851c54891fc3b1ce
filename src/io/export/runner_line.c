#include "runner_line.h"

#include "command_line.h"
#include "foreign_text.h"
#include "text_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const programs[MATCH_RUNNERS] = {
    [RUNNER_FASTCHESS] = "fastchess", [RUNNER_CUTECHESS] = "cutechess-cli"};

/* What tests logistic Elo; fastchess takes normalised Elo otherwise. */
static const char *const models[MATCH_RUNNERS] = {
    [RUNNER_FASTCHESS] = " model=logistic", [RUNNER_CUTECHESS] = ""};

/* More than any test needs. */
enum { ROUNDS = 50000 };

void runner_line_word(FILE *out, const char *word)
{
    char text[SHELL_WORD];
    fprintf(out, " %s", shell_word_shown(word, text));
}

static void write_setting(FILE *out, const char *name, const char *value)
{
    char text[SHOWN_TEXT];
    snprintf(text, sizeof text, "%s=%s", name, value);
    runner_line_word(out, text);
}

static void write_options(FILE *out, const struct uci_values *options)
{
    char name[PARAM_TEXT + 16];
    for (int i = 0; i < options->count; i++) {
        snprintf(name, sizeof name, "option.%.*s", PARAM_TEXT, options->items[i].name);
        write_setting(out, name, options->items[i].value);
    }
}

static void write_engine(FILE *out, enum match_runner runner, const struct runner_match *m,
                         char *const *words, bool defaults)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", m->name, defaults ? "-defaults" : "");
    fputs(" \\\n  -engine", out);
    write_setting(out, "name", name);
    write_setting(out, "cmd", words[0]);
    if (runner == RUNNER_FASTCHESS &&
        words[1] != NULL) { /* one setting for all arguments, or one for each */
        char all[SHOWN_TEXT] = "";
        for (int i = 1; words[i] != NULL; i++)
            text_add(all, sizeof all, "%s%s", i > 1 ? " " : "", words[i]);
        write_setting(out, "args", all);
    }
    for (int i = 1; runner == RUNNER_CUTECHESS && words[i] != NULL; i++)
        write_setting(out, "arg", words[i]);
    write_options(out, defaults ? &m->defaults : &m->values);
}

bool runner_line_write(FILE *out, enum match_runner runner, const struct runner_match *m,
                       struct error *err)
{
    char **words = command_words(m->command, err);
    if (words == NULL)
        return false;
    fputs(programs[runner], out);
    write_engine(out, runner, m, words, false);
    write_engine(out, runner, m, words, true);
    fprintf(out, " \\\n  -each proto=uci %s", m->limits);
    write_options(out, &m->both);
    fprintf(out, " \\\n  -games 2 -rounds %d -repeat -recover -concurrency %d",
            m->pairs > 0 ? m->pairs : ROUNDS, m->threads);
    if (m->pairs == 0)
        fprintf(out, " \\\n  -sprt elo0=%g elo1=%g alpha=0.05 beta=0.05%s", m->elo0, m->elo1,
                models[runner]);
    if (m->seed > 0)
        fprintf(out, " \\\n  -srand %" PRIu64, m->seed);
    if (m->chess960)
        fputs(" \\\n  -variant fischerandom", out);
    fputs(" \\\n  -openings", out);
    write_setting(out, "file", m->openings);
    fputs(" format=epd order=random -pgnout", out);
    if (runner == RUNNER_FASTCHESS)
        write_setting(out, "file", m->games);
    else
        runner_line_word(out, m->games);
    fputc('\n', out);
    free(words);
    return true;
}
