#include "src/response/signal/head_data.h"

#include <errno.h>
#include <math.h>
#include <mysofa.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/guarded_call.h"
#include "src/base/caged_sofa.h"

#define LATERAL 0.5   /* least sine of the angle from the median plane for a direction to have a vote */
#define LOUDER  1.259 /* 1 dB in energy: less counts as equal */
#define EARLIER 3e-5  /* less than this counts as equal [s] */
#define ARRIVES 0.25F /* of the largest sample of an ear: the first of this size is the arrival */

/* ---- data read by libmysofa ---- */

static const char *error_cause(int error)
{
    switch (error) {
    case MYSOFA_READ_ERROR:
        return "it cannot be read, or is not a SOFA file";
    case MYSOFA_UNSUPPORTED_FORMAT:
        return "it is a kind of HDF5 that libmysofa does not support";
    case MYSOFA_INVALID_DIMENSIONS:
    case MYSOFA_INVALID_DIMENSION_LIST:
        return "its dimensions are not those of measured head responses";
    case MYSOFA_INVALID_ATTRIBUTES:
        return "its conventions are not those of head-related impulse responses (SimpleFreeFieldHRIR)";
    case MYSOFA_INVALID_COORDINATE_TYPE:
    case MYSOFA_RECEIVERS_WITH_RCI_SUPPORTED:
    case MYSOFA_ONLY_SOURCES_WITH_MC_SUPPORTED:
    case MYSOFA_ONLY_EMITTER_WITH_ECI_SUPPORTED:
        return "the arrangement of its ears or sources is not that of head-related impulse responses";
    case MYSOFA_ONLY_DELAYS_WITH_IR_OR_MR_SUPPORTED:
        return "its delays are neither one for each ear nor one for each response";
    case MYSOFA_ONLY_THE_SAME_SAMPLING_RATE_SUPPORTED:
        return "its responses have several rates";
    default:
        return "it is not a SOFA file";
    }
}

void head_data_free(struct head_data *head)
{
    free(head->towards);
    free(head->sample);
    free(head->delay);
    *head = (struct head_data){0};
}

static int check_sizes(const char *path, const struct MYSOFA_HRTF *hrtf, struct failure *failure)
{
    if (hrtf->R != EARS)
        return failure_set(failure, FAILURE_INPUT, "%s: has %u receivers; a head has two ears", path,
                           hrtf->R);
    if (hrtf->M < HEAD_DIRECTIONS_LEAST || hrtf->M > HEAD_DIRECTIONS_MOST)
        return failure_set(failure, FAILURE_INPUT, "%s: has %u directions; from %d to %d are taken", path,
                           hrtf->M, HEAD_DIRECTIONS_LEAST, HEAD_DIRECTIONS_MOST);
    if (hrtf->N < 1 || hrtf->N > HEAD_LENGTH_MOST)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: its responses have %u samples; those of a head alone have 1 to %d", path,
                           hrtf->N, HEAD_LENGTH_MOST);
    const size_t responses = (size_t)hrtf->M * EARS;
    if (hrtf->DataIR.elements != responses * hrtf->N ||
        hrtf->SourcePosition.elements != 3 * (size_t)hrtf->M || hrtf->ReceiverPosition.elements < 6 ||
        hrtf->DataSamplingRate.elements != 1 ||
        (hrtf->DataDelay.elements != EARS && hrtf->DataDelay.elements != responses))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: its tables do not have the sizes that its dimensions ask for", path);
    const double rate = (double)hrtf->DataSamplingRate.values[0];
    if (!(rate >= 8000.0 && rate <= 400000.0))
        return failure_set(failure, FAILURE_INPUT, "%s: its rate is %g Hz; it must be 8 to 400 kHz", path,
                           rate);
    return 0;
}

/* ---- which ear is the left one ---- */

static double ear_delay(const struct MYSOFA_HRTF *hrtf, size_t m, size_t ear)
{
    return (double)hrtf->DataDelay.values[hrtf->DataDelay.elements == EARS ? ear : EARS * m + ear];
}

