/* Layers of a wall from text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/layers/wall_layers.h"

enum measure { LENGTH, SHARE, RESISTIVITY, RESISTANCE, MASS, MODULUS, PURE };

/* Longer ones first where one begins another. */
static const struct unit {
    const char *text;
    enum measure measure;
    double factor;
} unit_table[] = {
    {"kpa s/m2", RESISTIVITY, 1e3},
    {"pa s/m2", RESISTIVITY, 1},
    {"kn s/m4", RESISTIVITY, 1e3},
    {"n s/m4", RESISTIVITY, 1},
    {"kpa s/m", RESISTANCE, 1e3},
    {"pa s/m", RESISTANCE, 1},
    {"n s/m3", RESISTANCE, 1},
    {"kg/m2", MASS, 1},
    {"g/m2", MASS, 1e-3},
    {"gpa", MODULUS, 1e9},
    {"mpa", MODULUS, 1e6},
    {"mm", LENGTH, 1e-3},
    {"cm", LENGTH, 1e-2},
    {"um", LENGTH, 1e-6},
    {"m", LENGTH, 1},
    {"%", SHARE, 0.01},
    {"", PURE, 1},
};

/* What a number is, by the word before it and its unit. The last one without a word that fits is taken. */
enum quantity {
    THICKNESS,
    OPENING,
    SHARE_OPEN,
    FLOW_RESISTIVITY,
    FLOW_RESISTANCE,
    OF_AREA,
    STIFFNESS,
    DAMPING,
    POROSITY,
    TORTUOSITY,
    VISCOUS,
    THERMAL,
    QUANTITIES
};
static const struct place {
    const char *word;
    enum measure measure;
    double least, most;
    const char *name, *unit;
} place_table[QUANTITIES] = {
    [THICKNESS] = {"", LENGTH, 1e-6, 10, "thickness", "m"},
    [OPENING] = {"holes", LENGTH, 1e-5, 1, "opening", "m"},
    [SHARE_OPEN] = {"", SHARE, 1e-4, 0.9, "open share", "(1 is 100 %)"},
    [FLOW_RESISTIVITY] = {"", RESISTIVITY, 10, 1e7, "flow resistivity", "Pa s/m2"},
    [FLOW_RESISTANCE] = {"", RESISTANCE, 0.1, 1e6, "flow resistance", "Pa s/m"},
    [OF_AREA] = {"", MASS, 1e-3, 1e4, "mass", "kg/m2"},
    [STIFFNESS] = {"", MODULUS, 1e5, 1e12, "modulus", "Pa"},
    [DAMPING] = {"loss", SHARE, 0, 1, "loss factor", "(1 is 100 %)"},
    [POROSITY] = {"porosity", PURE, 0.1, 1, "porosity", ""},
    [TORTUOSITY] = {"tortuosity", PURE, 1, 10, "tortuosity", ""},
    [VISCOUS] = {"viscous", LENGTH, 1e-6, 1e-2, "viscous length", "m"},
    [THERMAL] = {"thermal", LENGTH, 1e-6, 1e-2, "thermal length", "m"},
};

#define LAYER_TEXT 200

struct reading {
    char text[LAYER_TEXT]; /* the layer, in small letters, with one blank between words */
    double value[QUANTITIES];
    bool given[QUANTITIES];
    bool slits, air;
    size_t number; /* from 1 */
};

static int refuse(const struct reading *layer, struct failure *failure, const char *why)
{
    return failure_set(failure, FAILURE_INPUT, "layer %zu, \"%s\": %s", layer->number, layer->text, why);
}

