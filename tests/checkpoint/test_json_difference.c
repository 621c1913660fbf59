/* What differs between two runs, in words. */
#include "src/run/checkpoint/json_difference.h"
#include "tests/support/test_support.h"

static void expect(const char *was, const char *now, size_t count, const char *words)
{
    char text[JSON_DIFFERENCE_MAX];
    cJSON *one = cJSON_Parse(was), *other = cJSON_Parse(now);
    cr_assert(one != NULL && other != NULL);
    cr_assert(eq(sz, json_difference(one, other, text), count), "%s", text);
    cr_assert(eq(str, text, (char *)words));
    cJSON_Delete(one);
    cJSON_Delete(other);
}

Test(json_difference, a_value_is_named_by_its_place_with_what_it_was_and_is)
{
    expect("{\"a\": 1, \"b\": {\"c\": \"x\"}}", "{\"a\": 1, \"b\": {\"c\": \"y\"}}", 1, "b.c was x and is y");
    expect("{\"a\": [1, 2]}", "{\"a\": [1, 3]}", 1, "a[1] was 2 and is 3");
    expect("{\"m\": [{\"name\": \"stone\", \"d\": 0.1}]}", "{\"m\": [{\"name\": \"stone\", \"d\": 0.2}]}", 1,
           "m stone.d was 0.1 and is 0.2");
    expect("{\"a\": true, \"z\": 1}", "{\"a\": false, \"z\": 2}", 2, "a was yes and is no (and 1 more)");
}

Test(json_difference, what_only_one_has_differs_and_what_is_null_is_not_there)
{
    expect("{}", "{\"a\": 1}", 1, "a was none and is 1");
    expect("{\"a\": {\"b\": 1}}", "{}", 1, "a was 1 of them and is none");
    expect("{\"a\": [1]}", "{\"a\": [1, 2]}", 1, "a was 1 of them and is 2 of them");
    expect("{\"a\": null}", "{}", 0, "");
    expect("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", 0, "");
}
