// The bin of an integer.

const uint UNCOUNTED = LOWER | LAST ^ 0xffffffffu >> (32 - 8 * SAMPLE_SIZE); // 0: the range is the whole type

// floor(offset * bins / span) without a division: bins / span is known to 64 bits after the point, rounded up, which is
// exact for offsets below 2^32 (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
uint bin_of_integer(uint value) {
    uint offset = value - LOWER, whole = 0, carry = 0;
    if (SCALE_HIGH != 0 || SCALE_LOW != 0) {
        uint fraction, carry_in, unused;
        umulExtended(offset, SCALE_HIGH, whole, fraction);
        umulExtended(offset, SCALE_LOW, carry_in, unused);
        uaddCarry(fraction, carry_in, carry);
    }
    return UNCOUNTED != 0 && offset > LAST ? NO_BIN : offset * SCALE_WHOLE + whole + carry;
}
