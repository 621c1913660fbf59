/** materials.yaml, compiled in (see embed_text.cmake). */
#ifndef ROOMS_MATERIAL_TEXT_H
#define ROOMS_MATERIAL_TEXT_H

#include <stddef.h>

extern const char material_text[]; /* no end mark */
extern const size_t material_text_bytes;

#endif
