import type { ScanOrder, ShareMount } from '#events/scans.ts'
import { capacityOf, whyNotScannable } from '../systems/local/index.ts'
import type { Mounts } from '../systems/network-mount/index.ts'
import type { Capacity } from '../systems/system.ts'
import { ScanFailed } from './recordFolder.ts'

/** Where a scan walks: a folder of this machine, or one of a share that is mounted as long as the place is open. */
export type Place = {
  root: string
  /** What people call it. */
  name: string
  /** Aborted when it is lost while it is walked. */
  signal: AbortSignal
  /** Throws when what was walked is not there any more: what is missing then was not deleted. */
  check(): Promise<void>
  capacity(): Promise<Capacity | undefined>
  close(): Promise<void>
}

/** Opens the place of a scan; throws with why it cannot be scanned. */
export async function openPlace(order: ScanOrder, mounts: Mounts, signal: AbortSignal): Promise<Place> {
  const { mount } = order
  return mount ? openOnShare({ ...order, mount }, mounts, signal) : openHere(order.root, signal)
}

async function openHere(root: string, signal: AbortSignal): Promise<Place> {
  const refused = await whyNotScannable(root)
  if (refused) throw new ScanFailed(refused)
  return { root, name: root, signal, check: async () => {}, capacity: () => capacityOf(root), close: async () => {} }
}

type OnShare = Pick<ScanOrder, 'volumeId' | 'root'> & { mount: ShareMount }

async function openOnShare({ volumeId, mount, root: path }: OnShare, mounts: Mounts, signal: AbortSignal) {
  const share = await mounts.open({ volumeId, mount, path }, signal)
  return {
    ...share,
    signal: AbortSignal.any([signal, share.lost]),
    capacity: async () => {
      const capacity = await capacityOf(share.root)
      // Each mount is another device; who mounts it, and what it is called here, makes no difference to what is free there.
      return capacity && { ...capacity, fileSystem: share.source }
    },
  }
}
