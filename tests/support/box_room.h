/** Boxes that stand askew on the grid, with walls where they are or with stairs, and how their modes ring.
 *
 * Lengths are in spacings and the speed of sound is 1, so that a mode's wavenumber is its angular frequency.
 * A mode is started with its exact shape, and what rings is read with that shape and the masses of the nodes
 * as weights, which lets hardly any other mode through. */
#ifndef TESTS_BOX_ROOM_H
#define TESTS_BOX_ROOM_H

#include <complex.h>

#include "blocks/wall_kinds.h"
#include "kernels/engine/engine.h"

struct box_shape {
    double size[3], angle[3], centre[3]; /* as cell_box_planes() */
    bool stairs;                         /* as voxelised without cells */
    double share;                        /* of the largest lambda2; 0: what a run settles on */
    enum scheme scheme;
    bool slabs_apart; /* isotropic: slabs of air along walls are not merged */
};

/** Walls across the box's axis a are of material a. */
struct box_room {
    /* box_room_fit_walls(): as a run has them; before it none */
    struct wall_kinds kinds;
    struct wall_material *wall; /* (kinds.count) */

    struct box_shape shape;
    double axes[3][3];
    struct time_step step;
    struct block_grid blocks;
    double added; /* mass over volume (cut_masses.h) */
    double *mass; /* (blocks + 1, 512) 0 of what is not air */
};

void box_room_make(const struct box_shape *shape, struct box_room *room);
void box_room_free(struct box_room *room);

/** A ball of `radius` about shape->centre, in whose mesh 20,480 triangles hold its volume; its wall is of
 * material 0, and size and angle of the shape are not looked at. */
void box_room_make_ball(const struct box_shape *shape, double radius, struct box_room *room);

/** Walls that absorb as real admittances (3) do, made as a run makes them of one number for all frequencies:
 * of the isotropic scheme kinds by distance, fitted to be seen right below `points` points to a
 * wavelength after the warp. Once, on a room fresh from the above. */
void box_room_fit_walls(struct box_room *room, const double admittance[3], double points);

/** A mode: pressure is the product over the axes of cos (even q) or sin (odd) of wave x, times
 * exp(j omega t). */
struct box_wave {
    int q[3];
    double complex wave[3], omega;
};

/** Between hard walls. */
struct box_wave box_wave_hard(const struct box_shape *shape, const int q[3]);

/** Between walls of any admittance, solved by Newton's method from the hard one, wall by wall. */
struct box_wave box_wave_lossy(const struct box_shape *shape, const struct wall_material wall[3],
                               const int q[3]);

/** Its value at a node. */
double complex box_wave_at(const struct box_room *room, const struct box_wave *wave, const int64_t node[3]);

/** The modes with frequencies between the limits, by rising frequency. @return how many, at most `most` */
size_t box_modes_between(const struct box_shape *shape, double low, double high, size_t most, int (*q)[3]);

/** The frequency of a signal that is nearly a cosine, in radians a sample: where the spectrum under a
 * Blackman window is stationary, by Newton's method from a good guess. Others are to be 3 / periods away. */
double frequency_of(const double *sampled, size_t count, double near);

/** A hard mode's relative error of frequency. */
struct box_error {
    double frequency; /* of all causes */
    double walls;     /* without the lattice's dispersion in the middle of the room */
};
struct box_error box_room_rings(const struct box_room *room, const int q[3]);

/** A lossy mode as it rings: its complex angular frequency. */
double complex box_room_decays(const struct box_room *room, const struct wall_material wall[3],
                               const struct box_wave *wave);

/** By how many spacings a wall across axis 0 seems to stand further out than it does, for sound at right
 * angles to it: from a hard mode with about that many points to a wavelength between two such walls. Whole
 * cells and `offset` of one more at either end, on walls that are faces of voxels; centre {.5, .5, .5}. */
#define BOX_BETWEEN(offset)                                                                                  \
    {                                                                                                        \
        42 + 2 * (offset), 24, 24                                                                            \
    }
double box_wall_shift(const struct box_shape *shape, double points);

/** Errors of decay rates, as shares: of every `each`-th mode of the octave below `points` points to a
 * wavelength. */
struct box_decays {
    double spread, mean; /* root of the mean square, mean */
};
struct box_decays box_octave_decays(const struct box_shape *shape, const struct wall_material wall[3],
                                    double points, size_t each);

/** How much of a wave is not reflected as by a mirror: a packet of `points` to a wavelength falls on the wall
 * at the lower end of the box's axis 1, 30 degrees from its normal, in a box with room for it (BOX_BEAM_*)
 * and one layer of nodes. Share of the energy outside the specular direction. */
#define BOX_BEAM_SIZE                                                                                        \
    {                                                                                                        \
        420, 290, 1                                                                                          \
    }
double box_room_scatters(const struct box_room *room, double points);

#endif
