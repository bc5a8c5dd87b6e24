#!/bin/sh
# One task of several: predicts every OF-th point of the space of schedules, from INDEX on. Again after a failure, it
# goes on where it ended.
#   sh task.sh INDEX OF
set -eu
mkdir -p work
sed "s/\"INDEX\"/$1/; s/\"OF\"/$2/" search.json > "work/slice-$1.json"
tesela job "work/slice-$1.json"
