/** The whole state of an engine (engine_image.h) in memory, to be put into another and compared. */
#ifndef TESTS_TAKEN_IMAGE_H
#define TESTS_TAKEN_IMAGE_H

#include "kernels/engine/engine_image.h"
#include "tests/support/lossy_room.h"

struct taken {
    struct engine_image_form form;
    uint64_t steps, bytes;
    double absorbed[ROOM_MATERIALS + 1];
    char *image;
};

/* In pieces of `piece` blocks. */
static inline void take(struct engine *engine, uint32_t piece, struct taken *out)
{
    struct engine_image *image = NULL;
    out->form = engine_image_form(engine);
    const uint32_t end = out->form.blocks + 1;
    out->bytes = engine_image_bytes(engine, 1, end);
    out->image = malloc((size_t)out->bytes);
    cr_assert(out->image != NULL && out->form.absorbed <= ROOM_MATERIALS + 1);
    MUST(engine_image_open(engine, false, &image, &failure));
    for (uint32_t first = 1; first < end; first += piece) {
        const uint32_t last = first + piece < end ? first + piece : end;
        MUST(engine_image_get(image, first, last, out->image + engine_image_bytes(engine, 1, first),
                              &failure));
    }
    MUST(engine_image_close(image, &failure));
    out->steps = engine_image_get_steps(engine, out->absorbed);
}

static inline void put(struct engine *engine, uint32_t piece, const struct taken *taken)
{
    struct engine_image *image = NULL;
    const uint32_t end = taken->form.blocks + 1;
    MUST(engine_image_open(engine, true, &image, &failure));
    for (uint32_t first = 1; first < end; first += piece) {
        const uint32_t last = first + piece < end ? first + piece : end;
        MUST(engine_image_set(image, first, last, taken->image + engine_image_bytes(engine, 1, first),
                              &failure));
    }
    MUST(engine_image_close(image, &failure));
    engine_image_set_steps(engine, taken->steps, taken->absorbed);
}

/* Signed zeros are the same pressure in every layout, and not the same bytes. */
static inline bool same_reals(const struct taken *a, const struct taken *b)
{
    if (a->bytes != b->bytes || a->steps != b->steps)
        return false;
    bool same = true;
    for (uint64_t n = 0; n < a->bytes / a->form.real_bytes; ++n)
        same = same &&
               (a->form.real_bytes == sizeof(float)
                    ? ((const float *)(const void *)a->image)[n] == ((const float *)(const void *)b->image)[n]
                    : ((const double *)(const void *)a->image)[n] ==
                          ((const double *)(const void *)b->image)[n]);
    return same;
}

#endif
