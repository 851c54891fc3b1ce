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

static char run[] = "/tmp/fuzz_evidence-XXXXXX";
static struct memory_file file;

static void remove_run(void)
{
    unlink(run);
}

static void make_sound(void)
{
    static char evidence[MEMORY_FILE_ROOM];
    struct error err = {""};
    char directory[PATH_SIZE];
    int fd = mkstemp(run);
    assert(fd >= 0 && close(fd) == 0);
    atexit(remove_run);
    one_max_run(run);
    memory_file_write(&file, "", 0);
    FILE *out = fmemopen(evidence, sizeof evidence, "w");
    assert(out != NULL && path_directory(file.path, directory, &err));
    assert(evidence_write(out, run, directory, &err));
    const long size = ftell(out);
    assert(size > 0 && fclose(out) == 0);
    memory_file_begin(&file, evidence, (size_t)size);
    assert(evidence_compare(file.path, run, &err) == RUN_COMPLETE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    if (file.sound_size == 0)
        make_sound();
    memory_file_damage(&file, data, size);
    assert(evidence_compare(file.path, run, &err) == RUN_COMPLETE || err.text[0] != '\0');
    return 0;
}
