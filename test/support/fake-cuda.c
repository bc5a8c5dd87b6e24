// A CUDA driver and NVRTC whose only kernel is saxpy, run on the host: checks that calls, handles, kernel arguments and
// errors cross the foreign-function interface as the real libraries would see them.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE(n) ((void *)(0x7f1200000000ull + (n)))
#define STREAM HANDLE(6)
static int wrong_program, capturing, graphs;
static float executed; // launches since the start event

int cuInit(unsigned flags) { return flags; }
int cuGetErrorString(int error, const char **text) { *text = error == 700 ? "an illegal memory access was encountered" : "unknown"; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return ordinal == 0 ? 0 : 101; }
int cuDeviceGetName(char *name, int length, int device) { strncpy(name, "Made-up GPU", length); return device; }
// Two multiprocessors with cooperative launches; blocks may ask for 227 KiB.
int cuDeviceGetAttribute(int *value, int attribute, int device) { *value = attribute == 75 ? 9 : attribute == 16 ? 2 : attribute == 95 ? 1 : attribute == 97 ? 232448 : 0; return device; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = HANDLE(1); return device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxSetCurrent(void *context) { return context == HANDLE(1) ? 0 : 201; }
int cuCtxSynchronize(void) { return 0; }
int cuModuleLoadData(void **module, const char *image) { *module = HANDLE(2); return strcmp(image, "cubin") ? 200 : 0; }
int cuModuleUnload(void *module) { return module == HANDLE(2) ? 0 : 400; }
static unsigned asked; // shared memory that launches of the function ask for
int cuModuleGetFunction(void **fn, void *module, const char *name) { asked = 0; *fn = HANDLE(3); return module == HANDLE(2) && !strcmp(name, "saxpy") ? 0 : 500; }
int cuFuncGetAttribute(int *value, int attribute, void *fn) { *value = attribute == 4 ? 10 : 0; return fn == HANDLE(3) ? 0 : 400; }
int cuFuncSetAttribute(void *fn, int attribute, int value) { if (fn != HANDLE(3) || attribute != 8) return 400; asked = value; return value > 232448 ? 1 : 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *fn, int threads, size_t shared) { *blocks = shared > 100000 ? 1 : 4; return fn == HANDLE(3) && shared == asked && threads == 64 ? 0 : 400; }
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) { *pointer = (uint64_t)malloc(bytes); return *pointer ? 0 : 2; }
int cuMemFree_v2(uint64_t pointer) { free((void *)pointer); return 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { memcpy(to, (void *)from, bytes); return 0; }
int cuEventCreate(void **event, unsigned flags) { *event = HANDLE(4); return flags; }
int cuEventRecord(void *event, void *stream) { return event == HANDLE(4) && stream == STREAM && !capturing ? 0 : 400; }
int cuEventSynchronize(void *event) { return event == HANDLE(4) ? 0 : 400; }
int cuEventElapsedTime(float *ms, void *start, void *end) { *ms = 0.01f * executed; executed = 0; return start == HANDLE(4) && end == HANDLE(4) ? 0 : 400; }
int cuEventDestroy_v2(void *event) { return event == HANDLE(4) ? 0 : 400; }

int cuStreamCreate(void **stream, unsigned flags) { *stream = STREAM; return flags; }
int cuStreamDestroy_v2(void *stream) { return stream == STREAM && graphs == 0 ? 0 : 400; }
// A graph is the number of launches that were recorded.
int cuStreamBeginCapture_v2(void *stream, int mode) { if (stream != STREAM || mode != 1 || capturing) return 400; capturing = 1; graphs++; return 0; }
int cuStreamEndCapture(void *stream, void **graph) { *graph = HANDLE(100 + capturing - 1); int right = stream == STREAM && capturing; capturing = 0; return right ? 0 : 401; }
int cuGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags) { *executable = (char *)graph + 100000; graphs++; return (int)flags; }
int cuGraphDestroy(void *graph) { graphs--; return graph >= HANDLE(100) ? 0 : 400; }
int cuGraphExecDestroy(void *executable) { graphs--; return executable >= HANDLE(100100) ? 0 : 400; }
int cuGraphLaunch(void *executable, void *stream) { executed += (float)((char *)executable - (char *)HANDLE(100100)); return stream == STREAM ? 0 : 400; }
int graphs_alive(void) { return graphs; }

struct saxpy_arguments { const float *x; float *y; int n; float a; };

static int saxpy(const struct saxpy_arguments *k, unsigned threads)
{
  if (k->n == 13) return 700;
  if (capturing) { capturing++; return 0; }
  for (unsigned i = 0; i < threads; i++) if ((int)i < k->n) k->y[i] += k->a * k->x[i];
  return 0;
}

int cuLaunchKernel(void *fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, uint64_t *extra)
{
  if (fn != HANDLE(3) || params || stream != STREAM || shared != asked) return 400;
  if (extra[0] != 1 || extra[2] != 2 || extra[4] != 0 || *(uint64_t *)extra[3] != sizeof(struct saxpy_arguments)) return 701;
  return saxpy((void *)extra[1], gx * gy * gz * bx * by * bz);
}

static int together;
int cooperative_launches(void) { return together; }
int cuLaunchCooperativeKernel(void *fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params)
{
  if (fn != HANDLE(3) || stream != STREAM || shared != asked) return 400;
  if (gx * gy * gz > (shared > 100000 ? 2 : 8)) return 720;
  const struct saxpy_arguments k = { *(const float **)params[0], *(float **)params[1], *(int *)params[2], *(float *)params[3] };
  together++;
  return saxpy(&k, gx * gy * gz * bx * by * bz);
}

int nvrtcCreateProgram(void **program, const char *source, const char *name, int headers, void *texts, void *names)
{
  *program = HANDLE(5);
  wrong_program = !strstr(source, "saxpy(") || strcmp(name, "saxpy.cu") || headers || texts || names;
  return 0;
}
int nvrtcCompileProgram(void *program, int count, const char **options)
{
  if (program != HANDLE(5) || count < 2 || strcmp(options[0], "--gpu-architecture=sm_90") || strcmp(options[1], "--std=c++17")) return 5;
  for (int i = 2; i < count; i++) if (!strcmp(options[i], "--make-it-fail")) return 6;
  return wrong_program ? 6 : 0;
}
int nvrtcGetProgramLogSize(void *program, size_t *bytes) { *bytes = 22; return program == HANDLE(5) ? 0 : 4; }
int nvrtcGetProgramLog(void *program, char *log) { strcpy(log, "saxpy.cu(1): error: x"); return program == HANDLE(5) ? 0 : 4; }
int nvrtcGetCUBINSize(void *program, size_t *bytes) { *bytes = 6; return program == HANDLE(5) ? 0 : 4; }
int nvrtcGetCUBIN(void *program, char *image) { strcpy(image, "cubin"); return program == HANDLE(5) ? 0 : 4; }
int nvrtcDestroyProgram(void **program) { int right = *program == HANDLE(5); *program = 0; return right ? 0 : 4; }
