import { readConfig } from '#server/platform/config.ts'
import { startLocalStores } from '../index.ts'

/**
 * A separate program for tests: starts the stores on a data folder, sends their addresses to its parent, and waits to
 * be killed.
 */
const data = process.argv[2] ?? ''
const stores = await startLocalStores({ ...readConfig({}), data }, () => {})
console.log('held')
process.send?.({ databaseUrl: stores.databaseUrl, natsUrl: stores.natsUrl })
process.once('SIGTERM', () => void stores.stop().then(() => process.exit()))
