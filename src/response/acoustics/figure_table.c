#include "src/response/acoustics/figure_table.h"

#include <math.h>
#include <string.h>

#include "src/base/words/words.h"

#define SECONDS "s", 2, JND_TIME, true, "longer", "shorter", ASPECT_REVERBERATION, 1

const struct figure_kind figure_kind[] = {
    [FIGURE_EDT] = {"EDT", "edt_s", "edt_s", SECONDS,
                    T_LATER("early decay time: the reverberation heard during running music or speech")},
    [FIGURE_T20] = {"T20", "t20_s", "t20_s", SECONDS,
                    T_LATER("reverberation time, from the decay between 5 and 25 dB below the start")},
    [FIGURE_T30] = {"T30", "t30_s", "t30_s", SECONDS,
                    T_LATER("reverberation time, from the decay between 5 and 35 dB below the start")},
    [FIGURE_C50] = {"C50", "c50_db", NULL, "dB", 1, JND_CLARITY, false, "higher", "lower", ASPECT_CLARITY, 1,
                    T_LATER("clarity of speech: ratio of the sound within 50 ms to the later sound")},
    [FIGURE_C80] = {"C80", "c80_db", "c80_db", "dB", 1, JND_CLARITY, false, "higher", "lower", ASPECT_CLARITY,
                    1, T_LATER("clarity of music: ratio of the sound within 80 ms to the later sound")},
    [FIGURE_D50] = {"D50", "d50", "d50", "", 2, JND_D50, false, "higher", "lower", ASPECT_CLARITY, 1,
                    T_LATER("definition: the share of the sound that comes within 50 ms")},
    [FIGURE_TS] = {"Ts", "ts_s", "ts_s", "s", 3, JND_TS, false, "later", "earlier", ASPECT_CLARITY, -1,
                   T_LATER("centre time: the centre of gravity of the energy in time")},
    [FIGURE_G] = {"G", "g_db", "g_db", "dB", 1, JND_G, false, "louder", "quieter", ASPECT_LOUDNESS, 1,
                  T_LATER("strength: how much louder the room makes the source than the open air at 10 m")},
    [FIGURE_LF] = {"LF", "lf", "lf_single", "", 2, JND_LF, false, "higher", "lower", ASPECT_WIDTH, 1,
                   T_LATER("share of the early sound that comes from the sides")},
    [FIGURE_LFC] = {"LFC", "lfc", "lfc_single", "", 2, JND_LF, false, "higher", "lower", ASPECT_WIDTH, 1,
                    T_LATER("the same share, weighted by the cosine of the direction")},
    [FIGURE_LJ] = {"LJ", "lj_db", "lj_single_db", "dB", 1, NAN, false, "higher", "lower", ASPECT_WIDTH, 1,
                   T_LATER("late lateral level: how loud the sound from the sides is after 80 ms")},
    [FIGURE_MTI] =
        {"MTI", "mti", NULL, "", 2, JND_STI, false, "higher", "lower", ASPECT_SPEECH, 1,
         T_LATER("modulation transfer index: how much of the modulation of speech an octave keeps, 0 to 1")},
    [FIGURE_IACC_EARLY] = {"IACC early", "iacc_early", "iacc_early_single", "", 2, JND_IACC, false, "higher",
                           "lower", ASPECT_WIDTH, -1,
                           T_LATER(
                               "interaural cross correlation: how alike the sound of the first 80 ms is at "
                               "both ears, 0 to 1")},
    [FIGURE_IACC_LATE] = {"IACC late", "iacc_late", "iacc_late_single", "", 2, JND_IACC, false, "higher",
                          "lower", ASPECT_WIDTH, -1, T_LATER("the same of the sound after 80 ms")},
    [FIGURE_EDT_SHARE] = {"EDT/T", "edt_over_t", "edt_over_t_single", "", 2, NAN, false, "higher", "lower",
                          ASPECT_REVERBERATION, 1,
                          T_LATER("early decay time over the later one: Barron's theory expects 1 at every "
                                  "distance")},
    [FIGURE_C80_BARRON] = {"C80-B", "c80_over_barron_db", "c80_over_barron_single_db", "dB", 1, NAN, false,
                           "higher", "lower", ASPECT_CLARITY, 1,
                           T_LATER("clarity above what Barron's theory expects at this distance")},
    [FIGURE_G_BARRON] = {"G-B", "g_over_barron_db", "g_over_barron_single_db", "dB", 1, NAN, false, "louder",
                         "quieter", ASPECT_LOUDNESS, 1,
                         T_LATER("strength above what Barron's theory expects at this distance")},
    [FIGURE_BASS_RATIO] = {"BR", NULL, "bass_ratio", "", 2, NAN, false, "higher", "lower",
                           ASPECT_REVERBERATION, 1,
                           T_LATER("bass ratio: the reverberation at 125 and 250 Hz over that at 500 and "
                                   "1000 Hz")},
    [FIGURE_BRILLIANCE] = {T_LATER("brilliance"), NULL, "brilliance", "", 2, NAN, false, "higher", "lower",
                           ASPECT_REVERBERATION, 1,
                           T_LATER("the reverberation at 2000 and 4000 Hz over that at 500 and 1000 Hz")},
    [FIGURE_ECHO_SPEECH] = {T_LATER("EK speech"), NULL, "echo_speech", "", 2, NAN, false, "higher", "lower",
                            ASPECT_CLARITY, -1,
                            T_LATER("echo criterion of speech: from 1.0 on half of the listeners perceive an "
                                    "echo")},
    [FIGURE_ECHO_MUSIC] = {T_LATER("EK music"), NULL, "echo_music", "", 2, NAN, false, "higher", "lower",
                           ASPECT_CLARITY, -1,
                           T_LATER("echo criterion of music: from 1.8 on half of the listeners perceive an "
                                   "echo")},
    [FIGURE_STI] = {"STI", NULL, "sti", "", 2, JND_STI, false, "higher", "lower", ASPECT_SPEECH, 1,
                    T_LATER("speech transmission index, 0 to 1: how much of speech is understood")},
    [FIGURE_STRENGTH] = {T_LATER("level of the band"), NULL, "strength_db", "dB", 1, JND_G, false, "louder",
                         "quieter", ASPECT_LOUDNESS, 1,
                         T_LATER("strength of the whole band that was simulated")},
};
_Static_assert(sizeof figure_kind / sizeof figure_kind[0] == ALL_FIGURES, "an entry for every figure");

