import { sql } from 'kysely'
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
  /** The versions that make the groups of duplicates of what this date shows; nothing where those are not known. */
  duplicatesVersions: number[] | undefined
  rules: DuplicateRules
}

/** What is shown while nothing is. */
export const nothingIndexed: Snapshot = {
  indexingDate: '',
  volumes: [],
  duplicatesVersions: undefined,
  rules: { minimumSize: 0, ofFolders: true },
}

/** The newest snapshot on or before a day, or of all; nothing when there is none. It is to be used at once, not kept. */
export async function snapshotAt(db: Db, date?: string): Promise<Snapshot | undefined> {
  const rows = await db
    .with('asked', (of) =>
      of
        .selectFrom('snapshots')
        .select(({ fn }) => fn.max('indexingDate').as('date'))
        .$if(date !== undefined, (query) => query.where('indexingDate', '<=', date ?? '')),
    )
    .with('shown', (of) =>
      of
        .selectFrom('snapshots')
        .innerJoin('asked', 'date', 'indexingDate')
        .select(sql<number[]>`array_agg(scan_id ORDER BY scan_id)`.as('scans')),
    )
    .with('known', (of) =>
      of
        .selectFrom('duplicatesOfScans')
        .innerJoin('shown', 'shown.scans', 'duplicatesOfScans.scans')
        .select('versions')
        .where('unusedSince', 'is', null)
        .limit(1),
    )
    .selectFrom('snapshots')
    .innerJoin('asked', 'date', 'indexingDate')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select(['snapshots.indexingDate', 'snapshots.volumeId', 'snapshots.scanId', 'name', 'generation', 'committedScan'])
    .select('scans.indexingDate as scannedOn')
    .select((of) => of.selectFrom('known').select('versions').as('versions'))
    .orderBy('snapshots.volumeId')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const { indexingDate, versions } = first
  const duplicatesVersions = versions ?? undefined
  return { indexingDate, volumes: rows.flatMap(asShown), duplicatesVersions, rules: await duplicateRules(db) }
}

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
