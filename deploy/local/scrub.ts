import { subjects } from '#events/subjects.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { hasTables } from '#server/platform/migrate.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { scrubStores } from '#server/scrub/index.ts'
import { sendOrder } from './orders/sendOrder.ts'
import { hasSettings, isRunning, natsOf, startLocalStores } from './stores/index.ts'

/**
 * `npm run scrub`: reads all data of the product of this data folder, or of external stores, and lists what is damaged, what
 * was lost and what helps. A running product does it itself and keeps running. Exits with 1 if something is damaged.
 */
const say = (message: string) => console.log(message)
const nothingThere = 'Nothing to read: the product was never started here.'
const order = { subject: subjects.scrub, request: {}, called: 'the scrub' }
try {
  const config = readConfig()
  say(isRunning(config.data) ? await sendOrder(natsOf(config), order, say) : await scrubHere(config))
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function scrubHere(config: Config): Promise<string> {
  if (config.databaseUrl === undefined && !hasSettings(config.data)) throw new Error(nothingThere)
  const stores = await startLocalStores(config, say)
  try {
    const db = openPostgres(stores.databaseUrl)
    try {
      if (!(await hasTables(db))) throw new Error(nothingThere)
      const clickhouse = await openClickHouse(stores.clickhouseUrl)
      return await scrubStores({ db, clickhouse }, say).finally(() => clickhouse.close())
    } finally {
      await db.destroy()
    }
  } finally {
    await stores.stop()
  }
}