double figure_step(enum figure figure, double value)
{
    const struct figure_kind *kind = &figure_kind[figure];
    return kind->relative ? kind->jnd * fabs(value) : kind->jnd;
}

/* ---- marks of decays ---- */

static const char letter[] = "cud"; /* in the order of enum figure_mark */

const char *const figure_mark_words[FIGURE_MARKS] = {
    T_LATER("curved, T30 more than 10 % above T20: no single time describes the decay"),
    T_LATER("uneven, further from a straight line than ISO 3382-2 allows"),
    T_LATER("double slope, as in coupled rooms")};

unsigned figure_marks(double curvature, double nonlinearity, bool two_slopes)
{
    return (curvature > REVERBERATION_CURVATURE ? FIGURE_CURVED : 0u) |
           (nonlinearity > REVERBERATION_NONLINEARITY ? FIGURE_UNEVEN : 0u) |
           (two_slopes ? FIGURE_TWO_SLOPES : 0u);
}

const char *figure_marks_text(unsigned marks, char text[FIGURE_MARKS_MAX])
{
    size_t used = 0;
    for (size_t i = 0; letter[i] != '\0'; i++)
        if ((marks >> i & 1) != 0)
            text[used++] = letter[i];
    text[used] = '\0';
    return text;
}

unsigned figure_marks_read(const char *text)
{
    unsigned marks = 0;
    for (size_t i = 0; letter[i] != '\0'; i++)
        marks |= strchr(text, letter[i]) != NULL ? 1u << i : 0;
    return marks;
}

bool figure_is_marked(enum figure figure)
{
    return figure == FIGURE_T20 || figure == FIGURE_T30;
}
