/** Names of materials as meshes have them, brought into one form: for the look-up and its checks. */
#ifndef ROOMS_MATERIAL_NAMES_H
#define ROOMS_MATERIAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/materials/material_library.h"

/** text[0..length) in lower case (ASCII), with one blank for every run of blanks, `_` and `-`, and none at
 * the ends. False when nothing is left or it does not fit; `folded` is then empty. */
bool material_name_fold(const char *text, size_t length, char folded[MATERIAL_NAME_MAX]);

#endif
