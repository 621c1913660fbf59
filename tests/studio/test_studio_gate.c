/* Who may speak to the studio's server. */
#include <string.h>

#include "src/studio/studio_gate.h"
#include "tests/support/outcome.h"

Test(studio_gate, only_a_path_with_the_whole_token_is_let_in)
{
    char token[STUDIO_TOKEN + 1], path[100];
    const char *rest;
    MUST(studio_token_make(token, &failure));
    cr_assert(strspn(token, "0123456789abcdef") == STUDIO_TOKEN && token[STUDIO_TOKEN] == '\0');
    (void)snprintf(path, sizeof path, "/%s/files/a", token);
    cr_assert(studio_path_has_token(path, token, &rest));
    cr_assert(eq(str, (char *)rest, "files/a"));
    for (size_t c = 1; c <= STUDIO_TOKEN; c++) {
        path[c] = path[c] == '0' ? '1' : '0';
        cr_assert(not(studio_path_has_token(path, token, &rest)), "digit %zu", c);
        path[c] = token[c - 1];
    }
    (void)snprintf(path, sizeof path, "/%s", token);
    cr_assert(not(studio_path_has_token(path, token, &rest)), "no second slash");
    (void)snprintf(path, sizeof path, "/%.31s/", token);
    cr_assert(not(studio_path_has_token(path, token, &rest)), "a digit short");
    cr_assert(not(studio_path_has_token("", token, &rest)));
}

Test(studio_gate, two_tokens_differ)
{
    char one[STUDIO_TOKEN + 1], other[STUDIO_TOKEN + 1];
    MUST(studio_token_make(one, &failure));
    MUST(studio_token_make(other, &failure));
    cr_assert(strcmp(one, other) != 0);
}

Test(studio_gate, a_name_that_was_pointed_at_this_machine_is_not_its_loopback)
{
    static const char *const own[] = {"127.0.0.1", "127.0.0.1:8080", "localhost:1", "[::1]:90"};
    static const char *const other[] = {"evil.example",
                                        "127.0.0.1.evil.example",
                                        "localhost.evil:80",
                                        "127.0.0.1:",
                                        "127.0.0.1:80@evil",
                                        "0.0.0.0:80",
                                        ""};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        cr_assert(studio_host_is_local(own[i]), "%s", own[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        cr_assert(not(studio_host_is_local(other[i])), "%s", other[i]);
    cr_assert(not(studio_host_is_local(NULL)));
}

Test(studio_gate, another_sites_page_is_not_of_this_origin)
{
    cr_assert(studio_origin_is_own(NULL, "localhost:80"));
    cr_assert(studio_origin_is_own("http://localhost:80", "localhost:80"));
    static const char *const other[] = {"http://localhost:81", "https://localhost:80", "null",
                                        "http://evil.example", ""};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        cr_assert(not(studio_origin_is_own(other[i], "localhost:80")), "%s", other[i]);
}
