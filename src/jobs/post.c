#include "post_method.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The loaded module's; NULL before post_open. */
static const struct post_method *method;

struct post *post_open(struct error *err)
{
    /* MPI's own modules look for its names among those of all. */
    void *module = dlopen(POST_MODULE, RTLD_NOW | RTLD_GLOBAL);
    method = module == NULL ? NULL : dlsym(module, POST_TABLE);
    if (method != NULL)
        return method->open(err);
    error_set(err,
              "mpirun started several processes, but this program works without MPI here (%s): "
              "install the package grayling-mpi, or build with -Dmpi=enabled",
              dlerror());
    return NULL;
}

int post_rank(const struct post *p)
{
    return method->rank(p);
}

int post_ranks(const struct post *p)
{
    return method->ranks(p);
}

const char *post_host(const struct post *p)
{
    return method->host(p);
}

bool post_send(struct post *p, int to, void *bytes, size_t size)
{
    return method->send(p, to, bytes, size);
}

bool post_receive(struct post *p, int *from, void **bytes, size_t *size)
{
    return method->receive(p, from, bytes, size);
}

bool post_flush(struct post *p, double seconds)
{
    return method->flush(p, seconds);
}

void post_close(struct post *p)
{
    method->close(p);
}

_Noreturn void post_abort(struct post *p, int code)
{
    method->abort(p, code);
    _Exit(code);
}
