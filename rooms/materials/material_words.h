/** What surfaces are called in other languages, and by the usual material libraries of modellers. */
#ifndef ROOMS_MATERIAL_WORDS_H
#define ROOMS_MATERIAL_WORDS_H

#include "rooms/materials/material_library.h"

/** The material that the longest known German, French, Italian, Spanish or Dutch word in `name` stands for
 * ("Eiche hell": the wood panel), or NULL. A guess: it says of what, not in which form. */
const struct material *material_words_guess(const struct material_library *library, const char *name);

#endif
