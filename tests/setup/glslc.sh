#!/bin/sh
# glslc for a build folder beside another one, VKPRIM_BUILT, of the same sources: takes what that one has compiled of the same text, and runs
# VKPRIM_BUILT_GLSLC for all else. For shaders alone that cmake/VkprimOperation.cmake compiles, whose inputs are the last arguments.
set -eu
inputs=
for argument; do
    case $argument in *.comp) inputs="$inputs $argument" ;; esac
done
for input in $inputs; do
    made=$VKPRIM_BUILT/${input#"$VKPRIM_BUILDS/"}
    cmp -s "$input" "$made" && [ -e "$made.spv" ] || exec "$VKPRIM_BUILT_GLSLC" "$@"
done
[ -n "$inputs" ] || exec "$VKPRIM_BUILT_GLSLC" "$@"
for input in $inputs; do cp "$VKPRIM_BUILT/${input#"$VKPRIM_BUILDS/"}.spv" "$input.spv"; done
