import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { deliver } from './deliver.ts'
import { type Channel, type DueDelivery, keepFailure, keepSent, takeDue } from './outbox.ts'

type Sender = Pick<Platform, 'db' | 'config' | 'log' | 'live'>

/** `now` is the clock; `isOver` returns true when no more deliveries should start. */
type Round = { now?: () => Date; isOver?: () => boolean }

/** Sends all due deliveries of a channel; failures are stored with their reason and don't block others. */
export async function sendDue(
  platform: Sender,
  channel: Channel,
  { now = () => new Date(), isOver = () => false }: Round = {},
): Promise<void> {
  while (!isOver()) {
    const due = await takeDue(platform.db, channel, now())
    if (due.length === 0) return
    const ends = await Promise.allSettled(due.map((one) => sendOne(platform, one, now)))
    platform.live({ type: 'changed', topics: ['notifications'] })
    const broken = ends.find(({ status }) => status === 'rejected')
    if (broken?.status === 'rejected') throw broken.reason
  }
}

/** Rejects if the result could not be stored: the delivery is retried after its lease. */
async function sendOne(platform: Sender, due: DueDelivery, now: () => Date): Promise<void> {
  const failure = await deliver(platform, due).then(() => undefined, asNotSent)
  if (!failure) return keepSent(platform.db, due)
  const { key, tries } = due
  const isGivenUp = await keepFailure(platform.db, due, failure, now())
  const message = isGivenUp ? 'could not send a delivery, gave up' : 'could not send a delivery, will retry'
  platform.log.warn({ key, tries, reason: failure.message, cause: failure.cause }, message)
}

/** The reason of a failure for users; the log has those of other failures. */
export function asNotSent(error: unknown): NotSent {
  if (error instanceof NotSent) return error
  if (error instanceof Problem) return new NotSent(error.message, { cause: error })
  return new NotSent('It could not be sent. See the log of the server.', { cause: error })
}
