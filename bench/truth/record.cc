// A library that a CUDA program is run with (LD_PRELOAD, or linked before a shared libcudart). In: the program's launches.
// Out, in the folder $RECORD_DIR: launches.jsonl, one line per recorded launch (kernel, grid, block, parameter bytes, the
// memory and textures that they lead to, what the driver says of occupancy), and each memory's contents before the launch in a file
// named by their hash. Each recorded launch is bracketed by cudaProfilerStart/Stop, so that
// `ncu --profile-from-start off` reads the counters of exactly these. Launches inside graphs are not recorded.
// Build: g++ -O2 -shared -fPIC -o librecord.so record.cc -ldl
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {

struct Allocation { size_t bytes; bool onHost; };
struct Variable { const char* host; size_t bytes; };
struct Texture { cudaResourceDesc resource; cudaTextureDesc sampler; };

std::recursive_mutex lock;
std::map<uintptr_t, Allocation> live;
std::map<std::string, Variable> variables;
std::map<uint64_t, Texture> textures;
std::map<const void*, std::string> names;
std::set<std::string> seenShapes;
std::map<std::string, int> seenKernels;
std::set<std::string> written;
uint64_t ordinal = 0, recorded = 0, totalBytes = 0;
thread_local bool inside = false;

template <typename F>
F next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) { fprintf(stderr, "record: libcudart has no %s; build the program with -cudart shared\n", name); abort(); }
  return reinterpret_cast<F>(found);
}
#define NEXT(name) ([] { static auto f = next<decltype(&name)>(#name); return f; }())

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text ? strtoull(text, nullptr, 10) : otherwise;
}
const char* folder() { static const char* f = getenv("RECORD_DIR"); return f; }

void track(const void* at, size_t bytes, bool onHost) {
  std::lock_guard<std::recursive_mutex> hold(lock);
  if (at && bytes) live[reinterpret_cast<uintptr_t>(at)] = {bytes, onHost};
}
void forget(const void* at) {
  std::lock_guard<std::recursive_mutex> hold(lock);
  live.erase(reinterpret_cast<uintptr_t>(at));
}

/** The allocation that holds the address, or end. One past the last byte counts: it is what an empty range begins with. */
std::map<uintptr_t, Allocation>::iterator holding(uintptr_t address) {
  auto it = live.upper_bound(address);
  if (it == live.begin()) return live.end();
  --it;
  return address < it->first + it->second.bytes ? it : live.end();
}

std::string hashOf(const std::vector<unsigned char>& bytes) {
  uint64_t h = 1469598103934665603ull;
  for (unsigned char b : bytes) h = (h ^ b) * 1099511628211ull;
  char text[40];
  snprintf(text, sizeof text, "%016llx-%zu", static_cast<unsigned long long>(h), bytes.size());
  return text;
}

/** Writes contents once; the JSON of the file's name, or null when the program's limit is reached. */
std::string keep(const std::vector<unsigned char>& bytes) {
  const std::string name = hashOf(bytes);
  if (!written.count(name)) {
    if (totalBytes + bytes.size() > setting("RECORD_TOTAL", 24u << 20)) return "null";
    FILE* f = fopen((std::string(folder()) + "/" + name).c_str(), "wb");
    if (!f) return "null";
    fwrite(bytes.data(), 1, bytes.size(), f);
    fclose(f);
    totalBytes += bytes.size();
    written.insert(name);
  }
  return "\"" + name + "\"";
}

std::vector<unsigned char> contents(uintptr_t at, const Allocation& a) {
  std::vector<unsigned char> bytes(a.bytes);
  const void* from = reinterpret_cast<const void*>(at);
  if (a.onHost) memcpy(bytes.data(), from, a.bytes);
  else if (NEXT(cudaMemcpy)(bytes.data(), from, a.bytes, cudaMemcpyDeviceToHost) != cudaSuccess) { cudaGetLastError(); bytes.clear(); }
  return bytes;
}

void addressesIn(const unsigned char* bytes, size_t count, std::vector<uintptr_t>& out) {
  for (size_t i = 0; i + 8 <= count; i += 8) {
    uintptr_t value;
    memcpy(&value, bytes + i, 8);
    const auto it = holding(value);
    if (it != live.end()) out.push_back(it->first);
  }
}

