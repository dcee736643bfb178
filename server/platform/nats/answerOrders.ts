import type { Msg } from 'nats'
import type { OrderProgress } from '#events/administration.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'

/** Receives a line of progress for each step; if it throws, the work ends. */
export type Print = (text: string) => void

/** Work of a command: its subject, what it is called, and the work itself, which returns the last words. */
type Ordered = {
  subject: string
  /** Such as `A backup`. */
  called: string
  work: (order: unknown, say: Print) => Promise<string>
}

/** Milliseconds between signs of life, so that the command notices if the server dies. */
const aliveEveryMs = 5_000

/**
 * Does the work of a command on request by NATS, signed in with the server's own key: only this process can access the
 * embedded engine. One order at a time; a stop ends it at its next step.
 */
export function answerOrders(
  { nats, log }: Pick<Platform, 'nats' | 'log'>,
  { subject, called, work }: Ordered,
): Running {
  let working: Promise<void> | undefined
  let stopping = false
  const answer = async (message: Msg) => {
    const alive = setInterval(() => tell(message, { type: 'alive', words: '' }), aliveEveryMs)
    const say = (words: string) => {
      if (stopping) throw new Error(`The server is shutting down: ${called.toLowerCase()} was not completed`)
      tell(message, { type: 'step', words })
    }
    try {
      tell(message, { type: 'done', words: await work(message.json(), say) })
    } catch (error) {
      log.error({ error }, `${called} failed`)
      tell(message, { type: 'failed', words: messageOf(error) })
    } finally {
      clearInterval(alive)
    }
  }
  const subscription = nats.connection.subscribe(subject, {
    callback(_, message) {
      if (working) return tell(message, { type: 'failed', words: `${called} is already running` })
      working = answer(message).finally(() => (working = undefined))
    },
  })
  return {
    async stop() {
      stopping = true
      subscription.unsubscribe()
      await working
    },
  }
}

const tell = (message: Msg, news: OrderProgress) => void message.respond(JSON.stringify(news))
