// What an engine's own shaders may have already: every plain name that a library of primitives could be tempted to take, as macros,
// constants, types and functions, and constant ids from 0 on.
#ifndef ENGINE_GLSL
#define ENGINE_GLSL

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD 1
#define MUL 2
#define BIT_AND 3
#define ELEMENT vec3
#define ELEMENT4 mat4
#define ELEMENT_FLOAT
#define ELEMENT_IDENTITY vec3(0)
#define ORDERED_FLOAT
#define WORD64
#define NO_SUBGROUPS 0
#define TEAM 5
#define TEAMS 7
#define UINT uint
#define ADDRESS uint64_t
#define FUNCTION
#define TILE 16
#define TILE_RUN 1
#define TILE_BLOCK 2
#define TILE_FAN 3
#define STAGE_ALL 9
#define FAULT_LATE 9
#define LOOKBACK_FAN 1
#define LOOKBACK_STAGE 1
#define SCRATCH_HEADER 1
#define SCRATCH_STRIPES 1
#define DEVICE_RELAXED 0
#define DEFINE_HISTOGRAM 0
#define DEFINE_SHUFFLE(type) type

layout(constant_id = 0) const uint WORKGROUP_SIZE = 8;
layout(constant_id = 1) const uint SUBGROUP_SIZE = 8;
layout(constant_id = 2) const uint OPERATION = 8;
layout(constant_id = 3) const uint IDENTITY_BITS = 8;
layout(constant_id = 4) const uint MAX_POLLS = 8;
layout(constant_id = 5) const uint TICKETS = 8;
layout(constant_id = 6) const uint FAULT = 8;
layout(constant_id = 7) const uint FAULT_SHARE = 8;
layout(constant_id = 8) const uint UNMASKED_LOADS = 8;

struct Words { uint x; };
struct Words2 { uint x; };
struct Words4 { uint x; };
struct Lookback { uint x; };
struct WordPoll { uint x; };

shared uint workgroup_word, team_totals, exchange_words, lookback_late, lookback_turn, lookback_sibling;

uint  invocation() { return 1; }
uint  workgroup_number() { return 1; }
uint  workgroup_count() { return 1; }
uint  workgroup_reduce(uint a) { return a; }
uint  workgroup_scan(uint a) { return a; }
uint  workgroup_min(uint a) { return a; }
uint  workgroup_broadcast(uint a) { return a; }
uint  subgroup_all(uint a) { return a; }
uint  team_scan(uint a) { return a; }
uint  team_shuffle(uint a, uint b) { return a; }
uint  team_exchange(uint a, uint b) { return a; }
void  team_barrier() {}
uint  operate(uint a, uint b) { return a; }
bool  is_nan(uint a) { return false; }
uvec2 address_add(uvec2 a, uint b) { return a; }
uvec2 address_of(uvec2 a, uint b, uint c) { return a; }
uint  address_shift(uvec2 a) { return 0; }
uint  count_of(uint a, uvec2 b, uint c) { return a; }
uint  element_identity() { return 0; }
uint  element_from_memory(uint a) { return a; }
uint  element_to_memory(uint a) { return a; }
uint  scratch_offset(uint a, uint b) { return a; }
uint  scratch_bytes(uint a) { return a; }
uint  lookback_words(uint a, uint b, uint c) { return a; }
uint  lookback_begin(uint a) { return a; }
uint  lookback_tile(uint a) { return a; }
uint  tile_load(uint a) { return a; }
uint  tile_store(uint a) { return a; }
uint  tiles_scan(uvec2 a, uint b) { return b; }
uint  word_publish(uint a) { return a; }
uint  word_poll(uint a) { return a; }
void  dawdle() {}

#endif