/** Every allocation that the bytes lead to, directly or through memory, as JSON. */
std::string reached(std::vector<uintptr_t> todo) {
  const size_t most = setting("RECORD_BYTES", 4u << 20);
  std::set<uintptr_t> done;
  std::string json;
  while (!todo.empty()) {
    const uintptr_t at = todo.back();
    todo.pop_back();
    if (!done.insert(at).second) continue;
    const Allocation a = live[at];
    std::string file = "null";
    if (a.bytes <= most) {
      const auto bytes = contents(at, a);
      if (bytes.size() == a.bytes) file = keep(bytes);
      addressesIn(bytes.data(), std::min<size_t>(bytes.size(), 65536), todo);
    }
    char text[160];
    snprintf(text, sizeof text, "%s{\"at\":\"0x%llx\",\"bytes\":%zu,\"file\":%s}", json.empty() ? "" : ",", static_cast<unsigned long long>(at), a.bytes, file.c_str());
    json += text;
  }
  return json;
}

std::string variablesJson(std::vector<uintptr_t>& todo) {
  std::string json;
  for (const auto& [name, v] : variables) {
    if (v.bytes > setting("RECORD_BYTES", 4u << 20)) continue;
    std::vector<unsigned char> bytes(v.bytes);
    void* at = nullptr;
    if (NEXT(cudaMemcpyFromSymbol)(bytes.data(), v.host, v.bytes, 0, cudaMemcpyDeviceToHost) != cudaSuccess || NEXT(cudaGetSymbolAddress)(&at, v.host) != cudaSuccess) { cudaGetLastError(); continue; }
    addressesIn(bytes.data(), std::min<size_t>(bytes.size(), 65536), todo);
    char text[64];
    snprintf(text, sizeof text, "\",\"at\":\"%p\",\"bytes\":%zu,\"file\":", at, v.bytes);
    json += (json.empty() ? "{\"name\":\"" : ",{\"name\":\"") + name + text + keep(bytes) + "}";
  }
  return json;
}

/** Texels of a texture of one level, row after row, without padding; empty for kinds that are not read (mipmaps, layers, linear memory). */
std::vector<unsigned char> texels(const cudaResourceDesc& r, cudaChannelFormatDesc& format, cudaExtent& extent) {
  unsigned flags = 0;
  if (r.resType == cudaResourceTypeArray) {
    if (NEXT(cudaArrayGetInfo)(&format, &extent, &flags, r.res.array.array) != cudaSuccess || extent.depth > 0) return {};
  } else if (r.resType == cudaResourceTypePitch2D) {
    format = r.res.pitch2D.desc;
    extent = {r.res.pitch2D.width, r.res.pitch2D.height, 0};
  } else {
    return {};
  }
  const size_t row = extent.width * static_cast<size_t>(format.x + format.y + format.z + format.w) / 8, rows = std::max<size_t>(1, extent.height);
  std::vector<unsigned char> bytes(row * rows);
  const cudaError_t e = r.resType == cudaResourceTypeArray ? NEXT(cudaMemcpy2DFromArray)(bytes.data(), row, r.res.array.array, 0, 0, row, rows, cudaMemcpyDeviceToHost)
                                                           : NEXT(cudaMemcpy2D)(bytes.data(), row, r.res.pitch2D.devPtr, r.res.pitch2D.pitchInBytes, row, rows, cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) bytes.clear();
  return bytes;
}

/** Textures whose handles stand in parameters, as JSON. */
std::string texturesJson(const std::vector<uint64_t>& handles) {
  std::string json;
  for (const uint64_t handle : handles) {
    const auto it = textures.find(handle);
    if (it == textures.end()) continue;
    const cudaTextureDesc& t = it->second.sampler;
    cudaChannelFormatDesc f{};
    cudaExtent e{};
    const auto bytes = texels(it->second.resource, f, e);
    cudaGetLastError();
    char text[320];
    snprintf(text, sizeof text, "%s{\"handle\":\"0x%llx\",\"bits\":[%d,%d,%d,%d],\"kind\":%d,\"extent\":[%zu,%zu],\"address\":[%d,%d,%d],\"filter\":%d,\"read\":%d,\"normalized\":%s,\"file\":", json.empty() ? "" : ",",
             static_cast<unsigned long long>(handle), f.x, f.y, f.z, f.w, static_cast<int>(f.f), e.width, std::max<size_t>(1, e.height), t.addressMode[0], t.addressMode[1], t.addressMode[2], t.filterMode, t.readMode, t.normalizedCoords ? "true" : "false");
    json += text + (bytes.empty() ? "null" : keep(bytes)) + "}";
  }
  return json;
}

