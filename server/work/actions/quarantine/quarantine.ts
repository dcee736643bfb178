import { quarantineFolder } from '#events/actions/orders.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { type ActionPlanning, areIn, localVolumes, noFile, planPerVolume } from '../kit/parts.ts'

/** Moves files of local file storages to the quarantine of their storage: one part for each storage, at its agent. */
export const quarantine: ActionHandler<'quarantine'> = {
  plan({ db }, _, snapshot) {
    const { local, rules } = localVolumes(snapshot, 'Not on a file storage')
    return planPerVolume(
      db,
      local,
      sql`''`,
      ...rules,
      ...noFile,
      [sql`position(path, ${`/${quarantineFolder}/`}) > 0`, 'In quarantine'],
      [sql`link_target != ''`, 'This is a link'],
    )
  },
  byInode: true,
  order: async ({ db }, _, volumeId, jobId) => orderOf(db, 'move', volumeId, jobId),
  targets: async () => ({ folders: [], keepsTimes: true, isMove: true }),
}

/** Puts files back to where they were. Planned only from what a job moved to quarantine. */
export const putBack: ActionHandler<'putBack'> = {
  plan: planReturn,
  byInode: true,
  order: async ({ db }, { ofJob }, volumeId) => orderOf(db, 'putBack', volumeId, ofJob),
}

/** Deletes files from quarantine. Planned only from what a job moved there. */
export const deleteQuarantined: ActionHandler<'deleteQuarantined'> = {
  plan: planReturn,
  byInode: true,
  order: async ({ db }, { ofJob }, volumeId) => orderOf(db, 'delete', volumeId, ofJob),
  targets: async () => ({ folders: [], keepsTimes: true, isMove: true }),
}

/** Plans files of a frozen list; their storages may have been deleted since. */
async function planReturn({ db }: { db: Db }): Promise<ActionPlanning> {
  const volumes = await db
    .selectFrom('volumes')
    .select('id as volumeId')
    .where('type', '=', 'crawl.files')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return planPerVolume(db, volumes, sql`''`, [sql`NOT ${areIn(volumes)}`, 'Its storage was deleted'])
}

/** `ofJob` is the job that moved the files. */
async function orderOf(db: Db, verb: 'move' | 'putBack' | 'delete', volumeId: number, ofJob: number) {
  const product = await readProductId(db)
  return {
    kind: 'quarantine' as const,
    verb,
    run: `${product.slice(0, 8)}-${ofJob}`,
    at: Date.now(),
    scannedAt: await scanStart(db, volumeId, ofJob),
  }
}

/** Start of the scan that a job's files of a volume were planned with, in milliseconds. */
async function scanStart(db: Db, volumeId: number, jobId: number): Promise<number> {
  const frozen = await db.selectFrom('selections').select('scans').where('usedBy', '=', jobId).executeTakeFirst()
  const scan = await db
    .selectFrom('scans')
    .select('startedAt')
    .where('id', '=', frozen?.scans[volumeId] ?? 0)
    .executeTakeFirst()
  return scan?.startedAt?.getTime() ?? 0
}
