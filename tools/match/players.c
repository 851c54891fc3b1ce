#include "match_options.h"

#include "command_line.h"
#include "default_params.h"
#include "engine_file.h"
#include "engine_options.h"
#include "foreign_text.h"
#include "paths.h"
#include "source.h"
#include "suggest.h"
#include "trust.h"
#include "values.h"

#include <stdio.h>
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
    int number;       /* 0: A, 1: B */
    bool foreign;     /* another engine, which has no halves */
    struct match_player *player;
    struct engine_setup *setup; /* of another engine */
    bool named[HALVES];
    bool rest; /* "default" is named: the rest is the engine's own */
};

/* ---- halves ---- */

/* The part of a path after the last slash, clean and cut to fit. */
static void copy_base(char base[MATCH_NAME_MAX], const char *path)
{
    foreign_text_copy(base, MATCH_NAME_MAX, path_name(path));
}

static bool set_search(struct match_player *p, const struct search_params *params, const char *name,
                       struct error *err)
{
    p->params = *params;
    copy_base(p->search.name, name);
    return values_checksum_of(&search_all_table, params->value, p->search.sha256, err);
}

static bool set_default(struct match_player *p, enum half half, struct error *err)
{
    if (half == SEARCH)
        return set_search(p, &default_search, "default", err);
    p->eval = evaluation_of_weights(&default_weights);
    copy_base(p->evaluation.name, "default");
    return values_checksum_of(&eval_table, default_weights.value, p->evaluation.sha256, err);
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

/* Reads the half of players that name none, if there is such a player. */
static bool take_usual(struct reading r[2], enum half half, const char *word, struct error *err)
{
    static const char *const options[HALVES] = {"--eval", "--search"};
    static const enum data_kind files[HALVES] = {DATA_EVALUATIONS, DATA_SEARCHES};
    bool wanted = false;
    for (int i = 0; i < 2; i++) {
        struct reading usual = {.player = r[i].player};
        if (r[i].foreign || r[i].named[half] || r[i].rest)
            continue;
        wanted = true;
        if (strcmp(word, "default") == 0)
            continue;
        if (!take_word(&usual, word, files[half], err))
            return false;
        if (!usual.named[half])
            return error_set(err, "%s: parameters of kind %s; expected %s", word,
                             half_names[1 - half], half_names[half]);
        r[i].named[half] = true;
    }
    return wanted || error_set(err, "%s %s is for players who name no %s", options[half], word,
                               half_names[half]);
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

/* ---- other engines ---- */

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Finds another engine by its command, or by its file: a parameter file of kind `uci`, or a run, perhaps for its
 * defaults. A file of parameters is no command, even if it may be executed. False for other players. */
static bool find_engine(const char *name, const char **typed, char path[PATH_SIZE])
{
    enum source_kind kind;
    struct error ignored;
    struct source s;
    const bool defaults = has_prefix(name, defaults_prefix);
    *typed = has_prefix(name, uci_prefix) ? name + sizeof uci_prefix - 1 : NULL;
    if (*typed != NULL)
        return true;
    if (defaults)
        name += sizeof defaults_prefix - 1;
    if (!source_recognise(name, &kind, path, &ignored)) {
        *typed = !defaults && uci_command_exists(name) && !names_set(name) ? name : NULL;
        return *typed != NULL;
    }
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

/* Reads a player that is another engine: a command, NULL if it is not typed, and a file of its options; NULL: none. */
static bool take_engine(const struct reading *r, const char *typed, const char *path,
                        struct engine_hash hash, struct error *err)
{
    struct engine_options options = {0};
    struct match_player *p = r->player;
    const bool defaults = has_prefix(r->name, defaults_prefix);
    if (path != NULL && !read_options(path, defaults, &options, err))
        return false;
    const char *command = typed != NULL ? typed : options.command;
    bool good = command != NULL || error_set(err,
                                             "%s names no command; name uci:COMMAND and give "
                                             "the file as %s",
                                             r->name, option_names[r->number]);
    good =
        good && (command != options.command || trust_command(path, command, err)) &&
        engine_setup_read(r->setup, command, options.values.items, options.values.count, hash, err);
    if (good) { /* named as the engine names itself and its options are called, or after its file */
        p->process = &r->setup->settings;
        snprintf(p->engine, sizeof p->engine, "%s", r->setup->name);
        if (typed != NULL)
            snprintf(p->name, sizeof p->name, "%s", r->setup->name);
        if (path != NULL)
            add_name(p, path);
        if (defaults)
            add_name(p, "defaults");
    }
    engine_options_free(&options);
    return good;
}

/* ---- two players ---- */

static bool take_player(struct reading *r, const struct match_options *o, struct error *err)
{
    char path[PATH_SIZE];
    const char *option = option_names[r->number], *options = o->option_files[r->number], *typed;
    const bool engine = find_engine(r->name, &typed, path);
    const bool defaults = has_prefix(r->name, defaults_prefix);
    r->foreign = engine || defaults;
    if (!r->foreign)
        return options == NULL ? take_words(r, err)
                               : error_set(err, "%s is for another engine, uci:COMMAND; %s is ours",
                                           option, r->name);
    if (typed != NULL && typed[strspn(typed, " ")] == '\0')
        return error_set(err, "uci: names no command; write uci:COMMAND");
    if (defaults && (!engine || !store_is_database(path)))
        return error_set(err, "%s: %s is no run of another engine", r->name,
                         r->name + sizeof defaults_prefix - 1);
    if (typed == NULL && options != NULL)
        return error_set(err, "%s: %s has options of its own; name uci:COMMAND instead", option,
                         r->name);
    return take_engine(r, typed, typed != NULL ? options : path, engine_hash_given(o->hash), err);
}

bool players_read(const char *const names[2], const struct match_options *o,
                  struct match_player players[2], struct engine_setup setups[2], struct error *err)
{
    const char *const usual[HALVES] = {o->evaluation, o->search};
    struct reading r[2];
    for (int i = 0; i < 2; i++) {
        r[i] = (struct reading){
            .name = names[i], .number = i, .player = &players[i], .setup = &setups[i]};
        if (!take_player(&r[i], o, err))
            return false;
    }
    if (!are_alike(r, err))
        return false;
    for (enum half half = 0; half < HALVES; half++) {
        if (usual[half] != NULL && !take_usual(r, half, usual[half], err))
            return false;
        for (int i = 0; i < 2; i++)
            if (!r[i].foreign && !r[i].named[half] && !set_default(&players[i], half, err))
                return false;
    }
    const bool same = strcmp(players[0].name, players[1].name) == 0;
    for (int i = 0; same && i < 2; i++)
        snprintf(players[i].name + strnlen(players[i].name, MATCH_NAME_MAX - 3), 3, "-%c", 'A' + i);
    return true;
}
