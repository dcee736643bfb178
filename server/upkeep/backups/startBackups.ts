import { counted } from '#events/contract/counted.ts'
import { streamNames } from '#events/streams.ts'
import { BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { record } from '#server/platform/log/audit.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerOrders, type Print } from '#server/platform/nats/answerOrders.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { type Destination, type Source, writeBackup } from './writeBackup.ts'
import type { Manifest } from './manifest.ts'

/**
 * Writes backups on request by NATS. No call of the API does this, because the backup can be written anywhere the server
 * may write.
 */
export const startBackups = (platform: Platform, databaseUrl: string): Running =>
  answerOrders(platform, {
    subject: subjects.backup,
    called: 'A backup',
    work: (order, say) => writeAndRecord({ ...platform, databaseUrl }, BackupOrder.parse(order), say),
  })

/** Writes a backup, records it in the event log, and returns its description. */
export async function writeAndRecord(source: Source, to: Destination, say: Print): Promise<string> {
  const { folder } = to
  const manifest = await writeBackup(source, to, say)
  const fact = { type: 'BackupWritten', folder, of: manifest.at }
  await inTransaction(source.db, (trx) => record(trx, streamNames.backups, system, fact))
  return describeBackup(manifest, folder)
}

/** Information for the person who keeps the backup. */
function describeBackup({ files, at, form, secretKey }: Manifest, folder: string): string {
  const contents =
    form === 2
      ? "It is encrypted with that key: without it, the backup can't be restored."
      : 'It holds password hashes: keep it private.'
  const size = files.reduce((bytes, file) => bytes + file.bytes, 0)
  return [
    `The backup of ${at} is in ${folder} (${(size / 1e6).toFixed(1)} MB, ${counted(files.length, 'file')}).`,
    `The key ${secretKey} that its secrets are sealed with is not part of it: keep DATAINTELL_SECRET_KEY, or the file`,
    `keys/secret.key of the data folder, in another place. ${contents}`,
  ].join('\n')
}
