import type { Transaction } from 'kysely'
import type { Db } from './postgres.ts'
import type { Tables } from './tables.ts'
import { isDeadlock } from '#server/platform/storeErrors.ts'

const maxAttempts = 3

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
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === maxAttempts || !isDeadlock(error)) throw error
    }
  }
}
