import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readBackup, restoreBackup, type WholeBackup } from '#server/backups/index.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { startLocalStores } from './stores/index.ts'

/**
 * `npm run restore -- FOLDER`: fills an empty data folder, or empty external stores, with a backup. The backup is
 * verified before anything is written.
 */
const say = (message: string) => console.log(message)
const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error('Usage: npm run restore -- FOLDER')
  process.exit(2)
}
try {
  const config = readConfig()
  const backup = await readBackup(resolve(process.env['INIT_CWD'] ?? '.', path), say)
  await restoreHere(config, backup)
  say(finalMessage(config, backup))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function restoreHere(config: Config, backup: WholeBackup): Promise<void> {
  const stores = await startLocalStores(config, say)
  try {
    const clickhouse = await openClickHouse(stores.clickhouseUrl)
    await restoreBackup({ ...stores, clickhouse }, backup, say).finally(() => clickhouse.close())
  } finally {
    await stores.stop()
  }
}

function finalMessage({ data, secretKey }: Config, { manifest }: WholeBackup): string {
  const file = join(data, 'keys/secret.key')
  const restored = `Restored as of ${manifest.at}. Start the product and sign in with the passwords valid at that time.`
  if (secretKey !== undefined || existsSync(file)) return restored
  return `${restored}\nIts secrets open with the key ${manifest.secretKey} only: set DATAINTELL_SECRET_KEY to it or put it into ${file}.`
}
