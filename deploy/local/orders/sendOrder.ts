import { createInbox } from 'nats'
import { OrderProgress } from '#events/administration.ts'
import { openNats } from '#server/platform/nats/nats.ts'

/** Status of NATS for a request without a subscriber. */
const noResponders = '503'

/** Milliseconds without a message after which the server counts as dead; it sends one every 5 s. */
const silenceMs = 30_000

/** Work of a server: its subject, the request, and its name in a sentence, such as `the backup`. */
export type Order = { subject: string; request: object; called: string }

/**
 * Makes a running server do some work. Returns its last message, or throws it if the work failed, or if the server is
 * silent for `silence` ms.
 */
export async function sendOrder(
  { url, seed }: { url: string; seed: string | undefined },
  { subject, request, called }: Order,
  say: (message: string) => void,
  silence = silenceMs,
): Promise<string> {
  const nats = await openNats(url, { name: 'order', seed })
  const reply = createInbox()
  const answers = nats.connection.subscribe(reply)
  let isDead = false
  const giveUp = () => {
    isDead = true
    answers.unsubscribe()
  }
  let waiting = setTimeout(giveUp, silence)
  try {
    nats.connection.publish(subject, JSON.stringify(request), { reply })
    for await (const message of answers) {
      clearTimeout(waiting)
      waiting = setTimeout(giveUp, silence)
      if (String(message.headers?.code) === noResponders) break
      const { type, words } = OrderProgress.parse(message.json())
      if (type === 'failed') throw new Error(words)
      if (type === 'done') return words
      if (type === 'step') say(words)
    }
    throw new Error(
      isDead ? stoppedResponding(called) : 'The product is just starting or stopping: try again in a moment',
    )
  } finally {
    clearTimeout(waiting)
    await nats.close()
  }
}

const stoppedResponding = (called: string) =>
  `The server stopped responding: ${called} is not complete. Start the product and repeat the command.`
