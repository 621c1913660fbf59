#include "src/run_folder/run_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_entries.h"
#include "src/base/json_memory.h"

#define FIGURES_AS(suffix, member) JSON_FIELD_OWN(struct TYPE, member, figure_values_json, suffix)

/* ---- the room ---- */

/* The measures of a shape, which names them. */
static bool write_measures(const void *member, cJSON *object, const void *with)
{
    const struct record_project *project = member;
    (void)with;
    if (project->shape == NULL)
        return true;
    cJSON *measures = cJSON_AddObjectToObject(object, "measures");
    for (size_t i = 0; measures != NULL && i < project->measure_count; i++) {
        const struct record_measure *measure = &project->measure[i];
        const cJSON *added = measure->word != NULL
                                 ? cJSON_AddStringToObject(measures, measure->name, measure->word)
                                 : cJSON_AddNumberToObject(measures, measure->name, measure->number);
        if (added == NULL)
            return false;
    }
    return measures != NULL;
}

static bool read_measures(void *member, const cJSON *object, const void *with)
{
    struct record_project *project = member;
    const cJSON *measures = cJSON_GetObjectItemCaseSensitive(object, "measures"), *item;
    (void)with;
    if (!cJSON_IsObject(measures))
        return true;
    project->measure =
        json_memory_take(((size_t)cJSON_GetArraySize(measures) + 1) * sizeof *project->measure);
    if (project->measure == NULL)
        return false;
    cJSON_ArrayForEach(item, measures)
    {
        struct record_measure *measure = &project->measure[project->measure_count++];
        measure->number = json_number_read(item);
        if (!json_text_set(&measure->name, item->string) ||
            !json_text_set(&measure->word, cJSON_GetStringValue(item)))
            return false;
    }
    return true;
}

static void free_measures(void *member)
{
    struct record_project *project = member;
    for (size_t i = 0; i < project->measure_count; i++) {
        free(project->measure[i].name);
        free(project->measure[i].word);
    }
    free(project->measure);
}

static const struct json_own measures_json = {write_measures, read_measures, NULL, free_measures};

#define TYPE record_project
/* The measures are of the whole struct. */
TABLE(record_project, TEXT("file", file), TEXT("hash", hash), TEXT_IF("text", text), TEXT("variant", variant),
      TEXT_IF("shape", shape), JSON_FIELD("", JSON_OWN, JSON_NULL, 0, NULL, &measures_json, NULL));
#undef TYPE

#define TYPE record_mesh
TABLE(record_mesh, TEXT("file", file), TEXT("hash", hash), TEXT("mesh_hash", mesh_hash),
      TEXT("format", format), NUMBER("metres_per_unit", metres_per_unit), TEXT("up", up), POINT("low_m", low),
      POINT("high_m", high), NUMBER("triangles", triangles),
      NUMBER("degenerate_triangles", degenerate_triangles),
      NUMBER("duplicate_triangles", duplicate_triangles), NUMBER("open_edges", open_edges));
#undef TYPE

#define TYPE record_branch
TABLE(record_branch, NUMBER("D_s", d), NUMBER("E", e), NUMBER("F_per_s", f));
#undef TYPE

#define TYPE record_material
TABLE(record_material, TEXT("name", name), NUMBER("area_m2", area), TEXT_IF("back", back),
      NUMBER_IF("area_exposed_m2", area_exposed), NUMBER_IF("area_staircase_m2", area_staircase),
      NUMBER_IF("area_factor", area_factor), NUMBER_IF("area_residual_percent", area_residual),
      TEXT("origin", origin), TEXT("library_name", library_name), TEXT_IF("document", document),
      TEXT_IF("build", build), BOOL("guessed", guessed), NUMBER("audience", audience),
      NUMBER("absorption", absorption), NUMBER("absorption_used", absorption_used),
      NUMBERS_IF("absorption_octaves", octaves_asked), NUMBERS_IF("absorption_used_octaves", octaves_used),
      NUMBERS_IF("absorption_thirds", thirds_asked), NUMBERS_IF("absorption_used_thirds", thirds_used),
      NUMBERS_IF("absorption_uncertainty_octaves", uncertainty),
      TEXT_IF("absorption_uncertainty_from", uncertainty_from), NUMBERS_IF("scattering_octaves", scattering),
      LIST_IF("branches", branches, record_branch), NUMBER_IF("flow_resistance_pa_s_m", flow_resistance),
      NUMBER_IF("mass_kg_m2", sheet_mass), TEXT_IF("combination", combination));
