import { expect, test } from 'vitest'
import { foldersIn, type LimitedScope } from '#server/platform/callers/scope.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { newHistory, type ShownState } from './oracle/history.ts'
import { newRandom, type Random } from './oracle/random.ts'
import { readRows } from './oracle/readRows.ts'
import { visibleRows } from './oracle/visibleHistory.ts'
import { snapshotAt } from './reading/snapshotAt.ts'

const stores = { db: await testDb(), clickhouse: await testClickHouse() }
const dates = ['2026-01-01', '2026-01-02', '2026-01-03']
const always = { fromScan: 0, beforeScan: Number.MAX_SAFE_INTEGER }

/** Some folders of each volume, some of which no date has, and each with its own time. */
function randomScope(random: Random, states: readonly ShownState[]): LimitedScope {
  const places = states.flatMap(({ volumeId, rows }) => {
    const folders = [...rows.values()].filter((row) => row.isDirectory)
    const count = random.chance(0.2) ? 40 : random.below(4)
    return Array.from({ length: count }, () => {
      const { parentPath, name } = random.pick(folders)
      const path = random.chance(0.1) ? `/gone ${random.below(9)}` : `${parentPath}${name}` || '/'
      return { volumeId, path, ...always }
    })
  })
  return { places, projects: [] }
}

test.each([1, 2, ...(isLong ? [3, 4, 5, 6, 7, 8] : [])])(
  'a limited caller sees the folders of the scope, the folders above them with the totals of these, and nothing else %i',
  async (seed) => {
    const random = newRandom(seed)
    const { dates: states } = await newHistory(stores, random, { dates, disks: 2, entries: 80 })
    for (let round = 0; round < 4; round++) {
      const scope = randomScope(random, [...states.values()].at(-1) ?? [])
      for (const [date, shown] of states) {
        const snapshot = await snapshotAt(stores.db, scope, date)
        for (const { volumeId, rows } of shown) {
          const scanId = (await snapshotAt(stores.db, 'everything', date))?.volumes.find(
            (one) => one.volumeId === volumeId,
          )?.scanId
          const folders = foldersIn(scope, { volumeId, scanId: scanId ?? 0 })
          expect(snapshot?.volumes.some((one) => one.volumeId === volumeId)).toBe(folders.length > 0)
          const found = await readRows(stores, volumeId, date, scope)
          expect(Object.fromEntries(found)).toEqual(
            Object.fromEntries(folders.includes('/') ? rows : visibleRows(rows, folders)),
          )
        }
      }
    }
  },
)

test('an import shows no folder that moved, since its path on that day is not known', () => {
  const places = [
    { volumeId: 1, path: '/old', fromScan: 0, beforeScan: 5 },
    { volumeId: 1, path: '/new', ...always, fromScan: 5 },
    { volumeId: 1, path: '/still', ...always },
  ]
  const shown = (scan: { imported?: object }) =>
    foldersIn({ places, projects: [] }, { volumeId: 1, scanId: 9, ...scan })
  expect(shown({})).toEqual(['/new/', '/still/'])
  expect(shown({ imported: { format: 'ncdu' } })).toEqual(['/still/'])
})
