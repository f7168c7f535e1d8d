// What include/vkprim/glsl defines with a prefix, since others include it too, by the names that vkprim's own shaders use. To be included after
// the files of include/vkprim/glsl and before all that is declared here. These are macros: a user's file comes first, so its functions,
// types and variables may have such names, too.
#ifndef NAMES_GLSL
#define NAMES_GLSL

// Memory: address.glsl, count.glsl
#define Words vkprim_Words
#define Words2 vkprim_Words2
#define Words4 vkprim_Words4
#define VECTOR_WORDS VKPRIM_VECTOR_WORDS
#define address_of vkprim_address_of
#define address_add vkprim_address_add
#define byte_at vkprim_byte_at
#define count_of vkprim_count_of
#define COUNT_ON_HOST VKPRIM_COUNT_ON_HOST
#define barrier_with_buffers vkprim_barrier_with_buffers

// The dispatch and the device: address.glsl, constants.glsl
#define workgroup_number vkprim_workgroup_number
#define workgroup_count vkprim_workgroup_count
#define OWN_ID VKPRIM_OWN_ID
#define WORKGROUP_SIZE VKPRIM_WORKGROUP_SIZE
#define SUBGROUP_SIZE VKPRIM_SUBGROUP_SIZE
#define USES_SUBGROUPS VKPRIM_USES_SUBGROUPS
#define USES_WORD64 VKPRIM_USES_WORD64
#define UNMASKED_LOADS VKPRIM_UNMASKED_LOADS
#define FEW_REGISTERS VKPRIM_FEW_REGISTERS

// Scratch: scratch.h, words.glsl
#define Words64 vkprim_Words64
#define DEVICE_RELAXED VKPRIM_DEVICE_RELAXED
#define SCRATCH_ZERO_STRIPE VKPRIM_SCRATCH_ZERO_STRIPE
#define scratch_offset vkprim_scratch_offset
#define word_clear vkprim_word_clear
#define slot_clear vkprim_slot_clear

#ifdef VKPRIM_ELEMENT_GLSL
// Elements: element.glsl
#ifndef VKPRIM_OPERATION_GLSL // else it is Element already
#define Element VKPRIM_ELEMENT
#endif
#define Element4 VKPRIM_ELEMENT4
#define Vector VKPRIM_VECTOR
#define Packed VKPRIM_PACKED
#define PACKED_AT VKPRIM_PACKED_AT
#define Memory VKPRIM_MEMORY
#define VECTOR_WIDTH VKPRIM_VECTOR_WIDTH
#define REGISTER_WORDS VKPRIM_REGISTER_WORDS
#define MEMORY_WORDS VKPRIM_MEMORY_WORDS
#define INPUT_BYTES VKPRIM_INPUT_BYTES
#define OUTPUT_BYTES VKPRIM_OUTPUT_BYTES
#define OPERATION VKPRIM_OPERATION
#define element_identity vkprim_element_identity
#define operate vkprim_operate
#define operate_later vkprim_operate_later
#define element4 vkprim_element4
#define element4_at vkprim_element4_at
#define element_of vkprim_element_of
#define element_word vkprim_element_word
#define element_load vkprim_element_load
#define element_store vkprim_element_store
#define packed_vector vkprim_packed_vector
#define vector_load vkprim_vector_load
#define vector_store vkprim_vector_store
#define vector_from_memory vkprim_vector_from_memory
#define vector_to_memory vkprim_vector_to_memory
#define vector_of vkprim_vector_of
#define vector_earliest vkprim_vector_earliest
#define vector_scan vkprim_vector_scan
#define vector_shift vkprim_vector_shift
#define vector_last vkprim_vector_last
#define vector_reduce vkprim_vector_reduce
#define words_of_nothing vkprim_words_of_nothing
#define words_load_partial vkprim_words_load_partial
#define words_store_partial vkprim_words_store_partial
#endif

#ifdef VKPRIM_WORKGROUP_GLSL
// Invocations and teams: workgroup.glsl
#define invocation() vkprim_invocation()
#define TEAM VKPRIM_TEAM
#define TEAMS VKPRIM_TEAMS
#define SUBGROUP_EXCHANGE VKPRIM_SUBGROUP_EXCHANGE
#define operate_pair vkprim_operate_pair
#define team_exchange vkprim_team_exchange
#define team_shuffle vkprim_team_shuffle
#define team_barrier vkprim_team_barrier
#define whole_team_scan vkprim_whole_team_scan
#define subgroup_all vkprim_subgroup_all
#define workgroup_reduce vkprim_workgroup_reduce
#define workgroup_word vkprim_workgroup_word
#endif

// Tiles and folds: tile.h, runs.glsl, fold.glsl
#define TILE_RUN VKPRIM_TILE_RUN
#define TILE_BLOCK VKPRIM_TILE_BLOCK
#define TILE_ROWS VKPRIM_TILE_ROWS
#ifdef VKPRIM_RUNS_GLSL
#define RUNS VKPRIM_RUNS
#define ROWS_PER_RUN VKPRIM_ROWS_PER_RUN
#define TILE_ELEMENTS VKPRIM_TILE_ELEMENTS
#define TILE_BYTES VKPRIM_TILE_BYTES
#define run_load vkprim_run_load
#define run_store vkprim_run_store
#endif
#define FOLD_FAN VKPRIM_FOLD_FAN
#define fold_address vkprim_fold_address
#define fold(tile, tiles, total) vkprim_fold(tile, tiles, total)

// Look-back: lookback.glsl
#define Lookback vkprim_Lookback
#define LOOKBACK_STAGE VKPRIM_LOOKBACK_STAGE
#define LOOKBACK_GROUP VKPRIM_LOOKBACK_GROUP
#define LOOKBACK_FAN VKPRIM_LOOKBACK_FAN
#define STAGE_ALL VKPRIM_STAGE_ALL
#define STAGE_GROUPS VKPRIM_STAGE_GROUPS
#define STAGE_SUPERGROUPS VKPRIM_STAGE_SUPERGROUPS
#define STAGE_OUTPUTS VKPRIM_STAGE_OUTPUTS
#define SLOTS_OF VKPRIM_SLOTS_OF
#define lookback_begin vkprim_lookback_begin
#define lookback_tile vkprim_lookback_tile
#define lookback_arrived vkprim_lookback_arrived
#define lookback_close vkprim_lookback_close
#define clear_left vkprim_clear_left
#define touch vkprim_touch

#endif