static double ear_arrival(const struct MYSOFA_HRTF *hrtf, size_t m, size_t ear, double *energy)
{
    const float *sample = hrtf->DataIR.values + (EARS * m + ear) * hrtf->N;
    float largest = 0.0F;
    size_t first = 0;
    *energy = 0.0;
    for (size_t n = 0; n < hrtf->N; n++) {
        largest = fmaxf(largest, fabsf(sample[n]));
        *energy += (double)sample[n] * (double)sample[n];
    }
    while (first < hrtf->N && fabsf(sample[first]) < ARRIVES * largest)
        first++;
    return ((double)first + ear_delay(hrtf, m, ear)) / (double)hrtf->DataSamplingRate.values[0];
}

/* Votes of all directions at the sides: the ear nearer to a source hears it earlier and louder. Above 0:
 * the first ear is the left one; below: the right one; 0 if they disagree or the difference is too small. */
static int ears_by_data(const struct MYSOFA_HRTF *hrtf)
{
    double votes = 0.0, voters = 0.0;
    for (size_t m = 0; m < hrtf->M; m++) {
        const float *place = hrtf->SourcePosition.values + 3 * m;
        const double size = sqrt((double)place[0] * (double)place[0] + (double)place[1] * (double)place[1] +
                                 (double)place[2] * (double)place[2]);
        if (!(fabs((double)place[1]) >= LATERAL * size) || !(size > 0.0))
            continue;
        double energy[EARS];
        const double first = ear_arrival(hrtf, m, 0, &energy[0]),
                     later = ear_arrival(hrtf, m, 1, &energy[1]) - first, side = place[1] > 0.0F ? 1.0 : -1.0;
        voters += 1.0;
        votes += side * ((later > EARLIER) - (later < -EARLIER));
        votes += side * ((energy[0] > LOUDER * energy[1]) - (energy[1] > LOUDER * energy[0]));
    }
    return fabs(votes) > 0.5 * voters ? (votes > 0.0) - (votes < 0.0) : 0;
}

/* By ReceiverPosition, before mysofa_tocartesian(): as ears_by_data(). It may have a place for each
 * direction. */
static int ears_by_label(const struct MYSOFA_HRTF *hrtf)
{
    const struct MYSOFA_ARRAY *places = &hrtf->ReceiverPosition;
    const size_t step = places->elements / (3 * EARS);
    const char *type = mysofa_getAttribute(places->attributes, (char *)"Type");
    double left[EARS];
    for (size_t ear = 0; ear < EARS; ear++) {
        const float *place = places->values + 3 * ear * step;
        const double degree = 3.14159265358979323846 / 180.0, azimuth = (double)place[0],
                     elevation = (double)place[step], radius = (double)place[2 * step];
        left[ear] = type != NULL && strcmp(type, "spherical") == 0
                        ? radius * cos(elevation * degree) * sin(azimuth * degree)
                        : (double)place[step];
    }
    const double apart = left[0] - left[1];
    return (apart > 1e-4) - (apart < -1e-4);
}

/* ---- a head of it ---- */

