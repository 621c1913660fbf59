#include "geometry/import/assimp_read.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/scene.h>

#include "geometry/base/guarded_call.h"
#include "geometry/base/name_text.h"
#include "geometry/base/vector.h"
#include "geometry/import/exchange_file.h"
#include "geometry/import/model_faces.h"
#include "geometry/mesh/marker_name.h"

/* ---- files that Assimp opens ---- */

struct open_file {
    struct aiFile calls;
    const struct model_bytes *bytes;
    size_t at;
};

static struct open_file *open_file_of(struct aiFile *file)
{
    return (struct open_file *)(void *)file->UserData;
}

static size_t file_read(struct aiFile *file, char *to, size_t size, size_t count)
{
    struct open_file *open_file = open_file_of(file);
    const size_t left = open_file->bytes->size - open_file->at;
    if (size == 0)
        return 0;
    if (count > left / size)
        count = left / size;
    memcpy(to, open_file->bytes->data + open_file->at, size * count);
    open_file->at += size * count;
    return count;
}

static size_t file_write(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t file_tell(struct aiFile *file)
{
    return open_file_of(file)->at;
}

static size_t file_size(struct aiFile *file)
{
    return open_file_of(file)->bytes->size;
}

static enum aiReturn file_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    struct open_file *open_file = open_file_of(file);
    const size_t size = open_file->bytes->size;
    /* A step back from the current place or the end arrives as a wrapped size_t; the sum wraps back. */
    const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? open_file->at : size;
    const size_t to = base + offset;
    if (to > size)
        return aiReturn_FAILURE;
    open_file->at = to;
    return aiReturn_SUCCESS;
}

static void file_flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *store_open(struct aiFileIO *io, const char *path, const char *mode)
{
    const struct model_input *input = (const struct model_input *)(const void *)io->UserData;
    size_t number = 0;
    (void)mode;
    if (strncmp(path, "./", 2) == 0)
        path += 2;
    while (number < input->file_count && strcmp(path, input->file[number].name) != 0)
        ++number;
    struct open_file *open_file = number < input->file_count ? calloc(1, sizeof *open_file) : NULL;
    if (open_file == NULL)
        return NULL;
    open_file->bytes = &input->file[number];
    open_file->calls = (struct aiFile){.ReadProc = file_read,
                                       .WriteProc = file_write,
                                       .TellProc = file_tell,
                                       .FileSizeProc = file_size,
                                       .SeekProc = file_seek,
                                       .FlushProc = file_flush,
                                       .UserData = (char *)open_file};
    return &open_file->calls;
}

/* Assimp does not close the file of a broken model; the end of the process does. */
static void store_close(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    free(open_file_of(file));
}

/* ---- from Assimp's scene to plain arrays ---- */

/* Faces of an IFC element so far: their area, and the sum of their area vectors. */
struct solid {
    double area, vector[3];
};

struct oddities {
    size_t hidden, deformed;
    struct exchange_elements *elements; /* NULL: no IFC file */
    struct solid *solid;                /* the element in hand; NULL: none */
    char names[200];                    /* names of the first hidden nodes, quoted */
};

struct reading {
    const struct aiScene *scene;
    struct oddities *odd;
    struct model_file *model;
    struct model_faces faces;
    int32_t *material; /* (scene->mNumMaterials) index in the mesh; -1: not looked up yet */
    struct failure *failure;
};

static void multiply_transforms(const double left[4][4], const struct aiMatrix4x4 *right, double out[4][4])
{
    const double factor[4][4] = {
        {(double)right->a1, (double)right->a2, (double)right->a3, (double)right->a4},
        {(double)right->b1, (double)right->b2, (double)right->b3, (double)right->b4},
        {(double)right->c1, (double)right->c2, (double)right->c3, (double)right->c4},
        {(double)right->d1, (double)right->d2, (double)right->d3, (double)right->d4},
    };
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) {
            out[row][column] = 0;
            for (int k = 0; k < 4; ++k)
                out[row][column] += left[row][k] * factor[k][column];
        }
}

/* The volatile store keeps gcc 12 from dropping the rounding where its vectoriser meets two of these in a
 * row. */
static double rounded_to_float(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

static void transform_point(const double transform[4][4], const struct aiVector3D *from, double to[3])
{
    const double local[3] = {(double)from->x, (double)from->y, (double)from->z};
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = transform[axis];
        /* Corners are floats in the file; mesh_import.h explains why the sum is rounded to a float. */
        to[axis] = rounded_to_float(row[0] * local[0] + row[1] * local[1] + row[2] * local[2] + row[3]);
    }
}

