#include "match_options.h"

#include "command_line.h"
#include "default_params.h"
#include "engine_file.h"
#include "engine_options.h"
#include "foreign_text.h"
#include "paths.h"
#include "source.h"
#include "suggest.h"
#include "text_stream.h"
#include "trust.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum half { EVALUATION, SEARCH, HALVES };
enum { PATH_LENGTH = 4096 };

static const char *const half_names[HALVES] = {"evaluation", "search"};

static const char uci_prefix[] = "uci:", defaults_prefix[] = "defaults:";

static const char *const option_names[] = {"--options-a", "--options-b"};

/* A player while its name is read. */
struct reading {
    const char *name; /* as given */
    bool foreign;     /* another engine, which has no halves */
    struct match_player *player;
    bool named[HALVES];
    bool rest; /* "default" is named: the rest is the engine's own */
};

/* ---- halves ---- */

/* The part of a path after the last slash, clean and cut to fit. */
static void copy_base(char base[MATCH_NAME_MAX], const char *path)
{
    foreign_text_copy(base, MATCH_NAME_MAX, path_name(path));
}

/* The checksum of names and values, for parameters that come from no file. */
static bool checksum_values(const struct param_table *table, const int32_t *values,
                            char text[CHECKSUM_MAX], struct error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = text_stream(&bytes, &length);
    for (int i = 0; out != NULL && i < table->count; i++)
        fprintf(out, "%s=%d\n", table->params[i].name, values[i]);
    bool written = out != NULL && fclose(out) == 0;
    if (written)
        checksum_bytes(bytes, length, text);
    free(bytes);
    return written || error_set(err, "no memory for parameters");
}

static bool set_search(struct match_player *p, const struct search_params *params, const char *name,
                       struct error *err)
{
    p->params = *params;
    copy_base(p->search.name, name);
    return checksum_values(&search_all_table, params->value, p->search.sha256, err);
}

/* ---- words ---- */

static bool name_half(struct reading *r, enum half half, const char *word, struct error *err)
{
    if (r->named[half])
        return error_set(err, "%s: a second %s for the same player; name one", word,
                         half_names[half]);
    return r->named[half] = true;
}

/* Says that a word is no player, and what may be meant. */
static bool fail_player(const char *word, struct error *err)
{
    char program[PROGRAM_PATH];
    struct data_files files;
    struct suggestion near;
    suggest_init(&near, word);
    static const char *const sets[] = {"default", "plain", "games", "paper"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        suggest_offer(&near, sets[i], sets[i]);
    if (!data_files_list(&files, DATA_PARAMS, err))
        return false;
    for (size_t i = 0; i < files.count; i++)
        suggest_offer(&near, files.items[i].name, files.items[i].name);
    if (near.name != NULL)
        error_set(err, "no player is named '%s'; did you mean %s?", word, near.name);
    else if (!program_find(word, program, err))
        error_prefix(err, "no parameter file or run is named '%s'; ", word);
    data_files_free(&files);
    return false;
}

/* Reads a file or a run. */
static bool take_file(struct reading *r, const char *word, enum data_kind files, struct error *err)
{
    struct source source;
    if (!source_open(&source, word, files, err))
        return data_file_is_name(word) && access(word, F_OK) != 0 ? fail_player(word, err) : false;
    struct match_player *p = r->player;
    const bool evaluation = evaluation_table_of_kind(source.table.kind) != NULL;
    struct match_origin *origin = evaluation ? &p->evaluation : &p->search;
    bool taken = name_half(r, evaluation ? EVALUATION : SEARCH, word, err);
    copy_base(origin->name, source.path);
    taken = taken &&
            (evaluation ? values_evaluation(source.path, &p->eval, err)
                        : values_search_params(source.path, &p->params, err)) &&
            values_checksum(source.path, origin->sha256, err);
    source_close(&source);
    return taken;
}

/* True if both halves of a set of this name come with the program. */
static bool names_set(const char *word)
{
    char path[PATH_SIZE];
    struct error ignored;
    return data_file_is_name(word) && !data_file_find(word, DATA_PARAMS, path, &ignored) &&
           data_file_find(word, DATA_EVALUATIONS, path, &ignored) &&
           data_file_find(word, DATA_SEARCHES, path, &ignored);
}

/* Reads one word of a name. Of a set it takes the half that `files` says, or both. */
static bool take_word(struct reading *r, const char *word, enum data_kind files, struct error *err)
{
    if (strcmp(word, "default") == 0)
        return r->rest = true;
    if (strcmp(word, "plain") == 0) {
        struct search_params plain = search_plain_params();
        return name_half(r, SEARCH, word, err) && set_search(r->player, &plain, word, err);
    }
    if (strcmp(word, "-") == 0)
        return error_set(err, "a player cannot be standard input: name a parameter file or a run");
    if (files == DATA_PARAMS && names_set(word))
        return take_file(r, word, DATA_EVALUATIONS, err) && take_file(r, word, DATA_SEARCHES, err);
    return take_file(r, word, files, err);
}

/* Appends a word to the player's name: its file without folder and extension. */
static void add_name(struct match_player *p, const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".txt", ".db", ".db.zst"};
    char base[MATCH_NAME_MAX], name[2 * MATCH_NAME_MAX + 1];
    copy_base(base, word);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(base), ending = strlen(endings[i]);
        if (length > ending && strcmp(base + length - ending, endings[i]) == 0)
            base[length - ending] = '\0';
    }
    snprintf(name, sizeof name, "%s%s%s", p->name, p->name[0] != '\0' ? "+" : "", base);
    foreign_text_copy(p->name, sizeof p->name, name);
}

