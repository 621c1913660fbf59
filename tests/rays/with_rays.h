/** Tests that need rays are skipped in a build without Embree. */
#ifndef TESTS_WITH_RAYS_H
#define TESTS_WITH_RAYS_H

#include "src/rays/ray_scene.h"
#include "tests/support/test_support.h"

/** False, and reported, in a build without Embree. */
static inline bool rays_are_here(void)
{
    if (rays_are_absent())
        cr_skip_test("SKIPPED: built without Embree");
    return !rays_are_absent();
}

#endif
