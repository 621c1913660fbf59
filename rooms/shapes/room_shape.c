#include "rooms/shapes/room_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/shapes/church.h"
#include "rooms/shapes/room_builders.h"

static const char *const pew_words[] = {"none", "blocks", NULL};
static const char *const roof_words[] = {"pitched", "vaulted", NULL};
static const char *const aisle_words[] = {"none", "both", NULL};
static const char *const column_words[] = {"octagonal", "round", NULL};
static const char *const arch_words[] = {"round", "pointed", NULL};
static const char *const transept_words[] = {"none", "both", NULL};
static const char *const apse_words[] = {"none", "round", NULL};
static const char *const apse_roof_words[] = {"dome", "cone", NULL};
static const char *const tower_words[] = {"none", "lantern", NULL};

#define LENGTH(name, text, standard, low, high)                                                              \
    {                                                                                                        \
        name, text, "m", standard, low, high, false, NULL                                                    \
    }
#define NUMBER(name, text, standard, low, high)                                                              \
    {                                                                                                        \
        name, text, "", standard, low, high, false, NULL                                                     \
    }
#define WHOLE(name, text, standard, low, high)                                                               \
    {                                                                                                        \
        name, text, "", standard, low, high, true, NULL                                                      \
    }
#define ANGLE(name, text, standard, low, high)                                                               \
    {                                                                                                        \
        name, text, "deg", standard, low, high, false, NULL                                                  \
    }
#define CHOICE(name, text, standard, words)                                                                  \
    {                                                                                                        \
        name, text, "", standard, 0, sizeof words / sizeof *words - 2, true, words                           \
    }

/* The last measure of every shape. */
#define TURN                                                                                                 \
    ANGLE("turn", "turn the finished room about z through its origin, counter-clockwise from above", 0,      \
          -360, 360)

static const struct room_parameter cube_parameter[] = {
    LENGTH("size", "edge of the cube", 3, 0.1, 100),
    TURN,
};

static const struct room_parameter sphere_parameter[] = {
    LENGTH("radius", "radius of the sphere through the corners", 1.5, 0.1, 100),
    WHOLE("segments", "pieces that each of the 30 edges of an icosahedron is cut into", 16, 1, 128),
    TURN,
};

static const struct room_parameter cross_parameter[] = {
    LENGTH("size", "edge of each of the five cubes", 3, 0.1, 100),
    TURN,
};

