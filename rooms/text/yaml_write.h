/** Writes values of a YAML file. */
#ifndef ROOMS_YAML_WRITE_H
#define ROOMS_YAML_WRITE_H

#include <stdio.h>

/** `text` as a scalar or a key that is read back as the same: plain where it can be, else in quotes. */
void yaml_put_text(FILE *stream, const char *text);

#endif
