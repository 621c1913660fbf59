#include "rooms/materials/material_words.h"

#include <string.h>

/* ---- splitting ---- */

enum letter { OTHER, DIGIT, LOWER, UPPER };

/* The character at `text`: its kind, its spelling in lower-case ASCII letters, and its bytes. A character
 * in no table stays, and counts as a small letter. */
static size_t read_letter(const char *text, enum letter *kind, char written[5])
{
    /* Latin-1 from C0 to DF, and 20 higher the small ones. */
    static const char latin[32][3] = {"a",  "a", "a",  "a", "ae", "a", "ae", "c", "e",  "e", "e",
                                      "e",  "i", "i",  "i", "i",  "d", "n",  "o", "o",  "o", "o",
                                      "oe", "",  "oe", "u", "u",  "u", "ue", "y", "th", "ss"};
    const unsigned char c = (unsigned char)text[0], next = (unsigned char)(c != 0 ? text[1] : 0);
    memset(written, 0, 5);
    if (c == 0xC3 && next >= 0x80) {
        *kind = next < 0x9F ? UPPER : LOWER;
        memcpy(written, latin[(next - 0x80) % 32], 3);
        return 2;
    }
    *kind = c >= 'A' && c <= 'Z'                  ? UPPER
            : (c >= 'a' && c <= 'z') || c >= 0x80 ? LOWER
            : c >= '0' && c <= '9'                ? DIGIT
                                                  : OTHER;
    written[0] = *kind == OTHER ? '\0' : (char)(*kind == UPPER ? c - 'A' + 'a' : c);
    return 1;
}

/* True if a word begins at a letter of `kind` after one of `before` and before one of `after`. */
static bool begins_word(enum letter before, enum letter kind, enum letter after)
{
    return before == OTHER || (before == DIGIT) != (kind == DIGIT) ||
           (kind == UPPER && (before == LOWER || after == LOWER));
}

void material_words_split(const char *name, char words[MATERIAL_WORDS_MAX])
{
    enum letter before = OTHER, kind = OTHER, after = OTHER;
    char written[5], ahead[5];
    size_t used = 0;
    for (size_t i = 0; name[i] != '\0'; before = kind) {
        i += read_letter(name + i, &kind, written);
        (void)read_letter(name + i, &after, ahead);
        const bool blank = kind != OTHER && used > 0 && begins_word(before, kind, after);
        if (kind == OTHER || used + blank + strlen(written) >= MATERIAL_WORDS_MAX)
            continue;
        if (blank)
            words[used++] = ' ';
        memcpy(words + used, written, strlen(written));
        used += strlen(written);
    }
    words[used] = '\0';
}

/* ---- words ---- */

/* `means` is a name of the library, or NULL for a surface that it lacks. `entries` that mean it are separated
 * by commas. An entry has the beginnings of words, as material_words_split() writes them, and a name must
 * have all of them. With a star a beginning also matches within a compound, or only at its end if it has four
 * letters. Three letters or fewer are a whole word. */
struct known_words {
    const char *means, *entries;
};

/* Words of the languages, and those of the material libraries of modellers, as found in published models and
 * tables: SketchUp's (Translucent_Glass_Gray, Stone_Masonry_Multi), Revit's (Concrete
 * - Cast-in-Place Concrete, Brick, Common; Stahlbeton - Ortbeton), those of ambientcg.com (Bricks075A,
 * PavingStones070) and polyhaven.com (oak_veneer_01). Metals and plastics count as a hard surface. Roofing
 * counts as the timber below it, which faces the room. */
