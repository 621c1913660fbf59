#include "rooms/materials/material_words.h"

#include <stdio.h>
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

/* `means` lists what `entries` may stand for, by names of the library, the likeliest first: the first that no
 * other word of the name contradicts (qualities) counts. NULL: the library has no such surface. Entries are
 * separated by commas. An entry has the beginnings of words, as material_words_split() writes them, and a
 * name must have all of them. With a star a beginning also matches within a compound, or only at its end if
 * it has four letters. Three letters or fewer are a whole word. */
struct known_words {
    const char *means, *entries;
};

/* Compounds that are not what their last part is. */
static const struct {
    const char *compound, *instead;
} compounds[] = {
    {"dachstuhl", "holzdach"},     {"glockenstuhl", "holz"},   {"beichtstuhl", "holz"},
    {"fensterbank", "sims"},       {"wandteppich", "gobelin"}, {"kunststoff", "plastic"},
    {"lochziegel", "ziegel"},      {"zuschauerraum", "saal"},  {"publikumsbereich", "saal"},
    {"curtain wall", "glasfront"}, {"gestrichen", "painted"},
};

/* What a word says of a surface: a guess must have one of `needs`, by the words of its names, or by its kind
 * (#panel). */
static const struct {
    const char *entries, *needs;
} qualities[] = {
    {"seat, chair, armchair, pew, pews, bench, sofa, sitz, *sitze, *sessel, *stuhl, *stuehle, *bank, "
     "*baenke, "
     "*gestuehl, *bestuhlung, chaise, fauteuil, banc, sedia, sedie, poltron, panca, panche, silla, butaca, "
     "*stoel",
     "#seating, #audience"},
    {"audience, occupied, people, crowd, publikum, zuhoerer, zuschauer, besetzt, publico, pubblico, "
     "publiek, spectat",
     "#audience"},
    {"*polster, upholster, cushion, padded, tapizad, imbottit, rembourr, gestoffeerd",
     "upholstered, cushioned"},
    {"velvet, velour, samt, vellut, terciopelo, fabric, stoff, cloth, textil, linen, tissu, tessuto",
     "#textile, #sheet, upholstered, cushioned, fabric"},
    {"leather, *leder, cuir, cuero, pelle", "leather"},
    {"plastic, plastique, plastica", "plastic, vinyl, hard, #glass, door"},
    {"curtain, drape, *vorhang, *gardine, rideau, tenda, cortina, *gordijn", "curtain, blinds, #sheet"},
    {"carpet, *teppich, moquette, moqueta, tapis, tappeto, alfombra, *tapijt", "carpet, felt"},
    {"perfor, gelocht, loch, *lochplatte, *lochdecke, *lochblech, forat, geperforeerd",
     "perforated, microperforated"},
    {"microperf, micro perf, mikroperf, mikrogelocht", "microperforated"},
    {"slotted, slats, slatted, geschlitzt, schlitz, *lamelle, groove, baffle", "blinds"},
    {"wood wool, woodwool, *holzwolle, hwl, heradesign, heraklith, tectum, fibralith, troldtekt, houtwol, "
     "fibre de bois",
     "wood wool"},
    {"acoustic, *akusti, acustic, acoustiq, absorb, *absorber, *schallschluck", "#panel, #textile"},
    {"*schaum, foam, mousse, *schaumstoff", "foam"},
    {"*putz, *verputz, rendered, plastered", "plaster, #plaster"},
    {"offen fenster, open window", "open"},
    {"wall, *wand, mur, muro, parete, pared, *muur, ceiling, *decke, plafond, soffitto, techo",
     "#stone, #plaster, #wood, #glass, #textile, #panel, #sheet, #other"},
    {"floor, *boden, plancher, pavimento, suelo, *vloer",
     "#stone, #plaster, #wood, #glass, #textile, #panel, #floor, #sheet, #other"},
};

