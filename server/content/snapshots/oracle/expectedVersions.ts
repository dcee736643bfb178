import { pathOfChildren, type EntryRow } from '#events/scans/entryRow.ts'
import type { SeenEntry } from './walkDisk.ts'

/** An entry as known from this scan or an older one, before totals. */
type KnownEntry = { row: EntryRow; unreadable: boolean }
export type Entries = Map<string, KnownEntry>

const keyOf = (parentPath: string, name: string, isDirectory: boolean) =>
  JSON.stringify([parentPath, name, isDirectory])

/** The known entries after a scan, from the entries it saw and those known before: plain loops over lists. */
export function learn(before: Entries, seen: SeenEntry[], scannedPath = ''): Entries {
  const after: Entries = new Map()
  const looked: Listings = { marks: new Map(), places: new Map() }
  for (const each of seen) {
    if (each.kind !== 'entry') {
      looked.marks.set(pathOfChildren(each), each.kind)
      continue
    }
    const { row } = each
    const key = keyOf(row.parentPath, row.name, row.isDirectory)
    const known = row.size === -1 ? before.get(key) : undefined
    after.set(key, { row: known?.row ?? row, unreadable: false })
    const place = row.parentPath + row.name
    looked.places.set(place, [...(looked.places.get(place) ?? []), row])
  }
  for (const [key, known] of before)
    if (!after.has(key) && staysKnown(known.row, looked, scannedPath)) after.set(key, known)
  for (const [key, known] of after)
    after.set(key, { ...known, unreadable: isUnread(known.row, looked, before.get(key)?.unreadable) })
  return after
}

/** The end of each folder's listing, and the entries seen at each path. */
type Listings = { marks: Map<string, 'listed' | 'unreadable'>; places: Map<string, EntryRow[]> }

function isUnread(row: EntryRow, { marks }: Listings, asBefore = false): boolean {
  const mark = marks.get(pathOfChildren(row))
  return row.isDirectory && (mark === undefined ? asBefore : mark === 'unreadable')
}

/** Returns whether an entry that was not seen is still known. */
function staysKnown(row: EntryRow, { marks, places }: Listings, scannedPath: string): boolean {
  const path = row.parentPath + row.name
  if (path !== scannedPath && !row.parentPath.startsWith(`${scannedPath}/`)) {
    return row.isDirectory || !`${scannedPath}/`.startsWith(`${path}/`)
  }
  if (path === scannedPath) return row.isDirectory && marks.get(`${path}/`) === 'unreadable'
  // From the entry upwards: the first listed folder determines whether its contents are still known.
  let below = path
  for (let folder = row.parentPath; folder.length > scannedPath.length; folder = parentOf(folder)) {
    const replaced = places.get(below)?.some((other) => other.inode !== 0)
    if (marks.get(folder) === 'listed' || replaced) return false
    if (marks.get(folder) === 'unreadable') return true
    below = folder.slice(0, -1)
  }
  return false
}

/** The parent of a folder; both in the form of `parent_path`. */
const parentOf = (folder: string): string => folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)
