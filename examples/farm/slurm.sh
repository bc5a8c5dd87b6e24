#!/bin/sh
# A Slurm array: sbatch slurm.sh, from this folder.
#SBATCH --job-name=tesela
#SBATCH --array=0-3
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -eu
exec sh task.sh "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT"
