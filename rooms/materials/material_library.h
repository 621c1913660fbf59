/** The material library: absorption and scattering per octave by the name of a material, each with its source
 * document.
 *
 * The library of the program is materials.yaml, compiled in; a file of the same form is read by
 * material_library_read(). */
#ifndef ROOMS_MATERIAL_LIBRARY_H
#define ROOMS_MATERIAL_LIBRARY_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "rooms/materials/material.h"
#include "rooms/materials/material_names.h" /* finding a material by its name */
#include "rooms/text/yaml_tree.h"

/** The word of a kind in the file and in tables: "stone". */
const char *material_kind_name(enum material_kind kind);

void material_library_free(struct material_library *library);

/** The library of the program: about a millisecond. Fails only without memory. */
int material_library_load(struct material_library *library, struct failure *failure);

/** A library from YAML text, in the form explained in materials.yaml. `where` is its name in sentences.
 * FAILURE_INPUT names the place and the fault: not YAML, unknown or missing keys, duplicate keys, or aliases
 * (* and &); absorption outside 0..1.2, scattering outside 0..1; a name that is empty, too long, or means two
 * materials once it is folded; a missing source or pair; a pair that is not mutual or not of seating and
 * audience; an extended octave that is invalid, differs from the value it repeats, or leaves no octave.
 * `library` is filled on success only. */
int material_library_read(const char *text, size_t bytes, const char *where, struct material_library *library,
                          struct failure *failure);

/** Keys of a sheet, in place of an absorption, in a library or a project: flow_resistance, mass, combination.
 */
enum { SHEET_RESISTANCE, SHEET_MASS, SHEET_COMBINATION, SHEET_KEYS };

/** Read it from the values of these keys of the mapping `whole`; `node` is NULL for missing ones.
 * FAILURE_INPUT for an invalid or empty sheet. */
int material_sheet_read(const struct yaml_spot *whole, const struct yaml_spot key[SHEET_KEYS],
                        struct material_sheet *sheet, struct failure *failure);

#endif
