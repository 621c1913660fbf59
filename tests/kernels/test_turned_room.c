/** `--turn`: every parametric room can stand askew on the grid. */
#include "geometry/mesh/mesh.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/outcome.h"

static struct mesh build(const struct room_shape *shape, const char *turn)
{
    double value[ROOM_PARAMETERS_MAX];
    struct mesh mesh = {0};
    room_defaults(shape, value);
    cr_assert(turn == NULL || room_set(shape, value, "turn", turn, &failure) == 0, "%s", failure.sentence);
    MUST(room_build(shape, value, &mesh, &failure));
    return mesh;
}

Test(turned_room, everything_stands_at_its_turned_place_exactly_so_for_quarters)
{
    static const char *const turns[] = {"90", "-180", "270", "-33.5"};
    static const double cosine[] = {0, -1, 0, 0.83388582206716826}, sine[] = {1, 0, -1, -0.55193698531205820};
    size_t count;
    const struct room_shape *shape = room_shapes(&count);
    for (size_t s = 0; s < count; ++s) {
        struct mesh straight = build(&shape[s], NULL);
        for (int t = 0; t < 4; ++t) {
            struct mesh turned = build(&shape[s], turns[t]);
            cr_assert(turned.vertex_count == straight.vertex_count);
            cr_assert(turned.marker_count == straight.marker_count && straight.marker_count > 0);
            for (size_t i = 0; i < straight.vertex_count + straight.marker_count; ++i) {
                const size_t m = i - straight.vertex_count;
                const double *from =
                    i < straight.vertex_count ? straight.vertex[i] : straight.marker[m].position;
                const double *to = i < straight.vertex_count ? turned.vertex[i] : turned.marker[m].position;
                const double tolerance = t < 3 ? 0 : 1e-13; /* quarters are exact */
                cr_assert(test_near(to[0], cosine[t] * from[0] - sine[t] * from[1], tolerance));
                cr_assert(test_near(to[1], sine[t] * from[0] + cosine[t] * from[1], tolerance));
                cr_assert(to[2] == from[2]);
            }
            mesh_free(&turned);
        }
        mesh_free(&straight);
    }
}
