import { realpath } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { P5DumpFolder } from '#agent/config.ts'
import type { SourceOrder } from '#events/sources/scanOrder.ts'
import type { BucketOrder } from '#events/sources/buckets.ts'
import type { NetworkShareOrder } from '#events/sources/networkShares.ts'
import { inTime } from '../abortable.ts'
import { openArchiware } from './archiware/index.ts'
import { capacityOf, whyNotScannable } from './local/index.ts'
import { mountWith, serverOf } from './local/mounts.ts'
import { type Mounts, openMounts } from './network-mount/index.ts'
import { openStore } from './objectStores.ts'
import { checkFolder as checkPowerScale } from './power-scale/checkFolder.ts'
import { keepBaseline as keepPowerScale, openPowerScale } from './power-scale/index.ts'
import { messageOf, noAnswer, type OpenedSystem, ScanFailed, usualAnswerMs } from './system.ts'

/** The part of an order that names the system to open. With a baseline, a list of the changes since then is enough. */
type OpenRequest = {
  /** ID of the product's data, and of the scan. Names of everything that a scan makes in a storage begin with them. */
  product?: string
  scanId?: number
  volumeId: number
  source: SourceOrder
  scannedPath?: string
  ignoredPaths?: string[]
  baseline?: string | undefined
}

/** Opens the systems that orders name. */
export type Systems = {
  /** Throws the reason why it can't be scanned. */
  open(request: OpenRequest, signal: AbortSignal): Promise<OpenedSystem>
  /** Resolves when all that no scan uses any more is closed. */
  settled(): Promise<void>
}

/** The systems that this agent can reach. What an agent that was killed left open in `state` is closed. */
export const openSystems = async (state: string, log: Logger, p5Dumps?: P5DumpFolder): Promise<Systems> =>
  systemsWith(await openMounts(state, log), state, p5Dumps)

type Options = Required<Pick<OpenRequest, 'product' | 'scanId' | 'volumeId' | 'scannedPath' | 'ignoredPaths'>> & {
  baseline: string | undefined
  mounts: Mounts
  state: string
  p5Dumps: P5DumpFolder | undefined
  signal: AbortSignal
}
type Kind = SourceOrder['kind']
type Open<K extends Kind> = (source: Extract<SourceOrder, { kind: K }>, options: Options) => Promise<OpenedSystem>

const openers: { [K in Kind]: Open<K> } = {
  fileStorage: ({ path }, { signal }) => openFolder(path, signal),
  networkShare: openShare,
  bucket: openBucket,
  powerScale: openPowerScale,
  archiware: openArchiware,
}

/** `state` is a folder of this agent. */
export const systemsWith = (mounts: Mounts, state: string, p5Dumps?: P5DumpFolder): Systems => ({
  open({ source, baseline, volumeId, ...request }, signal) {
    const { product = '', scanId = 0, scannedPath = '', ignoredPaths = [] } = request
    const open = openers[source.kind] as Open<Kind>
    const options = { product, scanId, volumeId, scannedPath, ignoredPaths, baseline, mounts, state, p5Dumps, signal }
    return open(source, options)
  },
  settled: () => mounts.settled(),
})

type Keep<K extends Kind> = (
  source: Extract<SourceOrder, { kind: K }>,
  baseline: string,
  signal: AbortSignal,
) => Promise<boolean>

/** Systems that a probe signs in to but doesn't open, because that would take a snapshot. Throw the reason why they can't be scanned. */
export const probes: {
  [K in Kind]?: (source: Extract<SourceOrder, { kind: K }>, signal: AbortSignal) => Promise<void>
} = { powerScale: checkPowerScale }

/** Systems whose baselines expire. */
const keepers: { [K in Kind]?: Keep<K> } = { powerScale: keepPowerScale }

/** Keeps the state that a baseline names until the next scan; false when it is gone. */
export async function keepBaseline(source: SourceOrder, baseline: string, signal: AbortSignal): Promise<boolean> {
  const keep = keepers[source.kind] as Keep<Kind> | undefined
  return (await keep?.(source, baseline, signal)) ?? true
}

async function openFolder(root: string, signal: AbortSignal): Promise<OpenedSystem> {
  const refused = await inTime(whyNotScannable(root), usualAnswerMs, noAnswer(usualAnswerMs))
  if (refused) throw new ScanFailed(refused)
  const realPath = await realpath(root)
  const mount = await mountWith(realPath).catch(() => undefined)
  return {
    listing: 'walk',
    root,
    signal,
    server: await serverOf(root),
    // The folder that a file system was mounted on is an empty one. The mounts themselves answer even if the storage doesn't.
    async check() {
      const now = mount && (await mountWith(realPath))
      if (now?.id !== mount?.id) throw new ScanFailed(`${root} was unmounted while it was scanned`)
    },
    reasonOf: messageOf,
    capacity: () => capacityOf(root),
    close: async () => {},
  }
}

async function openBucket({ store }: BucketOrder, { scannedPath, signal }: Options): Promise<OpenedSystem> {
  const objects = await openStore(store, scannedPath)
  const countsVersions = 'countsVersions' in store && store.countsVersions
  return {
    listing: 'pages',
    pages: objects,
    signal,
    server: objects.server,
    check: () => objects.check(signal),
    reasonOf: messageOf,
    capacity: async () => objects.capacity?.(signal),
    versions: async (run) => (countsVersions ? objects.versions?.({ run, signal }) : undefined),
    takenAt: () => objects.takenAt?.(),
    note: () => objects.note?.(),
    oddRecords: () => objects.oddRecords?.() ?? 0,
    close: async () => objects.close(),
  }
}

async function openShare(
  { mount, path }: NetworkShareOrder,
  { volumeId, mounts, signal }: Options,
): Promise<OpenedSystem> {
  const share = await mounts.open({ volumeId, mount, path }, signal)
  return {
    ...share,
    listing: 'walk',
    signal: AbortSignal.any([signal, share.lost]),
    server: mount.host.toLowerCase(),
    reasonOf: (error: unknown) => messageOf(error).replaceAll(share.root, share.name),
    capacity: async () => {
      const capacity = await capacityOf(share.root)
      // Each mount is another device; who mounts it, and what it is called here, makes no difference to what is free there.
      return capacity && { ...capacity, fileSystem: share.source }
    },
  }
}
