// In: folders where libraries may be. Out: the functions of the CUDA driver and of NVRTC that are used, bound. The one
// idea: a table of C declarations per library, read by `koffi`; a function returns its status and nothing is checked
// here.
import { fail } from '../base/index.ts'

/** What of `koffi` is used. */
export interface Koffi {
  load(path: string): Library
  address(value: ArrayBufferView): bigint
}
interface Library {
  func(definition: string): (...args: readonly unknown[]) => unknown
}

/** A handle that CUDA gave out: only ever passed back. */
export type Handle = unknown

const driverNames = ['libcuda.so.1', 'libcuda.so', 'nvcuda.dll']
const nvrtcNames = ['libnvrtc.so.13', 'libnvrtc.so.12', 'libnvrtc.so', 'nvrtc64_130_0.dll', 'nvrtc64_120_0.dll']
const usualPaths = ['/usr/local/cuda/lib64', '/usr/lib/x86_64-linux-gnu', '/usr/local/cuda/targets/x86_64-linux/lib']

/** The driver's functions and the compiler's. */
export interface CudaLibraries {
  readonly koffi: Koffi
  readonly driver: Functions<typeof driverFunctions>
  readonly nvrtc: Functions<typeof nvrtcFunctions>
}

/**
 * Loads both libraries, by name or from the folders given. Throws a `DiagnosticError` that says which part is missing.
 */
export async function loadCuda(paths: readonly string[]): Promise<CudaLibraries> {
  const koffi = await loadKoffi()
  const folders = [...paths, ...usualPaths]
  const driver = loadLibrary(
    koffi,
    driverNames,
    folders,
    'cuda.driver',
    'the CUDA driver (libcuda) is not on this machine',
    'an NVIDIA GPU and its driver are needed',
  )
  const nvrtc = loadLibrary(
    koffi,
    nvrtcNames,
    folders,
    'cuda.nvrtc',
    'the CUDA run-time compiler (libnvrtc) is not on this machine',
    'install the CUDA toolkit, or pass its library folder in `paths`',
  )
  return { koffi, driver: bind(driver, driverFunctions), nvrtc: bind(nvrtc, nvrtcFunctions) }
}

async function loadKoffi(): Promise<Koffi> {
  const name = 'koffi' // a variable, so that bundlers leave the optional package alone
  try {
    // no types wanted: optional
    const module = (await import(/* @vite-ignore */ name)) as { readonly default?: Koffi } & Koffi
    return module.default ?? module
  } catch {
    return fail('cuda.koffi', 'running CUDA from Node needs the package koffi', undefined, 'npm install koffi')
  }
}

function loadLibrary(
  koffi: Koffi,
  names: readonly string[],
  paths: readonly string[],
  code: string,
  message: string,
  hint: string,
): Library {
  for (const name of [...names, ...paths.flatMap((path) => names.map((n) => `${path}/${n}`))]) {
    try {
      return koffi.load(name)
    } catch {}
  }
  return fail(code, message, undefined, hint)
}