/* What such a word may stand for. */
#define PEWS "pews, cushioned pews, leather chairs, pews occupied, cushioned pews occupied"
#define CHAIRS                                                                                               \
    "chairs, plastic chairs, upholstered chairs, leather chairs, wooden chairs occupied, "                   \
    "moderately upholstered chairs occupied"
#define SEATS "seats, plastic chairs, leather chairs, upholstered seats occupied"
#define WOODEN_SEATS                                                                                         \
    "wooden seats, upholstered seats, wooden theatre seats occupied, upholstered seats occupied"
#define GYPSUM "plasterboard, perforated gypsum board"
#define WOOD   "wood panel, perforated wood panel"

/* Words of the languages, and those of the material libraries of modellers, as found in published models and
 * tables: SketchUp's (Translucent_Glass_Gray, Stone_Masonry_Multi), Revit's (Concrete
 * - Cast-in-Place Concrete, Brick, Common; Stahlbeton - Ortbeton), those of ambientcg.com (Bricks075A,
 * PavingStones070) and polyhaven.com (oak_veneer_01). Metals and plastics count as a hard surface. Roofing
 * counts as the timber below it, which faces the room. */
static const struct known_words things[] = {
    /* English */
    {"plate glass", "glass door, glasfront"},
    {"glass", "mirror"},
    {PEWS, "pew, pews, bench, choir stall"},
    {CHAIRS, "chair"},
    {SEATS, "seat, armchair, sofa"},
    {WOODEN_SEATS, "wood seat"},
    {"orchestra", "orchest"},
    {"brick open joints", "brick open joint, brick exposed joint"},
    {"curtain", "drape"},
    {"carpet", "rug, carpet tile"},
    {"ceramic tile", "tile"},
    {"parquet", "wood tile, laminat, herringbone"},
    {"timber roof", "roof tile, roofing, shingle"},
    {"wood floor", "oak floor, plank floor, hardwood floor, decking"},
    {"concrete block", "concrete masonry, cinder block, cmu"},
    {"plaster", "wallpaper"},
    {"gypsum board, perforated gypsum board", "wallboard, sheetrock, gwb"},
    {"acoustic ceiling tile", "acoustic ceiling, mineral fibre, mineral fiber"},
    {"melamine foam", "acoustic foam, foam panel, basotect"},
    {"microperforated foil", "microperf foil, micro perfor foil"},
    {"wood wool, plaster on wood wool",
     "wood wool, woodwool, hwl, heradesign, heraklith, tectum, fibralith, troldtekt"},
    {"wooden stage", "stage"},
    {NULL,
     "pet felt, felt panel, metal mesh, grille, grass, lawn, vegetation, foliage, groundcover, water, sky"},
    /* German */
    {"window", "*fenster"},
    {"door", "*tuer"},
    {"plate glass", "*glas *tuer"},
    {"leaded glass", "bleiglas, bleiverglas, buntglas"},
    {"double glazing", "isolierverglas, isolierglas, doppelverglas"},
    {"open window", "offen fenster"},
    {PEWS, "*bank, *baenke, *gestuehl"},
    {CHAIRS, "*stuhl, *stuehle"},
    {SEATS, "sitz, *sitze, *sessel"},
    {WOODEN_SEATS, "*holz sitz, *holz *sitze, *holz *bestuhlung"},
    {"curtain", "*vorhang"},
    {"light curtain", "*vorhang leicht, *gardine"},
    {"carpet", "*teppich"},
    {"heavy carpet on felt", "*teppich filz"},
    {"needle felt", "nadelfilz, nadelvlies"},
    {"coir mat", "*kokos, sisal"},
    {"vinyl floor", "pvc"},
    {"linoleum", "linole"},
    {"rubber floor", "kautschuk, *gummi"},
    {"parquet", "*parkett"},
    {"wooden stage", "*buehne *boden"},
    {"wood floor", "*holz *boden, *holzboden, *diele"},
    {"timber ceiling", "*holz *decke, *holzdecke"},
    {"timber roof", "*holz *dach, *holzdach, dachziegel"},
    {"ceramic tile", "*fliese"},
    {"concrete floor", "*estrich"},
    {"acoustic ceiling tile", "mineralfaser"},
    {"perforated metal ceiling", "metall *decke gelocht, metall *decke perfor, metall *lochdecke, metall "
                                 "*kassette perfor, metall *kassette gelocht"},
    {"fabric panel", "stoff bespann, stoff *absorber, stoff *akustik"},
    {"wood wool, plaster on wood wool", "*holzwolle"},
    {"mineral wool", "mineralwolle, steinwolle, glaswolle"},
    {"melamine foam", "*noppenschaum, akustik *schaum"},
    {"acoustic plaster", "akusti *putz"},
    {NULL, "rasen, wasser, *gitter"},
    /* French */
    {"window", "fenetre"},
    {"door", "porte"},
    {"glass", "vitre, vitrage"},
    {"leaded glass", "vitrail, vitraux"},
    {PEWS, "banc"},
    {CHAIRS, "chaise"},
    {SEATS, "fauteuil"},
    {"open window", "fenetre ouverte"},
    {"wood wool, plaster on wood wool", "fibre de bois, laine de bois"},
    {"rubber floor", "caoutchouc"},
    {"carpet", "tapis, moquette"},
    {"curtain", "rideau"},
    {"ceramic tile", "carrelage, carreau"},
    {"wood floor", "plancher"},
    {"wood panel", "lambris"},
    {"timber ceiling", "plafond bois"},
    {"timber roof", "tuile"},
    /* Italian */
    {"window", "finestra"},
    {"door", "porta"},
    {"leaded glass", "vetrata"},
    {PEWS, "panca, panche"},
    {CHAIRS, "sedia, sedie"},
    {SEATS, "poltron"},
    {"open window", "finestra aperta"},
    {"carpet", "tappeto"},
    {"curtain", "tenda"},
    {"ceramic tile", "piastrell"},
    {"wood floor", "pavimento legno"},
    {"timber ceiling", "soffitto legno"},
    /* Spanish */
    {"window", "ventana"},
    {"door", "puerta"},
    {"leaded glass", "vidriera"},
    {CHAIRS, "silla"},
    {SEATS, "butaca"},
    {"open window", "ventana abierta"},
    {"carpet", "alfombra, moqueta"},
    {"curtain", "cortina"},
    {"ceramic tile", "azulejo, baldosa"},
    {"wood floor", "tarima, suelo madera"},
    {"timber ceiling", "techo madera"},
    /* Dutch */
    {"window", "*raam"},
    {"door", "*deur"},
    {"leaded glass", "glas lood"},
    {CHAIRS, "*stoel"},
    {"open window", "open raam"},
    {"wood wool, plaster on wood wool", "houtwol"},
    {"carpet", "*tapijt, vloerkleed"},
    {"curtain", "*gordijn"},
    {"ceramic tile", "*tegel"},
    {"parquet", "parket"},
    {"wood floor", "*hout *vloer"},
    {"timber ceiling", "*hout plafond"},
};