/** Every 8-byte value of the parameters. */
std::vector<uint64_t> wordsOf(const void* f, void** args) {
  std::vector<uint64_t> words;
  size_t offset = 0, bytes = 0;
  for (size_t i = 0; cudaFuncGetParamInfo(f, i, &offset, &bytes) == cudaSuccess; i++)
    for (size_t at = 0; at + 8 <= bytes; at += 8) { uint64_t w; memcpy(&w, static_cast<const unsigned char*>(args[i]) + at, 8); words.push_back(w); }
  cudaGetLastError();
  return words;
}

std::string nameOf(const void* f) {
  const auto it = names.find(f);
  if (it != names.end()) return it->second;
  const char* name = nullptr;
  if (cudaFuncGetName(&name, f) == cudaSuccess && name) return names[f] = name;
  cudaGetLastError();
  return "";
}

/** Parameters as JSON, and the allocations that their bytes name. */
std::string paramsJson(const void* f, void** args, std::vector<uintptr_t>& todo) {
  std::string json;
  size_t offset = 0, bytes = 0;
  for (size_t i = 0; cudaFuncGetParamInfo(f, i, &offset, &bytes) == cudaSuccess; i++) {
    const auto* from = static_cast<const unsigned char*>(args[i]);
    std::string hex;
    char two[3];
    for (size_t k = 0; k < bytes; k++) { snprintf(two, sizeof two, "%02x", from[k]); hex += two; }
    json += (json.empty() ? "\"" : ",\"") + hex + "\"";
    std::vector<unsigned char> copy(from, from + bytes);
    addressesIn(copy.data(), bytes, todo);
  }
  cudaGetLastError();
  return json;
}

struct Shape { dim3 grid, block; size_t shared; };

std::string shapeJson(const Shape& s) {
  char text[160];
  snprintf(text, sizeof text, "\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu", s.grid.x, s.grid.y, s.grid.z, s.block.x, s.block.y, s.block.z, s.shared);
  return text;
}

/** Whether the launch is new in shape or arguments, and the limits per kernel and program are not reached. */
bool wanted(const void* f, const std::string& name, const std::string& shape, void** args) {
  if (!folder() || name.empty() || recorded >= setting("RECORD_LAUNCHES", 24)) return false;
  if (seenKernels[name] >= static_cast<int>(setting("RECORD_PER_KERNEL", 3))) return false;
  std::vector<uintptr_t> ignored;
  if (!seenShapes.insert(name + shape + paramsJson(f, args, ignored)).second) return false;
  seenKernels[name]++;
  return true;
}

bool capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

/** Writes the launch's line; what fails on the way leaves its part out. */
void record(const void* f, const std::string& name, const Shape& s, void** args, bool cooperative) {
  cudaDeviceSynchronize();
  std::vector<uintptr_t> todo;
  const std::string params = paramsJson(f, args, todo);
  const std::string vars = variablesJson(todo);
  const std::string memory = reached(todo);
  const std::string images = texturesJson(wordsOf(f, args));
  cudaFuncAttributes a{};
  int blocks = -1;
  if (cudaFuncGetAttributes(&a, f) != cudaSuccess || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, static_cast<int>(s.block.x * s.block.y * s.block.z), s.shared) != cudaSuccess) cudaGetLastError();
  FILE* out = fopen((std::string(folder()) + "/launches.jsonl").c_str(), "a");
  if (!out) return;
  fprintf(out, "{\"row\":%llu,\"ordinal\":%llu,\"kernel\":\"%s\",%s,\"cooperative\":%s,\"registers\":%d,\"static\":%zu,\"local\":%zu,\"activeBlocks\":%d,\"params\":[%s],\"variables\":[%s],\"allocations\":[%s],\"textures\":[%s]}\n",
          static_cast<unsigned long long>(recorded), static_cast<unsigned long long>(ordinal), name.c_str(), shapeJson(s).c_str(), cooperative ? "true" : "false",
          a.numRegs, a.sharedSizeBytes, a.localSizeBytes, blocks, params.c_str(), vars.c_str(), memory.c_str(), images.c_str());
  fclose(out);
  recorded++;
}

template <typename Launch>
cudaError_t around(const void* f, const Shape& s, void** args, cudaStream_t stream, bool cooperative, Launch launch) {
  if (inside) return launch();
  std::lock_guard<std::recursive_mutex> hold(lock);
  inside = true;
  const std::string name = nameOf(f);
  const bool take = !capturing(stream) && wanted(f, name, shapeJson(s), args);
  if (take) { record(f, name, s, args, cooperative); cudaProfilerStart(); }
  ordinal++;
  const cudaError_t result = launch();
  if (take) { cudaDeviceSynchronize(); cudaProfilerStop(); }
  inside = false;
  return result;
}

}  // namespace

