import { createInbox } from 'nats'
import { BackupProgress, type BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { openNats } from '#server/platform/nats/nats.ts'

/** Status of NATS for a request without a subscriber. */
const noResponders = '503'

/** Milliseconds without a message after which the server counts as dead; it sends one every 5 s. */
const silenceMs = 30_000

/**
 * Makes a running server write a backup. Returns its last message, or throws it if the backup failed, or if the server
 * is silent for `silence` ms.
 */
export async function orderBackup(
  { url, seed }: { url: string; seed: string | undefined },
  order: BackupOrder,
  say: (message: string) => void,
  silence = silenceMs,
): Promise<string> {
  const nats = await openNats(url, { name: 'backup', seed })
  const reply = createInbox()
  const answers = nats.connection.subscribe(reply)
  let isDead = false
  const giveUp = () => {
    isDead = true
    answers.unsubscribe()
  }
  let waiting = setTimeout(giveUp, silence)
  try {
    nats.connection.publish(subjects.backup, JSON.stringify(order), { reply })
    for await (const message of answers) {
      clearTimeout(waiting)
      waiting = setTimeout(giveUp, silence)
      if (String(message.headers?.code) === noResponders) break
      const { type, words } = BackupProgress.parse(message.json())
      if (type === 'failed') throw new Error(words)
      if (type === 'done') return words
      if (type === 'step') say(words)
    }
    throw new Error(isDead ? stoppedResponding : 'The product is just starting or stopping: try again in a moment')
  } finally {
    clearTimeout(waiting)
    await nats.close()
  }
}

const stoppedResponding =
  'The server stopped responding: the backup is not complete. Start the product and repeat the command.'
