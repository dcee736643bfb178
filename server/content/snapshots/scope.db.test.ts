import { expect, test } from 'vitest'
import { pathOfChildren } from '#events/scans/entryRow.ts'
import { foldersIn, type LimitedScope } from '#server/platform/callers/scope.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import type { Row } from './oracle/expectedRows.ts'
import { newHistory, type ShownState } from './oracle/history.ts'
import { newRandom, type Random } from './oracle/random.ts'
import { readRows } from './oracle/readRows.ts'
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

const keyOf = (row: Row) => JSON.stringify([row.parentPath, row.name, row.isDirectory])
const isWithin = (folders: readonly string[], path: string) => folders.some((folder) => path.startsWith(folder))

/** What a plain loop finds: the entries in the folders, and above them folders with the totals of these. */
function expectedRows(rows: ReadonlyMap<string, Row>, folders: readonly string[]): Map<string, Row> {
  const isSeen = (row: Row) => isWithin(folders, row.isDirectory ? pathOfChildren(row) : row.parentPath)
  const seen = [...rows.values()].filter(isSeen)
  const shown = seen.map((row) => ({
    ...row,
    previousPath: row.previousPath !== '' && isWithin(folders, `${row.previousPath}/`) ? row.previousPath : '',
  }))
  const tops = seen.filter((row) => row.isDirectory && folders.includes(pathOfChildren(row)))
  const all = [...shown, ...[...rows.values()].filter((row) => !isSeen(row) && row.isDirectory)]
  const above = all.filter((row) => !isSeen(row)).flatMap((row) => totalsAbove(row, tops, rows))
  return new Map([...shown, ...above].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((row) => [keyOf(row), row]))
}

function totalsAbove(row: Row, tops: readonly Row[], rows: ReadonlyMap<string, Row>): Row[] {
  const path = pathOfChildren(row)
  const below = tops.filter((top) => pathOfChildren(top).startsWith(path))
  if (below.length === 0) return []
  const sum = (of: keyof Row) => below.reduce((total, top) => total + Number(top[of]), 0)
  const most = (of: keyof Row) => Math.max(...below.map((top) => Number(top[of])))
  const between = [...rows.values()].filter(
    (other) =>
      other.isDirectory &&
      other !== row &&
      pathOfChildren(other).startsWith(path) &&
      below.some((top) => top !== other && pathOfChildren(top).startsWith(pathOfChildren(other))),
  )
  const { parentPath, name, depth } = row
  const own = { parentPath, name, depth, isDirectory: true, previousPath: '', extension: '', owner: '', group: '' }
  const none = { linkCount: 0, inode: 0, mode: 0, linkTarget: '', created: 0, modified: 0, accessed: 0, backedUp: 0 }
  return [
    {
      ...own,
      ...none,
      unreadable: false,
      fromScan: most('fromScan'),
      size: sum('size'),
      allocatedSize: sum('allocatedSize'),
      countedSize: sum('countedSize'),
      files: sum('files'),
      folders: sum('folders') + below.length + between.length,
      lastAccess: most('lastAccess'),
      lastModified: most('lastModified'),
    },
  ]
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
          expect([...found.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))).toEqual([
            ...expectedRows(rows, folders).values(),
          ])
        }
      }
    }
  },
)