static int refuse_index(const struct reading *reading, const char *what, unsigned value, unsigned limit)
{
    return failure_set(reading->failure, FAILURE_INPUT,
                       "the model is broken: %s %u where only %u exist; export it again", what, value, limit);
}

static int add_vertices(const struct reading *reading, const struct aiMesh *from,
                        const double transform[4][4], struct mesh *mesh)
{
    for (unsigned v = 0; v < from->mNumVertices; ++v) {
        double position[3];
        const struct aiVector3D *local = &from->mVertices[v];
        if (!isfinite(local->x) || !isfinite(local->y) || !isfinite(local->z))
            return failure_set(reading->failure, FAILURE_INPUT,
                               "vertex %u of the part \"%s\" is at (%g, %g, %g), which is not finite", v,
                               from->mName.data, (double)local->x, (double)local->y, (double)local->z);
        transform_point(transform, local, position);
        TRY(mesh_add_vertex(mesh, position, NULL, reading->failure));
    }
    return 0;
}

static void restore_blanks(char *name)
{
    for (; *name != '\0'; ++name)
        if (*name == EXCHANGE_BLANK)
            *name = ' ';
}

static int material_of(const struct reading *reading, const struct aiMesh *from, struct mesh *mesh,
                       uint16_t *material)
{
    if (from->mMaterialIndex >= reading->scene->mNumMaterials)
        return refuse_index(reading, "a part refers to material", from->mMaterialIndex,
                            reading->scene->mNumMaterials);
    /* Instances repeat their materials, and a search by name compares all of them. */
    int32_t *known = &reading->material[from->mMaterialIndex];
    if (*known < 0) {
        struct aiString name = {0};
        const struct aiMaterial *properties = reading->scene->mMaterials[from->mMaterialIndex];
        const bool ifc = reading->odd->elements != NULL;
        const bool named = aiGetMaterialString(properties, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS &&
                           name.length > 0 && strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) != 0 &&
                           strcmp(name.data, "%%%DEFAULT") != 0 && /* that of 3DS */
                           !(ifc && (strcmp(name.data, "<IFCDefault>") == 0 ||
                                     strcmp(name.data, "IfcSurfaceStyle_Unnamed") == 0));
        char text[NAME_TEXT_GROWTH * sizeof name.data + 1];
        if (ifc)
            restore_blanks(name.data);
        name_text(name.data, text);
        TRY(mesh_add_material(mesh, named ? text : MODEL_DEFAULT_MATERIAL, material, reading->failure));
        *known = *material;
    }
    *material = (uint16_t)*known;
    return 0;
}

/* True if the transform is a reflection: then the corners of a face run the other way (glTF 2.0,
 * "Instantiation"). */
static bool is_reflection(const double t[4][4])
{
    return t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
               t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
               t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]) <
           0;
}

static void measure_solid(const struct mesh *mesh, size_t first, struct solid *solid)
{
    for (size_t t = first; t < mesh->triangle_count; ++t) {
        double side[2][3], vector[3];
        const uint32_t *corner = mesh->triangle[t];
        vector_subtract(mesh->vertex[corner[1]], mesh->vertex[corner[0]], side[0]);
        vector_subtract(mesh->vertex[corner[2]], mesh->vertex[corner[0]], side[1]);
        vector_cross(side[0], side[1], vector);
        solid->area += vector_length(vector);
        vector_along(solid->vector, 1, vector, solid->vector);
    }
}

static int add_walls(const struct reading *reading, const struct aiMesh *from, const double transform[4][4])
{
    struct mesh *mesh = &reading->model->mesh;
    uint16_t material = 0;
    const size_t first_vertex = mesh->vertex_count, first_triangle = mesh->triangle_count;
    const bool reversed = is_reflection(transform);
    ++reading->model->instances;
    reading->odd->deformed += from->mNumBones > 0 || from->mNumAnimMeshes > 0 ? 1 : 0;
    TRY(material_of(reading, from, mesh, &material));
    TRY(add_vertices(reading, from, transform, mesh));
    for (unsigned f = 0; f < from->mNumFaces; ++f) {
        const struct aiFace *face = &from->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices; ++k)
            if (face->mIndices[k] >= from->mNumVertices)
                return refuse_index(reading, "a face refers to vertex", face->mIndices[k],
                                    from->mNumVertices);
        TRY(model_faces_add(&reading->faces, face->mIndices, face->mNumIndices, first_vertex, material,
                            reversed));
    }
    if (reading->odd->solid != NULL)
        measure_solid(mesh, first_triangle, reading->odd->solid);
    return 0;
}

