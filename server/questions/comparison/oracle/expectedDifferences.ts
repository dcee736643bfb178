import type { KindOfChange } from '#events/comparison.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import type { History, ShownState } from '#server/content/snapshots/oracle/history.ts'

/** The expected difference of an entry; its key is that of the later date, or of the earlier one if it was removed. */
export type ExpectedDifference = {
  volumeId: number
  key: string
  isDirectory: boolean
  kind: KindOfChange
  path: string
  previousPath: string
  size: number
  previousSize: number | null
  delta: number | null
  /** Unknown sizes count as zero. */
  growth: number
  /** For removed entries, the last size. */
  lastSize: number
}

/** Compares all entries of two dates one by one, and follows moves through every scan between them. */
export function expectedDifferences(history: History, from: string, to: string, folder: string): ExpectedDifference[] {
  const [before, now] = [history.dates.get(from) ?? [], history.dates.get(to) ?? []]
  const ids = new Set([...before, ...now].map(({ volumeId }) => volumeId))
  const found = [...ids].flatMap((volumeId) => {
    const of = (states: ShownState[]) => states.find((state) => state.volumeId === volumeId)?.rows ?? new Map()
    return ofVolume(history, { volumeId, from, to, old: of(before), rows: of(now) }, childrenOf(folder))
  })
  return found.filter(({ path }) => path !== '')
}

type ComparedVolume = { volumeId: number; from: string; to: string; old: Map<string, Row>; rows: Map<string, Row> }

const childrenOf = (folder: string) => (folder === '/' ? '/' : `${folder}/`)
const pathOf = (row: Row) => row.parentPath + row.name

function ofVolume(history: History, both: ComparedVolume, within: string): ExpectedDifference[] {
  const { volumeId, old, rows } = both
  const found: ExpectedDifference[] = []
  const add = (kind: KindOfChange, key: string, was?: Row, is?: Row) => {
    const counts = [was, is].map((row) => (row && pathOf(row).startsWith(within) ? row.size : undefined))
    if (counts[0] === undefined && counts[1] === undefined) return
    const [less = 0, more = 0] = counts
    const growth = Math.max(more, 0) - Math.max(less, 0)
    const row = (is ?? was) as Row
    found.push({
      volumeId,
      key,
      kind,
      growth,
      isDirectory: row.isDirectory,
      path: pathOf(row),
      lastSize: row.size,
      previousPath: kind === 'MOVED' && was ? pathOf(was) : '',
      size: is?.size ?? -1,
      previousSize: was?.size ?? null,
      delta: less < 0 || more < 0 ? null : growth,
    })
  }
  const arrived = new Map<string, string>()
  for (const [key, was] of old) {
    const is = rows.get(key)
    if (is && content(is) !== content(was)) add('CHANGED', key, was, is)
    if (is) continue
    const end = follow(history, both, key)
    if (end !== undefined && rows.has(end) && !old.has(end)) arrived.set(end, key)
    else add('REMOVED', key, was)
  }
  for (const [key, is] of rows) {
    if (old.has(key)) continue
    const origin = arrived.get(key)
    add(origin === undefined ? 'CREATED' : 'MOVED', key, old.get(origin ?? ''), is)
  }
  return found
}

const content = ({ size, files, folders, owner, group, mode, linkTarget, created, modified, backedUp }: Row) =>
  JSON.stringify([size, files, folders, owner, group, mode, linkTarget, created, modified, backedUp])

/** The place of an entry after the last scan; undefined if it was lost on the way. */
function follow({ dates, scans }: History, { volumeId, from, to }: ComparedVolume, key: string): string | undefined {
  let at = key
  for (const scan of scans.filter((each) => each.volumeId === volumeId && each.date > from && each.date <= to)) {
    const [next] = [...scan.moves].find(([, before]) => before === at) ?? []
    const rows = dates.get(scan.date)?.find((state) => state.volumeId === volumeId)?.rows
    if (next === undefined && !rows?.has(at)) return undefined
    at = next ?? at
  }
  return at
}