/* Small letters, `2` for a raised one, blanks for points between units; returns the text behind the layer. */
static const char *copy_layer(const char *from, char text[LAYER_TEXT])
{
    size_t size = 0;
    const char *at = from + strspn(from, " \t\n");
    for (; *at != '\0' && *at != ';' && !(at[0] == ',' && (isspace((unsigned char)at[1]) || at[1] == '\0'));
         at++) {
        char one = (char)tolower((unsigned char)*at);
        if (at[0] == '\xc2' && at[1] == '\xb2') { /* superscript two */
            one = '2';
            at++;
        } else if (at[0] == '\xc2' && (at[1] == '\xb7' || at[1] == '\xb5')) { /* middle dot, micro */
            one = at[1] == '\xb7' ? ' ' : 'u';
            at++;
        } else if (isspace((unsigned char)one))
            one = ' ';
        if (size + 1 < LAYER_TEXT && !(one == ' ' && size > 0 && text[size - 1] == ' '))
            text[size++] = one;
    }
    while (size > 0 && text[size - 1] == ' ')
        size--;
    text[size] = '\0';
    return *at == '\0' ? at : at + 1;
}

static const struct unit *unit_at(const char *text)
{
    const struct unit *unit = unit_table;
    for (; unit->text[0] != '\0'; unit++) {
        const size_t length = strlen(unit->text);
        if (strncmp(text, unit->text, length) == 0 && !isalnum((unsigned char)text[length]))
            return unit;
    }
    return unit;
}

/* A number with a point or a comma; NULL if there is none. */
static const char *number_at(const char *text, double *value)
{
    char digits[32];
    const size_t length = strspn(text, "0123456789.,");
    if (length == 0 || length >= sizeof digits || !isdigit((unsigned char)text[0]))
        return NULL;
    memcpy(digits, text, length);
    digits[length] = '\0';
    char *const comma = strchr(digits, ',');
    if (comma != NULL)
        *comma = '.';
    char *end;
    *value = strtod(digits, &end);
    return *end == '\0' ? text + length : NULL;
}

static int take_number(struct reading *layer, const char *word, size_t word_length, double value,
                       enum measure measure, struct failure *failure)
{
    char why[160];
    enum quantity found = QUANTITIES;
    for (enum quantity q = 0; q < QUANTITIES; q++) {
        const struct place *place = &place_table[q];
        const bool by_word = place->word[0] != '\0' && strlen(place->word) == word_length &&
                             strncmp(place->word, word, word_length) == 0;
        if (place->measure == measure && (by_word || (place->word[0] == '\0' && found == QUANTITIES)))
            found = q;
    }
    if (found == QUANTITIES)
        return refuse(layer, failure,
                      "a number has no unit that a layer takes (mm, %, Pa s/m2, Pa s/m, kg/m2, GPa)");
    const struct place *place = &place_table[found];
    if (layer->given[found]) {
        (void)snprintf(why, sizeof why, "its %s is given twice", place->name);
        return refuse(layer, failure, why);
    }
    if (!(value >= place->least && value <= place->most)) {
        (void)snprintf(why, sizeof why, "its %s %g must lie from %g to %g %s", place->name, value,
                       place->least, place->most, place->unit);
        return refuse(layer, failure, why);
    }
    layer->given[found] = true;
    layer->value[found] = value;
    return 0;
}

static bool is_word(const char *word, size_t length, const char *one)
{
    return strlen(one) == length && strncmp(word, one, length) == 0;
}

static int read_words(struct reading *layer, struct failure *failure)
{
    const char *word = "", *at = layer->text;
    size_t length = 0;
    while (*at != '\0') {
        double value;
        const char *const after = number_at(at, &value);
        if (after != NULL) {
            const struct unit *const unit = unit_at(after + strspn(after, " "));
            TRY(take_number(layer, word, length, value * unit->factor, unit->measure, failure));
            at = unit->text[0] == '\0' ? after : after + strspn(after, " ") + strlen(unit->text);
            length = 0;
        } else {
            word = at;
            length = strcspn(at, " ");
            at += length;
            if (is_word(word, length, "slits") || is_word(word, length, "slit")) {
                layer->slits = true;
                word = "holes";
                length = strlen(word);
            } else if (is_word(word, length, "hole"))
                word = "holes", length = strlen(word);
            layer->air = layer->air || is_word(word, length, "air") || is_word(word, length, "cavity") ||
                         is_word(word, length, "gap");
        }
        at += strspn(at, " ");
    }
    return 0;
}

