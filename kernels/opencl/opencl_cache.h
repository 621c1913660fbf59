/** Programs that a device has compiled, kept on disk for later processes: a file each in transept/ of the
 * user's cache folder (../machine/user_folder.h). Where nothing can be kept, nothing is, and nobody is told.
 * A device runs what it is given, so the folder and the file must be the user's own, without leave for others
 * to write: they are made with modes 0700 and 0600. Otherwise, or if one is a symbolic link, it is not used.
 *
 *     [hash of the rest: 8 bytes][device, version, driver, options: each ends with 0][text][binary]
 *
 * The name is the hash of the four words. A file with another word, text or hash is not used, and the next
 * program of its name replaces it: so a version of this program with another text leaves no old file. */
#ifndef KERNELS_OPENCL_CACHE_H
#define KERNELS_OPENCL_CACHE_H

#include "kernels/opencl/opencl_loader.h"

/** The program's text (kernels and headers, join_program.cmake). */
extern const char opencl_program_text[];
extern const size_t opencl_program_text_bytes;

/** A program that is built, the caller's; NULL where there is none for this device, driver, options and
 * text, or the driver refuses it. */
opencl_program opencl_cache_take(const struct opencl_card *card, const char *options);

/** Keep a program that was built with these options, in place of what is there. */
void opencl_cache_put(const struct opencl_card *card, const char *options, opencl_program program);

#endif
