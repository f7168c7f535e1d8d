// The sum as digits: what tiles add to it in scratch, and how it is rounded.

// One number of the bins' for a digit.
uvec2 bins_of_sign(uint digit, uint first) {
    uvec2 sums = uvec2(0);
    for (uint c = 0; c < COPIES; ++c) {
        sums.x += bins[(first + 2 * digit) * COPIES + c];
        sums.y += bins[(first + 2 * digit + 1) * COPIES + c];
    }
    return operate(uvec2(sums.x, 0), uvec2(sums.y << 16, sums.y >> 16));
}
uvec2 bins_of(uint digit) {
    uvec2 minus = bins_of_sign(digit, SIGN_BINS);
    return operate(operate(bins_of_sign(digit, 0), ~minus), uvec2(1, 0));
}

uvec2 sign_extended(uint word) { return uvec2(word, int(word) >> 31); }

// What a slice's total, in units of the float with that exponent, adds to a digit.
uvec2 digit_of(uvec2 total, uint exponent, uint digit) {
    uint place = exponent - 1, shift = place % 32;
    uint middle = total.y << shift | total.x >> 1 >> 31 - shift, upper = uint(int(total.y) >> 1 >> int(31 - shift));
    if (digit == place / 32) return uvec2(total.x << shift, 0);
    if (digit == place / 32 + 1) return uvec2(middle, 0);
    return digit == place / 32 + 2 ? sign_extended(upper) : uvec2(0);
}

// Scratch: word 0 has the arrivals, and the infinities and NaN of `found`; the digits follow.
uvec2 word_address(uint word) {
    return address_add(push.scratch, scratch_offset(SCRATCH_ZERO_STRIPE, word));
}

void add_to_scratch(uint digit, uvec2 value) {
    if (USES_WORD64) {
        atomicAdd(Words64(word_address(1 + digit)).at[0], packUint2x32(value), DEVICE_RELAXED);
        return;
    }
    Words words = Words(word_address(1 + digit));
    uint before = atomicAdd(words.at[0], value.x, DEVICE_RELAXED), upper = value.y + uint(before + value.x < before);
    if (upper != 0) atomicAdd(words.at[1], upper, DEVICE_RELAXED);
}

// A word of scratch, which is zero then.
uvec2 take_word(uint word) {
    Words words = Words(word_address(word));
    uvec2 value = uvec2(atomicLoad(words.at[0], DEVICE_RELAXED), atomicLoad(words.at[1], DEVICE_RELAXED));
    slot_clear(word_address(word));
    return value;
}

// Hands in a workgroup's limb of each of the first invocations. True in the last workgroup to do so: `limb` is then the sum of all.
bool hand_in(uint tiles, inout uvec2 limb) {
    if (invocation() < DIGITS && limb != uvec2(0)) add_to_scratch(invocation(), limb);
    barrier_with_buffers();
    if (invocation() == 0) {
        Words words = Words(word_address(0));
        if (found > FOUND_BINS) atomicOr(words.at[1], found, DEVICE_RELAXED);
        // Release: this workgroup's digits are in scratch before its arrival. Acquire: the last one sees all of them.
        memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
        uint arrived = atomicAdd(words.at[0], 1, DEVICE_RELAXED);
        if (arrived == tiles - 1) memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
        workgroup_word = arrived;
    }
    barrier_with_buffers();
    if (workgroup_word != tiles - 1) return false;
    if (invocation() < DIGITS) limb = take_word(1 + invocation());
    if (invocation() == 0) found = take_word(0).y; // a barrier follows
    return true;
}

// One digit of the sum, from the carry of those before it to that of those up to it.
uint next_digit(uint i, inout int carry) {
    uint over, digit = uaddCarry(limbs[i].x, uint(carry), over);
    carry = int(limbs[i].y + uint(carry >> 31) + over);
    return digit;
}

// The digits of the sum's magnitude, from the first limb's on to before `end`; whether the sum is negative. All invocations count the
// carries, so that their loops are alike.
bool carry_digits(uint end) {
    int carry = 0;
    for (uint i = first_limb; i < end; ++i) next_digit(i, carry);
    bool negative = carry < 0;
    uint one = uint(negative);
    carry = 0;
    for (uint i = first_limb; i < end; ++i) {
        uint digit = next_digit(i, carry);
        if (negative) digit = uaddCarry(~digit, one, one);
        if (invocation() == 0) digits[i] = digit;
    }
    barrier();
    return negative;
}

// 32 bits from a place on.
uint bits_at(uint place) { return digits[place / 32] >> place % 32 | digits[place / 32 + 1] << 1 << 31 - place % 32; }

// The float of those digits, rounded to nearest even, without its sign. Of f32 in x.
uvec2 rounded_digits(uint end) {
    while (end > first_limb && digits[end - 1] == 0) --end;
    if (end <= first_limb) return uvec2(0);
    uint leading = 32 * (end - 1) + findMSB(digits[end - 1]);
    if (leading <= FRACTION_BITS) return uvec2(digits[0], digits[1]);
    uint place = leading - FRACTION_BITS, half_place = place - 1;
    uvec2 float_bits = uvec2(bits_at(place), bits_at(place + 32));
    uint rest = digits[half_place / 32] & (1 << half_place % 32) - 1;
    for (uint i = first_limb; i < half_place / 32; ++i) rest |= digits[i];
    uint above_half = uint(rest != 0) | float_bits.x & 1;
    float_bits = operate(float_bits, uvec2(digits[half_place / 32] >> half_place % 32 & above_half, 0));
    // The leading bit adds one to the exponent.
#ifdef ELEMENT_F64
    float_bits.y += place << UPPER_BITS;
    return float_bits.y >= EXPONENT_MASK << UPPER_BITS ? uvec2(0, EXPONENT_MASK << UPPER_BITS) : float_bits;
#else
    float_bits.x += place << UPPER_BITS;
    return uvec2(min(float_bits.x, EXPONENT_MASK << UPPER_BITS), 0);
#endif
}

void store_sum() {
    uint end = min(last_limb + 2, DIGITS), sign = uint(carry_digits(end)) << 31;
    uvec2 float_bits = rounded_digits(end);
    if (found > FOUND_BINS) {
        uint both = FOUND_PLUS | FOUND_MINUS, quiet = 1 << UPPER_BITS - 1;
        bool is_nan = (found & FOUND_NAN) != 0 || (found & both) == both;
        sign = is_nan || (found & FOUND_MINUS) == 0 ? 0 : 1u << 31;
        uint special = EXPONENT_MASK << UPPER_BITS | (is_nan ? quiet : 0);
        float_bits = WORDS == 2 ? uvec2(0, special) : uvec2(special, 0);
    }
    if (invocation() > 0) return;
    Words output_words = Words(push.output_address);
#ifdef ELEMENT_F64
    output_words.at[0] = float_bits.x;
    output_words.at[1] = float_bits.y | sign;
#else
    output_words.at[0] = float_bits.x | sign;
#endif
}
