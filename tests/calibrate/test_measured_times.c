/* Tables of measured reverberation times, and the pairs that their rows are of. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include "src/calibrate/measured_times.h"
#include "tests/support/outcome.h"

TestSuite(measured_times, .init = enter_folder, .fini = leave_folder);

static struct measured_times times = {.figure = FIGURE_T30};

static void read_table(const char *text)
{
    measured_times_free(&times);
    MUST(measured_times_read(&times, write_text("T.csv", text), &failure));
}

static void expect_seconds(size_t row, const double wanted[MATERIAL_OCTAVES])
{
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        if (isnan(wanted[o]))
            cr_expect(isnan(times.row[row].seconds[o]), "row %zu, %u Hz", row, material_octave[o]);
        else
            cr_expect(test_near(times.row[row].seconds[o], wanted[o], 1e-12), "row %zu, %u Hz", row,
                      material_octave[o]);
}

Test(measured_times, octaves_stand_in_columns_and_rows_of_others_are_left_out)
{
    read_table("source,receiver,quantity,125,250,1k,16000\n"
               "S1,R1,T30_s,0.9,1.1,-,0.4\n"
               "S1,R1,T30_s_std,0.1,0.1,0.1,0.1\n"
               "S1,R1,EDT_s,0.5,0.6,0.7,0.8\n"
               "S1,R2,T30 [s],1.3,,1.5,0.4\n");
    cr_assert(eq(sz, times.count, 2));
    expect_seconds(0, (const double[]){NAN, 0.9, 1.1, NAN, NAN, NAN, NAN, NAN});
    expect_seconds(1, (const double[]){NAN, 1.3, NAN, NAN, 1.5, NAN, NAN, NAN});
    cr_expect(measured_row_names(&times.row[1], "S1", "R2"));
    cr_expect(not(measured_row_names(&times.row[1], "S1", "R1")));
    cr_expect(not(measured_row_names(&times.row[1], "S2", "R2")));
}

Test(measured_times, frequencies_stand_down_the_rows_with_a_column_for_each_pair)
{
    read_table("f [Hz];S1_R1;pew 3;EDT\n63;2,5;2,6;9\n31,5;7;7;7\n8000;0,8;;9\n");
    cr_assert(eq(sz, times.count, 2));
    expect_seconds(0, (const double[]){2.5, NAN, NAN, NAN, NAN, NAN, NAN, 0.8});
    expect_seconds(1, (const double[]){2.6, NAN, NAN, NAN, NAN, NAN, NAN, NAN});
    cr_expect(measured_row_names(&times.row[0], "S1", "R1"));
    cr_expect(not(measured_row_names(&times.row[0], "S1", "R11")));
    cr_expect(measured_row_names(&times.row[1], "any", "pew 3"));
}

Test(measured_times, a_table_without_pairs_is_of_all)
{
    read_table("frequency,T30\n500,1.5\n");
    cr_assert(eq(sz, times.count, 1));
    cr_expect(measured_row_is_of_all(&times.row[0]));
    read_table("500,1000\n1.5,1.4\n");
    cr_expect(measured_row_is_of_all(&times.row[0]));
    expect_seconds(0, (const double[]){NAN, NAN, NAN, 1.5, 1.4, NAN, NAN, NAN});
}

Test(measured_times, a_file_names_its_pair_behind_its_prefix)
{
    const struct measured_row row = {.label = "ir_left_pulpit_row_5"};
    cr_expect(measured_row_names(&row, "left_pulpit", "row_5"));
    cr_expect(measured_row_names(&row, "left", "pulpit_row_5"));
    cr_expect(not(measured_row_names(&row, "left_pulpit", "row_6")));
}

Test(measured_times, a_fault_is_named_with_its_line_and_value)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "the table is empty"},
        {"state,125\nopen,1\n", "line 1: the column \"state\""},
        {"receiver,100,125\nR1,1,1\n", "the column \"100\""},
        {"receiver,125,125\nR1,1,1\n", "two columns \"125\""},
        {"receiver,125\nR1,950\n", "line 2: \"950\" is no reverberation time"},
        {"receiver,125\nR1,0\n", "line 2: \"0\" is no"},
        {"receiver,125\nR1,one\n", "\"one\" is no"},
        {"receiver,125\nR1,1,2\n", "\"2\" is beyond the last column"},
        {"figure,125\nT20,1\n", "T.csv has no T30 from 63 to 8000 Hz, but T20"},
        {"frequency,T30\n125,1\n125,1\n", "line 3: two lines of 125 Hz"},
        {"frequency,T30\n100,1\n", "line 2: \"100\" is not the centre"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        measured_times_free(&times);
        MUST_FAIL(measured_times_read(&times, write_text("T.csv", bad[b].text), &failure), FAILURE_INPUT,
                  bad[b].says);
    }
}
