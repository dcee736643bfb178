import { beforeAll, expect, test } from 'vitest'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import {
  type Comparison,
  type DifferencePage,
  type DifferenceSort,
  differenceSorts,
  type Growth,
  kindsOfChange,
} from '#events/comparison.ts'
import { createApp } from '#server/app.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { deleteSnapshot } from '#server/content/snapshots/retention/deleteSnapshot.ts'
import { type History, newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { removeUnshown } from '#server/content/snapshots/retention/removeUnshown.ts'
import { natural } from '#server/questions/search/oracle/sorted.ts'
import { asUser, testSession } from '#server/testing.ts'
import { comparisonRoutes } from './index.ts'
import { type ExpectedDifference, expectedDifferences } from './oracle/expectedDifferences.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const app = createApp(platform, comparisonRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))
const random = newRandom(testSeed(5))
const questions = cases(6, 80)
const days = ['2026-01-01', '2026-01-02', '2026-01-05', '2026-02-03', '2026-02-04', '2026-03-09'].slice(0, cases(3, 6))
let history: History
let dates: string[]

beforeAll(async () => {
  history = await newHistory(platform, random, { dates: days, disks: cases(2, 3), entries: 60 })
  dates = [...history.dates.keys()]
})

async function answerOf<T>(path: string, query: Record<string, string>): Promise<T> {
  const { status, body } = await ask('GET', `/api/v1/comparisons/${path}?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(`${status} for ${path} ${JSON.stringify(query)}: ${JSON.stringify(body)}`)
  return body
}

/** Two dates and a folder that exists on one of them, with the result of plain loops. */
function nextQuestion() {
  const [from = '', to = ''] = [random.pick(dates), random.pick(dates)].sort()
  const all = expectedDifferences(history, from, to, '/')
  const folders = all.filter(({ isDirectory }) => isDirectory).map(({ path }) => path)
  const path = folders.length > 0 && random.chance(0.5) ? random.pick(folders) : '/'
  const expected = path === '/' ? all : expectedDifferences(history, from, to, path)
  const volumeId = random.chance(0.3) ? history.dates.get(to)![0]!.volumeId : undefined
  const query = { indexingDate: to, path, ...(volumeId && { volumeId: String(volumeId) }) }
  const isMeant = (each: ExpectedDifference) => volumeId === undefined || each.volumeId === volumeId
  return { from, to, path, query, expected: expected.filter(isMeant) }
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

/** The expected totals of differences, by kind. */
const totalsOf = (expected: ExpectedDifference[]) =>
  kindsOfChange.map((kind) => {
    const ofKind = expected.filter((each) => each.kind === kind)
    const files = ofKind.filter(({ isDirectory }) => !isDirectory)
    return {
      kind,
      files: files.length,
      folders: ofKind.length - files.length,
      size: sum(files.map(({ lastSize }) => Math.max(lastSize, 0))),
      grown: sum(files.map(({ growth }) => Math.max(growth, 0))),
      shrunk: sum(files.map(({ growth }) => Math.max(-growth, 0))),
    }
  })

async function expectTotals(): Promise<number> {
  const { from, query, expected } = nextQuestion()
  const { kinds, growth } = await answerOf<Comparison>(from, query)
  expect({ from, query, kinds }).toEqual({ from, query, kinds: totalsOf(expected) })
  expect(growth).toBe(sum(expected.filter(({ isDirectory }) => !isDirectory).map(({ growth }) => growth)))
  return expected.length
}

test('any two dates differ as plain loops over all their entries say', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) found += await expectTotals()
  expect(found).toBeGreaterThan(cases(0, questions))
})

const asSeen = ({ volumeId, path, kind, previousPath, size, previousSize, delta }: SeenChange) =>
  JSON.stringify([volumeId, path, kind, previousPath, size, previousSize, delta])
type SeenChange = Pick<
  ExpectedDifference,
  'volumeId' | 'path' | 'kind' | 'previousPath' | 'size' | 'previousSize' | 'delta'
>

test('every file and folder that differs is listed once, in any order', async () => {
  const seen = new Set<string>()
  // Enough rounds to see most kinds of change.
  for (let n = 0; n < questions / 2 || (seen.size <= 6 && n < 10 * questions); n++) {
    const { from, query, expected } = nextQuestion()
    const kind = random.pick(['files', 'directories'] as const)
    const kinds = random.chance(0.5) ? [random.pick(kindsOfChange), random.pick(kindsOfChange)] : []
    const sort = random.pick(differenceSorts)
    const direction = random.pick(['asc', 'desc'] as const)
    const listQuery = { ...query, kind: kinds.join(), sort, direction, size: String(10 + random.below(40)) }
    const listed = expected
      .filter(({ isDirectory }) => isDirectory === (kind === 'directories'))
      .filter((each) => kinds.length === 0 || kinds.includes(each.kind))
    const elements: DifferencePage['elements'] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: DifferencePage = await answerOf(`${from}/${kind}`, { ...listQuery, cursor })
      expect({ listQuery, total: page.total }).toEqual({ listQuery, total: listed.length })
      elements.push(...page.elements)
      cursor = page.cursor
    }
    expect({ from, listQuery, listed: elements.map(asSeen).sort() }).toEqual({
      from,
      listQuery,
      listed: listed.map(asSeen).sort(),
    })
    expectSorted(elements, sort, direction)
    for (const each of elements) seen.add(`${kind} ${each.kind}`)
  }
  expect(seen.size).toBeGreaterThan(6)
})

test('the files of an owner, or with an extension, are those that had it on one of the dates', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) {
    const { from, to, query, expected } = nextQuestion()
    const rowsOf = (date: string) =>
      new Map(
        history.dates
          .get(date)!
          .flatMap(({ volumeId, rows }) =>
            [...rows.values()].map((row): [string, Row] => [
              placeOf(volumeId, row.isDirectory, row.parentPath + row.name),
              row,
            ]),
          ),
      )
    const [before, now] = [rowsOf(from), rowsOf(to)]
    const by = random.pick(['owner', 'extension'] as const)
    const word = random.pick([...now.values()].map((row) => row[by]).filter(Boolean))
    const hasIt = ({ volumeId, isDirectory, path, previousPath, previousSize, kind }: ExpectedDifference) =>
      now.get(placeOf(volumeId, isDirectory, path))?.[by] === word ||
      ((previousSize !== null || kind !== 'CREATED') &&
        before.get(placeOf(volumeId, isDirectory, previousPath || path))?.[by] === word)
    const listed = expected.filter((each) => !each.isDirectory && hasIt(each))
    const { elements, total } = await answerOf<DifferencePage>(`${from}/files`, { ...query, [by]: word, size: '1000' })
    expect({ from, query, by, word, total, listed: elements.map(asSeen).sort() }).toEqual({
      from,
      query,
      by,
      word,
      total: listed.length,
      listed: listed.map(asSeen).sort(),
    })
    found += total
  }
  expect(found).toBeGreaterThan(0)
})

const placeOf = (volumeId: number, isDirectory: boolean, path: string) => `${volumeId} ${isDirectory} ${path}`

function expectSorted(elements: DifferencePage['elements'], sort: DifferenceSort, direction: 'asc' | 'desc'): void {
  const values = elements.map((each) => {
    if (sort === 'change') return Math.abs(each.delta ?? 0)
    if (sort === 'delta') return each.delta ?? 0
    if (sort === 'previousSize') return each.previousSize ?? -1
    if (sort === 'size') return each.size
    return Buffer.from(sort === 'kind' ? each.kind.toLowerCase() : natural(each[sort])).toString('hex')
  })
  const inOrder = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (direction === 'asc' ? 1 : -1))
  expect(values).toEqual(inOrder)
}

/** In the size of a subfolder hard links count once. */
function sizeIn(group: string, { linkCount, inode, size }: Row, links: Set<string> | undefined): number {
  const isLink = links !== undefined && linkCount > 1 && inode !== 0 && size > 0
  return isLink && links.size === links.add(`${group} ${inode}`).size ? 0 : Math.max(size, 0)
}

test('folders, owners and extensions grew by what plain loops add up', async () => {
  for (let n = 0; n < questions / 2; n++) {
    const { from, to, path, query } = nextQuestion()
    const by = random.pick(['folder', 'folder', 'owner', 'extension'] as const)
    const groups = new Map<string, { growth: number; filesGrowth: number }>()
    for (const [date, sign] of [[from, -1] as const, [to, 1] as const])
      for (const { volumeId, rows } of history.dates.get(date)!) {
        const links = new Set<string>()
        for (const row of rows.values()) {
          const within = path === '/' ? '/' : `${path}/`
          const isMeant = query.volumeId === undefined || query.volumeId === String(volumeId)
          if (row.isDirectory || !isMeant || !row.parentPath.startsWith(within)) continue
          const child = row.parentPath.slice(within.length).split('/')[0]
          const group = by === 'folder' ? `${volumeId} ${child}` : row[by]
          const { growth, filesGrowth } = groups.get(group) ?? { growth: 0, filesGrowth: 0 }
          const size = sizeIn(group, row, by === 'folder' && child !== '' ? links : undefined)
          groups.set(group, { growth: growth + sign * size, filesGrowth: filesGrowth + sign })
        }
      }
    const expected = [...groups].filter(([, { growth, filesGrowth }]) => growth !== 0 || filesGrowth !== 0)
    const { elements, total } = await answerOf<{ elements: Growth[]; total: number }>(`${from}/groups`, {
      ...query,
      by,
      size: '1000',
    })
    const group = ({ field, volumeId }: Growth) => (by === 'folder' ? `${volumeId} ${field}` : field)
    const found = elements.map((each) => [group(each), { growth: each.growth, filesGrowth: each.filesGrowth }])
    expect({ from, query, by, found: found.sort() }).toEqual({ from, query, by, found: expected.sort() })
    expect(total).toBe(expected.length)
    const growths = elements.map(({ growth }) => growth)
    expect(growths).toEqual(growths.toSorted((a, b) => b - a))
  }
})

test('two dates differ as before when those between are deleted', async () => {
  const between = dates.filter((_, i) => i === 1 || i === 3)
  dates = dates.filter((date) => !between.includes(date))
  for (const date of between) await deleteSnapshot(platform.db, date, system)
  const marked = async () => {
    await removeUnshown(platform, 0)
    return platform.db.selectFrom('deletedSnapshots').select('volumeId').execute()
  }
  await expect.poll(marked).toEqual([])
  for (let n = 0; n < questions / 2; n++) await expectTotals()
})