const driverFunctions = {
  cuInit: 'int cuInit(unsigned int flags)',
  cuGetErrorString: 'int cuGetErrorString(int error, _Out_ const char **text)',
  cuDeviceGet: 'int cuDeviceGet(_Out_ int *device, int ordinal)',
  cuDeviceGetName: 'int cuDeviceGetName(void *name, int length, int device)',
  cuDeviceGetAttribute: 'int cuDeviceGetAttribute(_Out_ int *value, int attribute, int device)',
  cuDevicePrimaryCtxRetain: 'int cuDevicePrimaryCtxRetain(_Out_ void **context, int device)',
  cuDevicePrimaryCtxRelease: 'int cuDevicePrimaryCtxRelease_v2(int device)',
  cuCtxSetCurrent: 'int cuCtxSetCurrent(void *context)',
  cuCtxSynchronize: 'int cuCtxSynchronize()',
  cuModuleLoadData: 'int cuModuleLoadData(_Out_ void **module, void *image)',
  cuModuleUnload: 'int cuModuleUnload(void *module)',
  cuModuleGetFunction: 'int cuModuleGetFunction(_Out_ void **fn, void *module, const char *name)',
  cuFuncGetAttribute: 'int cuFuncGetAttribute(_Out_ int *value, int attribute, void *fn)',
  cuFuncSetAttribute: 'int cuFuncSetAttribute(void *fn, int attribute, int value)',
  cuOccupancyMaxActiveBlocksPerMultiprocessor:
    'int cuOccupancyMaxActiveBlocksPerMultiprocessor(_Out_ int *blocks, void *fn, int threads, size_t shared)',
  cuMemAlloc: 'int cuMemAlloc_v2(_Out_ uint64_t *pointer, size_t bytes)',
  cuMemFree: 'int cuMemFree_v2(uint64_t pointer)',
  cuMemcpyHtoD: 'int cuMemcpyHtoD_v2(uint64_t to, void *from, size_t bytes)',
  cuMemcpyDtoH: 'int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)',
  cuStreamCreate: 'int cuStreamCreate(_Out_ void **stream, unsigned int flags)',
  cuStreamDestroy: 'int cuStreamDestroy_v2(void *stream)',
  cuStreamBeginCapture: 'int cuStreamBeginCapture_v2(void *stream, int mode)',
  cuStreamEndCapture: 'int cuStreamEndCapture(void *stream, _Out_ void **graph)',
  cuGraphInstantiate: 'int cuGraphInstantiateWithFlags(_Out_ void **executable, void *graph, uint64_t flags)',
  cuGraphLaunch: 'int cuGraphLaunch(void *executable, void *stream)',
  cuGraphDestroy: 'int cuGraphDestroy(void *graph)',
  cuGraphExecDestroy: 'int cuGraphExecDestroy(void *executable)',
  cuLaunchKernel:
    'int cuLaunchKernel(void *fn, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, ' +
    'unsigned int by, unsigned int bz, unsigned int shared, void *stream, void *params, void *extra)',
  cuLaunchCooperativeKernel:
    'int cuLaunchCooperativeKernel(void *fn, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int ' +
    'bx, unsigned int by, unsigned int bz, unsigned int shared, void *stream, void *params)',
  cuEventCreate: 'int cuEventCreate(_Out_ void **event, unsigned int flags)',
  cuEventRecord: 'int cuEventRecord(void *event, void *stream)',
  cuEventSynchronize: 'int cuEventSynchronize(void *event)',
  cuEventElapsedTime: 'int cuEventElapsedTime(_Out_ float *ms, void *start, void *end)',
  cuEventDestroy: 'int cuEventDestroy_v2(void *event)',
} as const

const nvrtcFunctions = {
  nvrtcCreateProgram:
    'int nvrtcCreateProgram(_Out_ void **program, const char *source, const char *name, int headers, void ' +
    '*texts, void *names)',
  nvrtcCompileProgram: 'int nvrtcCompileProgram(void *program, int count, const char **options)',
  nvrtcGetProgramLogSize: 'int nvrtcGetProgramLogSize(void *program, _Out_ size_t *bytes)',
  nvrtcGetProgramLog: 'int nvrtcGetProgramLog(void *program, void *log)',
  nvrtcGetCUBINSize: 'int nvrtcGetCUBINSize(void *program, _Out_ size_t *bytes)',
  nvrtcGetCUBIN: 'int nvrtcGetCUBIN(void *program, void *image)',
  nvrtcDestroyProgram: 'int nvrtcDestroyProgram(_Inout_ void **program)',
} as const

export type Functions<T> = Readonly<Record<keyof T, (...args: readonly unknown[]) => number>>

/** Functions that return a status, as they are. */
function bind<T extends Readonly<Record<string, string>>>(library: Library, definitions: T): Functions<T> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, library.func(definition)]),
  ) as Functions<T> // same keys
}