/* Its kind; what belongs to no kind is refused. */
static int make_layer(const struct reading *layer, struct wall_layer *made, struct failure *failure)
{
    const bool *has = layer->given;
    const double *value = layer->value;
    *made = (struct wall_layer){.thickness = value[THICKNESS],
                                .flow_resistivity = value[FLOW_RESISTIVITY],
                                .porosity = value[POROSITY],
                                .tortuosity = value[TORTUOSITY],
                                .viscous_length = value[VISCOUS],
                                .thermal_length = value[THERMAL],
                                .flow_resistance = value[FLOW_RESISTANCE],
                                .opening = value[OPENING],
                                .open_share = value[SHARE_OPEN],
                                .mass = value[OF_AREA],
                                .modulus = value[STIFFNESS],
                                .loss = value[DAMPING]};
    const int shape = has[POROSITY] + has[TORTUOSITY] + has[VISCOUS] + has[THERMAL];
    if (has[OPENING] != has[SHARE_OPEN])
        return refuse(
            layer, failure,
            "openings need both their size, `holes 8 mm` or `slits 5 mm`, and the open share, `15 %`");
    if (has[OPENING] + has[FLOW_RESISTIVITY] + has[FLOW_RESISTANCE] > 1)
        return refuse(layer, failure, "has the quantities of two layers; divide it");
    if (has[OPENING] || has[FLOW_RESISTIVITY])
        made->kind = has[FLOW_RESISTIVITY] ? LAYER_POROUS : layer->slits ? LAYER_SLITS : LAYER_HOLES;
    else if (has[FLOW_RESISTANCE])
        made->kind = LAYER_SCREEN;
    else if (has[OF_AREA])
        made->kind = LAYER_PANEL;
    else if (layer->air)
        made->kind = LAYER_AIR;
    else
        return refuse(layer, failure,
                      "lacks what makes it a layer: Pa s/m2 (porous), Pa s/m (screen), holes or slits "
                      "(plate), kg/m2 (panel), or the name `air`");
    if (!has[THICKNESS] && made->kind != LAYER_SCREEN && made->kind != LAYER_PANEL)
        return refuse(layer, failure, "lacks its thickness, such as `50 mm`");
    if (shape != 0 && (shape != 4 || made->kind != LAYER_POROUS))
        return refuse(layer, failure,
                      "needs flow resistivity with all of porosity, tortuosity, viscous and thermal, or none "
                      "of these four");
    if (has[STIFFNESS] != has[DAMPING] || (has[STIFFNESS] && (made->kind != LAYER_PANEL || !has[THICKNESS])))
        return refuse(layer, failure, "a panel that bends needs kg/m2, its thickness, `GPa` and `loss`");
    if (has[OF_AREA] && (made->kind == LAYER_POROUS || made->kind == LAYER_AIR))
        return refuse(layer, failure, "a mass is for panels, plates and screens");
    return 0;
}

int wall_layers_read(const char *text, struct wall_layers *layers, struct failure *failure)
{
    struct wall_layers made = {0};
    bool ended = false;
    for (const char *at = text; *at != '\0';) {
        struct reading layer = {.number = made.count + 1};
        at = copy_layer(at, layer.text);
        if (layer.text[0] == '\0')
            continue;
        if (ended)
            return refuse(&layer, failure, "is behind the end of the wall, `rigid` or `open`");
        if (strcmp(layer.text, "rigid") == 0 || strcmp(layer.text, "open") == 0) {
            ended = true;
            made.is_open = layer.text[0] == 'o';
            continue;
        }
        if (made.count == LAYERS_MAX)
            return failure_set(failure, FAILURE_INPUT, "a wall has at most %d layers", LAYERS_MAX);
        TRY(read_words(&layer, failure));
        TRY(make_layer(&layer, &made.layer[made.count], failure));
        made.count++;
    }
    if (made.count == 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "a wall has no layer; write for example \"mineral wool 50 mm 8 kPa s/m2, air 100 mm\"");
    *layers = made;
    return 0;
}
