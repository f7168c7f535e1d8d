// A pass of a radix sort, by RADIX_BITS bits of each key: how many keys of each digit every one of `width` workgroups has; the sums of these,
// digit by digit; and then each key goes to where they say.
const uint DIGITS = 1u << RADIX_BITS;

shared uint scanned[VKPRIM_WORKGROUP_SIZE], keys[VKPRIM_WORKGROUP_SIZE], firsts[DIGITS];

uint digit_of(uint key) { return key >> push.shift & DIGITS - 1; }

uint sum_before(uint value) {
    uint sum = value;
    scanned[LOCAL] = sum;
    barrier();
    for (uint distance = 1; distance < VKPRIM_WORKGROUP_SIZE; distance *= 2) {
        if (LOCAL >= distance) sum += scanned[LOCAL - distance];
        barrier();
        scanned[LOCAL] = sum;
        barrier();
    }
    return sum - value;
}

uint total_of_sum() { return scanned[VKPRIM_WORKGROUP_SIZE - 1]; }

void count_digits() {
    for (uint digit = LOCAL; digit < DIGITS; digit += VKPRIM_WORKGROUP_SIZE) firsts[digit] = 0;
    barrier();
    if (GLOBAL < push.count) atomicAdd(firsts[digit_of(vkprim_Words(push.source).at[GLOBAL])], 1);
    barrier();
    for (uint digit = LOCAL; digit < DIGITS; digit += VKPRIM_WORKGROUP_SIZE) {
        vkprim_Words(push.sums).at[digit * push.width + WORKGROUP] = firsts[digit];
    }
}

// A workgroup for each digit, which leaves the digit's total behind all sums. An invocation adds up EACH counts at a time.
void sum_counts() {
    const uint EACH = 16, row = WORKGROUP * push.width;
    uint before = 0;
    for (uint first = 0; first < push.width; first += EACH * VKPRIM_WORKGROUP_SIZE) {
        uint begin = min(first + LOCAL * EACH, push.width), end = min(begin + EACH, push.width), sum = 0;
        for (uint i = begin; i < end; ++i) sum += vkprim_Words(push.sums).at[row + i];
        sum = before + sum_before(sum);
        for (uint i = begin; i < end; ++i) {
            uint count = vkprim_Words(push.sums).at[row + i];
            vkprim_Words(push.sums).at[row + i] = sum;
            sum += count;
        }
        before += total_of_sum();
        barrier();
    }
    if (LOCAL == 0) vkprim_Words(push.sums).at[DIGITS * push.width + WORKGROUP] = before;
}

// A bit: those that have it not come first, in their order.
uint split(uint key, uint bit) {
    bool is_set = (key >> bit & 1) != 0;
    uint clear_before = sum_before(is_set ? 0 : 1);
    keys[is_set ? total_of_sum() + LOCAL - clear_before : clear_before] = key;
    barrier();
    key = keys[LOCAL];
    barrier();
    return key;
}

void move_keys() {
    uint key = GLOBAL < push.count ? vkprim_Words(push.source).at[GLOBAL] : ~0u; // the last of all
    for (uint bit = 0; bit < RADIX_BITS; ++bit) key = split(key, push.shift + bit);
    uint digit = digit_of(key);
    keys[LOCAL] = digit;
    barrier();
    if (LOCAL == 0 || keys[LOCAL - 1] != digit) firsts[digit] = LOCAL;
    barrier();
    if (GLOBAL >= push.count) return;
    uint place = vkprim_Words(push.sums).at[digit * push.width + WORKGROUP] + LOCAL - firsts[digit];
    for (uint lesser = 0; lesser < digit; ++lesser) place += vkprim_Words(push.sums).at[DIGITS * push.width + lesser];
    vkprim_Words(push.target).at[place] = key;
}

void main() {
    if (WORKGROUP >= push.workgroups) return;
#if defined(COUNTS)
    count_digits();
#elif defined(SUMS)
    sum_counts();
#else
    move_keys();
#endif
}
