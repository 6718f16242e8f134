# shellcheck shell=bash
# Shared by the commands of this folder: the environment of an MPI program on one machine, and the build.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# The comment at the head of the calling script is its help text.
usage() { awk 'NR > 1 && !/^#/ {exit} NR > 1 && !/shellcheck/ {sub(/^# ?/, ""); print}' "$0"; }

# Memory that this machine, or the container's limit, leaves us, in GiB.
memory_gib() {
  local kib limit
  kib=$(awk '/^MemTotal/ {print $2}' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  if [[ $limit != max ]] && ((limit / 1024 < kib)); then kib=$((limit / 1024)); fi
  echo $((kib / 1048576))
}

# nproc itself answers OMP_NUM_THREADS where that is set.
core_count() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# Compilers and tests take up to 2 GiB a job.
job_count() {
  local cores by_memory
  cores=$(core_count)
  by_memory=$(($(memory_gib) / 2))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# What mpirun needs on a laptop, in a container and on a CI machine; what the caller has set stays.
# Open MPI counts physical cores as slots, so two ranks on two hardware threads are "oversubscribed".
mpi_environment() {
  export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
  export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}
  # The same two for Open MPI 5.
  export PRTE_MCA_rmaps_default_mapping_policy=${PRTE_MCA_rmaps_default_mapping_policy:-:oversubscribe}
  export PRTE_MCA_hwloc_default_binding_policy=${PRTE_MCA_hwloc_default_binding_policy:-none}
  # PETSc's BLAS brings its own threads, which would fight with the ranks.
  export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
  if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
}

# The CUDA compiler, empty where there is none.
find_nvcc() {
  command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null || true
}

# configure PRESET: only the first time, and when the presets changed or the patience with tests (nightly or not); the
# build itself sees every other change.
configure() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1-configure.log
  local patience=${UNBARRED_NIGHTLY:-0}
  if [[ -e $folder/configured && ! $root/CMakePresets.json -nt $folder/configured &&
    $(<"$folder/configured") == "$patience" ]]; then return; fi
  local options=()
  # A folder keeps the generator it was first configured with.
  if [[ ! -e $folder/CMakeCache.txt ]] && command -v ninja >/dev/null; then options+=(-G Ninja); fi
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    if [[ $preset == cuda ]]; then options+=(-DCMAKE_CUDA_COMPILER_LAUNCHER=ccache); fi
  fi
  say "configuring build/$preset (log: build/$preset-configure.log)"
  mkdir -p "$root/build"
  if ! (cd "$root" && cmake --preset "$preset" "${options[@]}") >"$log" 2>&1; then
    cat "$log" >&2
    printf 'error: cmake --preset %s failed, see above\n' "$preset" >&2
    return 1
  fi
  printf '%s\n' "$patience" >"$folder/configured"
}

# build PRESET [TARGET]
build() {
  configure "$1" || return
  say "building build/$1 with $(job_count) jobs"
  # Paths relative to the checkout, so that a second checkout finds the objects of the first.
  CCACHE_BASEDIR=$root cmake --build "$root/build/$1" --parallel "$(job_count)" --target "${2:-all}"
}
