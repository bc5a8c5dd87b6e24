#!/bin/bash
# On the device: every line of runs.txt twice: with the recorder alone, all in parallel, then under Nsight Compute, which reads
# the counters of exactly the recorded launches, in all and per machine instruction. In: the folder that samples.sh filled, a
# folder for results, seconds in all. Out there: per run a folder with launches.jsonl, raw.csv, source.csv and contents; all of
# it in tar.gz parts of 15 MB. Usage: bash run.sh FOLDER OUT [SECONDS]
set -u
base=$(cd "$1" && pwd); out=$2; limit=${3:-330}
started=$(date +%s)
mkdir -p "$out"; work=$(mktemp -d)
export LD_LIBRARY_PATH=$base/lib:${LD_LIBRARY_PATH:-}
metrics=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_red.sum,l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_per_inst_executed.ratio,smsp__inst_executed_op_branch.sum
metrics=$metrics,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum
metrics=$metrics,smsp__sass_average_branch_targets_threads_uniform.pct,smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,smsp__sass_branch_targets_threads_uniform.sum
metrics=$metrics,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal,memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal,inst_executed,thread_inst_executed,thread_inst_executed_true
metrics=$metrics,launch__registers_per_thread,launch__occupancy_limit_registers,launch__occupancy_limit_shared_mem,launch__occupancy_limit_warps,launch__occupancy_limit_blocks,sm__maximum_warps_per_active_cycle_pct,gpu__time_duration.sum

export base work started limit
record() { # number|name|arguments
  IFS='|' read -r n name arguments <<<"$1"
  mkdir -p "$work/$n-$name"; printf '%s %s\n' "$name" "$arguments" >"$work/$n-$name/command"
  cd "$base/data" && RECORD_DIR=$work/$n-$name timeout -k 2 40 "$base/bin/$name" $arguments >"$work/$n-$name/log" 2>&1 </dev/null
  echo "$n-$name: exit $?, $(wc -l <"$work/$n-$name/launches.jsonl") recorded, contents $(du -sk "$work/$n-$name" | cut -f1) kB; $(grep -m2 -E 'rror:|record:' "$work/$n-$name/log" | tr '\n' ' ')"
}

export -f record
awk '{ printf "%02d|%s\n", NR, $0 }' "$base/runs.txt" >"$work/runs"
xargs -d '\n' -P 8 -I{} bash -c 'record "$1"' _ {} <"$work/runs"
echo "recorded after $(($(date +%s) - started)) s"

# A metric that this version of ncu does not know would cost every reading: all are tried on one launch, then each alone.
answers() {
  rm -rf "$work/try"; mkdir -p "$work/try"
  (cd "$base/data" && RECORD_DIR=$work/try RECORD_LAUNCHES=1 timeout -k 2 60 ncu --profile-from-start off --clock-control none -o "$work/try/report" -f --section SourceCounters --metrics "$1" "$base/bin/vectorAdd" >"$work/try/log" 2>&1 </dev/null)
  [ -f "$work/try/report.ncu-rep" ] && ! grep -q 'ERROR' "$work/try/log"
}
if ! answers "$metrics"; then
  tail -5 "$work/try/log"; kept=
  for m in $(echo "$metrics" | tr , ' '); do [ $(($(date +%s) - started)) -gt $((limit / 2)) ] && break; if answers "$m"; then kept=$kept,$m; else echo "unknown metric: $m"; fi; done
  metrics=${kept#,}
fi
rm -rf "$work/try"
export metrics
echo "metrics known after $(($(date +%s) - started)) s"
ncu --version | tail -1; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

profile() { # number|name|arguments; memory is not written again
  IFS='|' read -r n name arguments <<<"$1"
  to=$work/$n-$name; t=$(date +%s%N)
  left=$((limit - $(date +%s) + started)); [ "$left" -lt 5 ] && { echo "$n-$name: no time"; return; }
  mkdir -p "$to/ncu"
  (cd "$base/data" && RECORD_TOTAL=0 RECORD_DIR=$to/ncu timeout -k 2 "$left" ncu --target-processes all --profile-from-start off --clock-control none -o "$to/ncu/report" -f --section SourceCounters --metrics "$metrics" \
    "$base/bin/$name" $arguments >"$to/ncu/log" 2>&1 </dev/null)
  if cd "$to/ncu" && [ -f report.ncu-rep ]; then
    ncu -i report.ncu-rep --csv --page raw --print-kernel-base mangled --print-units base >../raw.csv 2>raw.log
    ncu -i report.ncu-rep --csv --page source --print-kernel-base mangled --print-units base >../source.csv 2>source.log
  fi
  echo "$n-$name: $(wc -l <"$to/ncu/launches.jsonl") profiled, $((($(date +%s%N) - t) / 1000000)) ms, $(wc -l <../source.csv) lines; $(grep -m2 -E 'ERROR|rror:' "$to/ncu/log" | tr '\n' ' ')"
  rm -rf "$to/ncu"
}
export -f profile

xargs -d '\n' -P "${JOBS:-4}" -I{} bash -c 'profile "$1"' _ {} <"$work/runs"
echo "profiled after $(($(date +%s) - started)) s"
head -c 600 "$work"/01-*/raw.csv; head -3 "$work"/01-*/source.csv | cut -c1-600; tail -3 "$work"/01-*/log
# What comes back is limited to 64 MB: the largest contents go first (their kernels are then replayed on zeros).
for most in 4000 800 200 50; do
  find "$work" -type f -name '*-*' -size +${most}k -delete
  tar cz -C "$work" . >"$work.tgz"
  [ "$(stat -c %s "$work.tgz")" -lt 58000000 ] && break
done
split -b 15000000 -d -a 1 "$work.tgz" "$out/truth.tgz."; rm -f "$work.tgz"
ls -la "$out"; echo "$(($(date +%s) - started)) s"
