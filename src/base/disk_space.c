#include "src/base/disk_space.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "src/base/path_text.h"

double disk_free(const char *path)
{
    struct statvfs disk;
    char *above = path_folder(path);
    const bool known = statvfs(path, &disk) == 0 || (above != NULL && statvfs(above, &disk) == 0);
    free(above);
    /* File systems without blocks, as /proc, count no space. */
    return known && disk.f_blocks > 0 ? (double)disk.f_bavail * (double)disk.f_frsize : INFINITY;
}
