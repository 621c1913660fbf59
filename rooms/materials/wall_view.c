#include "rooms/materials/wall_view.h"

#include <complex.h>

static double complex whole(struct wall_admittance y)
{
    return y.g + I * y.b;
}

static struct wall_admittance parts(double complex y)
{
    return (struct wall_admittance){creal(y), cimag(y)};
}

struct wall_admittance wall_sight_admittance(const struct wall_sight *sight, struct wall_admittance branches)
{
    const double complex y = whole(branches);
    return parts(y / (sight->factor - I * sight->reactance * y));
}

struct wall_admittance wall_sight_slope(const struct wall_sight *sight, struct wall_admittance branches)
{
    const double complex below = sight->factor - I * sight->reactance * whole(branches);
    return parts(sight->factor / (below * below));
}

struct wall_admittance wall_view_admittance(const struct wall_view *view, const struct wall_branch *branch,
                                            size_t count, double frequency)
{
    struct wall_sight sight;
    if (view == NULL)
        return wall_admittance_at(branch, count, frequency);
    view->at(view->grid, frequency, &sight);
    return wall_sight_admittance(&sight, wall_admittance_at(branch, count, sight.numerical));
}