static const struct known_words stuffs[] = {
    /* English */
    {WOOD, "oak, ash, fir, birch, beech, cherry, walnut, maple, pine, spruce, cedar, mahogany, teak, "
           "bamboo, softwood, hardwood, lumber, veneer, chipboard, osb, mdf"},
    {"timber", "plank"},
    {GYPSUM, "plasterboard, drywall, gypsum"},
    {"marble", "granite"},
    {"stone", "sandstone, travertin, slate, basalt, ashlar, flagstone, cobble, paving, paver, rock"},
    {"brick", "masonry"},
    {"ceramic tile", "porcelain, ceramic, mosaic, terracotta"},
    {"concrete", "cement, screed"},
    {"rough concrete", "asphalt"},
    {"hard surface", "metal, steel, iron, alumin, copper, brass, bronze, zinc, chrome, plastic, acrylic"},
    {"plaster", "paint"},
    {"cork tile", "cork"},
    {"mineral wool", "insulation"},
    /* German */
    {WOOD, "eiche, buche, fichte, kiefer, laerche, nussbaum, *holz"},
    {"plywood", "*sperrholz"},
    {"glass", "*glas"},
    {"plaster", "*putz, *verputz"},
    {GYPSUM, "*gips, *gipskarton, gk, gkb, rigips, trockenbau"},
    {"concrete", "*beton"},
    {"brick", "*ziegel, *klinker, *mauerwerk, backstein, kalksandstein"},
    {"stone", "*stein, schiefer"},
    {"marble", "*marmor, granit"},
    {"hard surface", "*stahl, *blech, kupfer"},
    {"mineral wool", "daemm"},
    {"felt", "filz"},
    /* French */
    {WOOD, "chene, hetre, sapin, noyer, bois"},
    {"glass", "verre"},
    {"plaster", "enduit, platre"},
    {GYPSUM, "placo"},
    {"brick", "brique"},
    {"stone", "pierre, ardoise"},
    {"marble", "marbre"},
    {"hard surface", "acier"},
    /* Italian */
    {WOOD, "rovere, abete, noce, legno"},
    {"glass", "vetro"},
    {"plaster", "intonaco, gesso"},
    {GYPSUM, "cartongesso"},
    {"concrete", "calcestruzzo"},
    {"brick", "mattone, mattoni, laterizio"},
    {"stone", "pietra"},
    {"marble", "marmo"},
    {"hard surface", "acciaio"},
    /* Spanish */
    {WOOD, "roble, nogal, madera"},
    {"glass", "vidrio, cristal"},
    {"plaster", "yeso, revoque, enfoscado"},
    {GYPSUM, "pladur"},
    {"concrete", "hormigon"},
    {"brick", "ladrillo"},
    {"stone", "piedra"},
    {"marble", "marmol"},
    {"hard surface", "acero"},
    /* Dutch */
    {WOOD, "eiken, *hout"},
    {"plaster", "pleister, stucwerk"},
    {"brick", "baksteen, metselwerk"},
    {"stone", "*steen"},
    {"marble", "marmer"},
    {"hard surface", "*staal"},
};

