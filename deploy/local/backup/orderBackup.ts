import { createInbox } from 'nats'
import { BackupProgress, type BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { openNats } from '#server/platform/nats/nats.ts'

/** Status of NATS for a request without a subscriber. */
const noResponders = '503'

/** Makes a running server write a backup. Returns its last message, or throws it if the backup failed. */
export async function orderBackup(
  { url, seed }: { url: string; seed: string | undefined },
  folder: string,
  say: (message: string) => void,
): Promise<string> {
  const nats = await openNats(url, { name: 'backup', seed })
  try {
    const reply = createInbox()
    const answers = nats.connection.subscribe(reply)
    const order: BackupOrder = { folder }
    nats.connection.publish(subjects.backup, JSON.stringify(order), { reply })
    for await (const message of answers) {
      if (String(message.headers?.code) === noResponders) break
      const { type, words } = BackupProgress.parse(message.json())
      if (type === 'failed') throw new Error(words)
      if (type === 'done') return words
      say(words)
    }
    throw new Error('The product is just starting or stopping: try again in a moment')
  } finally {
    await nats.close()
  }
}
