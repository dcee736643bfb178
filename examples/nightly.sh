#!/usr/bin/env bash
# Scans a storage, and writes its large old files as CSV if that succeeded: nightly.sh Media /srv/reports
set -uo pipefail

storage=$1 folder=$2
dataintell scan "$storage" --wait >/dev/null
case $? in
  0) dataintell search "storage:\"$storage\" size>1mb accessed>2y" --csv --output "$folder/old-$(date +%F).csv" ;;
  3) echo "The token may not scan. It needs the role ROLE_ADMIN." >&2; exit 1 ;;
  4) echo "There is no storage $storage." >&2; exit 1 ;;
  *) echo "The scan of $storage failed. The files of the last scan are unchanged." >&2; exit 1 ;;
esac