extern "C" {

void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, uint3* t, uint3* b, dim3* bd, dim3* gd, int* w) {
  { std::lock_guard<std::recursive_mutex> hold(lock); names[host] = name; }
  NEXT(__cudaRegisterFunction)(handle, host, device, name, limit, t, b, bd, gd, w);
}
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext, size_t bytes, int constant, int global) {
  { std::lock_guard<std::recursive_mutex> hold(lock); variables[name] = {host, bytes}; }
  NEXT(__cudaRegisterVar)(handle, host, device, name, ext, bytes, constant, global);
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  const cudaError_t e = NEXT(__cudaGetKernel)(kernel, host);
  std::lock_guard<std::recursive_mutex> hold(lock);
  if (e == cudaSuccess && names.count(host)) names[*kernel] = names[host];
  return e;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t stream) {
  return around(reinterpret_cast<const void*>(k), {grid, block, shared}, args, stream, false, [&] { return NEXT(__cudaLaunchKernel)(k, grid, block, args, shared, stream); });
}
cudaError_t cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t stream) {
  return around(f, {grid, block, shared}, args, stream, false, [&] { return NEXT(cudaLaunchKernel)(f, grid, block, args, shared, stream); });
}
cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t stream) {
  return around(f, {grid, block, shared}, args, stream, true, [&] { return NEXT(cudaLaunchCooperativeKernel)(f, grid, block, args, shared, stream); });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** args) {
  return around(f, {c->gridDim, c->blockDim, c->dynamicSmemBytes}, args, c->stream, false, [&] { return NEXT(cudaLaunchKernelExC)(c, f, args); });
}

#define ALLOCATES(name, declared, passed, size, host) \
  cudaError_t name declared {                         \
    const cudaError_t e = NEXT(name) passed;          \
    if (e == cudaSuccess) track(*p, size, host);      \
    return e;                                         \
  }
ALLOCATES(cudaMalloc, (void** p, size_t n), (p, n), n, false)
ALLOCATES(cudaMallocManaged, (void** p, size_t n, unsigned flags), (p, n, flags), n, false)
ALLOCATES(cudaMallocPitch, (void** p, size_t* pitch, size_t w, size_t h), (p, pitch, w, h), *pitch * h, false)
ALLOCATES(cudaMallocAsync, (void** p, size_t n, cudaStream_t s), (p, n, s), n, false)
ALLOCATES(cudaMallocFromPoolAsync, (void** p, size_t n, cudaMemPool_t pool, cudaStream_t s), (p, n, pool, s), n, false)
ALLOCATES(cudaMallocHost, (void** p, size_t n), (p, n), n, true)
ALLOCATES(cudaHostAlloc, (void** p, size_t n, unsigned flags), (p, n, flags), n, true)

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* t, const cudaResourceDesc* r, const cudaTextureDesc* d, const cudaResourceViewDesc* v) {
  const cudaError_t e = NEXT(cudaCreateTextureObject)(t, r, d, v);
  std::lock_guard<std::recursive_mutex> hold(lock);
  if (e == cudaSuccess && r && d) textures[*t] = {*r, *d};
  return e;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) {
  { std::lock_guard<std::recursive_mutex> hold(lock); textures.erase(t); }
  return NEXT(cudaDestroyTextureObject)(t);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent e) {
  const cudaError_t result = NEXT(cudaMalloc3D)(p, e);
  if (result == cudaSuccess) track(p->ptr, p->pitch * e.height * e.depth, false);
  return result;
}
cudaError_t cudaHostRegister(void* p, size_t n, unsigned flags) {
  const cudaError_t e = NEXT(cudaHostRegister)(p, n, flags);
  if (e == cudaSuccess) track(p, n, true);
  return e;
}
cudaError_t cudaFree(void* p) { forget(p); return NEXT(cudaFree)(p); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) { forget(p); return NEXT(cudaFreeAsync)(p, s); }
cudaError_t cudaFreeHost(void* p) { forget(p); return NEXT(cudaFreeHost)(p); }
cudaError_t cudaHostUnregister(void* p) { forget(p); return NEXT(cudaHostUnregister)(p); }

}  // extern "C"
