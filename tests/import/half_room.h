/* A room of two halves, written by a test in a file format: what must arrive, and what damage may do. The
 * test sets its suite's .init and .fini to those of own_folder.h. */
#ifndef TESTS_HALF_ROOM_H
#define TESTS_HALF_ROOM_H

#include "tests/support/own_folder.h"

#include <stdarg.h>

#include "geometry/import/mesh_import.h"
#include "geometry/import/model_content.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

static char text[32768];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    cr_assert(more >= 0 && (size_t)more < sizeof text - used);
    used += (size_t)more;
}

/* Half of a room of 6 x 5 x 3 m, open at x = 3 m. Its mirror image closes it. The floor is of oak. */
static const double corner[8][3] = {{0, 0, 0}, {3, 0, 0}, {3, 5, 0}, {0, 5, 0},
                                    {0, 0, 3}, {3, 0, 3}, {3, 5, 3}, {0, 5, 3}};
static const unsigned face[5][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 4, 7, 3}, {0, 1, 5, 4}, {3, 7, 6, 2}};

static int read_room(const char *name, struct mesh *mesh, struct mesh_import_facts *facts)
{
    const struct mesh_import_options options = {0};
    return mesh_import(write_bytes(name, text, used), &options, mesh, facts, &failure);
}

static void assert_refused(const char *name, const char *because)
{
    struct mesh mesh = {0};
    MUST_FAIL(read_room(name, &mesh, NULL), FAILURE_INPUT, because);
}

/* The file that `text` holds is the room, and what is said of it is `note`, or nothing. */
static void assert_room(const char *name, const char *note, enum import_weight weight)
{
    static const double room[3] = {6, 5, 3};
    double low[3], high[3];
    struct mesh mesh = {0};
    struct mesh_import_facts facts = {0};
    cr_assert(eq(int, read_room(name, &mesh, &facts), 0), "%s: %s", name, failure.sentence);
    cr_assert(is_watertight(&mesh), "%s", name);
    cr_assert(test_near(enclosed_volume(&mesh), -90, 1e-9), "%s: %g", name, enclosed_volume(&mesh));
    cr_assert(test_near(area_of_material(&mesh, "oak"), 30, 1e-9), "%s", name);
    cr_assert(test_near(area_of_material(&mesh, "stone"), 96, 1e-9), "%s", name);
    cr_assert(eq(int, mesh_bounds(&mesh, low, high, NULL), 0));
    for (int axis = 0; axis < 3; ++axis)
        cr_assert(low[axis] == 0 && high[axis] == room[axis], "%s: %g to %g", name, low[axis], high[axis]);
    cr_assert(facts.notes.count == (note == NULL ? 0 : 1), "%s: %zu notes, %s", name, facts.notes.count,
              facts.notes.note[0].what);
    cr_assert(note == NULL ||
                  (strstr(facts.notes.note[0].what, note) != NULL && facts.notes.note[0].weight == weight),
              "%s: %s", name, facts.notes.note[0].what);
    mesh_free(&mesh);
}

/* Every outcome is a mesh or a sentence of ours: at most the file is refused. */
static void assert_survived(const char *name, const char *bytes, size_t size)
{
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    const struct mesh_import_options options = {0};
    const int code = mesh_import(write_bytes(name, bytes, size), &options, &mesh, &facts, &failure);
    cr_assert(code == 0 ||
                  ((code == FAILURE_INPUT || code == FAILURE_CAPACITY) && failure.sentence[0] != '\0'),
              "%s: %d %s", name, code, failure.sentence);
    if (code == 0)
        cr_assert(eq(int, mesh_check(&mesh, NULL), 0));
    mesh_free(&mesh);
}

static void damage(const char *name)
{
    uint64_t random = 88172645463325252;
    char *bytes = malloc(used);
    cr_assert(bytes != NULL);
    for (size_t k = 1; k < 60; ++k)
        assert_survived(name, text, used * k / 60);
    for (int k = 0; k < 120; ++k) {
        memcpy(bytes, text, used);
        for (int flips = 0; flips < 3; ++flips) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            bytes[random % used] ^= (char)(1 << (random >> 40) % 8);
        }
        assert_survived(name, bytes, used);
    }
    free(bytes);
}

#endif
