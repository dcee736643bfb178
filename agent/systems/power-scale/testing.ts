import type { EntryRow } from '#events/scans/entryRow.ts'
import { nameFromBytes } from '#events/contract/fileNames.ts'
import type { PowerScaleOrder } from '#events/sources/powerScales.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { newClock } from '#agent/simulator/clock.ts'
import { forTest } from '#agent/simulator/testing.ts'
import { forever } from '../testing.ts'
import type { GoneEntry, OpenedSystem, Page } from '../system.ts'
import { whileBusy } from '../whileBusy.ts'
import { openPowerScale, type PowerScaleOptions } from './index.ts'
import {
  type PowerScaleOptions as SimulatorOptions,
  type PowerScaleSimulator,
  startPowerScale,
} from './simulator/index.ts'

const product = '01234567-0000-4000-8000-000000000001'

/** Starts a cluster that ends with the test. Its clock has the current time, and does not move. */
export async function cluster(options: SimulatorOptions = {}): Promise<PowerScaleSimulator> {
  const clock = newClock({ start: Math.floor(Date.now() / 1_000), speed: 0 })
  const simulator = await forTest(startPowerScale({ clock, ...options }))
  simulator.tree.ensureDirectory('/ifs/data')
  return simulator
}

export const orderOf = (simulator: PowerScaleSimulator, changes: Partial<PowerScaleOrder> = {}): PowerScaleOrder => ({
  kind: 'powerScale',
  host: simulator.host,
  path: '/ifs/data',
  username: 'scan',
  password: 'secret',
  fingerprint: simulator.fingerprint,
  fullSnapshotDays: 7,
  deltaSnapshotDays: 3,
  threads: 8,
  isDelta: false,
  ...changes,
})

export type Changes = { order?: Partial<PowerScaleOrder> } & Partial<PowerScaleOptions>

export const open = (simulator: PowerScaleSimulator, { order, ...changes }: Changes = {}): Promise<OpenedSystem> =>
  openPowerScale(orderOf(simulator, order), {
    product,
    volumeId: 1,
    scanId: 1,
    ignoredPaths: [],
    scannedPath: '',
    baseline: undefined,
    state: testFolder('state'),
    signal: forever,
    ...changes,
  })

/** All that a scan sends. */
export type SentScan = {
  entries: EntryRow[]
  gone: GoneEntry[]
  unreadable: string[]
  isDelta: boolean
  baseline: string | undefined
  note: string | undefined
}

export const nothingSent = (): SentScan => ({
  entries: [],
  gone: [],
  unreadable: [],
  isDelta: false,
  baseline: undefined,
  note: undefined,
})

/** Reads parts until none is left, several at once; or up to a number of pages. Returns the parts that are left. */
export async function readParts(
  system: OpenedSystem,
  sent: SentScan,
  parts: string[],
  maxPages = Infinity,
): Promise<string[]> {
  if (system.listing !== 'pages') throw new Error('Not listed in pages')
  const { pages } = system
  const left = [...parts]
  for (let count = 0; left.length > 0 && count < maxPages;) {
    const batch = left.splice(-Math.min(left.length, 8))
    const idle = Math.max(0, 8 - batch.length)
    const read = (part: string) => whileBusy(() => pages.page(part, { idle, signal: forever }), forever)
    for (const page of await Promise.all(batch.map(read))) {
      record(sent, page)
      left.push(...page.rest)
    }
    count += batch.length
  }
  return left
}

function record(sent: SentScan, { root, entries, gone = [], unreadable = [], isDelta }: Page): void {
  if (root) sent.entries.push(root)
  sent.entries.push(...entries)
  sent.gone.push(...gone)
  sent.unreadable.push(...unreadable.map(({ path, error }) => `${path}: ${error}`))
  sent.isDelta ||= isDelta === true
}

/** Reads what is left of a scan and ends it. */
export async function finish(system: OpenedSystem, sent = nothingSent(), parts = ['']): Promise<SentScan> {
  try {
    await readParts(system, sent, parts)
    await system.check()
    return { ...sent, baseline: await system.baseline?.(), note: system.note?.() }
  } finally {
    await system.close()
  }
}

