/** The absorption of surfaces that gives the reverberation times measured in their room.
 *
 * In every octave the decay rate of a run, as a multiple of its present one, is to first order
 *
 *     1 + sum over the surfaces of w d alpha,     w = -d ln T / d alpha  (run_folder/loss_account.h),
 *
 * and Sabine's law makes it linear. It must become T simulated / T measured. Of all changes that do, the
 * least is taken, each in units of its standard uncertainty, counted from the project's own absorption
 * (least_change.h). A run with them shows what is left, and the next change starts from its account. Where
 * the rate has changed more, or less, than was promised, the next promise is corrected by as much (the
 * secant's rule).
 *
 *     calibration_begin()    the surfaces of the room, and whose times were measured
 *     calibration_take()     a run: its times beside the measured ones, and its weights
 *     calibration_change()   what the surfaces absorb in the next run
 *
 * Surfaces that share an entry of a library, or one of a table, change together: one number is uncertain.
 * Sheets and walls given by layers or branches stay as they are.
 */
#ifndef SRC_CALIBRATION_H
#define SRC_CALIBRATION_H

#include "src/calibrate/measured_times.h"
#include "src/run_folder/run_model.h"
#include "src/setup/room_setup.h"

/** A time that is nearer than this to the measured one is met: half a just noticeable difference. */
#define CALIBRATION_NEAR (JND_TIME / 2)
/** No absorption moves farther than this from the project's [standard uncertainties]. */
#define CALIBRATION_REACH 3.0

struct calibrated_surface {
    char *name;   /* of the mesh; owned */
    size_t group; /* surfaces of a group have the same absorption */
    bool stays;   /* a sheet, or given by its layers or branches */
    bool guessed;
    struct scattering scattering;                                  /* `given` 0: none */
    double start[MATERIAL_OCTAVES], uncertainty[MATERIAL_OCTAVES]; /* of the project (-) */
    double value[MATERIAL_OCTAVES];  /* of the run that was taken, or comes next */
    double weight[MATERIAL_OCTAVES]; /* w of the run that was taken; NaN: none */
};

/** How an octave ended. */
enum calibrated_octave {
    CALIBRATION_UNMEASURED, /* no time was measured */
    CALIBRATION_UNKNOWN,    /* the run has no time, or no account */
    CALIBRATION_MET,        /* within CALIBRATION_NEAR */
    CALIBRATION_OFF,        /* not yet */
    CALIBRATION_BOUND       /* not, and every surface was already as far as it may be */
};

/** Zeroed, then calibration_begin(); owned: calibration_free(). */
struct calibration {
    const struct measured_times *measured; /* borrowed */
    size_t surfaces, groups;
    struct calibrated_surface *surface; /* (surfaces) in the order of the mesh */
    size_t runs;                        /* that were taken */
    double asked[MATERIAL_OCTAVES];     /* measured, mean of the rows that the run has too [s]; NaN: none */
    double first[MATERIAL_OCTAVES];     /* the same pairs of the first run, and of the last [s] */
    double last[MATERIAL_OCTAVES];
    double promised[MATERIAL_OCTAVES]; /* by the account: the last change of the decay rate (-) */
    double effect[MATERIAL_OCTAVES];   /* what a change does, over what the account promises (-) */
    int bound[MATERIAL_OCTAVES];       /* 1, -1: the last change took every surface to the most, the least */
    enum calibrated_octave octave[MATERIAL_OCTAVES]; /* after the run that was taken last */
};
void calibration_free(struct calibration *calibration);

/** FAILURE_INPUT: a row names a pair that the room does not have, or no surface can be changed.
 * FAILURE_CAPACITY. */
int calibration_begin(struct calibration *calibration, const struct room_setup *setup,
                      const struct measured_times *measured, struct failure *failure);

/** Take a run with the present absorption. FAILURE_INPUT: none of the measured octaves can be compared.
 * FAILURE_CAPACITY. */
int calibration_take(struct calibration *calibration, const struct run_model *run, struct failure *failure);

/** Compare the rate of an octave, whose time was `before` [s] in the run before the last, with what was
 * promised. For calibration_take(), and runs in closed form. */
void calibration_learn(struct calibration *calibration, int octave, double before);

/** True if no octave that can be compared is off. */
bool calibration_is_met(const struct calibration *calibration);

/** Set the absorption of the next run. FAILURE_INPUT, with octave, times and reason, where surfaces that were
 * all as far as they may be did not give the measured time. */
int calibration_change(struct calibration *calibration, struct failure *failure);

/** The limits of a surface's absorption (-). */
double calibration_low(const struct calibrated_surface *surface, int octave);
double calibration_high(const struct calibrated_surface *surface, int octave);

/** True if the surface has another absorption than the project gives it. */
bool calibrated_surface_changed(const struct calibrated_surface *surface);

#endif
