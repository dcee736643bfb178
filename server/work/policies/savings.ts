import { sql as postgres } from 'kysely'
import type { Job } from '#events/jobs/events.ts'
import { taskPayloadOf } from '#events/jobs/payloads.ts'
import { costOf } from '#events/price-books.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { areDone, freedBytes } from '#server/work/actions/index.ts'
import type { PolicyRow } from './policyRow.ts'
import type { RunRow } from './runs.ts'

/**
 * Stores what an ended run has freed: files that it deleted from quarantine, or moved to another storage. Copies and archives leave the files in
 * place. Costs are those of the day, so later prices don't change them.
 */
export async function saveSavings(
  stores: Stores,
  trx: Trx,
  { action }: Pick<PolicyRow, 'action'>,
  { id: runId, policyId, kind }: RunRow,
  job: Job,
): Promise<void> {
  const isMove = action.kind === 'transfer' && action.options.transferType === 'MOVE'
  if (kind !== 'delete' && !isMove) return
  const day = dayOf(new Date(job.updatedAt))
  const counted = await countFreed(stores, trx, job)
  const prices = await pricesOn(trx, day)
  const rows = counted.map(({ volumeId, project, files, bytes }) => {
    const price = prices.find((one) => one.volumeId === volumeId)?.price
    return {
      runId,
      policyId,
      day,
      projectId: project?.id ?? null,
      projectName: project?.name ?? null,
      files,
      bytes,
      currencySymbol: price?.currencySymbol ?? null,
      costPerYear: price ? costOf(bytes, price.price, 'Yearly') : null,
    }
  })
  if (rows.length > 0) await trx.insertInto('policySavings').values(rows).execute()
}

/** Files that a job is done with, by storage and project. A file of nested projects counts for the innermost. */
async function countFreed({ clickhouse }: Stores, trx: Trx, job: Job) {
  const selections = job.tasks.flatMap((task) => taskPayloadOf(task, 'ACT_ON_FILES')?.selection ?? [])
  const folders = await trx
    .selectFrom('projectFolders')
    .innerJoin('projects', 'projects.id', 'projectId')
    .select(['projectId as id', 'projects.name', 'volumeId', 'path'])
    .where('currentId', 'is', null)
    .orderBy(postgres`length(path)`, 'desc')
    .orderBy('projectFolders.id')
    .execute()
  const volumes = typed(
    folders.map(({ volumeId }) => volumeId),
    'Array(UInt32)',
  )
  const paths = typed(
    folders.map(({ path }) => childrenOf(path)),
    'Array(String)',
  )
  const rows = await clickhouse.rows<{ volumeId: number; folder: number; files: number; bytes: number }>(
    sql`
      SELECT volume AS volumeId, arrayFirstIndex((v, p) -> v = volume AND startsWith(parent_path, p), ${volumes}, ${paths}) AS folder,
        count() AS files, ${freedBytes} AS bytes
      FROM selected_entries WHERE ${areDone([...new Set(selections)])}
      GROUP BY volumeId, folder`,
    { heavy: true },
  )
  return rows.map(({ folder, ...counts }) => ({ ...counts, project: folders[folder - 1] }))
}

async function pricesOn(trx: Trx, day: string) {
  const volumes = trx.selectFrom('volumes').select(['id', postgres<string>`${day}::date`.as('day')])
  return trx
    .selectFrom(volumes.as('priced'))
    .select(['priced.id as volumeId', storagePriceOn('priced.id', 'priced.day').as('price')])
    .execute()
}

/** Sums the savings by month, policy and project, newest first. */
export async function readSavings(db: Db) {
  const { rows } = await postgres<{
    month: string
    policyId: number
    projectId: number | null
    name: string | null
    files: number
    bytes: number
    money: { currencySymbol: string; perYear: number }[]
  }>`
    SELECT month, "policyId", "projectId", max(name) AS name, sum(files)::float8 AS files, sum(bytes)::float8 AS bytes,
      coalesce(json_agg(json_build_object('currencySymbol', symbol, 'perYear', "perYear") ORDER BY symbol) FILTER (WHERE symbol IS NOT NULL), '[]') AS money
    FROM (
      SELECT to_char(day, 'YYYY-MM') AS month, policy_id AS "policyId", project_id AS "projectId", max(project_name) AS name,
        currency_symbol AS symbol, sum(files) AS files, sum(bytes) AS bytes, sum(cost_per_year) AS "perYear"
      FROM policy_savings GROUP BY 1, 2, 3, 5) AS by_currency
    GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 NULLS LAST`.execute(db)
  return rows.map(({ projectId, name, ...row }) => ({
    ...row,
    project: projectId === null ? null : { id: projectId, name: name ?? '' },
  }))
}