#undef TYPE

#define TYPE record_materials_file
TABLE(record_materials_file, TEXT("file", file), TEXT("hash", hash), TEXT("used", used));
#undef TYPE

#define TYPE record_device
TABLE(record_device, TEXT("name", name), TEXT_IF("opencl", opencl),
      TEXT_IF("compute_capability", compute_capability), TEXT_IF("driver_cuda", driver_cuda),
      TEXT_IF("toolkit_cuda", toolkit_cuda), NUMBER("bytes", bytes), NUMBER("bytes_free", bytes_free),
      NUMBER("bytes_cache", bytes_cache), NUMBER("processors", processors));
#undef TYPE

#define TYPE record_backend
TABLE(record_backend, TEXT("backend", backend), TEXT("backend_asked", asked),
      TEXT("backend_because", because), OBJECT_IF("device", device, record_device));
#undef TYPE

#define TYPE record_larger_space
TABLE(record_larger_space, NUMBER("volume_m3", volume), POINT("position_m", position), BOOL("open", open),
      POINT_IF("gap_position_m", gap_position), NUMBER_IF("gap_m", gap));
#undef TYPE

#define TYPE record_room
TABLE(record_room, TEXT("program", program), TEXT("version", version), TEXT("command", command),
      TEXTS_IF("arguments", arguments), OBJECT_IF("project", project, record_project),
      OBJECT_IF("room", mesh, record_mesh),
      OBJECT_IF("materials_file", materials_file, record_materials_file), TEXT("walls", walls),
      NUMBERS_IF("material_octaves_hz", material_octaves), NUMBERS_IF("material_thirds_hz", material_thirds),
      NUMBERS_IF("scattering_octaves_hz", scattering_octaves),
      LIST_IF("materials", materials, record_material), NUMBER("fmax_hz", fmax),
      BOOL("fmax_automatic", fmax_automatic), TEXT("scheme", scheme), TEXT_IF("quality", quality),
      NUMBER("points_per_wavelength", points_per_wavelength), NUMBER("spacing_m", spacing),
      NUMBER("rate_hz", rate), NUMBER("courant", courant), NUMBER("courant_share", courant_share),
      NUMBER("lambda2", lambda2), POINT("grid_origin_m", grid_origin), NUMBER("temperature_c", temperature),
      NUMBER("sound_speed_m_s", sound_speed), TEXT("layout", layout), TEXT("precision", precision),
      PART(backend, record_backend), TEXT("interpolation", interpolation), BOOL("open", open),
      NUMBER("open_face_links", open_face_links), NUMBER("open_face_area_m2", open_face_area),
      NUMBER("seal_m", seal), NUMBER("sealed_links", sealed_links),
      NUMBER("seconds_voxelise", seconds_voxelise), OBJECT("larger_space", larger_space, record_larger_space),
      TEXTS_IF("warnings", warnings));
#undef TYPE

#define TYPE record_cut_cells
TABLE(record_cut_cells, NUMBER("nodes", nodes), NUMBER("pieces", pieces), NUMBER("extra_links", extra_links),
      NUMBER("merged", merged), NUMBER("volume_m3", volume), NUMBER("volume_lent_m3", volume_lent),
      NUMBER("volume_added_m3", volume_added), NUMBER("volume_added_percent", added_percent),
      NUMBER("borrowers", borrowers), NUMBER("lenders", lenders), NUMBER("largest_mass_ratio", largest),
      NUMBER("lambda2_share", lambda2_share));
#undef TYPE

