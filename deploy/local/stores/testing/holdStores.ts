import { readConfig } from '#server/config.ts'
import { startLocalStores } from '../index.ts'

/** For tests, a program of its own: starts the stores on a data folder, tells its parent where, and waits to be killed. */
const data = process.argv[2] ?? ''
const stores = await startLocalStores({ ...readConfig({}), data }, () => {})
console.log('held')
process.send?.({ databaseUrl: stores.databaseUrl, natsUrl: stores.natsUrl })
process.once('SIGTERM', () => void stores.stop().then(() => process.exit()))
