/* Which octaves there are. */
#include "src/response/acoustics/octave_edges.h"
#include "tests/support/test_support.h"

Test(octave_edges, the_octaves_are_those_whose_upper_edge_fits)
{
    double centre[OCTAVE_BANDS_MAX];
    const double highest[] = {80.0, 100.0, 177.0, 355.0, 710.0, 1420.0, 2840.0, 5680.0, 11300.0};
    const size_t bands[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t n = 0; n < sizeof bands / sizeof bands[0]; n++)
        cr_assert(octave_centres(highest[n], centre) == bands[n], "fmax %g", highest[n]);
    cr_assert(test_near(centre[0], 63.0957, 1e-3) && test_near(centre[4], 1000.0, 1e-9));
}
