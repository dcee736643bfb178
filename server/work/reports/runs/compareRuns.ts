import { z } from 'zod'
import { fullPathOf } from '#events/sources/fullPath.ts'
import {
  type DifferenceTotals,
  type FoundEntry,
  otherLimits,
  type RunComparison,
  type RunDifference,
  runDifferences,
} from '#events/reports/runs.ts'
import { invalidName } from '#events/reports/templates.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { conflict, invalid } from '#server/platform/problem.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { asRun, findRun } from './readRuns.ts'

type RunPair = { from: number; to: number }

/**
 * Counts the differences between the results of two runs. Throws 404, and 409 if their results are no longer stored.
 */
export async function compareRuns(stores: Stores, id: number, two: RunPair, by: Caller): Promise<RunComparison> {
  const runs = await keptRuns(stores, id, two, by)
  const rows = await stores.clickhouse.rows<DifferenceTotals & { difference: RunDifference }>(
    sql`
      SELECT ${difference} AS difference, toFloat64(countIf(NOT is_directory)) AS files,
        toFloat64(countIf(is_directory)) AS folders, sumIf(toFloat64(greatest(seen, 0)), NOT is_directory) AS bytes
      FROM ${both(two)} GROUP BY difference`,
    { heavy: true },
  )
  const totals = Object.fromEntries(
    Object.keys(runDifferences).map((which) => {
      const { files = 0, folders = 0, bytes = 0 } = rows.find((row) => row.difference === which) ?? {}
      return [which, { files, folders, bytes }]
    }),
  ) as RunComparison['totals']
  return { ...runs, totals }
}

type ComparisonQuery = RunPair & {
  difference: RunDifference
  isDirectory: boolean
  size: number
  cursor?: string | undefined
}
type Row = { volume: number; parent_path: string; name: string; seen: number }
const Last = z.tuple([z.int(), z.int().min(0), z.string(), z.string()])

/** A page of one kind of difference, largest first. Throws as `compareRuns` does, and 400 for an invalid cursor. */
export async function listCompared(stores: Stores, id: number, parameters: ComparisonQuery, by: Caller) {
  await keptRuns(stores, id, parameters, by)
  const { isDirectory, size } = parameters
  const rows = await stores.clickhouse.rows<Row>(
    sql`
      SELECT volume, parent_path, name, toFloat64(seen) AS seen FROM ${both(parameters)}
      WHERE is_directory = ${isDirectory} AND ${difference} = ${parameters.difference} AND ${after(parameters.cursor)}
      ORDER BY -seen, volume, parent_path, name LIMIT ${size + 1}`,
    { heavy: true },
  )
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  const snapshot = await snapshotAt(stores.db, by.scope)
  const elements = shown.map((row): FoundEntry => {
    const volume = snapshot?.volumes.find(({ volumeId }) => volumeId === row.volume)
    const path = row.parent_path + row.name
    const fullPath = fullPathOf(volume?.root ?? '', path)
    return {
      volumeId: row.volume,
      volumeName: volume?.name ?? invalidName,
      path,
      fullPath,
      isDirectory,
      size: row.seen,
    }
  })
  return { elements, cursor: rows.length > size && last ? write(last) : null }
}

async function keptRuns({ db }: Stores, id: number, two: RunPair, by: Caller) {
  const [from, to] = [await findRun(db, id, two.from, by), await findRun(db, id, two.to, by)]
  if ([from, to].some(({ reason }) => reason === otherLimits)) conflict(otherLimits, 'not-kept')
  if (!from.isKept || !to.isKept) conflict('The results of one of the runs are no longer stored', 'not-kept')
  return { from: asRun(from), to: asRun(to) }
}

/** The entries found by either run, each once, with flags for both runs and the size in the later run that has it. */
const both = ({ from, to }: RunPair): Sql => sql`(
  SELECT volume, parent_path, name, is_directory, max(run = ${from}) AS was, max(run = ${to}) AS is,
    argMax(size, run = ${to}) AS seen
  FROM report_entries WHERE run IN ${[from, to]} GROUP BY volume, parent_path, name, is_directory)`
const difference = sql`multiIf(was AND is, 'STILL_THERE', is, 'NEW', 'GONE')`

const write = ({ seen, volume, parent_path, name }: Row): string =>
  Buffer.from(JSON.stringify([seen, volume, parent_path, name])).toString('base64url')

function after(cursor: string | undefined): Sql {
  if (cursor === undefined) return sql`1`
  const { data: last } = Last.safeParse(parse(cursor))
  if (!last) return invalid('cursor', 'is not a valid cursor')
  const [seen, volume, parentPath, name] = last
  return sql`(-seen, volume, parent_path, name) > (${-seen}, ${volume}, ${parentPath}, ${name})`
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
