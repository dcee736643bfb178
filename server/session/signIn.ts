import { sql } from 'kysely'
import type { z } from 'zod'
import { normalName } from '#events/contract/names.ts'
import type { Credentials, CurrentUser } from '#events/users/session.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { browserCounters, checkPassword, strangerCounters } from '#server/platform/http/guessing.ts'
import { knownBrowser } from '#server/platform/http/knownBrowser.ts'
import type { Cookies } from '#server/platform/http/route.ts'
import { openPagesOf } from '#server/platform/http/openPages.ts'
import { shareKey } from '#server/platform/http/shareOfUser.ts'
import { cachedUserLimits } from '#server/platform/limits/userLimits.ts'
import { closeSession, findSession, sessionName } from '#server/platform/http/session.ts'
import { beginSession, type SignInSource } from './beginSession.ts'
import type { failedSignIns } from './failedSignIns.ts'
import { strangersLane } from './strangersLane.ts'
import type { Role } from '#events/contract/needs.ts'

type Services = Pick<Platform, 'db' | 'config' | 'log' | 'live'>

/** Topics of a sign-in: accounts show their users' last one. */
const topics = ['users', 'sessions'] as const

const asStranger = strangersLane()

/** Reasons for the event log. */
const reasons = { 'wrong-credentials': 'the name or the password was wrong', disabled: 'the account is disabled' }

/**
 * Starts the user's session and ends the browser's previous one; unknown names and wrong passwords get the same
 * response. Throws 429 after too many failures.
 */
export async function signIn(
  platform: Services,
  { name, password }: z.infer<typeof Credentials>,
  from: SignInSource,
  cookies: Cookies,
  noteFailure: ReturnType<typeof failedSignIns>,
) {
  const user = await platform.db
    .selectFrom('users')
    .select(['id', 'name', 'roles', 'passwordHash', 'disabledAt'])
    .where(sql<boolean>`lower(name) IN (lower(${name}), lower(${normalName(name)}))`)
    // Accounts of earlier versions may have the other form of a name.
    .orderBy(sql`lower(name) = lower(${name})`, 'desc')
    .limit(1)
    .executeTakeFirst()
  const refuse = (message: string, code: keyof typeof reasons): never => {
    platform.log.warn({ name, address: from.address, code }, 'a sign-in failed')
    noteFailure({ user: user && { id: user.id, name: user.name }, address: from.address, reason: reasons[code] })
    throw new Problem(401, message, { code })
  }
  const browser = user && (await knownBrowser(platform.config, cookies, user.id))
  const counters = browser ? browserCounters(browser) : strangerCounters(user?.name ?? normalName(name), from.address)
  const check = () => checkPassword(platform.db, counters, password, user?.passwordHash)
  const isKnown = await (browser ? check() : asStranger(from.address, check))
  if (!isKnown || !user) return refuse('The name or the password is wrong', 'wrong-credentials')
  if (user.disabledAt) return refuse('Your account is disabled. Ask an administrator.', 'disabled')
  const sessionId = await change(
    platform,
    { id: user.id, name: user.name, address: from.address },
    topics,
    async (change) => {
      const unchanged = await change.trx
        .selectFrom('users')
        .select('id')
        .where('id', '=', user.id)
        .where('passwordHash', '=', user.passwordHash)
        .where('disabledAt', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      return unchanged && beginSession(change.trx, user, from)
    },
  )
  if (!sessionId) return refuse('Your account was changed at the same moment. Try again.', 'wrong-credentials')
  return { sessionId, user }
}

/** Ends the session, if there is one; returns whether it used single sign-on. */
export async function signOut(platform: Services, sessionId: string | undefined, address: string): Promise<boolean> {
  const user = sessionId ? await findSession(platform.db, sessionId) : undefined
  if (!sessionId || !user) return false
  return change(platform, { id: user.id, name: user.name, address }, ['sessions'], async ({ trx, recordFact }) => {
    await closeSession(trx, sessionId)
    await recordFact(sessionName(sessionId), { type: 'SignedOut' })
    const { issuer } = await trx
      .selectFrom('users')
      .select('issuer')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    return issuer !== null
  })
}

/** The current user for the browser, with the roles of the call and the licensed bundles. */
export async function findCurrentUser(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { id, roles: held }: { id: number; roles: readonly Role[] },
): Promise<CurrentUser> {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email', 'issuer', 'hasOneTimePassword'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { bundles, supportUrl = null } = config
  const { openPagesPerUser } = await cachedUserLimits(db)
  const hasTooManyPages = openPagesOf(shareKey({ id, name: user.name }) ?? '') >= openPagesPerUser
  return {
    id: String(id),
    name: user.name,
    email: user.email,
    roles: held.map((authority) => ({ authority })),
    bundles,
    isOfProvider: user.issuer !== null,
    mustChangePassword: user.hasOneTimePassword,
    supportUrl,
    ...(hasTooManyPages && { hasTooManyPages }),
  }
}
