import { sql } from 'kysely'
import type { Trx } from '#server/platform/eventLog.ts'
import { invalid, notFound } from '#server/platform/problem.ts'

export const streamOf = (id: number): string => `agent-${id}`

/** The row, which nobody else changes, and to which nobody gives a storage, until the transaction is over. */
export async function lockAgent(trx: Trx, id: number): Promise<{ name: string; publicKey: string | null }> {
  const living = trx.selectFrom('agents').select(['name', 'publicKey']).where('deletedAt', 'is', null)
  return (await living.where('id', '=', id).forUpdate().executeTakeFirst()) ?? notFound('agent', id)
}

/** Throws 400 for a name that another agent has, whatever its case; a deleted one has none any more. */
export async function checkName(trx: Trx, name: string, own = 0): Promise<void> {
  const taken = await trx
    .selectFrom('agents')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('deletedAt', 'is', null)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (taken) invalid('name', `should be unique, ${name} already exists`)
}
