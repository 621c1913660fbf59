#include "src/base/options/scheme_options.h"

#include <stddef.h>
#include <string.h>

const char *const scheme_words[] = {[SCHEME_STANDARD] = "standard", [SCHEME_ISOTROPIC] = "isotropic", NULL};
const char *const quality_words[] = {
    [QUALITY_DRAFT] = "draft", [QUALITY_STANDARD] = "standard", [QUALITY_FINE] = "fine", NULL};

const double scheme_points[SCHEMES][QUALITIES] = {
    [SCHEME_STANDARD] = {STANDARD_POINTS_DRAFT, STANDARD_POINTS, STANDARD_POINTS_FINE},
    [SCHEME_ISOTROPIC] = {ISOTROPIC_POINTS_DRAFT, ISOTROPIC_POINTS, ISOTROPIC_POINTS_FINE},
};
const double scheme_points_least[SCHEMES] = {
    [SCHEME_STANDARD] = STANDARD_POINTS_LEAST,
    [SCHEME_ISOTROPIC] = ISOTROPIC_POINTS_LEAST,
};

enum scheme scheme_of_word(const char *word)
{
    return word != NULL && strcmp(word, scheme_words[SCHEME_ISOTROPIC]) == 0 ? SCHEME_ISOTROPIC
                                                                             : SCHEME_STANDARD;
}
