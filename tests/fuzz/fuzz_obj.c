/* OBJ: the check before Assimp takes any bytes, and what it writes anew it takes again as it is.
 *
 *   tools/fuzz 600 obj        # build with clang and run for ten minutes */
#include "geometry/import/obj_text.h"
#include "tests/fuzz/fuzz_claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct obj_text first, untouched;
    memset(&first, 0x5A, sizeof first);
    untouched = first;
    char *text = copy_of_input(data, size);
    const int code = obj_text_prepare(text, size, &first, &failure);
    free(text); /* what was made of it must stand by itself */
    claim_outcome(code, &failure);
    if (code != 0) {
        CLAIM(memcmp(&first, &untouched, sizeof first) == 0);
        return 0;
    }
    CLAIM(first.size == 0 || first.text[first.size] == '\0');
    struct obj_text second = {0};
    if (first.size > 0) {
        CLAIM(obj_text_prepare(first.text, first.size, &second, &failure) == 0);
        CLAIM(second.faces == first.faces && second.lines_and_points == 0);
        CLAIM(second.markers.marker_count == first.markers.marker_count);
        CLAIM(second.size == first.size && memcmp(second.text, first.text, first.size) == 0);
    }
    obj_text_free(&second);
    obj_text_free(&first);
    return 0;
}
