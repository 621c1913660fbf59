#include "rooms/materials/absorption_bands.h"

#include <math.h>
#include <stdio.h>

#include "rooms/materials/material.h"

const unsigned absorption_band[ABSORPTION_BANDS] = {50,   63,   80,   100,  125,  160,  200,  250,
                                                    315,  400,  500,  630,  800,  1000, 1250, 1600,
                                                    2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000};

bool absorption_band_find(double frequency, int *band)
{
    enum { OF_50_HZ = 17 }; /* the exact centre of number n is 10^(n/10) Hz */
    const double number = round(10 * log10(frequency));
    if (!(number >= 10 && number <= 44) || fabs(frequency / pow(10, number / 10) - 1) >= 0.02)
        return false;
    *band = (int)number - OF_50_HZ;
    return true;
}

bool absorption_bands_are_thirds(uint32_t given)
{
    const uint32_t centres = 0x492492; /* bits 1, 4, 7, .. */
    return (given & ~centres) != 0;
}

static void note(struct surface_note *of, const char *where, const char *what, double value, unsigned hz)
{
    if (of->count++ > 0)
        return;
    char band[20] = "";
    if (hz > 0)
        (void)snprintf(band, sizeof band, " at %u Hz", hz);
    if (isnan(value))
        (void)snprintf(of->first, sizeof of->first, "%s %s%s", where, what, band);
    else
        (void)snprintf(of->first, sizeof of->first, "%s %s %.4g%s", where, what, value, band);
}

double absorption_at_most_one(double value, unsigned octave, const char *where, struct surface_table *table)
{
    if (value <= 1)
        return value;
    note(&table->above, where, "absorbs", value, octave);
    return ABSORPTION_ABOVE_ONE;
}

/* Note the bands that are not given from the first to the last octave with one. */
static void note_missing(uint32_t given, bool thirds, unsigned octaves, const char *where,
                         struct surface_table *table)
{
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        for (size_t b = 3 * o; octaves >> o != 0 && (octaves & ((2u << o) - 1)) != 0 && b < 3 * o + 3; b++)
            if ((given >> b & 1) == 0 && (thirds || b == 3 * o + 1))
                note(&table->missing, where, "has no value", NAN, absorption_band[b]);
}

void absorption_of_bands(const struct absorption_bands *bands, bool thirds, const char *where,
                         struct surface_entry *entry, struct surface_table *table)
{
    unsigned octaves = 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        double sum = 0, uncertainty = 0;
        int count = 0, stated = 0;
        for (size_t b = 3 * o; b < 3 * o + 3; b++)
            if ((bands->given >> b & 1) != 0) {
                const bool has = (bands->stated >> b & 1) != 0;
                sum += bands->value[b];
                uncertainty += has ? bands->uncertainty[b] : 0;
                stated += has;
                count++;
            }
        if (count == 0)
            continue;
        entry->stated = entry->stated || stated > 0;
        entry->uncertainty[o] = stated > 0 ? uncertainty / stated : NAN;
        octaves |= 1u << o;
        entry->absorption[o] = absorption_at_most_one(sum / count, material_octave[o], where, table);
        entry->highest = material_octave[o];
    }
    note_missing(bands->given, thirds, octaves, where, table);
    entry->in_thirds = thirds && (octaves & (octaves - 1)) != 0;
    for (size_t b = 0; entry->in_thirds && b < MATERIAL_THIRDS; b++)
        entry->third[b] = bands->value[b] <= 1 ? bands->value[b] : ABSORPTION_ABOVE_ONE;
    if (entry->in_thirds)
        octaves_extend(bands->given, MATERIAL_THIRDS, entry->third);
    const bool single = (octaves & (octaves - 1)) == 0;
    entry->form = single ? SURFACE_NUMBER : SURFACE_OCTAVES;
    if (single)
        entry->highest = 0;
    octaves_extend(octaves, MATERIAL_OCTAVES, entry->absorption);
    octaves_extend(octaves, MATERIAL_OCTAVES, entry->uncertainty);
}