static const struct known_words things[] = {
    /* English */
    {"plate glass", "glass door, curtain wall"},
    {"glass", "mirror"},
    {"pews", "pew, wood pew"},
    {"benches", "bench, wood bench"},
    {"chairs", "chair, wood chair"},
    {"seats", "seat"},
    {"upholstered seats", "cushion, upholster, sofa"},
    {"upholstered chairs", "fabric, linen"},
    {"leather chairs", "leather"},
    {"curtain", "drape"},
    {"carpet", "rug, carpet tile"},
    {"ceramic tile", "tile"},
    {"parquet", "wood tile, laminate, herringbone"},
    {"timber roof", "roof tile, roofing, shingle"},
    {"wood floor", "oak floor, plank floor, hardwood floor, decking"},
    {"concrete block", "concrete masonry, cinder block, cmu"},
    {"plaster", "wallpaper"},
    {"gypsum board", "sheetrock, gwb"},
    {"acoustic ceiling tile", "acoustic ceiling"},
    {"melamine foam", "acoustic foam"},
    {"wooden stage", "stage"},
    {NULL, "grass, lawn, vegetation, foliage, groundcover, water, sky"},
    /* German */
    {"window", "*fenster"},
    {"door", "*tuer"},
    {"plate glass", "*glas *tuer"},
    {"leaded glass", "bleiglas"},
    {"pews", "*bank, *baenke, gestuehl"},
    {"chairs", "*stuhl, *stuehle"},
    {"upholstered seats", "*polster"},
    {"upholstered chairs", "*stoff"},
    {"hard surface", "kunststoff"},
    {"leather chairs", "leder"},
    {"curtain", "*vorhang"},
    {"carpet", "*teppich"},
    {"parquet", "*parkett"},
    {"wood floor", "*holz *boden, *holzboden, *diele"},
    {"timber ceiling", "*holz *decke, *holzdecke"},
    {"timber roof", "*holz *dach, *holzdach, dachziegel"},
    {"ceramic tile", "*fliese"},
    {"concrete floor", "*estrich"},
    {"acoustic panel", "akustik"},
    {"acoustic plaster", "akustik *putz"},
    {NULL, "rasen, wasser"},
    /* French */
    {"window", "fenetre"},
    {"door", "porte"},
    {"glass", "vitre, vitrage"},
    {"leaded glass", "vitrail, vitraux"},
    {"pews", "banc"},
    {"chairs", "chaise"},
    {"carpet", "tapis, moquette"},
    {"curtain", "rideau"},
    {"ceramic tile", "carrelage"},
    {"wood floor", "plancher"},
    {"wood panel", "lambris"},
    {"timber ceiling", "plafond bois"},
    {"timber roof", "tuile"},
    /* Italian */
    {"window", "finestra"},
    {"door", "porta"},
    {"leaded glass", "vetrata"},
    {"pews", "panca, panche"},
    {"chairs", "sedia, sedie"},
    {"carpet", "tappeto"},
    {"curtain", "tenda"},
    {"ceramic tile", "piastrell"},
    {"wood floor", "pavimento legno"},
    {"timber ceiling", "soffitto legno"},
    /* Spanish */
    {"window", "ventana"},
    {"door", "puerta"},
    {"leaded glass", "vidriera"},
    {"chairs", "silla"},
    {"carpet", "alfombra, moqueta"},
    {"curtain", "cortina"},
    {"ceramic tile", "azulejo, baldosa"},
    {"wood floor", "tarima, suelo madera"},
    {"timber ceiling", "techo madera"},
    /* Dutch */
    {"window", "*raam"},
    {"door", "*deur"},
    {"leaded glass", "glas lood"},
    {"chairs", "*stoel"},
    {"carpet", "*tapijt, vloerkleed"},
    {"curtain", "*gordijn"},
    {"ceramic tile", "*tegel"},
    {"parquet", "parket"},
    {"wood floor", "*hout *vloer"},
    {"timber ceiling", "*hout plafond"},
};

static const struct known_words stuffs[] = {
    /* English */
    {"wood panel", "oak, ash, fir, birch, beech, cherry, walnut, maple, pine, spruce, cedar, mahogany, teak, "
                   "bamboo, softwood, hardwood, lumber, veneer, chipboard, osb, mdf"},
    {"timber", "plank"},
    {"marble", "granite"},
    {"stone", "sandstone, travertine, slate, basalt, ashlar, flagstone, cobble, paving, paver, rock"},
    {"brick", "masonry"},
    {"ceramic tile", "porcelain, ceramic, mosaic, terracotta"},
    {"concrete", "cement, screed"},
    {"rough concrete", "asphalt"},
    {"hard surface", "metal, steel, iron, alumin, copper, brass, bronze, zinc, chrome, plastic, acrylic"},
    {"plaster", "paint"},
    {"cork tile", "cork"},
    {"mineral wool", "insulation"},
    /* German */
    {"wood panel", "eiche, buche, fichte, kiefer, laerche, nussbaum, *holz"},
    {"plywood", "*sperrholz"},
    {"glass", "*glas"},
    {"plaster", "*putz, *verputz"},
    {"plasterboard", "*gips, *gipskarton, trockenbau"},
    {"concrete", "*beton"},
    {"brick", "*ziegel, *klinker, *mauerwerk, backstein, kalksandstein"},
    {"stone", "*stein, schiefer"},
    {"marble", "*marmor, granit"},
    {"hard surface", "*stahl, *blech, kupfer"},
    {"mineral wool", "daemm"},
    {"felt", "filz"},
    /* French */
    {"wood panel", "chene, hetre, sapin, noyer, bois"},
    {"glass", "verre"},
    {"plaster", "enduit, platre"},
    {"plasterboard", "placo"},
    {"brick", "brique"},
    {"stone", "pierre, ardoise"},
    {"marble", "marbre"},
    {"hard surface", "acier"},
    /* Italian */
    {"wood panel", "rovere, abete, noce, legno"},
    {"glass", "vetro"},
    {"plaster", "intonaco, gesso"},
    {"plasterboard", "cartongesso"},
    {"concrete", "calcestruzzo"},
    {"brick", "mattone, mattoni, laterizio"},
    {"stone", "pietra"},
    {"marble", "marmo"},
    {"hard surface", "acciaio"},
    /* Spanish */
    {"wood panel", "roble, nogal, madera"},
    {"glass", "vidrio, cristal"},
    {"plaster", "yeso, revoque, enfoscado"},
    {"plasterboard", "pladur"},
    {"concrete", "hormigon"},
    {"brick", "ladrillo"},
    {"stone", "piedra"},
    {"marble", "marmol"},
    {"hard surface", "acero"},
    /* Dutch */
    {"wood panel", "eiken, *hout"},
    {"plaster", "pleister, stucwerk"},
    {"brick", "baksteen, metselwerk"},
    {"stone", "*steen"},
    {"marble", "marmer"},
    {"hard surface", "*staal"},
};

