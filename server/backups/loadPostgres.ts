import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import type { Connection } from '#server/platform/postgres.ts'
import type { Manifest } from './manifest.ts'
import { columnsOf } from './savePostgres.ts'
import { keptTables } from './postgresTables.ts'

type Loaded = Pick<Manifest, 'files' | 'sequences'>

/** Fills the tables in the transaction that the connection is in; what migrations put there gives way. */
export async function loadPostgres({ client, db }: Connection, folder: string, backup: Loaded): Promise<void> {
  const tables = (await keptTables(db)).map(({ name }) => sql.id(name))
  await sql`TRUNCATE ${sql.join(tables)} CASCADE`.execute(db)
  for (const { path, store, table, columns } of backup.files) {
    if (store !== 'postgres') continue
    const rows = client.query(copyFrom(`COPY ${columnsOf({ name: table, columns })} FROM STDIN`))
    await pipeline(createReadStream(join(folder, path)), createZstdDecompress(), rows)
  }
  for (const { name, last } of backup.sequences) await sql`SELECT setval(${`"${name}"`}::regclass, ${last})`.execute(db)
}
