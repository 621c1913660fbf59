#include "src/base/pitch_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MIDDLE_C 60 /* counted in semitones, a' is 69 */

const char *pitch_name(double frequency, char text[PITCH_NAME_MAX])
{
    static const char *const note[12] = {"C",       "C sharp", "D",      "E flat", "E",      "F",
                                         "F sharp", "G",       "A flat", "A",      "B flat", "B"};
    static const char *const number[] = {"",     "one", "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};
    const int semitone = (int)lround(69 + 12 * log2(frequency / 440));
    const int place = ((semitone % 12) + 12) % 12, octave = (semitone - place) / 12 - 1;
    const int halves = (int)lround(abs(semitone - MIDDLE_C) / 6.0), whole = halves / 2;
    /* "A4", but "B flat 4". */
    const char *blank = note[place][1] != '\0' ? " " : "";
    const char *side = semitone > MIDDLE_C ? "above" : "below";
    if (halves == 0)
        snprintf(text, PITCH_NAME_MAX, "%s%s%d, near middle C", note[place], blank, octave);
    else if (halves == 1)
        snprintf(text, PITCH_NAME_MAX, "%s%s%d, half an octave %s middle C", note[place], blank, octave,
                 side);
    else
        snprintf(text, PITCH_NAME_MAX, "%s%s%d, %s octave%s%s %s middle C", note[place], blank, octave,
                 whole < 10 ? number[whole] : "many", whole == 1 ? "" : "s",
                 halves % 2 != 0 ? " and a half" : "", side);
    return text;
}
