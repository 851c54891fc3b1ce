#include "match_failure.h"

#include "game_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Writes a failed game. */
static void write_failure(FILE *out, const struct match *m, int64_t number, const struct game *g)
{
    const struct match_settings *s = m->settings;
    fprintf(out, "game     %" PRId64 ": %s vs %s: %s\n", number + 1,
            s->players[match_player_of(number, WHITE)].name,
            s->players[match_player_of(number, BLACK)].name, game_end_text(g->end, g->result));
    game_text_write(out, g);
    fprintf(out, "%s\n\n", g->failure);
}

bool match_failure_add(const char *path, const struct match *m, int64_t number,
                       const struct game *g, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (out == NULL && fd >= 0)
        close(fd);
    bool written = out != NULL;
    if (written) {
        write_failure(out, m, number, g);
        written = !ferror(out);
        written = fclose(out) == 0 && written;
    }
    return written || error_set(err, "cannot write %s: %s", path, strerror(errno));
}
