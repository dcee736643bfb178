import type { StreamName } from '#events/streams.ts'
import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Audit, record, recordChange } from './audit.ts'
import type { Actor, Trx } from './eventLog.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

/** A change in progress: its transaction, its author, and its entries for the event log. */
export type Change<By extends Actor = Actor> = {
  trx: Trx
  by: By
  /** Records a change in a stream: without `before` a creation, without `after` a deletion. No secrets. */
  record: (stream: StreamName, audit: Audit) => Promise<void>
  /** Records a fact without a before and after in a stream. */
  recordFact: (stream: StreamName, fact: { type: string }) => Promise<void>
}

/** Topics announced as `changed` after the work; a function if they depend on the result. */
type Topics<Result> = readonly ChangeTopic[] | ((result: Result) => readonly ChangeTopic[])

/**
 * Makes a change of settings: does the work in one transaction, then wakes the followers of the event log and has every
 * browser reload data of the topics. If the work throws, everything is rolled back and nothing is sent.
 */
export async function change<Result, By extends Actor>(
  { db, live }: Pick<Platform, 'db' | 'live'>,
  by: By,
  topics: Topics<Result>,
  work: (change: Change<By>) => Promise<Result>,
): Promise<Result> {
  const result = await inTransaction(db, (trx) => work(changeIn(trx, by)))
  const changed = typeof topics === 'function' ? topics(result) : topics
  if (changed.length > 0) live({ type: 'changed', topics: [...changed] })
  return result
}

/** A change in a transaction that the caller ends; the caller sends the notifications. */
export const changeIn = <By extends Actor>(trx: Trx, by: By): Change<By> => ({
  trx,
  by,
  record: (stream, audit) => recordChange(trx, stream, by, audit),
  recordFact: (stream, fact) => record(trx, stream, by, fact),
})
