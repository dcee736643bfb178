import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import { followLeftMoves, withPendingMoves } from './followMoves.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { lockTags, withVolumeLockIfFree } from '#server/content/snapshots/locks.ts'

/** Milliseconds between checks for the end of a commit. */
const checkIntervalMs = 50

/**
 * Changes tags of volumes in the newest snapshot of a scope, in one transaction and exclusively. Between the switch of a commit
 * and the end of its moves, tags are not in their final places: then this waits without holding locks.
 */
export async function withTagsLocked<T>(
  stores: Stores,
  scope: Scope,
  volumeIds: number[],
  work: (trx: Trx, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { db, clickhouse } = stores
  for (;;) {
    const done = await db.transaction().execute(async (trx) => {
      await lockTags(trx, volumeIds)
      // Moves of later commits wait for the lock, and find the changed tags.
      const snapshot = await snapshotOrEmpty(trx, scope)
      if ((await unsettled(clickhouse, snapshot, volumeIds)).length > 0) return undefined
      return { result: await work(trx, snapshot) }
    })
    if (done) return done.result
    await settledSnapshot(stores, scope, volumeIds)
  }
}

/**
 * The newest snapshot once the tags of these volumes, or of all, have followed moves. Waits for the commits doing that,
 * which is short, and completes interrupted ones.
 */
export async function settledSnapshot(
  { db, clickhouse }: Stores,
  scope: Scope,
  volumeIds?: number[],
): Promise<Snapshot> {
  for (;;) {
    const snapshot = await snapshotOrEmpty(db, scope)
    const waiting = await unsettled(clickhouse, snapshot, volumeIds)
    if (waiting.length === 0) return snapshot
    for (const volumeId of waiting)
      await withVolumeLockIfFree(db, volumeId, (held) => followLeftMoves({ db: held, clickhouse }, volumeId))
    await pause(checkIntervalMs)
  }
}

/**
 * Volumes whose last commit has switched but has tags that haven't followed, whether it is running or was interrupted.
 */
async function unsettled(clickhouse: ClickHouse, { volumes }: Snapshot, volumeIds?: number[]): Promise<number[]> {
  const requested = volumes.filter(({ volumeId }) => volumeIds?.includes(volumeId) ?? true)
  const pending = await withPendingMoves(
    clickhouse,
    requested.map(({ committedScan }) => committedScan),
  )
  return requested.filter(({ committedScan }) => pending.includes(committedScan)).map(({ volumeId }) => volumeId)
}
