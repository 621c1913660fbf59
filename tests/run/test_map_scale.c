/* Steps and colours of maps. */
#include "src/draw/map_scale.h"
#include "tests/support/outcome.h"

static struct map_scale made(enum figure figure, const double *value, size_t count)
{
    struct map_scale scale = {0};
    MUST(map_scale_make(figure, value, count, &scale, &failure));
    return scale;
}

Test(map_scale, a_step_is_a_just_noticeable_difference_from_a_whole_one_on)
{
    static const double clarity[] = {-2.3, 0, NAN, 4.2};
    struct map_scale scale = made(FIGURE_C80, clarity, 4);
    cr_assert(test_near(scale.low, -3, 1e-12) && test_near(scale.step, 1, 1e-12) && scale.classes == 8);
    cr_assert(scale.differences == 1 && scale.decimals == 0 && !scale.below && !scale.above);
    cr_assert(eq(sz, map_scale_class(&scale, -2.3), 0));
    cr_assert(eq(sz, map_scale_class(&scale, 0), 3));
    cr_assert(eq(sz, map_scale_class(&scale, 4.2), 7));
    /* 5 % of the mean of 1.99 s are 0.0995, to two digits 0.1. */
    static const double time[] = {1.90, 1.99, 2.08};
    scale = made(FIGURE_T30, time, 3);
    cr_assert(test_near(scale.step, 0.1, 1e-12) && test_near(scale.low, 1.9, 1e-12) && scale.classes == 2);
    cr_assert(eq(int, scale.decimals, 1));
    static const double one[] = {0.5};
    scale = made(FIGURE_D50, one, 1);
    cr_assert(scale.classes == 1 && scale.decimals == 2 && test_near(scale.low, 0.5, 1e-12));
}

Test(map_scale, a_wide_range_takes_steps_of_several_differences)
{
    double value[101];
    static const struct {
        double range;
        int differences;
    } cases[] = {{11.5, 1}, {12.5, 2}, {23.5, 2}, {30, 5}, {70, 10}, {150, 20}, {2000, 200}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t i = 0; i < 40; i++)
            value[i] = cases[c].range * (double)i / 39;
        const struct map_scale scale = made(FIGURE_G, value, 40);
        cr_assert(eq(int, scale.differences, cases[c].differences), "range %g: %d", cases[c].range,
                  scale.differences);
        cr_assert(scale.classes <= MAP_CLASSES_MAX && test_near(scale.step, cases[c].differences, 1e-12));
    }
}

Test(map_scale, a_few_places_beside_the_source_do_not_take_the_scale)
{
    double value[200];
    for (size_t i = 0; i < 200; i++)
        value[i] = -3 + 5 * (double)i / 199;
    value[7] = 25;
    value[91] = 19;
    const struct map_scale scale = made(FIGURE_C80, value, 200);
    cr_assert(eq(int, scale.differences, 1));
    cr_assert(scale.above && scale.classes <= 6);
    cr_assert(eq(sz, map_scale_class(&scale, 25), scale.classes - 1));
    cr_assert(eq(sz, map_scale_class(&scale, -30), 0));
}

/* Relative luminance of sRGB (IEC 61966-2-1), as the eye weighs it. */
static double lightness(const char *colour)
{
    unsigned rgb[3];
    double linear[3];
    cr_assert(eq(int, sscanf(colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]), 3), "%s", colour);
    for (int c = 0; c < 3; c++) {
        const double v = rgb[c] / 255.0;
        linear[c] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    return 116 * cbrt(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]) - 16;
}

/* L* of CIELAB rises from class to class by about the same: what is left of a palette in grey. */
Test(map_scale, lightness_rises_evenly_from_the_lowest_class_to_the_highest)
{
    for (size_t classes = 2; classes <= MAP_CLASSES_MAX; classes++) {
        const struct map_scale scale = {.step = 1, .classes = classes};
        char text[MAP_COLOUR_MAX];
        double last = lightness(map_scale_colour(&scale, 0, text));
        cr_assert(test_near(last, 15, 3), "%s: %g", text, last);
        for (size_t c = 1; c < classes; c++) {
            const double now = lightness(map_scale_colour(&scale, c, text));
            cr_assert(test_near(now - last, 76.0 / (double)(classes - 1), 4), "%zu of %zu: %g", c, classes,
                      now - last);
            last = now;
        }
        cr_assert(test_near(last, 91, 3), "%s: %g", text, last);
    }
}
