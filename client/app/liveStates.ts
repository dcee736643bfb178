import { type Storage, storages } from '#events/storages.ts'
import { useRemote } from './remote.ts'

const none: Storage[] = []

/** All storages with how they are followed between scans; empty until loaded. */
export const useLiveStates = (): Storage[] =>
  useRemote(storages, { query: {} }, 'sources', 'volumes', 'snapshots').data?.elements ?? none
