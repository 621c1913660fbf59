#include "rooms/materials/scattering.h"

const unsigned scattering_octave[SCATTERING_OCTAVES] = {63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000};

const double scattering_default[SCATTERING_OCTAVES] = {0.1, 0.1, 0.1, 0.1, 0.05, 0.025, 0.025, 0.025, 0.025};

struct scattering scattering_of_number(double value)
{
    struct scattering scattering = {.given = (1u << SCATTERING_OCTAVES) - 1};
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        scattering.octave[o] = value;
    return scattering;
}

void octaves_extend(unsigned given, size_t count, double value[])
{
    for (size_t o = 0; given != 0 && o < count; o++)
        for (size_t away = 0; away < count; away++) {
            const bool below = away <= o && (given >> (o - away) & 1) != 0;
            if (below || (o + away < count && (given >> (o + away) & 1) != 0)) {
                value[o] = value[below ? o - away : o + away];
                break;
            }
        }
}

void scattering_fill(struct scattering *scattering)
{
    for (size_t o = 0; scattering->given == 0 && o < SCATTERING_OCTAVES; o++)
        scattering->octave[o] = scattering_default[o];
    octaves_extend(scattering->given, SCATTERING_OCTAVES, scattering->octave);
}

int scattering_read(const struct yaml_spot *spot, struct scattering *out, struct failure *failure)
{
    static const char *const known[SCATTERING_OCTAVES] = {"63",   "125",  "250",  "500",  "1000",
                                                          "2000", "4000", "8000", "16000"};
    static const struct yaml_limits share = {.low = 0, .high = 1, .unit = "(" SCATTERING_ABOVE_ONE ")"};
    struct yaml_spot key[SCATTERING_OCTAVES], unknown;
    if (yaml_spot_kind(spot) == YAML_SCALAR) {
        double value;
        TRY(yaml_read_number(spot, &share, &value, failure));
        *out = scattering_of_number(value);
        return 0;
    }
    struct scattering read = {0};
    TRY(yaml_expect(spot, YAML_MAP, "a number from 0 to 1, or a mapping of octaves, as {125: 0.3, 1000: 0.6}",
                    failure));
    TRY(yaml_find_keys(spot, known, SCATTERING_OCTAVES, key, &unknown, failure));
    if (unknown.node != NULL)
        return yaml_refuse(&unknown, failure,
                           "is not an octave: give 63, 125, 250, 500, 1000, 2000, 4000, 8000 or 16000 (Hz)");
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        if (key[o].node != NULL) {
            TRY(yaml_read_number(&key[o], &share, &read.octave[o], failure));
            read.given |= 1u << o;
        }
    scattering_fill(&read);
    *out = read;
    return 0;
}
