import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { JobEvent } from '#events/jobs.ts'
import { noFilters } from '#events/search-filters.ts'
import { beginJob, queueTagging } from '#server/jobs/index.ts'
import { system } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Db } from '#server/platform/postgres.ts'
import { type Load, now } from './messages.ts'

const writers = 4
const payload = { tags: ['bench'], remove: false, isDirectory: false, filters: noFilters }

/** Jobs 1 to `jobs`, without tasks, so that nobody begins to work on them: one event each. */
export async function beginJobs(db: Db, jobs: number): Promise<void> {
  const at = new Date().toISOString()
  for (let id = 1; id <= jobs; id++) {
    await db.transaction().execute((trx) => beginJob(trx, id, system, queueTagging(id, id, payload, at).slice(0, 1)))
  }
}

/** Appends at an even rate from several writers; tells when each position was committed, and how far each stream came. */
export async function appendFor(db: Db, { jobs, rate, seconds }: Load) {
  const committed: [number, number][] = []
  const versions = new Map(Array.from({ length: jobs }, (_, i) => [i + 1, 1]))
  const started = performance.now()
  const write = async (writer: number) => {
    for (let turn = writer; turn < rate * seconds; turn += writers) {
      await pause(Math.max(started + (turn * 1_000) / rate - performance.now(), 0))
      const jobId = 1 + (turn % jobs)
      const version = (versions.get(jobId) ?? 0) + 1
      versions.set(jobId, version)
      committed.push(await appendOne(db, jobId, version))
      wakeFollowers()
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return { committed, versions: [...versions] }
}

/**
 * Under the lock of all appends, but without reading the stream first: hundreds of events of one job are no usual job, and
 * how long they take to read is not what is measured. Gives back the position, and the moment before the commit was sent.
 */
function appendOne(db: Db, jobId: number, version: number): Promise<[number, number]> {
  const at = new Date().toISOString()
  const event: JobEvent = { type: 'TaskProgressed', at, taskId: jobId, result: { tagged: version, toTag: 100_000 } }
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ position: number }>`
      WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(7403001))
      INSERT INTO events (stream, version, type, data, evolve_version, actor, at)
      SELECT ${`job-${jobId}`}, ${version}, ${event.type}, ${JSON.stringify(event)}::jsonb, 1, 'system', ${at}::timestamptz
      FROM locked RETURNING position`.execute(trx)
    return [rows[0]?.position ?? 0, now()]
  })
}
