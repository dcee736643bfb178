import { cleanText } from '#events/contract/cleanText.ts'
import type { HealthProblem } from '#events/health.ts'
import { type SingleSignOnProblem, singleSignOnProblems } from '#events/users/singleSignOn.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { SignInRefusedError } from './signInRefusedError.ts'

/** Problems that an administrator has to resolve, not the user who signs in. */
const ofSettings: readonly SingleSignOnProblem[] = [
  'unreachable',
  'notFound',
  'otherIssuer',
  'refusedClient',
  'certificate',
  'clock',
]
/** Milliseconds after which a failure without a later sign-in no longer counts. */
const countsForMs = 24 * 3_600_000
/** The same for claims that were missing at a sign-in. */
const claimsCountForMs = 30 * 24 * 3_600_000
/** Claims about a user without groups. */
const personal: readonly string[] = ['preferred_username', 'email']
/** Users whose claims a problem names. */
const namedUsers = 3

/** Keeps a failure for the health of the product. */
export async function keepFailure(db: Db, { problem, cause }: SignInRefusedError): Promise<void> {
  if (!ofSettings.includes(problem)) return
  const failure = {
    problem,
    reason: cleanText(cause instanceof Error ? cause.message : '', 1_000),
    failedAt: new Date(),
  }
  await db
    .insertInto('singleSignOnFailures')
    .values(failure)
    .onConflict((on) => on.column('onlyRow').doUpdateSet(failure))
    .execute()
}

/** A successful sign-in shows that single sign-on works. */
export const forgetFailure = (trx: Trx) => trx.deleteFrom('singleSignOnFailures').execute()

/** Failures of single sign-on since the last sign-in, and claims that the provider did not send. */
export async function singleSignOnHealth(db: Db): Promise<HealthProblem[]> {
  const failure = await db
    .selectFrom('singleSignOnFailures')
    .select(['problem', 'reason'])
    .where('failedAt', '>', new Date(Date.now() - countsForMs))
    .executeTakeFirst()
  const failed = failure
    ? [{ key: 'single sign-on', message: `${textOf(failure.problem)} Last reason: ${failure.reason}.` }]
    : []
  return [...failed, ...(await missingClaims(db))]
}

const textOf = (problem: string): string =>
  Object.entries(singleSignOnProblems).find(([name]) => name === problem)?.[1] ?? singleSignOnProblems.failed

/** Claims of groups that the provider did not send. Many providers never send a name or an address, which hurts no one. */
async function missingClaims(db: Db): Promise<HealthProblem[]> {
  const users = await db
    .selectFrom('users')
    .select(['name', 'missingClaims'])
    .where('missingClaims', 'is not', null)
    .where('disabledAt', 'is', null)
    .where('lastSignInAt', '>', new Date(Date.now() - claimsCountForMs))
    .orderBy('lastSignInAt', 'desc')
    .orderBy('id')
    .execute()
  const missing = users.flatMap(({ name, missingClaims }) => {
    const claims = (missingClaims?.split(', ') ?? []).filter((claim) => !personal.includes(claim))
    return claims.length === 0 ? [] : { name, claims }
  })
  if (missing.length === 0) return []
  const claims = [...new Set(missing.flatMap((user) => user.claims))].join(', ')
  const more = missing.length - namedUsers
  const names = missing.slice(0, namedUsers).map(({ name }) => name)
  const whom = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const message = `Single sign-on did not send the claims of groups (${claims}) at the last sign-in of ${whom}. Their roles stay as they were. Let the provider send these claims, or correct OIDC_GROUPS_CLAIM.`
  return [{ key: 'claims of single sign-on', message }]
}
