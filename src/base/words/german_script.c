/* German: what the script of a page says, and the flat drawings that it takes the place of. Without quotes
 * and backslashes, for the page carries them as JSON. */
#include "src/base/words/words_tables.h"

static const struct words_pair pairs[] = {
    /* curves */
    {"time after the direct sound [s]", "Zeit nach dem Direktschall [s]"},
    {"time after the emission [s]", "Zeit nach der Aussendung [s]"},
    {"level [dB]", "Pegel [dB]"},
    {"frequency [Hz]", "Frequenz [Hz]"},
    {"pressure [click at 1 m]", "Schalldruck [Knack in 1 m]"},
    {"lowest pressure", "niedrigster Schalldruck"},
    {"highest pressure", "höchster Schalldruck"},
    {"{0} to {1} s", "{0} bis {1} s"},
    {", {0} at {1} s", ", {0} bei {1} s"},
    {"dB, highest {0} at {1} Hz", "dB, höchster {0} bei {1} Hz"},
    {"Which response is drawn", "Welche Raumimpulsantwort gezeichnet ist"},
    {"Response: ", "Raumimpulsantwort: "},
    {"{0} heard at {1}", "{0}, gehört bei {1}"},

    /* the room */
    {"none", "keine"},
    {"Map on the audience: ", "Karte auf den Plätzen: "},
    {" at {0}", " bei {0}"},
    {"{0}, from {1}", "{0}, Quelle {1}"},
    {"Walls solid up to ", "Wände undurchsichtig bis "},
    {"Places", "Orte"},
    {"sources", "Quellen"},
    {"receivers", "Empfänger"},
    {"openings", "Öffnungen"},
    {"closed cracks", "geschlossene Risse"},
    {"stored blocks", "gespeicherte Blöcke"},
    {"Surfaces", "Flächen"},
    {"room that can be turned", "drehbarer Raum"},
    {"The room {0} in three dimensions. Arrow keys turn it, plus and minus come nearer and go away, 0 resets "
     "the view.",
     "Der Raum {0} in drei Dimensionen. Pfeiltasten drehen ihn, Plus und Minus gehen näher heran und weiter "
     "weg, 0 stellt "
     "die Ansicht zurück."},
    {"Reset view", "Ansicht zurücksetzen"},
    {"From above", "Von oben"},
    {"Turn left", "Nach links drehen"},
    {"Turn right", "Nach rechts drehen"},
    {"Nearer", "Näher"},
    {"Farther", "Weiter weg"},

    /* blind listening */
    {"Blind comparison", "Blindvergleich"},
    {"Two sounds play in step, under the names X and Y in an order that is drawn anew each time. All have "
     "one gain. The "
     "keys X and Y switch between them.",
     "Zwei Klänge laufen im Gleichschritt, unter den Namen X und Y in einer Reihenfolge, die jedes Mal neu "
     "ausgelost wird. "
     "Alle haben dieselbe Verstärkung. Die Tasten X und Y schalten um."},
    {"First sound", "Erster Klang"},
    {"Second sound", "Zweiter Klang"},
    {"First sound ", "Erster Klang "},
    {"Second sound ", "Zweiter Klang "},
    {"Shuffle and play", "Mischen und abspielen"},
    {"Stop", "Anhalten"},
    {"X is the first", "X ist der erste"},
    {"Y is the first", "Y ist der erste"},
    {"Tell me", "Auflösen"},
    {"Choose two different sounds.", "Wählen Sie zwei verschiedene Klänge."},
    {"Playing. Switch between X and Y, then say which of them is the first sound.",
     "Läuft. Schalten Sie zwischen X und Y um und sagen Sie dann, welcher der erste Klang ist."},
    {"This browser cannot play these sounds: {0}.", "Dieser Browser kann die Klänge nicht abspielen: {0}."},
    {"X was “{0}”, Y was “{1}”.", "X war „{0}“, Y war „{1}“."},
    {"Right", "Richtig"},
    {"Wrong", "Falsch"},
    {"{0} right of {1}; by chance half would be.", "{0} richtig von {1}; durch Zufall wäre es die Hälfte."},
};

WORDS_TABLE(german_script, pairs);
