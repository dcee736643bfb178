import { channel } from 'node:diagnostics_channel'
import { sql as postgres } from 'kysely'
import { configured } from '#server/access/configurations/index.ts'
import { scanTableName, tablesOf } from '#server/workers/ingest/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict, notFound } from '#server/platform/problem.ts'
import { countMissed } from '#server/content/snapshots/sessions/countMissed.ts'
import { carryOver } from './carryOver.ts'
import { closeVersions } from './closeVersions.ts'
import type { ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import {
  type Commit,
  type Comparison,
  generationsOf,
  nextGeneration,
  type StagedCommit,
  type WrittenState,
} from './commit.ts'
import { compareVersions } from './compareVersions.ts'
import { countDuplicates } from '#server/content/snapshots/duplicates/countDuplicates.ts'
import { countStatistics } from './countStatistics.ts'
import { countedLast } from '#server/content/snapshots/duplicates/duplicatesOfScans.ts'
import { findMoves } from './findMoves.ts'
import { followLeftMoves, followMoves } from '#server/content/snapshots/tags/followMoves.ts'
import { dropScanTables, dropUnknownGenerations, removeUnknownVersions } from './leftovers.ts'
import { withDuplicatesLock, withVolumeLock } from '#server/content/snapshots/locks.ts'
import { plannedSnapshots, repeatedAmong, volumesOfNewestDate } from './plannedSnapshots.ts'
import { readOutcome, readTotals } from './readOutcome.ts'
import { countStaged, readSharedEtags, rollUp } from './rollUp.ts'
import { checkSameFiles, countDifferences } from './sameFiles.ts'
import { type Outcome, switchOver } from './switchOver.ts'
import { fitsInLayer, writeFirstGeneration, writeGeneration, writeLayer } from './writeGeneration.ts'

/** A completed step of a commit. */
export type Step =
  | 'carried over'
  | 'rolled up'
  | 'compared'
  | 'closed'
  | 'written'
  | 'counted'
  | 'duplicates'
  | 'switched'
  | 'followed'

/** Publishes each completed step of a commit within this process. */
export const commitSteps = channel('dataintell.commit.step')

/**
 * Creates the volume's next snapshot from a scan with a complete staging table. Nothing is visible before the switch.
 * If interrupted at any point, call it again for the same result; after the switch, it only cleans up. `switched` runs
 * in the transaction of the switch, `onStep` after each step. Throws `UnfitMarks` if the files that the scan left out
 * do not match the known snapshot.
 */
export async function commitScan(
  { db, clickhouse }: Stores,
  scanId: number,
  switched: (trx: Trx, outcome: Outcome) => Promise<void>,
  onStep: (step: Step) => Promise<void> | void = (step) => commitSteps.publish(step),
): Promise<void> {
  const { volumeId } = await findScan(db, scanId)
  await withVolumeLock(db, volumeId, async (held) => {
    const { state, ...scan } = await findScan(held, scanId)
    const commit = await beginCommit(held, clickhouse, { ...scan, id: scanId })
    if (state === 'committing') await buildSnapshot(commit, switched, onStep).catch((error) => abandon(commit, error))
    else if (state !== 'done' && state !== 'partial') throw conflict(`Scan ${scanId} is ${state}`)
    await followMoves(commit)
    await onStep('followed')
    await dropScanTables(clickhouse, scanId)
  })
}

const findScan = async (db: Db, scanId: number) =>
  (await db
    .selectFrom('scans')
    .select(['volumeId', 'state', 'scannedPath', 'indexingDate', 'cloneIndex'])
    .select(postgres<boolean | null>`(announced ->> 'updatesAccess')::boolean`.as('updatesAccess'))
    .where('id', '=', scanId)
    .executeTakeFirst()) ?? notFound('scan', scanId)

async function beginCommit(
  db: Db,
  clickhouse: ClickHouse,
  { volumeId, ...scan }: Commit['scan'] & { volumeId: number },
) {
  const volume = await db
    .selectFrom('volumes')
    .select(['id', 'committedScan', 'generation', 'layers', 'ignoredPaths', 'indexFolderOnlyPaths'])
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const generation = await nextGeneration(db)
  const accessesMakeVersions = (await configured(db, 'isAlwaysUpdateActive')) === 'true'
  const scannedAt = Math.floor(Date.now() / 1000)
  return {
    db,
    clickhouse,
    scan,
    volume,
    generation,
    accessesMakeVersions,
    scannedAt,
  } satisfies Commit
}

/** Drops the data of a scan that has ended. Otherwise keeps it for the next call. */
async function abandon(commit: Commit, error: unknown): Promise<never> {
  const { clickhouse, scan, volume } = commit
  const { state } = await findScan(commit.db, scan.id)
  if (state === 'cancelled' || state === 'failed') {
    await dropScanTables(clickhouse, scan.id)
    await dropUnknownGenerations(commit, volume.id)
    await removeUnknownVersions(clickhouse, volume.id, volume.committedScan)
  }
  throw error
}

async function buildSnapshot(
  begun: Commit,
  switched: (trx: Trx, outcome: Outcome) => Promise<void>,
  onStep: (step: Step) => Promise<void> | void,
): Promise<void> {
  // Moves of the previous commit, if it was interrupted: only the last commit of a volume has any.
  await begun.clickhouse.settle(scanTableName('staging', begun.scan.id))
  await followLeftMoves(begun, begun.volume.id)
  await dropUnknownGenerations(begun, begun.volume.id)
  const found = await countStaged(begun)
  const same = await checkSameFiles(begun, found)
  const rows = await carryOver(begun, found)
  await onStep('carried over')
  const commit = { ...begun, staged: { ...same, rows, sharedEtags: await readSharedEtags(begun, rows) } }
  await rollUp(commit)
  await onStep('rolled up')
  const written = await writeVersions(commit, onStep)
  const missed = await missedBy(commit, written)
  const totals = await readTotals(commit)
  await countStatistics(commit, totals.files, written)
  await onStep('counted')
  await withDuplicatesLock(commit.db, async () => {
    const planned = await plannedSnapshots(commit)
    const volumes = await volumesOfNewestDate(commit, planned)
    const counting = { ...commit, ...newRows(commit, written.comparison) }
    const shown = await shownBy(commit, volumes, written)
    const repeated = await repeatedAmong(commit, volumes)
    const versions = await countDuplicates(counting, shown, await countedLast(commit.db), repeated)
    await onStep('duplicates')
    const outcome = await readOutcome(commit, totals, written)
    await switchOver(
      commit,
      { outcome, written, missed, planned, duplicates: { versions, volumes, repeated } },
      switched,
    )
  })
  await onStep('switched')
}

/** A first scan has no live state before it. */
const missedBy = async (commit: Commit, { comparison }: WrittenState) =>
  comparison === 'first'
    ? undefined
    : countMissed(commit, {
        scanId: commit.scan.id,
        known: generationsOf(commit.volume),
        table: tablesOf(commit.scan.id).changes,
      })

function newRows({ scan, volume }: Commit, comparison: Comparison) {
  const { touched, changes } = tablesOf(scan.id)
  return {
    touched,
    changes: comparison === 'changed' ? changes : undefined,
    first: comparison === 'first' ? volume.id : undefined,
  }
}

async function writeVersions(
  commit: StagedCommit,
  onStep: (step: Step) => Promise<void> | void,
): Promise<WrittenState> {
  const { volume, generation } = commit
  const known = generationsOf(volume)
  const whole = { ...known, generation, layers: [] }
  if (volume.generation === null) {
    await writeFirstGeneration(commit)
    await onStep('written')
    return { ...whole, comparison: 'first' }
  }
  const difference = await compareVersions(commit)
  await findMoves(commit, difference)
  await countDifferences(commit)
  await onStep('compared')
  if (difference.changes === 0) return { ...known, comparison: 'same' }
  await closeVersions(commit, difference)
  await onStep('closed')
  const isLayer = await fitsInLayer(commit, difference)
  await (isLayer ? writeLayer(commit, difference) : writeGeneration(commit, difference))
  await onStep('written')
  const layers = isLayer ? [...known.layers, known.generation] : []
  return { ...whole, layers, comparison: 'changed' }
}

async function shownBy({ db, volume }: Commit, volumes: number[], { generation, layers }: ReadGenerations) {
  const rows = await db
    .selectFrom('volumes')
    .select(['id', 'generation', 'layers'])
    .where('id', 'in', volumes)
    .execute()
  return rows.map((row) => ({
    volumeId: row.id,
    generation: row.id === volume.id ? generation : (row.generation ?? 0),
    layers: row.id === volume.id ? layers : row.layers,
  }))
}
