#include "rooms/materials/wall_view.h"

#include <complex.h>

static double complex to_complex(struct wall_admittance y)
{
    return y.g + I * y.b;
}

static struct wall_admittance to_admittance(double complex y)
{
    return (struct wall_admittance){creal(y), cimag(y)};
}

struct wall_admittance wall_sight_admittance(const struct wall_sight *sight, struct wall_admittance branches)
{
    const double complex y = to_complex(branches);
    return to_admittance(y / (sight->factor - I * sight->reactance * y));
}

struct wall_admittance wall_sight_slope(const struct wall_sight *sight, struct wall_admittance branches)
{
    const double complex below = sight->factor - I * sight->reactance * to_complex(branches);
    return to_admittance(sight->factor / (below * below));
}
