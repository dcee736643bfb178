import type { StreamName } from '#events/streams.ts'
import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Audit, record, recordChange } from './audit.ts'
import type { Actor, Trx } from './eventLog.ts'
import { wakeFollowers } from './follow.ts'

/** A change under way: its transaction, who makes it, and how the event log is told of it. */
export type Change<By extends Actor = Actor> = {
  trx: Trx
  by: By
  /** Notes in a stream what was changed: no `before` when it was made, no `after` when it was removed. No secrets. */
  record: (stream: StreamName, audit: Audit) => Promise<void>
  /** Notes in a stream that something happened which has no before and after. */
  recordFact: (stream: StreamName, fact: { type: string }) => Promise<void>
}

/** What `changed` names once the work is done; a function of its result where that decides it. */
type Topics<Result> = readonly ChangeTopic[] | ((result: Result) => readonly ChangeTopic[])

/**
 * Makes a change of settings: does the work in one transaction and, once that is over, wakes the followers of the event log
 * and has every browser read again what the topics name. What the work throws undoes all of it, and nobody is told.
 */
export async function change<Result, By extends Actor>(
  { db, live }: Pick<Platform, 'db' | 'live'>,
  by: By,
  topics: Topics<Result>,
  work: (change: Change<By>) => Promise<Result>,
): Promise<Result> {
  const result = await db.transaction().execute((trx) => work(changeIn(trx, by)))
  wakeFollowers()
  const changed = typeof topics === 'function' ? topics(result) : topics
  if (changed.length > 0) live({ type: 'changed', topics: [...changed] })
  return result
}

/** A change in a transaction that the caller ends: nobody is told of it but by the caller. */
export const changeIn = <By extends Actor>(trx: Trx, by: By): Change<By> => ({
  trx,
  by,
  record: (stream, audit) => recordChange(trx, stream, by, audit),
  recordFact: (stream, fact) => record(trx, stream, by, fact),
})
