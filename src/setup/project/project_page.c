/* What a project says of the page of its runs: title, language, letterhead. */
#include <stdlib.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "geometry/base/regular_file.h"
#include "src/setup/project/project_schema.h"
#include "src/base/words/words.h"

#define TEXT_MOST 200 /* characters of a line */

static int read_text(struct project *project, const struct yaml_spot *spot, const char **out,
                     struct failure *failure)
{
    const char *text = NULL;
    TRY(yaml_read_text(spot, "a text", &text, failure));
    if (text[strspn(text, " \t")] == '\0' || strlen(text) > TEXT_MOST)
        return yaml_refuse_value(spot, "a line of 1 to 200 characters", failure);
    return project_keep(project, out, failure, "%s", text);
}

int project_read_page_title(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure)
{
    return read_text(reader->project, spot, &reader->project->page.title, failure);
}

int project_read_page_language(struct project_reader *reader, const struct yaml_spot *spot,
                               struct failure *failure)
{
    int language = 0;
    TRY(project_read_word(spot, words_code, &language, failure));
    reader->project->page.language = words_code[language];
    return 0;
}

int project_read_page_name(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure)
{
    return read_text(reader->project, spot, &reader->project->page.name, failure);
}

int project_read_page_lines(struct project_reader *reader, const struct yaml_spot *spot,
                            struct failure *failure)
{
    struct project_page *page = &reader->project->page;
    TRY(project_expect(spot, YAML_LIST, PROJECT_PAGE_LINES, "a list of lines", failure));
    page->lines = 0;
    for (size_t i = 0; i < yaml_spot_count(spot); i++) {
        struct yaml_spot entry;
        TRY(yaml_spot_entry(spot, i, &entry, failure));
        TRY(read_text(reader->project, &entry, &page->line[page->lines], failure));
        page->lines++;
    }
    return 0;
}

/* By how such a file begins; NULL for others. */
static const char *picture_type(const char *bytes, size_t size)
{
    static const char png[] = "\x89PNG\r\n\x1A\n", jpeg[] = "\xFF\xD8\xFF";
    if (size > sizeof png && memcmp(bytes, png, sizeof png - 1) == 0)
        return "png";
    return size > sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg - 1) == 0 ? "jpeg" : NULL;
}

int project_read_page_logo(struct project_reader *reader, const struct yaml_spot *spot,
                           struct failure *failure)
{
    const char *text = NULL, *path = NULL;
    char *bytes = NULL;
    size_t size = 0;
    TRY(yaml_read_text(spot, "a picture, PNG or JPEG", &text, failure));
    TRY(project_path(reader->project, text, &path, failure));
    struct failure why = {0};
    const int read = regular_file_read(path, PROJECT_LOGO_MOST, &bytes, &size, &why);
    if (read == FAILURE_INPUT)
        return yaml_refuse(spot, failure, "names a picture that cannot be had: %s", why.sentence);
    if (read != 0)
        return failure_forward(failure, &why);
    const char *const type = picture_type(bytes, size);
    char *coded = type != NULL ? base64_text(bytes, size) : NULL;
    const int code = type == NULL    ? yaml_refuse_value(spot, "a picture, PNG or JPEG", failure)
                     : coded == NULL ? failure_memory(failure, 2 * size, "a logo")
                                     : project_keep(reader->project, &reader->project->page.logo, failure,
                                                    "data:image/%s;base64,%s", type, coded);
    free(coded);
    free(bytes);
    return code;
}
