#!/bin/bash
# A run on a Slurm cluster: sbatch examples/slurm/evolve.sh params/recipes/search.yaml runs/search.db
#
# One rank for each node, with a thread for each core. The run is one file, on a disk that rank 0 can write;
# the other nodes need the programs and nothing else. The run stops ten minutes before the end of the job
# ("--until"), and the same command goes on with it, with any number of nodes.
#SBATCH --job-name=grayling
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=08:00:00
#SBATCH --output=grayling-%j.log

recipe=${1:?usage: sbatch evolve.sh RECIPE RUN.db} run=${2:?usage: sbatch evolve.sh RECIPE RUN.db}
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK

# Ten minutes before the end of the job's time.
end=$(date -d "$(squeue -h -j "$SLURM_JOB_ID" -o %e)" +%s)
until=$(date -d "@$((end - 600))" '+%Y-%m-%d %H:%M')

if [ -e "$run" ]; then
    set -- resume "$run"
else
    mkdir -p "$(dirname "$run")"
    set -- evolve "$recipe" -o "$run"
fi
exec mpirun --map-by node --bind-to none grayling "$@" --until "$until"
