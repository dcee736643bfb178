import type { Accounts, Database } from '#events/node/accounts.ts'
import type { MeasuredPace } from '#events/contract/pace.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { WayOfLookups } from '../../systems/local/lookups/lookups.ts'
import type { PackedBatch } from '../batches.ts'
import type { ThreadDigests } from '../digests/openDigests.ts'
import type { Counts } from '../progress.ts'
import type { Folders } from './folderStack.ts'

/** Data that a thread receives when it starts. */
export type ThreadStart = {
  order: ScanOrder
  root: string
  controls: SharedArrayBuffer
  /** Accounts that the name service lists, and names that it returned in earlier scans. */
  accounts: Accounts
  knownNames: Accounts
  digests?: ThreadDigests
  /** Number of the thread, from 0. */
  thread: number
  /** Milliseconds after which a call counts as never answered. */
  answerMs: number
  /** Only for tests: the way to walk, instead of the one that suits the storage. */
  way?: WayToWalk
}

/** One call after another, the same until the storage turns out to be slow, or many at once: by `io_uring`, or by a pool of threads. */
export type WayToWalk = 'alone' | 'measured' | WayOfLookups

/** Messages to a thread: to walk folders that the order named, or that another thread shared, to send its rows, to end. */
export type ToThread =
  | { type: 'ordered'; paths: string[] }
  | { type: 'shared'; folders: Folders }
  | { type: 'finish' }
  | { type: 'end' }

/** Messages from a thread. `idle`: it has listed all its folders; `finished`: it has also sent all its rows. */
export type FromThread =
  | ({ type: 'batch' } & PackedBatch)
  | { type: 'digests'; digests: Uint8Array }
  | { type: 'unreadable'; path: string; error: string }
  | { type: 'progressed'; counts: Counts; path: string; pace?: MeasuredPace }
  | { type: 'shared'; folders: Folders }
  | { type: 'named'; database: Database; id: number; name: string }
  | { type: 'failed'; reason: string }
  | { type: 'idle' }
  | { type: 'finished' }
