#include "src/draw/html.h"
#include "src/report/report_page.h"

/* Everything that a page abbreviates or takes for known. */
static const char *const word[][2] = {
    {"octave",
     "A range of pitch in which the frequency doubles, named by its middle: 500 Hz means 354 to 707 Hz."},
    {"Hz, kHz, hertz",
     "Vibrations a second, and thousands of them. Middle C has 262 Hz, the A above it 440 Hz."},
    {"dB, decibel", "Level: 10 dB more is ten times the energy and about twice as loud; 1 dB is just heard."},
    {"response", "What is heard at one place when a source elsewhere gives off a single impulse."},
    {"T20, T30", "Reverberation time: how long the room takes to fall by 60 dB, told from the part between 5 "
                 "and 25 or 35 dB below the start."},
    {"EDT",
     "Early decay time: the same from the first 10 dB. It is what is heard while speech or music goes on."},
    {"C50, C80",
     "Clarity: the sound of the first 50 ms (for speech) or 80 ms (for music) against all that comes later, "
     "in dB. More is clearer."},
    {"D50", "Definition: the share of the sound that comes within the first 50 ms, 0 to 1. More is better "
            "for speech."},
    {"Ts",
     "Centre time: the centre of gravity of the energy in time, after the direct sound. Less is clearer."},
    {"G", "Strength: how much louder a source is in the room than in the open at a distance of 10 m."},
    {"LF, LFC",
     "Lateral fraction: the share of the early sound that comes from the sides, which makes a room "
     "feel wide; LFC tells it in a second way, by the cosine of the direction."},
    {"LJ", "Late lateral level: how loud the sound from the sides is after 80 ms, in dB. More is more "
           "enveloping."},
    {"MTI",
     "Modulation transfer index, 0 to 1: how much of the rhythm of speech comes through in one octave."},
    {"STI",
     "Speech transmission index, 0 to 1: how much of speech is understood. Below 0.30 it is called bad, "
     "then poor, from 0.45 fair, from 0.60 good and from 0.75 excellent (IEC 60268-16, as quoted by "
     "Audiomatica, CLIO user's manual, section 15.6)."},
    {"JND, just noticeable difference",
     "The least change that listeners notice, after ISO 3382-1: 5 % of a reverberation time, 1 dB of C50, "
     "C80 and G, 0.05 of D50, 10 ms of Ts."},
    {"DIN, IEC, ISO", "Bodies that publish standards, each under a number."},
    {"Sabine, Eyring",
     "Formulas that give a reverberation time from volume and absorption alone; they take the sound "
     "for evenly spread, which it is not in most churches."},
    {"direct sound", "What comes from the source straight, before any wall has sent it back."},
    {"dry sound", "A recording without a room, as in the open."},
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

void report_words(FILE *page, const struct report *report)
{
    (void)report;
    report_section_begin(page, "words", "What the words mean");
    fputs("<dl>\n", page);
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        fputs("<dt>", page);
        html_text(page, word[i][0]);
        fputs("</dt><dd>", page);
        html_text(page, word[i][1]);
        fputs("</dd>\n", page);
    }
    fputs("</dl>\n", page);
    report_section_end(page);
}