/* Reads the words of a name, split at commas. A file's own name may contain a comma. */
static bool take_words(struct reading *r, struct error *err)
{
    char word[PATH_LENGTH];
    bool whole = access(r->name, F_OK) == 0;
    for (const char *rest = r->name; rest != NULL;) {
        size_t length = whole ? strlen(rest) : strcspn(rest, ",");
        if (length == 0 || length >= sizeof word)
            return error_set(err, "'%.100s': %s", r->name,
                             length == 0 ? "a player without a name" : "a name that is too long");
        memcpy(word, rest, length);
        word[length] = '\0';
        if (!take_word(r, word, DATA_PARAMS, err))
            return false;
        add_name(r->player, word);
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
    }
    return true;
}

/* ---- halves that no name has ---- */

/* Reads the evaluation and search of players that name none, if a player can use them. */
static bool read_usual(const struct player_usual *usual, const struct reading players[2],
                       struct reading *r, struct error *err)
{
    static const char *const options[HALVES] = {"--eval", "--search"};
    static const enum data_kind files[HALVES] = {DATA_EVALUATIONS, DATA_SEARCHES};
    const char *const words[HALVES] = {usual->evaluation, usual->search};
    for (int half = 0; half < HALVES; half++) {
        bool wanted = false;
        for (int i = 0; i < 2; i++)
            wanted |= !players[i].foreign && !players[i].named[half] && !players[i].rest;
        if (words[half] != NULL && !wanted)
            return error_set(err, "%s %s is for players who name no %s", options[half], words[half],
                             half_names[half]);
        if (words[half] == NULL || strcmp(words[half], "default") == 0)
            continue;
        if (!take_word(r, words[half], files[half], err))
            return false;
        if (!r->named[half])
            return error_set(err, "%s: parameters of kind %s; expected %s", words[half],
                             half_names[1 - half], half_names[half]);
    }
    return true;
}

/* Checks that both players name an evaluation, or neither does, and likewise a search. Other engines
 * are unlike anything. */
static bool are_alike(const struct reading r[2], struct error *err)
{
    if (r[0].foreign || r[1].foreign)
        return true;
    for (int half = 0; half < HALVES; half++)
        for (int i = 0; i < 2; i++)
            if (r[i].named[half] && !r[1 - i].named[half] && !r[1 - i].rest)
                return error_set(err,
                                 "%s names the %s and %s does not: compare like with like, or name "
                                 "'%s,default' for the engine's own",
                                 r[i].name, half_names[half], r[1 - i].name, r[1 - i].name);
    return true;
}

/* Fills in the halves that a player does not name. */
static bool complete(struct reading *r, const struct reading *usual, struct error *err)
{
    struct match_player *p = r->player;
    const struct match_player *u = usual->player;
    for (int half = 0; half < HALVES; half++) {
        if (r->foreign || r->named[half])
            continue;
        if (r->rest || !usual->named[half]) {
            if (half == SEARCH && !set_search(p, &default_search, "default", err))
                return false;
            if (half == SEARCH)
                continue;
            p->eval = evaluation_of_weights(&default_weights);
            copy_base(p->evaluation.name, "default");
            if (!checksum_values(&eval_table, default_weights.value, p->evaluation.sha256, err))
                return false;
        } else if (half == EVALUATION) {
            p->eval = u->eval;
            p->evaluation = u->evaluation;
        } else {
            p->params = u->params;
            p->search = u->search;
        }
    }
    return true;
}

/* ---- other engines ---- */

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The command of a player that is one: after "uci:", or that of a program. A file of parameters is none, even
 * if it may be executed. NULL for other players. */
static const char *command_of(const char *name)
{
    char path[PATH_SIZE];
    enum source_kind kind;
    struct error ignored;
    if (has_prefix(name, uci_prefix))
        return name + sizeof uci_prefix - 1;
    return uci_command_exists(name) && !names_set(name) &&
                   !source_recognise(name, &kind, path, &ignored)
               ? name
               : NULL;
}

/* The file of a player that is a parameter file of kind `uci`, or a run of another engine, perhaps
 * for its defaults. */
