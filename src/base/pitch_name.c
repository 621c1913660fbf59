#include "src/base/pitch_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/words/words.h"

#define MIDDLE_C 60 /* counted in semitones, a' is 69 */

const char *pitch_name(double frequency, char text[PITCH_NAME_MAX])
{
    static const char *const notes[12] = {
        "C", T_LATER("C sharp"), "D", T_LATER("E flat"), "E",         "F", T_LATER("F sharp"),
        "G", T_LATER("A flat"),  "A", T_LATER("B flat"), T_LATER("B")};
    static const char *const number[] = {"",
                                         T_LATER("one"),
                                         T_LATER("two"),
                                         T_LATER("three"),
                                         T_LATER("four"),
                                         T_LATER("five"),
                                         T_LATER("six"),
                                         T_LATER("seven"),
                                         T_LATER("eight"),
                                         T_LATER("nine")};
    const int semitone = (int)lround(69 + 12 * log2(frequency / 440));
    const int place = ((semitone % 12) + 12) % 12, octave = (semitone - place) / 12 - 1;
    const int halves = (int)lround(abs(semitone - MIDDLE_C) / 6.0), whole = halves / 2;
    /* "A4", but "B flat 4". */
    const char *note = T(notes[place]), *blank = strchr(note, ' ') != NULL ? " " : "";
    const char *side = semitone > MIDDLE_C ? T("above middle C") : T("below middle C");
    if (halves == 0)
        snprintf(text, PITCH_NAME_MAX, T("%s%s%d, near middle C"), note, blank, octave);
    else if (halves == 1)
        snprintf(text, PITCH_NAME_MAX, T("%s%s%d, half an octave %s"), note, blank, octave, side);
    else
        snprintf(text, PITCH_NAME_MAX,
                 whole == 1 ? T("%s%s%d, %s octave%s %s") : T("%s%s%d, %s octaves%s %s"), note, blank, octave,
                 whole < 10 ? T(number[whole]) : T("many"), halves % 2 != 0 ? T(" and a half") : "", side);
    return text;
}
