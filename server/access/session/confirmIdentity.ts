import type { z } from 'zod'
import type { confirmIdentity as confirmIdentityCall } from '#events/users/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem, invalid } from '#server/platform/problem.ts'
import { checkCode, wrongCode } from '#server/access/second-factor/index.ts'
import { checkPassword, codeCounters, networkOf, ownCounters } from '#server/platform/callers/guessing.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { confirmSession, hasFactor } from '#server/platform/callers/session.ts'
import type { failedSignIns } from './failedSignIns.ts'
import { Admission } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'

/** A few at a time, apart from sign-ins: a check holds a thread, and any user may request many. */
const confirmations = new Admission('The server is stopping')

/**
 * Confirms the session's user by their password, and a code if they have a second factor. Users of single sign-on have
 * neither: their last sign-in must be recent. Throws 400 for a wrong password or code, 403 for an old sign-in, 429 after too many failures.
 */
export async function confirmIdentity(
  platform: Pick<Platform, 'db' | 'config'>,
  { password, code }: z.output<typeof confirmIdentityCall.body>,
  by: Caller,
  session: string | undefined,
  noteFailure: ReturnType<typeof failedSignIns>,
): Promise<void> {
  const { db } = platform
  const { name, passwordHash, issuer, needsCode } = await db
    .selectFrom('users')
    .select(['name', 'passwordHash', 'issuer', hasFactor.as('needsCode')])
    .where('id', '=', by.id)
    .executeTakeFirstOrThrow()
  if (issuer !== null) {
    if (by.isConfirmed) return
    throw new Problem(403, 'Sign in again in the new tab first', { code: 'sign-in-again' })
  }
  if (password === '') invalid('password', 'must not be blank')
  if (needsCode && code === '') invalid('code', 'must not be blank')
  const refuse = (field: 'password' | 'code', fault: string): never => {
    const reason = `the ${field} of a confirmation was wrong`
    noteFailure({ user: { id: by.id, name }, address: by.address, reason })
    return invalid(field, fault)
  }
  const check = () => checkPassword(db, ownCounters(by), password, passwordHash)
  const isRight = await confirmations.take([workLimits.signIn], check, { key: networkOf(by.address) })
  if (!isRight) refuse('password', 'is wrong')
  const counters = codeCounters({ signedIn: by.id })
  if (needsCode && !(await checkCode(platform, by, code, counters))) refuse('code', wrongCode)
  await confirmSession(db, session ?? '')
}