/* Centroid of the vertices of a node's own meshes, each place once; `*found` is false when it has none. */
static int node_centroid(const struct reading *reading, const struct aiNode *node,
                         const double transform[4][4], double centroid[3], bool *found)
{
    int status = 0;
    struct mesh places = {0};
    for (unsigned k = 0; status == 0 && k < node->mNumMeshes; ++k)
        status = add_vertices(reading, reading->scene->mMeshes[node->mMeshes[k]], transform, &places);
    if (status == 0)
        status = model_places_mean(&places, centroid, found, reading->failure);
    mesh_free(&places);
    return status;
}

/* A position in a node without meshes is at its origin. */
static int add_node_marker(const struct reading *reading, const struct aiNode *node,
                           const double transform[4][4], enum marker_kind kind, size_t prefix)
{
    char name[256];
    double position[3];
    bool found;
    marker_clean_name(node->mName.data + prefix, node->mName.length - prefix, kind, name, sizeof name);
    TRY(node_centroid(reading, node, transform, position, &found));
    if (!found) {
        const struct aiVector3D origin = {0, 0, 0};
        transform_point(transform, &origin, position);
    }
    return mesh_add_marker(&reading->model->mesh, kind, name, position, reading->failure);
}

static const void *find_metadata(const struct aiMetadata *all, const char *key, enum aiMetadataType type)
{
    for (unsigned p = 0; all != NULL && p < all->mNumProperties; ++p)
        if (strcmp(all->mKeys[p].data, key) == 0 && all->mValues[p].mType == type)
            return all->mValues[p].mData;
    return NULL;
}

/* FBX: true if the node's property `key` is 0. It is not documented whether Show hides children; here both
 * properties do. */
static bool is_zero(const struct aiNode *node, const char *key)
{
    const float *number = find_metadata(node->mMetaData, key, AI_FLOAT);
    const int32_t *integer = find_metadata(node->mMetaData, key, AI_INT32);
    const bool *truth = find_metadata(node->mMetaData, key, AI_BOOL);
    return (number != NULL && !(*number != 0)) || (integer != NULL && *integer == 0) ||
           (truth != NULL && !*truth);
}

static void add_hidden(const struct aiNode *node, struct oddities *odd)
{
    const size_t used = strlen(odd->names);
    if (++odd->hidden <= 3)
        (void)snprintf(odd->names + used, sizeof odd->names - used, "%s\"%.60s\"", used > 0 ? ", " : "",
                       node->mName.data);
}

static void note_oddities(const struct oddities *odd, const struct exchange_log *log,
                          struct import_notes *notes)
{
    if (odd->hidden > 0)
        import_notes_add(notes, IMPORT_HARMLESS, NULL,
                         "%zu hidden node%s left out, with all below (Visibility, Show): %s", odd->hidden,
                         odd->hidden == 1 ? "" : "s", odd->names);
    if (odd->deformed > 0)
        import_notes_add(notes, IMPORT_DOUBTFUL, "apply the pose and the shapes and export it again",
                         "joints or shapes deform %zu part%s, which is not read: the stored form is used",
                         odd->deformed, odd->deformed == 1 ? "" : "s");
    if (log->count > 0)
        import_notes_add(notes, IMPORT_DOUBTFUL, "repair it in a modelling program, or export .glb or .obj",
                         "part of it could not be read (%zu message%s): %s", log->count,
                         log->count == 1 ? "" : "s", log->first);
}

/* glTF has at most GLTF_NODE_DEPTH_MAX levels (gltf_check.h), STL and 3DS have few. If those of Collada or
 * FBX are too deep for the stack, the child crashes, and that becomes a sentence. */
static int read_node(const struct reading *reading, const struct aiNode *node, const double parent[4][4],
                     bool walls)
{
    double transform[4][4];
    if (is_zero(node, "Visibility") || is_zero(node, "Show")) {
        add_hidden(node, reading->odd);
        return 0;
    }
    multiply_transforms(parent, &node->mTransformation, transform);
    enum marker_kind kind;
    /* FBX: Assimp adds nodes for a node's pivots above it, with its name in theirs. */
    const size_t prefix = strstr(node->mName.data, "_$AssimpFbx$_") != NULL
                              ? 0
                              : marker_prefix(node->mName.data, node->mName.length, &kind);
    if (prefix > 0) {
        walls = false;
        TRY(add_node_marker(reading, node, (const double(*)[4])transform, kind, prefix));
    }
    struct solid solid = {0}, *const outer = reading->odd->solid;
    const bool element = reading->odd->elements != NULL && exchange_is_element(node->mName.data);
    if (element)
        reading->odd->solid = &solid;
    for (unsigned k = 0; walls && k < node->mNumMeshes; ++k)
        TRY(add_walls(reading, reading->scene->mMeshes[node->mMeshes[k]], (const double(*)[4])transform));
    for (unsigned k = 0; k < node->mNumChildren; ++k)
        TRY(read_node(reading, node->mChildren[k], (const double(*)[4])transform, walls));
    if (element && solid.area > 0)
        exchange_element_found(reading->odd->elements, node->mName.data,
                               vector_length(solid.vector) / solid.area);
    reading->odd->solid = outer;
    return 0;
}

