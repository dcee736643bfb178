import { expect } from 'vitest'
import { dateIntervals, type DatePoint, groupingFields, type SearchPage, type Totals } from '#events/search/calls.ts'
import { Criteria } from '#events/search/criteria.ts'
import type { DuplicateFolders } from '#events/search/duplicateFolders.ts'
import { SearchFilters } from '#events/search/filters.ts'
import type { DominantBelow } from '#events/folders/map.ts'
import type { GrowingFolder } from '#events/overview/growing.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import { growthPlaces } from '#server/questions/comparison/topGrowing.ts'
import { expectedDifferences } from '#server/questions/comparison/oracle/expectedDifferences.ts'
import {
  addUp,
  addUpByField,
  addUpByPeriod,
  addUpDuplicates,
  dateFields,
} from '#server/questions/search/oracle/addedUp.ts'
import { chosen } from '#server/questions/search/oracle/chosen.ts'
import { meetsCriteria, type NumberedEntry } from '#server/questions/search/oracle/meets.ts'
import { randomCriteria } from '#server/questions/search/oracle/randomCriteria.ts'
import { randomFilters } from '#server/questions/search/oracle/randomFilters.ts'
import { address, answerOf, anyFolder, inPath, pathOf, rowsOn, type LimitedCase, twoDates } from './asking.ts'

const fileDates = Object.keys(dateFields) as (keyof typeof dateFields)[]
const randomChart = ({ random }: LimitedCase) => ({
  dateField: random.pick(fileDates),
  dateIntervalType: random.pick(dateIntervals),
})

const numbered = ({ knownOn, deletedDays, fileIds, hashes }: LimitedCase, date: string): NumberedEntry[] =>
  knownOn(date, deletedDays).map((entry) => ({
    ...entry,
    fileId: fileIds.get(`${entry.volumeId} ${entry.key}`) ?? '',
    hash: entry.isAbove ? '' : (hashes.get(identity(entry.row) ?? '') ?? ''),
  }))

const inOrder = <T extends { field: string }>(all: readonly T[]) => all.toSorted((a, b) => (a.field < b.field ? -1 : 1))

/** Searches by criteria, and their totals and charts. */
export async function criteria(seen: LimitedCase): Promise<void> {
  const { random, dates } = seen
  const indexingDate = random.pick(dates)
  const known = numbered(seen, indexingDate)
  const body = known.length > 0 ? randomCriteria(random, known) : []
  const meant = known.filter((entry) => meetsCriteria(entry, Criteria.parse(body)))
  const query = { indexingDate, size: '1000' }
  const page = await answerOf<SearchPage>(seen, '/v1/search', { ...query, totals: 'true' }, body)
  const context = JSON.stringify({ query, body })
  expect({ context, total: page.total, ids: page.elements.map(({ fileId }) => fileId).sort() }).toEqual({
    context,
    total: meant.length,
    ids: meant.map(({ fileId }) => fileId).sort(),
  })
  const sizes = await answerOf<Totals>(seen, '/v1/search/sizes', { indexingDate }, body)
  expect({ context, totals: page.totals }).toEqual({ context, totals: sizes })
  const files = meant.filter(({ row }) => !row.isDirectory)
  expect({ context, count: sizes.count }).toEqual({ context, count: meant.length })
  if (files.length > 0) expect({ context, size: sizes.size }).toEqual({ context, size: addUp(files).size })
  const fieldName = random.pick(groupingFields)
  const fields = await answerOf<{ field: string }[]>(seen, '/v1/search/fields', { ...query, fieldName }, body)
  expect({ context, fieldName, fields: inOrder(fields) }).toEqual({
    context,
    fieldName,
    fields: addUpByField(files, fieldName),
  })
  const chart = randomChart(seen)
  const points = await answerOf<DatePoint[]>(seen, '/v1/search/dates', { indexingDate, ...chart }, body)
  expect({ context, chart, points }).toEqual({
    context,
    chart,
    points: addUpByPeriod(
      files,
      chart.dateField,
      chart.dateIntervalType,
      points.map(({ date }) => date),
    ),
  })
}

