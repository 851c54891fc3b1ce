#include "defaults_kept.h"

static const char measure_key[] = "default_measure", held_out_key[] = "default_held_out",
                  compared_key[] = "default_compared", error_key[] = "default_error";

struct defaults_kept defaults_kept_get(struct store *s)
{
    return (struct defaults_kept){.measure = store_get_number(s, measure_key, NOT_MEASURED),
                                  .held_out = store_get_number(s, held_out_key, NOT_MEASURED),
                                  .compared = store_get_number(s, compared_key, NOT_MEASURED),
                                  .error = store_get_number(s, error_key, NOT_MEASURED)};
}

static bool put(struct store *s, const char *key, int64_t value, struct error *err)
{
    return value == NOT_MEASURED || store_put_number(s, key, value, err);
}

bool defaults_kept_put(struct store *s, const struct defaults_kept *d, struct error *err)
{
    return put(s, measure_key, d->measure, err) && put(s, held_out_key, d->held_out, err) &&
           put(s, compared_key, d->compared, err) && put(s, error_key, d->error, err);
}
