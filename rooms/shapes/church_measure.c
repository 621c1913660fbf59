/* The lines of the plan and the sections of the roofs, from the options. */
#include <math.h>

#include "rooms/shapes/church.h"

#define PI 3.14159265358979323846

static double whole_steps(double metres)
{
    return round(metres * FLOOR_PLAN_STEPS) / FLOOR_PLAN_STEPS;
}

static void make_profile(const double *value, double half_width, double eaves, struct roof_profile *out)
{
    const bool vaulted = value[ROOF] == ROOF_VAULTED;
    const int pieces = vaulted ? ((int)value[SEGMENTS] + 1) / 2 : 1;
    const double rise = half_width * (vaulted ? value[VAULT_RISE] : tan(value[ROOF_PITCH] * PI / 180));
    out->count = (size_t)pieces + 1;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = PI / 2 * i / pieces;
        out->across[i] = i == 0 ? half_width : i == pieces ? 0 : half_width * cos(angle);
        out->height[i] = whole_steps(eaves + (i == 0 ? 0 : i == pieces ? rise : rise * sin(angle)));
    }
}

/* Give `profile` a point at every height of `other` within its range, so that the seams of two crossing
 * roofs run from corner to corner. */
static void add_heights(struct roof_profile *profile, const struct roof_profile *other)
{
    for (size_t k = 0; k < other->count && profile->count < PROFILE_POINTS_MAX; ++k) {
        const double height = other->height[k];
        size_t i = 0;
        while (i < profile->count && profile->height[i] < height)
            ++i;
        if (i == 0 || i == profile->count || profile->height[i] == height)
            continue;
        const double part = (height - profile->height[i - 1]) / (profile->height[i] - profile->height[i - 1]);
        const double across = profile->across[i - 1] + part * (profile->across[i] - profile->across[i - 1]);
        for (size_t j = profile->count; j > i; --j) {
            profile->across[j] = profile->across[j - 1];
            profile->height[j] = profile->height[j - 1];
        }
        profile->across[i] = across;
        profile->height[i] = height;
        ++profile->count;
    }
}

double roof_height(const struct roof_profile *profile, double across)
{
    const double distance = fabs(across);
    for (size_t i = 1; i < profile->count; ++i)
        if (distance >= profile->across[i])
            return profile->height[i] + (profile->height[i - 1] - profile->height[i]) *
                                            (distance - profile->across[i]) /
                                            (profile->across[i - 1] - profile->across[i]);
    return profile->height[profile->count - 1];
}

void arch_point(int arches, int segments, int k, double *u, double *height)
{
    const int mirrored = 2 * k > segments ? segments - k : k; /* exactly symmetric */
    double left, rise;
    if (2 * mirrored == segments) {
        left = 0;
        rise = 1;
    } else if (arches == ARCHES_ROUND) {
        left = cos(PI * mirrored / segments);
        rise = sin(PI * mirrored / segments);
    } else {
        /* Each side is part of a circle about the other side's springing. */
        const double angle = PI / 3 * 2 * mirrored / segments;
        left = 2 * cos(angle) - 1;
        rise = 2 * sin(angle) / sqrt(3);
    }
    *u = 2 * k > segments ? left : -left;
    *height = rise;
}

static int check_arcade(const double *value, struct church *c, struct failure *failure)
{
    const double way = c->bay - 2 * value[COLUMN_RADIUS];
    if (way < 1.2)
        return failure_set(
            failure, FAILURE_INPUT,
            "church: %g bays in a nave of %g m leave %.2f m between columns of radius %g m, and "
            "1.2 m is the least; use fewer bays or thinner columns",
            value[BAYS], value[NAVE_LENGTH], way, value[COLUMN_RADIUS]);
    c->aisle_inner = value[AISLE_HEIGHT] + value[AISLE_WIDTH] * tan(value[AISLE_PITCH] * PI / 180);
    if (c->aisle_inner > value[NAVE_HEIGHT])
        return failure_set(
            failure, FAILURE_INPUT,
            "church: the aisles' roofs reach %.2f m at the arcade, above the nave's walls of %g m; "
            "lower aisle-height or aisle-pitch, or raise nave-height",
            c->aisle_inner, value[NAVE_HEIGHT]);
    const double room = c->aisle_inner - 0.3 - value[COLUMN_HEIGHT];
    if (room < 0.2)
        return failure_set(
            failure, FAILURE_INPUT,
            "church: columns of %g m do not leave 0.5 m for arches under the aisles' roofs, which "
            "are %.2f m high at the arcade; lower column-height or raise aisle-height",
            value[COLUMN_HEIGHT], c->aisle_inner);
    c->arch_rise = fmin(room, way / 2 * (value[ARCHES] == ARCHES_POINTED ? sqrt(3) : 1));
    return 0;
}

