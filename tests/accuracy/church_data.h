/** The folder of the real church (third-party data beside the project, its README tells what is in it):
 * places, walls, and what another program, the peer, made of it. Every function takes that folder, so that a
 * bundle can name its place. */
#ifndef TESTS_CHURCH_DATA_H
#define TESTS_CHURCH_DATA_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "kernels/scheme/wall_material.h"

#define CHURCH_RECEIVERS   6
#define CHURCH_PATH_MAX    2000
#define CHURCH_OCTAVES     4 /* 63, 125, 250, 500 Hz: those the peer's times are given for */
#define CHURCH_COARSE      "ctk_500hz_0.2s"
#define CHURCH_FINE        "ctk_1400hz_3s"
#define CHURCH_SOUND_SPEED 343.2 /* [m/s] */

/** Source S1 and the receivers, in the axes of the mesh [m]. */
struct church_places {
    double source[3];
    double receiver[CHURCH_RECEIVERS][3];
    double distance[CHURCH_RECEIVERS];
};
int church_places_read(const char *folder, struct church_places *out, struct failure *failure);

/** One of the peer's runs: its grid and what came out. Owned, freed by church_peer_free(); zeroed is empty.
 */
struct church_peer {
    double spacing, period, courant; /* [m] [s] (-) */
    double node[3];                  /* where a node is [m] */
    size_t samples;                  /* of each receiver */
    double *raw;                     /* (CHURCH_RECEIVERS, samples), for the drive (1, -1) as ours */
    double t30[CHURCH_RECEIVERS][CHURCH_OCTAVES]; /* as the peer has them [s]; NaN where it gives none */
};
void church_peer_free(struct church_peer *peer);

/** @param run  CHURCH_COARSE or CHURCH_FINE. The peer drives with a unit impulse through the bilinear
 * differentiator 2/T (1 - z)/(1 + z); T/2 (x[n] + x[n-1]) turns that into the response to (1, -1).
 * FAILURE_INPUT names what is missing. */
int church_peer_read(const char *folder, const char *run, struct church_peer *out, struct failure *failure);

enum church_walls {
    CHURCH_PEERS_WALLS, /* branches.csv, as the peer had them */
    CHURCH_FITTED_WALLS /* branch_fit() of the octave absorption of materials.csv */
};

/** Walls of the mesh's materials, by name, into `material` (mesh->material_count). */
int church_walls_read(const char *folder, enum church_walls walls, const struct mesh *mesh,
                      struct wall_material *material, struct failure *failure);

#endif
