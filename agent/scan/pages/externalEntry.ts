import { cleanLine } from '#events/contract/cleanText.ts'
import { entryLimits, maxFileSize } from '#events/scans/entryLimits.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { isFileName, isFolderPath } from '#events/contract/fileNames.ts'
import { maxPathLength } from '../progress.ts'

const latestSeconds = Number.MAX_SAFE_INTEGER

/**
 * Checks an entry as an external system lists it. Returns the reason why it can't be recorded, or the entry with values that stores take:
 * texts are cleaned and cut, numbers that can't be right are unknown. `isFile` is true for a system of files: objects may have any name.
 */
export function checkedEntry(entry: EntryRow, isFile: boolean): EntryRow | string {
  const { parentPath, name, owner, group, linkTarget, etag, storageClass, metadata } = entry
  if (isFile && !(isFileName(name) && isFolderPath(parentPath))) return 'No file or folder can have its name'
  if (isLonger(name, entryLimits.name)) return `Its name is longer than ${inText(entryLimits.name)} bytes`
  if (parentPath.length > maxPathLength) return `Its path is longer than ${inText(maxPathLength)} characters`
  return {
    ...entry,
    size: sizeOf(entry.size),
    allocatedSize: sizeOf(entry.allocatedSize),
    linkCount: withinWord(entry.linkCount, 1),
    mode: withinWord(entry.mode, 0),
    created: timeOf(entry.created),
    modified: timeOf(entry.modified),
    accessed: timeOf(entry.accessed),
    owner: word(owner),
    group: word(group),
    linkTarget: isLonger(linkTarget, entryLimits.linkTarget) ? '' : linkTarget,
    ...(etag !== undefined && { etag: isLonger(etag, entryLimits.word) ? '' : etag }),
    ...(storageClass !== undefined && { storageClass: word(storageClass) }),
    ...(entry.backupDate !== undefined && { backupDate: timeOf(entry.backupDate) }),
    ...(metadata && { metadata: metadataOf(metadata) }),
  }
}

const inText = (count: number): string => count.toLocaleString('en')

/** Only texts that could be too long are counted: a UTF-16 unit takes at most three bytes. */
const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && Buffer.byteLength(text) > bytes

const charactersIn = (bytes: number): number => Math.floor(bytes / 3)

const maxWord = charactersIn(entryLimits.word)
const isPlain = /^[\x20-\x7e]*$/
const word = (text: string): string => (text.length <= maxWord && isPlain.test(text) ? text : cleanLine(text, maxWord))

const metadataOf = (metadata: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .slice(0, entryLimits.metadataPairs)
      .map(([key, value]) => [
        cleanLine(key, charactersIn(entryLimits.metadataKey)),
        cleanLine(value, charactersIn(entryLimits.metadataValue)),
      ]),
  )

/** A whole number of bytes that the columns hold; -1, which is unknown, for all else. */
function sizeOf(size: number | bigint): number | bigint {
  const isSize = typeof size === 'bigint' ? size >= 0n && size <= maxFileSize : Number.isInteger(size) && size >= 0
  return isSize && size <= maxFileSize ? size : -1
}

const timeOf = (seconds: number): number =>
  Number.isFinite(seconds) && Math.abs(seconds) <= latestSeconds ? Math.floor(seconds) : 0

const withinWord = (value: number, otherwise: number): number =>
  Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : otherwise
