#include "rooms/shapes/room_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/shapes/church.h"
#include "rooms/shapes/room_builders.h"
#include "rooms/text/table_text.h"

static const char *const pew_words[] = {"none", "blocks", NULL};
static const char *const roof_words[] = {"pitched", "vaulted", NULL};
static const char *const aisle_words[] = {"none", "both", NULL};
static const char *const column_words[] = {"octagonal", "round", NULL};
static const char *const arch_words[] = {"round", "pointed", NULL};
static const char *const transept_words[] = {"none", "both", NULL};
static const char *const apse_words[] = {"none", "round", NULL};
static const char *const apse_roof_words[] = {"dome", "cone", NULL};
static const char *const tower_words[] = {"none", "lantern", NULL};

/* The rest of an entry behind its name and description. */
#define LENGTH(standard, low, high) "m", standard, low, high, false, NULL
#define NUMBER(standard, low, high) "", standard, low, high, false, NULL
#define WHOLE(standard, low, high)  "", standard, low, high, true, NULL
#define ANGLE(standard, low, high)  "deg", standard, low, high, false, NULL
#define CHOICE(standard, words)     "", standard, 0, sizeof words / sizeof *words - 2, true, words

/* The last measure of every shape. */
static const char turn_help[] =
    "turn the finished room about z through its origin, counter-clockwise from above";

static const struct room_parameter cube_parameter[] = {
    {"size", "edge of the cube", LENGTH(3, 0.1, 100)},
    {"turn", turn_help, ANGLE(0, -360, 360)},
};

static const struct room_parameter sphere_parameter[] = {
    {"radius", "radius of the sphere through the corners", LENGTH(1.5, 0.1, 100)},
    {"segments", "pieces that each of the 30 edges of an icosahedron is cut into", WHOLE(16, 1, 128)},
    {"turn", turn_help, ANGLE(0, -360, 360)},
};

static const struct room_parameter cross_parameter[] = {
    {"size", "edge of each of the five cubes", LENGTH(3, 0.1, 100)},
    {"turn", turn_help, ANGLE(0, -360, 360)},
};

