#include "rooms/materials/material_words.h"

#include <assert.h>
#include <math.h>
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
 * it has four letters. Three letters or fewer are a whole word, and so is one with a point behind it. */
struct known_words {
    const char *means, *entries;
};

/* Compounds that are not what their last part is. With a blank before and behind: abbreviations of drawings.
 */
static const struct {
    const char *compound, *instead;
} compounds[] = {
    {"dachstuhl", "holzdach"},     {"glockenstuhl", "holz"},     {"beichtstuhl", "holz"},
    {"fensterbank", "sims"},       {"wandteppich", "gobelin"},   {"kunststoff", "plastic"},
    {"lochziegel", "ziegel"},      {"zuschauerraum", "saal"},    {"publikumsbereich", "saal"},
    {"curtain wall", "glasfront"}, {"gestrichen", "painted"},    {"audience seat", "seat"},
    {"audience chair", "chair"},   {"orchestra shell", "shell"}, {"orchestra pit", "pit"},
    {" perf ", " perforated "},    {" gyp ", " gypsum "},        {" bd ", " board "},
    {" conc ", " concrete "},      {" mtl ", " metal "},         {" alum ", " aluminium "},
    {" stl ", " steel "},          {" wd ", " wood "},           {" plywd ", " plywood "},
    {" cpt ", " carpet "},         {" vct ", " vinyl tile "},    {" act ", " ceiling tile "},
    {" ptd ", " painted "},        {" clg ", " ceiling "},       {" flr ", " floor "},
};

/* What a word says of a surface: a guess must have one of `needs`, by the words of its names, or by its kind
 * (#panel). */
