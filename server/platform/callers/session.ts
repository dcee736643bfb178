import { streamNames } from '#events/streams.ts'
import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ConfigurationName } from '#events/configurations.ts'
import { cleanText } from '#events/contract/cleanText.ts'
import type { Role } from '#events/contract/needs.ts'
import { confirmedMinutes } from '#events/users/session.ts'
import type { requiredFor } from '#events/users/secondFactor.ts'
import { browserPrefix, sessionLimits } from '#events/users/sessions.ts'
import { isLimited, type Scope, scopeOf } from './scope.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'

/** Step without which a user may do nothing else: replacing a one-time password, or setting up a second factor. */
export type Duty = 'choosePassword' | 'setUpSecondFactor'

/** `isConfirmed`: the user proved who they are within the last minutes, by signing in or by the password again. */
export type SessionUser = {
  id: number
  name: string
  roles: Role[]
  mustFirst: Duty | null
  isConfirmed: boolean
  scope: Scope
  /** Name of the administrator who sees the product as this user; null for sign-ins. */
  viewedBy: string | null
}

const { browserHours, scriptHours, providerHours, days } = sessionLimits
/**
 * End of a session that isn't used from now on. Scripts that sign in for each run leave their sessions behind, so theirs
 * end sooner.
 */
const idleEnd = (userAgent: RawBuilder<string | null>) => sql<Date>`now() + make_interval(hours => CASE
  WHEN ${userAgent} LIKE ${`${browserPrefix}%`} OR ${userAgent} IS NULL THEN ${sql.lit(browserHours)}
  ELSE ${sql.lit(scriptHours)} END)`
/** Without a refresh token, only a new sign-in shows if the provider still lets a user in. */
const maxAge = sql<Date>`created_at + CASE
  WHEN refresh_token IS NULL AND (SELECT issuer FROM users WHERE id = user_id) IS NOT NULL
  THEN make_interval(hours => ${sql.lit(providerHours)})
  ELSE make_interval(days => ${sql.lit(days)}) END`
const maxUserAgentLength = 300

/**
 * Starts a session and returns its id, which only the browser keeps; deletes sessions that ended. `provedAt`: Unix time in
 * seconds at which a single sign-on last required proof of its user; by default that is now.
 */
export async function openSession(
  db: Db | Trx,
  userId: number,
  address: string,
  userAgent: string | null = null,
  provedAt?: number,
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  const now = sql<Date>`now()`
  const agent = userAgent === null ? null : cleanText(userAgent, maxUserAgentLength)
  await db.deleteFrom('sessions').where('expiresAt', '<', now).execute()
  await db
    .insertInto('sessions')
    .values({
      idHash: hash(id),
      userId,
      address,
      userAgent: agent,
      expiresAt: idleEnd(sql`${agent}::text`),
      ...(provedAt !== undefined && { confirmedAt: sql<Date>`least(now(), to_timestamp(${provedAt}))` }),
    })
    .execute()
  await db.updateTable('users').set({ lastSignInAt: now }).where('id', '=', userId).execute()
  return id
}

/** By the clock of the database, which all servers share. A time in the future comes from a clock that was wrong. */
const isConfirmed = sql<boolean>`sessions.confirmed_at
  BETWEEN now() - make_interval(mins => ${sql.lit(confirmedMinutes)}) AND now()`

/** True for users who must have a second factor, by the setting. Single sign-on has its own. */
export const isSecondFactorRequired = sql<boolean>`(users.issuer IS NULL AND
  CASE (SELECT value FROM configurations WHERE name = ${sql.lit('secondFactorRequiredFor' satisfies ConfigurationName)})
    WHEN ${sql.lit('everyone' satisfies Required)} THEN true
    WHEN ${sql.lit('administrators' satisfies Required)} THEN 'ROLE_ADMIN' = any(users.roles)
    ELSE false END)`
type Required = (typeof requiredFor)[number]

/** True for users whose second factor is on. */
export const hasFactor = sql<boolean>`EXISTS (
  SELECT FROM second_factors WHERE user_id = users.id AND since IS NOT NULL)`

/** The first duty of a user. */
export const duty = sql<Duty | null>`CASE
  WHEN users.has_one_time_password THEN ${sql.lit('choosePassword' satisfies Duty)}
  WHEN ${isSecondFactorRequired} AND NOT ${hasFactor} THEN ${sql.lit('setUpSecondFactor' satisfies Duty)} END`

/** Name of the administrator of a view; null if their session, account or role ended, and for sign-ins. */
const viewer = sql<
  string | null
>`(SELECT viewers.name FROM sessions AS own JOIN users AS viewers ON viewers.id = own.user_id
  WHERE own.id = sessions.viewed_by AND own.expires_at > now()
    AND viewers.disabled_at IS NULL AND 'ROLE_ADMIN' = any(viewers.roles))`

