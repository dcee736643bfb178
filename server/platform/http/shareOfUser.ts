import { Admission } from '#server/platform/limits/admission.ts'
import { cachedUserLimits, runAsUser } from '#server/platform/limits/userLimits.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Caller } from './route.ts'

const downloads = new Admission('The server is stopping')

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
  return runAsUser({ key, limits }, () =>
    isDownload ? downloads.take([workLimits.download], work, { signal: caller.signal }) : work(),
  )
}
