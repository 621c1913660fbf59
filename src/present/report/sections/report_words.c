#include <ctype.h>
#include <math.h>

#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* Everything that a page abbreviates or takes for known: before the figures, and after them. */
static const char *const before[][2] = {
    {T_LATER("octave"), T_LATER("A range of pitch in which the frequency doubles, named by its middle: 500 "
                                "Hz means 354 to 707 Hz.")},
    {T_LATER("Hz, kHz, hertz"),
     T_LATER("Vibrations a second, and thousands of them. Middle C has 262 Hz, the A above it 440 Hz.")},
    {T_LATER("dB, decibel"),
     T_LATER("Level: 10 dB more is ten times the energy and about twice as loud; 1 dB is just heard.")},
    {T_LATER("response"),
     T_LATER("What is heard at one place when a source elsewhere gives off a single impulse.")},
};

static const char *const after[][2] = {
    {T_LATER("DIN, IEC, ISO"), T_LATER("Bodies that publish standards, each under a number.")},
    {T_LATER("Sabine, Eyring"),
     T_LATER("Formulas that give a reverberation time from volume and absorption alone; they take the sound "
             "for evenly spread, which it is not in most churches.")},
    {T_LATER("direct sound"),
     T_LATER("The sound that comes straight from the source, before any reflection.")},
    {T_LATER("dry sound"), T_LATER("A recording without a room, as in the open air.")},
    {T_LATER("highest frequency, fmax"),
     T_LATER("A run is right up to this pitch and holds nothing above it, which is why its sounds are "
             "muffled; the dry sound low-passed to the same band is there to compare fairly.")},
    {T_LATER("FDTD"), T_LATER("Finite differences in the time domain: how the sound was simulated. The air "
                              "is divided into a grid, "
                              "and its pressure is followed from point to point in small steps of time.")},
    {T_LATER("WAV"), T_LATER("A file of sound, uncompressed: every sample as it was computed.")},
    {T_LATER("kB, MB, GB"), T_LATER("Thousands, millions and thousands of millions of bytes of memory.")},
    {T_LATER("blocks"),
     T_LATER("Cubes of 8 \xC3\x97 8 \xC3\x97 8 grid points. Only those that hold air are stored.")},
};

/* What there is to know of a figure beyond its meaning in figure_table.h. */
static const char *const note[ALL_FIGURES] = {
    [FIGURE_T20] = T_LATER("How long the room takes to fall by 60 dB at that rate."),
    [FIGURE_T30] = T_LATER("How long the room takes to fall by 60 dB at that rate."),
    [FIGURE_EDT] = T_LATER("How long the room takes to fall by 60 dB at the rate of the first 10 dB."),
    [FIGURE_C50] = T_LATER("More is clearer."),
    [FIGURE_C80] = T_LATER("More is clearer."),
    [FIGURE_D50] = T_LATER("0 to 1; more is better for speech."),
    [FIGURE_TS] = T_LATER("It counts from the direct sound; less is clearer."),
    [FIGURE_LF] = T_LATER("It makes a room feel wide."),
    [FIGURE_LJ] = T_LATER("More is more enveloping."),
    [FIGURE_STI] =
        T_LATER("Below 0.30 it is called bad, then poor, from 0.45 fair, from 0.60 good and from 0.75 "
                "excellent (IEC 60268-16, as quoted by Audiomatica, CLIO user's manual, section 15.6)."),
};

static void put_words(FILE *page, size_t count, const char *const word[][2])
{
    for (size_t i = 0; i < count; i++) {
        fputs("<dt>", page);
        html_text(page, T(word[i][0]));
        fputs("</dt><dd>", page);
        html_text(page, T(word[i][1]));
        fputs("</dd>\n", page);
    }
}

static void put_figures(FILE *page)
{
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        fputs("<dt>", page);
        const char *const meaning = T(kind->meaning);
        html_text(page, T(kind->word));
        fprintf(page, "</dt><dd>%c", toupper((unsigned char)meaning[0]));
        html_text(page, meaning + 1);
        fputs(note[f] != NULL ? ". " : ".", page);
        html_text(page, T(note[f]));
        fputs("</dd>\n", page);
    }
}

static void put_differences(FILE *page)
{
    bool any = false;
    fprintf(page, "<dt>%s</dt><dd>%s", T("JND, just noticeable difference"),
            T("The least change that listeners notice, after ISO 3382-1 and, of speech transmission, after "
              "Bradley, Reich "
              "and Norcross:"));
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        char text[60];
        if (isnan(kind->jnd))
            continue;
        snprintf(text, sizeof text, "%s%s %s%s%s", any ? ", " : " ", T(kind->word),
                 words_number("%g", kind->relative ? 100 * kind->jnd : kind->jnd).text,
                 kind->relative || kind->unit[0] != '\0' ? " " : "", kind->relative ? "%" : kind->unit);
        html_text(page, text);
        any = true;
    }
    fputs(".</dd>\n", page);
}

void report_words(FILE *page, const struct report *report)
{
    (void)report;
    report_section_begin(page, "words", T("What the words mean"));
    fputs("<dl>\n", page);
    put_words(page, sizeof before / sizeof before[0], before);
    put_figures(page);
    put_differences(page);
    put_words(page, sizeof after / sizeof after[0], after);
    fputs("</dl>\n", page);
    report_section_end(page);
}
