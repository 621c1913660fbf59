/** The measures of a parametric room as options of `room`. */
#ifndef SRC_SHAPE_OPTIONS_H
#define SRC_SHAPE_OPTIONS_H

#include "rooms/shapes/room_shape.h"
#include "src/base/options/options.h"

/** A measure as the command line fills it: one of the two, by the kind of its option. */
struct measure {
    double number;
    int word;
};

/** The options of one shape, made from its table; start zeroed. */
struct shape_options {
    struct option_set set;
    struct option_spec *spec;
    struct measure *measure;
    char (*standard)[32];
    char (*value_name)[16];
};

/** Each measure at its default. FAILURE_CAPACITY; `of` is valid for shape_options_free() either way. */
int shape_options_make(const struct room_shape *shape, struct shape_options *of, struct failure *failure);
void shape_options_free(struct shape_options *of);

#endif
