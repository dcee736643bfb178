import { setTimeout as wait } from 'node:timers/promises'
import type { ConsumerMessages, JsMsg } from 'nats'
import { consumers, streams } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import { countRefused } from './countRefused.ts'
import { openScans } from './openScans.ts'
import { takeBatch } from './takeBatch.ts'

type Listener = { inserted: (scanId: number) => Promise<void> }

/** While one lane inserts a batch, the other unpacks the next. Each lane holds few messages to limit memory. */
const lanes = 2
const heldByLane = 3
/** Milliseconds until the retry of a message that a store did not accept. */
const retryMs = 1_000

/** Inserts the batches of all scans into their staging tables, each effectively once, until stopped. */
export async function startIngest(platform: Platform, listener: Listener): Promise<{ stop(): Promise<void> }> {
  const scans = openScans(platform.db)
  const stopping = new AbortController()
  const take = (message: JsMsg) => settle(platform, message, scans, listener)
  const running = Array.from({ length: lanes }, () => lane(platform, take, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Pulls messages one at a time. If NATS or the consumer is gone, retries until it is back. */
async function lane({ nats, log }: Platform, take: (message: JsMsg) => Promise<void>, stop: AbortSignal) {
  while (!stop.aborted) {
    try {
      const consumer = await nats.js.consumers.get(streams.scans, consumers.entries)
      const messages = await consumer.consume({ max_messages: heldByLane })
      await pull(messages, take, stop)
    } catch (error) {
      if (stop.aborted || nats.connection.isClosed()) return
      log.warn({ error }, 'Batches cannot be pulled; it is tried again')
      await wait(retryMs, undefined, { signal: stop }).catch(() => undefined)
    }
  }
}

async function pull(messages: ConsumerMessages, take: (message: JsMsg) => Promise<void>, stop: AbortSignal) {
  const close = () => void messages.close()
  stop.addEventListener('abort', close, { once: true })
  if (stop.aborted) close()
  try {
    for await (const message of messages) {
      if (stop.aborted) message.nak()
      else await take(message)
    }
  } finally {
    stop.removeEventListener('abort', close)
  }
}

/** Acknowledges a message once its effects are complete. An invalid message is never redelivered. */
async function settle(
  platform: Platform,
  message: JsMsg,
  scans: ReturnType<typeof openScans>,
  { inserted }: Listener,
): Promise<void> {
  try {
    const taken = await takeBatch(platform, message, scans)
    if ('refused' in taken) {
      await countRefused(platform, taken.agentId, taken.refused)
      return message.term()
    }
    await inserted(taken.scanId)
    message.ack()
  } catch (error) {
    platform.log.warn({ error, subject: message.subject }, 'A batch could not be taken, will retry')
    message.nak(retryMs)
  }
}
