import type { Stores } from '#server/platform/platform.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { billedBytes, bytesOnDiskOnce } from './billedBytes.ts'
import { entriesAt } from './entriesAt.ts'
import { type Snapshot, snapshotOrEmpty } from './snapshotAt.ts'

/** Figures of a storage, counted from the entries that a caller sees. Bytes. */
type StorageFigures = {
  sizeOfFiles: number
  sizeOnDisk: number
  billedSize: number
  countedSize: number
  numberOfFiles: number
  numberOfFolders: number
}
type Row = Pick<StorageFigures, 'sizeOfFiles' | 'numberOfFiles' | 'numberOfFolders'> & {
  [Name in 'sizeOnDisk' | 'billedSize' | 'countedSize']?: number | undefined
} & { forecast?: unknown; limited?: true | undefined }

/** Rows of storages in a snapshot as a caller sees them, see `limitStorages`. */
type LimitRows = <R extends Row>(rows: readonly R[], idOf: (row: R) => number) => R[]

const noCapacity = { total: null, used: null, free: null, fileSystem: null }

/**
 * Prepares the storages of a date for a caller: hidden ones are left out, and partly visible ones have no capacity and only the figures of
 * the visible entries.
 */
export async function limitStorages(stores: Stores, scope: Scope, date?: string): Promise<LimitRows> {
  if (scope === 'everything') return (rows) => [...rows]
  const snapshot = await snapshotOrEmpty(stores.db, scope, date)
  const counted = await countSeen(stores, snapshot)
  const seen = new Set(snapshot.volumes.map(({ volumeId }) => volumeId))
  return (rows, idOf) =>
    rows
      .filter((row) => seen.has(idOf(row)))
      .map((row) => (snapshot.partial.has(idOf(row)) ? asPart(row, counted.get(idOf(row)) ?? nothing) : row))
}

const nothing: StorageFigures = {
  sizeOfFiles: 0,
  sizeOnDisk: 0,
  billedSize: 0,
  countedSize: 0,
  numberOfFiles: 0,
  numberOfFolders: 0,
}

/** A row with other figures. Sizes that equal `sizeOfFiles` are absent. */
function asPart<R extends Row>(row: R, { countedSize, sizeOnDisk, billedSize, ...counted }: StorageFigures): R {
  const { forecast: _, sizeOnDisk: __, billedSize: ___, ...rest } = row
  return {
    ...rest,
    ...noCapacity,
    ...counted,
    ...('countedSize' in row && { countedSize }),
    ...(sizeOnDisk !== counted.sizeOfFiles && { sizeOnDisk }),
    ...(billedSize !== counted.sizeOfFiles && { billedSize }),
    limited: true,
  } as unknown as R
}

/** Figures of the partly visible storages of a snapshot, from the rows of their roots. */
async function countSeen({ clickhouse }: Stores, snapshot: Snapshot): Promise<Map<number, StorageFigures>> {
  const volumes = snapshot.volumes.filter(({ volumeId }) => snapshot.partial.has(volumeId))
  if (volumes.length === 0) return new Map()
  const rows = await clickhouse.rows<{ volumeId: number } & Record<keyof StorageFigures, number>>(sql`
    SELECT volume AS volumeId, toFloat64(greatest(size, 0)) AS sizeOfFiles, toFloat64(${bytesOnDiskOnce}) AS sizeOnDisk,
      toFloat64(${billedBytes(snapshot)}) AS billedSize, toFloat64(greatest(counted_size, 0)) AS countedSize,
      toFloat64(greatest(files, 0)) AS numberOfFiles, toFloat64(greatest(folders, 0)) AS numberOfFolders
    FROM ${entriesAt({ ...snapshot, volumes })} WHERE is_directory AND parent_path = '' AND name = ''`)
  return new Map(rows.map(({ volumeId, ...counted }) => [Number(volumeId), counted]))
}
