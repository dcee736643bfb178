import { counted } from '#events/contract/counted.ts'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join as joined, name, sql } from '#server/platform/clickhouse/sql.ts'
import { knownMigrations, makeClickHouse } from '#server/platform/migrate.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { runningReplicas } from '#server/workers/replicas/index.ts'
import { type Part, partsAt, savePart, tags } from './clickhouseRows.ts'
import { beginLoading, dropLoaded, endLoading, isFree, loadFile } from './loadClickHouse.ts'

/** Copying can't start; the message says why. */
export class CannotMove extends Error {
  override name = 'CannotMove'
}

type Move = {
  db: Db
  /** The single store that the settings belong to. */
  from: ClickHouse
  /** An empty cluster. */
  to: ClickHouse
  /** An existing folder, for one storage at a time. */
  folder: string
}

/**
 * Copies all committed data of a single ClickHouse to a cluster, and compares counts and sums of each part. No server may run,
 * and the data of unfinished scans is not copied. The single store stays unchanged. A failure leaves the cluster empty, and an
 * interrupted move can be repeated. Throws `CannotMove`.
 */
export async function moveToCluster({ db, from, to, folder }: Move, say: (text: string) => void): Promise<void> {
  if (to.system.cluster === undefined) throw new CannotMove('Set CLICKHOUSE_CLUSTER to the name of the cluster')
  const running = await runningReplicas(db)
  if (running.length > 0)
    throw new CannotMove(`Stop all servers first. These are running: ${running.map(({ host }) => host).join(', ')}`)
  if (!(await isFree(to)))
    throw new CannotMove('The cluster already has tables. Data can only be moved to an empty one')
  const work = await mkdtemp(join(folder, 'move-'))
  await mkdir(join(work, 'clickhouse'))
  await beginLoading(to)
  try {
    await makeClickHouse(to, await appliedMigrations(db))
    for (const part of [tags, ...(await partsAt(db))]) say(await movePart(from, to, work, part))
  } catch (error) {
    await dropLoaded(to)
    throw error
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  await endLoading(to)
}

/** The tables get the form that Postgres records; the next start brings them up to date. */
async function appliedMigrations(db: Db) {
  const applied = await db.selectFrom('migrations').select('name').where('store', '=', 'clickhouse').execute()
  const files = await knownMigrations('clickhouse')
  return files.filter((file) => applied.some((row) => row.name === file.name))
}

/** Returns the part and its rows in words. Throws if the cluster then has other rows. */
async function movePart(from: ClickHouse, to: ClickHouse, folder: string, part: Part): Promise<string> {
  const file = await savePart(from, folder, part, undefined)
  await loadFile(to, folder, file, undefined)
  await rm(join(folder, file.path))
  const [sent, arrived] = [await digestOf(from, part, file.columns), await digestOf(to, part, file.columns)]
  if (sent.rows !== arrived.rows || sent.sum !== arrived.sum)
    throw new Error(
      `${part.name} has ${counted(arrived.rows, 'row')} on the cluster, and ${sent.rows} before. Nothing was moved`,
    )
  return `${part.name}: ${counted(arrived.rows, 'row')}`
}

/** Number of rows, and the sum of a hash of each row: the same in any order. */
const digestOf = (clickhouse: ClickHouse, { rows }: Part, columns: readonly string[]) =>
  clickhouse.one<{ rows: number; sum: string }>(
    sql`SELECT toFloat64(count()) AS rows, toString(sum(cityHash64(${joined(columns.map(name), ', ')}))) AS sum FROM ${rows}`,
    { heavy: true, seconds: 4 * 3_600 },
  )
