/* Any bytes as the recipe of a night: refused with a reason, or a recipe that comes back the same
 * from its own text. */
#include "fuzz.h"
#include "night_recipe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct night_recipe night, again;
    struct error err = {""};
    char *given = strndup((const char *)data, size);
    assert(given != NULL);
    bool read = night_recipe_from_text("fuzz", given, &night, &err);
    free(given);
    if (!read) {
        assert(err.text[0] != '\0');
        return 0;
    }
    char *text = night_recipe_text(&night);
    assert(text != NULL && night_recipe_from_text("again", text, &again, NULL));
    char *same = night_recipe_text(&again);
    assert(same != NULL && strcmp(text, same) == 0);
    night_recipe_free(&night);
    night_recipe_free(&again);
    free(text);
    free(same);
    return 0;
}
