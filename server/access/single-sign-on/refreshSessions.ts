import { sql } from 'kysely'
import { change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { endSessions, hash, prolong } from '#server/platform/callers/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { openSecret, sealSecret } from '#server/platform/secrets.ts'
import type { SingleSignOn } from '#server/platform/singleSignOn.ts'
import { accountOf, takeAccount } from './account.ts'
import { isSignInOver } from './failures.ts'
import { type Provider, openProvider, refreshClaims } from './provider.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

type Services = Pick<Platform, 'db' | 'config' | 'live' | 'log'>
type Refreshing = Services & { settings: SingleSignOn; provider: Provider }

const checkEveryMs = 60_000
/** Time within which a change of groups at the provider arrives. */
const refreshMinutes = 10

const placeOf = (idHash: string) => ({ name: `refreshToken.${idHash}`, called: 'The refresh token' })

/**
 * Keeps the provider's ID and refresh token of a session. Without a refresh token, the provider is queried at the next
 * sign-in only, so the session is short.
 */
export async function keepProviderSession(
  trx: Trx,
  config: Services['config'],
  sessionId: string,
  { refreshToken, id }: { refreshToken: string | undefined; id: string | undefined },
): Promise<void> {
  const idHash = hash(sessionId)
  if (id !== undefined)
    await trx.updateTable('sessions').set({ providerSession: id }).where('idHash', '=', idHash).execute()
  if (refreshToken !== undefined) await store(trx, config, idHash, refreshToken)
  else await prolong(trx, sessionId)
}

async function store(trx: Trx, config: Services['config'], idHash: string, token: string): Promise<void> {
  const refreshToken = await sealSecret(config, placeOf(idHash).name, token)
  await trx.updateTable('sessions').set({ refreshToken }).where('idHash', '=', idHash).execute()
}

/**
 * Queries the provider every `refreshMinutes` about the user of each session that has a refresh token: name, email and roles
 * follow it, and the session ends with the sign-in at the provider. Does nothing without a provider.
 */
export function startSessionRefresh(platform: Services): Running | undefined {
  const settings = platform.config.singleSignOn
  if (!settings) return undefined
  const refreshing = { ...platform, settings, provider: openProvider(settings) }
  const failed = 'could not ask the single sign-on about its users'
  return runEvery(checkEveryMs, () => refreshSessions(refreshing), failed, platform.log)
}

/** Refreshes the sessions that are due, one after another; continues past those that fail. Throws if the provider is down. */
export async function refreshSessions(refreshing: Refreshing): Promise<void> {
  for (let due = await takeDue(refreshing.db); due; due = await takeDue(refreshing.db)) {
    try {
      await refresh(refreshing, due)
    } catch (error) {
      if (error instanceof SignInRefusedError && error.problem === 'unreachable') throw error
      refreshing.log.warn({ error, user: due.userId }, 'could not refresh a session of the single sign-on')
    }
  }
}

type Due = { id: number; idHash: string; userId: number; address: string; refreshToken: string | null }

/** Takes the session that waited longest, so that no other server takes it too. */
const takeDue = (db: Db): Promise<Due | undefined> =>
  db
    .updateTable('sessions')
    .set({ refreshedAt: sql<Date>`now()` })
    .where('id', '=', (of) =>
      of
        .selectFrom('sessions')
        .select('id')
        .where('refreshToken', 'is not', null)
        .where('refreshedAt', '<', sql<Date>`now() - make_interval(mins => ${sql.lit(refreshMinutes)})`)
        .where('expiresAt', '>', sql<Date>`now()`)
        .orderBy('refreshedAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'idHash', 'userId', 'address', 'refreshToken'])
    .executeTakeFirst()

async function refresh(refreshing: Refreshing, due: Due): Promise<void> {
  const { db, config, settings, provider } = refreshing
  const user = await db.selectFrom('users').select(['name', 'subject']).where('id', '=', due.userId).executeTakeFirst()
  if (!user?.subject || due.refreshToken === null) return
  const by = { kind: 'provider', name: user.name, address: due.address } as const
  const token = await openSecret(config, placeOf(due.idHash), due.refreshToken)
  try {
    const { claims, refreshToken = token } = await refreshClaims(await provider(), token, user.subject)
    const topicsOf = ({ isChanged }: { isChanged: boolean }) => (isChanged ? (['users', 'apiTokens'] as const) : [])
    await change(refreshing, by, topicsOf, async (made) => {
      if (refreshToken !== token) await store(made.trx, config, due.idHash, refreshToken)
      return takeAccount(made, accountOf(claims, settings))
    })
  } catch (error) {
    if (!isSignInOver(error)) throw error
    await change(refreshing, by, ['sessions'], ({ trx }) => endSessions(trx, { id: due.id }, by))
  }
}
