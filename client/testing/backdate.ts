import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { postgresFolders } from '#deploy/local/stores/postgresFolders.ts'

/** Makes the one snapshot that a product has that of an earlier day. */
export async function backdate(data: string, day: string): Promise<void> {
  const port = Number(readFileSync(join(postgresFolders(data).cluster, 'postmaster.pid'), 'utf8').split('\n')[3])
  const password = readFileSync(join(data, 'postgres.password'), 'utf8')
  const client = new Client({ host: '127.0.0.1', port, user: 'dataintell', password, database: 'postgres' })
  await client.connect()
  await client.query('UPDATE scans SET indexing_date = $1', [day])
  await client.query('UPDATE snapshots SET indexing_date = $1', [day])
  await client.end()
}
