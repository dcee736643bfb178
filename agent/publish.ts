import { setTimeout as wait } from 'node:timers/promises'
import type { MsgHdrs } from 'nats'
import { ComeAgain } from './endings.ts'
import type { Line } from './line.ts'

/** A message of a stream. `id` is the same for each try, so that the stream keeps one of them. */
export type Message = { subject: string; id: string; data: Uint8Array | string; headers?: MsgHdrs }

/** Milliseconds: how long the stream may take to say that it has a message, and the pauses between tries. */
const patience = 5_000
const firstPause = 100
const longestPause = 1_000

/**
 * Publishes until the stream has the message: a full stream, a lost connection or a NATS that starts again only slow an
 * agent down. Throws when the signal is aborted, and for what no other try can help.
 */
export async function publish({ js, connection, log }: Line, message: Message, signal: AbortSignal): Promise<void> {
  const largest = connection.info?.max_payload ?? Infinity
  if (message.data.length > largest) throw new Error(`A message of ${message.data.length} bytes does not fit into NATS`)
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    signal.throwIfAborted()
    try {
      await tryOnce(js, message)
      return
    } catch (error) {
      if (connection.isClosed()) throw new ComeAgain('The connection to NATS is closed', { cause: error })
      log.debug({ reason: String(error), id: message.id }, 'The stream does not take a message; trying again')
    }
    await wait(pause + Math.random() * firstPause, undefined, { signal })
  }
}

/** Publishes once; for what is out of date by the next try. */
export async function tryOnce(js: Line['js'], { subject, id, data, headers }: Message): Promise<void> {
  await js.publish(subject, data, { msgID: id, timeout: patience, ...(headers && { headers }) })
}