static const struct room_parameter church_parameter[CHURCH_OPTIONS + 1] = {
    [NAVE_LENGTH] = LENGTH("nave-length", "nave, from the west wall to the crossing", 30, 8, 120),
    [NAVE_WIDTH] = LENGTH("nave-width", "nave and chancel, between the arcades", 9, 5, 30),
    [NAVE_HEIGHT] = LENGTH("nave-height", "walls of nave and chancel, to the eaves", 9, 3.5, 40),
    [ROOF] = CHOICE("roof", "roof of nave, chancel and transept", ROOF_PITCHED, roof_words),
    [ROOF_PITCH] = ANGLE("roof-pitch", "slope of a pitched roof", 45, 15, 65),
    [VAULT_RISE] =
        NUMBER("vault-rise", "height of a vault over half its width (1: half a circle)", 1, 0.3, 1.5),
    [SEGMENTS] = WHOLE("segments", "straight pieces in place of half a circle, in vaults, domes and arches",
                       12, 4, 48),
    [AISLES] = CHOICE("aisles", "aisles beside the nave", 1, aisle_words),
    [AISLE_WIDTH] = LENGTH("aisle-width", "aisle, from arcade to outer wall", 3.6, 2.4, 12),
    [AISLE_HEIGHT] = LENGTH("aisle-height", "outer walls of the aisles", 4.2, 3, 15),
    [AISLE_PITCH] = ANGLE("aisle-pitch", "slope of the aisles' roofs, up to the arcade", 26, 0, 40),
    [BAYS] = WHOLE("bays", "bays of the nave; columns stand between them", 8, 1, 24),
    [COLUMNS] = CHOICE("columns", "section of the columns", COLUMNS_OCTAGONAL, column_words),
    [COLUMN_RADIUS] = LENGTH("column-radius", "columns, to their corners", 0.42, 0.2, 1),
    [COLUMN_HEIGHT] = LENGTH("column-height", "columns, to the springing of the arches", 3.2, 2.2, 12),
    [ARCHES] = CHOICE("arches", "shape of arches and window heads", ARCHES_POINTED, arch_words),
    [TRANSEPT] = CHOICE("transept", "arms north and south", 1, transept_words),
    [TRANSEPT_LENGTH] = LENGTH("transept-length", "each arm, from the side of the nave", 9.5, 2.4, 40),
    [TRANSEPT_WIDTH] = LENGTH("transept-width", "arms, from west to east; also the crossing", 8.5, 4, 30),
    [TRANSEPT_HEIGHT] = LENGTH("transept-height", "walls of the transept, to the eaves", 9, 3, 40),
    [CHANCEL_LENGTH] = LENGTH("chancel-length", "chancel, from the crossing to the apse", 7, 4, 30),
    [APSE] = CHOICE("apse", "the east end: a flat wall or half a round", 1, apse_words),
    [APSE_RADIUS] = LENGTH("apse-radius", "apse; at most half the width of the nave", 3.8, 1.5, 15),
    [APSE_HEIGHT] = LENGTH("apse-height", "walls of the apse", 6, 3, 25),
    [APSE_SEGMENTS] = WHOLE("apse-segments", "walls of the apse", 9, 3, 48),
    [APSE_ROOF] =
        CHOICE("apse-roof", "half a dome, or half a cone of the roof's pitch", APSE_DOME, apse_roof_words),
    [TOWER] = CHOICE("tower", "open tower over the crossing", 0, tower_words),
    [TOWER_HEIGHT] = LENGTH("tower-height", "walls of the tower above the highest ridge", 6, 2, 30),
    [SPIRE_HEIGHT] = LENGTH("spire-height", "pyramid on the tower", 5, 0, 40),
    [WINDOW_WIDTH] = LENGTH("window-width", "side windows; at most half a bay", 1.2, 0.4, 4),
    [DOOR_WIDTH] = LENGTH("door-width", "west door", 2.2, 0.8, 4),
    [DOOR_HEIGHT] = LENGTH("door-height", "west door, to its crown", 3.6, 2, 6),
    [PEWS] = CHOICE("pews", "pews in the nave, where it is long and wide enough", 1, pew_words),
    [PEW_HEIGHT] = LENGTH("pew-height", "pews", 0.8, 0.3, 1.1),
    [GANGWAY] = LENGTH("gangway", "between the pews, along the nave", 1.6, 1, 4),
    [CHURCH_OPTIONS] = TURN,
};

#define SHAPE(name, text, table)                                                                             \
    {                                                                                                        \
        name, text, sizeof table / sizeof *table, table                                                      \
    }
static const struct room_shape shape[] = {
    SHAPE("cube", "a cube with a corner at the origin", cube_parameter),
    SHAPE("sphere", "a sphere of triangles that touches the planes through the origin", sphere_parameter),
    SHAPE("cross", "five cubes in the form of a plus", cross_parameter),
    SHAPE("church", "nave, aisles, transept, chancel and apse", church_parameter),
};
static int (*const builder[])(const double *value, struct mesh *out, struct failure *failure) = {
    build_cube, build_sphere, build_cross, build_church};
#define SHAPES (sizeof shape / sizeof *shape)
_Static_assert(sizeof builder / sizeof *builder == SHAPES, "every shape has a builder");
_Static_assert(CHURCH_OPTIONS < ROOM_PARAMETERS_MAX, "callers size their arrays by it");

const struct room_shape *room_shapes(size_t *count)
{
    *count = SHAPES;
    return shape;
}

const struct room_shape *room_shape_find(const char *name)
{
    for (size_t i = 0; i < SHAPES; ++i)
        if (strcmp(shape[i].name, name) == 0)
            return &shape[i];
    return NULL;
}

void room_defaults(const struct room_shape *wanted, double *value)
{
    for (size_t i = 0; i < wanted->parameter_count; ++i)
        value[i] = wanted->parameter[i].standard;
}

