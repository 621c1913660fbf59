/** A wall as it is built: layers from the room to what is behind, and the admittance of their surface.
 *
 * Plane waves in layers without end, by transfer matrices (J.-F. Allard and N. Atalla, Propagation of Sound
 * in Porous Media, 2nd ed., 2009, chapter 11): fluids between parallel planes, and thin layers as impedances
 * in series. Time factor exp(+j omega t), air at 20 degrees C and 101,325 Pa. Admittances are specific: times
 * rho c.
 */
#ifndef ROOMS_WALL_LAYERS_H
#define ROOMS_WALL_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "rooms/layers/wall_layer.h"
#include "rooms/materials/branch_fit.h"

#define LAYERS_MAX 12

struct wall_layers {
    size_t count;
    struct wall_layer layer[LAYERS_MAX]; /* from the room on */
    bool is_open;                        /* behind the last is free air; else it is rigid */
};

/** Read layers from text, separated by `;` or by a comma with a blank: `perforated plate 12 mm holes 8 mm 15
 * %, fleece 60 Pa s/m, mineral wool 50 mm 8 kPa s/m2, air 200 mm`. What a layer is follows from its
 * quantities, and its name is free; `air`, `cavity` or `gap` is needed only for air, `rigid` or `open` may
 * end the list.
 *
 *   thickness, nothing else                  air
 *   thickness, Pa s/m2                       porous; with `porosity 0.97 tortuosity 1.05 viscous 80 um
 * thermal 160 um` by Johnson, Champoux and Allard, else by Miki thickness, `holes` or `slits` m, % plate with
 * openings; kg/m2 lets it move Pa s/m                                   screen; kg/m2 lets it move kg/m2
 * panel; with thickness and `GPa` it bends, `loss` %
 *
 * Lengths in um, mm, cm or m; N s/m4 and N s/m3 are taken too. FAILURE_INPUT quotes the layer, and names the
 * value and its limits. */
int wall_layers_read(const char *text, struct wall_layers *layers, struct failure *failure);

/** Admittance of the surface for a plane wave of `frequency` > 0 [Hz] at cosine > 0 of its angle to the
 * normal. */
struct wall_admittance wall_layers_admittance(const struct wall_layers *layers, double frequency,
                                              double cosine);

/** Absorption by octaves, means uniform in log f, of what the surface does not reflect (with `is_open` what
 * goes through counts). */
struct layer_absorption {
    double normal[FIT_OCTAVES];  /* at normal incidence */
    double diffuse[FIT_OCTAVES]; /* at random incidence, every angle with its own admittance */
    double local[FIT_OCTAVES]; /* at random incidence, of the local wall: all with that of normal incidence */
};

/** Tens of milliseconds. */
void wall_layers_absorption(const struct wall_layers *layers, struct layer_absorption *absorption);

/** True where a locally reacting wall misleads: `diffuse` and `local` differ by more than 0.05. */
bool wall_layers_mislead(const struct layer_absorption *absorption, int octave);

/** The most that branches follow the phases of layers, above only their absorption [Hz]. */
#define LAYERS_TOP 2840.0

/** The branches of the local wall, by branch_fit_admittance(). */
struct layer_fit {
    struct branch_fit fit;
    /* |R - R of the layers| at normal incidence from 20 Hz to `top`: root of its mean square, uniform in log
     * f; the largest, and where [Hz] */
    double error, largest, largest_at;
};

/** `error` above which a run says that its wall reflects otherwise than its layers: a choice. */
#define LAYERS_COARSE 0.2

/** @param top up to here the branches follow the phases [Hz], at most LAYERS_TOP. Six branches have few
 * resonances: of an undamped cavity they follow those below a lower `top` far better.
 * A tenth of a second. */
void wall_layers_fit(const struct wall_layers *layers, double top, struct layer_fit *fit);

#endif
