/* Which cards a text names, and what is said of one that names none. */
#include "src/base/options/device_choice.h"
#include "tests/support/outcome.h"

static struct device_choice read_on(const char *text, unsigned there)
{
    struct device_choice choice;
    MUST(device_choice_read(text, &choice, &failure));
    MUST(device_choice_settle(&choice, there, &failure));
    return choice;
}

Test(device_choice, all_how_many_and_which)
{
    struct device_choice choice = read_on("all", 3);
    cr_assert(choice.count == 3 && choice.card[0] == 0 && choice.card[2] == 2);
    choice = read_on("2", 8);
    cr_assert(choice.count == 2 && choice.card[0] == 0 && choice.card[1] == 1);
    choice = read_on("3,0,12", 13);
    cr_assert(choice.count == 3 && choice.card[0] == 3 && choice.card[1] == 0 && choice.card[2] == 12);
    choice = read_on("all", 1);
    cr_assert(choice.count == 1 && choice.card[0] == 0);
    choice = read_on("all", 1000);
    cr_assert(choice.count == DEVICES_MOST);
}

Test(device_choice, what_names_no_cards_is_refused_with_one_sentence)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "give all, a number of GPUs (2), or a list of them (0,2)"},
        {"ALL", "give all"},
        {"0", "at least one GPU is needed"},
        {"65", "the limit is 64 GPUs"},
        {"-1", "give all"},
        {"2.5", "give all"},
        {"1,", "give all"},
        {",1", "give all"},
        {"1,,2", "give all"},
        {"1, 2", "give all"},
        {"1,x", "give all"},
        {"99999999999999999999", "give all"},
        {"0,0", "names GPU 0 twice"},
        {"4,1,4", "names GPU 4 twice"},
    };
    struct device_choice choice = {.count = 7};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        MUST_FAIL(device_choice_read(wrong[n].text, &choice, &failure), FAILURE_INPUT, wrong[n].words);
    cr_assert(choice.count == 7, "it was written to");
}

Test(device_choice, cards_that_are_not_there_are_named)
{
    struct device_choice choice;
    MUST(device_choice_read("3", &choice, &failure));
    MUST_FAIL(device_choice_settle(&choice, 2, &failure), FAILURE_CAPACITY, "GPU 2, but this machine has 2");
    MUST(device_choice_read("0,5", &choice, &failure));
    MUST_FAIL(device_choice_settle(&choice, 4, &failure), FAILURE_CAPACITY, "GPU 5, but this machine has 4");
    MUST(device_choice_read("1,0", &choice, &failure));
    MUST_FAIL(device_choice_settle(&choice, 1, &failure), FAILURE_CAPACITY, "GPU 1, but this machine has 1");
}
