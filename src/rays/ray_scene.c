#include "src/rays/ray_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint16_t ray_scene_material(const struct ray_scene *scene, uint32_t triangle, bool back)
{
    const uint16_t material = scene->mesh->triangle_material[triangle];
    return back && scene->back_material != NULL ? scene->back_material[material] : material;
}

#ifndef TRANSEPT_HAS_EMBREE

bool rays_are_absent(void)
{
    return true;
}

int ray_scene_make(const struct mesh *mesh, const uint16_t *back_material, struct ray_scene *out,
                   struct failure *failure)
{
    (void)mesh, (void)back_material, (void)out;
    return failure_set(failure, FAILURE_CAPACITY,
                       "this build has no rays, because Embree 3 was absent when it was made (Debian: "
                       "libembree-dev)");
}

void ray_scene_free(struct ray_scene *scene)
{
    (void)scene;
}

bool ray_scene_hit(const struct ray_scene *scene, const float origin[3], const float direction[3], float far,
                   struct ray_hit *hit)
{
    (void)scene, (void)origin, (void)direction, (void)far, (void)hit;
    return false;
}

#else

#include <embree3/rtcore.h>

bool rays_are_absent(void)
{
    return false;
}

void ray_scene_free(struct ray_scene *scene)
{
    if (scene->scene != NULL)
        rtcReleaseScene(scene->scene);
    if (scene->device != NULL)
        rtcReleaseDevice(scene->device);
    free(scene->normal);
    *scene = (struct ray_scene){0};
}

static bool fill_buffers(struct ray_scene *scene, size_t triangles)
{
    const struct mesh *mesh = scene->mesh;
    RTCGeometry geometry = rtcNewGeometry(scene->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                            3 * sizeof(float), mesh->vertex_count);
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(uint32_t), triangles);
    if (vertex != NULL && index != NULL) {
        for (size_t v = 0; v < mesh->vertex_count; v++)
            for (int axis = 0; axis < 3; axis++)
                vertex[3 * v + (size_t)axis] = (float)(mesh->vertex[v][axis] - scene->middle[axis]);
        memcpy(index, mesh->triangle, triangles * sizeof *mesh->triangle);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene->scene, geometry);
        rtcSetSceneFlags(scene->scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
        rtcCommitScene(scene->scene);
    }
    rtcReleaseGeometry(geometry);
    return vertex != NULL && index != NULL && rtcGetDeviceError(scene->device) == RTC_ERROR_NONE;
}

int ray_scene_make(const struct mesh *mesh, const uint16_t *back_material, struct ray_scene *out,
                   struct failure *failure)
{
    const size_t triangles = mesh->triangle_count + mesh->sheet_count;
    double low[3], high[3], largest = 0;
    *out = (struct ray_scene){.mesh = mesh, .back_material = back_material};
    TRY(mesh_bounds(mesh, low, high, failure));
    for (int axis = 0; axis < 3; axis++) {
        out->middle[axis] = (low[axis] + high[axis]) / 2;
        largest = fmax(largest, high[axis] - low[axis]);
    }
    out->step = (float)(1e-6 * largest);
    out->normal = malloc((triangles + 1) * sizeof *out->normal);
    out->device = rtcNewDevice("threads=1");
    out->scene = out->device != NULL ? rtcNewScene(out->device) : NULL;
    if (out->normal == NULL || out->scene == NULL || !fill_buffers(out, triangles)) {
        ray_scene_free(out);
        return failure_memory(failure, triangles * 100, "the triangles of rays");
    }
    for (size_t t = 0; t < triangles; t++) {
        double normal[3];
        mesh_normal(mesh, t, normal);
        const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int axis = 0; axis < 3; axis++)
            out->normal[t][axis] = (float)(length > 0 ? normal[axis] / length : 0);
    }
    return 0;
}

/* ---- overlapping faces of one plane ---- */

struct plane_query {
    struct RTCIntersectContext context;
    const struct mesh *mesh;
    uint32_t plane, best;
};

static void keep_lowest_rank(const struct RTCFilterFunctionNArguments *arguments)
{
    struct plane_query *query = (struct plane_query *)arguments->context;
    const uint32_t triangle = ((const struct RTCHit *)arguments->hit)->primID;
    const struct face_rank rank = mesh_face_rank(query->mesh, triangle);
    if (rank.plane == query->plane && rank.rank < mesh_face_rank(query->mesh, query->best).rank)
        query->best = triangle;
    arguments->valid[0] = 0;
}

static struct RTCRay make_ray(const float origin[3], const float direction[3], float near, float far)
{
    return (struct RTCRay){.org_x = origin[0],
                           .org_y = origin[1],
                           .org_z = origin[2],
                           .tnear = near,
                           .dir_x = direction[0],
                           .dir_y = direction[1],
                           .dir_z = direction[2],
                           .tfar = far,
                           .mask = UINT32_MAX};
}

static uint32_t find_face_that_counts(const struct ray_scene *scene, const float origin[3],
                                      const float direction[3], float distance, uint32_t triangle)
{
    const struct face_rank rank = mesh_face_rank(scene->mesh, triangle);
    if (rank.plane == 0)
        return triangle;
    const float reach = RAY_PLANE_STEPS * scene->step;
    struct plane_query query = {.mesh = scene->mesh, .plane = rank.plane, .best = triangle};
    rtcInitIntersectContext(&query.context);
    query.context.filter = keep_lowest_rank;
    struct RTCRayHit ray = {.ray = make_ray(origin, direction, fmaxf(0, distance - reach), distance + reach),
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(scene->scene, &query.context, &ray);
    return query.best;
}

/* ---- hits ---- */

bool ray_scene_hit(const struct ray_scene *scene, const float origin[3], const float direction[3], float far,
                   struct ray_hit *hit)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit ray = {.ray = make_ray(origin, direction, 0, far),
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(scene->scene, &context, &ray);
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return false;
    hit->distance = ray.ray.tfar;
    hit->triangle = find_face_that_counts(scene, origin, direction, hit->distance, ray.hit.primID);
    const float *normal = scene->normal[hit->triangle];
    const float against = normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2];
    hit->material = ray_scene_material(scene, hit->triangle, against > 0);
    for (int axis = 0; axis < 3; axis++)
        hit->normal[axis] = against > 0 ? -normal[axis] : normal[axis];
    hit->cosine = fminf(fabsf(against), 1);
    return true;
}

#endif
