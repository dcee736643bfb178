import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { walkPages } from '../scan/pages/walkPages.ts'
import { decodeRows, isEntry, type Row } from '../testing/decodeRows.ts'
import { requestsOf } from '../testing/requestsOf.ts'
import { orderOf } from '../testing/walked.ts'
import type { PagedSystem } from './system.ts'
import { whileBusy } from './whileBusy.ts'

export const forever = new AbortController().signal

export type SentRows = { rows: Row[]; unreadable: { path: string; error: string }[] }

/** All that a scan of a store sends. The changes are those of its order. */
export async function sentRows(
  system: PagedSystem,
  changes: Partial<ScanOrder> = {},
  signal = forever,
): Promise<SentRows> {
  const rows: Row[] = []
  const unreadable: SentRows['unreadable'] = []
  const listener = {
    async batch({ packed }: { packed: Uint8Array }) {
      for (const row of decodeRows(packed)) rows.push(row)
    },
    unreadable: (path: string, error: string) => void unreadable.push({ path, error }),
    progressed: () => {},
  }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  const requests = requestsOf(system)
  await walkPages(orderOf('', { pending: [''], ...changes }), system, { listener, nextPage, requests, signal })
  return { rows, unreadable }
}

/** All rows that a scan of a store sends. */
export const rowsOf = async (system: PagedSystem, scannedPath = ''): Promise<Row[]> =>
  (await sentRows(system, { scannedPath })).rows

/** All keys of a store, read without a walk. Each page may leave up to `idle` parts at a time. */
export async function keysOf(system: PagedSystem, idle = 7): Promise<string[]> {
  const keys: string[] = []
  const parts = ['']
  while (parts.length > 0) {
    const page = await system.page(parts.pop() as string, { idle: Math.max(0, idle - parts.length), signal: forever })
    for (const { parentPath, name } of page.entries) keys.push(`${parentPath}${name}`.slice(1))
    parts.push(...page.rest)
  }
  return keys
}

/** The files among rows. */
export const filesIn = (rows: Row[]): Row[] => rows.filter((row) => isEntry(row) && row.is_directory === '0')

/** Runs each request at once, and again while the store is busy. */
export const atOnce = { run: <T>(ask: () => Promise<T>) => whileBusy(ask, forever), signal: forever }
