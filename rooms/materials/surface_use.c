#include "rooms/materials/surface_use.h"

#include <string.h>

#include "rooms/materials/material_words.h"

/* As material_words_split() writes them, at the beginning of a word; with `*` also within one, as in
 * compounds. The first match counts: a wall above a floor is a wall, and a pew on a floor a pew. */
static const struct {
    enum surface_use use;
    const char *word;
} known[] = {
    {SURFACE_OTHER, "beichtstuhl"},  {SURFACE_FLOOR, "wall to wall"},  {SURFACE_FLOOR, "dachboden"},
    {SURFACE_OTHER, "wall"},         {SURFACE_OTHER, "ceiling"},       {SURFACE_OTHER, "roof"},
    {SURFACE_OTHER, "vault"},        {SURFACE_OTHER, "*wand"},         {SURFACE_OTHER, "*decke"},
    {SURFACE_OTHER, "*dach"},        {SURFACE_OTHER, "plafond"},       {SURFACE_OTHER, "toit"},
    {SURFACE_OTHER, "soffitt"},      {SURFACE_OTHER, "techo"},         {SURFACE_ALTAR, "*altar"},
    {SURFACE_ALTAR, "mensa"},        {SURFACE_ALTAR, "autel"},         {SURFACE_ALTAR, "altaar"},
    {SURFACE_FLOOR, "pew floor"},    {SURFACE_FLOOR, "seating floor"}, {SURFACE_FLOOR, "audience floor"},
    {SURFACE_OTHER, "acoustic"},     {SURFACE_OTHER, "textile"},       {SURFACE_OTHER, "organ case"},
    {SURFACE_SEATS, "pew"},          {SURFACE_SEATS, "*seat"},         {SURFACE_SEATS, "*chair"},
    {SURFACE_SEATS, "bench"},        {SURFACE_SEATS, "stalls"},        {SURFACE_SEATS, "audience"},
    {SURFACE_SEATS, "congregation"}, {SURFACE_SEATS, "*kirchenbank"},  {SURFACE_SEATS, "*kirchenbaenk"},
    {SURFACE_SEATS, "*sitzbank"},    {SURFACE_SEATS, "*sitzbaenk"},    {SURFACE_SEATS, "*gestuehl"},
    {SURFACE_SEATS, "*stuehle"},     {SURFACE_SEATS, "publikum"},      {SURFACE_SEATS, "banc"},
    {SURFACE_SEATS, "siege"},        {SURFACE_SEATS, "panca"},         {SURFACE_SEATS, "panche"},
    {SURFACE_SEATS, "poltron"},      {SURFACE_SEATS, "asiento"},       {SURFACE_SEATS, "*kerkbank"},
    {SURFACE_SEATS, "*stoel"},       {SURFACE_FLOOR, "*floor"},        {SURFACE_FLOOR, "paving"},
    {SURFACE_FLOOR, "tile"},         {SURFACE_FLOOR, "carpet"},        {SURFACE_FLOOR, "parquet"},
    {SURFACE_FLOOR, "terrazzo"},     {SURFACE_FLOOR, "*boden"},        {SURFACE_FLOOR, "*parkett"},
    {SURFACE_FLOOR, "*estrich"},     {SURFACE_FLOOR, "*teppich"},      {SURFACE_FLOOR, "*fliese"},
    {SURFACE_FLOOR, "plancher"},     {SURFACE_FLOOR, "moquette"},      {SURFACE_FLOOR, "carrelage"},
    {SURFACE_FLOOR, "pavimento"},    {SURFACE_FLOOR, "suelo"},         {SURFACE_FLOOR, "alfombra"},
    {SURFACE_FLOOR, "*vloer"},       {SURFACE_FLOOR, "*tegel"},        {SURFACE_FLOOR, "*tapijt"},
};

static bool has_word(const char *words, const char *word)
{
    const bool within = word[0] == '*';
    word += within;
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word))
        if (within || at == words || at[-1] == ' ')
            return true;
    return false;
}

/* Set `use`; false without a known word. */
static bool told_by(const char *name, enum surface_use *use)
{
    char words[MATERIAL_WORDS_MAX];
    material_words_split(name, words);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (has_word(words, known[k].word)) {
            *use = known[k].use;
            return true;
        }
    return false;
}

bool surface_use_is_named(const char *name)
{
    enum surface_use use;
    return told_by(name, &use);
}

enum surface_use surface_use_of(const struct material_library *library, const char *name,
                                const struct material *material)
{
    enum surface_use use = SURFACE_OTHER;
    if (told_by(name, &use))
        return use;
    if (material == NULL)
        material = material_library_find(library, name);
    if (material == NULL)
        (void)material_words_read(library, name, &material);
    if (material == NULL)
        return SURFACE_OTHER;
    if (material->kind == MATERIAL_SEATING || material->kind == MATERIAL_AUDIENCE)
        return SURFACE_SEATS;
    return material->kind == MATERIAL_FLOOR || (told_by(material->name, &use) && use == SURFACE_FLOOR)
               ? SURFACE_FLOOR
               : SURFACE_OTHER;
}
