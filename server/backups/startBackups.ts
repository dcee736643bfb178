import { streamNames } from '#events/streams.ts'
import type { Msg } from 'nats'
import { type BackupProgress, BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { record } from '#server/platform/log/audit.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/follow.ts'
import { messageOf } from '#server/platform/problem.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { type Destination, type Print, type Source, writeBackup } from './writeBackup.ts'
import type { Manifest } from './manifest.ts'

/**
 * Writes backups on request by NATS, signed in with the server's own key: only this process can access the embedded
 * engine. No call of the API does this, because the backup can be written anywhere the server may write.
 */
export function startBackups(platform: Platform, databaseUrl: string): Running {
  let writing: Promise<void> | undefined
  let stopping = false
  const step = (message: Msg) => (text: string) => {
    if (stopping) throw new Error('The server is shutting down: no backup was written')
    tell(message, { type: 'step', words: text })
  }
  const subscription = platform.nats.connection.subscribe(subjects.backup, {
    callback(_, message) {
      if (writing) return tell(message, { type: 'failed', words: 'Another backup is being written' })
      writing = answer(platform, databaseUrl, message, step(message)).finally(() => (writing = undefined))
    },
  })
  return {
    async stop() {
      stopping = true
      subscription.unsubscribe()
      await writing
    },
  }
}

/** Milliseconds between signs of life, so that the command notices if the server dies. */
const aliveEveryMs = 5_000

const tell = (message: Msg, news: BackupProgress) => void message.respond(JSON.stringify(news))

async function answer(platform: Platform, databaseUrl: string, message: Msg, say: Print): Promise<void> {
  const { config, db, clickhouse, log } = platform
  const alive = setInterval(() => tell(message, { type: 'alive', words: '' }), aliveEveryMs)
  try {
    const order = BackupOrder.parse(message.json())
    const text = await writeAndRecord({ config, db, clickhouse, databaseUrl }, order, say)
    tell(message, { type: 'done', words: text })
  } catch (error) {
    log.error({ error }, 'A backup could not be written')
    tell(message, { type: 'failed', words: messageOf(error) })
  } finally {
    clearInterval(alive)
  }
}

/** Writes a backup, records it in the event log, and returns its description. */
export async function writeAndRecord(source: Source, to: Destination, say: Print): Promise<string> {
  const { folder } = to
  const manifest = await writeBackup(source, to, say)
  const fact = { type: 'BackupWritten', folder, of: manifest.at }
  await source.db.transaction().execute((trx) => record(trx, streamNames.backups, system, fact))
  wakeFollowers()
  return describeBackup(manifest, folder)
}

/** Information for the person who keeps the backup. */
function describeBackup({ files, at, form, secretKey }: Manifest, folder: string): string {
  const contents =
    form === 2
      ? 'It is encrypted with that key: without it, nobody can restore it.'
      : 'It holds password hashes: keep it private.'
  const size = files.reduce((bytes, file) => bytes + file.bytes, 0)
  return [
    `The backup of ${at} is in ${folder} (${(size / 1e6).toFixed(1)} MB, ${files.length} files).`,
    `The key ${secretKey} that its secrets are sealed with is not part of it: keep DATAINTELL_SECRET_KEY, or the file`,
    `keys/secret.key of the data folder, in another place. ${contents}`,
  ].join('\n')
}