static bool find_engine_file(const char *name, char path[PATH_SIZE])
{
    if (has_prefix(name, defaults_prefix))
        name += sizeof defaults_prefix - 1;
    enum source_kind kind;
    struct error ignored;
    struct source s;
    if (!source_recognise(name, &kind, path, &ignored))
        return false;
    if (kind != SOURCE_RUN)
        return kind == SOURCE_PARAMS && engine_options_is(path);
    const bool is = source_open(&s, path, DATA_PARAMS, &ignored) && space_is_foreign(&s.table);
    source_close(&s);
    return is;
}

/* Reads the options of a player: from its file, or those of its run's best organism or of the defaults of its space. */
static bool read_options(const char *path, bool defaults, struct engine_options *o,
                         struct error *err)
{
    struct source s;
    if (!store_is_database(path))
        return engine_options_read(path, o, err);
    if (!source_open(&s, path, DATA_PARAMS, err))
        return false;
    const char *command = space_plays(&s.table);
    bool taken = true;
    *o = (struct engine_options){.command = command == NULL ? NULL : strdup(command)};
    for (int i = 0; taken && i < s.table.count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &s.table.params[i];
        param_value_text(p, defaults ? p->initial : s.values[i], text);
        taken = uci_values_add(&o->values, p->name, text) ||
                error_set(err, "no memory for the options of %s", s.path);
    }
    source_close(&s);
    return taken;
}

/* Reads a player that is another engine. */
static bool take_engine(const char *name, const struct player_usual *usual, int i,
                        struct named_players *named, struct error *err)
{
    char path[PATH_SIZE] = ""; /* of its options; "": it has none */
    struct engine_options options = {0};
    struct engine_setup *setup = &named->setups[i];
    const char *typed = command_of(name);
    const bool defaults = has_prefix(name, defaults_prefix);
    if (typed != NULL && typed[strspn(typed, " ")] == '\0')
        return error_set(err, "uci: names no command; write uci:COMMAND");
    if (typed != NULL && usual->options[i] != NULL)
        snprintf(path, PATH_SIZE, "%s", usual->options[i]);
    if (typed == NULL && (!find_engine_file(name, path) || (defaults && !store_is_database(path))))
        return error_set(err, "%s: %s is no run of another engine", name,
                         name + sizeof defaults_prefix - 1);
    if (typed == NULL && usual->options[i] != NULL)
        return error_set(err, "%s: %s has options of its own; name uci:COMMAND instead",
                         option_names[i], name);
    if (path[0] != '\0' && !read_options(path, defaults, &options, err))
        return false;
    const char *command = typed != NULL ? typed : options.command;
    bool good = command != NULL || error_set(err,
                                             "%s names no command; name uci:COMMAND and give "
                                             "the file as %s",
                                             name, option_names[i]);
    good = good && (command != options.command || trust_command(path, command, err)) &&
           engine_setup_read(setup, command, options.values.items, options.values.count,
                             usual->hash, err);
    if (good) { /* named as the engine names itself and its options are called, or after its file */
        struct match_player *p = &named->players[i];
        p->process = &setup->settings;
        snprintf(p->engine, sizeof p->engine, "%s", setup->name);
        if (typed != NULL)
            snprintf(p->name, sizeof p->name, "%s", setup->name);
        if (path[0] != '\0')
            add_name(p, path);
        if (defaults)
            add_name(p, "defaults");
    }
    engine_options_free(&options);
    return good;
}

/* ---- two players ---- */

/* Reads one of the players. */
static bool take_player(struct reading *r, const struct player_usual *usual, int i,
                        struct named_players *named, struct error *err)
{
    char path[PATH_SIZE];
    r->foreign = has_prefix(r->name, defaults_prefix) || command_of(r->name) != NULL ||
                 find_engine_file(r->name, path);
    if (r->foreign)
        return take_engine(r->name, usual, i, named, err);
    return (usual->options[i] == NULL ||
            error_set(err, "%s is for another engine, uci:COMMAND; %s is ours", option_names[i],
                      r->name)) &&
           take_words(r, err);
}

bool players_read(const char *const names[2], const struct player_usual *usual,
                  struct named_players *named, struct error *err)
{
    struct match_player usual_player = {.name = ""}, *players = named->players;
    struct reading common = {.player = &usual_player}, r[2];
    bool good = true;
    *named = (struct named_players){.players[0].name = ""};
    for (int i = 0; good && i < 2; i++) {
        r[i] = (struct reading){.name = names[i], .player = &players[i]};
        good = take_player(&r[i], usual, i, named, err);
    }
    good = good && are_alike(r, err) && read_usual(usual, r, &common, err) &&
           complete(&r[0], &common, err) && complete(&r[1], &common, err);
    const bool same = strcmp(players[0].name, players[1].name) == 0;
    for (int i = 0; good && same && i < 2; i++)
        snprintf(players[i].name + strnlen(players[i].name, MATCH_NAME_MAX - 3), 3, "-%c", 'A' + i);
    if (!good)
        players_free(named);
    return good;
}

void players_free(struct named_players *named)
{
    engine_setup_free(&named->setups[0]);
    engine_setup_free(&named->setups[1]);
    *named = (struct named_players){.players[0].name = ""};
}
