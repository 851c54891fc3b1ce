/* Pieces of work: taken in by number, whoever does them and whenever. */
#include "pieces.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <time.h>

enum { COUNT = 200 };

/* Work whose pieces take different times; those that should not be begun take so long that a thread
 * which the machine holds up does not make it look as if they had to be. */
struct job {
    int threads;
    size_t give_up_at; /* the piece that gives up; COUNT: none */
    size_t enough_at;  /* so many pieces are enough; COUNT + 1: never */
    bool begun[COUNT]; /* by piece; each is written by one thread */
    size_t taken;      /* pieces taken in */
    bool out_of_order, wrong;
};

static bool work(void *context, int thread, size_t number, void *result)
{
    struct job *j = context;
    uint64_t *out = result;
    bool beyond = number > 60 && (j->give_up_at < COUNT || j->enough_at <= COUNT);
    const struct timespec nap = {.tv_nsec = beyond ? 5000000 : number % 7 == 0 ? 300000 : 1000};
    nanosleep(&nap, NULL);
    j->begun[number] = thread < j->threads && *out == 0;
    *out = number * number + 1;
    return number != j->give_up_at;
}

static bool take(void *context, size_t number, const void *result)
{
    struct job *j = context;
    const uint64_t *value = result;
    j->out_of_order = j->out_of_order || number != j->taken;
    j->wrong = j->wrong || *value != number * number + 1 || !j->begun[number];
    return ++j->taken < j->enough_at;
}

static struct job done(int threads, size_t give_up_at, size_t enough_at)
{
    struct job j = {.threads = threads, .give_up_at = give_up_at, .enough_at = enough_at};
    struct error err = {""};
    const struct pieces pieces = {.count = COUNT,
                                  .threads = threads,
                                  .result_size = sizeof(uint64_t),
                                  .context = &j,
                                  .work = work,
                                  .take = take};
    cr_assert(pieces_do(&pieces, &err), "%s", err.text);
    cr_expect(!j.out_of_order && !j.wrong);
    return j;
}

Test(pieces, all_are_taken_in_by_number)
{
    for (int threads = 1; threads <= 5; threads++)
        cr_expect_eq(done(threads, COUNT, COUNT + 1).taken, COUNT);
}

Test(pieces, no_more_is_taken_than_is_enough)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct job j = done(threads, COUNT, 30);
        cr_expect_eq(j.taken, 30);
        cr_expect_not(j.begun[COUNT - 1], "the rest is not done");
    }
}

Test(pieces, nothing_is_taken_from_the_piece_on_that_gives_up)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct job j = done(threads, 49, COUNT + 1);
        cr_expect_leq(j.taken, 49);
        cr_expect_not(j.begun[COUNT - 1], "the rest is not done");
    }
    cr_expect_eq(done(1, 49, COUNT + 1).taken, 49);
    cr_expect_eq(done(2, 0, COUNT + 1).taken, 0);
}

Test(pieces, there_may_be_none)
{
    struct job j = {.threads = 2};
    const struct pieces pieces = {
        .threads = 2, .result_size = 8, .context = &j, .work = work, .take = take};
    cr_expect(pieces_do(&pieces, NULL));
    cr_expect_eq(j.taken, 0);
}
