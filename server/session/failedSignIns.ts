import { streamNames } from '#events/streams.ts'
import { record } from '#server/platform/log/audit.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import type { Platform } from '#server/platform/platform.ts'

/** Of failures that belong together one event is written at most so often, in milliseconds. */
const usualMs = 60_000

type Failure = {
  /** Undefined for a name that no account has. Such a name is kept nowhere: people type a password where a name belongs. */
  user: { id: number; name: string } | undefined
  address: string
  reason: string
}
type Pending = Failure & { failures: number }

/** Nobody is signed in yet: whoever it was. */
const somebody = 'not signed in'

/**
 * Writes failed sign-ins into the event log: the first at once, those that follow within a minute as one event with their
 * number. Failures of an account from an address belong together, and all those of names that no account has, so that
 * strangers cannot fill the log, from however many addresses. Gives back how to note one.
 */
export function failedSignIns(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  everyMs = usualMs,
): (failure: Failure) => void {
  /** What waits for the end of its minute; none are pending at its beginning. */
  const minutes = new Map<string, Pending | undefined>()

  const write = ({ user, address, reason, failures }: Pending) =>
    db
      .transaction()
      .execute((trx) => {
        const stream = user ? streamNames.user(user.id) : streamNames.signIns
        const fact = { type: 'SignInFailed', name: user?.name ?? 'an unknown name', reason, failures }
        return record(trx, stream, { name: somebody, address }, fact)
      })
      .then(wakeFollowers)
      .catch((error: unknown) => log.warn({ error }, 'a failed sign-in could not be written into the event log'))
  const begin = (key: string) => {
    minutes.set(key, undefined)
    setTimeout(() => end(key), everyMs).unref()
  }
  const end = (key: string) => {
    const pending = minutes.get(key)
    minutes.delete(key)
    if (!pending) return
    begin(key)
    void write(pending)
  }
  return (failure) => {
    const key = failure.user ? `${failure.user.id} ${failure.address}` : ''
    if (minutes.has(key)) {
      minutes.set(key, { ...failure, failures: (minutes.get(key)?.failures ?? 0) + 1 })
      return
    }
    begin(key)
    void write({ ...failure, failures: 1 })
  }
}
