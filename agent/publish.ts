import { setTimeout as wait } from 'node:timers/promises'
import type { MsgHdrs } from 'nats'
import type { Connection } from './connection.ts'
import { RetryLater } from './execution.ts'

/** A message of a stream. `id` is the same for each attempt, so that the stream drops duplicates. */
export type Message = { subject: string; id: string; data: Uint8Array | string; headers?: MsgHdrs }

/** Timeout of one publish, and limits of the delay between attempts. */
const timeoutMs = 5_000
const minDelayMs = 100
const maxDelayMs = 1_000

/**
 * Publishes until the stream has the message: a full stream, a lost connection or a restart of NATS only slows the
 * agent down. Throws when the signal is aborted, and for errors that retries can't fix.
 */
export async function publish({ js, nats, log }: Connection, message: Message, signal: AbortSignal): Promise<void> {
  const maxBytes = nats.info?.max_payload ?? Infinity
  if (message.data.length > maxBytes)
    throw new Error(`A message of ${message.data.length} bytes exceeds the limit of NATS (${maxBytes})`)
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    signal.throwIfAborted()
    try {
      await publishOnce(js, message)
      return
    } catch (error) {
      if (nats.isClosed()) throw new RetryLater('The connection to NATS is closed', { cause: error })
      log.debug({ reason: String(error), id: message.id }, 'message not published, will retry')
    }
    await wait(delayMs + Math.random() * minDelayMs, undefined, { signal })
  }
}

/** Publishes once, for messages that would be outdated by the next attempt. */
export async function publishOnce(js: Connection['js'], { subject, id, data, headers }: Message): Promise<void> {
  await js.publish(subject, data, { msgID: id, timeout: timeoutMs, ...(headers && { headers }) })
}