#define TYPE record_size
TABLE(record_volume, NUMBER("air_volume_m3", air_volume), TEXT("air_volume_from", air_volume_from),
      NUMBER("cells_volume_m3", cells_volume));

TABLE(record_size, POINT("box_size_m", box_size), NUMBER("box_nodes", box_nodes),
      NUMBER("air_nodes", air_nodes), NUMBER("stored_nodes", stored_nodes), NUMBER("blocks", blocks),
      NUMBER("occupancy", occupancy), NUMBER("wall_nodes", wall_nodes), NUMBER("bytes_box", bytes_box),
      NUMBER("bytes_blocks", bytes_blocks), NUMBER("bytes_walls", bytes_walls),
      NUMBER("bytes_ideal", bytes_ideal), NUMBER("bytes_seed_blocks", bytes_seed_blocks),
      NUMBER("bytes_peak", bytes_peak), NUMBER_IF("bytes_device", bytes_device),
      NUMBER_IF("bytes_rank_0", bytes_first), NUMBER_IF("bytes_rank", bytes_rank),
      JSON_FIELD_ALSO(record_volume_table), OBJECT_IF("cut_cells", cut_cells, record_cut_cells),
      TEXT("grid_hash", grid_hash));
#undef TYPE

#define TYPE record_directivity
TABLE(record_directivity, TEXT("pattern", pattern), TEXT_IF("hash", hash), POINT("axis", axis),
      NUMBERS("octaves_hz", octaves), NUMBERS("index_db", index), NUMBER_IF("carried_to_hz", carried),
      NUMBER_IF("fade_second_hz", fade_second), NUMBER_IF("fade_third_hz", fade_third));
#undef TYPE

#define TYPE record_member
TABLE(record_member, TEXT("source", source), NUMBER("gain_db", gain), NUMBER("delay_ms", delay));
#undef TYPE

#define TYPE record_point
TABLE(record_point, TEXT("name", name), POINT("position_m", position),
      OBJECT_IF("directivity", directivity, record_directivity), LIST_IF("together", together, record_member),
      TEXT_IF("sounds_in", sounds_in), TEXT_IF("interpolation", interpolation), NUMBER_IF("shift_m", shift));
#undef TYPE

#define TYPE record_dummy_head
TABLE(record_dummy_head, TEXT("name", name), TEXT_IF("file", file), TEXT_IF("hash", hash),
      POINT("position_m", position), NUMBER("radius_m", radius), NUMBER("look_azimuth_deg", azimuth),
      NUMBER_IF("sphere_above_hz", sphere_above), TEXT("left", left), TEXT("right", right));
#undef TYPE

#define TYPE record_points
TABLE(record_points, LIST_IF("sources", sources, record_point), LIST_IF("receivers", receivers, record_point),
      LIST_IF("dummy_heads", heads, record_dummy_head));
#undef TYPE

#define TYPE record_air
TABLE(record_air, TEXT("method", method), NUMBER("temperature_c", temperature),
      NUMBER("humidity_percent", humidity), NUMBER("pressure_kpa", pressure),
      OCTAVE_CENTRES_IF("octaves_hz", octaves), NUMBERS_IF("loss_db_m", loss));
#undef TYPE

/* ---- results of the run ---- */

#define TYPE record_absorbed
TABLE(record_absorbed, TEXT("material", material), NUMBER_IF("area_m2", area),
      NUMBER_IF("area_exposed_m2", area_exposed), NUMBERS_IF("share", share));
#undef TYPE

#define TYPE record_energy
TABLE(record_energy, TEXT("quantity", quantity), NUMBER("given", given), BOOL("complete", complete),
      NUMBERS_IF("times_s", times), NUMBERS_IF("injected", injected), NUMBERS_IF("stored", stored),
      LIST_IF("absorbed", absorbed, record_absorbed), NUMBER("imbalance", imbalance),
      BOOL("source_at_wall", source_at_wall));
#undef TYPE

