import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { MeasuredPace } from '#events/contract/pace.ts'
import type { PendingPage } from '#events/tasks.ts'
import type { Counts, WalkResult } from '../scan/progress.ts'
import type { ScanDigests } from '../scan/digests/openDigests.ts'
import type { WayToWalk } from '../scan/folders/messages.ts'
import { walkFolders } from '../scan/folders/walkFolders.ts'
import { decodeRows, type Row } from './decodeRows.ts'

export const testProduct = '00000000-0000-4000-8000-000000000001'

/** An order for a whole folder, with changes. */
export const orderOf = (root: string, changes: Partial<ScanOrder> = {}): ScanOrder => ({
  scanId: 1,
  product: testProduct,
  attempt: 1,
  volumeId: 1,
  source: { kind: 'fileStorage', path: root },
  scannedPath: '',
  ignoredPaths: [],
  indexFolderOnlyPaths: [],
  crossFileSystems: false,
  threads: 2,
  pending: [changes.scannedPath ?? ''],
  morePending: 0,
  ...changes,
})

/** Rows and errors that a walk sent. */
export type SentWalk = WalkResult & {
  rows: Row[]
  numbers: number[]
  unreadable: { path: string; error: string }[]
  paces: MeasuredPace[]
}

/** Options of a walk in tests. */
export type WalkedOptions = {
  digests?: ScanDigests | undefined
  way?: WayToWalk | undefined
  answerMs?: number
  share?: (limit: number) => number
  signal?: AbortSignal
}

/** Walks a folder in threads and decodes the rows that it sends. */
export async function walked(
  order: ScanOrder,
  pages: PendingPage[] = [],
  { digests, ...options }: WalkedOptions = {},
): Promise<SentWalk> {
  const rows: Row[] = []
  const numbers: number[] = []
  const unreadable: SentWalk['unreadable'] = []
  const paces: MeasuredPace[] = []
  const listener = {
    async batch({ batch, packed }: { batch: number; packed: Uint8Array }) {
      numbers.push(batch)
      for (const row of decodeRows(packed, { attempt: order.attempt, batch })) rows.push(row)
    },
    unreadable: (path: string, error: string) => void unreadable.push({ path, error }),
    progressed: ({ pace }: Counts) => void (pace && paces.push(pace)),
  }
  const nextPage = async () => pages.shift() ?? { pending: [], morePending: 0 }
  const root = order.source.kind === 'fileStorage' ? order.source.path : ''
  const ended = await walkFolders(order, root, {
    listener,
    nextPage,
    digests,
    signal: new AbortController().signal,
    ...options,
  })
  return { ...ended, rows, numbers: numbers.sort((a, b) => a - b), unreadable, paces }
}
