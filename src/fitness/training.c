#include "training.h"

#include "stream.h"

/* Loads files into one list. */
static bool load_files(const char paths[][RECIPE_PATH], int count, enum epd_need need,
                       struct dataset *data, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!dataset_load_needed(data, paths[i], need, err))
            return false;
    return true;
}

/* Shuffles positions (Fisher and Yates). */
static void shuffle(struct dataset *data, uint64_t seed)
{
    struct stream s;
    stream_init(&s, seed, STREAM_BATCHES, 0, 0);
    for (size_t i = data->count; i > 1; i--) {
        const size_t other = (size_t)stream_below(&s, i);
        const struct epd held = data->items[i - 1];
        data->items[i - 1] = data->items[other];
        data->items[other] = held;
    }
}

bool training_load(const struct recipe *r, enum epd_need need, struct dataset *data,
                   struct error *err)
{
    if (!load_files(r->train, r->train_count, need, data, err))
        return false;
    if (r->first > 0 && (size_t)r->first < data->count)
        data->count = (size_t)r->first;
    if (data->count == 0)
        return error_set(err, "%s: no positions", r->train[0]);
    if ((size_t)r->batch > data->count)
        return error_set(err, "fitness.batch is %d, and there are %zu training positions", r->batch,
                         data->count);
    if (r->batch > 0)
        shuffle(data, r->seed);
    return true;
}

bool held_out_load(const struct recipe *r, enum epd_need need, struct dataset *data,
                   struct error *err)
{
    return load_files(r->held_out, r->held_out_count, need, data, err);
}

struct training_batch training_batch_of(int generation, size_t batch, size_t total)
{
    const size_t first = (size_t)generation * batch % total, left = total - first;
    const size_t some = batch < left ? batch : left;
    return (struct training_batch){{{first, some}, {0, batch - some}}};
}
