#!/bin/bash
# On the device: every line of runs.txt once, with the recorder linked in, and Nsight Compute reading the
# counters of exactly the recorded launches. In: the folder that samples.sh filled, a folder for results, seconds in all.
# Out there: per run a folder with launches.jsonl, raw.csv, source.csv and contents; all of it in tar.gz parts of 15 MB.
# Usage: bash run.sh FOLDER OUT [SECONDS]
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

# A metric that this version of ncu does not know would cost every reading: all are tried on one launch, then each alone.
answers() {
  rm -rf "$work/try"; mkdir -p "$work/try"
  (cd "$base/data" && RECORD_DIR=$work/try RECORD_LAUNCHES=1 timeout -k 2 60 ncu --profile-from-start off --clock-control none -o "$work/try/report" -f --metrics "$1" "$base/bin/vectorAdd" >"$work/try/log" 2>&1 </dev/null)
  [ -f "$work/try/report.ncu-rep" ] && ! grep -q 'ERROR' "$work/try/log"
}
if ! answers "$metrics"; then
  tail -5 "$work/try/log"; kept=
  for m in $(echo "$metrics" | tr , ' '); do if answers "$m"; then kept=$kept,$m; else echo "unknown metric: $m"; fi; done
  metrics=${kept#,}
fi
rm -rf "$work/try"
echo "metrics known after $(($(date +%s) - started)) s"

ncu --version | tail -1; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
n=0
while IFS='|' read -r name arguments; do
  n=$((n + 1)); run=$(printf '%02d-%s' "$n" "$name"); mkdir -p "$work/$run"
  [ $(($(date +%s) - started)) -gt "$limit" ] && { echo "$run: no time"; continue; }
  printf '%s %s\n' "$name" "$arguments" >"$work/$run/command"
  t=$(date +%s%N)
  (
    cd "$base/data" || exit
    RECORD_DIR=$work/$run timeout -k 2 "${PER_RUN:-25}" ncu --target-processes all --profile-from-start off --clock-control none -o "$work/$run/report" -f --metrics "$metrics" \
      "$base/bin/$name" $arguments >"$work/$run/log" 2>&1 </dev/null
  )
  code=$?
  recorded=$(cat "$work/$run/launches.jsonl" 2>/dev/null | wc -l)
  echo "$run: exit $code, $recorded recorded, report $(stat -c %s "$work/$run/report.ncu-rep" 2>/dev/null), $((($(date +%s%N) - t) / 1000000)) ms, contents $(du -sk "$work/$run" | cut -f1) kB; $(grep -m2 -E 'ERROR|rror:|record:' "$work/$run/log" | tr '\n' ' ')"
  (
    cd "$work/$run" && [ -f report.ncu-rep ] || exit
    ncu -i report.ncu-rep --csv --page raw --print-kernel-base mangled --print-units base >raw.csv 2>raw.log
    ncu -i report.ncu-rep --csv --page source --print-kernel-base mangled --print-units base >source.csv 2>source.log
    rm -f report.ncu-rep
  ) &
done <"$base/runs.txt"
wait
head -c 600 "$work"/01-*/raw.csv; head -3 "$work"/01-*/source.csv | cut -c1-600; tail -3 "$work"/01-*/log
# What comes back is limited to 64 MB: the largest contents go first (their kernels are then replayed on zeros).
for most in 4000 800 200 50; do
  find "$work" -type f -name '*-*' -size +${most}k -delete
  tar cz -C "$work" . >"$work.tgz"
  [ "$(stat -c %s "$work.tgz")" -lt 58000000 ] && break
done
split -b 15000000 -d -a 1 "$work.tgz" "$out/truth.tgz."; rm -f "$work.tgz"
ls -la "$out"; echo "$(($(date +%s) - started)) s"