export const scan = async (simulator: PowerScaleSimulator, changes: Changes = {}): Promise<SentScan> =>
  finish(await open(simulator, changes))

const pathOf = ({ parentPath, name }: EntryRow): string => parentPath + name

/** Entries by their paths. Throws where one came twice. */
export type State = Map<string, EntryRow>
export function stateOf({ entries }: SentScan): State {
  const state: State = new Map()
  for (const entry of entries) {
    if (state.has(pathOf(entry))) throw new Error(`${pathOf(entry)} came twice`)
    state.set(pathOf(entry), entry)
  }
  return state
}

/** The state after a delta, as the server makes it. */
export function applyDelta(before: State, sent: SentScan): State {
  const gone = new Map(sent.gone.map(({ path, movedTo }) => [path, movedTo]))
  const after: State = new Map()
  for (const [path, entry] of before) {
    const place = placeOf(path, gone)
    if (place === undefined) continue
    const nameAt = place.lastIndexOf('/') + 1
    after.set(place, { ...entry, parentPath: place.slice(0, nameAt), name: place.slice(nameAt) })
  }
  for (const [path, { partial, ...entry }] of stateOf(sent)) {
    const known = partial && after.get(path)
    after.set(path, known ? { ...entry, mode: known.mode, linkCount: known.linkCount } : entry)
  }
  return after
}

function placeOf(path: string, gone: Map<string, string | undefined>): string | undefined {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = path.slice(0, at)
    if (!gone.has(above)) continue
    const target = gone.get(above)
    return target === undefined ? undefined : target + path.slice(at)
  }
  return path
}

/** Entries without attributes that a changelist does not have, as lines. Kind and owner of all entries are among them. */
export const linesOf = (state: State): string[] =>
  [...state.values()]
    .map(({ mode, linkCount: _, linkTarget: __, ...entry }) =>
      Object.values({ ...entry, inode: String(entry.inode), size: Number(entry.size), kind: mode >> 12 }).join(' | '),
    )
    .sort()

const kindBits: Record<string, number> = {
  directory: 0o040_000,
  file: 0o100_000,
  symlink: 0o120_000,
  fifo: 0o010_000,
  socket: 0o140_000,
  characterDevice: 0o020_000,
  blockDevice: 0o060_000,
  whiteout: 0o160_000,
}

/** Entries of the live tree, as the agent has to send them. */
export function liveState({ tree }: PowerScaleSimulator, root = '/ifs/data'): State {
  const state: State = new Map()
  const add = (index: number, parentPath: string, name: string) => {
    const inode = tree.get(index)
    if (!inode) throw new Error(`No inode ${index}`)
    const isDirectory = inode.kind === 'directory'
    const size = isDirectory ? 0 : inode.size
    const path = parentPath + name
    state.set(path, {
      parentPath,
      name,
      isDirectory,
      size,
      allocatedSize: size,
      linkCount: isDirectory ? 0 : 1 + (inode.links?.length ?? 0),
      device: 0,
      inode: lin(index),
      owner: tree.users.get(inode.uid) || String(inode.uid),
      group: tree.groups.get(inode.gid) || String(inode.gid),
      mode: (kindBits[inode.kind] ?? 0) | inode.mode,
      linkTarget: '',
      created: inode.btime,
      modified: inode.mtime,
      accessed: inode.atime,
    })
    for (const [child, childIndex] of inode.children?.list() ?? [])
      add(childIndex, `${path}/`, nameFromBytes(Buffer.from(child, 'latin1')))
  }
  add(tree.at(root).index, '', '')
  return state
}

/** Numbers of inodes as the simulator shows them: half of them are above 2^53. */
const lin = (index: number): number | bigint =>
  index <= 0 ? 2 + index : (index & 8) !== 0 ? 2n ** 56n + BigInt(index) : 2 ** 32 + index