/* Names that only say where a surface is: its material in most churches; and what is known of seats only. */
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
    {"audience", "people, crowd, publikum, zuhoerer, zuschauer, public, publico, pubblico, publiek"},
    {"upholstered seats", "*polster, upholster, cushion"},
    {"leather chairs", "leather, leder"},
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

/* True if one of the entries has all its words in `words`. */
static bool has_any(const char *words, const char *entries)
{
    for (const char *end; *entries != '\0'; entries = end + strspn(end, ", "))
        if (letters_in(words, entries, &end) > 0)
            return true;
    return false;
}

/* A name being read. */
struct reading {
    const struct material_library *library;
    char words[MATERIAL_WORDS_MAX];
    unsigned qualities; /* bit q: a word of it asks for qualities[q] */
    size_t most;        /* letters of the best entry so far */
    bool known;         /* its words, even where no material has all that they say */
};

/* True if no word of the name contradicts the material. */
static bool agrees(const struct reading *name, const struct material *material)
{
    char own[1024] = "#", words[MATERIAL_WORDS_MAX];
    (void)strcat(own, material_kind_name(material->kind));
    for (size_t n = 0; n <= material->alias_count; n++) {
        material_words_split(n == 0 ? material->name : material->alias[n - 1], words);
        if (strlen(own) + strlen(words) + 2 < sizeof own)
            (void)strcat(strcat(own, " "), words);
    }
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++)
        if ((name->qualities >> q & 1) != 0 && !has_any(own, qualities[q].needs))
            return false;
    return true;
}

