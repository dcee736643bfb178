import { type Config, readConfig } from '#server/platform/config.ts'
import { type ClickHouse, openClickHouse } from '#server/platform/clickhouse/index.ts'
import { hasTables } from '#server/platform/migrate.ts'
import { checkPooler, type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { hasSettings, isRunning, natsOf, startLocalStores } from '../stores/index.ts'
import { type Order, sendOrder } from './sendOrder.ts'

/** The stores of a product that does not run, while its work is done here. */
type OpenStores = { config: Config; db: Db; clickhouse: ClickHouse; databaseUrl: string }

type Work = {
  order: Order
  /** The message if the product was never started. */
  nothing: string
  /** The same work for a product that does not run. */
  here: (stores: OpenStores) => Promise<string>
}

/** Prints a step of a command. */
export const say = (message: string) => console.log(message)

/**
 * Does the work of a command and ends the process. A running product with an embedded store does it itself and keeps running; for one
 * that doesn't run, the stores are started. With external stores the work is done here, also while servers use them. Prints the
 * result, or the error and exits with 1.
 */
export async function runOrder(work: Work): Promise<never> {
  try {
    const config = readConfig()
    const { databaseUrl, clickhouseUrl } = config
    if (databaseUrl !== undefined && clickhouseUrl !== undefined) {
      say(await workWith(config, { databaseUrl, clickhouseUrl }, work))
      return process.exit(0)
    }
    say(isRunning(config.data) ? await sendOrder(natsOf(config), work.order, say) : await workHere(config, work))
    return process.exit(0)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

async function workHere(config: Config, work: Work): Promise<string> {
  if (config.databaseUrl === undefined && !hasSettings(config.data)) throw new Error(work.nothing)
  const stores = await startLocalStores(config, say)
  return workWith(config, stores, work).finally(() => stores.stop())
}

type Addresses = { databaseUrl: string; clickhouseUrl: string }

async function workWith(config: Config, { databaseUrl, clickhouseUrl }: Addresses, { nothing, here }: Work) {
  const db = openPostgres(databaseUrl)
  try {
    await checkPooler(db)
    if (!(await hasTables(db))) throw new Error(nothing)
    const clickhouse = await openClickHouse(clickhouseUrl, { cluster: config.clickhouseCluster })
    return await here({ config, db, clickhouse, databaseUrl }).finally(() => clickhouse.close())
  } finally {
    await db.destroy()
  }
}