/* Pews are in two pairs, with gaps for a cross gangway, at the front and at the back: there are the
 * nave's positions, a metre or more from everything. */
#define PEW_FRONT  3.2
#define PEW_MIDDLE 2.8
#define PEW_SIDE   0.6

static void place_blocks(struct church *c)
{
    const double inner = c->value[GANGWAY] / 2, outer = c->w - PEW_SIDE;
    const double length = (c->x1 - 2 * PEW_FRONT - PEW_MIDDLE) / 2;
    if (c->value[PEWS] != 0 && length >= 1.2 && outer - inner >= 0.6) {
        for (int row = 0; row < 2; ++row) {
            const double x0 = PEW_FRONT + row * (length + PEW_MIDDLE);
            c->block[c->block_count++] =
                (struct church_block){x0, x0 + length, inner, outer, c->value[PEW_HEIGHT], "pews"};
            c->block[c->block_count++] =
                (struct church_block){x0, x0 + length, -outer, -inner, c->value[PEW_HEIGHT], "pews"};
        }
    }
    c->altar_x0 = c->xe - 1.3;
    c->block[c->block_count++] =
        (struct church_block){c->altar_x0, c->xe - 0.3, -1.2, 1.2, 1.0, "stone_altar"};
}

int church_measure(const double *value, struct church *out, struct failure *failure)
{
    struct church c = {.value = value,
                       .aisles = value[AISLES] != 0,
                       .transept = value[TRANSEPT] != 0,
                       .apse = value[APSE] != 0,
                       .tower = value[TOWER] != 0};
    c.crossing = c.transept || c.tower;
    c.w = value[NAVE_WIDTH] / 2;
    /* The arcade is as thick as its columns are between opposite sides, so that they end flush in its wall.
     */
    const double sides = value[COLUMNS] == COLUMNS_ROUND ? 24 : 8;
    c.ya = c.w + (c.aisles ? 2 * value[COLUMN_RADIUS] * cos(PI / sides) : 0);
    c.yb = c.ya + (c.aisles ? value[AISLE_WIDTH] : 0);
    c.yt = c.w + (c.transept ? value[TRANSEPT_LENGTH] : 0);
    c.bay = value[NAVE_LENGTH] / value[BAYS];
    c.x1 = value[NAVE_LENGTH];
    c.x2 = c.x1 + (c.crossing ? value[TRANSEPT_WIDTH] : 0);
    c.xe = c.x2 + value[CHANCEL_LENGTH];
    if (c.aisles)
        TRY(check_arcade(value, &c, failure));
    if (c.apse && value[APSE_RADIUS] > c.w)
        return failure_set(
            failure, FAILURE_INPUT,
            "church: apse-radius is %g m, more than half the nave's width of %g m; lower it to %g m "
            "or widen the nave",
            value[APSE_RADIUS], value[NAVE_WIDTH], c.w);
    make_profile(value, c.w, value[NAVE_HEIGHT], &c.nave);
    make_profile(value, value[TRANSEPT_WIDTH] / 2, value[TRANSEPT_HEIGHT], &c.arm);
    if (c.transept && !c.tower) {
        const struct roof_profile nave = c.nave;
        add_heights(&c.nave, &c.arm);
        add_heights(&c.arm, &nave);
    }
    c.tower_top = fmax(c.nave.height[c.nave.count - 1], c.transept ? c.arm.height[c.arm.count - 1] : 0) +
                  value[TOWER_HEIGHT];
    place_blocks(&c);
    *out = c;
    return 0;
}
