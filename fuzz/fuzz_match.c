/* A match's games that were damaged or changed, from which it would go on: refused with a reason and left
 * as they were, or games of this match up to some place, behind which the file is cut. */
#define _DEFAULT_SOURCE /* mkstemp */
#include "fuzz.h"
#include "match_file.h"
#include "memory_file.h"
#include "opening.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 4 };

static struct book book;
static struct match_settings settings;
static struct memory_file file;

static bool keep(void *context, int64_t number, const struct game *g, struct error *err)
{
    return match_file_add(context, number, g, err);
}

static bool resume(struct match_file *f, struct match *m, struct error *err)
{
    return match_file_open(f, file.path, MATCH_FILE_RESUMES, err) &&
           match_file_next(f, m, true, err);
}

static void make_settings(void)
{
    static struct opening opening;
    position_from_fen(&opening.start, FEN_START, NULL, NULL);
    book = (struct book){.items = &opening, .count = 1};
    settings = (struct match_settings){.book = &book,
                                       .book_name = "one.epd",
                                       .seed = 1,
                                       .games = GAMES,
                                       .limits.depth = 1,
                                       .adjudication.max_plies = 10,
                                       .hash_mib = 1,
                                       .threads = 1};
    for (int i = 0; i < 2; i++) {
        settings.players[i] = (struct match_player){.eval = evaluation_initial(),
                                                    .params = search_plain_params(),
                                                    .evaluation = {"eval.yaml", "12ab"},
                                                    .search = {"plain", "34cd"}};
        strcpy(settings.players[i].name, i == 0 ? "one" : "two");
    }
}

/* Plays the match into a file, and reads it. A memory file would be a link, which is not followed. */
static void make_sound(void)
{
    char path[] = "/tmp/fuzz_match-XXXXXX";
    struct match m;
    struct match_file f;
    make_settings();
    assert(close(mkstemp(path)) == 0 && match_init(&m, &settings, NULL) &&
           match_file_open(&f, path, MATCH_FILE_OVER, NULL) && match_file_next(&f, &m, true, NULL));
    const struct match_watcher watcher = {.context = &f, .played = keep};
    enum jobs_end end = match_play(&m, &watcher, NULL);
    assert(end == JOBS_DONE);
    match_file_close(&f);
    match_finish(&m);
    memory_file_begin_with(&file, path);
    remove(path);
    assert(match_init(&m, &settings, NULL) && resume(&f, &m, NULL) && m.played == GAMES);
    match_file_close(&f);
    match_finish(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    struct match m;
    struct match_file f;
    if (file.sound_size == 0)
        make_sound();
    memory_file_damage(&file, data, size);
    assert(match_init(&m, &settings, NULL));
    if (resume(&f, &m, &err)) {
        assert(m.played <= GAMES && memory_file_is_cut(&file));
        assert(m.counts.wins + m.counts.draws + m.counts.losses == m.played);
    } else
        assert(err.text[0] != '\0' && memory_file_is_left(&file));
    match_file_close(&f);
    match_finish(&m);
    return 0;
}
