import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { deliver } from './deliver.ts'
import { type Channel, type Due, keepFailure, keepSent, takeDue } from './outbox.ts'

type Sender = Pick<Platform, 'db' | 'config' | 'log' | 'live'>

/** `now` is the clock; `isOver` says that no more is to be begun. */
type Round = { now?: () => Date; isOver?: () => boolean }

/** Sends all that is due by one channel; one that fails is kept with its reason and stands in nobody's way. */
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

/** Rejects when what came of it could not be kept: then it is tried again after its lease. */
async function sendOne(platform: Sender, due: Due, now: () => Date): Promise<void> {
  const failure = await deliver(platform, due).then(() => undefined, asNotSent)
  if (!failure) return keepSent(platform.db, due)
  const { key, tries } = due
  const isGivenUp = await keepFailure(platform.db, due, failure, now())
  const words = isGivenUp ? 'It could not be sent and is given up' : 'It could not be sent and is tried again'
  platform.log.warn({ key, tries, reason: failure.message, cause: failure.cause }, words)
}

function asNotSent(error: unknown): NotSent {
  if (error instanceof NotSent) return error
  if (error instanceof Problem) return new NotSent(error.message, { cause: error })
  return new NotSent('It could not be sent; the log of the server says why', { cause: error })
}
