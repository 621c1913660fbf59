#include "rooms/materials/material_words.h"

#include <string.h>

/* A word, in lower case and as parts of compounds begin, and a name that the library knows. */
static const struct {
    const char *word, *means;
} known[] = {
    /* German */
    {"eiche", "wood panel"},
    {"buche", "wood panel"},
    {"fichte", "wood panel"},
    {"holz", "wood panel"},
    {"holzdecke", "timber ceiling"},
    {"holzdach", "timber roof"},
    {"holzt\xc3\xbcr", "door"},
    {"t\xc3\xbcr", "door"},
    {"glas", "glass"},
    {"fenster", "window"},
    {"kirchenbank", "pews"},
    {"kirchenb\xc3\xa4nk", "pews"},
    {"gest\xc3\xbchl", "pews"},
    {"putz", "plaster"},
    {"beton", "concrete"},
    {"ziegel", "brick"},
    {"backstein", "brick"},
    {"stein", "stone"},
    {"marmor", "marble"},
    {"fliese", "ceramic tile"},
    {"teppich", "carpet"},
    {"vorhang", "curtain"},
    {"gips", "plasterboard"},
    /* French */
    {"ch\xc3\xaane", "wood panel"},
    {"chene", "wood panel"},
    {"bois", "wood panel"},
    {"plafond bois", "timber ceiling"},
    {"porte", "door"},
    {"verre", "glass"},
    {"vitre", "glass"},
    {"fen\xc3\xaatre", "window"},
    {"banc", "pews"},
    {"enduit", "plaster"},
    {"pl\xc3\xa2tre", "plaster"},
    {"b\xc3\xa9ton", "concrete"},
    {"brique", "brick"},
    {"pierre", "stone"},
    {"marbre", "marble"},
    {"carrelage", "ceramic tile"},
    {"tapis", "carpet"},
    {"moquette", "carpet"},
    {"rideau", "curtain"},
    /* Italian */
    {"rovere", "wood panel"},
    {"legno", "wood panel"},
    {"soffitto in legno", "timber ceiling"},
    {"porta", "door"},
    {"vetro", "glass"},
    {"finestra", "window"},
    {"panca", "pews"},
    {"panche", "pews"},
    {"intonaco", "plaster"},
    {"calcestruzzo", "concrete"},
    {"mattone", "brick"},
    {"pietra", "stone"},
    {"marmo", "marble"},
    {"piastrell", "ceramic tile"},
    {"tappeto", "carpet"},
    {"tenda", "curtain"},
    /* Spanish */
    {"roble", "wood panel"},
    {"madera", "wood panel"},
    {"techo de madera", "timber ceiling"},
    {"puerta", "door"},
    {"vidrio", "glass"},
    {"cristal", "glass"},
    {"ventana", "window"},
    {"yeso", "plaster"},
    {"revoque", "plaster"},
    {"hormig\xc3\xb3n", "concrete"},
    {"ladrillo", "brick"},
    {"piedra", "stone"},
    {"m\xc3\xa1rmol", "marble"},
    {"azulejo", "ceramic tile"},
    {"alfombra", "carpet"},
    {"cortina", "curtain"},
    /* Dutch */
    {"eiken", "wood panel"},
    {"hout", "wood panel"},
    {"houten plafond", "timber ceiling"},
    {"deur", "door"},
    {"raam", "window"},
    {"kerkbank", "pews"},
    {"pleister", "plaster"},
    {"stucwerk", "plaster"},
    {"baksteen", "brick"},
    {"natuursteen", "stone"},
    {"marmer", "marble"},
    {"tegel", "ceramic tile"},
    {"tapijt", "carpet"},
    {"gordijn", "curtain"},
};

const struct material *material_words_guess(const struct material_library *library, const char *name)
{
    char folded[MATERIAL_NAME_MAX];
    const char *means = NULL;
    size_t longest = 0;
    if (!material_name_fold(name, strlen(name), folded))
        return NULL;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const char *at = strstr(folded, known[k].word);
        if (at != NULL && (at == folded || at[-1] == ' ') && strlen(known[k].word) > longest) {
            longest = strlen(known[k].word);
            means = known[k].means;
        }
    }
    return means != NULL ? material_library_find(library, means) : NULL;
}
