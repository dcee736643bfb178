#!/usr/bin/env bash
# Prints the 20 largest files that nobody opened for a number of years (2 by default), as CSV.
set -euo pipefail

years=${1:-2}
before=$(($(date +%Y) - years))-$(date +%m-%d)

curl --fail-with-body --silent --show-error --get "$DATAINTELL/api/files/search" \
  --header "Authorization: Bearer $TOKEN" \
  --data-urlencode "lastAccessBefore=$before" \
  --data "sort=size&direction=desc&size=20" |
  jq --raw-output '["size", "last access", "owner", "path"],
    (.elements[] | [.size, .lastAccess, .owner, .fullPath]) | @csv'
