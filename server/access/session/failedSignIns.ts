import { streamNames } from '#events/streams.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

/** Minimum milliseconds between two events about related failures. */
const defaultMs = 60_000

type Failure = {
  /**
   * Undefined for a name without an account. Such names are not stored: people may type a password in place of a name.
   */
  user: { id: number; name: string } | undefined
  address: string
  reason: string
}
type Pending = Failure & { failures: number }

/** No one is signed in yet. */
const somebody = 'not signed in'

/**
 * Records failed sign-ins in the event log: the first at once, further ones within a minute as one event with their
 * number. Failures are grouped by account and address; all unknown names form one group, so strangers can't fill the
 * log from any number of addresses. Returns a function that records a failure.
 */
export function failedSignIns(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  everyMs = defaultMs,
): (failure: Failure) => void {
  /** Failures waiting for the end of their minute; none at its start. */
  const minutes = new Map<string, Pending | undefined>()

  const write = ({ user, address, reason, failures }: Pending) =>
    inTransaction(db, (trx) => {
      const stream = user ? streamNames.user(user.id) : streamNames.signIns
      const fact = { type: 'SignInFailed', name: user?.name ?? 'an unknown name', reason, failures }
      return record(trx, stream, { kind: 'stranger', name: somebody, address }, fact)
    }).catch((error: unknown) => log.warn({ error }, 'could not record a failed sign-in in the event log'))
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
