/* German: head and foot of the page, summary with findings and targets, sounds. */
#include "src/base/words/words_tables.h"

static const struct words_pair pairs[] = {
    /* the page */
    {"Room acoustics: ", "Raumakustik: "},
    {"%.*s (%s and %s)", "%.*s (%s und %s)"},
    {" and ", " und "},
    {"Logo", "Logo"},
    {"Sections", "Abschnitte"},
    {"To the summary", "Zur Zusammenfassung"},
    {"Summary", "Zusammenfassung"},
    {"Room", "Raum"},
    {"Figures", "Kenngrößen"},
    {"Energy", "Energie"},
    {"What words mean", "Begriffe"},
    {"Made by transept %s. This page is complete: nothing in it is fetched from elsewhere.",
     "Erstellt mit transept %s. Diese Seite ist vollständig: nichts darin wird von anderswo geladen."},

    /* what was simulated */
    {"The sound of ", "Simuliert wurde der Schall in "},
    {" was simulated: a room of ", ": ein Raum mit "},
    {"&nbsp;m³ of air, with %zu source and ", "&nbsp;m³ Luft, mit %zu Quelle und "},
    {"&nbsp;m³ of air, with %zu sources and ", "&nbsp;m³ Luft, mit %zu Quellen und "},
    {"%zu place to listen at", "%zu Hörplatz"},
    {"%zu places to listen at", "%zu Hörplätzen"},
    {", and maps of %.0f more", ", dazu Karten von %.0f weiteren"},
    {". The simulation holds every pitch from %d&nbsp;Hz up to ",
     ". Die Simulation enthält alle Tonhöhen von %d&nbsp;Hz bis "},
    {", which is about %s", ", das ist etwa %s"},
    {"; what is higher is not in it.", "; was höher liegt, ist nicht enthalten."},
    {"The run did not come to its end, and some results are missing: ",
     "Der Lauf kam nicht zum Ende, einige Ergebnisse fehlen: "},
    {"The run has maps alone, and findings are made of receivers at single places: simulate with one. What "
     "the "
     "maps show is further down.",
     "Der Lauf hat nur Karten, und Befunde beruhen auf Empfängern an einzelnen Plätzen: mit einem solchen "
     "simulieren. Was die Karten zeigen, steht weiter unten."},
    {"Not judged, or only provisionally, by its maps: this run has no receiver at a single place, by which "
     "rooms "
     "are judged.",
     "Nicht oder nur vorläufig beurteilt, nach seinen Karten: Dieser Lauf hat keinen Empfänger an einem "
     "einzelnen "
     "Platz, und nach solchen werden Räume beurteilt."},
    {"The run has no figures that would allow a finding.",
     "Der Lauf hat keine Kenngrößen, die einen Befund erlauben."},

    /* pitches */
    {"C sharp", "Cis"},
    {"E flat", "Es"},
    {"F sharp", "Fis"},
    {"A flat", "As"},
    {"B flat", "B"},
    {"B", "H"},
    {"one", "eine"},
    {"two", "zwei"},
    {"three", "drei"},
    {"four", "vier"},
    {"five", "fünf"},
    {"six", "sechs"},
    {"seven", "sieben"},
    {"eight", "acht"},
    {"nine", "neun"},
    {"many", "viele"},
    {" and a half", " und eine halbe"},
    {"above middle C", "über dem eingestrichenen C"},
    {"below middle C", "unter dem eingestrichenen C"},
    {"%s%s%d, near middle C", "%s%s%d, nahe dem eingestrichenen C"},
    {"%s%s%d, half an octave %s", "%s%s%d, eine halbe Oktave %s"},
    {"%s%s%d, %s octave%s %s", "%s%s%d, %s Oktave%s %s"},
    {"%s%s%d, %s octaves%s %s", "%s%s%d, %s Oktaven%s %s"},

    /* findings */
    {"poor", "schwach"},
    {"fair", "angemessen"},
    {"good", "gut"},
    {"note", "Hinweis"},
    {"500 and 1000 Hz", "500 und 1000 Hz"},
    {"mean of ", "Mittel aus "},
    {" of %d", " von %d"},
    {"response", "Raumimpulsantwort"},
    {"responses", "Raumimpulsantworten"},
    {"place", "Platz"},
    {"places", "Plätzen"},
    {"which uses less of the decay than T30", "die weniger vom Abklingen nutzt als T30"},
    {"the early decay time, from the first 10 dB of the decay, since no more of it is known",
     "die frühe Abklingzeit aus den ersten 10 dB, da vom Abklingen nicht mehr bekannt ist"},
    {"Reverberation, not known: %s.", "Nachhall, nicht bekannt: %s."},
    {"ound stays for %s s (%s at %s, %s%s%s%s)", "er Schall klingt %s s nach (%s bei %s, %s%s%s%s)"},
    {", marked %s", ", mit dem Zeichen %s"},
    {": %s s at first, then %s s from −%s dB on", ": anfangs %s s, dann %s s ab −%s dB"},
    {"Flat parallel walls ring: sound dies away at a rate of %s s at first and of %s s from −%s dB on. %.*s "
     "absorbs, but two walls that face each other take %s %% of what comes to them and keep sound between "
     "them. "
     "Treating one of them, or tilting or breaking it up, shortens it; more of the same absorber does not.",
     "Flatterecho: Der Schall klingt erst mit %s s, dann mit %s s ab, dies ab −%s dB. %.*s schluckt, aber "
     "zwei "
     "Wände, die einander gegenüber stehen, nehmen nur %s %% von dem auf, was sie trifft, und halten den "
     "Schall "
     "zwischen sich. Kürzer wird er, wenn eine von ihnen belegt, geneigt oder gegliedert wird; mehr vom "
     "selben "
     "Absorber hilft nicht."},
    {"Reverberation, not judged: s%s.", "Nachhall, nicht beurteilt: d%s."},
    {"Reverberation: %s. S%s, %s the %s to %s s recommended for %s%s.",
     "Nachhall: %s. D%s, %s %s bis %s s gelten für %s%s."},
    {"the use ", "die Nutzung "},
    {"churches", "Kirchen"},
    {"longer than", "länger als empfohlen:"},
    {"shorter than", "kürzer als empfohlen:"},
    {"within", "wie empfohlen:"},
    {"early decay time", "die frühe Abklingzeit"},
    {"clarity", "das Klarheitsmaß"},
    {"strength", "das Stärkemaß"},
    {"one place", "einem Platz"},
    {"another", "einem anderen"},
    {"Evenness%s%s. From %.*s, %s (%s at %s) is %s %s at %.*s and %s %s at %.*s: %.0f times the least "
     "difference that "
     "is heard.",
     "Gleichmäßigkeit%s%s. Von %.*s aus ist %s (%s bei %s) %s %s bei %.*s und %s %s bei %.*s: das %.0f-Fache "
     "des "
     "kleinsten hörbaren Unterschieds."},
    {", not judged", ", nicht beurteilt"},
    {"The surface %.*s has absorbed %.0f %% of the sound so far, with %.0f %% of the area; %.0f %% was still "
     "in the "
     "room when the run ended.",
     "Die Fläche %.*s hat bisher %.0f %% des Schalls absorbiert, mit %.0f %% der Flächen; %.0f %% waren am "
     "Ende des "
     "Laufs noch im Raum."},
    {"The surface %.*s absorbs %.0f %% of the sound with %.0f %% of the area: what it is made of matters "
     "most.",
     "Die Fläche %.*s absorbiert %.0f %% des Schalls mit %.0f %% der Flächen: ihr Material zählt am "
     "meisten."},
    {"In %zu of %zu responses", "In %zu von %zu Raumimpulsantworten"},
    {"At the one place", "Am einzigen Platz"},
    {"%s sound dies away fast at first and slowly later, as where a second space is coupled to the room or "
     "sound goes "
     "on between two hard walls: one reverberation time does not describe it there.",
     "%s klingt der Schall erst schnell und später langsam ab, wie dort, wo ein zweiter Raum angekoppelt ist "
     "oder der "
     "Schall zwischen zwei harten Wänden weiterläuft: eine einzige Nachhallzeit beschreibt ihn dort nicht."},

    /* speech */
    {"bad", "schlecht"},
    {"excellent", "ausgezeichnet"},
    {"less than 0.30", "weniger als 0,30"},
    {"0.30 to 0.45", "0,30 bis 0,45"},
    {"0.45 to 0.60", "0,45 bis 0,60"},
    {"0.60 to 0.75", "0,60 bis 0,75"},
    {"0.75 and more", "0,75 und mehr"},
    {"%s %% of the sound arrives within 50 ms (D50 %s at %s, %s)",
     "%s %% des Schalls kommen innerhalb von 50 ms an (D50 %s bei %s, %s)"},
    {"Speech from %.*s: %s. The speech transmission index (STI) is %s (%s, without background noise); IEC "
     "60268-16 "
     "calls %s %s. %s%s",
     "Sprache von %.*s: %s. Der Sprachübertragungsindex (STI) ist %s (%s, ohne Hintergrundgeräusch); IEC "
     "60268-16 "
     "nennt %s %s. %s%s"},
    {"Speech from %.*s, not judged: %s.", "Sprache von %.*s, nicht beurteilt: %s."},
    {"Speech from %.*s: %s. %s; aim above %s.", "Sprache von %.*s: %s. %s; Ziel: über %s."},

    /* targets */
    {"churches, for both word and song", "Kirchen, für Wort und Gesang"},
    {"speech in parish halls and council chambers, with people in them (A2)",
     "Sprache in Gemeinde- und Ratssälen, mit Personen besetzt (A2)"},
    {"rooms where music is made, with people in them (A1)",
     "Räume, in denen musiziert wird, mit Personen besetzt (A1)"},
    {"lessons and discussion, or speech for all hearing, with people there (A3)",
     "Unterricht und Gespräch, oder Sprache inklusiv, mit Personen besetzt (A3)"},
    {"lessons and discussion for all hearing, with people there (A4)",
     "Unterricht und Gespräch inklusiv, mit Personen besetzt (A4)"},
    {"sports halls (A5)", "Sporthallen (A5)"},
    {"worship", "Gottesdienst"},
    {"speech", "Sprache"},
    {"music", "Musik"},
    {"teaching", "Unterricht"},
    {"inclusive", "Unterricht inklusiv"},
    {"sport", "Sport"},
    {"concerts", "Konzert"},
    {"DIN 18041:2016, as quoted by Rigips, Bauphysik, page 47",
     "DIN 18041:2016, zitiert nach Rigips, Bauphysik, Seite 47"},
    {"DIN 18041:2016, as quoted by the program Raumakustik-CAD",
     "DIN 18041:2016, zitiert nach dem Programm Raumakustik-CAD"},
    {"W. Fasold, E. Veres, Schallschutz und Raumakustik in der Praxis (2003), as quoted by Kasaira",
     "W. Fasold, E. Veres, Schallschutz und Raumakustik in der Praxis (2003), zitiert nach Kasaira"},
    {"U.-J. Werner, Handbuch Schallschutz und Raumakustik (2015), as quoted by Kasaira",
     "U.-J. Werner, Handbuch Schallschutz und Raumakustik (2015), zitiert nach Kasaira"},
    {"provisionally met", "vorläufig erfüllt"},
    {"provisionally not met", "vorläufig nicht erfüllt"},
    {"too short", "zu kurz"},
    {"too long", "zu lang"},
    {"provisionally too short", "vorläufig zu kurz"},
    {"provisionally too long", "vorläufig zu lang"},
    {" by statistics, not simulated", " nach Statistik, nicht simuliert"},
    {"needs a simulation", "braucht eine Simulation"},
    {"this one has %.0f m³", "dieser hat %.0f m³"},
    {"sound leaves this room, so that its volume is not known",
     "Schall verlässt diesen Raum, sodass sein Volumen nicht bekannt ist"},
    {" and less than %.0f m³", " und weniger als %.0f m³"},
    {"The reverberation time is not judged for the use %s: the source, %s, has rooms of at least %.0f m³%s, "
     "and %s.",
     "Die Nachhallzeit ist für die Nutzung %s nicht beurteilt: die Quelle, %s, hat Räume von mindestens %.0f "
     "m³%s, und "
     "%s."},
    {"By statistics: the time that Eyring's formula gives for the same surfaces, put right by what was "
     "simulated below. The "
     "figures by octave have it octave by octave.",
     "Nach Statistik: die Zeit, die Eyrings Formel für dieselben Flächen ergibt, berichtigt nach dem, was "
     "darunter simuliert "
     "wurde. Die Kenngrößen nach Oktaven haben sie Oktave für Oktave."},
    {"Not judged, or only provisionally: this simulation ends at %s Hz, and rooms are judged at 500 and 1000 "
     "Hz. A run up to "
     "%d Hz reaches them.",
     "Nicht oder nur vorläufig beurteilt: diese Simulation endet bei %s Hz, und Räume werden bei 500 und "
     "1000 Hz beurteilt. "
     "Ein Lauf bis %d Hz erreicht sie."},
    {"concert halls", "Konzertsäle"},
    {"speech without amplification", "Sprache ohne Verstärkung"},
    {"music: the low end for organ, the high one for classical and light pieces",
     "Musik: das untere Ende für Orgel, das obere für Klassik und leichte Stücke"},
    {"met", "erfüllt"},
    {"not met", "nicht erfüllt"},
    {"not known", "nicht bekannt"},
    {"Not judged: this simulation ends at %s Hz, and rooms are judged at 500 and 1000 Hz. A run up to %d Hz "
     "reaches "
     "them.",
     "Nicht beurteilt: diese Simulation endet bei %s Hz, und Räume werden bei 500 und 1000 Hz beurteilt. Ein "
     "Lauf bis "
     "%d Hz erreicht sie."},
    {"reverberation time", "Nachhallzeit"},
    {"definition D50", "Deutlichkeitsgrad D50"},
    {"clarity C80", "Klarheitsmaß C80"},
    {"about ", "etwa "},
    {"above ", "über "},
    {"below ", "unter "},
    {" in ", " bei "},
    {"for", "für"},
    {"should be", "soll sein"},
    {"here", "hier"},
    {"met?", "erfüllt?"},
    {"What is recommended for rooms of this size, at 500 and 1000&nbsp;Hz",
     "Was für Räume dieser Größe empfohlen wird, bei 500 und 1000&nbsp;Hz"},
    {"What is recommended for rooms, at 500 and 1000&nbsp;Hz",
     "Was für Räume empfohlen wird, bei 500 und 1000&nbsp;Hz"},
    {"What is recommended as about one value counts as met within a fifth of it.",
     "Was als etwa ein Wert empfohlen wird, gilt bis auf ein Fünftel davon als erfüllt."},

    /* guesses */
    {"What these surfaces absorb was guessed from their names, and somebody who knows the building should "
     "confirm it:",
     "Was diese Flächen absorbieren, wurde aus ihren Namen erraten; wer das Gebäude kennt, sollte es "
     "bestätigen:"},
    {" taken as ", " angenommen als "},
    {"what absorbs ", "was bei 500&nbsp;Hz "},
    {"&nbsp;% of the sound at 500&nbsp;Hz", "&nbsp;% des Schalls absorbiert"},

    /* leaks */
    {"The model is not closed: sound leaves it", "Das Modell ist nicht geschlossen: Schall verlässt es"},
    {" through an opening", " durch eine Öffnung"},
    {", and another", ", und eine weitere"},
    {", another", ", eine weitere"},
    {", and %zu more, listed with the drawing of the room",
     ", und %zu mehr, bei der Zeichnung des Raums aufgeführt"},
    {". There may be more: only the widest was looked for.",
     ". Es kann mehr geben: nur die weiteste wurde gesucht."},
    {" of about ", " von etwa "},
    {"&nbsp;m wide", "&nbsp;m weit"},
    {", at ", ", bei "},
    {" at ", " bei "},
    {" Outside, sound was followed only as far as the bounding box of the model: the faces of that box "
     "absorb all that "
     "meets them straight on and about nine tenths of what comes from all sides, and nothing comes back from "
     "beyond "
     "them.",
     " Draußen wurde der Schall nur bis zum Hüllquader des Modells verfolgt: dessen Seiten absorbieren "
     "alles, was "
     "senkrecht auftrifft, und etwa neun Zehntel dessen, was von allen Seiten kommt; von jenseits kommt "
     "nichts zurück."},
    {" By the end of the run ", " Bis zum Ende des Laufs hatten "},
    {"&nbsp;% of the sound of ", "&nbsp;% des Schalls von "},
    {" had left the simulation there.", " die Simulation dort verlassen."},
    {"The volume of air, ", "Das Luftvolumen, "},
    {"&nbsp;m³, is that of all air in this box that sound reaches. Part of it may lie outside the room, so "
     "no target "
     "that depends on the volume is given.",
     "&nbsp;m³, ist das aller Luft in diesem Quader, die der Schall erreicht. Ein Teil davon kann außerhalb "
     "des Raums "
     "liegen; daher ist kein Zielwert angegeben, der vom Volumen abhängt."},
    {"At least ", "Mindestens "},
    {"%zu crack in the walls of the model was closed for this simulation, ",
     "%zu Riss in den Wänden des Modells wurde für diese Simulation geschlossen, "},
    {"%zu cracks in the walls of the model were closed for this simulation, the widest ",
     "%zu Risse in den Wänden des Modells wurden für diese Simulation geschlossen, der weiteste "},
    {" cm wide, at ", " cm weit, bei "},
    {": no sound leaves through it.", ": dort entweicht kein Schall."},
    {": no sound leaves through them.", ": dort entweicht kein Schall."},

    /* sounds */
    {"Listen", "Anhören"},
    {" heard at ", ", gehört bei "},
    {"%s heard at %s", "%s, gehört bei %s"},
    {"the source", "die Quelle"},
    {"the receiver", "dem Empfänger"},
    {"dry, as in the open", "trocken, wie im Freien"},
    {"dry, with only the frequencies of the simulation", "trocken, nur mit den Frequenzen der Simulation"},
    {"One hand clap", "Ein Händeklatschen"},
    {"A chord of an organ", "Ein Akkord einer Orgel"},
    {"The recording ", "Die Aufnahme "},
    {" is heard dry, as in the open air, and in the room, at the places named below. All sounds have one "
     "gain, so that "
     "louder means louder; use headphones or good loudspeakers. The simulated ones hold only the frequencies "
     "of the "
     "simulation and sound muffled: compare them with the dry sound of the same frequencies, not with the "
     "full one.",
     " ist trocken zu hören, wie im Freien, und im Raum, an den unten genannten Plätzen. Alle Klänge haben "
     "dieselbe "
     "Verstärkung: lauter heißt lauter. Nehmen Sie Kopfhörer oder gute Lautsprecher. Die simulierten "
     "enthalten nur die "
     "Frequenzen der Simulation und klingen dumpf: vergleichen Sie sie mit dem trockenen Klang derselben "
     "Frequenzen, "
     "nicht mit dem vollen."},
    {"One run reaches higher than the other: both are heard up to ",
     "Ein Lauf reicht höher als der andere: beide sind zu hören bis "},
    {"&nbsp;Hz, so that they differ by the room and not by their frequencies.",
     "&nbsp;Hz, damit sie sich durch den Raum unterscheiden und nicht durch ihre Frequenzen."},
    {"The sounds are compressed with Opus, so that this page can be sent.",
     "Die Klänge sind mit Opus komprimiert, damit diese Seite verschickt werden kann."},
    {"Left out, so that this page can be sent: ", "Weggelassen, damit diese Seite verschickt werden kann: "},
    {" sound.", " Klang."},
    {" sounds.", " Klänge."},
    {"There is nothing to hear in this page: ", "In dieser Seite ist nichts zu hören: "},
    {"The sounds cannot be printed; in the page itself are:",
     "Klänge lassen sich nicht drucken; in der Seite selbst sind:"},
};

WORDS_TABLE(german_summary, pairs);
