import { jobIdOfStream, jobStreamPrefix, streamNames } from '#events/streams.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { asLogged, newestPosition, selectReadableEvents } from '#server/messages/event-log/index.ts'
import { findJobDetails, jobRows } from '#server/workers/jobs/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type LogTopic } from './topics.ts'

/** Maximum events to resume a topic with; after more it starts with its full state. */
const maxResumed = 1_000

/** Beginning of a topic of the log, and the log position it includes. */
export type Beginning =
  | { type: 'state'; logged: number; state: JobDetails | null }
  | { type: 'resumed'; logged: number; events: LiveEvent[] }

/**
 * Reads a topic up to a position: the events following `after`, or its full state without `after` or if there are too
 * many.
 */
export async function readBeginning(db: Db, topic: LogTopic, upTo: number, after?: number): Promise<Beginning> {
  const resumed = after === undefined ? undefined : await readResumed(db, topic, after, upTo)
  return resumed ?? readState(db, topic, upTo)
}

/** A position ahead of ours is from another replica, or of another log. */
async function readResumed(db: Db, topic: LogTopic, after: number, upTo: number): Promise<Beginning | undefined> {
  if (after > upTo && after > (await newestPosition(db))) return undefined
  if (after >= upTo) return { type: 'resumed', logged: after, events: [] }
  const events = await readBetween(db, topic, after, upTo)
  if (events.length > maxResumed) return undefined
  return { type: 'resumed', logged: upTo, events: topic === 'jobs' ? await rowsOf(db, events) : asReadable(events) }
}

const asReadable = (events: LoggedEvent[]): LiveEvent[] => (events.length > 0 ? [{ type: 'logged', events }] : [])

async function rowsOf(db: Db, events: LoggedEvent[]): Promise<LiveEvent[]> {
  const ids = new Set(events.map(({ stream }) => jobIdOfStream(stream)).filter((id) => id !== undefined))
  const jobs = await jobRows(db, [...ids])
  return jobs.length > 0 ? [{ type: 'jobs', jobs }] : []
}

/** One more event than the maximum shows that there are too many. */
async function readBetween(db: Db, topic: LogTopic, after: number, upTo: number): Promise<LoggedEvent[]> {
  const rows = await selectReadableEvents(db)
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .$if(topic === 'jobs', (query) => query.where('stream', 'like', `${jobStreamPrefix}%`))
    .$if(topic !== 'jobs' && topic !== 'log', (query) => query.where('stream', '=', topic))
    .orderBy('position')
    .limit(maxResumed + 1)
    .execute()
  return rows.map(asLogged)
}

/** A job is read together with the position of its last event, which may be ahead of this replica's position. */
async function readState(db: Db, topic: LogTopic, upTo: number): Promise<Beginning> {
  const jobId = jobIdOfStream(topic)
  if (jobId === undefined) return { type: 'state', logged: upTo, state: null }
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const state = (await findJobDetails(trx, jobId)) ?? null
      const last = await trx
        .selectFrom('events')
        .select('position')
        .where('stream', '=', streamNames.job(jobId))
        .where('version', '=', state?.version ?? 0)
        .executeTakeFirst()
      return { type: 'state', logged: Math.max(upTo, last?.position ?? 0), state }
    })
}
