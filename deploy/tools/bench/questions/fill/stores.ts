import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { snapshotDates, snapshotStarts } from './calendar.ts'
import type { RootTotals } from './folders.ts'
import type { FilledVolume } from './versions.ts'

/** A volume with its totals at each of its scans. */
export type FilledTotals = { volume: FilledVolume; totals: RootTotals[] }

/** Adds volumes and their scans, which are not visible yet. Throws if the product is not empty. */
export async function addVolumes(db: Db, names: string[]): Promise<FilledVolume[]> {
  const known = await db.selectFrom('volumes').select('id').executeTakeFirst()
  if (known)
    throw new Error('This data folder is not empty, or was not filled to its end: remove it, or name another one')
  const volumes: FilledVolume[] = []
  for (const name of names) volumes.push(await addVolume(db, name))
  for (const turn of snapshotDates.keys()) await addScans(db, volumes, turn)
  return volumes
}

const next = (sequence: 'generations' | 'job_ids' | 'task_ids') => sql<number>`nextval(${sequence})`

async function addVolume(db: Db, name: string): Promise<FilledVolume> {
  const createdAt = new Date((snapshotStarts[0] ?? 0) * 1000)
  const { id, generation } = await db
    .insertInto('volumes')
    .values({ name, path: `/mnt/${name}`, createdAt })
    .returning(['id', next('generations').as('generation')])
    .executeTakeFirstOrThrow()
  return { id, generation, scans: [] }
}

/** Adds one scan of each volume, all from one job. */
async function addScans(db: Db, volumes: FilledVolume[], turn: number): Promise<void> {
  const started = (snapshotStarts[turn] ?? 0) * 1000
  const { rows } = await sql<{ job: number }>`SELECT ${next('job_ids')} AS job`.execute(db)
  for (const { id: volumeId, scans } of volumes) {
    const { id } = await db
      .insertInto('scans')
      .values({
        volumeId,
        jobId: rows[0]?.job ?? 0,
        taskId: next('task_ids'),
        agentId: 1,
        state: 'done',
        indexingDate: snapshotDates[turn] ?? '',
        startedAt: new Date(started),
        finishedAt: new Date(started + 600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    scans.push(id)
  }
}

/** Creates the snapshots of all filled scans at once, with the versions of their duplicates. */
export const showSnapshots = (db: Db, filled: FilledTotals[], duplicates: number[][]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    for (const { volume, totals } of filled) {
      for (const [turn, indexingDate] of snapshotDates.entries()) {
        const scanId = volume.scans[turn] ?? 0
        await trx
          .updateTable('scans')
          .set({
            ...totals[turn],
            countedBytes: totals[turn]?.bytes ?? 0,
            ...capacityOf(totals[turn]?.allocatedBytes ?? 0),
          })
          .where('id', '=', scanId)
          .execute()
        await trx.insertInto('snapshots').values({ indexingDate, volumeId: volume.id, scanId }).execute()
      }
      const committedScan = volume.scans.at(-1) ?? 0
      await trx
        .updateTable('volumes')
        .set({ committedScan, generation: volume.generation })
        .where('id', '=', volume.id)
        .execute()
    }
    const volumes = filled.map(({ volume }) => volume.id)
    await trx
      .updateTable('countedDuplicates')
      .set({ versions: duplicates.at(-1) ?? [], volumes })
      .execute()
    for (const [turn, versions] of duplicates.entries()) {
      const scans = filled.map(({ volume }) => volume.scans[turn] ?? 0).sort((a, b) => a - b)
      await trx.insertInto('duplicatesOfScans').values({ scans, versions }).execute()
    }
  })

/** Each volume fills about two thirds of its storage. */
function capacityOf(used: number) {
  const total = Math.ceil(used * 1.5)
  return { capacityTotal: total, capacityUsed: used, capacityFree: total - used }
}
