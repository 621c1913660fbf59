/** The options of `play` that no other command has. */
#ifndef SRC_PLAY_OPTIONS_H
#define SRC_PLAY_OPTIONS_H

#include "src/base/options/options.h"

/** Start with play_options_default(); owned: play_options_free(). */
struct play_options {
    const char *score;         /* file; NULL: none */
    struct option_places drum; /* additional ones, each struck once */
    bool linear;               /* no blow changes the tension of a membrane */
    double duration;           /* of the sound; 0: auto [s] */
};

struct option_set play_option_set(struct play_options *own);
int play_options_default(struct play_options *own, struct failure *failure);
void play_options_free(struct play_options *own);

#endif
