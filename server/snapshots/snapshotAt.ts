import type { Db } from '#server/platform/postgres.ts'

/** A volume as a date shows it: at a scan, to be read from a generation that goes up to a committed scan. */
export type ShownVolume = { volumeId: number; scanId: number; generation: number; committedScan: number }

/** An indexing date that has indexed data, and what it shows. */
export type Snapshot = { indexingDate: string; volumes: ShownVolume[] }

/** The newest snapshot on or before a day, or of all; nothing when there is none. It is to be used at once, not kept. */
export async function snapshotAt(db: Db, date?: string): Promise<Snapshot | undefined> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .select(['indexingDate', 'volumeId', 'scanId', 'generation', 'committedScan'])
    .where('indexingDate', '=', (of) =>
      of
        .selectFrom('snapshots')
        .select(({ fn }) => fn.max('indexingDate').as('newest'))
        .$if(date !== undefined, (query) => query.where('indexingDate', '<=', date ?? '')),
    )
    .orderBy('volumeId')
    .execute()
  const indexingDate = rows[0]?.indexingDate
  if (indexingDate === undefined) return undefined
  return { indexingDate, volumes: rows.flatMap(asShown) }
}

const asShown = ({ volumeId, scanId, generation, committedScan }: Nullable<ShownVolume>): ShownVolume[] =>
  generation === null || committedScan === null ? [] : [{ volumeId, scanId, generation, committedScan }]

type Nullable<S extends ShownVolume> = Omit<S, 'generation' | 'committedScan'> & {
  generation: number | null
  committedScan: number | null
}
