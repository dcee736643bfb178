import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { FlushAnswer } from '#events/feeds/flushes.ts'
import { accountsInFiles } from '#events/node/accounts.ts'
import { decodeRows, isEntry, isGone, isListed, isUnreadable, pathOf, type Row } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { FolderFeed } from './folderFeed.ts'
import type { FileOrder, Flush } from './messages.ts'
import { notifyCalls } from './watchers/calls.ts'
import { openFanotify } from './watchers/fanotify.ts'
import type { WayToWatch } from './watchers/openWatcher.ts'

/** The ways that this machine and its rights allow. */
export const ways: WayToWatch[] = notifyCalls ? [...(hasFanotify() ? (['fanotify'] as const) : []), 'inotify'] : []

function hasFanotify(): boolean {
  const seen = { folderChanged() {}, lost() {} }
  const places = [{ folder: process.cwd(), path: '' }]
  try {
    if (notifyCalls) openFanotify(notifyCalls, { places, leavesOut: () => false, seen }).close()
    return true
  } catch {
    return false
  }
}

type Settings = Partial<Pick<FileOrder, 'ignoredPaths' | 'indexFolderOnlyPaths' | 'crossFileSystems' | 'baseStartedAt'>>

export const followOrder = (path: string, settings: Settings = {}): FileOrder => ({
  volumeId: 1,
  source: { kind: 'fileStorage', path },
  ignoredPaths: [],
  indexFolderOnlyPaths: [],
  crossFileSystems: false,
  session: randomUUID(),
  baseStartedAt: new Date().toISOString(),
  ...settings,
})

/** A reader of a file that didn't change is not reported, so times of access differ. Numbers of batches are not of the storage. */
const shown = ({ accessed: _, attempt: __, batch: ___, ...row }: Row) => row
type ShownFolders = ReturnType<typeof shown>

/** Entries by path, and the folders whose contents are known, as a full scan finds them. */
async function scanned(root: string, settings: Settings = {}) {
  const { rows } = await walked(orderOf(root, settings))
  return stateOf(rows)
}

const stateOf = (rows: Row[]) => ({
  // The root of a storage has no entry in flushes.
  entries: new Map(rows.filter((row) => isEntry(row) && pathOf(row) !== '').map((row) => [pathOf(row), shown(row)])),
  listed: new Map(rows.filter((row) => isListed(row) || isUnreadable(row)).map((row) => [pathOf(row), shown(row)])),
})
type State = ReturnType<typeof stateOf>

const inodeOf = ({ device, inode }: ShownFolders): string => `${device} ${inode}`

/** A server that keeps all entries in maps, and replaces what a flush has. */
function fakeServer(state: State) {
  const { entries, listed } = state
  /** Returns the entries that are removed. */
  const remove = (path: string): ShownFolders[] => {
    const isIn = (key: string) => key === path || key.startsWith(`${path}/`)
    const removed = [...entries].flatMap(([key, row]) => (isIn(key) ? [row] : []))
    for (const all of [entries, listed]) for (const key of all.keys()) if (isIn(key)) all.delete(key)
    return removed
  }
  /** Folders with other links of files whose row is new, changed or gone. */
  const linked = (changed: ShownFolders[]) => {
    const inodes = new Set(changed.filter((row) => Number(row.link_count) > 1).map(inodeOf))
    return [...entries.values()].filter((row) => inodes.has(inodeOf(row)) && row.is_directory === '0')
  }
  const takeEntries = (news: State['entries'], changed: ShownFolders[]) => {
    for (const [path, row] of news) {
      const before = entries.get(path)
      // Another folder in its place: its contents are not known.
      if (before && inodeOf(before) !== inodeOf(row)) changed.push(...remove(path))
      if (JSON.stringify(before) !== JSON.stringify(row)) changed.push(row, ...(before ? [before] : []))
      entries.set(path, row)
    }
  }
  const leaveOutBelowUnknown = (news: State['entries']) => {
    // Entries of folders that are not there, or not known yet, are left out.
    for (const path of news.keys())
      for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1))
        if (entries.get(path.slice(0, end))?.is_directory !== '1') remove(path)
  }
  return {
    state,
    flushes: [] as string[][],
    apply(rows: Row[]): string[] {
      const news = stateOf(rows)
      const changed: ShownFolders[] = []
      takeEntries(news.entries, changed)
      for (const row of rows.filter(isGone)) changed.push(...remove(pathOf(row)))
      for (const [path, row] of news.listed) {
        listed.set(path, row)
        if (isUnreadable(row as Row)) continue
        for (const [child, entry] of entries)
          if (entry.parent_path === `${path}/` && !news.entries.has(child)) changed.push(...remove(child))
      }
      leaveOutBelowUnknown(news.entries)
      const below = Map.groupBy(entries.values(), (row) => row.parent_path)
      // A folder that was sent before comes without a mark.
      for (const [path, row] of listed)
        if (isListed(row as Row)) listed.set(path, { ...row, children: String(below.get(`${path}/`)?.length ?? 0) })
      const unknown = [...entries.values()].filter((row) => row.is_directory === '1' && !listed.has(pathOf(row)))
      const others = linked(changed).map((row) => row.parent_path.slice(0, -1))
      return [...new Set([...unknown.map(pathOf), ...others.filter((path) => !news.listed.has(path))])]
    },
  }
}

