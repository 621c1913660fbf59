#include "geometry/voxel/voxel_findings.h"

#include <stdlib.h>

void voxel_leak_free(struct voxel_leak *leak)
{
    free(leak->point);
    *leak = (struct voxel_leak){0};
}

void voxel_findings_free(struct voxel_findings *findings)
{
    free(findings->sealed);
    free(findings->narrow);
    for (size_t w = 0; w < findings->way_count; w++)
        voxel_leak_free(&findings->way[w].leak);
    free(findings->way);
    free(findings->exit);
    free(findings->exposure);
    free(findings->seed_node);
    *findings = (struct voxel_findings){0};
}
