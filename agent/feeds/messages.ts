import type { FlushAnswer } from '#events/feeds/flushes.ts'
import type { FollowOrder, FollowStatus } from '#events/feeds/follow.ts'
import type { Accounts } from '#events/node/accounts.ts'

/** Names of owners: those that the name service lists, and those that it returned in scans. */
export type Names = { accounts: Accounts; knownNames: Accounts }

/** A storage in a folder of this machine. */
export type FileOrder = FollowOrder & { source: { kind: 'fileStorage'; path: string } }
export const isFileOrder = (order: FollowOrder): order is FileOrder => order.source.kind === 'fileStorage'

/** Messages to the thread: to follow storages from now on, and no others; the server's answer to a flush, undefined without one; to end. */
export type ToFeeds =
  | { type: 'follow'; order: FileOrder; names: Names }
  | { type: 'forget'; volumeId: number }
  | { type: 'answered'; volumeId: number; session: string; answer: FlushAnswer | undefined }
  | { type: 'end' }

/** Blocks of folders that were listed again, in order. */
export type Flush = { volumeId: number; session: string; number: number; parts: Uint8Array<ArrayBuffer>[] }

/** Messages from the thread. */
export type FromFeeds = { type: 'statuses'; statuses: FollowStatus[] } | ({ type: 'flush' } & Flush)
