import { expect } from 'vitest'
import { type Comparison, type DifferencePage, type Growth, kindsOfChange } from '#events/comparison.ts'
import type { FolderAtDate, FolderStatistics } from '#events/folders/calls.ts'
import {
  type ExpectedDifference,
  expectedDifferences,
} from '#server/questions/comparison/oracle/expectedDifferences.ts'
import { known as knownTime } from '#server/questions/search/oracle/chosen.ts'
import { address, answerOf, anyFolder, inPath, pathOf, rowsOn, type LimitedCase, twoDates } from './asking.ts'

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

export async function folderThroughTime(seen: LimitedCase) {
  const { dates, visible } = seen
  const { volumeId, path } = anyFolder(seen)
  const query = { path, storageId: `${volumeId}` }
  const rows = dates.flatMap((indexingDate) => {
    const row = rowsOn(visible, indexingDate, volumeId).find((one) => one.isDirectory && pathOf(one) === path)
    return row ? [{ indexingDate, row }] : []
  })
  const found = await answerOf<FolderAtDate[]>(seen, '/v1/directories/details', query)
  const iso = (seconds: number) => (knownTime(seconds) === undefined ? null : new Date(seconds * 1000).toISOString())
  expect({
    query,
    found: found.map(({ indexingDate, size, owner, numberOfFiles, numberOfFolders, lastModified }) => [
      indexingDate,
      size,
      owner,
      numberOfFiles,
      numberOfFolders,
      lastModified,
    ]),
  }).toEqual({
    query,
    found: rows.map(({ indexingDate, row }) => [
      indexingDate,
      row.size,
      row.owner,
      row.files,
      row.folders,
      iso(row.lastModified),
    ]),
  })
  const { status, body } = await seen.ask('GET', address('/directories/statistics', query))
  expect({ query, status }).toEqual({ query, status: rows.length > 0 ? 200 : 404 })
  if (rows.length > 0) expect((body as FolderStatistics).biggestSize).toBe(Math.max(...rows.map(({ row }) => row.size)))
}

const asDifference = ({
  volumeId,
  path,
  kind,
  previousPath,
  size,
  previousSize,
  delta,
}: Omit<ExpectedDifference, 'key' | 'isDirectory' | 'growth' | 'lastSize'>) =>
  JSON.stringify([volumeId, path, kind, previousPath, size, previousSize, delta])

export async function compare(seen: LimitedCase) {
  const { random, visible } = seen
  const [from, to] = twoDates(seen)
  const { path } = random.chance(0.5) ? { path: '/' } : anyFolder(seen)
  const query = { indexingDate: to, path, size: '1000' }
  const expected = expectedDifferences(visible, from, to, path)
  for (const kind of ['files', 'directories'] as const) {
    const listed = expected.filter(({ isDirectory }) => isDirectory === (kind === 'directories'))
    const page = await answerOf<DifferencePage>(seen, `/v1/comparisons/${from}/${kind}`, query)
    expect({ from, query, found: page.elements.map(asDifference).sort() }).toEqual({
      from,
      query,
      found: listed.map(asDifference).sort(),
    })
  }
  const { size: _, ...whole } = query
  const { kinds } = await answerOf<Comparison>(seen, `/v1/comparisons/${from}`, whole)
  expect({
    from,
    query,
    counts: kinds.map(({ kind, files, folders, grown }) => [kind, files, folders, grown]),
  }).toEqual({
    from,
    query,
    counts: kindsOfChange.map((kind) => {
      const ofKind = expected.filter((each) => each.kind === kind)
      const files = ofKind.filter(({ isDirectory }) => !isDirectory)
      return [kind, files.length, ofKind.length - files.length, sum(files.map(({ growth }) => Math.max(growth, 0)))]
    }),
  })
  const by = random.pick(['owner', 'extension'] as const)
  const growth = new Map<string, number>()
  for (const [date, sign] of [
    [from, -1],
    [to, 1],
  ] as const)
    for (const { rows } of visible.dates.get(date) ?? [])
      for (const row of rows.values())
        if (!row.isDirectory && row.parentPath.startsWith(inPath(path)))
          growth.set(row[by], (growth.get(row[by]) ?? 0) + sign * Math.max(row.size, 0))
  const groups = await answerOf<{ elements: Growth[] }>(seen, `/v1/comparisons/${from}/groups`, { ...query, by })
  expect({
    from,
    query,
    by,
    groups: groups.elements
      .filter((one) => one.growth !== 0)
      .map((one) => [one.field, one.growth])
      .sort(),
  }).toEqual({
    from,
    query,
    by,
    groups: [...growth].filter(([, bytes]) => bytes !== 0).sort(),
  })
}
