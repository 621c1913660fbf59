/** A display colour for every material name. */
#ifndef GEOMETRY_MATERIAL_COLOUR_H
#define GEOMETRY_MATERIAL_COLOUR_H

/** sRGB, 0..1: from a word that `name` holds in any case (stone, wood, glass, ...), else from the name's
 * hash. */
void material_colour(const char *name, double rgb[3]);

#endif
