#include "src/report/report_targets.h"

#include <math.h>
#include <string.h>

#define DIN_TITLE "DIN 18041:2004, as quoted by Setaplast, Vorschriften und Normen"
#define DIN_LINK  "www.setaplast.de/setaplast-abacustica/vorschriften-und-normen"

#define WITHIN 0.2 /* of a target that is one value */

const struct report_target report_target[] = {
    {.figure = "t30_s",
     .use = "worship",
     .words = "churches, for both word and song",
     .volume_low = 0,
     .volume_high = INFINITY,
     .low = 1.5,
     .high = 2.5,
     .title = "Pan Acoustics, Places of Worship",
     .link = "www.panacoustics.com/Projects/PlacesofWorship/tabid/117/language/en-US/Default.aspx"},
    {.figure = "t30_s",
     .use = "speech",
     .words = "speech in parish halls and council chambers, with people in them",
     .volume_low = 30,
     .volume_high = 5000,
     .slope = 0.37,
     .constant = -0.14,
     .title = DIN_TITLE,
     .link = DIN_LINK},
    {.figure = "t30_s",
     .use = "music",
     .words = "rooms where music is made, with people in them",
     .volume_low = 30,
     .volume_high = 5000,
     .slope = 0.45,
     .constant = 0.07,
     .title = DIN_TITLE,
     .link = DIN_LINK},
    {.figure = "t30_s",
     .use = "concerts",
     .words = "concert halls",
     .volume_low = 0,
     .volume_high = INFINITY,
     .low = 1.8,
     .high = 2.2,
     .title = "Concert Hall Acoustics, Reverberation",
     .link = "www.concerthalls.org/?page_id=84"},
    {.figure = "d50",
     .use = "speech",
     .words = "speech without amplification",
     .volume_low = 0,
     .volume_high = INFINITY,
     .low = 0.5,
     .high = INFINITY,
     .title = "W. Fasold, E. Veres, Schallschutz und Raumakustik in der Praxis (2003), as quoted by Kasaira",
     .link = "kasaira.de/physik-und-mehr/deutlichkeitsgrad-und-deutlichkeitsmass"},
    {.figure = "c80_db",
     .use = "music",
     .words = "music: the low end for organ, the high one for classical and light pieces",
     .volume_low = 0,
     .volume_high = INFINITY,
     .low = -1,
     .high = 3,
     .title = "U.-J. Werner, Handbuch Schallschutz und Raumakustik (2015), as quoted by Kasaira",
     .link = "kasaira.de/physik-und-mehr/klarheitsmass"},
};

const size_t report_target_count = sizeof report_target / sizeof report_target[0];

bool report_target_limits(const struct report_target *target, double volume, double *low, double *high)
{
    if (!(volume >= target->volume_low && volume <= target->volume_high))
        return false;
    *low = target->low;
    *high = target->high;
    if (target->slope != 0)
        *low = *high = target->slope * log10(volume) + target->constant;
    return true;
}

bool report_target_met(double low, double high, double value)
{
    if (low == high)
        return fabs(value / low - 1) <= WITHIN;
    if (isinf(high))
        return value > low;
    return isinf(low) ? value < high : value >= low && value <= high;
}

const struct report_target *report_target_find(const char *figure, const char *use, double volume)
{
    double low, high;
    for (size_t i = 0; i < report_target_count; i++)
        if (strcmp(report_target[i].figure, figure) == 0 && strcmp(report_target[i].use, use) == 0 &&
            report_target_limits(&report_target[i], volume, &low, &high))
            return &report_target[i];
    return NULL;
}
