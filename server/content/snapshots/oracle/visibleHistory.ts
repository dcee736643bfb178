import { pathOfChildren } from '#events/scans/entryRow.ts'
import { foldersIn, type LimitedScope } from '#server/platform/callers/scope.ts'
import type { Row } from './expectedRows.ts'
import type { History } from './history.ts'

const keyOf = (row: Row) => JSON.stringify([row.parentPath, row.name, row.isDirectory])
const isWithin = (folders: readonly string[], path: string) => folders.some((folder) => path.startsWith(folder))

/**
 * The rows of a volume that a caller with these folders sees, in the form of `parent_path`: the entries in them, and above them folders with
 * the totals of these, in which each file counts once.
 */
export function visibleRows(rows: ReadonlyMap<string, Row>, folders: readonly string[]): Map<string, Row> {
  const isSeen = (row: Row) => isWithin(folders, row.isDirectory ? pathOfChildren(row) : row.parentPath)
  const seen = [...rows.values()].filter(isSeen)
  const shown = seen.map((row) => ({
    ...row,
    previousPath: row.previousPath !== '' && isWithin(folders, `${row.previousPath}/`) ? row.previousPath : '',
    countedSize: linksOf(seen, row)[0] === row ? Math.max(row.size, row.countedSize) : row.countedSize,
  }))
  const tops = seen.filter((row) => row.isDirectory && folders.includes(pathOfChildren(row)))
  const all = [...shown, ...[...rows.values()].filter((row) => !isSeen(row) && row.isDirectory)]
  const links = seen.filter((row) => isLink(row) && row.size > 0)
  const above = all.filter((row) => !isSeen(row)).flatMap((row) => totalsAbove(row, { tops, rows, links }))
  return new Map([...shown, ...above].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map((row) => [keyOf(row), row]))
}

const isLink = ({ isDirectory, linkCount, inode }: Row) => !isDirectory && linkCount > 1 && inode !== 0
const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The links of the same file, in the order of the tables. */
const linksOf = (rows: readonly Row[], row: Row): Row[] =>
  isLink(row)
    ? rows
        .filter((other) => isLink(other) && other.inode === row.inode)
        .toSorted((a, b) => compareBytes(a.parentPath, b.parentPath) || compareBytes(a.name, b.name))
    : []

type Visible = { tops: readonly Row[]; rows: ReadonlyMap<string, Row>; links: readonly Row[] }

/** Bytes that the sum of some folders has too often, because they have links of the same files. */
function repeatedAcross(below: readonly Row[], links: readonly Row[], column: 'size' | 'allocatedSize'): number {
  const files = [...Map.groupBy(links, ({ inode }) => inode).values()]
  return files.reduce((sum, file) => {
    const largest = below.flatMap((top) => {
      const within = file.filter(({ parentPath }) => parentPath.startsWith(pathOfChildren(top)))
      return within.length > 0 ? [Math.max(...within.map((row) => Math.max(row[column], 0)))] : []
    })
    return largest.length === 0 ? sum : sum + largest.reduce((a, b) => a + b, 0) - Math.max(...largest)
  }, 0)
}

function totalsAbove(row: Row, { tops, rows, links }: Visible): Row[] {
  const path = pathOfChildren(row)
  const below = tops.filter((top) => pathOfChildren(top).startsWith(path))
  if (below.length === 0) return []
  const sum = (of: keyof Row) => below.reduce((total, top) => total + Number(top[of]), 0)
  const maxOf = (of: keyof Row) => Math.max(...below.map((top) => Number(top[of])))
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
      fromScan: maxOf('fromScan'),
      size: sum('size') - repeatedAcross(below, links, 'size'),
      allocatedSize: sum('allocatedSize') - repeatedAcross(below, links, 'allocatedSize'),
      countedSize: sum('size') - repeatedAcross(below, links, 'size'),
      files: sum('files'),
      folders: sum('folders') + below.length + between.length,
      lastAccess: maxOf('lastAccess'),
      lastModified: maxOf('lastModified'),
    },
  ]
}

type ScansOfDates = (date: string, volumeId: number) => number

type ScanOfVolume = { volumeId: number; scanId: number }

/** Returns whether an entry, by its key, is outside of the folders that the caller sees in a scan, such as a folder above them. */
export function isAboveVisible(scope: LimitedScope, scan: ScanOfVolume, key: string): boolean {
  const [parentPath, name, isDirectory] = JSON.parse(key) as [string, string, boolean]
  return !isWithin(foldersIn(scope, scan), isDirectory ? pathOfChildren({ parentPath, name }) : parentPath)
}

/** A history as a caller with this scope sees it; `scanOf` returns the scan of a volume on a date. */
export function visibleHistory(history: History, scope: LimitedScope, scanOf: ScansOfDates): History {
  const foldersOn = (date: string, volumeId: number) => foldersIn(scope, { volumeId, scanId: scanOf(date, volumeId) })
  /** A moved entry was visible in the scans before this one. */
  const isSeenIn = ({ date, volumeId }: { date: string; volumeId: number }, scansBefore: number, key: string) =>
    !isAboveVisible(scope, { volumeId, scanId: scanOf(date, volumeId) - scansBefore }, key)
  const dates = [...history.dates].map(([date, states]) => {
    const shown = states.flatMap((state) => {
      const folders = foldersOn(date, state.volumeId)
      const rows = folders.includes('/') ? state.rows : visibleRows(state.rows, folders)
      return folders.length === 0 ? [] : [{ ...state, rows }]
    })
    return [date, shown] as const
  })
  const scans = history.scans.map((scan) => ({
    ...scan,
    moves: new Map([...scan.moves].filter(([after, before]) => isSeenIn(scan, 0, after) && isSeenIn(scan, 1, before))),
  }))
  return { dates: new Map(dates), scans }
}
