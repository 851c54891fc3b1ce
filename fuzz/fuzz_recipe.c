/* Any bytes as a recipe: refused with a reason, or a recipe that hangs together and comes back the
 * same from its own text. */
#include "fuzz.h"
#include "recipe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recipe recipe, again;
    struct error err = {""};
    char *given = strndup((const char *)data, size);
    assert(given != NULL);
    bool read = recipe_from_text("fuzz", given, &recipe, &err);
    free(given);
    if (!read) {
        assert(err.text[0] != '\0');
        return 0;
    }
    assert(optimiser_check(&recipe.optimiser, NULL));
    char *text = recipe_text(&recipe);
    assert(text != NULL && recipe_from_text("again", text, &again, NULL));
    assert(memcmp(&recipe, &again, sizeof recipe) == 0);
    free(text);
    return 0;
}
