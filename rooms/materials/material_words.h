/** Guesses the material of a surface from the words of its name, in the languages and material libraries of
 * modellers. */
#ifndef ROOMS_MATERIAL_WORDS_H
#define ROOMS_MATERIAL_WORDS_H

#include <stdbool.h>

#include "rooms/materials/material_library.h"

/** `name` as lower-case words with one blank between them: `WoodFloor043` is "wood floor 043", `[Gläser_2]`
 * "glaeser 2". Words end at characters other than letters and digits, between these two, and at a capital
 * within a word; letters of Latin-1 lose their accents, ä, ö, ü and ß become ae, oe, ue and ss. A name that
 * is too long is cut. */
#define MATERIAL_WORDS_MAX 256
void material_words_split(const char *name, char words[MATERIAL_WORDS_MAX]);

/** True if words of `name` are known. `means` is then the material, or NULL if the library has no such
 * surface (grass, water), or none that agrees with every word that is known: `Lochplatte` is perforated, and
 * no plain board. All words of an entry must be in the name, in any order, each as the beginning of a word.
 * The entry with the most letters counts, of those that nothing contradicts. English, German, French,
 * Italian, Spanish and Dutch words for things, and names of the library, come first, then words for
 * substances (oak), then places (floor). What lies beneath or is denied does not count: `tiles on screed`,
 * `without cushion`. NULL, too, if other words mean a surface that absorbs quite differently (timber and
 * mineral wool), and false for a place with a word that is not known (`Wall Autex`), which may be misspelt.
 */
bool material_words_read(const struct material_library *library, const char *name,
                         const struct material **means);

/** Up to `most` materials that `name` may mean into `near`, best first; returns their number: what its words
 * mean, then the nearest names (material_library_nearest()); for a name whose words rule out every guess
 * those that agree with them. */
size_t material_suggest(const struct material_library *library, const char *name,
                        const struct material **near, size_t most);

/** The best guess: the material of that name in the library (material_library_find()), by its words, or as
 * misspelt (material_library_misspelt()); NULL without one. */
const struct material *material_guess(const struct material_library *library, const char *name);

#endif
