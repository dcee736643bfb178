import { counted } from '#events/contract/counted.ts'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '#server/platform/config.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Connection, type Db, openConnection } from '#server/platform/postgres/postgres.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { fingerprintOfKey } from '#server/platform/secrets.ts'
import { withVersionsKept, withCommitsHeldBack } from '#server/content/snapshots/index.ts'
import type { Print } from '#server/platform/nats/answerOrders.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { partsAt, tags } from './clickhouseRows.ts'
import { type BackupFile, backupKey, type FileKey, type Manifest, writeManifest } from './manifest.ts'
import { readSequences } from './postgresTables.ts'
import { savePart } from './clickhouseRows.ts'
import { savePostgres } from './savePostgres.ts'

/** The stores of a product, running or stopped. */
export type Source = { config: Config; db: Db; clickhouse: ClickHouse; databaseUrl: string }
/** A new or empty folder. The server's key encrypts the files, if that is wanted, and signs the manifest in any case. */
export type Destination = { folder: string; isEncrypted?: boolean }

/**
 * Writes all data of the product, as of one moment, into an empty or new folder. Nothing has to stop: scans that end
 * meanwhile wait until the tags are written, and replaced data is kept until the end. Returns the manifest; a failed
 * backup leaves nothing.
 */
export async function writeBackup(source: Source, to: Destination, say: Print): Promise<Manifest> {
  const { config, db, databaseUrl } = source
  const { folder, isEncrypted } = to
  await makeFolder(folder)
  const connection = await openConnection(databaseUrl)
  try {
    return await withVersionsKept(db, async () => {
      const key = isEncrypted ? await backupKey(config) : undefined
      return write(source, connection, { folder, key }, say)
    })
  } catch (error) {
    for (const part of await readdir(folder)) await rm(join(folder, part), { recursive: true })
    throw error
  } finally {
    await connection.close()
  }
}

type Place = { folder: string; key: FileKey }

async function write({ config, db, clickhouse }: Source, connection: Connection, { folder, key }: Place, say: Print) {
  const seen = connection.db
  const files: BackupFile[] = []
  const at = await withCommitsHeldBack(db, async () => {
    await sql`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(seen)
    const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(seen)
    files.push(await savePart(clickhouse, folder, tags, key))
    return rows[0]?.at ?? new Date()
  })
  for (const part of await partsAt(seen)) files.push(reported(await savePart(clickhouse, folder, part, key), say))
  const tables = await savePostgres(connection, folder, key)
  say(`Postgres: ${counted(tables.length, 'table')}, ${counted(sum(tables), 'row')}`)
  const manifest: Manifest = {
    form: key ? 2 : 1,
    version: packageJson.version,
    product: await readProductId(seen),
    at: at.toISOString(),
    migrations: await seen.selectFrom('migrations').select(['store', 'name', 'checksum']).orderBy('name').execute(),
    files: [...files, ...tables],
    sequences: await readSequences(db),
    secretKey: await fingerprintOfKey(config),
  }
  await writeManifest(folder, config, manifest)
  await rm(join(folder, unfinished))
  return manifest
}

function reported(file: BackupFile, say: Print): BackupFile {
  if (file.table === 'entries') say(`ClickHouse: ${file.path}, ${counted(file.rows, 'row')}`)
  return file
}

const sum = (files: BackupFile[]): number => files.reduce((rows, file) => rows + file.rows, 0)

const stores = ['postgres', 'clickhouse']
/** A file that marks a backup until it is complete. One whose server died is replaced by the next to the same folder. */
const unfinished = 'unfinished'
const parts = [unfinished, ...stores]

/** Readable only by its owner, because it contains file names and password hashes. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await readdir(folder)
  if (found.includes(unfinished) && found.every((name) => parts.includes(name)))
    for (const name of found) await rm(join(folder, name), { recursive: true })
  else if (found.length > 0) throw new Error(`${folder} is not empty: name a new folder for the backup`)
  await writeFile(join(folder, unfinished), '', { mode: 0o600 })
  for (const store of stores) await mkdir(join(folder, store), { mode: 0o700 })
}
