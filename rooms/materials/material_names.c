#include "rooms/materials/material_names.h"

#include <stdint.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '_' || c == '-' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool material_name_fold(const char *text, size_t length, char folded[MATERIAL_NAME_MAX])
{
    size_t used = 0;
    bool apart = false;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (is_blank(c)) {
            apart = used > 0;
            continue;
        }
        if (used + apart + 1 >= MATERIAL_NAME_MAX) {
            used = 0;
            break;
        }
        if (apart)
            folded[used++] = ' ';
        folded[used++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        apart = false;
    }
    folded[used] = '\0';
    return used > 0;
}

/* Remove a counter or a pair of brackets; false if there is neither. */
static bool peel_suffix(const char **text, size_t *length)
{
    enum { COUNTER_DIGITS = 3 };
    static const char brackets[] = "[](){}<>";
    while (*length > 0 && is_blank((*text)[0])) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
    size_t digits = 0;
    while (digits < *length && is_digit((*text)[*length - 1 - digits]))
        digits++;
    if (digits >= COUNTER_DIGITS && digits < *length && (*text)[*length - 1 - digits] == '.') {
        *length -= digits + 1;
        return true;
    }
    for (size_t b = 0; brackets[b] != '\0'; b += 2)
        if (*length >= 2 && (*text)[0] == brackets[b] && (*text)[*length - 1] == brackets[b + 1]) {
            ++*text;
            *length -= 2;
            return true;
        }
    return false;
}

/* The names of a material by number: its own, then its aliases; NULL after the last. */
static const char *name_of(const struct material *material, unsigned number)
{
    if (number == 0)
        return material->name;
    return number <= material->alias_count ? material->alias[number - 1] : NULL;
}

static const struct material *find_folded(const struct material_library *library, const char *wanted)
{
    char folded[MATERIAL_NAME_MAX];
    for (size_t m = 0; m < library->count; m++)
        for (unsigned n = 0; name_of(&library->material[m], n) != NULL; n++) {
            const char *name = name_of(&library->material[m], n);
            if (material_name_fold(name, strlen(name), folded) && strcmp(folded, wanted) == 0)
                return &library->material[m];
        }
    return NULL;
}

const struct material *material_library_find(const struct material_library *library, const char *name)
{
    char folded[MATERIAL_NAME_MAX];
    size_t length = strlen(name);
    do {
        const struct material *found =
            material_name_fold(name, length, folded) ? find_folded(library, folded) : NULL;
        if (found != NULL)
            return found;
    } while (peel_suffix(&name, &length));
    return NULL;
}

/* ---- near names ---- */

/* Count the words of a folded name, and in `shared` those of four letters or more that the other has too. */
static size_t count_words(const char *folded, const char *other, size_t *shared)
{
    size_t words = 0;
    for (const char *word = folded; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        bool found = false;
        for (const char *w = other; length >= 4 && *w != '\0' && !found;) {
            const size_t l = strcspn(w, " ");
            found = l == length && memcmp(w, word, length) == 0;
            w += l + (w[l] == ' ');
        }
        words++;
        *shared += found;
        word += length + (word[length] == ' ');
    }
    return words;
}

/* 0 for equal names; SIZE_MAX if they are not similar. */
static size_t how_far(const char *wanted, const char *name)
{
    const size_t length = strlen(wanted), letters = name_distance(wanted, name);
    const size_t allowed = length < 4 ? 1 : length / 3 > 2 ? length / 3 : 2;
    size_t far = letters <= allowed && letters < length ? letters : SIZE_MAX;
    size_t shared = 0, also = 0;
    const size_t words = count_words(wanted, name, &shared) + count_words(name, wanted, &also);
    if (shared > 0 && also > 0 && words - shared - also + 1 < far)
        far = words - shared - also + 1;
    return far;
}

/* The name without what programs add, folded; false if nothing is left. */
static bool fold_core(const char *name, char folded[MATERIAL_NAME_MAX])
{
    size_t length = strlen(name);
    while (peel_suffix(&name, &length)) {
    }
    while (length > 0 && (is_digit(name[length - 1]) || is_blank(name[length - 1])))
        length--;
    return material_name_fold(name, length, folded);
}

const struct material *material_library_misspelt(const struct material_library *library, const char *name)
{
    char wanted[MATERIAL_NAME_MAX], folded[MATERIAL_NAME_MAX];
    const struct material *found = NULL;
    if (!fold_core(name, wanted))
        return NULL;
    size_t least = strlen(wanted) < 6 ? 2 : 3;
    for (size_t m = 0; m < library->count; m++)
        for (unsigned n = 0; name_of(&library->material[m], n) != NULL; n++) {
            const char *candidate = name_of(&library->material[m], n);
            (void)material_name_fold(candidate, strlen(candidate), folded);
            const size_t letters = name_distance(wanted, folded);
            if (letters < least) {
                least = letters;
                found = &library->material[m];
            }
        }
    return found;
}

size_t material_library_nearest(const struct material_library *library, const char *name,
                                const struct material **near, size_t most)
{
    enum { MOST = 16 };
    size_t far[MOST];
    size_t count = 0;
    char wanted[MATERIAL_NAME_MAX], folded[MATERIAL_NAME_MAX];
    if (!fold_core(name, wanted))
        return 0;
    most = most < MOST ? most : MOST;
    for (size_t m = 0; m < library->count; m++) {
        size_t best = SIZE_MAX;
        for (unsigned n = 0; name_of(&library->material[m], n) != NULL; n++) {
            const char *candidate = name_of(&library->material[m], n);
            (void)material_name_fold(candidate, strlen(candidate), folded);
            const size_t d = how_far(wanted, folded);
            best = d < best ? d : best;
        }
        size_t at = count;
        while (at > 0 && best < far[at - 1])
            at--;
        if (best == SIZE_MAX || at == most)
            continue;
        count += count < most;
        for (size_t i = count - 1; i > at; i--) {
            far[i] = far[i - 1];
            near[i] = near[i - 1];
        }
        far[at] = best;
        near[at] = &library->material[m];
    }
    return count;
}
