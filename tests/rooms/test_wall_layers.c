/* Walls of layers: their admittance against closed forms, the names and limits of their text, and the
 * branches that are fitted to them. */
#define _DEFAULT_SOURCE
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/layers/layer_media.h"
#include "rooms/layers/wall_layers.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static struct wall_layers read_layers(const char *text)
{
    struct wall_layers layers;
    MUST(wall_layers_read(text, &layers, &failure));
    return layers;
}

static double complex admittance_of(const char *text, double frequency, double cosine)
{
    const struct wall_layers layers = read_layers(text);
    const struct wall_admittance y = wall_layers_admittance(&layers, frequency, cosine);
    return y.g + y.b * I;
}

static void expect_near(double complex is, double complex wanted, double part)
{
    cr_assert(cabs(is - wanted) <= part * cabs(wanted), "%.12g %+.12g i, not %.12g %+.12g i", creal(is),
              cimag(is), creal(wanted), cimag(wanted));
}

Test(wall_layers, a_cavity_is_the_cotangent_of_its_depth_at_every_angle)
{
    for (double cosine = 0.1; cosine <= 1; cosine += 0.3)
        for (double frequency = 31; frequency < 4000; frequency *= 1.9) {
            const double phase = 2 * PI * frequency / LAYER_SPEED * 0.2 * cosine;
            expect_near(admittance_of("air 200 mm", frequency, cosine), cosine * I * tan(phase), 1e-12);
            /* two layers are one */
            expect_near(admittance_of("air 150 mm; cavity 5 cm", frequency, cosine), cosine * I * tan(phase),
                        1e-9);
        }
}

Test(wall_layers, air_before_free_air_reflects_nothing)
{
    for (double cosine = 0.1; cosine <= 1; cosine += 0.3)
        expect_near(admittance_of("air 200 mm, open", 333, cosine), cosine, 1e-12);
}

Test(wall_layers, a_limp_panel_before_free_air_obeys_the_mass_law)
{
    /* Z = j omega m + rho c / cos, so Y = cos / (1 + j omega m cos / rho c) */
    for (double frequency = 63; frequency < 8000; frequency *= 2)
        for (double cosine = 0.2; cosine <= 1; cosine += 0.4)
            expect_near(admittance_of("board 9 kg/m2, open", frequency, cosine),
                        cosine / (1 + 2 * PI * frequency * 9 * cosine / LAYER_IMPEDANCE * I), 1e-12);
}

Test(wall_layers, a_bending_panel_is_transparent_at_coincidence)
{
    /* 12 mm, 9 kg/m2, 5 GPa without loss: c^2 / 2 pi sqrt(m / B) / sin^2 */
    const double rigidity = 5e9 * pow(0.012, 3) / (12 * (1 - 0.3 * 0.3)), sine = 0.8, cosine = 0.6;
    const double coincidence = LAYER_SPEED * LAYER_SPEED / (2 * PI) * sqrt(9 / rigidity) / (sine * sine);
    expect_near(admittance_of("board 12 mm 9 kg/m2 5 GPa loss 0 %, open", coincidence, cosine), cosine, 1e-9);
}

Test(wall_layers, a_screen_a_quarter_wave_before_a_rigid_wall_is_a_resistance)
{
    const double quarter = LAYER_SPEED / (4 * 0.1);
    expect_near(admittance_of("fleece 800 Pa s/m, air 100 mm", quarter, 1), LAYER_IMPEDANCE / 800, 1e-9);
    /* with a mass in parallel: 1 / (1 / R + 1 / j omega m) */
    expect_near(admittance_of("fleece 800 Pa s/m 300 g/m2, air 100 mm", quarter, 1),
                LAYER_IMPEDANCE * (1 / 800.0 + 1 / (2 * PI * quarter * 0.3 * I)), 1e-9);
}

/* Im Y > 0 below, < 0 above: between the two by halving. */
static double resonance_of(const char *text, double low, double high)
{
    for (int turn = 0; turn < 50; turn++) {
        const double middle = 0.5 * (low + high);
        *(cimag(admittance_of(text, middle, 1)) > 0 ? &low : &high) = middle;
    }
    return low;
}

