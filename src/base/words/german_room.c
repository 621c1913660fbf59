/* German: the room, its surfaces, where the energy went. */
#include "src/base/words/words_tables.h"

static const struct words_pair pairs[] = {
    {"The room", "Der Raum"},
    {"Sources and receivers", "Quellen und Empfänger"},
    {"Dummy head ", "Kunstkopf "},
    {"what", "was"},
    {"name", "Name"},
    {"source", "Quelle"},
    {"receiver", "Empfänger"},
    {"The model is not in this page: ", "Das Modell ist nicht in dieser Seite: "},
    {"The blocks are not in this page: ", "Die Blöcke sind nicht in dieser Seite: "},
    {"the model has too many triangles for a page", "das Modell hat zu viele Dreiecke für eine Seite"},
    {"there are too many blocks for a page", "es sind zu viele Blöcke für eine Seite"},
    {"Plan of the room, cut %s m up, with sources (triangles) and receivers (dots)",
     "Grundriss des Raums, in %s m Höhe geschnitten, mit Quellen (Dreiecke) und Empfängern (Punkte)"},
    {"The walls at the height of the ears, seen from above: sources are triangles, receivers dots",
     "Die Wände in Höhe der Ohren, von oben gesehen: Quellen sind Dreiecke, Empfänger Punkte"},
    {", the paths by which sound leaves red lines with a ring where they are narrowest, dashed where they "
     "were closed",
     ", die Wege, auf denen Schall entweicht, rote Linien mit einem Ring an der engsten Stelle, gestrichelt, "
     "wo sie "
     "geschlossen wurden"},
    {"Where sound leaves the model", "Wo Schall das Modell verlässt"},
    {"which", "welche"},
    {"width m", "Weite m"},
    {"closed crack", "geschlossener Riss"},
    {"opening", "Öffnung"},

    /* surfaces */
    {"Surfaces and what they absorb", "Flächen und was sie absorbieren"},
    {"The share of sound from all sides that a surface absorbs, as it was used in the run; 0 is a perfect "
     "mirror, 1 an "
     "open window.",
     "Der Absorptionsgrad: der Anteil des Schalls von allen Seiten, den eine Fläche absorbiert, wie im Lauf "
     "verwendet; "
     "0 ist ein vollkommener Spiegel, 1 ein offenes Fenster."},
    {"Walls are where the model has them: cells of the grid that a wall cuts have the volume and the areas "
     "that it leaves "
     "them.",
     "Wände stehen, wo das Modell sie hat: Gitterzellen, die eine Wand schneidet, haben das Volumen und die "
     "Flächen, die "
     "sie ihnen lässt."},
    {"Of these surfaces less than nine tenths is in effect, and the rest lies under other faces or where no "
     "air "
     "of the room is: ",
     "Von diesen Oberflächen wirken weniger als neun Zehntel; der Rest liegt unter anderen Flächen oder "
     "dort, "
     "wo keine Luft des Raums ist: "},
    {"Walls are along the faces of the grid's cells, and their areas were brought to the model's.",
     "Wände verlaufen entlang der Seiten der Gitterzellen, und ihre Flächen wurden auf die des Modells "
     "gebracht."},
    {"Walls are along the faces of the grid's cells, with the areas that they have there.",
     "Wände verlaufen entlang der Seiten der Gitterzellen, mit den Flächen, die sie dort haben."},
    {"Surfaces by material", "Flächen nach Material"},
    {"Sound goes through these surfaces; the table has what one of their sides takes of it:",
     "Durch diese Flächen geht Schall hindurch; in der Tabelle steht, was eine ihrer Seiten davon aufnimmt:"},
    {"flow resistance", "Strömungswiderstand"},
    {"material", "Material"},
    {"area m²", "Fläche m²"},
    {"from where", "woher"},
    {"given on the command line", "auf der Befehlszeile angegeben"},
    {"given in a file", "in einer Datei angegeben"},
    {"given in the project", "im Projekt angegeben"},
    {"found in the library by its name", "nach dem Namen in der Bibliothek gefunden"},
    {"rigid, as the program put it there", "starr, so hat das Programm es aufgestellt"},
    {"the value for all other surfaces", "der Wert für alle übrigen Flächen"},
    {"assumed", "angenommen"},
    {"guessed", "erraten"},

    /* energy */
    {"Where the sound went", "Wohin der Schall ging"},
    {"Every surface absorbs a share of the sound. The account is of the room alone, without the air, and of "
     "all "
     "frequencies of the run together.",
     "Jede Fläche absorbiert einen Teil des Schalls. Die Bilanz gilt für den Raum allein, ohne die Luft, und "
     "für alle "
     "Frequenzen des Laufs zusammen."},
    {"Where the sound of ", "Wohin der Schall von "},
    {" went, by the end of the run", " bis zum Ende des Laufs ging"},
    {"surface", "Fläche"},
    {"share %", "Anteil %"},
    {"still in the room", "noch im Raum"},
    {"This run kept no account of its energy.", "Dieser Lauf hat keine Energiebilanz geführt."},
};

WORDS_TABLE(german_room, pairs);
