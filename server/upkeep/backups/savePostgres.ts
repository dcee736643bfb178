import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '#server/platform/postgres/postgres.ts'
import type { BackupFile, FileKey } from './manifest.ts'
import { finishFile } from './packedFile.ts'
import { type Table, keptTables } from './postgresTables.ts'

/** Writes every table as the connection's transaction sees it. */
export async function savePostgres({ client, db }: Connection, folder: string, key: FileKey): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const { name: table, columns } of await keptTables(db)) {
    const path = `postgres/${table}.zst`
    const rows = client.query(copyTo(`COPY ${columnsOf({ name: table, columns })} TO STDOUT`))
    await pipeline(rows, createZstdCompress(), createWriteStream(join(folder, path), { mode: 0o600 }))
    files.push({ path, store: 'postgres', table, columns, ...(await finishFile(folder, path, key)) })
  }
  return files
}

/** `"table" ("column", …)`; the names are from our own migrations. */
export const columnsOf = ({ name, columns }: Table): string =>
  `"${name}" (${columns.map((column) => `"${column}"`).join(', ')})`
