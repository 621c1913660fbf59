/** Guesses from name and material if a surface is a floor that people walk on, seats, or an altar. */
#ifndef ROOMS_SURFACE_USE_H
#define ROOMS_SURFACE_USE_H

#include "rooms/materials/material_library.h"

enum surface_use { SURFACE_OTHER, SURFACE_FLOOR, SURFACE_SEATS, SURFACE_ALTAR };

/** The first of these decides. First, a word of `name` for a wall, a roof or a ceiling (other), for an altar,
 * for seats, pews or people, or for a floor, in English, German, French, Italian, Spanish or Dutch, also as
 * part of a compound ("Holzfußboden"). Then the kind and the name of the library's material that the surface
 * has or, if that is NULL, that its name means or suggests. */
enum surface_use surface_use_of(const struct material_library *library, const char *name,
                                const struct material *material);

/** True if a word of `name` itself decides it, or names a wall, a roof or a ceiling. */
bool surface_use_is_named(const char *name);

#endif
