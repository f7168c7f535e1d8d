// Counters in shared memory: COPIES of the histogram, interleaved by invocation; and levels, if there are any. Include it after
// samples.glsl.
#ifndef HISTOGRAM_COUNTERS_GLSL
#define HISTOGRAM_COUNTERS_GLSL

// The last bin's are for NO_BIN: an atomic under a condition is slow on NVIDIA GPUs.
#ifndef CHANNELS_WEIGHTS_LEVELS
shared uint counters[(BINS + 1) * COPIES];
#define COUNT uint
#define NO_COUNT 0
#define ZEROED (BINS * COPIES)
#define ADD_COUNTER(count, place) count += counters[place]

void count_bin(uint bin) { atomicAdd(counters[bin * COPIES + gl_LocalInvocationIndex % COPIES], 1); }
#else
const uint COUNTERS = (BINS + 1) * COPIES;
shared uint counters[COUNTERS * (PAIRS ? 2 : 1)]; // upper words after all lower ones
#define COUNT uvec2
#define NO_COUNT uvec2(0)
#define ZEROED (PAIRS ? 2 * COUNTERS : BINS * COPIES)
#define ADD_COUNTER(count, place) count = pair_sum(count, uvec2(counters[place], PAIRS ? counters[COUNTERS + (place)] : 0))

// Levels, as place_of() has them.
shared SAMPLE levels[LEVEL_STEP > 0 ? CHANNEL_BINS + 1 : 1];
SAMPLE level(uint number) { return levels[number]; }

void load_levels() {
    for (uint first = 0; first < CHANNEL_BINS + 1; first += WORKGROUP_SIZE) {
        uint number = first + gl_LocalInvocationIndex;
        if (number < CHANNEL_BINS + 1) levels[number] = level_in_memory(number);
    }
}

void count_bin(uint bin, uint weight) {
    uint place = bin * COPIES + gl_LocalInvocationIndex % COPIES;
    if (PAIRS) {
        uint before = atomicAdd(counters[place], weight), high = weight_high(weight) + uint(before + weight < before);
        if (high != 0) atomicAdd(counters[COUNTERS + place], high);
    } else {
        atomicAdd(counters[place], weight);
    }
}
#endif

#endif
