#include "runner_line.h"

#include "command_line.h"
#include "foreign_text.h"

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

/* True if a part of a word must be quoted. It may be empty. */
static bool needs_quotes(const char *part)
{
    return part[0] != '\0' && !shell_is_plain(part);
}

/* Writes a part of a word, clean; it is within quotes or plain. */
static void write_part(FILE *out, const char *text, bool quoted)
{
    while (*text != '\0') {
        char clean[UTF8_MAX + 1];
        text += foreign_text_next(text, clean);
        fputs(quoted && *clean == '\'' ? "'\\''" : clean, out);
    }
}

/* Writes "NAME=" and the texts, with spaces between them, as one word. */
static void write_texts(FILE *out, const char *name, const char *const *texts, int count)
{
    bool quoted = needs_quotes(name) || count > 1;
    for (int i = 0; i < count; i++)
        quoted = quoted || needs_quotes(texts[i]);
    fputs(quoted ? " '" : " ", out);
    write_part(out, name, quoted);
    for (int i = 0; i < count; i++) {
        fputc(i == 0 ? '=' : ' ', out);
        write_part(out, texts[i], quoted);
    }
    if (quoted)
        fputc('\'', out);
}

void runner_line_word(FILE *out, const char *word)
{
    char text[SHELL_WORD];
    fprintf(out, " %s", shell_word_shown(word, text));
}

/* Writes "NAME=VALUE" as one word. */
static void write_setting(FILE *out, const char *name, const char *value)
{
    write_texts(out, name, &value, 1);
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
    int count = 1; /* arguments: one setting for each, or one for all */
    for (; words[count] != NULL; count++)
        if (runner == RUNNER_CUTECHESS)
            write_setting(out, "arg", words[count]);
    if (runner == RUNNER_FASTCHESS && count > 1)
        write_texts(out, "args", (const char *const *)words + 1, count - 1);
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
