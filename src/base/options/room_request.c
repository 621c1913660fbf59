#include "src/base/options/room_request.h"

double room_points_of_quality(const struct grid_request *request, enum option_quality quality)
{
    return scheme_points[request->drums ? SCHEME_STANDARD : request->scheme][quality];
}

double room_points_per_wavelength(const struct grid_request *request)
{
    return request->points_per_wavelength > 0 ? request->points_per_wavelength
                                              : room_points_of_quality(request, request->quality);
}

/* Each of them sets the spacing. */
static int refuse_two(const struct grid_request *request, struct failure *failure)
{
    const bool points = request->points_per_wavelength > 0, spacing = request->spacing > 0;
    if (request->quality_given && (points || spacing))
        return failure_set(failure, FAILURE_INPUT, "a quality and %s both set the spacing: give one of them",
                           spacing ? "a spacing" : "points per wavelength");
    if (points && spacing)
        return failure_set(failure, FAILURE_INPUT,
                           "a spacing and points per wavelength both set the spacing: give one of them");
    return 0;
}

int room_request_check(const struct room_request *request, struct failure *failure)
{
    const struct grid_request *grid = &request->grid;
    const char *scheme = scheme_words[grid->scheme];
    const double least = scheme_points_least[grid->scheme], limit = time_step_limit(grid->scheme);
    TRY(refuse_two(grid, failure));
    if (grid->points_per_wavelength > 0 && grid->points_per_wavelength < least)
        return failure_set(failure, FAILURE_INPUT,
                           "%.4g points per wavelength are too few: the %s scheme needs at least %.4g",
                           grid->points_per_wavelength, scheme, least);
    if (grid->courant > limit * (1 + 1e-12))
        return failure_set(failure, FAILURE_INPUT,
                           "the Courant number is %.9g: the %s scheme is stable above 0 and up to %.9f",
                           grid->courant, scheme, limit);
    if (grid->scheme == SCHEME_ISOTROPIC && request->engine.walls == WALLS_FIRST_ORDER)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT, "the isotropic scheme has no first-order walls"), failure,
            ADVICE_WALLS_OR_STANDARD, 0);
    if (request->listening.dummy_head.count > 0 &&
        (grid->scheme != SCHEME_ISOTROPIC || request->engine.walls != WALLS_CONFORMAL))
        return failure_set(failure, FAILURE_INPUT,
                           "a dummy head is round, and needs the isotropic scheme with conformal walls");
    return 0;
}
