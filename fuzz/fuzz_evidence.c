/* Evidence of a run that was damaged or changed: refused with a reason, or it differs from the run, with
 * the first difference, or it is that of the run after all. */
#define _DEFAULT_SOURCE /* mkstemp */
#include "evidence.h"
#include "fuzz.h"
#include "memory_file.h"
#include "one_max_run.h"
#include "paths.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 1 << 15 };

static char run[] = "/tmp/fuzz_evidence-XXXXXX";
static struct memory_file file;
static uint8_t sound[ROOM];
static size_t sound_size;

static void remove_run(void)
{
    unlink(run);
}

static enum run_end compare(const uint8_t *bytes, size_t length, struct error *err)
{
    memory_file_write(&file, bytes, length);
    return evidence_compare(file.path, run, err);
}

static void make_sound(void)
{
    struct error err = {""};
    char directory[PATH_SIZE];
    int fd = mkstemp(run);
    assert(fd >= 0 && close(fd) == 0);
    atexit(remove_run);
    one_max_run(run);
    file = memory_file_make();
    FILE *out = fmemopen(sound, sizeof sound, "w");
    assert(out != NULL && path_directory(file.path, directory, &err));
    assert(evidence_write(out, run, directory, &err));
    sound_size = (size_t)ftell(out);
    assert(0 < sound_size && sound_size < sizeof sound && fclose(out) == 0);
    assert(compare(sound, sound_size, &err) == RUN_COMPLETE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[ROOM];
    struct error err = {""};
    if (sound_size == 0)
        make_sound();
    size_t length = memory_file_input(sound, sound_size, data, size, bytes, sizeof bytes);
    assert(compare(bytes, length, &err) == RUN_COMPLETE || err.text[0] != '\0');
    return 0;
}