type Options = Settings & { way?: WayToWatch; maxWatches?: number; order?: FileOrder }

/** Follows a folder, with a clock of its own, and a server that has a scan of it. */
export async function followed(root: string, { way, maxWatches, order, ...settings }: Options = {}) {
  const server = fakeServer(await scanned(root, settings))
  const sent: Flush[] = []
  const feed = new FolderFeed(order ?? followOrder(root, settings), names, {
    send: (flush) => sent.push(flush),
    pulse: () => feed.drain(),
    ...(way && { way }),
    ...(maxWatches !== undefined && { maxWatches }),
  })
  onTestFinished(() => feed.close())
  let nowMs = performance.now()
  const tick = (ms = 100) => feed.tick((nowMs += ms))
  const answer = (flush: Flush): FlushAnswer => {
    const rows = flush.parts.flatMap((part) => decodeRows(part))
    server.flushes.push(rows.filter(isListed).map(pathOf))
    return { type: 'shown', asOf: Date.now(), list: server.apply(rows) }
  }
  const step = (ms = 100, answers: (flush: Flush) => FlushAnswer | undefined = answer) => {
    tick(ms)
    for (const flush of sent.splice(0)) feed.answered(flush.session, answers(flush))
  }
  // Until all folders are watched.
  for (let n = 0; n < 1_000 && feed.status().reason?.includes('being read'); n++) tick()
  return {
    feed,
    server,
    tick,
    step,
    answer,
    sent,
    /** Continues until nothing is left to be shown, and longer than a change may wait. */
    quiet() {
      for (let n = 0; n < 30 || feed.status().behindMs !== 0; n++) {
        step()
        if (feed.status().state !== 'LIVE') throw new Error(feed.status().reason ?? '')
        if (n > 10_000) throw new Error('Changes are never shown')
      }
    },
    /** Differences between what the server has and a scan; none if they are equal. */
    async differences(): Promise<string[]> {
      const now = await scanned(root, settings)
      return [...differencesOf(server.state.entries, now.entries), ...differencesOf(server.state.listed, now.listed)]
    },
  }
}

export const names = { accounts: accountsInFiles(), knownNames: { passwd: new Map(), group: new Map() } }

function differencesOf(known: Map<string, ShownFolders>, scanned: Map<string, ShownFolders>): string[] {
  const paths = new Set([...known.keys(), ...scanned.keys()])
  return [...paths].flatMap((path) => {
    const [one, other] = [JSON.stringify(known.get(path)), JSON.stringify(scanned.get(path))]
    return one === other ? [] : `${path}: ${one} is ${other}`
  })
}
