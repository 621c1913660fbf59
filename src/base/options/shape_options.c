#include "src/base/options/shape_options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shape_options_free(struct shape_options *of)
{
    free(of->spec);
    free(of->measure);
    free(of->standard);
    free(of->value_name);
}

int shape_options_make(const struct room_shape *shape, struct shape_options *of, struct failure *failure)
{
    const size_t count = shape->parameter_count;
    of->spec = calloc(count + 1, sizeof *of->spec);
    of->measure = calloc(count + 1, sizeof *of->measure);
    of->standard = calloc(count + 1, sizeof *of->standard);
    of->value_name = calloc(count + 1, sizeof *of->value_name);
    if (of->spec == NULL || of->measure == NULL || of->standard == NULL || of->value_name == NULL)
        return failure_memory(failure, count * sizeof *of->spec, "the options of a room");
    for (size_t i = 0; i < count; i++) {
        const struct room_parameter *parameter = &shape->parameter[i];
        const bool word = parameter->words != NULL;
        of->measure[i] = (struct measure){parameter->standard, (int)parameter->standard};
        if (word)
            snprintf(of->standard[i], sizeof of->standard[i], "%s",
                     parameter->words[(int)parameter->standard]);
        else
            snprintf(of->standard[i], sizeof of->standard[i], "%.9g", parameter->standard);
        snprintf(of->value_name[i], sizeof of->value_name[i], "%s",
                 word                                  ? "WORD"
                 : strcmp(parameter->unit, "m") == 0   ? "M"
                 : strcmp(parameter->unit, "deg") == 0 ? "DEG"
                                                       : "N");
        of->spec[i] = (struct option_spec){
            .name = parameter->name,
            .kind = word                                ? OPTION_WORD
                    : strcmp(parameter->unit, "m") == 0 ? OPTION_LENGTH
                                                        : OPTION_NUMBER,
            .low = parameter->low,
            .high = parameter->high,
            .unit = parameter->unit,
            .value = of->value_name[i],
            .standard = of->standard[i],
            .words = parameter->words,
            .at = i * sizeof(struct measure) +
                  (word ? offsetof(struct measure, word) : offsetof(struct measure, number)),
            .group = i == 0 ? "Dimensions" : NULL,
            .help = parameter->description,
        };
    }
    of->set = (struct option_set){count, of->spec, of->measure};
    return 0;
}