static const struct room_parameter church_parameter[CHURCH_OPTIONS + 1] = {
    [NAVE_LENGTH] = {"nave-length", "nave, from the west wall to the crossing", LENGTH(30, 8, 120)},
    [NAVE_WIDTH] = {"nave-width", "nave and chancel, between the arcades", LENGTH(9, 5, 30)},
    [NAVE_HEIGHT] = {"nave-height", "walls of nave and chancel, to the eaves", LENGTH(9, 3.5, 40)},
    [ROOF] = {"roof", "roof of nave, chancel and transept", CHOICE(ROOF_PITCHED, roof_words)},
    [ROOF_PITCH] = {"roof-pitch", "slope of a pitched roof", ANGLE(45, 15, 65)},
    [VAULT_RISE] = {"vault-rise", "height of a vault over half its width (1: half a circle)",
                    NUMBER(1, 0.3, 1.5)},
    [SEGMENTS] = {"segments", "straight pieces in place of half a circle, in vaults, domes and arches",
                  WHOLE(12, 4, 48)},
    [AISLES] = {"aisles", "aisles beside the nave", CHOICE(1, aisle_words)},
    [AISLE_WIDTH] = {"aisle-width", "aisle, from arcade to outer wall", LENGTH(3.6, 2.4, 12)},
    [AISLE_HEIGHT] = {"aisle-height", "outer walls of the aisles", LENGTH(4.2, 3, 15)},
    [AISLE_PITCH] = {"aisle-pitch", "slope of the aisles' roofs, up to the arcade", ANGLE(26, 0, 40)},
    [BAYS] = {"bays", "bays of the nave; columns stand between them", WHOLE(8, 1, 24)},
    [COLUMNS] = {"columns", "section of the columns", CHOICE(COLUMNS_OCTAGONAL, column_words)},
    [COLUMN_RADIUS] = {"column-radius", "columns, to their corners", LENGTH(0.42, 0.2, 1)},
    [COLUMN_HEIGHT] = {"column-height", "columns, to the springing of the arches", LENGTH(3.2, 2.2, 12)},
    [ARCHES] = {"arches", "shape of arches and window heads", CHOICE(ARCHES_POINTED, arch_words)},
    [TRANSEPT] = {"transept", "arms north and south", CHOICE(1, transept_words)},
    [TRANSEPT_LENGTH] = {"transept-length", "each arm, from the side of the nave", LENGTH(9.5, 2.4, 40)},
    [TRANSEPT_WIDTH] = {"transept-width", "arms, from west to east; also the crossing", LENGTH(8.5, 4, 30)},
    [TRANSEPT_HEIGHT] = {"transept-height", "walls of the transept, to the eaves", LENGTH(9, 3, 40)},
    [CHANCEL_LENGTH] = {"chancel-length", "chancel, from the crossing to the apse", LENGTH(7, 4, 30)},
    [APSE] = {"apse", "the east end: a flat wall or half a round", CHOICE(1, apse_words)},
    [APSE_RADIUS] = {"apse-radius", "apse; at most half the width of the nave", LENGTH(3.8, 1.5, 15)},
    [APSE_HEIGHT] = {"apse-height", "walls of the apse", LENGTH(6, 3, 25)},
    [APSE_SEGMENTS] = {"apse-segments", "number of walls of the apse", WHOLE(9, 3, 48)},
    [APSE_ROOF] = {"apse-roof", "half a dome, or half a cone of the roof's pitch",
                   CHOICE(APSE_DOME, apse_roof_words)},
    [TOWER] = {"tower", "open tower over the crossing", CHOICE(0, tower_words)},
    [TOWER_HEIGHT] = {"tower-height", "walls of the tower above the highest ridge", LENGTH(6, 2, 30)},
    [SPIRE_HEIGHT] = {"spire-height", "pyramid on the tower", LENGTH(5, 0, 40)},
    [WINDOW_WIDTH] = {"window-width", "side windows; at most half a bay", LENGTH(1.2, 0.4, 4)},
    [DOOR_WIDTH] = {"door-width", "west door", LENGTH(2.2, 0.8, 4)},
    [DOOR_HEIGHT] = {"door-height", "west door, to its crown", LENGTH(3.6, 2, 6)},
    [PEWS] = {"pews", "pews in the nave, where it is long and wide enough", CHOICE(1, pew_words)},
    [PEW_HEIGHT] = {"pew-height", "pews", LENGTH(0.8, 0.3, 1.1)},
    [GANGWAY] = {"gangway", "between the pews, along the nave", LENGTH(1.6, 1, 4)},
    [CHURCH_OPTIONS] = {"turn", turn_help, ANGLE(0, -360, 360)},
};

#define TABLE(table) sizeof table / sizeof *table, table
static const struct room_shape shape[] = {
    {"cube", "a cube with a corner at the origin", TABLE(cube_parameter)},
    {"sphere", "a sphere of triangles that touches the planes through the origin", TABLE(sphere_parameter)},
    {"cross", "five cubes in the form of a plus", TABLE(cross_parameter)},
    {"church", "nave, aisles, transept, chancel and apse", TABLE(church_parameter)},
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
        char known[1500] = "";
        for (size_t k = 0; k < wanted->parameter_count; ++k)
            text_append(known, sizeof known, "%s%s", k == 0 ? "" : ", ", wanted->parameter[k].name);
        return failure_set(failure, FAILURE_INPUT, "%s has no option %s; it has %s", wanted->name, name,
                           known);
    }
    const struct room_parameter *parameter = &wanted->parameter[i];
    if (parameter->words) {
        char words[200] = "";
        for (size_t k = 0; parameter->words[k]; ++k) {
            if (strcmp(parameter->words[k], text) == 0) {
                value[i] = (double)k;
                return 0;
            }
            text_append(words, sizeof words, "%s%s", k == 0 ? "" : " or ", parameter->words[k]);
        }
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

/* Quarters are exact, so that walls turned by them stay on the axes. */
static void turn_room(struct mesh *mesh, double degrees)
{
    const double quarters = round(degrees / 90), rest = (degrees - 90 * quarters) * (acos(-1) / 180);
    const double c = cos(rest), s = sin(rest);
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    const double *turn = turned[(int)quarters & 3]; /* cosine and sine of the whole angle */
    if (degrees == 0)
        return;
    for (size_t i = 0; i < mesh->vertex_count + mesh->marker_count; ++i) {
        double *at = i < mesh->vertex_count ? mesh->vertex[i] : mesh->marker[i - mesh->vertex_count].position;
        const double x = at[0], y = at[1];
        at[0] = turn[0] * x - turn[1] * y + 0.0; /* no -0 */
        at[1] = turn[1] * x + turn[0] * y + 0.0;
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
