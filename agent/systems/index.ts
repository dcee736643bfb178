import type { Logger } from 'pino'
import type { ObjectStore, ScanOrder, ShareMount } from '#events/scans/order.ts'
import { capacityOf, whyNotScannable } from './local/index.ts'
import { type Mounts, openMounts } from './network-mount/index.ts'
import { objectStores } from './objectStores.ts'
import type { CountedVersions } from './s3/versions.ts'
import { type Capacity, messageOf, type ObjectSystem, ScanFailed } from './system.ts'

/**
 * A system that is open for a scan until it is closed: folders of this machine below `root`, such as those of a mounted share,
 * or an object store.
 */
export type OpenedSystem = ({ listing: 'folders'; root: string } | { listing: 'objects'; objects: ObjectSystem }) & {
  /** Aborted when the system is lost while it is scanned. */
  signal: AbortSignal
  /** Throws when what was scanned is not there any more: what is missing then was not deleted. */
  check(): Promise<void>
  /** Why something failed, with the names that people know. */
  reasonOf(error: unknown): string
  capacity(): Promise<Capacity | undefined>
  /** Counts what a listing leaves out, where that is asked for. */
  versions?(): Promise<CountedVersions | undefined>
  /** The moment that the entries are of, where that is not when they are read. */
  takenAt?(): string | undefined
  close(): Promise<void>
}

/** What of an order says where it goes. */
type OpenedOrder = Pick<ScanOrder, 'volumeId' | 'root' | 'mount' | 'store'> & { scannedPath?: string }

/** Opens the systems that orders name. */
export type Systems = {
  /** Throws with why it cannot be scanned. */
  open(order: OpenedOrder, signal: AbortSignal): Promise<OpenedSystem>
  /** Waits until all that no scan uses any more is closed. */
  settled(): Promise<void>
}

/** The systems that this agent can reach. What an agent that was killed left open in `state` is closed. */
export const openSystems = async (state: string, log: Logger): Promise<Systems> =>
  systemsWith(await openMounts(state, log))

export const systemsWith = (mounts: Mounts): Systems => ({
  async open({ mount, store, ...order }, signal) {
    if (store) return openBucket(store, order.scannedPath, signal)
    return mount ? openShare({ ...order, mount }, mounts, signal) : openFolder(order.root, signal)
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

/** A store, of which only what lies below the scanned path is listed. */
async function openBucket(store: ObjectStore, scannedPath = '', signal: AbortSignal): Promise<OpenedSystem> {
  const objects = await objectStores[store.type].open(store, scannedPath)
  return {
    listing: 'objects',
    objects,
    signal,
    check: () => objects.check(signal),
    reasonOf: messageOf,
    capacity: async () => objects.capacity?.(signal),
    versions: async () => (store.countsVersions ? objects.versions?.(signal) : undefined),
    takenAt: () => objects.takenAt?.(),
    close: async () => objects.close(),
  }
}

type ShareOrder = Pick<ScanOrder, 'volumeId' | 'root'> & { mount: ShareMount }

async function openShare(
  { volumeId, mount, root: path }: ShareOrder,
  mounts: Mounts,
  signal: AbortSignal,
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
