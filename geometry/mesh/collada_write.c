#include "geometry/mesh/collada_write.h"

#include <stdlib.h>

#include "geometry/base/text_buffer.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/mesh/material_order.h"

static void put_head(FILE *stream, const char *date)
{
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
            "<asset><contributor><authoring_tool>transept</authoring_tool></contributor>"
            "<created>%s</created><modified>%s</modified><unit name=\"metre\" meter=\"1\"/>"
            "<up_axis>Z_UP</up_axis></asset>\n",
            date, date);
}

static int put_materials(FILE *stream, const struct mesh *mesh, struct failure *failure)
{
    int code = 0;
    fputs("<library_effects>\n", stream);
    for (size_t m = 0; m < mesh->material_count; m++) {
        double rgb[3];
        material_colour(mesh->material[m], rgb);
        fprintf(stream,
                "<effect id=\"effect%zu\"><profile_COMMON><technique sid=\"common\"><lambert><diffuse><color>"
                "%.4g %.4g %.4g 1</color></diffuse></lambert></technique></profile_COMMON></effect>\n",
                m, rgb[0], rgb[1], rgb[2]);
    }
    fputs("</library_effects>\n<library_materials>\n", stream);
    for (size_t m = 0; code == 0 && m < mesh->material_count; m++) {
        struct text_buffer name = {0};
        code = text_put_xml(&name, mesh->material[m], failure);
        if (code == 0)
            fprintf(stream,
                    "<material id=\"material%zu\" name=\"%s\"><instance_effect url=\"#effect%zu\"/>"
                    "</material>\n",
                    m, name.data != NULL ? name.data : "", m);
        free(name.data);
    }
    fputs("</library_materials>\n", stream);
    return code;
}

static void put_geometry(FILE *stream, const struct mesh *mesh, const struct material_order *order)
{
    fprintf(stream,
            "<library_geometries><geometry id=\"room\" name=\"room\"><mesh>\n<source id=\"positions\">"
            "<float_array id=\"numbers\" count=\"%zu\">\n",
            3 * mesh->vertex_count);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(stream, "%.9g %.9g %.9g\n", mesh->vertex[v][0], mesh->vertex[v][1], mesh->vertex[v][2]);
    fprintf(stream,
            "</float_array><technique_common><accessor source=\"#numbers\" count=\"%zu\" stride=\"3\">"
            "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
            "type=\"float\"/></accessor></technique_common></source>\n"
            "<vertices id=\"corners\"><input semantic=\"POSITION\" source=\"#positions\"/></vertices>\n",
            mesh->vertex_count);
    for (size_t m = 0; m < mesh->material_count; m++) {
        const size_t begin = order->begin[m], end = order->begin[m + 1];
        if (begin == end)
            continue;
        fprintf(stream,
                "<triangles material=\"surface%zu\" count=\"%zu\"><input semantic=\"VERTEX\" "
                "source=\"#corners\" offset=\"0\"/><p>\n",
                m, end - begin);
        for (size_t t = begin; t < end; t++) {
            const uint32_t *corner = mesh->triangle[order->triangle[t]];
            fprintf(stream, "%u %u %u\n", corner[0], corner[1], corner[2]);
        }
        fputs("</p></triangles>\n", stream);
    }
    fputs("</mesh></geometry></library_geometries>\n", stream);
}

static void put_scene(FILE *stream, const struct mesh *mesh)
{
    fputs("<library_visual_scenes><visual_scene id=\"scene\"><node id=\"node\" name=\"room\">"
          "<instance_geometry url=\"#room\"><bind_material><technique_common>\n",
          stream);
    for (size_t m = 0; m < mesh->material_count; m++)
        fprintf(stream, "<instance_material symbol=\"surface%zu\" target=\"#material%zu\"/>\n", m, m);
    fputs("</technique_common></bind_material></instance_geometry></node></visual_scene>"
          "</library_visual_scenes>\n<scene><instance_visual_scene url=\"#scene\"/></scene>\n</COLLADA>\n",
          stream);
}

int collada_stage(const struct mesh *mesh, const char *date, const char *path, struct whole_file *out,
                  struct failure *failure)
{
    struct material_order order = {0};
    struct whole_file file = {0};
    int code = material_order_make(mesh, &order, failure);
    if (code == 0)
        code = whole_file_open(&file, path, failure);
    if (code == 0) {
        put_head(file.stream, date);
        code = put_materials(file.stream, mesh, failure);
    }
    if (code == 0) {
        put_geometry(file.stream, mesh, &order);
        put_scene(file.stream, mesh);
        code = whole_file_settle(&file, failure);
    }
    if (code == 0) {
        *out = file;
        file = (struct whole_file){0};
    }
    whole_file_abandon(&file);
    material_order_free(&order);
    return code;
}