/* `swapped`: the file's first ear is the right one. */
static int copy_ears(const char *path, const struct MYSOFA_HRTF *hrtf, bool swapped, struct head_data *head,
                     struct failure *failure)
{
    const size_t length = head->length;
    double energy = 0.0;
    for (size_t m = 0; m < head->directions; m++) {
        const float *place = hrtf->SourcePosition.values + 3 * m;
        double size = 0.0;
        for (int axis = 0; axis < 3; axis++)
            size += (double)place[axis] * (double)place[axis];
        if (!(size > 0.0 && size < 1e12))
            return failure_set(failure, FAILURE_INPUT, "%s: direction %zu has no length", path, m + 1);
        for (int axis = 0; axis < 3; axis++)
            head->towards[m][axis] = (double)place[axis] / sqrt(size);
        for (size_t ear = 0; ear < EARS; ear++) {
            const size_t from = swapped ? 1 - ear : ear;
            const float *sample = hrtf->DataIR.values + (EARS * m + from) * length;
            const double delay = ear_delay(hrtf, m, from);
            if (!(fabs(delay) <= HEAD_LENGTH_MOST))
                return failure_set(failure, FAILURE_INPUT, "%s: direction %zu has a delay of %g samples",
                                   path, m + 1, delay);
            head->delay[EARS * m + ear] = delay;
            for (size_t n = 0; n < length; n++) {
                if (!isfinite(sample[n]))
                    return failure_set(failure, FAILURE_INPUT,
                                       "%s: a sample of direction %zu is not a finite number", path, m + 1);
                head->sample[(EARS * m + ear) * length + n] = sample[n];
                energy += (double)sample[n] * (double)sample[n];
            }
        }
    }
    if (!(energy > 0.0))
        return failure_set(failure, FAILURE_INPUT, "%s: holds silence", path);
    return 0;
}

static int take_head(const char *path, struct MYSOFA_HRTF *hrtf, struct head_data *head,
                     struct failure *failure)
{
    TRY(check_sizes(path, hrtf, failure));
    const int label = ears_by_label(hrtf);
    mysofa_tocartesian(hrtf);
    const int data = ears_by_data(hrtf), ears = data != 0 ? data : label;
    if (ears == 0)
        return failure_set(failure, FAILURE_INPUT, "%s: neither ear is to the left of the other", path);
    *head = (struct head_data){.directions = hrtf->M,
                               .length = hrtf->N,
                               .rate = (double)hrtf->DataSamplingRate.values[0],
                               .mislabelled = data * label < 0};
    const size_t responses = head->directions * EARS;
    head->towards = malloc(head->directions * sizeof *head->towards);
    head->sample = malloc(responses * head->length * sizeof *head->sample);
    head->delay = malloc(responses * sizeof *head->delay);
    if (head->towards == NULL || head->sample == NULL || head->delay == NULL)
        return failure_memory(failure, (unsigned long long)(responses * head->length * sizeof *head->sample),
                              path);
    return copy_ears(path, hrtf, ears < 0, head, failure);
}

struct loading {
    const char *opened;
    struct MYSOFA_HRTF *hrtf;
    int error;
};

static void load_head(void *context)
{
    struct loading *loading = context;
    loading->hrtf = mysofa_load(loading->opened, &loading->error);
    if (loading->hrtf != NULL)
        loading->error = mysofa_check(loading->hrtf);
    /* It accepts ears if it considers ReceiverPosition right; here the data decide (ears_by_data). */
    if (loading->error == MYSOFA_INVALID_RECEIVER_POSITIONS ||
        loading->error == MYSOFA_RECEIVERS_WITH_CARTESIAN_SUPPORTED)
        loading->error = MYSOFA_OK;
}

int head_data_load(const char *path, const char *opened, uint64_t bytes, struct head_data *out,
                   struct failure *failure)
{
    struct loading loading = {.opened = opened, .error = MYSOFA_OK};
    struct head_data head = {0};
    int code;
    const bool whole = guarded_call(load_head, &loading);
    /* Without memory it leaves data out or reports a fault of the file. */
    if (errno == ENOMEM || loading.error == MYSOFA_NO_MEMORY)
        code = failure_memory(failure, bytes, path);
    else if (loading.hrtf == NULL || loading.error != MYSOFA_OK)
        code = failure_set(failure, FAILURE_INPUT, "%s: %s", path, error_cause(loading.error));
    else
        code = take_head(path, loading.hrtf, &head, failure);
    if (whole && loading.hrtf != NULL)
        mysofa_free(loading.hrtf);
    if (code != 0)
        head_data_free(&head);
    else
        *out = head;
    return code;
}

/* ---- in a process of its own: libmysofa has its own reader of HDF5, and files come from anywhere ---- */

static size_t responses_of(const struct head_data *head)
{
    return head->directions * EARS;
}

