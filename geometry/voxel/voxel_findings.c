#include "geometry/voxel/voxel_findings.h"

#include <stdio.h>
#include <stdlib.h>

const char *voxel_seed_title(const struct voxel_seed *seed, char title[SEED_TITLE_MAX])
{
    const char *kind = seed->noun != NULL ? seed->noun : seed->kind == SEED_SOURCE ? "source" : "receiver";
    if (seed->name != NULL && seed->name[0] != '\0')
        (void)snprintf(title, SEED_TITLE_MAX, "%s \"%.150s\"", kind, seed->name);
    else
        (void)snprintf(title, SEED_TITLE_MAX, "the %s", kind);
    return title;
}

void voxel_leak_free(struct voxel_leak *leak)
{
    free(leak->point);
    *leak = (struct voxel_leak){0};
}

void voxel_findings_free(struct voxel_findings *findings)
{
    free(findings->sealed);
    free(findings->narrow);
    for (size_t w = 0; w < findings->path_count; w++)
        voxel_leak_free(&findings->path[w].leak);
    free(findings->path);
    free(findings->exit);
    free(findings->exposure);
    free(findings->seed_node);
    *findings = (struct voxel_findings){0};
}
