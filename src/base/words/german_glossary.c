/* German: what the words mean. */
#include "src/base/words/words_tables.h"

static const struct words_pair pairs[] = {
    {"What the words mean", "Was die Begriffe bedeuten"},
    {"A range of pitch in which the frequency doubles, named by its middle: 500 Hz means 354 to 707 Hz.",
     "Ein Bereich, in dem sich die Frequenz verdoppelt, nach seiner Mitte benannt: 500 Hz heißt 354 bis 707 "
     "Hz."},
    {"Hz, kHz, hertz", "Hz, kHz, Hertz"},
    {"Vibrations a second, and thousands of them. Middle C has 262 Hz, the A above it 440 Hz.",
     "Schwingungen je Sekunde, und Tausende davon. Das eingestrichene C hat 262 Hz, das A darüber 440 Hz."},
    {"dB, decibel", "dB, Dezibel"},
    {"Level: 10 dB more is ten times the energy and about twice as loud; 1 dB is just heard.",
     "Pegel: 10 dB mehr ist die zehnfache Energie und etwa doppelt so laut; 1 dB ist eben zu hören."},
    {"What is heard at one place when a source elsewhere gives off a single impulse.",
     "Was an einem Platz zu hören ist, wenn eine Quelle anderswo einen einzigen Impuls abgibt."},
    {"DIN, IEC, ISO", "DIN, IEC, ISO"},
    {"Bodies that publish standards, each under a number.",
     "Stellen, die Normen herausgeben, jede unter einer Nummer."},
    {"Sabine, Eyring", "Sabine, Eyring"},
    {"Formulas that give a reverberation time from volume and absorption alone; they take the sound for "
     "evenly spread, "
     "which it is not in most churches.",
     "Formeln, die eine Nachhallzeit allein aus Volumen und Absorption ergeben; sie nehmen den Schall als "
     "gleichmäßig "
     "verteilt an, was er in den meisten Kirchen nicht ist."},
    {"direct sound", "Direktschall"},
    {"The sound that comes straight from the source, before any reflection.",
     "Der Schall, der geradewegs von der Quelle kommt, vor jeder Reflexion."},
    {"dry sound", "trockener Klang"},
    {"A recording without a room, as in the open air.", "Eine Aufnahme ohne Raum, wie im Freien."},
    {"highest frequency, fmax", "höchste Frequenz, fmax"},
    {"A run is right up to this pitch and holds nothing above it, which is why its sounds are muffled; the "
     "dry sound "
     "low-passed to the same band is there to compare fairly.",
     "Ein Lauf stimmt bis zu dieser Tonhöhe und enthält nichts darüber; daher klingt er dumpf. Der trockene "
     "Klang, auf "
     "dasselbe Band begrenzt, dient dem gerechten Vergleich."},
    {"FDTD", "FDTD"},
    {"Finite differences in the time domain: how the sound was simulated. The air is divided into a grid, "
     "and its "
     "pressure is followed from point to point in small steps of time.",
     "Finite Differenzen im Zeitbereich: wie der Schall simuliert wurde. Die Luft ist in ein Gitter geteilt, "
     "und ihr "
     "Druck wird von Punkt zu Punkt in kleinen Zeitschritten verfolgt."},
    {"WAV", "WAV"},
    {"A file of sound, uncompressed: every sample as it was computed.",
     "Eine Klangdatei, unkomprimiert: jeder Abtastwert, wie er gerechnet wurde."},
    {"kB, MB, GB", "kB, MB, GB"},
    {"Thousands, millions and thousands of millions of bytes of memory.",
     "Tausende, Millionen und Milliarden Bytes Speicher."},
    {"blocks", "Blöcke"},
    {"Cubes of 8 × 8 × 8 grid points. Only those that hold air are stored.",
     "Würfel von 8 × 8 × 8 Gitterpunkten. Nur die, die Luft enthalten, sind gespeichert."},
    {"How long the room takes to fall by 60 dB at that rate.",
     "Wie lange der Raum braucht, um in diesem Maß um 60 dB abzuklingen."},
    {"How long the room takes to fall by 60 dB at the rate of the first 10 dB.",
     "Wie lange der Raum braucht, um im Maß der ersten 10 dB um 60 dB abzuklingen."},
    {"More is clearer.", "Mehr ist klarer."},
    {"0 to 1; more is better for speech.", "0 bis 1; mehr ist besser für Sprache."},
    {"It counts from the direct sound; less is clearer.",
     "Sie zählt vom Direktschall an; weniger ist klarer."},
    {"It makes a room feel wide.", "Er lässt einen Raum weit wirken."},
    {"More is more enveloping.", "Mehr umhüllt mehr."},
    {"Below 0.30 it is called bad, then poor, from 0.45 fair, from 0.60 good and from 0.75 excellent (IEC "
     "60268-16, as "
     "quoted by Audiomatica, CLIO user's manual, section 15.6).",
     "Unter 0,30 heißt er schlecht, dann schwach, ab 0,45 angemessen, ab 0,60 gut und ab 0,75 ausgezeichnet "
     "(IEC "
     "60268-16, nach Audiomatica, CLIO user's manual, Abschnitt 15.6)."},
    {"JND, just noticeable difference", "JND, eben merklicher Unterschied"},
    {"The least change that listeners notice, after ISO 3382-1 and, of speech transmission, after Bradley, "
     "Reich and "
     "Norcross:",
     "Die kleinste Änderung, die Hörer bemerken, nach ISO 3382-1 und, für die Sprachübertragung, nach "
     "Bradley, Reich und "
     "Norcross:"},
};

WORDS_TABLE(german_glossary, pairs);
