import { createInbox } from 'nats'
import { BackupProgress, type BackupOrder } from '#events/backups.ts'
import { subjects } from '#events/subjects.ts'
import { openNats } from '#server/platform/nats/nats.ts'

/** How NATS says that nobody listens. */
const nobody = '503'

/** Has the server that runs write a backup; returns its last words, or throws them when it failed. */
export async function orderBackup(
  { url, seed }: { url: string; seed: string | undefined },
  folder: string,
  say: (words: string) => void,
): Promise<string> {
  const nats = await openNats(url, { name: 'backup', seed })
  try {
    const reply = createInbox()
    const answers = nats.connection.subscribe(reply)
    const order: BackupOrder = { folder }
    nats.connection.publish(subjects.backup, JSON.stringify(order), { reply })
    for await (const message of answers) {
      if (String(message.headers?.code) === nobody) break
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
