#include "rooms/materials/absorption_uncertainty.h"

#include <math.h>
#include <string.h>

#include "rooms/materials/material.h"
#include "rooms/text/table_text.h"

const char *uncertainty_origin_name(enum uncertainty_origin origin)
{
    static const char *const name[] = {"laboratory", "guess", "given"};
    return name[origin];
}

double absorption_uncertainty(double absorption, int octave, bool guessed)
{
    static const double m[MATERIAL_OCTAVES] = {0.450, 0.180, 0.090, 0.050, 0.040, 0.035, 0.030, 0.026};
    static const double n[MATERIAL_OCTAVES] = {0.015, 0.015, 0.015, 0.015, 0.015, 0.021, 0.040, 0.060};
    const double laboratory = fmin(m[octave] * absorption + n[octave], ABSORPTION_KNOWN * absorption);
    return guessed ? fmax(laboratory, ABSORPTION_GUESSED * absorption) : laboratory;
}

void absorption_uncertainty_fill(const double *absorption, bool stated, bool guessed, double *uncertainty)
{
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        if (!stated || isnan(uncertainty[o]))
            uncertainty[o] = absorption_uncertainty(absorption[o], o, guessed);
}

const char *absorption_plus_minus(const char *text, size_t *width)
{
    static const char *const sign[] = {"+-", "+/-", "\xC2\xB1"};
    for (size_t s = 0; s < sizeof sign / sizeof *sign; s++) {
        const char *at = strstr(text, sign[s]);
        *width = strlen(sign[s]);
        if (at != NULL)
            return at;
    }
    return NULL;
}

bool absorption_is_number(const char *text)
{
    double number;
    size_t width;
    const char *plus = absorption_plus_minus(text, &width);
    return text_number(text, plus != NULL ? (size_t)(plus - text) : strlen(text), &number);
}

bool absorption_read_bar(const char *text, bool comma, double *uncertainty)
{
    size_t length = strlen(text);
    double value;
    text_trim(&text, &length);
    const bool percent = length > 1 && text[length - 1] == '%';
    length -= percent;
    if (!(comma ? text_comma_number(text, length, &value) : text_number(text, length, &value)))
        return false;
    *uncertainty = value / (percent ? 100 : 1) / UNCERTAINTY_BAR;
    return *uncertainty >= 0 && isfinite(*uncertainty);
}

bool absorption_read_name(const char *text, char name[ABSORPTION_NAME_MAX], double *uncertainty)
{
    size_t width;
    const char *plus = absorption_plus_minus(text, &width);
    size_t length = plus != NULL ? (size_t)(plus - text) : strlen(text);
    *uncertainty = NAN;
    text_trim(&text, &length);
    if (length == 0 || length >= ABSORPTION_NAME_MAX)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return plus == NULL || absorption_read_bar(plus + width, false, uncertainty);
}
