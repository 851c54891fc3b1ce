/* A ledger that was damaged or changed: refused with a reason and left as it was, or whole lines, behind
 * which the file is cut; and what is added is found again. */
#include "experiment.h"
#include "fuzz.h"
#include "memory_file.h"

#include <assert.h>
#include <string.h>

#define HEAD "grayling ledger 0.1.0, search 253288"

static const char sound[] =
    HEAD "\nsolve-fa72cdc30f4fa413 6095 0 24 800000 440322 2 1 0 0 0\n"
         "game-4a4def05bae3f5fa 1\n"
         "count-1831b5af67d296fb -9223372036854775808 9223372036854775807\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct memory_file file;
    struct error err = {""};
    int64_t value = 0;
    struct ledger *l;
    if (file.sound_size == 0) {
        memory_file_begin(&file, sound, sizeof sound - 1);
        l = ledger_open(file.path, HEAD, false, NULL);
        assert(l != NULL && ledger_find(l, "game-4a4def05bae3f5fa", &value, 1) && value == 1);
        ledger_close(l);
    }
    memory_file_damage(&file, data, size);
    l = ledger_open(file.path, HEAD, false, &err);
    if (l == NULL) {
        assert(err.text[0] != '\0' && memory_file_is_left(&file));
        return 0;
    }
    assert(memory_file_is_cut(&file) || file.damaged_size <= strlen(HEAD));
    value = -7;
    assert(ledger_add(l, "key-1", &value, 1, &err));
    ledger_close(l);
    l = ledger_open(file.path, HEAD, false, &err);
    value = 0;
    assert(l != NULL && ledger_find(l, "key-1", &value, 1) && value == -7);
    ledger_close(l);
    return 0;
}
