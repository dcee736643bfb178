import { takeWithin } from '#server/platform/limits/limiter.ts'
import { openLimiterByKey } from '#server/platform/limits/limiterByKey.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { aboveLimit, cachedUserLimits, runAsUser } from '#server/platform/limits/userLimits.ts'
import type { Caller } from './route.ts'

/** Downloads of one user that wait for the user's earlier ones, and milliseconds that they wait. */
const maxWaiting = 8
const timeoutMs = 60_000
/** Seconds until a retry makes sense. */
const retryAfterSeconds = 30

const downloads = openLimiterByKey('The server is stopping')

/** Key of the user or wall display of a call; undefined for callers without a sign-in. */
export const shareKey = ({ id, name }: Pick<Caller, 'id' | 'name'>): string | undefined =>
  id > 0 ? `user ${id}` : name || undefined

/**
 * Runs the work of a call as that of its user. Downloads of a user wait for each other in a short queue; throws 429 if it
 * is full or doesn't move.
 */
export async function runInShare(
  db: Db,
  caller: Pick<Caller, 'id' | 'name' | 'signal'>,
  isDownload: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const key = shareKey(caller)
  if (key === undefined) return work()
  const limits = await cachedUserLimits(db)
  const run = () => runAsUser({ key, limits }, work)
  if (!isDownload) return run()
  const { exportsPerUser } = limits
  const late = () =>
    aboveLimit('exportsPerUser', `You have ${exportsPerUser} downloads in progress, the maximum.`, retryAfterSeconds)
  const refuse = () => {
    throw late()
  }
  const share = { running: exportsPerUser, waiting: maxWaiting, refuse }
  const take = (begin: () => Promise<void>, signal: AbortSignal) => downloads.take(key, begin, signal, share)
  return takeWithin(take, run, caller.signal, { ms: timeoutMs, late })
}
