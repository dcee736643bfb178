import { quarantineFolder } from '#events/scans/notEntered.ts'

/** Line before those of the files. */
export const endOfHeader = '\n# Files: code, inode, size, modified, path\n'

/** Returns the beginning of the manifest of a run, for lines that call `back`. */
export const headerOf = (run: string): string =>
  `${script.replaceAll('QUARANTINE', quarantineFolder).replaceAll('RUN', run)}${endOfHeader.slice(1)}`

/* Any shell of POSIX runs it. `ln` replaces nothing and keeps the file the same; file systems without hard links get `mv -n`. */
const script = String.raw`#!/bin/sh
# Puts the files of one run back from quarantine to where they were, without DataIntell:
#   sh RUN.sh       puts back each file that is as it was when it was moved
#   sh RUN.sh -f    also files whose size or inode differs, as after a copy of the storage
# It replaces nothing, says what is in the way, and may be run again at any time.
LC_ALL=C
export LC_ALL
unset CDPATH
set -f
n='
'
case $0 in
*/*) cd -P -- "${'$'}{0%/*}/.." ;;
*) cd -P .. ;;
esac || exit 1
q=QUARANTINE/RUN force=${'$'}{1-} moved=0 left=0 top=$(env pwd -P)

leave() {
  printf '%s: %s\n' "$path" "$1" >&2
  left=$((left + 1))
}

# Gives a new folder the owner and mode of the one above. Someone may exchange it
# meanwhile: it is entered, and then changed only if it is new, empty and in its place.
alike() {
  cd -P -- "$next" && [ "$(env pwd -P)" = "${'$'}{top%/}/${'$'}{next#./}" ] && [ -z "$(ls -A)" ] || return 1
  case $(stat -c %u:%a .) in "$(id -u):700" | "$(id -u):2700") ;; *) return 1 ;; esac
  chown "$(stat -c %u:%g ..)" .
  chmod "$(stat -c %a ..)" .
}

folders() {
  at=. rest=$path
  while [ "$rest" != "${'$'}{rest#*/}" ]; do
    next=$at/${'$'}{rest%%/*} rest=${'$'}{rest#*/}
    if [ -L "$next" ]; then return 1; fi
    if [ ! -d "$next" ]; then
      (umask 077 && mkdir "$next" 2>/dev/null) || return 1
      (alike) 2>/dev/null
    fi
    at=$next
  done
}

there() { [ -e "$1" ] || [ -L "$1" ]; }

back() {
  path=$5 from=$q/$5 to=./$5 inode=$2 size=$3
  if ! there "$from"; then
    there "$to" || leave 'neither in quarantine nor in its place'
    return 0
  fi
  if [ -L "$from" ] || [ ! -f "$from" ]; then leave 'is not a file in quarantine'; return 0; fi
  set -- $(ls -din "$from")
  is=$1
  if [ "$force" != -f ] && [ "$1 $6" != "$inode $size" ]; then
    leave 'differs from the file that was moved; use -f to put it back all the same'
    return 0
  fi
  if there "$to"; then
    set -- $(ls -din "$to")
    if [ "$is" = "$1" ]; then rm -f "$from"; else leave 'something else is in its place now'; fi
    return 0
  fi
  if ! folders; then leave "$next is a link or a file now, or can not be created"; return 0; fi
  if ln "$from" "$to" 2>/dev/null; then rm -f "$from"; else mv -n "$from" "$to"; fi
  if there "$from"; then leave 'was not moved'; else moved=$((moved + 1)); fi
}

finish() {
  [ ! -d "$q" ] || find "$q" -depth -type d -exec rmdir {} + 2>/dev/null
  printf 'Put back: %s. Left: %s.\n' "$moved" "$left"
  [ "$left" = 0 ] || exit 1
}
trap finish 0
`
