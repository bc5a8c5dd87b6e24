// In: a plan for CUDA, the values it is planned for, and the C text it comes from. Out: one CUDA file: the launcher
// with entries that are the same for all programs, so that Python can call any of them:
//   kernelbench_info()             JSON: arrays in the order of the call with type, role and bytes, and what the first
//                                  line of the C file says of them ("// level1/36 rms-norm: x -> y")
//   kernelbench_run(arrays, stream)  launches everything on the stream; device pointers; CUDA's error
//   kernelbench_keep(), kernelbench_trim()  whether freed scratch memory stays with the process
import { emitCudaLauncher } from '../../src/emit/index.ts'
import { arrayBytes, type Plan, type PlanValues } from '../../src/ir/index.ts'

const cType: Readonly<Record<string, string>> = {
  f32: 'float',
  f64: 'double',
  i32: 'int',
  u32: 'unsigned',
  i64: 'long long',
  u64: 'unsigned long long',
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
}

/** Parameters of the C function by name, with what a model's state or inputs give them. */
interface Interface {
  readonly problem: string
  readonly inputs: readonly (readonly [name: string, key: string | null])[]
  readonly outputs: readonly string[]
}

/** What the first line says, if it says anything. */
export function interfaceOf(text: string): Interface {
  const [, problem, inputs, outputs] = /^\/\/ (level\d\/\d+) [\w-]+: (.*) -> (.*)\r?\n/.exec(text) ?? []
  if (problem === undefined) return { problem: '', inputs: [], outputs: [] }
  const words = (list: string): string[] => list.split(',').map((w) => w.trim())
  return {
    problem,
    inputs: words(inputs!).map((w) => {
      const [name, key] = w.split('=')
      return [name!, key ?? null]
    }), // groups of the expression
    outputs: words(outputs!),
  }
}

export function launcherFile(plan: Plan, values: PlanValues, source: string): string {
  const { text, entry } = emitCudaLauncher(plan)
  const visible = plan.arrays.filter((a) => a.role !== 'temp')
  const said = interfaceOf(source)
  for (const name of [...said.inputs.map(([n]) => n), ...said.outputs])
    if (said.problem !== '' && !visible.some((a) => a.name === name))
      throw new Error(`the first line names ${name}, which is no array of ${plan.name}`)
  const info = {
    ...said,
    arrays: visible.map((a) => ({ name: a.name, type: a.type, role: a.role, bytes: arrayBytes(a, values) })),
    scratch: plan.arrays.reduce((n, a) => n + (a.role === 'temp' ? arrayBytes(a, values) : 0), 0),
  }
  const numbers = [
    ...plan.sizes.filter((s) => !s.fixed).map((s) => `${values.sizes[s.name]}`),
    ...plan.scalars.map((s) => `${values.scalars[s.name]}`),
  ]
  const call = [
    ...visible.map((a, i) => `static_cast<${cType[a.type] ?? 'void'}*>(arrays[${i}])`),
    ...numbers,
    'static_cast<cudaStream_t>(stream)',
  ]
  return `${text}
extern "C" const char* kernelbench_info() { return R"json(${JSON.stringify(info)})json"; }

extern "C" int kernelbench_run(void* const* arrays, void* stream)
{
  return (int)${entry}(${call.join(', ')});
}

static cudaError_t kernelbench_pool(cudaMemPool_t* pool)
{
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  return error == cudaSuccess ? cudaDeviceGetDefaultMemPool(pool, device) : error;
}

extern "C" int kernelbench_keep()
{
  cudaMemPool_t pool;
  unsigned long long most = ~0ull;
  const cudaError_t error = kernelbench_pool(&pool);
  return (int)(error == cudaSuccess ? cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most) : error);
}

extern "C" int kernelbench_trim()
{
  cudaMemPool_t pool;
  const cudaError_t error = kernelbench_pool(&pool);
  return (int)(error == cudaSuccess ? cudaMemPoolTrimTo(pool, 0) : error);
}

extern "C" const char* kernelbench_error(int error) { return cudaGetErrorString((cudaError_t)error); }
`
}
