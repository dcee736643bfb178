import { giveError, giveName, type ListFolder, newDiskEntry } from './diskEntry.ts'
import { isGone, reason } from './failures.ts'
import { endOfName, inRecord, isDots, listingBytes, targetBytes, targetFrom } from './listedNames.ts'
import type { LookupPace } from './lookupPace.ts'
import { newSeenNames, type SeenNames } from './seenNames.ts'
import { isLink, statxMask, toldKinds } from './statx.ts'
import { statxFlags, type SystemCalls } from './systemCalls.ts'

/**
 * Lists folders by system calls alone. Entries are looked up in the open folder, by the name in the buffer that the kernel filled: no path
 * is built, and anything that takes the folder's place meanwhile is not seen. `onlyFolders` leaves out all else without looking it up, as far as the file
 * system names the kinds of entries.
 */
export function kernelFolders(calls: SystemCalls, { onlyFolders = false } = {}): ListFolder {
  const memory = newMemory(calls, onlyFolders)
  const { entry, lengths } = memory
  return ({ fd }, show, pace) => {
    memory.seen.clear()
    memory.pace = pace
    for (let length = read(fd, memory); length > 0; length = read(fd, memory))
      for (let at = 0; at < length;) {
        if (look(fd, at, memory)) show(entry)
        at += lengths[(at + inRecord.length) >> 1] as number
        if (!pace?.isSlow()) continue
        return { names: Buffer.from(memory.listing.subarray(at, length)), seen: giveSeen(memory) }
      }
    return undefined
  }
}

function giveSeen(memory: Memory): SeenNames {
  const { seen } = memory
  memory.seen = newSeenNames()
  return seen
}

/** Memory that the kernel fills, and its addresses. */
type Memory = ReturnType<typeof newMemory>
function newMemory(calls: SystemCalls, onlyFolders: boolean) {
  const listing = Buffer.from(new ArrayBuffer(listingBytes))
  const target = Buffer.from(new ArrayBuffer(targetBytes))
  const entry = newDiskEntry()
  return {
    calls,
    onlyFolders,
    listing,
    listingAt: calls.address(listing),
    lengths: new Uint16Array(listing.buffer),
    target,
    targetAt: calls.address(target),
    entry,
    statAt: calls.address(entry.stat),
    seen: newSeenNames(),
    pace: undefined as LookupPace | undefined,
  }
}

/** Reads more names of a folder; returns how many bytes they take. */
function read(fd: number, { calls, listingAt }: Memory): number {
  const length = calls.getdents64(fd, listingAt, listingBytes)
  if (length >= 0) return length
  const failure = calls.failure('getdents64')
  // A folder that is removed while it is read ends there.
  if (isGone(failure)) return 0
  throw failure
}

/** Fills the entry from the record at a place of the listing; whether it is an entry that is there. */
function look(fd: number, at: number, memory: Memory): boolean {
  const { entry, listing, seen } = memory
  const name = at + inRecord.name
  const end = endOfName(listing, name)
  if (memory.onlyFolders && !mayBeFolder(listing[at + inRecord.kind] as number)) return false
  if (isDots(listing, name, end) || !seen.isNew(listing, name, end)) return false
  entry.error = undefined
  entry.linkTarget = ''
  if (lookUp(fd, name, memory) !== 0 && !isKeptBack(at, memory)) return false
  giveName(entry, listing, name, end)
  if (entry.error === undefined && isLink(entry.stat)) entry.linkTarget = targetOf(fd, name, memory)
  return true
}

/** A file system may not name the kind, which is 0 then. */
const mayBeFolder = (kind: number): boolean => kind === 0 || kind === toldKinds.folder

function lookUp(fd: number, name: number, { calls, listingAt, statAt, pace }: Memory): number {
  if (!pace?.isSample()) return calls.statx(fd, listingAt + name, statxFlags, statxMask, statAt)
  const startMs = performance.now()
  const result = calls.statx(fd, listingAt + name, statxFlags, statxMask, statAt)
  pace.measured(performance.now() - startMs)
  return result
}

/** True if an entry that could not be looked up exists all the same. Then only the listing has its kind. */
function isKeptBack(at: number, { calls, entry, listing }: Memory): boolean {
  const failure = calls.failure('statx')
  if (isGone(failure)) return false
  giveError(entry, listing[at + inRecord.kind] as number, reason(failure))
  return true
}

function targetOf(fd: number, name: number, { calls, listingAt, target, targetAt }: Memory): string {
  const length = calls.readlinkat(fd, listingAt + name, targetAt, targetBytes)
  return targetFrom(target, length)
}
