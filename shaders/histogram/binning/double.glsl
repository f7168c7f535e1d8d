// The bin of a double.

// Below 0 if a < b; both are doubles as unsigned integers that compare in the same order.
bool is_less(uvec2 a, uvec2 b) { return a.y < b.y || a.y == b.y && a.x < b.x; }

// Doubles as unsigned integers in the same order, NaN beyond both infinities, and the zeros alike.
uvec2 order_of(uvec2 bits) {
    if (bits == uvec2(0, 0x80000000u)) bits = uvec2(0);
    uint sign = uint(int(bits.y) >> 31);
    return bits ^ uvec2(sign, sign | 0x80000000u);
}

// Of floats: a sample is in the bin whose edges enclose it. The number of the edge nearest to it comes from a sum that is rounded to a whole
// number, which may be wrong by less than half a bin; so the sample is in the bin behind that edge, or in the one before it. (If NARROW,
// edges are so close that their own rounding counts, and it may be the bin after the next edge.) Edges, lower + k * width in two roundings,
// are compared as integers, since a GPU may take denormal samples for 0.
const double TWO_TO_52 = 4503599627370496.0LF;

uvec2 edge_order(double number) {
    precise double from_lower = number * packDouble2x32(uvec2(WIDTH_LOW, WIDTH_HIGH));
    precise double edge = packDouble2x32(uvec2(LOWER, LAST)) + from_lower;
    return order_of(unpackDouble2x32(edge));
}

// Its constants are words of the doubles `lower`, bins per unit, and `upper`.
uint bin_of(uvec2 bits) {
    const uvec2 lower = uvec2(LOWER, LAST), scale = uvec2(SCALE_WHOLE, SCALE_HIGH), upper = uvec2(SCALE_LOW, UPPER_HIGH);
    uvec2 order = order_of(bits);
    precise double offset = packDouble2x32(bits) - packDouble2x32(lower);
    double rounded = fma(offset, packDouble2x32(scale), TWO_TO_52);
    precise double nearest = rounded - TWO_TO_52;
    double behind = fma(offset, packDouble2x32(scale), -nearest); // the edge: bins
    uint bin = unpackDouble2x32(rounded).x;
    // Only near an edge are words compared: there are many instructions for it.
    if (abs(behind) <= double(NEAR)) bin -= uint(is_less(order, edge_order(nearest)));
    else bin -= uint(behind < 0.0LF);
    if (NARROW) bin += uint(!is_less(order, edge_order(nearest + 1.0LF)));
    return is_less(order, order_of(lower)) || !is_less(order, order_of(upper)) ? NO_BIN : min(bin, CHANNEL_BINS - 1);
}
