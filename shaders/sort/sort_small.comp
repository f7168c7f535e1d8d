#version 460
// variants: word(u32,i32,f32) | long(u64,i64,f64) LONG_KEYS | narrow(u8,i8,u16,i16,f16) NARROW_KEYS
//
// All passes of a sort that fits into one tile, in one workgroup. Or the same for the rows of a matrix: a workgroup has as many whole rows as
// the host says, and sorts them by the digits of the keys, and then by the digits of the rows' numbers. Of each row, the first of the sorted
// keys are stored, or only the last of these.
#extension GL_GOOGLE_include_directive : require
#include "tile.glsl"

layout(constant_id = OWN_ID + 5) const bool SEVERAL_ROWS = false; // whether a tile may have several rows: without the code for them a sort is 6 to 8 % faster on an H200

uint first_row, rows; // of the tile

bool has_rows() { return SEVERAL_ROWS && rows > 1; }

// The tile's row that has a place; after the last key, the last row.
uint row_of(uint place) { return has_rows() ? min(place / element_count, rows - 1) : 0; }

// Where the element at a place lies in memory, if rows begin `stride` elements apart.
uint index_in_memory(uint place, uint row, uint stride) { return (first_row + row) * stride + (place - row * element_count); }

void main() {
    element_count = count_of(push.count, push.count_address, 0);
    first_row = workgroup_number() * push.rows_each;
    rows = min(push.rows - min(first_row, push.rows), push.rows_each);
    const uint stored = min(element_count, push.most_stored), tile_count = rows * element_count;
    if (rows == 0 || stored == 0) return;
    number_invocations();
    // Load: the keys of the tile, the numbers of their rows, and the values.
    Key keys[ITEMS], numbers[ITEMS]; // of rows: like keys, so that the tile can be sorted by either
    uvec4 values[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        const uint place = index_of(item), row = row_of(place), index = index_in_memory(place, row, push.row_stride);
        numbers[item] = Key(row);
        keys[item] = LAST_KEY; // keys after the end stay last
        if (place < tile_count) keys[item] = encode(load_key(address_of(push.keys, index, KEY_BYTES), 0));
        values[item] = uvec4(place - row * element_count, 0, 0, 0);
        if (VALUE_WORDS > 0 && (push.flags & SORT_INDICES) == 0 && place < tile_count) {
            values[item] = value_at(address_of(push.values, index, 4 * VALUE_WORDS), 0);
        }
    }
    // Combine: pass by pass, the tile in the order of a digit.
    const uint key_passes = (push.end_bit - push.shift - 1) / push.digit_bits + 1;
    const uint passes = key_passes + (has_rows() ? findMSB(rows - 1) / SORT_DIGIT_BITS + 1 : 0);
    for (uint pass = 0; pass < passes; ++pass) {
        const uint shift = push.shift + pass * push.digit_bits;
        if (pass < key_passes) select_digit(shift, min(push.digit_bits, push.end_bit - shift));
        else select_digit((pass - key_passes) * SORT_DIGIT_BITS, SORT_DIGIT_BITS);
        uint ranks[RANKS], befores[DIGITS_EACH], nothing;
        rank_keys(keys, 0, ranks, befores, nothing);
        REORDER(keys, stage_key, staged_key)
        if (has_rows()) {
            REORDER(numbers, stage_key, staged_key)
        }
        if (VALUE_WORDS > 0) {
            REORDER(values, stage_value, staged_value)
        }
        if (has_rows() && (pass + 1 == key_passes || pass + 1 == passes)) { // the tile is sorted by `keys`
            [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
                const Key key = keys[item];
                keys[item] = numbers[item];
                numbers[item] = key;
            }
        }
    }
    barrier_with_buffers(); // the output may be the input
    // Store: of each row, the first keys, or the last of these.
    const bool nth = (push.flags & SORT_NTH) != 0;
    const uint first = nth ? stored - 1 : 0, stride = nth ? 1 : push.most_stored;
    [[unroll]] for (uint item = 0; item < ITEMS; ++item) {
        const uint row = row_of(index_of(item)), column = index_of(item) - row * element_count;
        if (column >= first && column < stored) {
            const uint index = (first_row + row) * stride + (column - first);
            store_key(address_of(push.output_keys, index, KEY_BYTES), 0, decode(keys[item]));
            if (VALUE_WORDS > 0) store_value(address_of(push.output_values, index, 4 * VALUE_WORDS), 0, values[item]);
        }
    }
}
