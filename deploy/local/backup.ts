import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeAndRecord } from '#server/backups/index.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { hasTables } from '#server/platform/migrate.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import type { BackupOrder } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { sendOrder } from './orders/sendOrder.ts'
import { hasSettings, isRunning, natsOf, startLocalStores } from './stores/index.ts'

/**
 * `npm run backup -- FOLDER [--encrypt]`: writes a backup of the product of this data folder, or of external stores, into a new or
 * empty folder. A running product writes it itself and keeps running.
 */
const say = (message: string) => console.log(message)
const nothingToBackUp = 'Nothing to back up: the product was never started here.'
const { path, isEncrypted } = readCommand()
const to: BackupOrder = { folder: resolve(process.env['INIT_CWD'] ?? '.', path), isEncrypted }
const order = { subject: subjects.backup, request: to, called: 'the backup' }
try {
  const config = readConfig()
  say(isRunning(config.data) ? await sendOrder(natsOf(config), order, say) : await writeHere(config))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function readCommand(): { path: string; isEncrypted: boolean } {
  try {
    const options = { encrypt: { type: 'boolean', default: false } } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [path, ...others] = positionals
    if (path === undefined || others.length > 0) throw new Error('One folder')
    return { path, isEncrypted: values.encrypt }
  } catch {
    console.error('Usage: npm run backup -- FOLDER [--encrypt]')
    return process.exit(2)
  }
}

async function writeHere(config: Config): Promise<string> {
  if (config.databaseUrl === undefined && !hasSettings(config.data)) throw new Error(nothingToBackUp)
  const stores = await startLocalStores(config, say)
  try {
    const { databaseUrl, clickhouseUrl } = stores
    const db = openPostgres(databaseUrl)
    try {
      if (!(await hasTables(db))) throw new Error(nothingToBackUp)
      const clickhouse = await openClickHouse(clickhouseUrl)
      const writing = writeAndRecord({ config, db, clickhouse, databaseUrl }, to, say)
      return await writing.finally(() => clickhouse.close())
    } finally {
      await db.destroy()
    }
  } finally {
    await stores.stop()
  }
}
