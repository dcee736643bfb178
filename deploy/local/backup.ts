import type { BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { writeAndRecord } from '#server/upkeep/backups/index.ts'
import { readFolderCommand } from './orders/readFolderCommand.ts'
import { runOrder, say } from './orders/runOrder.ts'

/**
 * `npm run backup -- FOLDER [--encrypt]`: writes a backup of the product of this data folder, or of external stores, into a new or
 * empty folder. A running product writes it itself and keeps running.
 */
const { folder, isSet: isEncrypted } = readFolderCommand('backup', 'encrypt')
const request: BackupOrder = { folder, isEncrypted }
await runOrder({
  order: { subject: subjects.backup, request, called: 'the backup' },
  nothing: 'Nothing to back up: the product was never started here.',
  here: (stores) => writeAndRecord(stores, request, say),
})