#define TYPE record_run
TABLE(record_run, TEXT("source", source), NUMBER("steps", steps),
      NUMBER("steps_before_emission", steps_before_emission), NUMBER("seconds", seconds),
      NUMBER_IF("seconds_shifted", seconds_shifted), NUMBER("energy_start", energy_start),
      NUMBER("energy_end", energy_end), NUMBER("energy_change", energy_change),
      NUMBER_IF("energy_change_spread", energy_change_spread), NUMBER("energy_rise", energy_rise),
      NUMBER("mean_pressure_start", mean_pressure_start), NUMBER("mean_pressure_end", mean_pressure_end),
      NUMBER("mean_pressure_drift", mean_pressure_drift), NUMBERS_IF("decay_range_db", decay_range),
      BOOL("capped", capped), BOOL("interrupted", interrupted), OBJECT_IF("energy", energy, record_energy));
#undef TYPE

#define TYPE record_rank
TABLE(record_rank, TEXT("host", host), NUMBER("bytes_predicted", bytes_predicted),
      NUMBER("bytes_peak", bytes_peak));
#undef TYPE

#define TYPE record_head
TABLE(record_head, TEXT("file", file), NUMBER("yaw_deg", yaw), NUMBER("pitch_deg", pitch),
      NUMBER("roll_deg", roll));
#undef TYPE

#define TYPE record_calibration
TABLE(record_calibration, TEXT("quantity", quantity), NUMBER("rate_hz", rate), NUMBER("from_hz", from),
      NUMBER("to_hz", to), TEXT("time_zero", time_zero), TEXT_IF("ambisonics", ambisonics));
#undef TYPE

/* `why` of the single numbers is among them. */
static bool write_single_why(const void *member, cJSON *object, const void *with)
{
    cJSON *single = cJSON_GetObjectItemCaseSensitive(object, "single_numbers");
    char *const *why = member;
    (void)with;
    if (single == NULL)
        return true;
    return (*why != NULL ? cJSON_AddStringToObject(single, "why", *why)
                         : cJSON_AddNullToObject(single, "why")) != NULL;
}

static bool read_single_why(void *member, const cJSON *object, const void *with)
{
    const cJSON *single = cJSON_GetObjectItemCaseSensitive(object, "single_numbers");
    (void)with;
    return json_text_set(member, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(single, "why")));
}

static void free_text(void *member)
{
    free(*(char **)member);
}

static const struct json_own single_why_json = {write_single_why, read_single_why, NULL, free_text};

#define TYPE record_response
TABLE(record_thirds, THIRD_CENTRES(octaves), FIGURES_AS("", figures), FIGURES_AS("_spread", spread),
      TEXTS_IF("why", why), NUMBERS_IF("decay_range_db", decay_range),
      NUMBERS_IF("curvature_percent", curvature), NUMBERS_IF("nonlinearity_permille", nonlinearity),
      NUMBERS_IF("slope_early_s", slope_early), NUMBERS_IF("slope_late_s", slope_late),
      NUMBERS_IF("slope_crossing_db", slope_crossing), TEXTS_IF("marks", marks),
      JSON_FIELD_OWN(struct record_response, single_why, single_why_json, NULL));

TABLE(record_figures, OCTAVE_CENTRES_IF("octaves_hz", octaves), FIGURES_AS("", figures),
      FIGURES_AS("_spread", spread), TEXTS_IF("why", why), NUMBERS_IF("decay_range_db", decay_range),
      NUMBERS_IF("curvature_percent", curvature), NUMBERS_IF("nonlinearity_permille", nonlinearity),
      NUMBERS_IF("slope_early_s", slope_early), NUMBERS_IF("slope_late_s", slope_late),
      NUMBERS_IF("slope_crossing_db", slope_crossing), TEXTS_IF("marks", marks), TEXTS_IF("from", from),
      FIGURES_AS("_scattering", scattering), FIGURES_AS("_error", error),
      FIGURES_AS("_interference", interference), FIGURES_AS("_absorption", absorption),
      JSON_FIELD_OWN(struct record_response, single_why, single_why_json, NULL), TEXTS_IF("mti_why", mti_why),
      TEXT("sti_why", sti_why), TEXTS_IF("lateral_why", lateral_why),
      NUMBER_IF("echo_speech_time_s", echo_speech_time), TEXT_IF("echo_speech_path", echo_speech_path),
      NUMBER_IF("echo_music_time_s", echo_music_time), TEXT_IF("echo_music_path", echo_music_path),
      OBJECT_IF("thirds", thirds, record_thirds));

