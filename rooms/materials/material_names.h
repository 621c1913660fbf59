/** Normalises names of materials in meshes and finds them in a library. */
#ifndef ROOMS_MATERIAL_NAMES_H
#define ROOMS_MATERIAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/materials/material.h"

/** text[0..length) in lower case (ASCII), with one blank for every run of blanks, `_` and `-`, and none at
 * the ends. False when nothing is left or it does not fit; `folded` is then empty. */
bool material_name_fold(const char *text, size_t length, char folded[MATERIAL_NAME_MAX]);

/** The material that `name` means, or NULL. Names and aliases match whole: letters without regard to case;
 * blanks, `_` and `-` alike, several as one, none at the ends. If that finds nothing, additions of programs
 * are removed and the rest must be a full name again: a counter (`Marble.001`: a point and at least three
 * digits at the end) and brackets around everything (`[Marble]`). So `Material.001`, `[Brick_01]` and
 * `Default` mean nothing. */
const struct material *material_library_find(const struct material_library *library, const char *name);

/** Up to `most` materials with names similar to `name`, best first, into `near`; returns their number. A
 * similar name or alias is a few letters off (at most 2 or a third), or one with a word of at least four
 * letters in common; counters, brackets and numbers at the end are ignored. */
size_t material_library_nearest(const struct material_library *library, const char *name,
                                const struct material **near, size_t most);

/** The material with the name or alias that `name` misspells, or NULL: at most two letters differ, one in a
 * name of fewer than six. Counters, brackets and numbers at the end are ignored. */
const struct material *material_library_misspelt(const struct material_library *library, const char *name);

#endif
