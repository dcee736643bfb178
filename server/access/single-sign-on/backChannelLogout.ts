import type { RequestHandler } from 'express'
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { z } from 'zod'
import { endSessions, hash } from '#server/platform/callers/session.ts'
import { change } from '#server/platform/log/change.ts'
import { outgoingFetch } from '#server/platform/outgoingFetch.ts'
import type { Platform } from '#server/platform/platform.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { SingleSignOn } from '#server/platform/singleSignOn.ts'
import type { Provider } from './provider.ts'

type Services = Pick<Platform, 'db' | 'live' | 'log'> & { settings: SingleSignOn; provider: Provider }

/** Maximum age of a logout token, and difference of the clocks, in seconds. */
const maxAgeSeconds = 300
const clockToleranceSeconds = 60

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Without `sid`, all sessions of the user `sub` end. */
const LogoutToken = z
  .object({
    iss: z.string(),
    jti: z.string().min(1),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    events: z.object({ [logoutEvent]: z.object({}) }),
    // ID tokens have one, and sign no one out.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'must have sub or sid')
type LogoutToken = z.output<typeof LogoutToken>

/**
 * Receives logout tokens of the provider, whose users signed out or were disabled there, and ends their sessions (OpenID
 * Connect Back-Channel Logout 1.0). Answers 200 if no session is left, and 400 otherwise.
 */
export function backChannelLogout({ settings, provider, log, ...services }: Services): RequestHandler {
  let keys: JWTVerifyGetKey | undefined
  return async (req, res) => {
    const address = (req.ip ?? '').replace(/^::ffff:/, '')
    try {
      const { issuer, jwks_uri: place = '' } = (await provider()).serverMetadata()
      keys ??= createRemoteJWKSet(new URL(place), { [customFetch]: outgoingFetch })
      const text: unknown = req.body?.['logout_token']
      const token = await readToken(text, keys, { issuer, audience: settings.clientId })
      const sessions = await endSessionsOf(services, token, address)
      log.info({ sessions, address }, 'the single sign-on signed a user out')
      res.status(200).end()
    } catch (error) {
      log.warn({ reason: messageOf(error), address }, 'a sign-out by the single sign-on failed')
      const reason = error instanceof errors.JOSEError ? error.message : 'The sign-out failed. Try again.'
      res.status(400).json({ error: 'invalid_request', error_description: reason })
    }
  }
}

/** Throws `JOSEError` for a token that isn't a current logout token of the issuer for the audience. */
async function readToken(
  text: unknown,
  keys: JWTVerifyGetKey,
  expected: { issuer: string; audience: string },
): Promise<LogoutToken> {
  if (typeof text !== 'string') throw new errors.JWTInvalid('Send the logout token as the field logout_token of a form')
  const times = { maxTokenAge: maxAgeSeconds, clockTolerance: clockToleranceSeconds }
  const { payload } = await jwtVerify(text, keys, { ...expected, ...times })
  const { data, error } = LogoutToken.safeParse(payload)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => `${path.join(' ') || 'the token'}: ${message}`)
  throw new errors.JWTInvalid(`This isn't a logout token: ${problems.join(', ')}`)
}

/**
 * Ends the sessions of a token and returns their number. Throws `JOSEError` if the token was used before: the user may
 * have signed in again since.
 */
const endSessionsOf = (
  services: Pick<Services, 'db' | 'live'>,
  { iss, jti, sub, sid }: LogoutToken,
  address: string,
): Promise<number> => {
  const by = { kind: 'provider', name: 'single sign-on', address } as const
  return change(services, by, ['sessions'], async ({ trx }) => {
    const isOver = sql<boolean>`received_at < now() - make_interval(secs => ${4 * maxAgeSeconds})`
    await trx.deleteFrom('logoutTokens').where(isOver).execute()
    const { numInsertedOrUpdatedRows: isNew } = await trx
      .insertInto('logoutTokens')
      .values({ idHash: hash(JSON.stringify([iss, jti])) })
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow()
    if (!isNew) throw new errors.JWTInvalid('This logout token was used before')
    let which = trx
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select(['sessions.id', 'users.name'])
      .where('users.issuer', '=', iss)
    if (sub !== undefined) which = which.where('users.subject', '=', sub)
    // A session of the user whose ID the provider didn't send may be the one that ended.
    const isOther = sub === undefined ? sql<boolean>`false` : sql<boolean>`provider_session IS NULL`
    if (sid !== undefined) which = which.where((eb) => eb.or([eb('providerSession', '=', sid), isOther]))
    const ended = await which.execute()
    for (const { id, name } of ended) await endSessions(trx, { id }, { ...by, name })
    return ended.length
  })
}
