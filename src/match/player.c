#include "player.h"

#include <stddef.h>

void player_destroy(struct player *p)
{
    if (p != NULL)
        p->method->destroy(p);
}

bool player_is_stopped(const volatile sig_atomic_t *stop, const atomic_bool *cancelled)
{
    return (stop != NULL && *stop != 0) || (cancelled != NULL && atomic_load(cancelled));
}
