import { sql } from 'kysely'
import { counted } from '#events/contract/counted.ts'
import { linkTo, notifyUser } from '#server/messages/notifications/index.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import type { RunRow } from './runs.ts'

/** Administrators who can sign in. */
export const administrators = (db: Db | Trx) =>
  db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`'ROLE_ADMIN' = any(roles)`)
    .where('disabledAt', 'is', null)

/** Mails the administrators that a run waits or failed, once for each. */
export async function notifyAdministrators(
  trx: Trx,
  { id, name }: { id: number; name: string },
  run: Pick<RunRow, 'id' | 'kind' | 'files' | 'bytes'>,
  what: 'waits for approval' | 'failed',
  lines: readonly string[],
): Promise<void> {
  const users = await administrators(trx).where('email', 'is not', null).orderBy('id').execute()
  const link = await linkTo(trx, `/policy/${id}`)
  const noun = run.kind === 'act' ? 'run' : 'deletion'
  const text = [
    `A ${noun} of the policy ${name} ${what}: ${counted(run.files, 'file')}, ${sizeText(run.bytes)}.`,
    lines.map((line) => `- ${line}`).join('\n'),
    ...(link === '' ? [] : [link]),
  ].join('\n\n')
  for (const user of users)
    await notifyUser(trx, user.id, {
      key: `policy-run-${run.id} ${what} ${user.id}`,
      about: `policy-${id}`,
      subject: `Policy ${what}: ${name}`,
      text: `${text}\n`,
    })
}
