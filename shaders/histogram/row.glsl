// The row of a matrix that a workgroup counts. All rows have the same number of workgroups, with consecutive numbers.
#ifndef HISTOGRAM_ROW_GLSL
#define HISTOGRAM_ROW_GLSL
#include <vkprim/glsl/detail/count.glsl>
#include "histogram_push.h"

layout(push_constant) uniform Push { HistogramPush push; HistogramTables tables; HistogramRows matrix; };

uvec2 row_input, row_weights, row_counts;
uint row_place;     // among the rows of this dispatch
uint row_workgroup; // among those of the row

// Finds the row of this workgroup, of `workgroups` for each row, and `counts_size` bytes of counts. False beyond the last row.
bool find_row(uint workgroups, uint counts_size) {
    row_place = workgroup_number() / workgroups;
    row_workgroup = workgroup_number() % workgroups;
    uint row = matrix.first + row_place;
    row_input = address_of(push.input_address, row, matrix.pitch);
    row_weights = address_of(tables.weights_address, row, matrix.weights_pitch);
    row_counts = address_of(push.counts_address, row, counts_size);
    return row_place < count_of(matrix.rows, matrix.rows_address, matrix.first);
}

#endif