/* ---- unit and axis of the file ---- */

/* Assimp stores both in the root transform of a Collada scene. It also turns the root of a 3DS scene; 3DS has
 * no unit, and its z axis points up. */
static int read_root_transform(const char *format, struct aiMatrix4x4 *root, struct model_file *model,
                               struct failure *failure)
{
    const double unit = (double)root->a1;
    const bool is_y = unit > 0 && root->b2 == root->a1 && root->c3 == root->a1;
    const bool is_z = unit > 0 && root->b3 == root->a1 && root->c2 == -root->a1;
    if (strcmp(format, "DAE") == 0) {
        if (!is_y && !is_z)
            return failure_set(failure, FAILURE_INPUT, "its x axis points up: export it with y or z up");
        model->unit = unit;
        model->up = is_z ? UP_Z : UP_Y;
    }
    if (strcmp(format, "DAE") == 0 || (strcmp(format, "3DS") == 0 && is_z))
        *root = (struct aiMatrix4x4){.a1 = 1, .b2 = 1, .c3 = 1, .d4 = 1};
    return 0;
}

/* FBX: the axis by its number, the unit in centimetres. */
static int read_fbx_metadata(const struct aiScene *scene, struct model_file *model, struct failure *failure)
{
    const int32_t *axis = find_metadata(scene->mMetaData, "UpAxis", AI_INT32);
    const int32_t *sign = find_metadata(scene->mMetaData, "UpAxisSign", AI_INT32);
    const float *scale = find_metadata(scene->mMetaData, "UnitScaleFactor", AI_FLOAT);
    if (axis == NULL || sign == NULL || scale == NULL)
        return 0;
    if ((*axis != 1 && *axis != 2) || *sign != 1)
        return failure_set(failure, FAILURE_INPUT, "its upward axis is %s%c: export it with y or z up",
                           *sign < 0 ? "-" : "", "xyz?"[*axis >= 0 && *axis < 3 ? *axis : 3]);
    model->up = *axis == 1 ? UP_Y : UP_Z;
    model->unit = (double)*scale * 0.01;
    return 0;
}

/* Assimp turns the root of an IFC scene by a quarter, whose cosine is no exact zero. Turn it back. */
static void turn_ifc_root(struct aiMatrix4x4 *root)
{
    const double cosine = (double)cosf((float)(-3.14159265358979323846 / 2));
    float *const y = &root->b1, *const z = &root->c1;
    for (int k = 0; k < 4; ++k) {
        const double turned[2] = {(double)y[k], (double)z[k]};
        y[k] = (float)(cosine * turned[0] - turned[1]);
        z[k] = (float)(turned[0] + cosine * turned[1]);
    }
}

static int read_unit_and_axis(const char *format, const struct aiScene *scene, struct model_file *model,
                              struct failure *failure)
{
    if (strcmp(format, "IFC") == 0)
        turn_ifc_root(&scene->mRootNode->mTransformation);
    else if (strcmp(format, "FBX") == 0)
        TRY(read_fbx_metadata(scene, model, failure));
    else
        TRY(read_root_transform(format, &scene->mRootNode->mTransformation, model, failure));
    if (model->unit >= 0 && model->unit <= MESH_COORDINATE_MAX)
        return 0;
    return failure_set(failure, FAILURE_INPUT, "its unit is %g m: export it in metres", model->unit);
}

