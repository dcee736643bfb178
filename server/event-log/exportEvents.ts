import { eventLine } from '#events/event-lines.ts'
import type { EventFilters } from '#events/event-log.ts'
import type { Download } from '#server/platform/download.ts'
import type { Db } from '#server/platform/postgres.ts'
import { newestPosition, readEvents } from './listEvents.ts'

const pageSize = 2_000

/** The meant events as a file, one a line, ascending, up to the one that is the newest when it is asked for. */
export async function exportEvents(db: Db, filters: EventFilters): Promise<Download> {
  const newest = await newestPosition(db)
  return { name: `events-${newest}.ndjson`, body: linesOf(db, filters, newest) }
}

/** Page by page, as fast as they are taken: however long the log is, one page of it is held. */
async function* linesOf(db: Db, filters: EventFilters, newest: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; ;) {
    const asked = { ...filters, after, before: newest + 1, direction: 'asc' as const, size: pageSize }
    const page = await readEvents(db, asked)
    const last = page.at(-1)
    if (!last) return
    yield Buffer.from(page.map(eventLine).join(''))
    after = last.position
  }
}
