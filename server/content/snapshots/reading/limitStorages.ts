import { now } from '#events/contract/endpoint.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { billedBytes, bytesOnDiskOnce } from './billedBytes.ts'
import { foldersAboveAt, type ReadVolume, seenRows } from './entriesAt.ts'
import { snapshotOrEmpty } from './snapshotAt.ts'

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
} & { forecast?: unknown; limited?: true | undefined; asOf?: number | undefined }

/** Rows of storages in a snapshot as a caller sees them, see `limitStorages`. */
type LimitRows = <R extends Row>(rows: readonly R[], idOf: (row: R) => number) => R[]

const noCapacity = { total: null, used: null, free: null, fileSystem: null }

/**
 * Prepares the storages of a date for a caller: hidden ones are left out, and partly visible ones have no capacity and only the figures of
 * the visible entries. For `now`, live ones have the figures of their live state, and all have its time.
 */
export async function limitStorages(stores: Stores, scope: Scope, date?: string): Promise<LimitRows> {
  if (scope === 'everything' && date !== now) return (rows) => [...rows]
  const { volumes, partial, apparentVolumes } = await snapshotOrEmpty(stores.db, scope, date)
  const parts = volumes.flatMap((volume) => {
    const folders = partial.get(volume.volumeId)
    const isApparent = apparentVolumes.includes(volume.volumeId)
    return folders || volume.live ? [{ ...volume, folders, isApparent }] : []
  })
  const limit = await countParts(stores, parts)
  const seen = new Map(volumes.map((volume) => [volume.volumeId, volume]))
  return (rows, idOf) =>
    rows.flatMap((row) => {
      const volume = seen.get(idOf(row))
      if (!volume) return []
      const counted = parts.some(({ volumeId }) => volumeId === volume.volumeId) ? limit(row, volume.scanId) : row
      return [volume.asOf === undefined ? counted : { ...counted, asOf: volume.asOf }]
    })
}

/** A scan or the live state of a storage, and the folders that a caller sees; undefined for all of it. */
type SeenPart = ReadVolume & {
  folders: readonly string[] | undefined
  /** The costs of the storage are for apparent sizes. */
  isApparent: boolean
}

/** Scans that are counted in one query. */
const scansPerQuery = 20

/** Counts the visible entries of scans, and returns a function that replaces the figures of a row by those of its scan. */
export async function countParts({ clickhouse }: Pick<Stores, 'clickhouse'>, parts: readonly SeenPart[]) {
  const counted = new Map<number, StorageFigures>()
  const whole = new Set(parts.filter(({ folders }) => !folders).map(({ scanId }) => scanId))
  for (let from = 0; from < parts.length; from += scansPerQuery) {
    const some = parts.slice(from, from + scansPerQuery).map(countPart)
    const rows = await clickhouse.rows<{ scanId: number } & StorageFigures>(sql`${join(some, ' UNION ALL ')}`)
    for (const { scanId, ...figures } of rows) counted.set(Number(scanId), figures)
  }
  return <R extends Row>(row: R, scanId: number): R => {
    const figures = counted.get(scanId) ?? nothing
    return whole.has(scanId) ? withFigures(row, figures) : asPart(row, figures)
  }
}

/** Selects the figures of a scan from the row of its root. */
function countPart({ folders, isApparent, ...volume }: SeenPart): Sql {
  const { volumeId, scanId } = volume
  const basis = { apparentVolumes: isApparent ? [volumeId] : [] }
  const isRoot = sql`parent_path = '' AND name = ''`
  const rows = folders
    ? foldersAboveAt({ volumes: [volume], partial: new Map([[volumeId, folders]]) })
    : seenRows({ volumes: [volume], partial: new Map() })(isRoot)
  return sql`
    SELECT toUInt32(${scanId}) AS scanId, toFloat64(greatest(size, 0)) AS sizeOfFiles, toFloat64(${bytesOnDiskOnce}) AS sizeOnDisk,
      toFloat64(${billedBytes(basis)}) AS billedSize, toFloat64(greatest(counted_size, 0)) AS countedSize,
      toFloat64(greatest(files, 0)) AS numberOfFiles, toFloat64(greatest(folders, 0)) AS numberOfFolders
    FROM ${rows} WHERE ${isRoot}`
}

const nothing: StorageFigures = {
  sizeOfFiles: 0,
  sizeOnDisk: 0,
  billedSize: 0,
  countedSize: 0,
  numberOfFiles: 0,
  numberOfFolders: 0,
}

/** A row of a part of a storage, with its figures. */
function asPart<R extends Row>(row: R, figures: StorageFigures): R {
  const { forecast: _, ...rest } = withFigures(row, figures)
  return { ...rest, ...noCapacity, limited: true } as unknown as R
}

/** A row with other figures. Sizes that equal `sizeOfFiles` are absent. */
function withFigures<R extends Row>(row: R, { countedSize, sizeOnDisk, billedSize, ...counted }: StorageFigures): R {
  const { sizeOnDisk: _, billedSize: __, ...rest } = row
  return {
    ...rest,
    ...counted,
    ...('countedSize' in row && { countedSize }),
    ...(sizeOnDisk !== counted.sizeOfFiles && { sizeOnDisk }),
    ...(billedSize !== counted.sizeOfFiles && { billedSize }),
  } as unknown as R
}
