#include "replay_progress.h"

#include "interrupt.h"

static void begun(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next)
{
    struct replay_progress *p = context;
    (void)recipe;
    (void)fitness;
    progress_begin(&p->progress, "generation", next - 1);
}

static bool after_generation(void *context, const struct generation_row *row, int generations)
{
    struct replay_progress *p = context;
    progress_show(&p->progress, row->generation, generations, p->done);
    return true;
}

struct run_observer replay_progress_observer(struct replay_progress *p)
{
    progress_wait(&p->progress, "reading the data");
    return (struct run_observer){
        .context = p, .begun = begun, .generation = after_generation, .stop = interrupt_watch()};
}
