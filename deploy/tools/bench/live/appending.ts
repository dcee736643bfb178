import { streamNames } from '#events/streams.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type JobEvent, evolveVersion } from '#events/jobs/events.ts'
import { noFilters } from '#events/search/filters.ts'
import { beginJob, queueTagging } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Appended, type Load, now } from './load.ts'

const payload = { tags: ['bench'], remove: false, isDirectory: false, filters: noFilters }

/** Creates jobs 1 to `jobs` with one event each. They have no tasks, so that no worker starts them. */
export async function beginJobs(db: Db, jobs: number): Promise<void> {
  const at = new Date().toISOString()
  for (let id = 1; id <= jobs; id++) {
    await db.transaction().execute((trx) => beginJob(trx, id, system, queueTagging(id, id, payload, at).slice(0, 1)))
  }
}

/** Lifts the limit of open pages of a user, because few users open all sockets. */
export async function allowPages(db: Db, pages: number): Promise<void> {
  const row = { name: 'openPagesPerUser', value: String(pages) }
  await db
    .insertInto('configurations')
    .values(row)
    .onConflict((on) => on.column('name').doUpdateSet(row))
    .execute()
}

/** Appends events at a constant rate; when late, all that are due together. */
export async function appendFor(db: Db, { jobs, rate, seconds }: Load): Promise<Appended> {
  const committed: [number, number][] = []
  const versions = new Map(Array.from({ length: jobs }, (_, i) => [i + 1, 1]))
  const started = performance.now()
  for (let done = 0; done < rate * seconds;) {
    await pause(Math.max(started + ((done + 1) * 1_000) / rate - performance.now(), 1))
    const due = Math.min(Math.floor(((performance.now() - started) * rate) / 1_000), rate * seconds)
    const next = Array.from({ length: due - done }, (_, i) => nextEvent(versions, 1 + ((done + i) % jobs)))
    done = due
    committed.push(...(await append(db, next)))
    wakeFollowers()
  }
  return { committed, versions: [...versions], seconds: (performance.now() - started) / 1_000 }
}

function nextEvent(versions: Map<number, number>, jobId: number) {
  const at = new Date().toISOString()
  const version = (versions.get(jobId) ?? 0) + 1
  versions.set(jobId, version)
  const event: JobEvent = { type: 'TaskProgressed', at, taskId: jobId, result: { tagged: version, toTag: 100_000 } }
  const data = JSON.stringify(event)
  const stream = streamNames.job(jobId)
  return { stream, version, type: event.type, data, evolveVersion, actor: 'bench', address: null, at }
}

/**
 * Takes the lock of all appends, but does not read the streams first: hundreds of events per job are unusual, and
 * reading them is not measured. Returns the positions with the time before the commit was sent.
 */
async function append(db: Db, events: ReturnType<typeof nextEvent>[]): Promise<[number, number][]> {
  if (events.length === 0) return []
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(7403001)`.execute(trx)
    const rows = await trx.insertInto('events').values(events).returning('position').execute()
    return rows.map(({ position }) => [position, now()])
  })
}
