import type { Transaction } from 'kysely'
import type { Db } from './postgres.ts'
import type { Tables } from './tables.ts'
import { isDeadlock } from '#server/platform/storeErrors.ts'

const maxAttempts = 3
const afterCommits = new WeakMap<Transaction<Tables>, Set<() => void>>()

/** Milliseconds after which other transactions have usually been committed. */
const usuallyCommittedMs = 1_000

/** Calls a function after the commit of `inTransaction`, once even if it is given several times; for another transaction, a second later. */
export function afterCommit(trx: Transaction<Tables>, run: () => void): void {
  const after = afterCommits.get(trx)
  if (after) after.add(run)
  else setTimeout(run, usuallyCommittedMs).unref()
}

/**
 * Runs the work in a transaction, again if Postgres ended it because it and another one waited for each other: the
 * other one is then through. Nothing of the first attempt remains, so the work must have no other effects.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const after = new Set<() => void>()
      const result = await db.transaction().execute((trx) => {
        afterCommits.set(trx, after)
        return work(trx)
      })
      for (const run of after) run()
      return result
    } catch (error) {
      if (attempt === maxAttempts || !isDeadlock(error)) throw error
    }
  }
}
