import { walkPages } from '../scan/pages/walkPages.ts'
import { decodeRows, isEntry, type Row } from '../testing/decodeRows.ts'
import { requestsOf } from '../testing/requestsOf.ts'
import { orderOf } from '../testing/walked.ts'
import type { PagedSystem } from './system.ts'
import { whileBusy } from './whileBusy.ts'

export const forever = new AbortController().signal

/** All that a scan of a store sends. */
export async function rowsOf(system: PagedSystem, scannedPath = ''): Promise<Row[]> {
  const rows: Row[] = []
  const listener = {
    async batch({ packed }: { packed: Uint8Array }) {
      for (const row of decodeRows(packed)) rows.push(row)
    },
    unreadable: () => {},
    progressed: () => {},
  }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  const requests = requestsOf(system)
  await walkPages(orderOf('', { pending: [''], scannedPath }), system, {
    listener,
    nextPage,
    requests,
    signal: forever,
  })
  return rows
}

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
