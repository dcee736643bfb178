import { counted } from '#events/contract/counted.ts'
import type { HealthProblem } from '#events/health.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { otherReasons } from './deliver.ts'

/** Failed attempts of a mail after which it is a problem of the product, and no longer a mail server's busy moment. */
const minTries = 3
const dayMs = 86_400_000

/** Mails that fail again and again, and mails that were rejected for good within the last day. */
export async function mailProblems(db: Db, now: Date): Promise<HealthProblem[]> {
  const failures = await db
    .selectFrom('deliveries')
    .select(['state', 'reason'])
    .where('channel', 'in', ['email', 'secret-email'])
    .where('reason', 'is not', null)
    .where('reason', 'not in', otherReasons)
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'waiting'), eb('tries', '>=', minTries)]),
        and([eb('state', '=', 'failed'), eb('triedAt', '>', new Date(now.getTime() - dayMs))]),
      ]),
    )
    .orderBy('triedAt', 'desc')
    .limit(1_000)
    .execute()
  const problem = (key: string, state: 'waiting' | 'failed', what: string, hint: string): HealthProblem[] => {
    const found = failures.filter((failure) => failure.state === state)
    const count = counted(found.length, 'email')
    return found.length === 0 ? [] : [{ key, message: `${count} ${what}: ${found[0]?.reason}. ${hint}` }]
  }
  return [
    ...problem('mail server', 'waiting', 'could not be sent yet', 'Check Email in the settings.'),
    ...problem(
      'rejected emails',
      'failed',
      'could not be delivered today',
      'Check the addresses of reports and users.',
    ),
  ]
}
