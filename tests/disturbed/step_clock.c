/* Loaded before the C library, sets the clock of a program back by an hour: for time(), after so many calls
 * of it as the environment says (STEP_AFTER). */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

time_t time(time_t *where)
{
    static atomic_int calls;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const char *after = getenv("STEP_AFTER");
    if (after != NULL && atomic_fetch_add(&calls, 1) >= atoi(after))
        now.tv_sec -= 3600;
    if (where != NULL)
        *where = now.tv_sec;
    return now.tv_sec;
}
