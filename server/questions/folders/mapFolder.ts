import type { FolderMap, MapEntry } from '#events/folders/map.ts'
import { entriesOf, inStorages } from '#server/content/entries/selectEntries.ts'
import { isoIfKnown } from '#server/content/entries/entryRecord.ts'
import { placeKey, rowsAt } from '#server/content/entries/places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type MapRow, findMapped, largestIn } from './largestIn.ts'

type Query = { path: string; storageId: number; levels: number; most: number }
type Dates = { now: Snapshot; before?: Snapshot }

/** Maximum entries of a list, so it can be drawn at once. */
export const maxEntries = 20_000
/** A folder below this share of the whole is some twenty pixels wide, too small to show its contents. */
export const minOpenedShare = 1 / 2_000

/** A folder with its largest entries, level by level; undefined if the snapshot doesn't have it. */
export async function mapFolder(
  clickhouse: ClickHouse,
  { now, before }: Dates,
  { path, storageId, levels, most }: Query,
): Promise<FolderMap | undefined> {
  const mapped = { from: entriesOf(now, [storageId]), unrecordedAccess: now.unrecordedAccess }
  const root = await findMapped(clickhouse, mapped, path)
  if (!root) return undefined
  const placed: PlacedRow[] = [{ ...root, folder: null, smaller: null }]
  let opened = [0]
  for (let level = 1; level <= levels && opened.length > 0; level++) {
    const first = placed.length
    const folders = opened.map((place) => placed[place]?.path ?? '')
    const { children, counts } = await largestIn(clickhouse, mapped, { folders, most, limit: maxEntries - first })
    addBelow(placed, opened, children, counts)
    opened = placed.flatMap((entry, place) => (place >= first && isOpened(entry, root.bytes) ? [place] : []))
  }
  const sizes = before && (await sizesAt(clickhouse, before, storageId, placed))
  return {
    path: root.path || '/',
    indexingDate: now.indexingDate,
    previousIndexingDate: before?.indexingDate || null,
    ...asOf(inStorages(now, [storageId]).volumes),
    entries: placed.map((entry) => asMapped(entry, sizes && (sizes.get(placeKey(placeOf(storageId, entry))) ?? null))),
  }
}

type PlacedRow = MapRow & Pick<MapEntry, 'folder' | 'smaller'>

const isOpened = ({ isDirectory, bytes }: MapRow, whole: number) => isDirectory && bytes >= whole * minOpenedShare

/** Adds the entries found in some folders, and sets the omitted count of each folder. */
function addBelow(placed: PlacedRow[], opened: number[], children: MapRow[], counts: Map<string, number>): void {
  const places = new Map(opened.map((place) => [placed[place]?.path, place]))
  const rest = new Map(opened.map((place) => [place, { size: placed[place]?.bytes ?? 0, listed: 0 }]))
  for (const child of children) {
    const place = places.get(child.inPath)
    const left = place === undefined ? undefined : rest.get(place)
    if (place === undefined || !left) continue
    left.size -= child.bytes
    left.listed += 1
    placed.push({ ...child, folder: place, smaller: null })
  }
  for (const [place, { size, listed }] of rest) {
    const folder = placed[place]
    // The total of a folder is limited, see `maxStoredBytes`.
    if (folder) folder.smaller = { count: (counts.get(folder.path) ?? 0) - listed, size: Math.max(0, size) }
  }
}

const placeOf = (volumeId: number, { path, isDirectory }: MapRow) => ({ volumeId, path, isDirectory })

/** Sizes of the entries on a previous date; entries missing there have no size. */
async function sizesAt(clickhouse: ClickHouse, before: Snapshot, storageId: number, placed: PlacedRow[]) {
  const places = placed.map((entry) => placeOf(storageId, entry))
  const from = entriesOf(before, [storageId])
  const rows = await rowsAt<{ bytes: number }>(clickhouse, places, { columns: sql`size AS bytes`, from, where: sql`1` })
  return new Map(rows.map((row) => [placeKey(row), row.bytes]))
}

/** `was` is the previous size, null if the entry didn't exist, and undefined if no date is compared. */
function asMapped(entry: PlacedRow, was: number | null | undefined): MapEntry {
  const { bytes, lastAccess, lastModified, entryName, entryExtension, entryOwner, isDirectory, folder, smaller } = entry
  return {
    folder,
    name: entryName,
    isDirectory,
    size: bytes,
    extension: entryExtension,
    owner: entryOwner,
    lastAccess: isoIfKnown(lastAccess),
    lastModified: isoIfKnown(lastModified),
    delta: was === undefined || (was ?? 0) < 0 ? null : bytes - (was ?? 0),
    isCreated: was === null,
    smaller,
  }
}
