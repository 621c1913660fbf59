#include "src/run/echo_path.h"

#include <math.h>

#include "rooms/text/table_text.h"
#include "src/base/interrupt.h"
#include "src/response/further/echo_criterion.h"

#define IMAGE_RAYS 100000
#define SEED       20

/* The better of two paths: fewer surfaces; then nearer in time. */
static const struct ray_path *better(const struct ray_path *best, const struct ray_path *path, double length)
{
    if (best == NULL || path->surfaces < best->surfaces)
        return path;
    return path->surfaces == best->surfaces && fabs(path->length - length) < fabs(best->length - length)
               ? path
               : best;
}

static void tell_path(const struct whole_band *whole, const struct ray_images *images,
                      const struct ray_path *path, char text[GRID_ECHO_MAX])
{
    for (uint32_t s = path->surfaces; s-- > 0;) {
        const struct ray_surface *surface = &images->surface[path->first + s];
        if (!surface->transmitted)
            text_append(text, GRID_ECHO_MAX, "%s%s", text[0] != '\0' ? ", " : "",
                        whole->run->setup->model.mesh.material[surface->material]);
    }
    text_append(text, GRID_ECHO_MAX, " (%.1f m)", path->length);
}

int echo_path_find(const struct whole_band *whole, size_t source, size_t receiver, double arrival,
                   char text[GRID_ECHO_MAX], struct failure *failure)
{
    const struct whole_source *of = &whole->source[source];
    const double speed = whole->run->setup->model.sound_speed;
    text[0] = '\0';
    for (size_t e = 0; e < of->emitters && text[0] == '\0'; e++) {
        const double length = speed * (arrival - of->emitter[e].delay);
        const double direct =
            whole->run->pair[source * whole->run->setup->points.receivers + receiver].distance;
        const struct ray_task room = {.scene = &whole->room.scene,
                                      .wall = whole->room.wall[0],
                                      .emitters = of->emitters,
                                      .emitter = of->emitter,
                                      .sound_speed = speed,
                                      .receivers = 1,
                                      .receiver = &whole->room.place[receiver],
                                      .seed = SEED,
                                      .stop = &interrupt_seen};
        const struct ray_image_task task = {.room = &room,
                                            .planes = &whole->planes,
                                            .patches = &whole->patches,
                                            .emitter = e,
                                            .window = fmax(0.0, length - direct) / speed + ECHO_PATH_NEAR,
                                            .rays = IMAGE_RAYS,
                                            .most = RAY_SEQUENCES};
        struct ray_images images = {0};
        const struct ray_path *best = NULL;
        int code = ray_images_make(&task, &images, failure);
        if (code == 0)
            code = interrupt_stop(failure);
        for (size_t p = 0; code == 0 && p < images.first[1]; p++)
            if (images.path[p].surfaces > 0 && fabs(images.path[p].length - length) < ECHO_PATH_NEAR * speed)
                best = better(best, &images.path[p], length);
        if (best != NULL)
            tell_path(whole, &images, best, text);
        ray_images_free(&images);
        if (code != 0)
            return code;
    }
    return 0;
}

int echo_paths_name(const struct whole_band *whole, size_t source, size_t receiver, double onset,
                    const struct further_figures *further, char text[ECHO_KINDS][GRID_ECHO_MAX],
                    struct failure *failure)
{
    for (int kind = 0; kind < ECHO_KINDS; kind++) {
        text[kind][0] = '\0';
        if (further->single[echo_figure[kind]] >= echo_limit[kind])
            TRY(echo_path_find(whole, source, receiver, onset + further->echo_time[kind], text[kind],
                               failure));
    }
    return 0;
}
