// The bin of a float: as of a double, whose file explains it.

const float TWO_TO_23 = 8388608.0;
// Bits of the range's lower bound, and of the bins per unit: the same constants are parts of an integer's scale.
#define LOWER_BITS SCALE_WHOLE
#define SCALE_BITS SCALE_HIGH

// Floats as unsigned integers in the same order, NaN beyond both infinities.
uint order_of(uint bits) { return bits ^ (uint(int(bits) >> 31) | 0x80000000u); }

// The same as integers with a sign. Where no number below 0 is in the range, bits are in that order already.
int signed_order_of(uint bits) { return int(LOWER_BITS < 0x80000000u ? bits : order_of(bits) ^ 0x80000000u); }

int edge_order(float number) {
    precise float from_lower = number * uintBitsToFloat(WIDTH_LOW);
    precise float edge = uintBitsToFloat(LOWER_BITS) + from_lower;
    return signed_order_of(floatBitsToUint(edge));
}

uint bin_of_float(uint bits) {
    precise float offset = uintBitsToFloat(bits) - uintBitsToFloat(LOWER_BITS);
    float rounded = fma(offset, uintBitsToFloat(SCALE_BITS), TWO_TO_23); // as one operation or as two
    precise float nearest = rounded - TWO_TO_23;
    int order = signed_order_of(bits == 0x80000000u ? 0 : bits); // not between edges at -0 and 0: a GPU may take either for the other
    uint bin = floatBitsToUint(rounded) - floatBitsToUint(TWO_TO_23) - uint(order < edge_order(nearest));
    if (NARROW) bin += uint(order >= edge_order(nearest + 1.0));
    return uint(order) - LOWER > LAST ? NO_BIN : min(bin, CHANNEL_BINS - 1);
}
