import { streamNames } from '#events/streams.ts'
import { skipWaitingEvents } from '#server/messages/event-destinations/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { record } from '#server/platform/log/audit.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import { knownMigrations, makeClickHouse, migrateIn, recordIn, type Store } from '#server/platform/migrate.ts'
import { type Connection, openConnection } from '#server/platform/postgres/postgres.ts'
import { beginLoading, dropLoaded, endLoading, isFree, loadClickHouse } from './loadClickHouse.ts'
import { type FileKey, type Manifest, readManifest, UnfitBackup, verifyManifest } from './manifest.ts'
import { checkFile, rowsOf } from './packedFile.ts'
import { renewProductId } from '#server/platform/postgres/product.ts'
import { hasNoTables, keptTables } from './postgresTables.ts'
import { isOpen, jobStatuses } from '#events/jobs/events.ts'
import { changeJob, failTask } from '#server/workers/jobs/index.ts'
import { distrustPolicies } from '#server/work/policies/index.ts'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { KeySource } from '#server/platform/secrets.ts'
import { from as copyFrom } from 'pg-copy-streams'
import { columnsOf } from './savePostgres.ts'

type Print = (text: string) => void
type Migrations = Awaited<ReturnType<typeof knownMigrations>>
type Steps = Record<Store, { applied: Migrations; all: Migrations }>

/** A backup that this version can restore and that was read to its end. */
export type WholeBackup = { folder: string; manifest: Manifest; steps: Steps; key: FileKey }

/**
 * Reads a backup and verifies all of it against its manifest, and that with the server's key. `unverified`: also restores
 * backups that no key here verifies. Throws `UnfitBackup`.
 */
export async function readBackup(
  folder: string,
  config: KeySource,
  say: Print,
  { unverified = false } = {},
): Promise<WholeBackup> {
  const signed = await readManifest(folder)
  const { manifest } = signed
  const steps = { postgres: await stepsOf(manifest, 'postgres'), clickhouse: await stepsOf(manifest, 'clickhouse') }
  say(`Checking the backup of ${manifest.at}`)
  const key = await verifyManifest(config, signed, unverified)
  for (const file of manifest.files) await checkFile(folder, file, key)
  return { folder, manifest, steps, key }
}

/** The migrations applied when the backup was written, and all current ones. */
async function stepsOf({ migrations }: Manifest, store: Store) {
  const all = await knownMigrations(store)
  const applied = migrations.filter((one) => one.store === store)
  for (const { name, checksum } of applied) {
    const known = all.find((file) => file.name === name)
    if (known?.checksum !== checksum)
      throw new UnfitBackup(
        `The backup was written by another, newer version of the product: its ${store} migration ${name} is not known here`,
      )
  }
  return { all, applied: all.filter(({ name }) => applied.some((one) => one.name === name)) }
}

type Target = { clickhouse: ClickHouse; databaseUrl: string }

/**
 * Fills empty stores with a backup and brings them up to date. Postgres is filled in one transaction at the end, so a
 * failed or interrupted restore leaves an empty product. Throws `UnfitBackup` if the stores contain data.
 */
export async function restoreBackup(
  { clickhouse, databaseUrl }: Target,
  backup: WholeBackup,
  say: Print,
): Promise<void> {
  const connection = await openConnection(databaseUrl)
  try {
    if (!(await hasNoTables(connection.db)) || !(await isFree(clickhouse)))
      throw new UnfitBackup('There is already data here. A backup can only be restored into an empty product')
    await beginLoading(clickhouse)
    await fill(clickhouse, connection, backup, say).catch(async (error: unknown) => {
      await dropLoaded(clickhouse)
      throw error
    })
    await endLoading(clickhouse)
  } finally {
    await connection.close()
  }
}

async function fill(clickhouse: ClickHouse, connection: Connection, backup: WholeBackup, say: Print): Promise<void> {
  const { folder, manifest, steps, key } = backup
  const entries = manifest.files.filter(({ store }) => store === 'clickhouse')
  say('Restoring scanned data')
  await makeClickHouse(clickhouse, steps.clickhouse.applied)
  await loadClickHouse(clickhouse, folder, entries, key)
  say('Restoring settings, jobs and the event log')
  await connection.db.transaction().execute(async (trx) => {
    await migrateIn(trx, steps.postgres.applied)
    await recordIn(trx, 'clickhouse', steps.clickhouse.applied)
    await loadPostgres({ ...connection, db: trx }, backup)
    await migrateIn(trx, steps.postgres.all)
    await renewProductId(trx)
    await endOpenWork(trx, `The product was restored from a backup of ${manifest.at}`)
    const fact = { type: 'BackupRestored', of: manifest.at }
    await record(trx, streamNames.backups, system, fact)
  })
}

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

/**
 * Ends work in progress at the time of the backup, because agents and servers no longer have its data. The next scan of
 * each volume is full, and policies need approval again. Waiting mails, webhooks and events for destinations are not sent, because they may have been sent since.
 */
async function endOpenWork(trx: Trx, reason: string): Promise<void> {
  const at = new Date()
  await skipWaitingEvents(trx, `${reason}. They may have been sent since then.`)
  await trx
    .updateTable('scans')
    .set({ state: 'failed', reason, finishedAt: at })
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .execute()
  // Agents may remember scans that this product never saw.
  await sql`UPDATE scans SET announced = announced - 'baseline' WHERE announced ? 'baseline'`.execute(trx)
  // A backup has no entries of imports that were not committed.
  await trx
    .updateTable('imports')
    .set({ state: 'FAILED', reason: `${reason}. Import the file again.` })
    .where('state', 'in', ['READING', 'READY', 'COMMITTING'])
    .execute()
  // A backup has only the entries of selections that something keeps.
  await trx.deleteFrom('selections').where('usedBy', 'is', null).where('keptUntil', 'is', null).execute()
  await distrustPolicies(trx, reason, at)
  const open = await trx.selectFrom('tasks').select('jobId').distinct().where('status', 'in', openStatuses).execute()
  for (const { jobId } of open)
    await changeJob(trx, jobId, system, (job) =>
      job.tasks.flatMap(({ id }) => failTask(job, id, reason, at.toISOString())),
    )
  await trx.updateTable('deliveries').set({ state: 'failed', reason }).where('state', '=', 'waiting').execute()
}

/** Fills the tables in the connection's current transaction, replacing rows inserted by migrations. */
async function loadPostgres({ client, db }: Connection, { folder, manifest, key }: WholeBackup): Promise<void> {
  const tables = (await keptTables(db)).map(({ name }) => sql.id(name))
  await sql`TRUNCATE ${sql.join(tables)} CASCADE`.execute(db)
  for (const file of manifest.files) {
    const { store, table, columns } = file
    if (store !== 'postgres') continue
    const rows = client.query(copyFrom(`COPY ${columnsOf({ name: table, columns })} FROM STDIN`))
    await pipeline(rowsOf(folder, file, key), rows)
  }
  for (const { name, last } of manifest.sequences)
    await sql`SELECT setval(${`"${name}"`}::regclass, ${last})`.execute(db)
}
