#include "uci_perft.h"

#include "notation.h"

#include <inttypes.h>

/* A count in progress. */
struct counting {
    const struct uci_task *task;
    uint64_t leaves; /* below the first moves that are finished */
    uint64_t inner;  /* positions above the leaves */
};

/* Whether the count must end: after `stop`, not after `quit`, and beyond the node cap. */
static bool must_end(void *context, uint64_t leaves)
{
    struct counting *c = context;
    const struct uci_task *t = c->task;
    c->inner++;
    return (t->number > 0 && channel_stops_count(t->channel, t->number)) ||
           (t->node_cap > 0 && c->leaves + leaves + c->inner > t->node_cap);
}

static void say(const struct uci_task *task, const struct uci_text *text)
{
    channel_write(task->channel, text->text, (size_t)text->length);
}

/* Counts the leaves below a first move, and reports them. False if the count must end. */
static bool count_move(struct counting *c, Move m)
{
    const struct position *p = &c->task->start->position;
    struct position after = *p;
    struct undo undo;
    struct uci_text text = {.length = 0};
    char move[UCI_MAX];
    uint64_t below;
    position_make(&after, m, &undo);
    bool whole =
        !must_end(c, 0) && perft_until(&after, c->task->go->perft - 1, must_end, c, &below);
    if (!whole)
        return false;
    c->leaves += below;
    (c->task->chess960 ? move_to_uci960 : move_to_uci)(p, m, move);
    uci_text_add(&text, "%s: %" PRIu64 "\n", move, below);
    say(c->task, &text);
    return true;
}

void uci_perft_run(const struct uci_task *task)
{
    struct counting c = {.task = task};
    struct uci_text text = {.length = 0};
    struct move_list list;
    bool whole = true;
    movegen_legal(&task->start->position, &list);
    movegen_sort(&list);
    for (int i = 0; i < list.count && whole; i++)
        whole = count_move(&c, list.moves[i]);
    if (whole)
        uci_text_add(&text, "\nNodes searched: %" PRIu64 "\n\n", c.leaves);
    else
        uci_note(&text, "go: perft is stopped before its end");
    say(task, &text);
}
