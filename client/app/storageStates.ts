import { hasFailed, type StorageState, storageStates } from '#events/overview/storageStates.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { useRemote } from './remote.ts'

/** Configured storages with their newest scans, schedules and alerts. Shared by the navigation and all lists. */
export const useStorageStates = (): Loadable<StorageState[]> =>
  useRemote(storageStates, {}, 'sources', 'volumes', 'snapshots', 'jobs', 'schedules')

/** Number of storages whose newest scan failed. */
export const useFailedStorages = (): number => useStorageStates().data?.filter(hasFailed).length ?? 0
