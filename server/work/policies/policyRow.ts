import type { Selectable } from 'kysely'
import { actionOfType, rightsOf } from '#events/actions/actions.ts'
import { may } from '#events/contract/needs.ts'
import { PolicyDraft } from '#events/policies/policies.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { notFound } from '#server/platform/problem.ts'
import { requestOf } from './checkDraft.ts'

export type PolicyRow = Selectable<Tables['policies']>

/** The draft that a policy was made from. */
export const draftOf = (row: PolicyRow): PolicyDraft => PolicyDraft.strip().parse(row)

/** Locks a policy against changes and other runs until the end of the transaction. Throws 404. */
export async function lockPolicy(trx: Trx, id: number): Promise<PolicyRow> {
  const row = trx.selectFrom('policies').selectAll().where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst()) ?? notFound('policy', id)
}

/** The reason why a policy may do nothing any more: its author lost the account or the rights. */
export async function faultOfAuthor(
  db: Db | Trx,
  { authorId, action, search }: PolicyRow,
): Promise<string | undefined> {
  const row = db.selectFrom('users').select(['name', 'roles', 'disabledAt']).where('id', '=', authorId)
  const author = await row.executeTakeFirst()
  if (!author || author.disabledAt)
    return 'The account of the author was deleted or disabled. Save the policy as yours.'
  const request = requestOf(action, search)
  const needs = ['policies.edit', ...(request ? [rightsOf(actionOfType(request.jobType)).needs] : [])] as const
  if (needs.every((right) => may(author.roles, right))) return undefined
  return `${author.name} may no longer do what the policy does. Save the policy as yours.`
}