/** True for sessions that still work. */
const isOpen = sql<boolean>`(sessions.expires_at > now() AND users.disabled_at IS NULL
  AND (sessions.viewed_by IS NULL OR ${viewer} IS NOT NULL))`

/** Marks a session as confirmed by its user. */
export async function confirmSession(db: Db | Trx, id: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmedAt: sql<Date>`now()` })
    .where('idHash', '=', hash(id))
    .execute()
}

/** Locks a session and its account. Throws 409 if the user was signed out or disabled since the call began. */
export async function lockSession(trx: Trx, id: string | undefined): Promise<void> {
  const open = await trx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select('users.id')
    .where('idHash', '=', hash(id ?? ''))
    .where('users.disabledAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!open) conflict('Your account was changed at the same moment. Try again.')
}

/** Returns the user of an open session and prolongs it. */
export async function findSession(db: Db | Trx, id: string): Promise<SessionUser | undefined> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.name', 'users.roles', duty.as('mustFirst')])
    .select(sql<boolean>`sessions.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .select([isConfirmed.as('isConfirmed'), isLimited.as('isLimited'), viewer.as('viewedBy')])
    .where('idHash', '=', hash(id))
    .where(isOpen)
    .executeTakeFirst()
  if (!found) return undefined
  const { isStale, isLimited: limited, ...user } = found
  // A view ends an hour after its start, and has no duties of its user.
  if (user.viewedBy !== null) Object.assign(user, { mustFirst: null, isConfirmed: false })
  else if (isStale) await prolong(db, id)
  return { ...user, scope: limited ? await scopeOf(db, user.id) : 'everything' }
}

/** Sets the end of a session that is used now. */
export const prolong = (db: Db | Trx, id: string) =>
  db
    .updateTable('sessions')
    .set({ lastSeenAt: sql<Date>`now()`, expiresAt: sql<Date>`least(${idleEnd(sql`user_agent`)}, ${maxAge})` })
    .where('idHash', '=', hash(id))
    .execute()

/** Ends the views of some sessions (`own`), and records them as ended by their administrators. */
export async function endViews(trx: Trx, which: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<{ userId: number; name: string; byId: number; byName: string; address: string }>`
    DELETE FROM sessions USING users, sessions AS own, users AS viewers
    WHERE own.id = sessions.viewed_by AND viewers.id = own.user_id AND users.id = sessions.user_id AND ${which}
    RETURNING users.id AS user_id, users.name, viewers.id AS by_id, viewers.name AS by_name, own.address`.execute(trx)
  for (const { userId, name, byId, byName, address } of rows) {
    const fact = { type: 'ViewEnded', name }
    await record(trx, streamNames.user(userId), { id: byId, name: byName, address }, fact)
  }
}

/** Ends a session; ignores an unknown one. Its view ends too, which `endViews` records. */
export async function closeSession(db: Db | Trx, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('idHash', '=', hash(id)).execute()
}

/** Selects sessions by number or user; `except` is the id of one to keep. */
type SessionSelection = { id?: number; userId?: number; except?: string | undefined }

/** Ends sessions and records by whom; their sockets close at the next heartbeat. Returns their number. */
export async function endSessions(trx: Trx, { id, userId, except }: SessionSelection, by: Actor): Promise<number> {
  if (id === undefined && userId === undefined) return 0
  await endViews(
    trx,
    sql`(own.id = ${id ?? null} OR own.user_id = ${userId ?? null}) AND own.id_hash IS DISTINCT FROM ${except === undefined ? null : hash(except)}`,
  )
  let which = trx.deleteFrom('sessions')
  if (id !== undefined) which = which.where('id', '=', id)
  if (userId !== undefined) which = which.where('userId', '=', userId)
  if (except !== undefined) which = which.where('idHash', '!=', hash(except))
  const ended = await which.returning('idHash').execute()
  for (const { idHash } of ended) await record(trx, streamNames.session(idHash), by, { type: 'SignedOut' })
  return ended.length
}

type OpenSession = Pick<SessionUser, 'id' | 'roles'> & { isLimited: boolean }

/** Returns the sessions that are still open, with the current rights of their users; doesn't prolong them. */
export async function openSessions(db: Db, ids: readonly string[]): Promise<Map<string, OpenSession>> {
  if (ids.length === 0) return new Map()
  const byHash = new Map(ids.map((id) => [hash(id), id]))
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.idHash', 'users.id', 'users.roles', isLimited.as('isLimited')])
    .where('idHash', 'in', [...byHash.keys()])
    .where(isOpen)
    .execute()
  return new Map(rows.map(({ idHash, ...user }) => [byHash.get(idHash) ?? '', user]))
}

/** The stream of a session in the event log; it doesn't reveal the id. */
export const sessionName = (id: string) => streamNames.session(hash(id))

/** The stored form of a secret that is too random to guess. */
export const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')