Test(wall_layers, plates_resonate_where_their_mass_and_the_air_behind_do)
{
    /* omega^2 = rho c^2 / (m d), as long as the cavity is a spring: (k d)^2 / 3 less */
    const double stiffness = LAYER_DENSITY * LAYER_SPEED * LAYER_SPEED / 0.05;
    const double panel = sqrt(stiffness / 6) / (2 * PI);
    cr_assert(test_near(resonance_of("plywood 6 kg/m2, air 50 mm", 20, 300), panel, 0.003 * panel));
    /* holes of 5 mm in 10 mm, 2 %: mass rho (t + 0.85 d psi) / share and, of the viscous wave, somewhat more
     */
    const double ends = 0.85 * 0.005 * (1 - 1.4092 * sqrt(0.02));
    const double holes = sqrt(stiffness / (LAYER_DENSITY * (0.01 + ends) / 0.02)) / (2 * PI);
    const double found = resonance_of("plate 10 mm holes 5 mm 2 %, air 50 mm", 100, 1500);
    cr_assert(found < holes && found > 0.96 * holes, "%g, of %g", found, holes);
}

Test(wall_layers, narrow_holes_and_slits_have_the_resistance_of_slow_flow)
{
    /* Poiseuille: 32 eta t / d^2 in holes, 12 eta t / w^2 in slits, over the open share; masses 4/3 and 6/5
     * rho t */
    const struct wall_layer holes = read_layers("plate 2 mm holes 0.02 mm 1 %").layer[0];
    const struct wall_layer slits = read_layers("plate 2 mm slits 0.02 mm 1 %").layer[0];
    const struct wall_layer air = {.kind = LAYER_AIR};
    const double frequency = 50, omega = 2 * PI * frequency;
    const struct layer_medium beside = layer_medium_of(&air, frequency);
    const double square = 0.02e-3 * 0.02e-3;
    expect_near(layer_thin_impedance(&holes, &beside, &beside, frequency, 0),
                (32 * LAYER_VISCOSITY * 2e-3 / square + 4.0 / 3 * omega * LAYER_DENSITY * 2e-3 * I) / 0.01,
                2e-4);
    expect_near(layer_thin_impedance(&slits, &beside, &beside, frequency, 0),
                (12 * LAYER_VISCOSITY * 2e-3 / square + 1.2 * omega * LAYER_DENSITY * 2e-3 * I) / 0.01, 5e-4);
}

Test(wall_layers, a_porous_layer_is_a_resistance_at_low_frequencies_and_bent_air_at_high_ones)
{
    static const char foam[] =
        "foam 50 mm 10 kPa s/m2 porosity 0.9 tortuosity 1.4 viscous 100 um thermal 200 um";
    const struct wall_layer layer = read_layers(foam).layer[0];
    /* effective density: sigma / j omega, then tortuosity rho / porosity (1 + (1 - j) delta / length);
     * stiffness: P / porosity of constant temperature, then 1.4 times as much less the boundary layers' heat
     */
    struct layer_medium medium = layer_medium_of(&layer, 0.1);
    const double slow = 2 * PI * 0.1, fast = 2 * PI * 1e6;
    expect_near(medium.impedance * medium.wavenumber / slow, 1e4 / (slow * I), 1e-3);
    expect_near(medium.impedance * slow / medium.wavenumber, 101325 / 0.9, 1e-3);
    medium = layer_medium_of(&layer, 1e6);
    const double depth = sqrt(2 * LAYER_VISCOSITY / (LAYER_DENSITY * fast));
    expect_near(medium.impedance * medium.wavenumber / fast,
                1.4 * LAYER_DENSITY / 0.9 * (1 + (1 - I) * depth / 100e-6), 1e-4);
    expect_near(medium.impedance * fast / medium.wavenumber,
                1.4 * 101325 / 0.9 / (1 + 0.4 * (1 - I) * depth / (sqrt(0.71) * 200e-6)), 2e-4);
}

/* 2 J1(z) / (z J0(z)) by their power series. */
static double complex mean_over_a_tube(double complex z)
{
    double complex zeroth = 1, first = 1, term = 1;
    for (int k = 1; k < 100; k++) {
        term *= -z * z / (4.0 * k * k);
        zeroth += term;
        first += term / (k + 1);
    }
    return first / zeroth;
}

/* Straight round pores have a closed form (C. Zwikker and C. W. Kosten, 1949), and the parameters of Johnson
 * and Champoux are known of them: both lengths the radius, tortuosity 1, resistivity 8 eta / (phi a^2). From
 * isothermal air below 340 Hz to adiabatic above, the model is within 1.4 % of its stiffness and 5.1 % of its
 * density. */
