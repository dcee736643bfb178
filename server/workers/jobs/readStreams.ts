import { jobIdOfStream, jobStreamPrefix } from '#events/streams.ts'
import { sql } from 'kysely'
import { type JobEvent, evolve } from '#events/jobs/events.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { FoldedJob } from './project.ts'

/** Position in the streams of jobs, which are read one after another. */
export type Place = { stream: string; version: number }
export const beginning: Place = { stream: '', version: 0 }

/** The jobs of the next streams, and the place to continue from, if any. */
export type Step = { folded: FoldedJob[]; events: number; next: Place | undefined }

/** `stream`: only this one. `pageSize`: events per read. */
export type ReadOptions = { stream?: string | undefined; pageSize?: number }

/** Folds the next streams of jobs, each to its end, or a single stream. Only a page of the log is in memory. */
export async function readStreams(
  trx: Trx,
  from: Place,
  { stream: only, pageSize = 10_000 }: ReadOptions,
): Promise<Step> {
  const page = await eventsAfter(trx, from, only).limit(pageSize).execute()
  const last = page.at(-1)
  const isWhole = !last || page.length < pageSize
  const rest = isWhole ? [] : await eventsAfter(trx, last, last.stream).execute()
  const events = [...page, ...rest]
  const folded = new Map<string, FoldedJob>()
  for (const { stream, version, data } of events) {
    if (jobIdOfStream(stream) === undefined) continue
    folded.set(stream, { job: evolve(folded.get(stream)?.job, data as JobEvent), version })
  }
  return { folded: [...folded.values()], events: events.length, next: isWhole ? undefined : events.at(-1) }
}

const eventsAfter = (trx: Trx, { stream, version }: Place, only: string | undefined) =>
  trx
    .selectFrom('events')
    .select(['stream', 'version', 'data'])
    .where(sql<boolean>`(stream, version) > (${stream}, ${version})`)
    .where('stream', only === undefined ? 'like' : '=', only ?? `${jobStreamPrefix}%`)
    .orderBy('stream')
    .orderBy('version')
