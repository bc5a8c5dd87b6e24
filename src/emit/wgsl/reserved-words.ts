// Names that mean something in WGSL: its keywords, its reserved words, and the predeclared names that emitted code
// uses. From the WGSL specification, sections on keywords and reserved words.

/** Keywords and reserved words: never an identifier. */
const words = `alias break case const const_assert continue continuing default diagnostic discard else enable false \
fn for
if let loop override requires return struct switch true var while
NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become binding_array cast catch
class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends
extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import
inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new
nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless \
unorm
unsafe unsized use using varying virtual volatile wgsl where with writeonly yield`

/** Predeclared types and functions: legal to shadow, but emitted code calls them. */
const predeclared = `array atomic bool f16 f32 i32 mat2x2 ptr u32 vec2 vec3 vec4 function private storage uniform \
workgroup
read write read_write bitcast select abs acos asin atan atan2 atanh ceil clamp cos cosh countLeadingZeros countOneBits
countTrailingZeros cross degrees dot exp exp2 extractBits firstLeadingBit firstTrailingBit floor fma fract insertBits
inverseSqrt length log log2 max min mix pow radians reverseBits round sign sin sinh smoothstep sqrt step tan tanh trunc
arrayLength workgroupBarrier storageBarrier atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor
atomicExchange atomicLoad atomicStore atomicCompareExchangeWeak subgroupAdd subgroupAll subgroupAnd subgroupAny
subgroupBallot subgroupBroadcast subgroupBroadcastFirst subgroupElect subgroupExclusiveAdd subgroupExclusiveMul
subgroupInclusiveAdd subgroupInclusiveMul subgroupMax subgroupMin subgroupMul subgroupOr subgroupShuffle
subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor subgroupXor`

/** Names that emitted modules declare themselves. */
const own = `params Params local_id workgroup_id num_workgroups local_rank lane subgroup_size f32_from_bits \
f16_from_bits hold_i32 hold_u32 hold_f32 hold_f16 hold_bool mulhi_u32 mulhi_i32
neg_i32 abs_i32
pow_f32 rem_f32 div_f32 sqrt_f32 rounded_bits near_power_of_2
without_turns tanh_f32 tanh_f16 atan2_f32 log_f32 log2_f32`

export const wgslTaken: ReadonlySet<string> = new Set(`${words} ${predeclared} ${own}`.split(/\s+/))
