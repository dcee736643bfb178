import { readBackup, restoreBackup, type WholeBackup } from '#server/upkeep/backups/index.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { hasKey, keyFile } from '#server/platform/secrets.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { readFolderCommand } from './orders/readFolderCommand.ts'
import { startLocalStores } from './stores/index.ts'

/**
 * `npm run restore -- FOLDER [--unverified]`: fills an empty data folder, or empty external stores, with a backup. The backup is
 * verified before anything is written, with the key that it was written with; `--unverified` goes without that key.
 */
const say = (message: string) => console.log(message)
const { folder, isSet: unverified } = readFolderCommand('restore', 'unverified')
try {
  const config = readConfig()
  const backup = await readBackup(folder, config, say, { unverified })
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
    const clickhouse = await openClickHouse(stores.clickhouseUrl, { cluster: config.clickhouseCluster })
    await restoreBackup({ ...stores, clickhouse }, backup, say).finally(() => clickhouse.close())
  } finally {
    await stores.stop()
  }
}

function finalMessage(config: Config, { manifest }: WholeBackup): string {
  const restored = `Restored as of ${manifest.at}. Start the product and sign in with the passwords valid at that time.`
  if (hasKey(config)) return restored
  return `${restored}\nIts secrets open with the key ${manifest.secretKey} only: set DATAINTELL_SECRET_KEY to it or put it into ${keyFile(config)}.`
}
