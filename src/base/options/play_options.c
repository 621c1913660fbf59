#include "src/base/options/play_options.h"

#include <stdlib.h>

#include "src/base/options/option_values.h"

static const struct option_spec play_option_table[] = {
    {.name = "score",
     .kind = OPTION_TEXT,
     .value = "FILE.yaml",
     .at = offsetof(struct play_options, score),
     .group = "Drums",
     .help = "drums and strokes: a list `drums` and a list `strikes`"},
    {.name = "drum",
     .kind = OPTION_PLACES,
     .value = "X,Y,Z[,NAME]",
     .at = offsetof(struct play_options, drum),
     .help =
         "a timpano of 65 cm tuned to 110 Hz, with the centre of its membrane at this point, struck once; "
         "repeatable, one stroke per second"},
    {.name = "linear",
     .kind = OPTION_FLAG,
     .at = offsetof(struct play_options, linear),
     .help = "keep the tension of every membrane constant, however hard it is struck: the pitch does not "
             "glide, and twice the force is twice the sound pressure"},
    {.name = "duration",
     .kind = OPTION_TIME,
     .may_be_auto = true,
     .low = 0.001,
     .high = 600,
     .value = "TIME|auto",
     .standard = "auto",
     .at = offsetof(struct play_options, duration),
     .help = "duration of the sound; auto: until 3 s after the last stroke"},
};

struct option_set play_option_set(struct play_options *own)
{
    return (struct option_set){.count = sizeof play_option_table / sizeof *play_option_table,
                               .spec = play_option_table,
                               .base = own};
}

int play_options_default(struct play_options *own, struct failure *failure)
{
    *own = (struct play_options){0};
    for (size_t i = 0; i < sizeof play_option_table / sizeof *play_option_table; i++)
        if (play_option_table[i].standard != NULL)
            TRY(option_read_value(&play_option_table[i], play_option_table[i].standard, own, failure));
    return 0;
}

void play_options_free(struct play_options *own)
{
    free(own->drum.place);
    *own = (struct play_options){0};
}
