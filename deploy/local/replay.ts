import { readConfig } from '#server/platform/config.ts'
import { hasTables } from '#server/platform/migrate.ts'
import { type Db, openPostgres } from '#server/platform/postgres/postgres.ts'
import { importFile } from './replay/importFile.ts'
import { readOrder, usage } from './replay/readOrder.ts'
import { rebuild } from './replay/rebuild.ts'
import { showStates } from './replay/showStates.ts'
import { visitLocalPostgres } from './stores/index.ts'

/**
 * `npm run replay`: folds the event log from scratch, prints each job whose projection differs, and updates it.
 * `--check` only compares, and exits with 1 if there is a difference; `--stream` selects one stream. `--until` prints
 * the state at a position or time, `--import` folds a file of events in memory; both write nothing.
 */
const order = readOrder(process.argv.slice(2))
if ('wrong' in order) {
  console.error(`${order.wrong}\n${usage}`)
  process.exitCode = 2
} else if (order.file !== undefined) {
  process.exitCode = await importFile(order.file, console.log)
} else {
  process.exitCode = await withDatabase((db) => (order.until ? showStates(db, order) : rebuild(db, order)))
}

async function withDatabase(work: (db: Db) => Promise<number>): Promise<number> {
  const config = readConfig()
  const embedded = config.databaseUrl === undefined ? await visitLocalPostgres(config.data, console.error) : undefined
  const url = config.databaseUrl ?? embedded?.url
  if (url === undefined) return neverStarted()
  const db = openPostgres(url)
  try {
    return (await hasTables(db)) ? await work(db) : neverStarted()
  } finally {
    await db.destroy()
    await embedded?.leave()
  }
}

function neverStarted(): number {
  console.log('The event log is empty: the product was never started here.')
  return 0
}