/** A search by date, and its duplicates by folder. */
export async function charts(seen: LimitedCase): Promise<void> {
  const { random, dates, knownOn, deletedDays } = seen
  const indexingDate = random.pick(dates)
  const known = knownOn(indexingDate, deletedDays)
  const query: Record<string, string | string[]> =
    known.length > 0 ? { ...randomFilters(random, known, 'files'), indexingDate } : { indexingDate }
  const meant = chosen(known, SearchFilters.parse(query), 'files')
  const chart = randomChart(seen)
  const points = await answerOf<DatePoint[]>(seen, '/files/search/dates', { ...query, ...chart })
  const starts = points.map(({ date }) => date)
  expect({ query, chart, points }).toEqual({
    query,
    chart,
    points: addUpByPeriod(meant, chart.dateField, chart.dateIntervalType, starts),
  })
  const found = await answerOf<{ elements: DuplicateFolders[]; reclaimable: number }>(
    seen,
    '/files/search/duplicateFolders',
    { ...query, size: '1000' },
  )
  const isOfDeleted = SearchFilters.parse(query).showOnlyDeletedFiles === true
  const { reclaimable } = isOfDeleted ? { reclaimable: 0 } : addUpDuplicates(meant)
  expect({ query, reclaimable: found.reclaimable }).toEqual({ query, reclaimable })
  const folders = new Set(
    meant
      .filter(({ dupe }) => dupe)
      .flatMap(({ volumeId, path }) => foldersAbove(path).map((one) => `${volumeId}:${one}`)),
  )
  const named = found.elements.flatMap((group) => group.folders.map(({ volumeId, path }) => `${volumeId}:${path}`))
  expect({ query, hidden: named.filter((one) => !folders.has(one)) }).toEqual({ query, hidden: [] })
}

/** The folders that contain a path, from the nearest to the root. */
function foldersAbove(path: string): string[] {
  const above: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) above.push(path.slice(0, at))
  return [...above, '/']
}

/** The folders that grew most between two dates. */
export async function growing(seen: LimitedCase): Promise<void> {
  const { visible } = seen
  const [from, to] = twoDates(seen)
  const { folders } = await answerOf<{ folders: GrowingFolder[] }>(seen, `/v1/comparisons/${from}/growing`, {
    indexingDate: to,
  })
  const inBoth = (id: number) => [from, to].every((date) => visible.dates.get(date)?.some((one) => one.volumeId === id))
  const roots = (visible.dates.get(to) ?? []).flatMap(({ volumeId }) => {
    const [is, was] = [to, from].map((date) => rowsOn(visible, date, volumeId).find((row) => pathOf(row) === '/'))
    return is && was
      ? [{ volumeId, path: '/', growth: Math.max(is.size, 0) - Math.max(was.size, 0), size: is.size }]
      : []
  })
  const below = expectedDifferences(visible, from, to, '/').flatMap(({ volumeId, path, isDirectory, delta, size }) =>
    isDirectory && inBoth(volumeId) && delta !== null ? [{ volumeId, path, growth: delta, size }] : [],
  )
  const grown = [...roots, ...below].filter(({ growth }) => growth > 0)
  const meant = growthPlaces(grown.map((one) => ({ ...one, volumeName: '' })))
  const asPlace = ({ volumeId, path, growth, size }: Omit<GrowingFolder, 'volumeName'>) =>
    JSON.stringify([volumeId, path, growth, size])
  const places = folders.map(asPlace)
  // Of folders with the same growth any may be left out.
  const minGrowth = folders.at(-1)?.growth ?? 0
  const sure = meant.slice(0, 10).filter((one) => one.growth > minGrowth || folders.length < 10)
  expect({ from, to, hidden: places.filter((one) => !meant.map(asPlace).includes(one)) }).toEqual({
    from,
    to,
    hidden: [],
  })
  expect({ from, to, missing: sure.map(asPlace).filter((one) => !places.includes(one)) }).toEqual({
    from,
    to,
    missing: [],
  })
}

/** The owner or extension with the most bytes below a folder. */
export async function dominant(seen: LimitedCase): Promise<void> {
  const { random, dates, visible } = seen
  const { volumeId, path } = anyFolder(seen)
  const [indexingDate, by] = [random.pick(dates), random.pick(['owner', 'extension'] as const)]
  const rows = rowsOn(visible, indexingDate, volumeId)
  const folders = rows.filter((row) => row.isDirectory)
  const query = { path, storageId: `${volumeId}`, levels: '1', by, indexingDate }
  const { status, body } = await seen.ask('GET', address('/v1/directories/map/dominant', query))
  const isSeen = folders.some((row) => pathOf(row) === path)
  expect({ query, status }).toEqual({ query, status: isSeen ? 200 : 404 })
  if (!isSeen) return
  const drawn = folders.filter((row) => pathOf(row) === path || row.parentPath === inPath(path))
  const meant = drawn.flatMap((folder) => {
    const parts = new Map<string, number>()
    for (const row of rows)
      if (!row.isDirectory && row.size > 0 && row.parentPath.startsWith(inPath(pathOf(folder))))
        parts.set(row[by], (parts.get(row[by]) ?? 0) + row.size)
    return parts.size === 0 ? [] : [[pathOf(folder), Math.max(...parts.values())]]
  })
  const found = (body as DominantBelow).folders.map((one) => [one.path, one.size])
  expect({ query, found: found.sort() }).toEqual({ query, found: meant.sort() })
}
