import type { TransportOptions } from '../http/transport.ts'
import type { Action, ActionContext } from '../../actions/action.ts'
import { newBatchWork } from './batchWork.ts'
import { openClient } from './client.ts'
import { type FollowTimes, followFiles } from './followFiles.ts'
import type { StorageManagerOrder } from '#events/actions/orders.ts'
import { maxFilesOfCall } from './unconfirmed.ts'

export type StorageManagerOptions = Partial<FollowTimes> & { transport?: TransportOptions }

/** Times for a real server. */
export const defaultTimes: FollowTimes = {
  // Small files are stored within a second. Questions become rarer while a tape is mounted.
  minPollMs: 250,
  maxPollMs: 60_000,
  stallMs: 10 * 60_000,
  quietMs: 30 * 60_000,
  settleMs: 60_000,
}

/**
 * Batches and their number at the same time. Files to retrieve are taken together, so that each tape is mounted once; their tapes are read
 * one after another. Files to store have no tapes yet: many commands wait for tapes together, which Storage Manager writes in its own order.
 */
const batches = {
  store: { batchSize: maxFilesOfCall, parallel: 32 },
  retrieve: { batchSize: 1_000, parallel: 1 },
}

/**
 * Stores or retrieves files with the Storage Manager of StorNext. The state of each file decides, not the result of a command: a file that
 * is already on tape, or on disk, is not requested. No call ends a command: after a cancel, the commands that were sent will finish.
 */
export async function openStorageManager(
  order: StorageManagerOrder,
  { signal, report }: ActionContext,
  { transport, ...changed }: StorageManagerOptions = {},
): Promise<Action> {
  const times = { ...defaultTimes, ...changed }
  const client = await openClient(order.connection, signal, transport)
  const work = newBatchWork({ client, order, intervals: times, report })
  return {
    ...batches[order.verb],
    send: work.send,
    async follow(batch, following) {
      const outcomes = await followFiles({ client, order, times, work, report }, batch, following)
      work.forget(batch)
      return outcomes
    },
    close: async () => client.close(),
  }
}