Test(wall_layers, round_pores_follow_their_closed_form_from_isothermal_to_adiabatic_air)
{
    const double radius = 1e-4, porosity = 0.9, pressure = 101325;
    struct wall_layer pores =
        read_layers("foam 50 mm 10 kPa s/m2 porosity 0.9 tortuosity 1 viscous 100 um thermal 100 um")
            .layer[0];
    pores.flow_resistivity = 8 * LAYER_VISCOSITY / (porosity * radius * radius);
    for (double frequency = 20; frequency < 20000; frequency *= 1.2) {
        const double omega = 2 * PI * frequency;
        const struct layer_medium medium = layer_medium_of(&pores, frequency);
        const double complex z = radius * csqrt(-I * omega * LAYER_DENSITY / LAYER_VISCOSITY);
        expect_near(medium.impedance * omega / medium.wavenumber,
                    1.4 * pressure / porosity / (1 + 0.4 * mean_over_a_tube(sqrt(0.71) * z)), 0.016);
        expect_near(medium.impedance * medium.wavenumber / omega,
                    LAYER_DENSITY / porosity / (1 - mean_over_a_tube(z)), 0.055);
    }
}

Test(wall_layers, mikis_layer_is_that_of_his_formulas)
{
    /* at frequency / resistivity of 0.1 m3/kg */
    const struct wall_layer wool = read_layers("wool 50 mm 10 kN s/m4").layer[0];
    const struct layer_medium medium = layer_medium_of(&wool, 1000);
    expect_near(medium.impedance / LAYER_IMPEDANCE, 1 + 5.50 * pow(100, -0.632) - 8.43 * pow(100, -0.632) * I,
                1e-3);
    expect_near(medium.wavenumber * LAYER_SPEED / (2000 * PI),
                1 + 7.81 * pow(100, -0.618) - 11.41 * pow(100, -0.618) * I, 1e-3);
}

Test(wall_layers, no_wall_gives_out_energy)
{
    static const char *const wall[] = {
        "perforated plate 12 mm holes 8 mm 15 %, fleece 60 Pa s/m, mineral wool 50 mm 8 kPa s/m2, air 200 mm",
        "wool 30 mm 20 kPa s/m2, board 12.5 mm 9 kg/m2 2.5 GPa loss 2 %, air 80 mm",
        "plate 0.5 mm holes 0.4 mm 1.2 % 2 kg/m2, air 50 mm",
        "foam 50 mm 10 kPa s/m2 porosity 0.9 tortuosity 1.4 viscous 100 um thermal 200 um; open",
    };
    for (size_t w = 0; w < sizeof wall / sizeof wall[0]; w++)
        for (double frequency = 20; frequency < 12000; frequency *= 1.11)
            for (double cosine = 0.05; cosine < 1; cosine += 0.19)
                cr_assert(creal(admittance_of(wall[w], frequency, cosine)) >= -1e-12, "%s at %g Hz", wall[w],
                          frequency);
}

Test(wall_layers, local_and_layered_absorption_part_only_where_sound_spreads_along_the_layers)
{
    struct layer_absorption dense, deep;
    const struct wall_layers plaster = read_layers("plaster 20 mm 500 kPa s/m2");
    const struct wall_layers ceiling = read_layers("wool 20 mm 10 kPa s/m2, air 300 mm");
    wall_layers_absorption(&plaster, &dense);
    wall_layers_absorption(&ceiling, &deep);
    for (int o = 0; o < FIT_OCTAVES; o++)
        cr_assert(not(wall_layers_mislead(&dense, o)), "octave %d: %g %g", o, dense.local[o],
                  dense.diffuse[o]);
    cr_assert(wall_layers_mislead(&deep, 1));
}

Test(wall_layers, branches_follow_the_layers)
{
    static const struct {
        const char *wall;
        double rms;
    } one[] = {{"wool 100 mm 5 kPa s/m2", 0.02},
               {"plate 0.5 mm holes 0.4 mm 1.2 %, air 50 mm", 0.03},
               {"perforated plate 12 mm holes 8 mm 15 %, fleece 60 Pa s/m, mineral wool 50 mm 8 kPa s/m2, "
                "air 200 mm",
                0.05}};
    for (size_t n = 0; n < sizeof one / sizeof one[0]; n++) {
        const struct wall_layers layers = read_layers(one[n].wall);
        struct layer_fit fit;
        struct layer_absorption wanted;
        wall_layers_fit(&layers, LAYERS_TOP, &fit);
        wall_layers_absorption(&layers, &wanted);
        cr_assert(fit.error < one[n].rms, "%s: rms %g", one[n].wall, fit.error);
        for (int o = 0; o < 6; o++)
            cr_assert(test_near(fit.fit.mean[o], wanted.local[o], 0.03), "%s, octave %d: %g, not %g",
                      one[n].wall, o, fit.fit.mean[o], wanted.local[o]);
        cr_assert(eq(int, wall_branches_check(fit.fit.branch, fit.fit.count, "it", &failure), 0));
    }
}

