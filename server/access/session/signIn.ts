import { sql } from 'kysely'
import type { z } from 'zod'
import { normalName } from '#events/contract/names.ts'
import { secondFactorCode } from '#events/users/secondFactor.ts'
import type { Credentials, CurrentUser } from '#events/users/session.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { readSeenPlaces } from '#server/access/limits/index.ts'
import { checkCode, hasSecondFactor, wrongCode } from '#server/access/second-factor/index.ts'
import {
  browserCounters,
  checkPassword,
  codeCounters,
  networkOf,
  strangerCounters,
} from '#server/platform/callers/guessing.ts'
import { knownBrowser } from '#server/platform/callers/knownBrowser.ts'
import { currentScopeOf, type Scope } from '#server/platform/callers/scope.ts'
import type { Cookies } from '#server/platform/http/route.ts'
import { openPagesOf } from '#server/platform/http/openPages.ts'
import { shareKey } from '#server/platform/http/shareOfUser.ts'
import { cachedUserLimits } from '#server/platform/limits/userLimits.ts'
import {
  closeSession,
  duty,
  endViews,
  findSession,
  hasFactor,
  hash,
  sessionName,
} from '#server/platform/callers/session.ts'
import { beginSession, type SignInSource } from './beginSession.ts'
import type { failedSignIns } from './failedSignIns.ts'
import { Admission } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'
import type { Role } from '#events/contract/needs.ts'

type Services = Pick<Platform, 'db' | 'config' | 'log' | 'live'>

/** Topics of a sign-in: accounts show their users' last one. */
const topics = ['users', 'sessions'] as const

const strangers = new Admission('The server is stopping')

/** Reasons for the event log. */
const reasons = {
  'wrong-credentials': 'the name or the password was wrong',
  'wrong-code': 'the code of the second factor was wrong',
  disabled: 'the account is disabled',
}

/**
 * Starts the user's session and ends the browser's previous one; unknown names and wrong passwords get the same
 * response. Throws 429 after too many failures.
 */
export async function signIn(
  platform: Services,
  { name, password, code }: z.infer<typeof Credentials>,
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
  const key = networkOf(from.address)
  const isKnown = await (browser ? check() : strangers.take([workLimits.signIn], check, { key }))
  if (!isKnown || !user) return refuse('The name or the password is wrong', 'wrong-credentials')
  if (user.disabledAt) return refuse('Your account is disabled. Ask an administrator.', 'disabled')
  if (!(await passesSecondFactor(platform, { ...user, address: from.address, code, browser })))
    return refuse(`The code ${wrongCode}`, 'wrong-code')
  const sessionId = await beginUnlessChanged(platform, user, from)
  if (!sessionId) return refuse('Your account was changed at the same moment. Try again.', 'wrong-credentials')
  return { sessionId, user }
}

/** `browser`: one that signed in to the account before. */
type CodeAttempt = { id: number; name: string; address: string; code: string; browser: string | undefined }

/**
 * Checks the code of a sign-in whose password was right. True for users without a second factor. Throws 401 if the code is
 * missing, which counts as no failure: browsers ask for it only then.
 */
async function passesSecondFactor(
  platform: Pick<Platform, 'db' | 'config'>,
  { code, browser, ...user }: CodeAttempt,
): Promise<boolean> {
  if (!(await hasSecondFactor(platform.db, user.id))) return true
  if (code === '') throw new Problem(401, 'Enter the code of your authenticator app', { code: secondFactorCode })
  return checkCode(platform, user, code, codeCounters(browser ? { browser } : { user: user.id }))
}

type CheckedUser = { id: number; name: string; passwordHash: string | null }

/** Starts a session, unless the account was disabled or got another password since the check. */
const beginUnlessChanged = (platform: Services, user: CheckedUser, from: SignInSource): Promise<string | undefined> =>
  change(platform, { id: user.id, name: user.name, address: from.address }, topics, async ({ trx }) => {
    const unchanged = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.id)
      .where('passwordHash', '=', user.passwordHash)
      .where('disabledAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    return unchanged && beginSession(trx, user, from)
  })

/** Ends the session, if there is one; returns whether it used single sign-on. */
export async function signOut(platform: Services, sessionId: string | undefined, address: string): Promise<boolean> {
  const user = sessionId ? await findSession(platform.db, sessionId) : undefined
  if (!sessionId || !user) return false
  return change(platform, { id: user.id, name: user.name, address }, ['sessions'], async ({ trx, recordFact }) => {
    await endViews(trx, sql`own.id_hash = ${hash(sessionId)}`)
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

/** `scope`: what the user sees, if the call knows it. */
type SignedInUser = { id: number; roles: readonly Role[]; viewedBy?: string | null; scope?: Scope }

/**
 * The current user for the browser, with the roles of the call and the licensed bundles. `viewedBy`: name of the administrator who sees
 * the product as this user, and has none of their duties.
 */
export async function findCurrentUser(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { id, roles: held, viewedBy = null, scope }: SignedInUser,
): Promise<CurrentUser> {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email', 'issuer', duty.as('mustFirst'), hasFactor.as('hasSecondFactor')])
    .select(sql<boolean>`EXISTS (SELECT FROM project_managers WHERE user_id = users.id)`.as('isManager'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { bundles, supportUrl = null } = config
  const { openPagesPerUser } = await cachedUserLimits(db)
  const hasTooManyPages = openPagesOf(shareKey({ id, name: user.name }) ?? '') >= openPagesPerUser
  const limits = await readSeenPlaces(db, { userId: id }, scope ?? (await currentScopeOf(db, id)))
  return {
    id: String(id),
    name: user.name,
    email: user.email,
    roles: held.map((authority) => ({ authority })),
    bundles,
    isOfProvider: user.issuer !== null,
    mustChangePassword: viewedBy === null && user.mustFirst === 'choosePassword',
    hasSecondFactor: user.hasSecondFactor,
    mustSetUpSecondFactor: viewedBy === null && user.mustFirst === 'setUpSecondFactor',
    supportUrl,
    ...(limits && { limits }),
    ...(user.isManager && { isManager: true as const }),
    ...(viewedBy !== null && { viewedBy }),
    ...(hasTooManyPages && { hasTooManyPages }),
  }
}