static const struct {
    const char *entries, *needs;
} qualities[] = {
    {"seat, chair, armchair, pew, pews, bench, sofa, sitz., *sitze, sitzbank, sitzreihe, sitzplatz, "
     "sitzplaetze, *sessel, *stuhl, *stuehle, *bank, *baenke, *gestuehl, *bestuhlung, chaise, fauteuil, "
     "siege., sieges., banc, sedia, sedie, poltron, panca, panche, silla, butaca, *stoel",
     "#seating, #audience"},
    {"audience, congregation, occup, ocupac, ocupad, people, crowd, publikum., zuhoerer., zuschauer., "
     "besetzt, belegt, publico, pubblico, publiek, spectat",
     "#audience"},
    {"*polster, upholster, cushion, padded, *kissen, *auflage, coussin, cuscin, tapizad, imbottit, rembourr, "
     "gestoffeerd",
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
    {"slotted, slat., slats, slatted, geschlitzt, schlitz, *lamelle, groove, baffle, baffel, resonator, "
     "*resonator, helmholtz, diffusor, diffuser, bass trap",
     "blinds"},
    {"wood wool, woodwool, *holzwolle, hwl, heradesign, heraklith, tectum, fibralith, troldtekt, houtwol, "
     "fibre de bois",
     "wood wool"},
    {"acoustic, *akusti, acustic, acoustiq, akoest, absorb, *absorber, *schallschluck, fonoassorb, phoniq",
     "#panel, #textile"},
    {"faux plafond, suspended ceiling, drop ceiling, hung ceiling, *unterdecke, abgehaengt *decke, "
     "abhangdecke, rasterdecke, controsoffitt, falso techo",
     "#panel, plasterboard, gypsum, wood, wooden, timber"},
    {"mineral fib, mineralfaser, mineral tile, mineral ceiling, mineral *decke, mineral *platte, dalle "
     "mineral, fibre mineral, fibra mineral",
     "mineral, acoustic, ceiling"},
    {"glass, verre, vetro, vidrio", "#glass, glass, glazing, window, mirror"},
    {"*schaum, foam, mousse, *schaumstoff", "foam"},
    {"*putz, *verputz, rendered, plastered", "plaster, #plaster"},
    {"offen fenster, open window", "open"},
    {"insulation, *daemmung, *daemmplatte", "wool"},
    {"*beplank", "#plaster, #wood"},
    {"cork, kork, corcho, sughero, liege.", "cork"},
    {"*holzfaser, weichfaser, wood fib, fibreboard, fiberboard, softboard", "fibreboard"},
    {"porous, clinker concrete, breeze, bims, lightweight aggregate", "block unpainted"},
    {"wall, *wand, mur, muro, parete, pared, *muur, ceiling, *decke, plafond, soffitto, techo",
     "#stone, #plaster, #wood, #glass, #textile, #panel, #sheet, #other"},
    {"floor, *boden, plancher, pavimento, suelo, *vloer",
     "#stone, #plaster, #wood, #glass, #textile, #panel, #floor, #sheet, #other"},
};

static_assert(sizeof qualities / sizeof *qualities <= 32, "a bit of struct reading for each");

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
    {"brick open joints", "brick open join, brick exposed joint, brick open butt join"},
    {"curtain", "drape, velour hung"},
    {"light curtain", "light velour, light curtain, sheer, voilage"},
    {"carpet", "rug, carpet tile"},
    {"ceramic tile", "tile"},
    {"parquet", "wood tile, laminat, herringbone"},
    {"timber roof", "roof tile, roofing, shingle"},
    {"wood floor", "oak floor, plank floor, hardwood floor, decking"},
    {"concrete block", "concrete masonry, cinder block, cmu, parpaing, hohlblock, bloque hormigon, blocco "
                       "calcestruzzo, bloc beton"},
    {"concrete block painted",
     "concrete block paint, concrete masonry paint, cmu paint, bloque hormigon pintad"},
    {"plaster", "wallpaper"},
    {"gypsum board, perforated gypsum board", "wallboard, sheetrock, gwb"},
    {"acoustic ceiling tile", "acoustic ceiling, mineral fibre, mineral fiber"},
    {"melamine foam", "acoustic foam, foam panel, basotect"},
    {"microperforated foil", "microperf foil, micro perfor foil"},
    {"wood wool, plaster on wood wool",
     "wood wool, woodwool, hwl, heradesign, heraklith, tectum, fibralith, troldtekt"},
    {"wooden stage", "stage"},
    {"wooden platform", "wood platform, *holz podium, *holz podest, *holzpodium, *holzpodest"},
    {"blinds", "venetian blind, roller blind, jalousie, raffstore, store venitien, veneziana"},
    {NULL, "pet felt, felt panel, metal mesh, grille, grass, lawn, vegetation, foliage, groundcover, water, "
           "sky, bookshel, bookcase, books., organ., organ pipe, lamp., light fixture, luminaire, radiator, "
           "tree., trees., plant., plants., hedge, loudspeaker, soil., gravel, snow., ballast, crushed, "
           "schotter, gravier, ghiaia, canvas, projection screen, tapestry, banner"},
    /* German */
    {"window", "*fenster"},
    {"door", "*tuer"},
    {"plate glass", "*glas *tuer"},
    {"leaded glass", "bleiglas, bleiverglas, buntglas"},
    {"double glazing", "isolierverglas, isolierglas, doppelverglas"},
    {"open window", "offen fenster"},
    {PEWS, "*bank, *baenke, *gestuehl"},
    {CHAIRS, "*stuhl, *stuehle"},
    {SEATS, "sitz., *sitze, sitzbank, sitzreihe, sitzplatz, sitzplaetze, *sessel"},
    {WOODEN_SEATS, "*holz sitz, *holz *sitze, *holz *bestuhlung"},
    {"curtain", "*vorhang"},
    {"light curtain", "*vorhang leicht, *gardine"},
    {"carpet", "*teppich"},
    {"heavy carpet on felt", "*teppich filz, *teppich auf filz"},
    {"needle felt", "nadelfilz, nadelvlies"},
    {"coir mat", "*kokos, cocos, coconut, sisal"},
    {"vinyl floor", "pvc, designbelag"},
    {"linoleum", "linol"},
    {"rubber floor", "kautschuk, *gummi"},
    {"parquet", "*parkett"},
    {"wooden stage", "*buehne *boden"},
    {"wood floor", "*holz *boden, *holzboden, *diele"},
    {"timber ceiling", "*holz *decke, *holzdecke"},
    {"timber roof", "*holz *dach, *holzdach, dachziegel"},
    {"ceramic tile", "*fliese"},
    {"concrete floor", "*estrich"},
    {"acoustic ceiling tile", "mineralfaser"},
    {"perforated metal ceiling",
     "metal *decke gelocht, metal *decke perfor, metal *lochdecke, metal *kassette perfor, metal *kassette "
     "gelocht, metal *paneel perfor, metal *paneel gelocht, metal panel perfor, metal tile perfor, pannell "
     "metal forat"},
    {"fabric panel", "stoff *bespann, stoff *absorber, stoff *akustik, textil *bespann, textil *absorber, "
                     "textil *akustik, fabric wrapped, fabric absorb, fabric acoustic"},
    {"wood wool, plaster on wood wool", "*holzwolle"},
    {"mineral wool", "mineralwolle, steinwolle, glaswolle"},
    {"melamine foam", "*noppenschaum, akustik *schaum"},
    {"acoustic plaster", "akusti *putz, yeso acustic, intonaco acustic, enduit acoustiq"},
    {NULL, "rasen, wasser, *leinwand, *gitter, *regal, buecher, orgel., orgelpfeif, orgelprospekt, *leuchte, "
           "*lampe, heizkoerper, pflanze, baum., baeume, hecke., lautsprecher, kies., schnee, erdreich"},
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
    {"acoustic ceiling tile", "dalle mineral"},
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
    {WOOD, "oak, ash, fir, birch, beech, cherry, walnut, maple, pine, spruce, cedar, mahogany, teak, bamboo, "
           "softwood, hardwood, lumber, veneer, chipboard, osb, mdf, larch, elm, alder, poplar, hickory, "
           "douglas, ebony, rosewood, glulam, clt, lvl, wainscot, beadboard, particle board"},
    {"plywood", "multiplex, contreplaque, compensato, contrachapado"},
    {"timber", "plank"},
    {GYPSUM, "plasterboard, drywall, gypsum"},
    {"marble", "granite"},
    {"stone", "sandstone, travertin, slate, basalt, ashlar, flagstone, cobble, paving, paver, rock., rocks, "
              "bluestone, soapstone, quartzite, gneis, porphyr, tufa., rubble"},
    {"brick", "masonry"},
    {"ceramic tile", "porcelain, ceramic, mosaic, terracotta"},
    {"concrete", "cement, screed"},
    {"rough concrete", "*asphalt"},
    {"hard surface", "metal, steel, iron, alumin, copper, brass, bronze, zinc, chrome, plastic, acrylic, "
                     "epox, resin, polyurethan, titan, corian, perspex, plexi, polycarbon"},
    {"plaster", "paint"},
    {"cork tile", "cork"},
    {"mineral wool", "insulation"},
    /* German */
    {WOOD, "eiche, buche, fichte, kiefer, laerche, nussbaum, esche., ahorn, birke, tanne, douglasie, "
           "kirschbaum, robinie, erle., ulme, *holz, taefer, taefelung, *taefelung, spanplatte"},
    {"plywood", "*sperrholz"},
    {"glass", "*glas"},
    {"plaster", "*putz, *verputz"},
    {GYPSUM, "*gips, *gipskarton, gk, gkb, rigips, trockenbau"},
    {"concrete", "*beton"},
    {"brick", "*ziegel, *klinker, *mauerwerk, backstein, kalksandstein"},
    {"cork tile", "kork"},
    {"stone", "*stein, schiefer, muschelkalk, tuff."},
    {"marble", "*marmor, granit"},
    {"hard surface", "*stahl, *blech, kupfer, messing, eisen, kunstharz"},
    {"mineral wool", "daemm"},
    {"felt", "filz"},
    /* French */
    {WOOD, "chene, hetre, sapin, noyer, erable, frene, meleze, chataign, bois, agglomere"},
    {"glass", "verre"},
    {"plaster", "enduit, platre, crepi"},
    {GYPSUM, "placo, plaque platre"},
    {"ceramic tile", "faience, gres."},
    {"cork tile", "liege"},
    {"mineral wool", "laine roche, laine verre, laine minerale"},
    {"brick", "brique"},
    {"stone", "pierre, ardoise"},
    {"marble", "marbre"},
    {"hard surface", "acier"},
    /* Italian */
    {WOOD, "rovere, abete, noce, larice, faggio, castagno, legno"},
    {"glass", "vetro"},
    {"plaster", "intonaco, gesso"},
    {GYPSUM, "cartongesso"},
    {"concrete", "calcestruzzo"},
    {"brick", "mattone, mattoni, laterizio"},
    {"stone", "pietra, ardesia"},
    {"ceramic tile", "cotto."},
    {"cork tile", "sughero"},
    {"mineral wool", "lana roccia, lana vetro, lana minerale"},
    {"marble", "marmo"},
    {"hard surface", "acciaio"},
    /* Spanish */
    {WOOD, "roble, nogal, madera"},
    {"glass", "vidrio, cristal"},
    {"plaster", "yeso, revoque, enfoscado"},
    {GYPSUM, "pladur, placa yeso, *carton yeso"},
    {"mineral wool", "lana roca, lana vidrio, lana mineral"},
    {"cork tile", "corcho"},
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

/* What is known of seats only. */
static const struct known_words people[] = {
    {"audience",
     "people, crowd, publikum., zuhoerer., zuschauer., besetzt, belegt, public, publico, pubblico, publiek"},
    {"upholstered seats", "*polster, *kissen, upholster, cushion, coussin, cuscin"},
    {"leather chairs", "leather, leder"},
};

/* Names that only say where a surface is: its material in most churches. */
static const struct known_words places[] = {
    {"plaster", "wall, *wand, *waende, mur, murs, muri., muro, parete, pareti, pared, *muur"},
    {"marble floor", "floor, *boden., *boeden., bodenflaeche, sol, pavimento, suelo, *vloer"},
    {"plaster ceiling", "ceiling, *decke., *decken., deckenflaeche, plafond, soffitt, techo"},
    {"plaster vault", "vault, *gewoelbe, voute, volta, boveda, gewelf"},
    {"timber roof", "roof, *dach., toit, tetto, tejado, cubierta, dak"},
    {"stone column", "column, pillar, saeule, *pfeiler, colonne, colonna, columna, kolom"},
    {"stone altar", "altar"},
    {"stone", "stair, *treppe, *stufe"},
    {"wood panel", "pulpit, kanzel"},
};

/* What is behind such a word lies beneath the surface. */
static const char *const beneath[] = {" auf ",       " on ",     " over ",    " ueber ", " sur ",
                                      " su ",        " sopra ",  " sobre ",   " op ",    " cavity ",
                                      " air space ", " backed ", " without ", " unter ", " under ",
                                      " ohne ",      " sans ",   " senza ",   " no "};

/* Words of names of places that say nothing of what is there: colours, sides, parts of buildings, words of
 * programs. Entries as in known_words. */
static const char nothing[] =
    "white, weiss, blanc, bianc, black, schwarz, noir, nero, grey, gray, grau, gris, grigi, beige, brown, "
    "braun, green, gruen, blue, blau, cream, creme, yellow, gelb, light, dark, dunkel, smooth, glatt, rough, "
    "existing, bestand, neubau, interior, inner, innen, exterior, outer, aussen, upper, lower, ober, unter, "
    "north, south, west, nord, links, rechts, right, front, rear, back, rueck, side, seite, left, nave, "
    "aisle, apse, apsis, abside, chancel, choir, chorraum, *buehne, transept, *schiff, querhaus, empore, "
    "gallery, galerie, balcon, balkon, tower, turm, *turm, crypt, krypta, chapel, kapelle, cappella, church, "
    "kirche, chiesa, eglise, hall, *halle, *saal, foyer, lobby, room, *raum, building, gebaeude, tribuene, "
    "default, generic, basic, standard, material, mesh, surface, face, layer, level, geschoss, *geschoss, "
    "finish, type, allgemein, common, public, house, haus, object, group, component, main, haupt";

/* ---- the meaning of a name ---- */

/* True if `length` letters of a word of known_words are in the words of a name. */
static bool has_word(const char *words, const char *word, size_t length)
{
    enum { WHOLE = 3, WITHIN = 5 };
    const bool in_compound = word[0] == '*', whole = word[length - 1] == '.';
    word += in_compound;
    length -= in_compound + whole;
    for (const char *at = words; *at != '\0'; at++) {
        if (strncmp(at, word, length) != 0)
            continue;
        const bool begins = at == words || at[-1] == ' ', ends = at[length] == '\0' || at[length] == ' ';
        if (begins ? (length > WHOLE && !whole) || ends
                   : in_compound && ((length >= WITHIN && !whole) || ends))
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
        letters += length - (*entry == '*') - (entry[length - 1] == '.');
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
    char words[MATERIAL_WORDS_MAX]; /* with a blank before and behind */
    char upper[MATERIAL_WORDS_MAX]; /* those above something else; empty: all */
    unsigned qualities;             /* bit q: a word of it asks for qualities[q] */
    size_t most;                    /* letters of the best entry so far */
    char best[MATERIAL_WORDS_MAX];  /* that entry */
    bool known;                     /* its words, even where no material has all that they say */
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

/* True if the entry is of what is not beneath something, or says itself what is beneath. */
static bool is_above(const struct reading *name, const char *entry)
{
    const char *end;
    if (name->upper[0] == '\0' || letters_in(name->upper, entry, &end) > 0)
        return true;
    for (size_t b = 0; b < sizeof beneath / sizeof *beneath; b++) {
        const char *at = strstr(entry, beneath[b]);
        if (at != NULL && at < entry + strcspn(entry, ","))
            return true;
    }
    return false;
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
            if (letters <= name->most || !is_above(name, entry))
                continue;
            const struct material *found =
                table[k].means != NULL ? first_that_agrees(name, table[k].means) : NULL;
            if (found == NULL && table[k].means != NULL)
                continue;
            name->most = letters;
            (void)snprintf(name->best, sizeof name->best, "%.*s", (int)(end - entry), entry);
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
            if (letters > name->most && is_above(name, entry) && agrees(name, material)) {
                name->most = letters;
                (void)strcpy(name->best, entry);
                *means = material;
            }
        }
}

/* Write what a compound is in its place, where there is room. */
static void replace_compounds(char words[MATERIAL_WORDS_MAX])
{
    for (size_t c = 0; c < sizeof compounds / sizeof *compounds; c++)
        for (char *at = words; (at = strstr(at, compounds[c].compound)) != NULL;) {
            const size_t whole = strlen(compounds[c].compound), part = strlen(compounds[c].instead);
            if (strlen(words) + part - whole >= MATERIAL_WORDS_MAX)
                break;
            memmove(at + part, at + whole, strlen(at + whole) + 1);
            memcpy(at, compounds[c].instead, part);
            at += part - (compounds[c].instead[part - 1] == ' ');
        }
}

#define FIND(table) find_words(reading, table, sizeof(table) / sizeof *(table), means)

/* What things and substances of the name mean. */
static void find_things(struct reading *reading, const struct material **means)
{
    FIND(things);
    find_name(reading, means);
    if (reading->most == 0)
        FIND(stuffs);
}

static void find_qualities(struct reading *name, const char *words)
{
    name->qualities = 0;
    for (size_t q = 0; q < sizeof qualities / sizeof *qualities; q++)
        name->qualities |= (unsigned)has_any(words, qualities[q].entries) << q;
    name->known |= name->qualities != 0;
}

/* Find `upper`, if that has a meaning. */
static void find_upper(struct reading *name)
{
    struct reading above = *name;
    const struct material *means;
    char *end = above.words + strlen(above.words), *const last = end;
    for (size_t b = 0; b < sizeof beneath / sizeof *beneath; b++) {
        char *at = strstr(above.words, beneath[b]);
        end = at != NULL && at < end ? at : end;
    }
    if (end == last)
        return;
    *end = '\0';
    find_qualities(&above, above.words);
    find_things(&above, &means);
    if (above.most > 0)
        (void)strcpy(name->upper, above.words);
}

/* True if a word of the entry is in `word`. */
static bool has_part(const char *word, const char *entry)
{
    for (size_t length; *entry != '\0'; entry += length + (entry[length] == ' ')) {
        length = strcspn(entry, " ");
        if (has_word(word, entry, length))
            return true;
    }
    return false;
}

/* The next word of `words` from `*at` on; false if none is left. */
static bool next_word(const char **at, char word[MATERIAL_WORDS_MAX])
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    (void)snprintf(word, MATERIAL_WORDS_MAX, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

/* True if the words that are not of the best entry mean a surface that absorbs quite differently. */
static bool is_doubtful(const struct reading *name, const struct material *means)
{
    struct reading rest = *name;
    const struct material *other = NULL;
    const char *at = name->upper[0] != '\0' ? name->upper : name->words;
    char word[MATERIAL_WORDS_MAX];
    double apart = 0;
    size_t used = 0;
    while (next_word(&at, word))
        if (!has_part(word, name->best))
            used += (size_t)snprintf(rest.words + used, sizeof rest.words - used, " %s", word);
    rest.words[used] = rest.upper[0] = '\0';
    rest.most = 0;
    find_things(&rest, &other);
    for (size_t o = 1; o < 7 && other != NULL; o++) /* 125 to 4000 Hz */
        apart += (other->absorption[o] - means->absorption[o]) / 6;
    return fabs(apart) > 0.3;
}

/* True if a long word of the name is in no table, so that a place says nothing of what is there. */
static bool has_strange_word(const char *words)
{
    enum { LONG = 5 };
    char word[MATERIAL_WORDS_MAX];
    while (next_word(&words, word)) {
        bool known = strlen(word) < LONG || has_any(word, nothing);
        for (size_t p = 0; p < sizeof places / sizeof *places && !known; p++)
            known = has_any(word, places[p].entries);
        if (!known)
            return true;
    }
    return false;
}

/* Read the name; `*means` is the material or NULL. */
static struct reading read_name(const struct material_library *library, const char *name,
                                const struct material **means)
{
    struct reading read = {.library = library}, *reading = &read;
    char words[MATERIAL_WORDS_MAX];
    material_words_split(name, words);
    (void)snprintf(read.words, sizeof read.words, " %.*s ", (int)sizeof words - 3, words);
    replace_compounds(read.words);
    *means = NULL;
    find_upper(reading);
    find_qualities(reading, read.upper[0] != '\0' ? read.upper : read.words);
    find_things(reading, means);
    if (*means != NULL && is_doubtful(reading, *means))
        *means = NULL;
    if (read.most == 0)
        FIND(people);
    if (read.most == 0) {
        FIND(places);
        if (has_strange_word(read.words)) {
            *means = NULL;
            read.known = false; /* it may be misspelt */
        }
    }
    return read;
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
