import type { Logger } from 'pino'
import type { SourceOrder } from '#events/scans/order.ts'
import type { BucketOrder } from '#events/sources/buckets.ts'
import type { NetworkShareOrder } from '#events/sources/networkShares.ts'
import { openArchiware } from './archiware/index.ts'
import { capacityOf, whyNotScannable } from './local/index.ts'
import { type Mounts, openMounts } from './network-mount/index.ts'
import { openStore } from './objectStores.ts'
import { openPowerScale } from './power-scale/index.ts'
import { messageOf, type OpenedSystem, ScanFailed } from './system.ts'

/** The part of an order that names the system to open. */
type OpenRequest = { volumeId: number; source: SourceOrder; scannedPath?: string }

/** Opens the systems that orders name. */
export type Systems = {
  /** Throws the reason why it can't be scanned. */
  open(request: OpenRequest, signal: AbortSignal): Promise<OpenedSystem>
  /** Resolves when all that no scan uses any more is closed. */
  settled(): Promise<void>
}

/** The systems that this agent can reach. What an agent that was killed left open in `state` is closed. */
export const openSystems = async (state: string, log: Logger): Promise<Systems> =>
  systemsWith(await openMounts(state, log))

type Options = { volumeId: number; scannedPath: string; mounts: Mounts; signal: AbortSignal }
type Kind = SourceOrder['kind']
type Open<K extends Kind> = (source: Extract<SourceOrder, { kind: K }>, options: Options) => Promise<OpenedSystem>

const openers: { [K in Kind]: Open<K> } = {
  fileStorage: ({ path }, { signal }) => openFolder(path, signal),
  networkShare: openShare,
  bucket: openBucket,
  powerScale: openPowerScale,
  archiware: openArchiware,
}

export const systemsWith = (mounts: Mounts): Systems => ({
  open({ source, volumeId, scannedPath = '' }, signal) {
    const open = openers[source.kind] as Open<Kind>
    return open(source, { volumeId, scannedPath, mounts, signal })
  },
  settled: () => mounts.settled(),
})

async function openFolder(root: string, signal: AbortSignal): Promise<OpenedSystem> {
  const refused = await whyNotScannable(root)
  if (refused) throw new ScanFailed(refused)
  return {
    listing: 'folders',
    root,
    signal,
    check: async () => {},
    reasonOf: messageOf,
    capacity: () => capacityOf(root),
    close: async () => {},
  }
}

async function openBucket({ store }: BucketOrder, { scannedPath, signal }: Options): Promise<OpenedSystem> {
  const objects = await openStore(store, scannedPath)
  const countsVersions = 'countsVersions' in store && store.countsVersions
  return {
    listing: 'objects',
    objects,
    signal,
    check: () => objects.check(signal),
    reasonOf: messageOf,
    capacity: async () => objects.capacity?.(signal),
    versions: async () => (countsVersions ? objects.versions?.(signal) : undefined),
    takenAt: () => objects.takenAt?.(),
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
    listing: 'folders',
    signal: AbortSignal.any([signal, share.lost]),
    reasonOf: (error: unknown) => messageOf(error).replaceAll(share.root, share.name),
    capacity: async () => {
      const capacity = await capacityOf(share.root)
      // Each mount is another device; who mounts it, and what it is called here, makes no difference to what is free there.
      return capacity && { ...capacity, fileSystem: share.source }
    },
  }
}
