#!/bin/sh
# glslc for a build folder beside another one, VKPRIM_BUILT, of the same sources: takes what that one has compiled of the same text, and runs
# VKPRIM_BUILT_GLSLC for all else. For shaders alone that cmake/VkprimOperation.cmake compiles, into the folder where it runs.
set -eu
inputs=
for argument; do
    case $argument in *.comp) inputs="$inputs $argument" ;; esac
done
[ -n "$inputs" ] || exec "$VKPRIM_BUILT_GLSLC" "$@"
# Where that one has compiled them: the same folder behind another beginning, in which this one may lie itself.
folder=${PWD#/}
until [ -d "$VKPRIM_BUILT/$folder" ] && [ "$VKPRIM_BUILT/$folder" != "$PWD" ]; do
    case $folder in */*) folder=${folder#*/} ;; *) exec "$VKPRIM_BUILT_GLSLC" "$@" ;; esac
done
folder=$VKPRIM_BUILT/$folder
for input in $inputs; do
    name=${input##*/} text=$folder/${input##*/}
    [ -e "$text" ] || text=$folder/../$name # VkprimShorten.cmake reads what is made in a folder of its own
    cmp -s "$input" "$text" && [ -e "$folder/$name.spv" ] || exec "$VKPRIM_BUILT_GLSLC" "$@"
done
for input in $inputs; do cp "$folder/${input##*/}.spv" .; done