/* Names that only say where a surface is: its material in most churches. */
static const struct known_words places[] = {
    {"plaster", "wall, *wand, mur, muro, parete, pared, *muur"},
    {"marble floor", "floor, *boden, sol, pavimento, suelo, *vloer"},
    {"plaster ceiling", "ceiling, *decke, plafond, soffitto, techo"},
    {"plaster vault", "vault, *gewoelbe, voute, volta, boveda, gewelf"},
    {"timber roof", "roof, *dach, toit, tetto, tejado, cubierta, dak"},
    {"stone column", "column, pillar, saeule, *pfeiler, colonne, colonna, columna, kolom"},
    {"stone altar", "altar"},
    {"stone", "stair, *treppe"},
    {"wood panel", "pulpit, kanzel"},
};

/* ---- the meaning of a name ---- */

/* True if `length` letters of a word of known_words are in the words of a name. */
static bool has_word(const char *words, const char *word, size_t length)
{
    enum { WHOLE = 3, WITHIN = 5 };
    const bool in_compound = word[0] == '*';
    word += in_compound;
    length -= in_compound;
    for (const char *at = words; *at != '\0'; at++) {
        if (strncmp(at, word, length) != 0)
            continue;
        const bool begins = at == words || at[-1] == ' ', ends = at[length] == '\0' || at[length] == ' ';
        if (begins ? length > WHOLE || ends : in_compound && (length >= WITHIN || ends))
            return true;
    }
    return false;
}

/* Number of letters of an entry's words if all are in those of a name, else 0. An entry ends at a comma
 * or the end of the text, which `end` receives. */
static size_t letters_in(const char *words, const char *entry, const char **end)
{
    size_t letters = 0;
    bool all = true;
    for (*end = entry + strcspn(entry, ","); entry < *end; entry += *entry == ' ') {
        const size_t length = strcspn(entry, " ,");
        all = all && has_word(words, entry, length);
        letters += length - (*entry == '*');
        entry += length;
    }
    return all ? letters : 0;
}

/* The row of a table whose entry has the most letters, above `most`; NULL without one. */
static const struct known_words *find_words(const struct known_words *table, size_t count, const char *words,
                                            size_t *most)
{
    const struct known_words *found = NULL;
    for (size_t k = 0; k < count; k++)
        for (const char *entry = table[k].entries, *end; *entry != '\0'; entry = end + strspn(end, ", ")) {
            const size_t letters = letters_in(words, entry, &end);
            if (letters > *most) {
                *most = letters;
                found = &table[k];
            }
        }
    return found;
}

/* The same of the names of a library. */
static const struct material *find_name(const struct material_library *library, const char *words,
                                        size_t *most)
{
    const struct material *found = NULL;
    for (size_t m = 0; m < library->count; m++)
        for (size_t n = 0; n <= library->material[m].alias_count; n++) {
            const struct material *material = &library->material[m];
            char entry[MATERIAL_WORDS_MAX];
            const char *end;
            material_words_split(n == 0 ? material->name : material->alias[n - 1], entry);
            const size_t letters = letters_in(words, entry, &end);
            if (letters > *most) {
                *most = letters;
                found = material;
            }
        }
    return found;
}

#define FIND(table, most) find_words(table, sizeof(table) / sizeof *(table), words, most)

bool material_words_read(const struct material_library *library, const char *name,
                         const struct material **means)
{
    char words[MATERIAL_WORDS_MAX];
    size_t most = 0;
    material_words_split(name, words);
    const struct known_words *known = FIND(things, &most);
    const struct material *named = find_name(library, words, &most);
    if (named == NULL && known == NULL)
        known = FIND(stuffs, &most);
    if (named == NULL && known == NULL)
        known = FIND(places, &most);
    *means = named != NULL                           ? named
             : known != NULL && known->means != NULL ? material_library_find(library, known->means)
                                                     : NULL;
    return named != NULL || known != NULL;
}

size_t material_suggest(const struct material_library *library, const char *name,
                        const struct material **near, size_t most)
{
    const struct material *meant = NULL;
    if (most == 0 || !material_words_read(library, name, &meant) || meant == NULL)
        return material_library_nearest(library, name, near, most);
    near[0] = meant;
    size_t count = 1;
    const size_t found = material_library_nearest(library, name, near + 1, most - 1);
    for (size_t n = 1; n <= found; n++)
        if (near[n] != meant)
            near[count++] = near[n];
    return count;
}

const struct material *material_guess(const struct material_library *library, const char *name)
{
    const struct material *guess = material_library_find(library, name);
    if (guess == NULL && !material_words_read(library, name, &guess) &&
        material_library_nearest(library, name, &guess, 1) == 0)
        guess = NULL;
    return guess;
}