/* `ifc` is the file if it is one, else NULL. */
static int read_scene(const struct aiScene *scene, const struct model_bytes *ifc,
                      const struct exchange_log *log, struct model_file *model, struct failure *failure)
{
    static const double identity[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    int status;
    struct exchange_elements elements;
    struct oddities odd = {.elements = ifc == NULL ? NULL : &elements};
    if (ifc != NULL)
        exchange_find_elements(ifc->data, ifc->size, &elements);
    struct reading reading = {.scene = scene, .odd = &odd, .model = model, .failure = failure};
    reading.material = malloc((scene->mNumMaterials + (size_t)1) * sizeof reading.material[0]);
    if (reading.material == NULL) {
        status = failure_memory(failure, (scene->mNumMaterials + (size_t)1) * sizeof reading.material[0],
                                "the materials of a model");
    } else if ((status = model_faces_begin(&reading.faces, model, failure)) == 0) {
        for (unsigned m = 0; m < scene->mNumMaterials; ++m)
            reading.material[m] = -1;
        status = read_node(&reading, scene->mRootNode, identity, true);
        note_oddities(&odd, log, &model->notes);
        if (ifc != NULL)
            exchange_note_elements(&elements, &model->notes);
    }
    free(reading.material);
    model_faces_end(&reading.faces);
    return status;
}

/* In a Collada file Assimp gives the first material to faces whose material is absent or has no effect. */
static int check_materials(const struct model_bytes *file, const struct exchange_log *log,
                           const struct aiScene *scene, struct failure *failure)
{
    struct exchange_materials materials;
    exchange_find_materials(file->data, file->size, &materials);
    if (materials.count > scene->mNumMaterials)
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "%zu of its %zu materials cannot be read: they have no effect",
                                       materials.count - scene->mNumMaterials, materials.count),
                           failure, "export it again with effects, or as .glb or .obj");
    if (materials.missing[0] != '\0')
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "it uses the material \"%s\", which it does not contain",
                                       materials.missing),
                           failure, "export it again, or as .glb or .obj");
    if (materials.count > 0 && log->unpainted[0] != '\0')
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "faces of its geometry \"%s\" have no material, and would get another's",
                        log->unpainted),
            failure, "give them a material, or export .glb or .obj");
    return 0;
}

struct importing {
    const char *name;
    struct exchange_log *log; /* NULL: Assimp's log is not used */
    struct aiFileIO *io;
    const struct aiScene *scene;
};

static void add_log_line(const char *line, char *log)
{
    exchange_log_add((struct exchange_log *)(void *)log, line);
}

static void import_scene(void *context)
{
    struct importing *importing = context;
    /* No post-processing: its steps drop and merge parts silently. */
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL)
        return;
    /* Markers are found by the names of Collada's nodes, not by their identifiers. */
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
    const struct aiLogStream stream = {.callback = add_log_line, .user = (char *)importing->log};
    if (importing->log != NULL)
        aiAttachLogStream(&stream);
    importing->scene = aiImportFileExWithProperties(importing->name, 0, importing->io, properties);
    aiDetachAllLogStreams();
    aiReleasePropertyStore(properties);
}

int assimp_read(const struct model_input *input, const char *format, struct model_file *out,
                struct failure *failure)
{
    int status;
    struct model_file model = {.notes = input->notes, .unit = input->unit};
    struct aiFileIO io = {
        .OpenProc = store_open, .CloseProc = store_close, .UserData = (char *)(uintptr_t)input};
    /* For glTF and STL the earlier checks report everything that Assimp logs. */
    const bool checked =
        strcmp(format, "glTF") == 0 || strcmp(format, "GLB") == 0 || strcmp(format, "STL") == 0;
    struct exchange_log log = {0};
    struct importing importing = {.name = input->file[0].name, .log = checked ? NULL : &log, .io = &io};
    const bool whole = guarded_call(import_scene, &importing);
    const int error = errno;
    const struct aiScene *scene = importing.scene;
    if (!whole) {
        status = failure_memory(failure, 0, "the model");
    } else if (scene == NULL || scene->mRootNode == NULL) {
        const char *message = scene == NULL ? aiGetErrorString() : "";
        /* Assimp has no error code for a lack of memory: only errno or the name of the C++ exception in its
         * message shows it. */
        status = error == ENOMEM || strstr(message, "bad_alloc") != NULL
                     ? failure_memory(failure, 0, "the model")
                     : failure_set(failure, FAILURE_INPUT, "it cannot be read as a %s file%s%s", format,
                                   message[0] == '\0' ? "" : ": ", message);
    } else if ((strcmp(format, "DAE") != 0 ||
                (status = check_materials(&input->file[0], &log, scene, failure)) == 0) &&
               (status = read_unit_and_axis(format, scene, &model, failure)) == 0) {
        status =
            read_scene(scene, strcmp(format, "IFC") == 0 ? &input->file[0] : NULL, &log, &model, failure);
    }
    if (scene != NULL)
        aiReleaseImport(scene);
    if (status != 0) {
        mesh_free(&model.mesh);
        return status;
    }
    *out = model;
    return 0;
}
