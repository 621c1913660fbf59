/* Materials of kind sheet: their properties in a file, and their absorption. */
#include "rooms/materials/material_library.h"
#include "tests/support/outcome.h"

static int read_text_of(const char *text, struct material_library *library)
{
    return material_library_read(text, strlen(text), "own.yaml", library, &failure);
}

Test(sheet_materials, a_sheet_says_its_flow_resistance_and_mass_in_place_of_an_absorption)
{
    struct material_library library = {0};
    MUST(read_text_of("materials:\n"
                      "- {name: curtain, kind: sheet, flow_resistance: 600, mass: 0.5}\n"
                      "- {name: pane, kind: sheet, mass: 10}\n"
                      "- {name: tight, kind: sheet, flow_resistance: 50, mass: 1, combination: series}\n"
                      "- {name: still, kind: sheet, flow_resistance: 400}\n",
                      &library));
    const struct material_sheet *const curtain = &library.material[0].sheet,
                                       *const pane = &library.material[1].sheet,
                                       *const tight = &library.material[2].sheet,
                                       *const still = &library.material[3].sheet;
    cr_assert(library.material[0].kind == MATERIAL_SHEET && curtain->flow_resistance == 600 &&
              curtain->mass == 0.5 && !curtain->series);
    cr_assert(pane->mass == 10 && pane->flow_resistance == 0 && pane->series);
    cr_assert(tight->series && tight->flow_resistance == 50);
    cr_assert(isinf(still->mass) && !still->series);
    for (int o = 0; o < MATERIAL_OCTAVES; ++o)
        cr_assert(library.material[1].absorption[o] == 0, "a pane without a loss takes nothing");
    material_library_free(&library);
}

/* Held still, z = R / (2 rho c): 4 times the integral of z c^2 / (1 + z c)^2 over c from 0 to 1, with cos =
 * c, is 4 / z^2 (z - 2 ln(1 + z) + z / (1 + z)). */
Test(sheet_materials, one_side_takes_what_the_formula_says_and_never_more_than_a_half)
{
    static const double resistance[] = {10, 100, 413, 826, 3000, 30000};
    for (int n = 0; n < 6; ++n) {
        const struct material_sheet sheet = {.flow_resistance = resistance[n], .mass = INFINITY};
        const double z = resistance[n] / 826, wanted = 4 / (z * z) * (z - 2 * log1p(z) + z / (1 + z));
        double absorption[MATERIAL_OCTAVES];
        sheet_absorption(&sheet, absorption);
        for (int o = 0; o < MATERIAL_OCTAVES; ++o)
            cr_assert(fabs(absorption[o] - wanted) < 0.001 && absorption[o] <= 0.5, "%g Pa s/m: %g, not %g",
                      resistance[n], absorption[o], wanted);
    }
}

Test(sheet_materials, what_makes_no_sheet_is_refused)
{
    static const char *const bad[] = {
        "- {name: a, kind: sheet}\n",
        "- {name: a, kind: sheet, flow_resistance: -1}\n",
        "- {name: a, kind: sheet, flow_resistance: 0, mass: 0}\n",
        "- {name: a, kind: sheet, flow_resistance: 0}\n",
        "- {name: a, kind: sheet, flow_resistance: 50, mass: 0}\n",
        "- {name: a, kind: sheet, mass: 0}\n",
        "- {name: a, kind: sheet, mass: 1, combination: both}\n",
        "- {name: a, kind: sheet, mass: 1, absorption: [0, 0, 0, 0, 0, 0, 0, 0]}\n",
        "- {name: a, kind: wood, mass: 1, absorption: [0, 0, 0, 0, 0, 0, 0, 0]}\n",
        "- {name: a, kind: wood}\n",
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n) {
        struct material_library library = {0};
        char text[200];
        (void)snprintf(text, sizeof text, "materials:\n%s", bad[n]);
        cr_assert(read_text_of(text, &library) == FAILURE_INPUT && library.count == 0, "%s", bad[n]);
    }
}
