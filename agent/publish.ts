import { setTimeout as wait } from 'node:timers/promises'
import type { MsgHdrs } from 'nats'
import type { Connection } from './connection.ts'
import { RetryLater } from './execution.ts'

/** A message of a stream. `id` is the same for each try, so that the stream keeps one of them. */
export type Message = { subject: string; id: string; data: Uint8Array | string; headers?: MsgHdrs }

/** How long the stream may take to confirm a message, and the pauses between tries. */
const timeoutMs = 5_000
const firstPauseMs = 100
const longestPauseMs = 1_000

/**
 * Publishes until the stream has the message: a full stream, a lost connection or a NATS that restarts only slow an
 * agent down. Throws when the signal is aborted, and for what no other try can help.
 */
export async function publish({ js, nats, log }: Connection, message: Message, signal: AbortSignal): Promise<void> {
  const largest = nats.info?.max_payload ?? Infinity
  if (message.data.length > largest) throw new Error(`A message of ${message.data.length} bytes does not fit into NATS`)
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal.throwIfAborted()
    try {
      await publishOnce(js, message)
      return
    } catch (error) {
      if (nats.isClosed()) throw new RetryLater('The connection to NATS is closed', { cause: error })
      log.debug({ reason: String(error), id: message.id }, 'The stream does not take a message; trying again')
    }
    await wait(pauseMs + Math.random() * firstPauseMs, undefined, { signal })
  }
}

/** Publishes once; for what is out of date by the next try. */
export async function publishOnce(js: Connection['js'], { subject, id, data, headers }: Message): Promise<void> {
  await js.publish(subject, data, { msgID: id, timeout: timeoutMs, ...(headers && { headers }) })
}
