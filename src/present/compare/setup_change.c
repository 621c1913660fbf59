#include "src/present/compare/setup_change.h"

#include <math.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/cut_text.h"
#include "src/present/compare/distinct_numbers.h"
#include "src/base/words/words.h"

#define ALIKE      1e-6 /* relative */
#define AXES_APART 0.01 /* of unit vectors */

static bool are_alike(double first, double second)
{
    return (isnan(first) && isnan(second)) || fabs(second - first) <= ALIKE * fmax(fabs(first), fabs(second));
}

static bool are_same(const char *first, const char *second)
{
    return first == NULL || second == NULL ? first == second : strcmp(first, second) == 0;
}

/* ---- sources ---- */

static bool same_direction(const struct record_directivity *first, const struct record_directivity *second)
{
    if (first == NULL || second == NULL)
        return first == second;
    double apart = 0.0;
    for (int k = 0; k < 3; k++)
        apart = hypot(apart, second->axis[k] - first->axis[k]);
    return are_same(first->pattern, second->pattern) && are_same(first->hash, second->hash) &&
           !(apart > AXES_APART);
}

static bool same_members(const struct record_point *first, const struct record_point *second)
{
    bool found = first->together.count == second->together.count;
    for (size_t m = 0; found && m < first->together.count; m++) {
        const struct record_member *a = &first->together.item[m], *b = &second->together.item[m];
        found =
            are_same(a->source, b->source) && are_alike(a->gain, b->gain) && are_alike(a->delay, b->delay);
    }
    return found;
}

static void put_source(const struct record_point *source, char text[SETUP_CHANGE_MAX])
{
    const struct record_directivity *of = source->directivity;
    text[0] = '\0';
    for (size_t m = 0; m < source->together.count; m++) {
        const struct record_member *member = &source->together.item[m];
        text_append(text, SETUP_CHANGE_MAX, "%s%.*s", m > 0 ? ", " : "",
                    CUT_TEXT(member->source != NULL ? member->source : "?", 40));
        if (member->gain != 0.0 || member->delay != 0.0)
            text_append(text, SETUP_CHANGE_MAX, " (%s dB, %s ms)", words_number("%+.6g", member->gain).text,
                        words_number("%.6g", member->delay).text);
    }
    if (source->together.count > 0)
        return;
    if (of == NULL || of->pattern == NULL) {
        text_append(text, SETUP_CHANGE_MAX, "%s", T("alike in all directions"));
        return;
    }
    text_append(text, SETUP_CHANGE_MAX, "%.*s", CUT_TEXT(of->pattern, 80));
    if (!isnan(of->axis[0]))
        text_append(text, SETUP_CHANGE_MAX, T(" along (%s, %s, %s)"), words_number("%.3f", of->axis[0]).text,
                    words_number("%.3f", of->axis[1]).text, words_number("%.3f", of->axis[2]).text);
}

bool source_change(const struct record_point *first, const struct record_point *second,
                   char text[2][SETUP_CHANGE_MAX])
{
    const struct record_point *const of[] = {first, second};
    if (same_direction(first->directivity, second->directivity) && same_members(first, second))
        return false;
    for (int r = 0; r < 2; r++)
        put_source(of[r], text[r]);
    const bool called_alike = strcmp(text[0], text[1]) == 0;
    for (int r = 0; called_alike && r < 2; r++)
        if (of[r]->directivity != NULL && of[r]->directivity->hash != NULL)
            text_append(text[r], SETUP_CHANGE_MAX, " (%.*s)", CUT_TEXT(of[r]->directivity->hash, 40));
    return true;
}

/* ---- sheets ---- */

static void put_sheet(const struct record_material *material, const char *resistance, const char *mass,
                      char text[SETUP_CHANGE_MAX])
{
    text[0] = '\0';
    if (material->combination == NULL) {
        text_append(text, SETUP_CHANGE_MAX, "%s", T("no sheet"));
        return;
    }
    text_append(text, SETUP_CHANGE_MAX, "%s Pa s/m, ", resistance);
    if (isnan(material->sheet_mass))
        text_append(text, SETUP_CHANGE_MAX, "%s", T("held still"));
    else
        text_append(text, SETUP_CHANGE_MAX, "%s kg/m2", mass);
    text_append(text, SETUP_CHANGE_MAX, ", %.*s", CUT_TEXT(material->combination, 20));
}

/* One of them may be absent. */
static struct distinct_numbers digits_of(double first, double second)
{
    return distinct_digits(isnan(first) ? 0.0 : first, isnan(second) ? 0.0 : second, 4);
}

bool sheet_change(const struct record_material *first, const struct record_material *second,
                  char text[2][SETUP_CHANGE_MAX])
{
    const struct distinct_numbers resistance = digits_of(first->flow_resistance, second->flow_resistance),
                                  mass = digits_of(first->sheet_mass, second->sheet_mass);
    if (are_same(first->combination, second->combination) &&
        are_alike(first->flow_resistance, second->flow_resistance) &&
        are_alike(first->sheet_mass, second->sheet_mass))
        return false;
    put_sheet(first, resistance.first, mass.first, text[0]);
    put_sheet(second, resistance.second, mass.second, text[1]);
    return true;
}

/* ---- dummy heads ---- */

void head_words(const struct record_dummy_head *head, char text[SETUP_CHANGE_MAX])
{
    const char *folder = head->file != NULL ? strrchr(head->file, '/') : NULL;
    text[0] = '\0';
    if (head->file != NULL)
        text_append(text, SETUP_CHANGE_MAX, "%.*s", CUT_TEXT(folder != NULL ? folder + 1 : head->file, 80));
    else
        text_append(text, SETUP_CHANGE_MAX, T("a sphere of %s m radius"),
                    words_number("%.6g", head->radius).text);
    text_append(text, SETUP_CHANGE_MAX, T(" at (%s, %s, %s) m, looks towards %s degrees"),
                words_number("%.3f", head->position[0]).text, words_number("%.3f", head->position[1]).text,
                words_number("%.3f", head->position[2]).text, words_number("%.6g", head->azimuth).text);
}

static bool same_heads(const struct record_dummy_head *first, const struct record_dummy_head *second)
{
    bool found = are_same(first->file, second->file) && are_same(first->hash, second->hash) &&
                 are_alike(first->radius, second->radius) && are_alike(first->azimuth, second->azimuth);
    for (int k = 0; k < 3; k++)
        found = found && are_alike(first->position[k], second->position[k]);
    return found;
}

bool head_change(const struct record_dummy_head *first, const struct record_dummy_head *second,
                 char text[2][SETUP_CHANGE_MAX])
{
    const struct record_dummy_head *const of[] = {first, second};
    if (first != NULL && second != NULL && same_heads(first, second))
        return false;
    for (int r = 0; r < 2; r++)
        if (of[r] != NULL) {
            head_words(of[r], text[r]);
        } else {
            text[r][0] = '\0';
            text_append(text[r], SETUP_CHANGE_MAX, "%s", T("no head"));
        }
    const bool called_alike = strcmp(text[0], text[1]) == 0;
    for (int r = 0; called_alike && r < 2; r++)
        if (of[r]->hash != NULL)
            text_append(text[r], SETUP_CHANGE_MAX, " (%.*s)", CUT_TEXT(of[r]->hash, 40));
    return true;
}