Test(wall_layers, branches_follow_an_undamped_cavity_to_the_top_of_a_run)
{
    const struct wall_layers layers = read_layers("cloth 100 Pa s/m, air 150 mm");
    struct layer_fit low, high;
    wall_layers_fit(&layers, 710, &low);
    wall_layers_fit(&layers, LAYERS_TOP, &high);
    cr_assert(low.error < 0.06 && high.error > 5 * low.error, "rms %g, %g", low.error, high.error);
}

/* ---- measurements ---- */

#define FREQUENCIES 5
/* Reproducibility of a measured absorption a by third octaves: m a + n (ISO 12999-2:2020, Table 1). */
static const struct {
    double frequency, m, n;
} band[FREQUENCIES] = {{400, 0.060, 0.015},
                       {500, 0.050, 0.015},
                       {800, 0.040, 0.015},
                       {1000, 0.040, 0.015},
                       {1600, 0.037, 0.018}};

/* The measured value less that of the layers at normal incidence; NaN where none was measured. */
static double difference_at(const char *text, const double measured[FREQUENCIES], int b)
{
    const double complex y = admittance_of(text, band[b].frequency, 1);
    return measured[b] - (1 - pow(cabs((1 - y) / (1 + y)), 2));
}

Test(wall_layers, published_measurements_agree_within_their_spread)
{
    char line[1000];
    size_t rows = 0;
    FILE *file = fopen(test_source_file("tests/rooms/wall_measurements.csv"), "r");
    cr_assert(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strchr("#4", line[0]) != NULL) /* and the heading */
            continue;
        char *rest = line;
        double measured[FREQUENCIES];
        line[strcspn(line, "\n")] = '\0';
        for (int b = 0; b < FREQUENCIES; b++) {
            const char *cell = strsep(&rest, ",");
            measured[b] = *cell != '\0' ? strtod(cell, NULL) : NAN;
        }
        const char *layers = strsep(&rest, ",");
        for (int b = 0; b < FREQUENCIES; b++)
            if (!isnan(measured[b])) {
                const double by_all = fabs(difference_at(layers, measured, b)),
                             by_resistivity = fabs(difference_at(rest, measured, b));
                cr_expect(test_at_most(by_all, 2 * (band[b].m * measured[b] + band[b].n)),
                          "%s, %g Hz: %.3f off", layers, band[b].frequency, by_all);
                cr_expect(test_at_most(by_resistivity, 0.12), "%s, %g Hz: %.3f off", rest, band[b].frequency,
                          by_resistivity);
            }
        rows++;
    }
    (void)fclose(file);
    cr_assert(eq(sz, rows, 8));
}

/* ---- text ---- */

Test(wall_layers, text_is_read_as_offices_write_it)
{
    const struct wall_layers layers = read_layers(
        "Lochplatte 12,5 mm Holes 8mm 15,5%;\n Vlies 60 Pa\xc2\xb7s/m, Wool 0.05 m 8 kPa s/m\xc2\xb2, rigid");
    const struct wall_layer *plate = &layers.layer[0], *wool = &layers.layer[2];
    cr_assert(layers.count == 3 && !layers.is_open);
    cr_assert(plate->kind == LAYER_HOLES && test_near(plate->thickness, 0.0125, 1e-12) &&
              test_near(plate->opening, 0.008, 1e-12) && test_near(plate->open_share, 0.155, 1e-12));
    cr_assert(layers.layer[1].kind == LAYER_SCREEN && wool->kind == LAYER_POROUS);
    cr_assert(test_near(wool->flow_resistivity, 8000, 1e-9) && test_near(wool->thickness, 0.05, 1e-12));
}

Test(wall_layers, what_is_no_layer_is_refused_with_the_reason)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "has no layer"},
        {"brick 115 mm", "layer 1, \"brick 115 mm\": lacks what makes it a layer"},
        {"wool 8 kPa s/m2", "lacks its thickness"},
        {"air 5 mm, wool 50 m 8 kPa s/m2",
         "layer 2, \"wool 50 m 8 kpa s/m2\": its thickness 50 must lie from 1e-06 to 10 m"},
        {"plate 12 mm 15 %", "openings need both"},
        {"plate 12 mm holes 8 mm 95 %", "its open share 0.95 must lie"},
        {"wool 50 mm 8 kPa s/m2 60 Pa s/m", "two layers"},
        {"wool 50 mm 30 mm 8 kPa s/m2", "its thickness is given twice"},
        {"wool 50 mm 8 kPa s/m2 porosity 0.9", "all of porosity"},
        {"board 12 mm 9 kg/m2 3 GPa", "a panel that bends"},
        {"air 50 furlong", "a number has no unit"},
        {"air 50 mm, rigid, air 20 mm", "behind the end"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        struct wall_layers layers;
        MUST_FAIL(wall_layers_read(wrong[w].text, &layers, &failure), FAILURE_INPUT, wrong[w].words);
    }
}
