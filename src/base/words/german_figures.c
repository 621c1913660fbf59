/* German: figures by octave, curves, maps. Terms are those of DIN EN ISO 3382-1. */
#include "src/base/words/words_tables.h"

static const struct words_pair pairs[] = {
    /* what the figures mean */
    {"early decay time: the reverberation that is heard while music goes on",
     "frühe Abklingzeit: der Nachhall, der zu hören ist, während die Musik weitergeht"},
    {"reverberation time, from the decay between 5 and 25 dB below the start",
     "Nachhallzeit, aus dem Abklingen zwischen 5 und 25 dB unter dem Anfang"},
    {"reverberation time, from the decay between 5 and 35 dB below the start",
     "Nachhallzeit, aus dem Abklingen zwischen 5 und 35 dB unter dem Anfang"},
    {"clarity of speech: sound within 50 ms against what comes later",
     "Deutlichkeitsmaß: Schall innerhalb von 50 ms gegenüber dem, was später kommt"},
    {"clarity of music: sound within 80 ms against what comes later",
     "Klarheitsmaß: Schall innerhalb von 80 ms gegenüber dem, was später kommt"},
    {"definition: the share of the sound that comes within 50 ms",
     "Deutlichkeitsgrad: der Anteil des Schalls, der innerhalb von 50 ms kommt"},
    {"centre time: the centre of gravity of the energy in time",
     "Schwerpunktzeit: der zeitliche Schwerpunkt der Energie"},
    {"strength: how much louder the room makes the source than the open air at 10 m",
     "Stärkemaß: um wie viel lauter der Raum die Quelle macht als das Freie in 10 m Abstand"},
    {"share of the early sound that comes from the sides",
     "Seitenschallgrad: der Anteil des frühen Schalls, der von den Seiten kommt"},
    {"the same share, weighted by the cosine of the direction",
     "derselbe Anteil, mit dem Kosinus der Richtung gewichtet"},
    {"late lateral level: how loud the sound from the sides is after 80 ms",
     "später Seitenschallpegel: wie laut der Schall von den Seiten nach 80 ms ist"},
    {"modulation transfer index: how much of the rhythm of speech an octave passes on, 0 to 1",
     "Modulationsübertragungsindex: wie viel vom Rhythmus der Sprache eine Oktave weitergibt, 0 bis 1"},
    {"speech transmission index, 0 to 1: how much of speech is understood",
     "Sprachübertragungsindex, 0 bis 1: wie viel von Sprache verstanden wird"},
    {"level of the band", "Pegel des Bandes"},
    {"strength of the whole band that was simulated", "Stärkemaß des ganzen simulierten Bandes"},

    /* tables */
    {"file", "Datei"},
    {"table", "Tabelle"},
    {"octave", "Oktave"},
    {"Figures by octave", "Kenngrößen nach Oktaven"},
    {"How long sound stays and how clear it is, in octaves. A dash is a value that the run cannot give: the "
     "decay is too "
     "short to be read, or the octave reaches above the highest frequency. What was not simulated is by "
     "statistics, in rows "
     "of its own.",
     "Wie lange Schall bleibt und wie klar er ist, nach Oktaven. Ein Strich ist ein Wert, den der Lauf nicht "
     "geben kann: das "
     "Abklingen ist zu kurz, um es abzulesen, oder die Oktave reicht über die höchste Frequenz. Was nicht "
     "simuliert wurde, "
     "steht nach Statistik in eigenen Zeilen."},

    /* by statistics */
    {"Reverberation time in seconds by octave; simulated: the mean of T30, or where few responses have it of "
     "T20",
     "Nachhallzeit in Sekunden nach Oktaven; simuliert: das Mittel von T30, oder wo wenige es haben von T20"},
    {"simulated", "simuliert"},
    {"by Sabine", "nach Sabine"},
    {"by Eyring", "nach Eyring"},
    {"at least", "mindestens"},
    {"at most", "höchstens"},
    {"octave [Hz]", "Oktave [Hz]"},
    {"reverberation time [s]", "Nachhallzeit [s]"},
    {"Reverberation time by octave: simulated, and by statistics where nothing was",
     "Nachhallzeit nach Oktaven: simuliert, und nach Statistik, wo nichts simuliert wurde"},
    {"Nothing is expected by statistics: ", "Nach Statistik ist nichts zu erwarten: "},
    {"Dashed lines, hollow dots: not simulated. They are what Sabine's and Eyring's formulas give for the "
     "same surfaces and "
     "air",
     "Gestrichelte Linien, hohle Punkte: nicht simuliert. Es ist, was Sabines und Eyrings Formeln für "
     "dieselben Flächen und "
     "dieselbe Luft ergeben"},
    {", not put right by anything: every time that was simulated is marked, and describes no decay.",
     ", durch nichts berichtigt: jede simulierte Zeit trägt ein Zeichen und beschreibt keinen Abfall."},
    {" A time that is marked puts nothing right.", " Eine Zeit mit einem Zeichen berichtigt nichts."},
    {"curved, T30 more than 10 % above T20: no single time describes the decay",
     "gekrümmt, T30 mehr als 10 % über T20: keine einzelne Zeit beschreibt den Abfall"},
    {"uneven, further from a straight line than ISO 3382-2 allows",
     "uneben, weiter von einer Geraden entfernt, als ISO 3382-2 erlaubt"},
    {"double slope, as in coupled rooms", "zwei Steigungen, wie in gekoppelten Räumen"},
    {"%d&nbsp;Hz: %s s, then %s s from −%s dB on", "%d&nbsp;Hz: %s s, dann %s s ab −%s dB"},
    {" of %zu places have a decay that no one time describes",
     " von %zu Plätzen haben einen Abfall, den keine einzelne Zeit beschreibt"},
    {", not put right by anything, since no time was simulated by octave.",
     ", durch nichts berichtigt, da keine Zeit nach Oktaven simuliert wurde."},
    {", with walls that take ", ", mit Wänden, die "},
    {" times what the formulas say, as was simulated at ",
     " mal so viel schlucken, wie die Formeln sagen, wie simuliert bei "},
    {" In that octave a few modes decide, which tells little of the octaves above: take these times for a "
     "first guess, and run to 177 Hz or more for better ones.",
     " In dieser Oktave entscheiden einige wenige Moden, was wenig über die Oktaven darüber sagt: Diese "
     "Zeiten "
     "sind ein erster Anhalt; bessere gibt ein Lauf bis 177 Hz oder mehr."},
    {"What is allowed for the use ", "Was für die Nutzung "},
    {" in each octave: ", " in jeder Oktave zulässig ist: "},
    {"; the standard itself was not read.", "; die Norm selbst wurde nicht gelesen."},
    {"sound leaves this room, and the formulas are for closed ones",
     "Schall verlässt diesen Raum, und die Formeln gelten für geschlossene"},
    {"this run does not record the volume of its air", "dieser Lauf hält das Volumen seiner Luft nicht fest"},
    {"this run does not record what its surfaces absorb by octave",
     "dieser Lauf hält nicht fest, was seine Flächen nach Oktaven absorbieren"},
    {"Simulating the next octave, %.0f Hz, needs a run up to %s Hz",
     "Die nächste Oktave zu simulieren, %.0f Hz, braucht einen Lauf bis %s Hz"},
    {": about %s and %s where this run was made, by its own time and memory.",
     ": etwa %s und %s dort, wo dieser Lauf gemacht wurde, nach seiner eigenen Zeit und seinem Speicher."},
    {"Source ", "Quelle "},
    {"directivity ", "Richtwirkung "},
    {", directivity index ", ", Bündelungsmaß "},
    {"ISO 3382-1 asks for a source that radiates alike in all directions: level and clarity here are "
     "those of this source, whose level is right on its axis. The sound of the room is lower by the "
     "directivity index than that of a source without direction.",
     "ISO 3382-1 verlangt eine Quelle, die in alle Richtungen gleich abstrahlt: Pegel und Klarheit sind hier "
     "die dieser Quelle, deren Pegel auf ihrer Achse stimmt. Der Schall des Raumes ist um das Bündelungsmaß "
     "leiser als der einer ungerichteten Quelle."},
    {"at once. Its responses are those of all of them; their level is not G of ISO 3382-1.",
     "zugleich. Ihre Antworten sind die aller zusammen; deren Pegel ist nicht G nach ISO 3382-1."},
    {"reverberation time that %s's formula gives for the same surfaces",
     "Nachhallzeit, die die Formel von %s für dieselben Flächen ergibt"},
    {"There is nothing to show by octave: the lowest that is reported reaches up to 89&nbsp;Hz, which is "
     "above the "
     "highest frequency of this run.",
     "Nach Oktaven ist nichts zu zeigen: die tiefste, über die berichtet wird, reicht bis 89&nbsp;Hz, und "
     "das liegt über "
     "der höchsten Frequenz dieses Laufs."},
    {"This run has maps and no receiver at a single place: what its points show by octave is with the maps. "
     "The "
     "reverberation time below is the mean over them.",
     "Dieser Lauf hat Karten und keinen Empfänger an einem einzelnen Platz: Was seine Punkte je Oktave "
     "zeigen, "
     "steht bei den Karten. Die Nachhallzeit hier unten ist das Mittel über sie."},
    {"No response of this run has figures.", "Keine Raumimpulsantwort dieses Laufs hat Kenngrößen."},
    {"Means over %d response", "Mittelwerte über %d Raumimpulsantwort"},
    {"Means over %d responses, with the standard deviation",
     "Mittelwerte über %d Raumimpulsantworten, mit der Standardabweichung"},
    {"&nbsp;m away", "&nbsp;m entfernt"},
    {", out of sight", ", ohne Sichtverbindung"},
    {"Not drawn, not heard: ", "Nicht gezeichnet, nicht zu hören: "},
    {"Every response", "Jede Raumimpulsantwort"},

    /* curves */
    {"Decay of sound by octave, with the straight lines that reverberation times are taken from",
     "Abklingen des Schalls nach Oktaven, mit den Geraden, von denen die Nachhallzeiten abgelesen sind"},
    {"no straight stretch to read a time from", "kein gerades Stück, um eine Zeit abzulesen"},
    {"&nbsp;s, read from ", "&nbsp;s, abgelesen von "},
    {" to ", " bis "},
    {"Decay by octave", "Abklingen nach Oktaven"},
    {"How the sound of each octave dies away once its source is silent: a steep decay is a dry room, a slow "
     "one a "
     "reverberant room. The thin black line between two dots is the stretch that the reverberation time is "
     "read from; "
     "continued over 60&nbsp;dB it takes that time. Where a curve bends away from its line, the sound does "
     "not decay "
     "evenly.",
     "Wie der Schall jeder Oktave abklingt, sobald die Quelle schweigt: steil in einem trockenen Raum, "
     "langsam in einem "
     "halligen. Die dünne schwarze Linie zwischen zwei Punkten ist das Stück, von dem die Nachhallzeit "
     "abgelesen ist; "
     "über 60&nbsp;dB verlängert, dauert sie diese Zeit. Wo eine Kurve von ihrer Linie wegbiegt, klingt der "
     "Schall nicht "
     "gleichmäßig ab."},
    {"Spectrum", "Spektrum"},
    {"Spectrum of a response in bands of a 24th of an octave",
     "Spektrum einer Raumimpulsantwort in Bändern von einer 24stel Oktave"},
    {"Spectrum in bands of a 24th of an octave", "Spektrum in Bändern von einer 24stel Oktave"},
    {"How loud the room makes each pitch at one place, low ones to the left; 0&nbsp;dB is the source itself "
     "at 1&nbsp;m "
     "in free field, without a room. Single peaks at low frequencies are modes of the room, pitches that "
     "boom; dips are "
     "pitches that are missing there. Higher up, and in a large room almost everywhere, both run together, "
     "and only the "
     "general course of the curve counts.",
     "Wie laut der Raum jede Tonhöhe an einem Platz macht, tiefe links; 0&nbsp;dB ist die Quelle selbst in "
     "1&nbsp;m "
     "Abstand im Freifeld, ohne Raum. Einzelne Spitzen bei tiefen Frequenzen sind Raummoden, Töne, die "
     "dröhnen; Senken "
     "sind Töne, die dort fehlen. Weiter oben, und in einem großen Raum fast überall, laufen beide "
     "ineinander, und nur "
     "der allgemeine Verlauf der Kurve zählt."},
    {"Pressure over the first tenth of a second", "Schalldruck über die erste Zehntelsekunde"},
    {"Beginning of the response", "Anfang der Raumimpulsantwort"},
    {"What arrives first when the source gives one click: the direct sound, then single reflections from "
     "walls, floor and "
     "ceiling. Late and single crests are heard as echoes, early and dense ones make the sound fuller. "
     "Pressure 1 is the "
     "click of the source 1&nbsp;m away in free field with all its frequencies in one sample, as in the WAV "
     "file of the "
     "response; a run that ends at some frequency has lower and wider crests.",
     "Was zuerst ankommt, wenn die Quelle einmal knackt: der Direktschall, dann einzelne Reflexionen von "
     "Wänden, Boden "
     "und Decke. Späte und einzelne Spitzen sind als Echo zu hören, frühe und dichte machen den Klang "
     "voller. Schalldruck "
     "1 ist der Knack der Quelle in 1&nbsp;m Abstand im Freifeld mit all seinen Frequenzen in einem "
     "Abtastwert, wie in "
     "der WAV-Datei der Raumimpulsantwort; ein Lauf, der bei einer Frequenz endet, hat niedrigere und "
     "breitere Spitzen."},
    {"Pressure over the whole response", "Schalldruck über die ganze Raumimpulsantwort"},
    {"The whole response", "Die ganze Raumimpulsantwort"},
    {"The same click until the room is silent: the tail behind the first crests is the reverberation, and "
     "the longer it "
     "stays wide, the longer the reverberation.",
     "Derselbe Knack, bis der Raum still ist: was hinter den ersten Spitzen folgt, ist der Nachhall, und je "
     "länger es "
     "breit bleibt, desto länger ist er."},
    {"Level over the whole response", "Pegel über die ganze Raumimpulsantwort"},
    {"Level of the response", "Pegel der Raumimpulsantwort"},
    {"The same tail as the ear counts it, in decibels below its loudest crest: every 10&nbsp;dB down is "
     "about half as "
     "loud. An even room falls along a straight line; a step down or a rise is a single strong reflection.",
     "Derselbe Verlauf, wie das Ohr ihn misst, in Dezibel unter der lautesten Spitze: alle 10&nbsp;dB tiefer "
     "ist etwa "
     "halb so laut. Ein gleichmäßiger Raum fällt entlang einer Geraden; eine Stufe oder ein Anstieg ist eine "
     "einzelne "
     "starke Reflexion."},

    /* maps */
    {"Maps", "Karten"},
    {"Each map shows one figure over an area of the room, and each of its squares is a place to listen at. "
     "One step of "
     "colour is a just noticeable difference, or several where the legend says so; a hatched place has no "
     "value.",
     "Jede Karte zeigt eine Kenngröße über einer Fläche des Raums, und jedes Quadrat darin ist ein Hörplatz. "
     "Eine "
     "Farbstufe ist ein eben merklicher Unterschied, oder mehrere, wo die Legende es sagt; ein schraffierter "
     "Platz hat "
     "keinen Wert."},
    {" Maps of the same figure have one scale in both runs.",
     " Karten derselben Kenngröße haben in beiden Läufen dieselbe Skala."},
    {"%.0f Hz octave", "Oktave %.0f Hz"},
    {" over ", " über "},
    {", from ", ", Quelle "},
    {" from ", ", Quelle "},
    {"%zu map is left out, for too few places have a value",
     "%zu Karte ist weggelassen, denn zu wenige Plätze haben einen Wert"},
    {"%zu maps are left out, for too few places have a value",
     "%zu Karten sind weggelassen, denn zu wenige Plätze haben einen Wert"},
    {"A map is shown where at least %d places, and at least one in %d, have a value. Why a value is absent "
     "is written "
     "under Every response.",
     "Eine Karte ist gezeigt, wo mindestens %d Plätze und mindestens einer von %d einen Wert haben. Warum "
     "ein Wert fehlt, "
     "steht unter „Jede Raumimpulsantwort“."},
    {" of ", " von "},
    {" places)", " Plätzen)"},
    {"absent", "fehlt"},
    {" to %s", " bis %s"},
    {"level %zu: ears at %s%s m", "Ebene %zu: Ohren in %s%s m"},
    {"and less", "und weniger"},
    {"and more", "und mehr"},
    {"one step: %d JND of %s %% of the mean%s (ISO 3382-1)",
     "eine Stufe: %d JND von %s %% des Mittels%s (ISO 3382-1)"},
    {"one step: %d JND of %s%s%s (ISO 3382-1)", "eine Stufe: %d JND von %s%s%s (ISO 3382-1)"},
    {" of both runs", " beider Läufe"},
    {"mean %s, from %s to %s %s", "Mittel %s, von %s bis %s %s"},
    {"%zu points, %s m apart, %s m above the floor", "%zu Punkte, %s m auseinander, %s m über dem Boden"},
    {"absent: %zu of %zu", "fehlen: %zu von %zu"},
    {"source ", "Quelle "},
    {", receiver grid ", ", Empfängerraster "},
    {"absent, the first of them because: %s", "fehlend, davon das erste, weil: %s"},
};

WORDS_TABLE(german_figures, pairs);
