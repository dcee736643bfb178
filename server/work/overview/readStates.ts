import type { StorageState } from '#events/overview/storageStates.ts'
import { sql } from 'kysely'
import { type Scope, showsPart, showsStorage } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { coveredStorages } from '#server/work/schedules/index.ts'

/**
 * The configured storages, each with its newest scan and its schedules and alerts. If the scope shows only a part of one, its scan has no
 * reason, which may name other paths. Users with limits don't learn of the schedules and alerts of others.
 */
export const readStates = (db: Db, scope: Scope): Promise<StorageState[]> =>
  db.transaction().execute(async (trx) => {
    const storages = await selectStorages(trx, scope).execute()
    const { scheduled, watched } = await coveredStorages(trx, scope === 'everything' ? storages : [])
    return storages.map(({ id, name, type, committedScan, isScanning, jobId, state, reason, finishedAt }) => ({
      volumeId: id,
      name,
      type,
      isScanned: committedScan !== null,
      isScanning: isScanning === true,
      lastScan:
        jobId === null || state === null
          ? null
          : { jobId, state: state as EndedState, reason, finishedAt: finishedAt?.toISOString() ?? null },
      isScheduled: scheduled.has(id),
      isWatched: watched.has(id),
    }))
  })

const endedStates = ['done', 'partial', 'failed', 'cancelled'] as const
type EndedState = (typeof endedStates)[number]

const selectStorages = (trx: Trx, scope: Scope) =>
  trx
    .selectFrom('volumes')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('scans')
          .select(['jobId', 'state', 'reason', 'finishedAt'])
          .whereRef('scans.volumeId', '=', 'volumes.id')
          .where('state', 'in', endedStates)
          .orderBy('scans.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.committedScan'])
    .select(['last.jobId', 'last.state', 'last.finishedAt'])
    .select(sql<string | null>`CASE WHEN ${showsStorage(scope, sql`volumes.id`)} THEN last.reason END`.as('reason'))
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('scans as open')
          .select('open.id')
          .whereRef('open.volumeId', '=', 'volumes.id')
          .where('open.state', 'in', ['waiting', 'running', 'committing']),
      ).as('isScanning'),
    )
    .where('volumes.deletedAt', 'is', null)
    .where(showsPart(scope, sql`volumes.id`))
    .orderBy('volumes.name')
    .orderBy('volumes.id')
