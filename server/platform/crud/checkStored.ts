import type { SelectQueryBuilder } from 'kysely'
import type { UserLimit } from '#events/users/userLimits.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { readUserLimits, tooManyStored } from '#server/platform/limits/userLimits.ts'

/**
 * Throws 429 if `rows`, the objects of a user, have reached the limit. Locks the user, so of concurrent calls each counts
 * the objects of the others.
 */
export async function checkStored<TB extends keyof Tables>(
  trx: Trx,
  { id }: { id: number },
  name: UserLimit,
  rows: SelectQueryBuilder<Tables, TB, object>,
): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { [name]: max } = await readUserLimits(trx)
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (Number(count) >= max) throw tooManyStored(name, max)
}
