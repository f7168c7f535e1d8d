#!/usr/bin/env bash
# Builds vkprim_peers and compares vkprim with CUB on this machine's NVIDIA GPU, into bench/results/<gpu>.md and .csv.
# `--build-only` ends after the build. Other arguments go to vkprim_peers.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build_only=
if [ "${1:-}" = --build-only ]; then
    build_only=1
    shift
fi

# Where NVIDIA's installers put it, it is often not on PATH.
nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if ! command -v "$nvcc" >/dev/null; then
    echo "There is no nvcc, CUDA's compiler: install the CUDA toolkit, 12 or later, from" >&2
    echo "https://developer.nvidia.com/cuda-downloads, then put nvcc on PATH or name it in CUDACXX." >&2
    exit 1
fi

configure_preset peers -DCMAKE_CUDA_COMPILER="$nvcc"
cmake --build --preset peers
[ -z "$build_only" ] || exit 0

mkdir -p bench/results
build/peers/vkprim_peers --md 'bench/results/{gpu}.md' --csv 'bench/results/{gpu}.csv' "$@"
