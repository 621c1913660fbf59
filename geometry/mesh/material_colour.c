#include "geometry/mesh/material_colour.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    unsigned char red, green, blue;
} palette[] = {
    /* Substances precede kinds: a "stone floor" is stone. */
    {"marble", 226, 222, 214},
    {"stone", 196, 186, 166},
    {"brick", 168, 98, 78},
    {"plaster", 236, 229, 214},
    {"wood", 140, 98, 60},
    {"oak", 140, 98, 60},
    {"timber", 140, 98, 60},
    {"glass", 132, 172, 204},
    {"window", 132, 172, 204},
    {"carpet", 140, 52, 58},
    {"curtain", 120, 44, 72},
    {"concrete", 170, 170, 166},
    {"metal", 150, 156, 164},
    {"steel", 150, 156, 164},
    {"tile", 184, 128, 96},
    {"slate", 96, 104, 116},
    {"audience", 96, 84, 110},
    {"pew", 112, 72, 42},
    {"chair", 112, 72, 42},
    {"seat", 112, 72, 42},
    {"bench", 112, 72, 42},
    {"door", 108, 68, 40},
    {"altar", 214, 200, 168},
    {"column", 204, 196, 180},
    {"pillar", 204, 196, 180},
    {"panel", 176, 144, 104},
    {"vault", 228, 220, 202},
    {"ceiling", 228, 220, 202},
    {"roof", 152, 88, 70},
    {"floor", 160, 144, 124},
    {"wall", 222, 212, 194},
    {"tower", 190, 180, 162},
    {"terrazzo", 196, 186, 166},
    {"lime wash", 236, 229, 214},
    {"gypsum", 236, 229, 214},
    {"chipboard", 140, 98, 60},
    {"glazing", 132, 172, 204},
    {"felt", 140, 52, 58},
    {"blinds", 120, 44, 72},
    {"gauze", 120, 44, 72},
    {"orchestra", 96, 84, 110},
    {"hard surfaces", 170, 170, 166},
    {"wool", 176, 144, 104},
    {"fibre", 176, 144, 104},
    {"foil", 176, 144, 104},
    /* German */
    {"marmor", 226, 222, 214},
    {"stein", 196, 186, 166},
    {"ziegel", 168, 98, 78},
    {"putz", 236, 229, 214},
    {"holz", 140, 98, 60},
    {"eiche", 140, 98, 60},
    {"glas", 132, 172, 204},
    {"fenster", 132, 172, 204},
    {"teppich", 140, 52, 58},
    {"vorhang", 120, 44, 72},
    {"beton", 170, 170, 166},
    {"metall", 150, 156, 164},
    {"fliesen", 184, 128, 96},
    {"publikum", 96, 84, 110},
    {"gest\xC3\xBChl", 112, 72, 42},
    {"b\xC3\xA4nke", 112, 72, 42},
    {"st\xC3\xBChle", 112, 72, 42},
    {"t\xC3\xBCr", 108, 68, 40},
    {"gew\xC3\xB6lbe", 228, 220, 202},
    {"decke", 228, 220, 202},
    {"dach", 152, 88, 70},
    {"boden", 160, 144, 124},
    {"wand", 222, 212, 194},
    {"turm", 190, 180, 162},
};

static bool contains_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (; *text != '\0'; ++text)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

void material_colour(const char *name, double rgb[3])
{
    for (size_t k = 0; k < sizeof palette / sizeof palette[0]; ++k)
        if (contains_word(name, palette[k].word)) {
            rgb[0] = palette[k].red / 255.0;
            rgb[1] = palette[k].green / 255.0;
            rgb[2] = palette[k].blue / 255.0;
            return;
        }
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name != '\0'; ++name)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    /* Light and grey, so that edges and shading stay visible and no colour means anything: 0.58 .. 0.78. */
    for (int channel = 0; channel < 3; ++channel)
        rgb[channel] = 0.58 + 0.20 * (double)((hash >> (8 * channel)) & 0xFFu) / 255.0;
}
