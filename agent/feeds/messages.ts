import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowOrder, FollowStatus } from '#events/feeds/follow.ts'
import type { Accounts } from '#events/node/accounts.ts'
import type { S3Store } from '#events/sources/buckets.ts'
import { speaksS3 } from '#events/sources/regions.ts'

/** Names of owners: those that the name service lists, and those that it returned in scans. */
export type Names = { accounts: Accounts; knownNames: Accounts }

/** A storage in a folder of this machine. */
export type FileOrder = FollowOrder & { source: { kind: 'fileStorage'; path: string } }
const isFileOrder = (order: FollowOrder): order is FileOrder => order.source.kind === 'fileStorage'

/** A bucket whose notifications are sent to a queue. */
export type BucketOrder = FollowOrder & { source: { kind: 'bucket'; store: S3Store & { queue: string } } }
export const isBucketOrder = (order: FollowOrder): order is BucketOrder =>
  order.source.kind === 'bucket' && speaksS3(order.source.store.type) && 'queue' in order.source.store

/** A storage of a kind that can be followed. */
export type FollowedOrder = FileOrder | BucketOrder
export const isFollowed = (order: FollowOrder): order is FollowedOrder => isFileOrder(order) || isBucketOrder(order)

/**
 * Follows the changes of a storage: lists folders again that changed, and sends them. All times are milliseconds of the monotonic clock, which
 * the caller passes.
 */
export type Feed<Order extends FollowedOrder = FollowedOrder> = {
  /** Starts another session; does nothing if the order is of the current one. */
  follow(order: Order, names: Names): void
  /** Does what is due. */
  tick(nowMs: number): void
  /** Takes changes that wait. Called often. */
  drain(): void
  /** The server's answer to the flush; undefined without one. */
  answered(session: string, answer: FlushAnswer | undefined): void
  status(): FollowStatus
  close(): void
}

/** Messages to the thread: to follow storages from now on, and no others; the server's answer to a flush, undefined without one; to end. */
export type ToFeeds =
  | { type: 'follow'; order: FollowedOrder; names: Names }
  | { type: 'forget'; volumeId: number }
  | { type: 'answered'; volumeId: number; session: string; answer: FlushAnswer | undefined }
  | { type: 'end' }

/** Blocks of folders that were listed again, in order. */
export type Flush = { volumeId: number; session: string; number: number; parts: Uint8Array<ArrayBuffer>[] }

/** Messages from the thread. */
export type FromFeeds = { type: 'statuses'; statuses: FollowStatus[] } | ({ type: 'flush' } & Flush)
