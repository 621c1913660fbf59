/** What a surface is likely made of, by the words of its name, in the languages and material libraries of
 * modellers. */
#ifndef ROOMS_MATERIAL_WORDS_H
#define ROOMS_MATERIAL_WORDS_H

#include <stdbool.h>

#include "rooms/materials/material_library.h"

/** `name` as lower-case words with one blank between them: `WoodFloor043` is "wood floor 043", `[Gläser_2]`
 * "glaeser 2". Words end at what is no letter or digit, between these two, and at a capital within a word;
 * letters of Latin-1 lose their accents, ä, ö, ü and ß become ae, oe, ue and ss. A name that is too long is
 * cut. */
#define MATERIAL_WORDS_MAX 256
void material_words_split(const char *name, char words[MATERIAL_WORDS_MAX]);

/** Do the words of `name` stand for something that is known? `means` is then the material, or NULL for what
 * the library has no surface of (grass, water). All words of an entry must be in the name, in any order, each
 * as the beginning of a word; the entry with the most letters counts, of English, German, French, Italian,
 * Spanish and Dutch words for things and of names of the library first, then of words for what things are
 * made of (oak), then of places (floor). A guess: it says of what, seldom in which form. */
bool material_words_read(const struct material_library *library, const char *name,
                         const struct material **means);

/** Up to `most` materials that `name` may have meant into `near`, best first; returns how many: what its
 * words stand for, then the nearest (material_library_nearest()). */
size_t material_suggest(const struct material_library *library, const char *name,
                        const struct material **near, size_t most);

/** The best guess there is: what the name means in the library (material_library_find()), what its words
 * stand for, or the nearest name; NULL for none. */
const struct material *material_guess(const struct material_library *library, const char *name);

#endif