OWN_TABLE(record_ambisonic, TEXT("file_ambix", file_ambix), TEXT_IF("file_ambix_shifted", file_ambix_shifted),
          TEXT_IF("file_binaural", file_binaural), TEXT_IF("file_binaural_shifted", file_binaural_shifted),
          TEXT("look", look), NUMBER("look_azimuth_deg", look_azimuth));

TABLE(record_response, TEXT("file", file), TEXT_IF("file_shifted", file_shifted), TEXT("source", source),
      TEXT("receiver", receiver), NUMBER("distance_m", distance),
      BOOL("direct_path_clear", direct_path_clear), NUMBER("path_m", path),
      NUMBER_IF("path_m_spread", path_spread), NUMBER("onset_s", onset),
      NUMBER_IF("onset_s_spread", onset_spread), NUMBER("samples", samples),
      JSON_FIELD_ALSO(record_figures_table), TEXT_IF("file_ears", file_ears),
      TEXT_IF("file_ears_shifted", file_ears_shifted), JSON_FIELD_ALSO_IF(record_ambisonic_table));
#undef TYPE

#define TYPE record_means
TABLE(record_third_means, NUMBER("responses", responses), THIRD_CENTRES(octaves), FIGURES_AS("", mean),
      FIGURES_AS("_deviation", deviation), TEXTS_IF("marks", marks));

TABLE(record_means, NUMBER("responses", responses), OCTAVE_CENTRES_IF("octaves_hz", octaves),
      FIGURES_AS("", mean), FIGURES_AS("_deviation", deviation), TEXTS_IF("marks", marks),
      OBJECT_IF("thirds", thirds, record_third_means));
#undef TYPE

#define TYPE record_map
TABLE(record_third_map, THIRD_CENTRES(octaves), FIGURES_AS("", mean), FIGURES_AS("_deviation", deviation),
      FIGURES_AS("_low", low), FIGURES_AS("_high", high), FIGURES_AS("_points", points),
      FIGURES_AS("_spread", spread));

TABLE(record_map, TEXT("source", source), TEXT("file", file), TEXT_IF("file_shifted", file_shifted),
      TEXT("table", table), TEXTS_IF("drawings", drawings), NUMBER_IF("rate_hz", rate),
      NUMBER("samples", samples), NUMBER("seconds", seconds), OCTAVE_CENTRES_IF("octaves_hz", octaves),
      FIGURES_AS("", mean), FIGURES_AS("_deviation", deviation), FIGURES_AS("_low", low),
      FIGURES_AS("_high", high), FIGURES_AS("_points", points), FIGURES_AS("_spread", spread),
      TEXTS_IF("from", from), FIGURES_AS("_error", error), TEXTS_IF("marks", marks),
      NUMBERS_IF("marked_points", marked), OBJECT_IF("thirds", thirds, record_third_map));
#undef TYPE

#define TYPE record_left_out
TABLE(record_left_out, NUMBER("covered", covered), NUMBER("no_air", no_air),
      NUMBER("near_a_surface", near_a_surface), NUMBER_IF("ledges", ledges));
#undef TYPE

#define TYPE record_grid
TABLE(record_grid, TEXT("name", name), TEXT_IF("material", material), POINTS_IF("polygon_m", polygon),
      NUMBER("spacing_m", spacing), NUMBER("height_m", height), NUMBER("points", points),
      OBJECT_IF("left_out", left_out, record_left_out), POINTS_IF("positions_m", positions),
      LIST_IF("maps", maps, record_map));
#undef TYPE