/* Runs in the child. */
static void read_head(void *context, int answer)
{
    const struct caged_sofa_file *reading = context;
    struct head_data head = {0};
    struct failure failure = {0};
    struct head_answer begin = {0};
    begin.status = head_data_load(reading->path, CONFINED_FILE, reading->bytes, &head, &failure);
    begin.directions = head.directions;
    begin.length = head.length;
    begin.rate = head.rate;
    begin.mislabelled = head.mislabelled;
    if (confined_write(answer, &begin, sizeof begin) != 0)
        return;
    if (begin.status != 0)
        (void)confined_write(answer, &failure, sizeof failure);
    else if (confined_write(answer, head.towards, head.directions * sizeof *head.towards) == 0 &&
             confined_write(answer, head.sample, responses_of(&head) * head.length * sizeof *head.sample) ==
                 0)
        (void)confined_write(answer, head.delay, responses_of(&head) * sizeof *head.delay);
    head_data_free(&head);
}

/* Checks all that head_data.h promises, since an attacker may control the child. */
static bool is_head(const struct head_data *head)
{
    bool sound = head->rate >= 8000.0 && head->rate <= 400000.0;
    for (size_t m = 0; sound && m < head->directions; m++) {
        const double *towards = head->towards[m];
        const double size = towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2];
        sound = fabs(size - 1.0) < 1e-6;
    }
    for (size_t r = 0; sound && r < responses_of(head); r++)
        sound = fabs(head->delay[r]) <= HEAD_LENGTH_MOST;
    for (size_t n = 0; sound && n < responses_of(head) * head->length; n++)
        sound = isfinite(head->sample[n]);
    return sound;
}

int head_data_take(const char *path, const struct confined_answer *answer, struct head_data *out,
                   struct failure *failure)
{
    struct head_answer begin;
    if (answer->size < sizeof begin)
        return caged_sofa_derailed(path, failure);
    memcpy(&begin, answer->bytes, sizeof begin);
    if (begin.status != 0)
        return caged_sofa_failed(path, begin.status, sizeof begin, answer, failure);
    if (begin.directions < HEAD_DIRECTIONS_LEAST || begin.directions > HEAD_DIRECTIONS_MOST ||
        begin.length < 1 || begin.length > HEAD_LENGTH_MOST)
        return caged_sofa_derailed(path, failure);
    struct head_data head = {.directions = begin.directions,
                             .length = begin.length,
                             .rate = begin.rate,
                             .mislabelled = begin.mislabelled != 0};
    const size_t towards = head.directions * sizeof *head.towards,
                 samples = responses_of(&head) * head.length * sizeof *head.sample,
                 delays = responses_of(&head) * sizeof *head.delay;
    if (answer->size != sizeof begin + towards + samples + delays)
        return caged_sofa_derailed(path, failure);
    head.towards = malloc(towards);
    head.sample = malloc(samples);
    head.delay = malloc(delays);
    int code = head.towards == NULL || head.sample == NULL || head.delay == NULL
                   ? failure_memory(failure, (unsigned long long)samples, path)
                   : 0;
    if (code == 0) {
        const unsigned char *from = answer->bytes + sizeof begin;
        memcpy(head.towards, from, towards);
        memcpy(head.sample, from + towards, samples);
        memcpy(head.delay, from + towards + samples, delays);
        code = is_head(&head) ? 0 : caged_sofa_derailed(path, failure);
    }
    if (code == 0)
        *out = head;
    else
        head_data_free(&head);
    return code;
}

int head_data_read(const char *path, struct head_data *out, struct failure *failure)
{
    static const struct caged_sofa cage = {"a head", "libmysofa", 2e9, UINT64_C(4) << 30};
    struct confined_answer answer = {0};
    int code = caged_sofa_run(&cage, path, read_head, &answer, failure);
    if (code == 0)
        code = head_data_take(path, &answer, out, failure);
    confined_answer_free(&answer);
    return code;
}
