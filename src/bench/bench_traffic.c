#include "src/bench/bench_traffic.h"

#include <stdlib.h>

struct counted_link {
    struct part_link link;
    struct bench_traffic *traffic;
};

static int start_part(void *context, unsigned p, struct part_grid *part, const struct part_setup *setup,
                      struct failure *failure)
{
    struct counted_link *const counted = context;
    counted->traffic->bytes +=
        part_step_bytes(part, setup->options.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double));
    counted->traffic->messages += part->peers;
    return counted->link.start(counted->link.context, p, part, setup, failure);
}

static int await_started(void *context, struct failure *failure)
{
    struct counted_link *const counted = context;
    return counted->link.started(counted->link.context, failure);
}

static int ask_parts(void *context, const struct part_request *request, unsigned first, unsigned count,
                     struct failure *failure)
{
    struct counted_link *const counted = context;
    return counted->link.ask(counted->link.context, request, first, count, failure);
}

static void end_link(void *context)
{
    struct counted_link *const counted = context;
    counted->link.end(counted->link.context);
    free(counted);
}

int bench_count_traffic(struct part_link *link, struct bench_traffic *traffic, struct failure *failure)
{
    struct counted_link *const counted = malloc(sizeof *counted);
    *traffic = (struct bench_traffic){0};
    if (counted == NULL) {
        link->end(link->context);
        return failure_memory(failure, sizeof *counted, "counting what parts send");
    }
    *counted = (struct counted_link){.link = *link, .traffic = traffic};
    *link = (struct part_link){.context = counted,
                               .parts = link->parts,
                               .what = link->what,
                               .start = start_part,
                               .started = await_started,
                               .ask = ask_parts,
                               .end = end_link};
    return 0;
}
