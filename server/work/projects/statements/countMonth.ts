import { sql } from 'kysely'
import type { Statement, StatementLine } from '#events/projects/statements.ts'
import { classPriceOn } from '#server/content/price-books/index.ts'
import { dayOf } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { bytesByClass, foldersOn } from '#server/work/projects/figures/shownFolders.ts'
import { shownName } from '#server/content/snapshots/reading/shownVolume.ts'

type Row = StatementLine & { deletedAt: Date | null; isComplete: boolean; daysWithData: number }

/**
 * A project's costs in a month, up to a day: each day with the bytes of the newest date up to it, for the currently
 * tracked folders, and the price of that day. Days before `madeOn` count zero, and so do those of a storage from the day of its
 * deletion on.
 */
export async function countMonth(
  db: Db | Trx,
  { id, madeOn }: { id: number; madeOn: string },
  month: string,
  today: string,
): Promise<Statement> {
  const last = [lastDayOf(month), today].sort()[0] as string
  const first = [`${month}-01`, madeOn].sort()[1] as string
  const [daysSoFar = 0, daysInMonth] = [last, lastDayOf(month)].map((day) => Number(day.slice(-2)))
  const removed = await removedVolumes(db)
  const dates = sql`SELECT DISTINCT shown AS day FROM charged WHERE shown IS NOT NULL`
  const { rows } = await sql<Row>`
    WITH charged AS (
      SELECT day::date AS day, (SELECT max(indexing_date) FROM snapshots WHERE indexing_date <= day::date) AS shown
      FROM generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') AS day
    ), sizes AS (
      SELECT day AS shown, volume_id, storage_class, bool_and(is_counted) AS is_counted,
        bool_or(is_there OR NOT is_counted) AS has_data,
        coalesce(sum(held_bytes) FILTER (WHERE NOT is_nested), 0)::float8 AS bytes
      FROM ${foldersOn(dates, id)} ${bytesByClass} GROUP BY 1, 2, 3
    ), daily AS (
      SELECT charged.day, sizes.volume_id, storage_class, is_counted, has_data AND NOT is_over AS has_data,
        CASE WHEN is_over THEN 0 ELSE bytes END AS bytes
      FROM charged JOIN sizes USING (shown)
      LEFT JOIN unnest(${removed.ids}::integer[], ${removed.days}::date[]) AS removed(id, day) ON removed.id = sizes.volume_id
      CROSS JOIN LATERAL (SELECT coalesce(charged.day >= removed.day, false) AS is_over) AS ends
    ), priced AS (
      SELECT *, ${classPriceOn('daily.volume_id', 'daily.day', 'daily.storage_class')} AS price FROM daily
    )
    SELECT volume_id, volumes.name AS volume_name, deleted_at, storage_class,
      price ->> 'currencySymbol' AS currency_symbol, sum(bytes) / ${daysSoFar}::integer AS average_bytes,
      sum(bytes / 1073741824 * (price ->> 'price')::float8) / 12 / ${daysInMonth}::integer AS cost, bool_and(is_counted) AS is_complete,
      (SELECT count(DISTINCT day)::integer FROM daily WHERE has_data) AS days_with_data
    FROM priced JOIN volumes ON volumes.id = volume_id
    GROUP BY 1, 2, 3, 4, 5 ORDER BY average_bytes DESC, volume_id, 4, 5`.execute(db)
  return statementOf({ month, lastDay: last, daysWithoutData: daysSoFar - (rows[0]?.daysWithData ?? 0) }, rows)
}

type Period = Pick<Statement, 'month' | 'lastDay' | 'daysWithoutData'>

function statementOf(period: Period, rows: Row[]): Statement {
  const symbols = [...new Set(rows.flatMap(({ currencySymbol }) => currencySymbol ?? []))].sort()
  const costOf = (symbol: string) => sum(rows.map((row) => (row.currencySymbol === symbol ? (row.cost ?? 0) : 0)))
  return {
    ...period,
    averageBytes: sum(rows.map(({ averageBytes }) => averageBytes)),
    costs: symbols.map((currencySymbol) => ({ currencySymbol, cost: costOf(currencySymbol) })),
    closedAt: null,
    isComplete: rows.every(({ isComplete }) => isComplete),
    lines: rows.filter((row) => !isIdle(row, rows)).map(lineOf),
  }
}

const lineOf = ({ isComplete: _, daysWithData: __, deletedAt, ...line }: Row): StatementLine => ({
  ...line,
  volumeName: shownName(line.volumeName, deletedAt),
})

/** Deleted volumes, with the days of their deletion. */
async function removedVolumes(db: Db | Trx): Promise<{ ids: number[]; days: string[] }> {
  const rows = await db.selectFrom('volumes').select(['id', 'deletedAt']).where('deletedAt', 'is not', null).execute()
  return { ids: rows.map(({ id }) => id), days: rows.map(({ deletedAt }) => dayOf(deletedAt as Date)) }
}

/** A row for days without data is redundant if the storage has data on other days. */
const isIdle = (row: Row, rows: Row[]): boolean =>
  row.averageBytes === 0 && rows.some(({ volumeId, averageBytes }) => volumeId === row.volumeId && averageBytes > 0)

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0)

/** The last day of a month `yyyy-MM`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

export const monthOf = (day: string): string => day.slice(0, 7)

/** The months from one day to another, newest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  let [year = 0, number = 0] = last.split('-').map(Number)
  for (let month = monthOf(last); month >= monthOf(first);) {
    months.push(month)
    ;[year, number] = number === 1 ? [year - 1, 12] : [year, number - 1]
    month = `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}`
  }
  return months
}
