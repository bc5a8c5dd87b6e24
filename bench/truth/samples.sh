#!/bin/sh
# Builds the programs of samples.txt from a checkout of NVIDIA's cuda-samples, with nvcc's shared runtime for the recorder,
# and their PTX with the same flags. In: the checkout, a folder to fill. Out there: bin/NAME, ptx/NAME/*.ptx, ptxas/NAME.txt
# (registers and spills), cubin/NAME/*.cubin (machine code with lines of that PTX), data/ (inputs that the samples come with, and two made here), runs.txt (NAME|arguments), librecord.so.
# Usage: sh bench/truth/samples.sh CHECKOUT OUT [NAME…]
set -u
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$1" && pwd); mkdir -p "$2"; out=$(cd "$2" && pwd); shift 2
cuda=${CUDA_HOME:-/usr/local/cuda}
flags="-arch=sm_90 -lineinfo -std=c++17 -I$checkout/Common"
mkdir -p "$out/bin" "$out/ptx" "$out/ptxas" "$out/data" "$out/src"

g++ -std=c++17 -O2 -shared -fPIC -I"$cuda/include" -o "$out/librecord.so" "$here/record.cc" -ldl || exit 1

# Before libcudart among what the program needs, so that its calls meet the recorder first (a profiler sets LD_PRELOAD itself).
recorder="-Xlinker --no-as-needed -L$out -lrecord -Xlinker -rpath -Xlinker \$ORIGIN/.."

trim() { printf '%s' "$1" | sed 's/^ *//; s/ *$//'; }

patch_sizes() { # folder, patches: every expression must change its file
  printf '%s\n' "$2" | sed 's/ ; /\n/g' | while IFS= read -r one; do
    one=$(trim "$one"); [ -z "$one" ] && continue
    file=$(find "$1" -name "${one%%:*}" | head -1)
    cp "$file" "$1/before"; sed -i "${one#*:}" "$file"
    cmp -s "$file" "$1/before" && echo "$1: $one changes nothing" >&2
    rm "$1/before"
  done
}

build() { # folder, patches
  name=$(basename "$1"); src=$out/src/$name
  rm -rf "$src"; cp -r "$checkout/Samples/$1" "$src"
  patch_sizes "$src" "$2"
  [ -d "$src/data" ] && cp "$src"/data/*.bmp "$src"/data/*.ppm "$out/data/" 2>/dev/null
  includes=$(find "$src" -type d | sed 's/^/-I/')
  sources=$(find "$src" -name '*.cu' -o -name '*.cpp'); kernels=$(find "$src" -name '*.cu')
  # Samples that open a window are launched by a program of ours, which includes their kernels.
  [ -f "$here/drivers/$name.cu" ] && sources=$here/drivers/$name.cu && kernels=$sources
  nvcc -cudart shared $flags $includes -o "$out/bin/$name" $sources $recorder 2>"$out/bin/$name.log" || { echo "$name: $(grep -m1 -iE 'error' "$out/bin/$name.log")" >&2; return 1; }
  rm -f "$out/bin/$name.log"; mkdir -p "$out/ptx/$name"; : >"$out/ptxas/$name.txt"
  for cu in $kernels; do
    ptx=$out/ptx/$name/$(basename "$cu" .cu).ptx
    nvcc -ptx $flags $includes -o "$ptx" "$cu" 2>/dev/null || continue
    grep -q '\.entry' "$ptx" || { rm "$ptx"; continue; }
    sed -i "s#$src/##g" "$ptx"
    mkdir -p "$out/cubin/$name"
    ptxas -v -lineinfo -arch=sm_90 -o "$out/cubin/$name/$(basename "$cu" .cu).cubin" "$ptx" 2>>"$out/ptxas/$name.txt"
  done
}

: >"$out/runs.txt"
grep -v '^#' "$here/samples.txt" | while IFS='|' read -r folder patches arguments; do
  folder=$(trim "$folder"); name=$(basename "$folder")
  [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx "$name" && continue
  [ "${KEEP:-}" ] && [ -x "$out/bin/$name" ] || build "$folder" "$patches" || continue
  printf '%s\n' "$arguments" | sed 's/||/\n/g' | while IFS= read -r one; do printf '%s|%s\n' "$name" "$(trim "$one")"; done >>"$out/runs.txt"
done
awk 'BEGIN { s = 7; for (i = 0; i < 4096; i++) { s = (s * 1103515245 + 12345) % 2147483648; print s / 2147483648 } }' >"$out/data/signal.dat"
wc -l <"$out/runs.txt"
