import { quarantineFolder } from '#events/actions/orders.ts'
import { maxPlanHours } from '#events/policies/runs.ts'
import { policyActions, type PolicyActions } from '#events/sources/fileStorages.ts'
import { readClock } from '#server/platform/clock.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { conflict } from '#server/platform/problem.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { notRepeated } from '#server/content/snapshots/reading/repeatedPlaces.ts'
import type { ActionHandler, Targets } from '../kit/handler.ts'
import {
  type ActionPlanning,
  areIn,
  isKept,
  keptByOwner,
  localVolumes,
  noFile,
  planPerVolume,
  type Rule,
  volumesOf,
} from '../kit/parts.ts'
import { isInQuarantine, movedBy } from './inQuarantine.ts'

type Verb = 'move' | 'putBack' | 'delete'

const notAllowed = { quarantine: "Storage doesn't allow quarantine", delete: "Storage doesn't allow deletion" }
const isTooOld = 'Its last scan is older than two days'

/** Moves files of local file storages to the quarantine of their storage: one part for each storage, at its agent. */
export const quarantine: ActionHandler<'quarantine'> = {
  async plan({ db }, _, snapshot) {
    const { local, rules } = localVolumes(snapshot, 'Not on a file storage')
    const known = await readStorages(db)
    const scanOf = new Map(local.map(({ volumeId, scanId }) => [volumeId, scanId]))
    const scans = await readScans(db, [...scanOf.values()])
    const scannedAs = (is: (scan: Scan) => boolean) => areIn(scans.filter(is))
    return planPerVolume(
      db,
      local,
      sql`''`,
      [areIn(volumesOf(snapshot, 'object')), 'In a bucket, which has no quarantine'],
      ...rules,
      ...noFile,
      [sql`position(path, ${`/${quarantineFolder}/`}) > 0`, 'In quarantine'],
      [sql`link_target != ''`, 'This is a link'],
      [sql`NOT ${notRepeated(snapshot.repeated, snapshot.volumes)}`, 'Another storage has it, too'],
      [sql`NOT ${areIn(known.filter((storage) => allows(storage, 'quarantine')))}`, notAllowed.quarantine],
      [scannedAs(({ isComplete }) => !isComplete), 'Its last scan is not complete'],
      [scannedAs(isOld), isTooOld],
    )
  },
  byInode: true,
  order: ({ db }, _, volumeId, jobId) => orderOf(db, 'move', volumeId, jobId),
  async targets({ db }, _options, _snapshot, _since, jobId) {
    const moved = await movedBy(db, [jobId])
    return { ...noTargets, isMove: true, once: { only: isInQuarantine(moved) } }
  },
}

const noTargets: Targets = { folders: [], keepsTimes: true, once: { only: undefined } }

/** Puts files back to where they were. Planned only from what a job moved to quarantine. */
export const putBack: ActionHandler<'putBack'> = {
  plan: ({ db }) => planReturn(db),
  byInode: true,
  order: ({ db }, { ofJob }, volumeId) => orderOf(db, 'putBack', volumeId, ofJob),
  targets: async () => ({ ...noTargets, isReturn: true }),
}

/** Deletes files from quarantine, but not those that their owners keep since. Planned only from what a job moved there. */
export const deleteQuarantined: ActionHandler<'deleteQuarantined'> = {
  async plan({ db }) {
    return planReturn(db, 'delete', [keptByOwner(await snapshotOrEmpty(db, 'everything')), isKept])
  },
  byInode: true,
  order: ({ db }, { ofJob }, volumeId) => orderOf(db, 'delete', volumeId, ofJob),
  targets: async () => ({ ...noTargets, isMove: true }),
}

/** Plans files of a frozen list; their storages may have been deleted since, or no longer allow it. */
async function planReturn(db: Db, needs: PolicyActions = 'nothing', ...rules: Rule[]): Promise<ActionPlanning> {
  const known = await readStorages(db)
  return planPerVolume(
    db,
    known,
    sql`''`,
    [sql`NOT ${areIn(known)}`, 'Its storage was deleted'],
    [sql`NOT ${areIn(known.filter((storage) => allows(storage, needs)))}`, notAllowed.delete],
    ...rules,
  )
}

type Storage = { volumeId: number; policyActions: PolicyActions }

const allows = (storage: Storage, needed: PolicyActions): boolean =>
  policyActions.indexOf(storage.policyActions) >= policyActions.indexOf(needed)

/** Local file storages that are set up. */
const readStorages = (db: Db): Promise<Storage[]> =>
  db
    .selectFrom('volumes')
    .select(['id as volumeId', 'policyActions'])
    .where('type', '=', 'crawl.files')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()

type Scan = { volumeId: number; startedAt: number; isComplete: boolean }

/** Scans by their ids: their start in milliseconds, and whether they read their whole storage. */
async function readScans(db: Db, ids: readonly number[]): Promise<Scan[]> {
  const rows = await db
    .selectFrom('scans')
    .select(['volumeId', 'startedAt', 'state', 'scannedPath'])
    .where('id', 'in', [0, ...ids])
    .execute()
  return rows.map(({ volumeId, startedAt, state, scannedPath }) => ({
    volumeId,
    startedAt: startedAt?.getTime() ?? 0,
    isComplete: state === 'done' && scannedPath === '',
  }))
}

/** A scan of the future was made by another clock. */
const isOld = ({ startedAt }: Scan): boolean => Math.abs(Date.now() - startedAt) > maxPlanHours * 3_600_000

/**
 * The order for a storage; `ofJob` is the job that moved the files. Throws 409 if the clock is wrong, the storage doesn't allow it any more, or
 * the scan that the files to move were planned with is too old by now.
 */
async function orderOf(db: Db, verb: Verb, volumeId: number, ofJob: number) {
  if (!(await readClock(db)).isPlausible)
    conflict(
      'The clock of the server jumped, so policies change no file. Correct it, or confirm the date, then start again.',
    )
  const storage = (await readStorages(db)).find((one) => one.volumeId === volumeId)
  const needed = { move: 'quarantine', putBack: 'nothing', delete: 'delete' } as const
  const needs = needed[verb]
  if (needs !== 'nothing' && !(storage && allows(storage, needs)))
    conflict(`${notAllowed[needs]} now. Edit the storage, then start again.`)
  const [moved] = await movedBy(db, [ofJob])
  const scans = await readScans(db, [moved?.scans[volumeId] ?? 0])
  if (verb === 'move' && !scans.some((scan) => !isOld(scan)))
    conflict(`${isTooOld}. Scan the storage, then start again.`)
  const product = await readProductId(db)
  return {
    kind: 'quarantine' as const,
    verb,
    run: `${product.slice(0, 8)}-${ofJob}`,
    at: Date.now(),
    scannedAt: scans[0]?.startedAt ?? 0,
  }
}
