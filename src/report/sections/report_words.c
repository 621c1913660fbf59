#include <ctype.h>
#include <math.h>

#include "src/draw/html.h"
#include "src/report/sections/report_page.h"

/* Everything that a page abbreviates or takes for known: before the figures, and after them. */
static const char *const before[][2] = {
    {"octave",
     "A range of pitch in which the frequency doubles, named by its middle: 500 Hz means 354 to 707 Hz."},
    {"Hz, kHz, hertz",
     "Vibrations a second, and thousands of them. Middle C has 262 Hz, the A above it 440 Hz."},
    {"dB, decibel", "Level: 10 dB more is ten times the energy and about twice as loud; 1 dB is just heard."},
    {"response", "What is heard at one place when a source elsewhere gives off a single impulse."},
};

static const char *const after[][2] = {
    {"DIN, IEC, ISO", "Bodies that publish standards, each under a number."},
    {"Sabine, Eyring",
     "Formulas that give a reverberation time from volume and absorption alone; they take the sound "
     "for evenly spread, which it is not in most churches."},
    {"direct sound", "The sound that comes straight from the source, before any reflection."},
    {"dry sound", "A recording without a room, as in the open air."},
    {"highest frequency, fmax",
     "A run is right up to this pitch and holds nothing above it, which is why its sounds are "
     "muffled; the dry sound low-passed to the same band is there to compare fairly."},
    {"FDTD",
     "Finite differences in the time domain: how the sound was simulated. The air is divided into a grid, "
     "and its pressure is followed from point to point in small steps of time."},
    {"WAV", "A file of sound, uncompressed: every sample as it was computed."},
    {"kB, MB, GB", "Thousands, millions and thousands of millions of bytes of memory."},
    {"blocks", "Cubes of 8 \xC3\x97 8 \xC3\x97 8 grid points. Only those that hold air are stored."},
};

/* What there is to know of a figure beyond its meaning in figure_table.h. */
static const char *const note[ALL_FIGURES] = {
    [FIGURE_T20] = "How long the room takes to fall by 60 dB at that rate.",
    [FIGURE_T30] = "How long the room takes to fall by 60 dB at that rate.",
    [FIGURE_EDT] = "How long the room takes to fall by 60 dB at the rate of the first 10 dB.",
    [FIGURE_C50] = "More is clearer.",
    [FIGURE_C80] = "More is clearer.",
    [FIGURE_D50] = "0 to 1; more is better for speech.",
    [FIGURE_TS] = "It counts from the direct sound; less is clearer.",
    [FIGURE_LF] = "It makes a room feel wide.",
    [FIGURE_LJ] = "More is more enveloping.",
    [FIGURE_STI] = "Below 0.30 it is called bad, then poor, from 0.45 fair, from 0.60 good and from 0.75 "
                   "excellent (IEC 60268-16, as quoted by Audiomatica, CLIO user's manual, section 15.6).",
};

static void put_words(FILE *page, size_t count, const char *const word[][2])
{
    for (size_t i = 0; i < count; i++) {
        fputs("<dt>", page);
        html_text(page, word[i][0]);
        fputs("</dt><dd>", page);
        html_text(page, word[i][1]);
        fputs("</dd>\n", page);
    }
}

static void put_figures(FILE *page)
{
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        fputs("<dt>", page);
        html_text(page, kind->word);
        fprintf(page, "</dt><dd>%c", toupper((unsigned char)kind->meaning[0]));
        html_text(page, kind->meaning + 1);
        fputs(note[f] != NULL ? ". " : ".", page);
        html_text(page, note[f]);
        fputs("</dd>\n", page);
    }
}

static void put_differences(FILE *page)
{
    bool any = false;
    fputs("<dt>JND, just noticeable difference</dt><dd>The least change that listeners notice, after ISO "
          "3382-1 "
          "and, of speech transmission, after Bradley, Reich and Norcross:",
          page);
    for (int f = 0; f < ALL_FIGURES; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        char text[60];
        if (isnan(kind->jnd))
            continue;
        snprintf(text, sizeof text, "%s%s %g%s%s", any ? ", " : " ", kind->word,
                 kind->relative ? 100 * kind->jnd : kind->jnd,
                 kind->relative || kind->unit[0] != '\0' ? " " : "", kind->relative ? "%" : kind->unit);
        html_text(page, text);
        any = true;
    }
    fputs(".</dd>\n", page);
}

void report_words(FILE *page, const struct report *report)
{
    (void)report;
    report_section_begin(page, "words", "What the words mean");
    fputs("<dl>\n", page);
    put_words(page, sizeof before / sizeof before[0], before);
    put_figures(page);
    put_differences(page);
    put_words(page, sizeof after / sizeof after[0], after);
    fputs("</dl>\n", page);
    report_section_end(page);
}