/* "round or pointed" */
static void list_words(const char *const *words, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; words[i] && used < room; ++i) {
        const char *joint = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, room - used, "%s%s", joint, words[i]);
    }
}

static int check_value(const struct room_shape *wanted, const struct room_parameter *parameter, double value,
                       struct failure *failure)
{
    if (!(value >= parameter->low && value <= parameter->high))
        return failure_set(failure, FAILURE_INPUT, "%s: %s is %g%s%s; it must be from %g to %g%s%s",
                           wanted->name, parameter->name, value, parameter->unit[0] ? " " : "",
                           parameter->unit, parameter->low, parameter->high, parameter->unit[0] ? " " : "",
                           parameter->unit);
    if (parameter->whole && value != floor(value))
        return failure_set(failure, FAILURE_INPUT, "%s: %s is %g; it must be a whole number from %g to %g",
                           wanted->name, parameter->name, value, parameter->low, parameter->high);
    return 0;
}

int room_set(const struct room_shape *wanted, double *value, const char *name, const char *text,
             struct failure *failure)
{
    size_t i = 0;
    while (i < wanted->parameter_count && strcmp(wanted->parameter[i].name, name) != 0)
        ++i;
    if (i == wanted->parameter_count) {
        char known[1500];
        size_t used = 0;
        for (size_t k = 0; k < wanted->parameter_count && used < sizeof known; ++k)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k == 0 ? "" : ", ",
                                     wanted->parameter[k].name);
        return failure_set(failure, FAILURE_INPUT, "%s has no option %s; it has %s", wanted->name, name,
                           known);
    }
    const struct room_parameter *parameter = &wanted->parameter[i];
    if (parameter->words) {
        for (size_t k = 0; parameter->words[k]; ++k) {
            if (strcmp(parameter->words[k], text) == 0) {
                value[i] = (double)k;
                return 0;
            }
        }
        char words[200];
        list_words(parameter->words, words, sizeof words);
        return failure_set(failure, FAILURE_INPUT, "%s: %s is \"%s\"; it must be %s", wanted->name,
                           parameter->name, text, words);
    }
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0')
        return failure_set(failure, FAILURE_INPUT, "%s: %s is \"%s\"; it must be a number from %g to %g%s%s",
                           wanted->name, parameter->name, text, parameter->low, parameter->high,
                           parameter->unit[0] ? " " : "", parameter->unit);
    TRY(check_value(wanted, parameter, number, failure));
    value[i] = number;
    return 0;
}

/* Cosine and sine of an angle in degrees; quarters are exact, so that walls turned by them stay on the axes.
 */
static void turn_of(double degrees, double *cosine, double *sine)
{
    const double quarters = round(degrees / 90), rest = (degrees - 90 * quarters) * (acos(-1) / 180);
    const double c = cos(rest), s = sin(rest);
    switch ((int)quarters & 3) {
    case 0:
        *cosine = c, *sine = s;
        break;
    case 1:
        *cosine = -s, *sine = c;
        break;
    case 2:
        *cosine = -c, *sine = -s;
        break;
    default:
        *cosine = s, *sine = -c;
        break;
    }
}

static void turn_room(struct mesh *mesh, double degrees)
{
    double cosine, sine;
    if (degrees == 0)
        return;
    turn_of(degrees, &cosine, &sine);
    for (size_t i = 0; i < mesh->vertex_count + mesh->marker_count; ++i) {
        double *at = i < mesh->vertex_count ? mesh->vertex[i] : mesh->marker[i - mesh->vertex_count].position;
        const double x = at[0], y = at[1];
        at[0] = cosine * x - sine * y + 0.0; /* no -0 */
        at[1] = sine * x + cosine * y + 0.0;
    }
}

int room_build(const struct room_shape *wanted, const double *value, struct mesh *out,
               struct failure *failure)
{
    double standard[ROOM_PARAMETERS_MAX];
    if (!value) {
        room_defaults(wanted, standard);
        value = standard;
    }
    for (size_t i = 0; i < wanted->parameter_count; ++i)
        TRY(check_value(wanted, &wanted->parameter[i], value[i], failure));
    TRY(builder[wanted - shape](value, out, failure));
    turn_room(out, value[wanted->parameter_count - 1]);
    return 0;
}
