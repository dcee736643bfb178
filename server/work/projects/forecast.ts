import { daysBefore } from '#events/contract/days.ts'
import type { Forecast, ProjectAtDate } from '#events/projects/calls.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { checkProject } from './checkProject.ts'
import { activeDate } from './figures/shownFolders.ts'
import { projectHistory } from './projectHistory.ts'

/** Days before a date that the forecast is based on. */
const daysOfPast = 90
/** Maximum days ahead, a hundred years; anything later counts as never. */
const farthest = 36_525

/** The day a project reaches its allocated size, seen from a date. Throws 404. */
export async function forecastProject(db: Db, scope: Scope, id: number, day: string | undefined): Promise<Forecast> {
  await checkProject(db, scope, id)
  const row = db.selectFrom('projects').select('allocatedSize').where('id', '=', id)
  const { allocatedSize } = (await row.executeTakeFirst()) ?? notFound('project', id)
  const { rows } = await activeDate(day).execute(db)
  const indexingDate = rows[0]?.day ?? null
  if (indexingDate === null) return { indexingDate, ...unknown }
  const from = daysBefore(indexingDate, daysOfPast)
  const history = await projectHistory(db, scope, id, { indexingDate, from, to: undefined, size: daysOfPast + 1 })
  return { indexingDate, ...forecastOf(history, allocatedSize) }
}

const unknown = { days: null, earliest: null, latest: null, bytesPerDay: null }

/**
 * Extends a line through the sizes of dates (newest first) from the newest size; its range is the slope's 95 %
 * confidence interval. Days are counted from the newest date.
 */
export function forecastOf(
  history: Pick<ProjectAtDate, 'indexingDate' | 'sizeOfFiles'>[],
  allocatedSize: number,
): Omit<Forecast, 'indexingDate'> {
  const [newest] = history
  if (!newest || history.length < 3) return unknown
  const { slope, error } = fitLine(
    history.map(({ indexingDate, sizeOfFiles }) => [dayNumber(indexingDate), sizeOfFiles]),
  )
  const left = allocatedSize - newest.sizeOfFiles
  if (left <= 0) return { days: 0, earliest: 0, latest: 0, bytesPerDay: slope }
  const reachedAt = (bytesPerDay: number) => {
    const days = Math.ceil(left / bytesPerDay)
    return bytesPerDay > 0 && days <= farthest ? days : null
  }
  const margin = error * (quantiles[history.length - 3] ?? 2)
  const [days, earliest, latest] = [slope, slope + margin, slope - margin].map(reachedAt) as [Days, Days, Days]
  return { days, earliest, latest, bytesPerDay: slope }
}
type Days = number | null

/** Standard errors that cover 95 % of slopes, by the number of dates beyond two. */
const quantiles = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000

/** The slope of the least-squares line through some points, and its standard error. */
function fitLine(points: [x: number, y: number][]): { slope: number; error: number } {
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const spread = total(points.map(([x]) => (x - meanX) ** 2))
  const slope = total(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread
  const residuals = total(points.map(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2))
  return { slope, error: Math.sqrt(residuals / (points.length - 2) / spread) }
}

const total = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0)
const mean = (numbers: number[]): number => total(numbers) / numbers.length
