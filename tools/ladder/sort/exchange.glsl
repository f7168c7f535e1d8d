// Which two keys an invocation exchanges: the lesser comes first.

// Of a block of `width`: one from its beginning, and one as far from its end.
uvec2 mirrored(uint i, uint width) {
    uint first = i / (width / 2) * width, place = i % (width / 2);
    return uvec2(first + place, first + width - 1 - place);
}

uvec2 apart(uint i, uint distance) {
    uint first = i / distance * 2 * distance + i % distance;
    return uvec2(first, first + distance);
}
