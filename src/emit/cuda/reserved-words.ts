// Names that mean something in CUDA C++: keywords of C++20, names that CUDA predeclares, and functions and types that
// emitted code uses. From the C++ standard and the CUDA programming guide.
const words = `alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
char32_t class
compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default \
delete
do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires \
return short
signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
typename union unsigned using virtual void volatile wchar_t while xor xor_eq`
const cuda = `main std NULL INT_MIN threadIdx blockIdx blockDim gridDim warpSize dim3 half __half char1 char2 char3 \
char4 float1
float2 float3 float4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 double1 double2 longlong1 longlong2 ulonglong1 \
ulonglong2
cudaStream_t cudaError_t size_t ptrdiff_t min max abs labs llabs fabs fabsf fmin fminf fmax fmaxf fma fmaf floor \
floorf ceil
ceilf trunc truncf rint rintf sqrt sqrtf rsqrt rsqrtf exp expf exp2 exp2f log logf log2 log2f sin sinf cos cosf tan tanf
asin asinf acos acosf atan atanf sinh sinhf cosh coshf tanh tanhf pow powf atan2 atan2f fmod fmodf atomicAdd atomicSub
atomicMin atomicMax atomicAnd atomicOr atomicXor atomicExch atomicCAS unix linux assert clock printf stream div_f32 \
neg_i32 zero_of_neg byte_i32 sqrt_f32 pow_f32
meet_grid blocks_here shared_memory cooperative_groups grid_of fit_at_once`
export const cudaTaken: ReadonlySet<string> = new Set(`${words} ${cuda}`.split(/\s+/))
