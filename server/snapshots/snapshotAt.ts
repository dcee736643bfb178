import type { Db } from '#server/platform/postgres.ts'
import { type DuplicateRules, duplicateRules } from './duplicateRules.ts'

/** A volume as a date shows it: at a scan, to be read from a generation that goes up to a committed scan. */
export type ShownVolume = {
  volumeId: number
  name: string
  scanId: number
  /** The day the scan began. */
  scannedOn: string
  generation: number
  committedScan: number
}

/** An indexing date that has indexed data, and what it shows. */
export type Snapshot = {
  indexingDate: string
  volumes: ShownVolume[]
  /** Which groups of duplicates are those of this date, as they are of the newest; others have none that are counted. */
  duplicatesVersion: number | undefined
  rules: DuplicateRules
}

/** What is shown while nothing is. */
export const nothingIndexed: Snapshot = {
  indexingDate: '',
  volumes: [],
  duplicatesVersion: undefined,
  rules: { minimumSize: 0, ofFolders: true },
}

/** The newest snapshot on or before a day, or of all; nothing when there is none. It is to be used at once, not kept. */
export async function snapshotAt(db: Db, date?: string): Promise<Snapshot | undefined> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select(['snapshots.indexingDate', 'snapshots.volumeId', 'snapshots.scanId', 'name', 'generation', 'committedScan'])
    .select('scans.indexingDate as scannedOn')
    .select((of) => [
      of.selectFrom('duplicatesVersion').select('version').as('duplicatesVersion'),
      of.selectFrom('duplicatesVersion').select('volumes').as('counted'),
    ])
    .where('snapshots.indexingDate', '=', (of) =>
      of
        .selectFrom('snapshots')
        .select(({ fn }) => fn.max('indexingDate').as('newest'))
        .$if(date !== undefined, (query) => query.where('indexingDate', '<=', date ?? '')),
    )
    .orderBy('snapshots.volumeId')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const { indexingDate, duplicatesVersion, counted } = first
  const volumes = rows.flatMap(asShown)
  const isCounted = isSame(volumes, counted ?? [])
  const version = isCounted ? (duplicatesVersion ?? undefined) : undefined
  return { indexingDate, volumes, duplicatesVersion: version, rules: await duplicateRules(db) }
}

/** Whether these volumes, as they were committed last, are those whose duplicates were counted. */
const isSame = (volumes: ShownVolume[], counted: number[]): boolean =>
  volumes.length === counted.length &&
  volumes.every(({ volumeId, scanId, committedScan }) => scanId === committedScan && counted.includes(volumeId))

/** What a day shows, which is nothing while nothing is indexed. */
export const shownOn = async (db: Db, date?: string): Promise<Snapshot> =>
  (await snapshotAt(db, date)) ?? nothingIndexed

function asShown({ generation, committedScan, ...row }: Nullable<ShownVolume>): ShownVolume[] {
  if (generation === null || committedScan === null) return []
  const { volumeId, name, scanId, scannedOn } = row
  return [{ volumeId, name, scanId, scannedOn, generation, committedScan }]
}

type Nullable<S extends ShownVolume> = Omit<S, 'generation' | 'committedScan'> & {
  generation: number | null
  committedScan: number | null
}
