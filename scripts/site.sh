#!/usr/bin/env bash
# Makes build/site: all documents and the reference of the headers as one static site, which needs no server.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
install python3 doxygen libjs-lunr
python3 docs/site/site.py build/site