#define TYPE record_ray_source
TABLE(record_ray_source, TEXT("source", source), NUMBER("rays", rays), NUMBER("noise", noise),
      NUMBER("seconds", seconds), NUMBER("level_db", level), NUMBER("decay_jnd", decay),
      NUMBERS_IF("correction_db", correction), NUMBERS_IF("decay_correction_per_s", rate),
      LIST_IF("absorbed", absorbed, record_absorbed));
#undef TYPE

#define TYPE record_rays
TABLE(record_rays, NUMBER("crossover_hz", crossover), NUMBER("octave_hz", octave),
      LIST_IF("sources", sources, record_ray_source));
#undef TYPE

#define TYPE record_shifted_grid
TABLE(record_shifted_grid, POINT("grid_origin_m", grid_origin), PART(size, record_size));
#undef TYPE

#define TYPE record_leak
TABLE(record_leak, BOOL("sealed", sealed), TEXT("from", from), POINT("position_m", position),
      NUMBER("gap_m", gap), NUMBER("area_m2", area),
      JSON_FIELD_POINTS("path_m", struct record_leak, path, JSON_NULL));
#undef TYPE

#define TYPE record_page
TABLE(record_page, TEXT_IF("title", title), TEXT_IF("language", language), TEXT_IF("name", name),
      TEXTS_IF("lines", lines), TEXT_IF("logo", logo));
#undef TYPE

#define TYPE run_model
TABLE(record_subject, PART(room, record_room), PART(points, record_points));

TABLE(record_setup, JSON_FIELD_ALSO(record_subject_table), PART(size, record_size));

TABLE(record_plan, JSON_FIELD_ALSO(record_setup_table), LIST_IF("grids", grids, record_grid),
      OBJECT_IF("air", air, record_air), OCTAVE_CENTRES_IF("octaves_hz", octaves),
      NUMBERS_IF("sabine_s", sabine), NUMBERS_IF("eyring_s", eyring));

TABLE(run_model, NUMBER("format", format), JSON_FIELD_ALSO(record_plan_table), BOOL("partial", partial),
      TEXT_IF("partial_because", partial_because), TEXT("engine", engine),
      LIST_IF("ranks", ranks, record_rank), LIST_IF("runs", runs, record_run), NUMBER("steps", steps),
      NUMBER("steps_before_emission", steps_before_emission), NUMBER("duration_s", duration),
      NUMBER_IF("share_used_by_warp", warp_share), BOOL("duration_automatic", duration_automatic),
      NUMBER("seconds", seconds), NUMBER_IF("seconds_per_step_box", seconds_per_step_box),
      NUMBER_IF("seconds_per_step_blocks", seconds_per_step_blocks),
      NUMBER("node_updates_per_second", node_updates_per_second),
      NUMBER_IF("seconds_predicted", seconds_predicted), BOOL("ambisonics", ambisonics),
      OBJECT_IF("head", head, record_head), OBJECT_IF("calibration", calibration, record_calibration),
      OBJECT_IF("means", means, record_means), LIST_IF("responses", responses, record_response),
      OBJECT_IF("rays", rays, record_rays), TEXT_IF("rays_absent", rays_absent),
      BOOL("repeat_shifted", repeat_shifted), OBJECT_IF("shifted_grid", shifted_grid, record_shifted_grid),
      NUMBER_IF("air_nodes_spread", air_nodes_spread), NUMBER_IF("air_volume_m3_spread", air_volume_spread),
      NUMBER_IF("cells_volume_m3_spread", cells_volume_spread), LIST_IF("leaks", leaks, record_leak),
      OBJECT_IF("report", page, record_page));
#undef TYPE

double run_model_highest(const struct run_model *model)
{
    return model->rays != NULL && model->calibration != NULL ? model->calibration->to : model->room.fmax;
}

void run_model_clear(struct run_model *model)
{
    json_clear(&run_model_table, model);
}

void run_model_free(struct run_model *model)
{
    name_index_free(&model->files);
    json_free_members(&run_model_table, model);
}
