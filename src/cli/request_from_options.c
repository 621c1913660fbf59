#include "src/cli/request_from_options.h"

#include <math.h>

static bool by_hand(const struct options *options)
{
    for (int i = 0; i < options->argument_count; i++)
        if (option_places_point(options->argument[i]))
            return true;
    return false;
}

struct room_request request_from_options(const struct options *options)
{
    return (struct room_request){
        .model = {.file = options->subject,
                  .units = (enum option_unit)options->units,
                  .up = (enum up_axis)options->up,
                  .project = options->project,
                  .air = {options->temperature, options->humidity, options->pressure},
                  .air_method = (enum air_method)options->air},
        .surfaces = {.materials = options->materials,
                     .absorption = options->absorption,
                     .two_sided = options->two_sided,
                     .audience = options_given(options, "audience") ? options->audience : NAN},
        .points = {.source = options->source,
                   .receiver = options->receiver,
                   .receiver_grid = options->receiver_grid,
                   .grid_spacing = options->grid_spacing,
                   .grid_height = options->grid_height,
                   .grid_spacing_given = options_given(options, "grid-spacing"),
                   .maps = (enum option_maps)options->maps,
                   .by_hand = by_hand(options)},
        .listening = {.look = options->look,
                      .dummy_head = options->dummy_head,
                      .ambisonics = options->ambisonics,
                      .head = options->head,
                      .yaw = options->yaw,
                      .pitch = options->pitch,
                      .roll = options->roll},
        .radiation = {.directivity = options->directivity,
                      .aim = options->aim,
                      .together = options->together},
        .grid = {.fmax = options->fmax,
                 .spacing = options->spacing,
                 .scheme = (enum scheme)options->scheme,
                 .quality = (enum option_quality)options->quality,
                 .quality_given = options_given(options, "quality"),
                 .points_per_wavelength = options->points,
                 .courant = options->courant,
                 .courant_share = options->courant_share,
                 .origin = options->grid_origin,
                 .seal = options->seal,
                 .open = options->open,
                 .leak = options->leak,
                 .no_leak_file = options->resume != NULL,
                 .force = options->force},
        .engine = {.walls = (enum option_walls)options->walls,
                   .backend = (enum option_backend)options->backend,
                   .layout = (enum layout)options->layout,
                   .precision = (enum precision)options->precision,
                   .interpolation = (enum interpolation)options->interpolation,
                   .threads = (int)options->threads,
                   .devices = options->devices,
                   .back_ends = options->back_ends},
        .plan = {.budget = options->budget,
                 .duration = options->duration,
                 .steps = (uint64_t)options->steps,
                 .repeat_shifted = options->repeat_shifted},
        .quiet = options->quiet,
        .argument_count = options->argument_count,
        .argument = options->argument,
    };
}