/* The first of `means` that agrees; NULL without one. */
static const struct material *first_that_agrees(const struct reading *name, const char *means)
{
    for (const char *end; *means != '\0'; means = end + strspn(end, ", ")) {
        char one[MATERIAL_NAME_MAX];
        end = means + strcspn(means, ",");
        (void)snprintf(one, sizeof one, "%.*s", (int)(end - means), means);
        const struct material *material = material_library_find(name->library, one);
        if (material != NULL && agrees(name, material))
            return material;
    }
    return NULL;
}

/* Take what the entry with the most letters means, in `*means`. */
static void find_words(struct reading *name, const struct known_words *table, size_t count,
                       const struct material **means)
{
    for (size_t k = 0; k < count; k++)
        for (const char *entry = table[k].entries, *end; *entry != '\0'; entry = end + strspn(end, ", ")) {
            const size_t letters = letters_in(name->words, entry, &end);
            name->known |= letters > 0;
            if (letters <= name->most)
                continue;
            const struct material *found =
                table[k].means != NULL ? first_that_agrees(name, table[k].means) : NULL;
            if (found == NULL && table[k].means != NULL)
                continue;
            name->most = letters;
            *means = found;
        }
}

/* The same of the names of the library. */
static void find_name(struct reading *name, const struct material **means)
{
    for (size_t m = 0; m < name->library->count; m++)
        for (size_t n = 0; n <= name->library->material[m].alias_count; n++) {
            const struct material *material = &name->library->material[m];
            char entry[MATERIAL_WORDS_MAX];
            const char *end;
            material_words_split(n == 0 ? material->name : material->alias[n - 1], entry);
            const size_t letters = letters_in(name->words, entry, &end);
            name->known |= letters > 0;
            if (letters > name->most && agrees(name, material)) {
                name->most = letters;
                *means = material;
            }
        }
}

/* Write what a compound is in its place. */
static void replace_compounds(char *words)
{
    for (size_t c = 0; c < sizeof compounds / sizeof *compounds; c++)
        for (char *at = words; (at = strstr(at, compounds[c].compound)) != NULL;) {
            const size_t whole = strlen(compounds[c].compound), part = strlen(compounds[c].instead);
            memcpy(at, compounds[c].instead, part);
            memmove(at + part, at + whole, strlen(at + whole) + 1);
            at += part;
        }
}

#define FIND(table) find_words(&reading, table, sizeof(table) / sizeof *(table), means)

/* Read the name; `*means` is the material or NULL. */
static struct reading read_name(const struct material_library *library, const char *name,
                                const struct material **means)
{
    struct reading reading = {.library = library};
    material_words_split(name, reading.words);
    replace_compounds(reading.words);
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++)
        reading.qualities |= (unsigned)has_any(reading.words, qualities[q].entries) << q;
    reading.known = reading.qualities != 0;
    *means = NULL;
    FIND(things);
    find_name(&reading, means);
    if (reading.most == 0)
        FIND(stuffs);
    if (reading.most == 0)
        FIND(places);
    return reading;
}

bool material_words_read(const struct material_library *library, const char *name,
                         const struct material **means)
{
    return read_name(library, name, means).known;
}

size_t material_suggest(const struct material_library *library, const char *name,
                        const struct material **near, size_t most)
{
    const struct material *meant;
    const struct reading reading = read_name(library, name, &meant);
    size_t count = 0;
    if (meant != NULL && most > 0)
        near[count++] = meant;
    for (size_t m = 0; meant == NULL && reading.qualities != 0 && m < library->count && count < most; m++)
        if (agrees(&reading, &library->material[m]))
            near[count++] = &library->material[m];
    if (count == most || (meant == NULL && count > 0))
        return count;
    const size_t found = material_library_nearest(library, name, near + count, most - count);
    for (size_t n = count, end = count + found; n < end; n++)
        if (near[n] != meant)
            near[count++] = near[n];
    return count;
}

const struct material *material_guess(const struct material_library *library, const char *name)
{
    const struct material *guess = material_library_find(library, name);
    if (guess == NULL && !material_words_read(library, name, &guess))
        guess = material_library_misspelt(library, name);
    return guess;
}
