import type { FlushAnswer } from '#events/feeds/flushes.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import { deleteFrom } from '#server/platform/clickhouse/statements.ts'
import { firstLiveScan, partitionId, partitionKey } from '#server/content/snapshots/reading/entriesAt.ts'
import { withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'
import { carryAllBut } from '#server/content/snapshots/commit/carryDelta.ts'
import type { Commit } from '#server/content/snapshots/commit/commit.ts'
import { compareVersions } from '#server/content/snapshots/commit/compareVersions.ts'
import { findMoves } from '#server/content/snapshots/commit/findMoves.ts'
import { dropScanTables } from '#server/content/snapshots/commit/leftovers.ts'
import { countStaged, rollUp } from '#server/content/snapshots/commit/rollUp.ts'
import { writeLayer } from '#server/content/snapshots/commit/writeGeneration.ts'
import { UnfitMarks } from '#server/content/snapshots/commit/sameFiles.ts'
import { recordChanges } from './recordChanges.ts'
import { rewriteIfWorthIt } from './rewriteLive.ts'
import { flushTables, foldersToList, MalformedFlush, stageFlush } from './stageFlush.ts'

/** A completed step of a flush. */
export type FlushStep = 'cleaned' | 'staged' | 'compared' | 'written' | 'recorded' | 'shown'

type Flush = { volumeId: number; session: string; blocks: readonly Buffer[] }

/**
 * Adds what an agent listed again to the live state of a volume, and shows it at once: nothing of it is visible before. If interrupted at any point,
 * call it again for the same result. Does nothing during a commit. Throws if a store is down.
 */
export async function applyFlush(
  { db, clickhouse }: Stores,
  flush: Flush,
  onStep: (step: FlushStep) => Promise<void> | void = () => {},
): Promise<Exclude<FlushAnswer, { type: 'stored' }>> {
  let answer: Exclude<FlushAnswer, { type: 'stored' }> = { type: 'later', reason: 'A scan is being stored' }
  await withVolumeLockIfFree(db, flush.volumeId, async (held) => {
    answer = await applyLocked(held, clickhouse, flush, onStep).catch((error: unknown) => {
      if (error instanceof MalformedFlush || error instanceof UnfitMarks)
        return { type: 'over' as const, reason: `The server refused a flush: ${error.message}` }
      throw error
    })
  })
  return answer
}

async function applyLocked(
  db: Db,
  clickhouse: ClickHouse,
  { volumeId, session, blocks }: Flush,
  onStep: (step: FlushStep) => Promise<void> | void,
) {
  const found = await readState(db, volumeId, session)
  if (!found) return { type: 'over' as const, reason: 'The session is over' }
  const stores = { db, clickhouse }
  await removeInterrupted(stores, found)
  const state = await rewriteIfWorthIt(stores, found)
  await onStep('cleaned')
  const commit = flushCommit(stores, state)
  await stageFlush(commit, blocks)
  await onStep('staged')
  const list = await foldersToList(commit)
  await carryAllBut(commit)
  const rows = { ...(await countStaged(commit)), deltas: 1 }
  const staged = { ...commit, staged: { hasSame: false, hasCompared: true, rows, sharedEtags: [] } }
  await rollUp(staged)
  const difference = await compareVersions(staged)
  await findMoves(commit, difference)
  await onStep('compared')
  const at = Math.max(Date.now(), (state.asOf ?? state.begunAt).getTime() + 1)
  if (difference.changes > 0) {
    await writeLayer(commit, difference, state.flush + 1)
    await onStep('written')
    await recordChanges(commit, difference, at)
    await onStep('recorded')
  }
  await db
    .updateTable('liveVolumes')
    .set({ flush: state.flush + 1, asOf: new Date(at) })
    .where('volumeId', '=', volumeId)
    .execute()
  await onStep('shown')
  for (const number of [0, 1]) await dropScanTables(clickhouse, flushTables(volumeId) + number)
  return { type: 'shown' as const, asOf: at, list }
}

/** A live state and the committed one that it is based on. */
type LiveState = NonNullable<Awaited<ReturnType<typeof readState>>>

const readState = async (db: Db, volumeId: number, session: string) => {
  const row = await db
    .selectFrom('liveVolumes')
    .innerJoin('volumes', 'volumes.id', 'liveVolumes.volumeId')
    .select(['volumeId', 'liveVolumes.generation as liveGeneration', 'flush', 'begunAt', 'asOf', 'committedScan'])
    .select(['volumes.generation', 'layers', 'session', 'volumes.type'])
    .where('volumeId', '=', volumeId)
    .whereRef('baseScan', '=', 'committedScan')
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row || row.session !== session || row.generation === null) return undefined
  return { ...row, generation: row.generation }
}

/** A flush in the form of a commit of a list of changes, compared with the live state. */
const flushCommit = (stores: Stores, state: LiveState): Commit => ({
  ...stores,
  scan: { id: flushTables(state.volumeId), scannedPath: '', indexingDate: '', cloneIndex: false, updatesAccess: null },
  volume: {
    id: state.volumeId,
    committedScan: state.committedScan,
    generation: state.generation,
    layers: state.layers,
    live: { generation: state.liveGeneration, flush: state.flush },
    hasKeys: groupOfType(state.type) === 'object',
    ignoredPaths: [],
    indexFolderOnlyPaths: [],
  },
  generation: state.liveGeneration,
  scannedAt: Math.floor(Date.now() / 1_000),
  accessesMakeVersions: true,
})

/** Removes the rows of an interrupted flush, since the next one has its number. */
async function removeInterrupted({ clickhouse }: Pick<Stores, 'clickhouse'>, state: LiveState): Promise<void> {
  const { volumeId, liveGeneration, flush, begunAt, asOf } = state
  const own = partitionId(volumeId, liveGeneration)
  const partition = text(partitionKey(volumeId, liveGeneration))
  const unshown = {
    entries: sql`_partition_id = ${own} AND from_scan > ${firstLiveScan + flush}`,
    ended_rows: sql`_partition_id = ${own} AND flush > ${flush}`,
    live_changes: sql`volume = ${volumeId} AND at > fromUnixTimestamp64Milli(${typed((asOf ?? begunAt).getTime(), 'Int64')}, 'UTC')`,
  }
  const counts = await clickhouse.one<Record<keyof typeof unshown, number>>(sql`
    SELECT (SELECT count() FROM entries WHERE ${unshown.entries}) AS entries, (SELECT count() FROM ended_rows WHERE ${unshown.ended_rows}) AS ended_rows,
      (SELECT count() FROM live_changes WHERE ${unshown.live_changes}) AS live_changes`)
  for (const table of ['entries', 'ended_rows', 'live_changes'] as const)
    if (Number(counts[table]) > 0)
      await clickhouse.command(deleteFrom(table, unshown[table], table === 'live_changes' ? undefined : partition))
}
