// A piece of a segment between offsets.
#ifndef HISTOGRAM_PIECE_GLSL
#define HISTOGRAM_PIECE_GLSL
#include <vkprim/glsl/detail/address.glsl>
#include "histogram_push.h"

layout(push_constant) uniform Push { HistogramSegments push; HistogramTables tables; };

uvec2 piece_input;
uvec2 piece_weights, piece_counts; // of the segment
uint piece_count;
uint piece_skipped; // samples of the segment before the piece

#endif
