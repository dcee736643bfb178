import { jobIdOfStream, jobStreamPrefix } from '#events/streams.ts'
import { sql } from 'kysely'
import { evolveStream, emptyState } from '#events/jobs/replay.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { asLogged, selectEvents } from './listEvents.ts'

/** The last position or time to include. */
export type EventLimit = { position: number } | { at: Date }

/** The state of a stream, and its last included event. */
export type StateAt = { stream: string; state: unknown; position: number; at: string }

const pageSize = 5_000

/** The state of one stream at a moment, or of all jobs, one after another. Read-only. */
export async function* statesAt(db: Db, until: EventLimit, only?: string): AsyncGenerator<StateAt> {
  let here: (StateAt & { isPast: boolean }) | undefined
  for await (const event of eventsOf(db, only)) {
    if (only === undefined && jobIdOfStream(event.stream) === undefined) continue
    if (here?.stream !== event.stream) {
      if (here && here.position > 0) yield asState(here)
      here = { stream: event.stream, state: emptyState, position: 0, at: '', isPast: false }
    }
    // Clocks differ: a stream is read up to its first event past the limit.
    here.isPast ||= 'position' in until ? event.position > until.position : Date.parse(event.at) > until.at.getTime()
    if (here.isPast) continue
    Object.assign(here, { state: evolveStream(here.state, event), position: event.position, at: event.at })
  }
  if (here && here.position > 0) yield asState(here)
}

const asState = ({ stream, state, position, at }: StateAt): StateAt => ({ stream, state, position, at })

async function* eventsOf(db: Db, only: string | undefined) {
  for (let last = { stream: '', version: 0 }; ;) {
    const rows = await selectEvents(db)
      .where(sql<boolean>`(stream, version) > (${last.stream}, ${last.version})`)
      .where('stream', only === undefined ? 'like' : '=', only ?? `${jobStreamPrefix}%`)
      .orderBy('stream')
      .orderBy('version')
      .limit(pageSize)
      .execute()
    for (const row of rows) yield asLogged(row)
    const end = rows.at(-1)
    if (!end || rows.length < pageSize) return
    last = end
  }
}
