#include "runner_line.h"

#include "command_words.h"
#include "text_stream.h"

#include <stdlib.h>
#include <string.h>

static const char *const programs[MATCH_RUNNERS] = {
    [RUNNER_FASTCHESS] = "fastchess", [RUNNER_CUTECHESS] = "cutechess-cli"};

/* More than any test needs. */
enum { ROUNDS = 50000 };

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "%+,-./:=@_";

/* Writes a word as a shell reads it: quoted if it must be. */
static void write_word(FILE *out, const char *word)
{
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        fprintf(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (const char *c = word; *c != '\0'; c++)
        *c == '\'' ? fputs("'\\''", out) : fputc(*c, out);
    fputc('\'', out);
}

/* Writes "NAME=VALUE" as one word. */
static void write_setting(FILE *out, const char *name, const char *value)
{
    char *word = malloc(strlen(name) + strlen(value) + 2);
    if (word == NULL)
        return;
    sprintf(word, "%s=%s", name, value);
    write_word(out, word);
    free(word);
}

/* Writes the arguments of the engine's command: one setting for each, or one for all. */
static void write_arguments(FILE *out, enum match_runner runner, char *const *words)
{
    if (runner == RUNNER_CUTECHESS) {
        for (; *words != NULL; words++)
            write_setting(out, "arg", *words);
        return;
    }
    char *all = NULL;
    size_t length = 0;
    FILE *text = text_stream(&all, &length);
    for (char *const *w = words; text != NULL && *w != NULL; w++)
        fprintf(text, "%s%s", w == words ? "" : " ", *w);
    if (text != NULL && fclose(text) == 0 && length > 0)
        write_setting(out, "args", all);
    free(all);
}

static void write_option(FILE *out, const struct param *p, int32_t value)
{
    char name[PARAM_TEXT + 16], text[PARAM_TEXT];
    snprintf(name, sizeof name, "option.%.*s", PARAM_TEXT, p->name);
    write_setting(out, name, param_value_text(p, value, text));
}

/* Writes the options that both players share, or those in which they differ, of one of them. */
static void write_options(FILE *out, const struct runner_match *m, bool shared, bool defaults)
{
    for (int i = 0; i < m->table->count; i++) {
        const struct param *p = &m->table->params[i];
        if ((p->initial == m->values[i]) == shared)
            write_option(out, p, defaults ? p->initial : m->values[i]);
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
    write_arguments(out, runner, words + 1);
    write_options(out, m, false, defaults);
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
    fprintf(out, " \\\n  -each proto=uci tc=%s", m->tc);
    write_options(out, m, true, true);
    fprintf(out, " \\\n  -games 2 -rounds %d -repeat -recover -concurrency %d", ROUNDS, m->threads);
    fprintf(out, " \\\n  -sprt elo0=%g elo1=%g alpha=0.05 beta=0.05", m->elo0, m->elo1);
    fputs(" \\\n  -openings", out);
    write_setting(out, "file", m->openings);
    fputs(" format=epd order=random -pgnout", out);
    if (runner == RUNNER_FASTCHESS)
        write_setting(out, "file", m->games);
    else
        write_word(out, m->games);
    fputc('\n', out);
    free(words);
    return true;
}
