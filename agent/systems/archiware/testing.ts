import { expect, onTestFinished } from 'vitest'
import { isEntry, pathOf } from '#agent/testing/decodeRows.ts'
import type { ArchiwareOrder } from '#events/sources/archiwares.ts'
import type { TransportOptions } from '../http/transport.ts'
import type { OpenedSystem } from '../system.ts'
import { type SentRows, sentRows } from '../testing.ts'
import type { DumpOptions } from './dump/indexDumps.ts'
import { openArchiware } from './index.ts'
import { type ArchiveIndex, type ArchiwareSimulator, latestOf, pathOf as indexPathOf } from './simulator/index.ts'

/** Each side's row of an entry, in one order. */
export type ComparedRow = {
  path: string
  isDirectory: boolean
  size: number
  modified: number
  archived: number
  volumes: string
}

export const connectionTo = ({ url, user, password }: Pick<ArchiwareSimulator, 'url' | 'user' | 'password'>) => ({
  url,
  username: user,
  password,
})

type Changes = Partial<ArchiwareOrder> & {
  scannedPath?: string
  ignoredPaths?: string[]
  baseline?: string | undefined
  state?: string
  p5Dumps?: DumpOptions
  transport?: TransportOptions
  signal?: AbortSignal
}

/** An index of a simulator that is open until the test ends. */
export async function openIndex(p5: ArchiwareSimulator, changes: Changes = {}) {
  const { scannedPath = '', ignoredPaths = [], baseline, state, p5Dumps, transport = {}, signal, ...source } = changes
  const opened = await openArchiware(
    { kind: 'archiware', index: 'Default-Archive', path: '/', ...connectionTo(p5), ...source },
    {
      scannedPath,
      ignoredPaths,
      baseline,
      ...(state !== undefined && { state }),
      p5Dumps,
      signal: signal ?? new AbortController().signal,
      transport: { idleMs: 5_000, ...transport },
    },
  )
  onTestFinished(() => opened.close())
  return { ...opened, scannedPath }
}

export type Scanned = SentRows & { checkpoints: string[][] }

/** All that a scan sends. Fails as a scan fails, after a check of the system. */
export async function scan(system: OpenedSystem & { scannedPath: string }, pending = ['']): Promise<Scanned> {
  if (system.listing !== 'pages') throw new Error('An index is listed in pages')
  const { pages, scannedPath, signal } = system
  const compareWith = { scan: 1, baseline: '', isCheck: false }
  try {
    const { rows, unreadable } = await sentRows(pages, { pending, scannedPath, compareWith }, signal)
    const checkpoints = rows.filter(({ kind }) => kind === '3').map(({ parts }) => JSON.parse(parts) as string[])
    return { rows: rows.filter(({ kind }) => kind !== '3'), unreadable, checkpoints }
  } finally {
    await system.check()
  }
}

const inOrder = (rows: ComparedRow[]) => rows.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))

export const entriesOf = ({ rows }: Scanned): ComparedRow[] =>
  inOrder(
    rows
      .filter((row) => isEntry(row) && row.parent_path !== '')
      .map((row) => ({
        path: pathOf(row),
        isDirectory: row.is_directory === '1',
        size: Number(row.size),
        modified: Number(row.modified),
        archived: Number(row.backup_date),
        volumes: (JSON.parse(row.metadata) as { volumes?: string }).volumes ?? '',
      })),
  )

/** Contents of a simulator's index below a folder ('' for its top), with labels of volumes. */
export const contentsOf = (p5: ArchiwareSimulator, index: ArchiveIndex, folder = ''): ComparedRow[] =>
  inOrder(
    [...index.entries(folder === '' ? undefined : index.find(folder))].map((entry) => {
      const { size, mtime, btime, volumes } = latestOf(entry)
      return {
        path: `/${indexPathOf(entry)}`.slice(folder === '' ? 0 : folder.length + 1),
        isDirectory: entry.children !== undefined,
        size,
        modified: mtime,
        archived: btime,
        volumes: volumes.map((id) => p5.volumes.get(id)?.label ?? id).join(', '),
      }
    }),
  )

export const defaultIndex = (p5: ArchiwareSimulator): ArchiveIndex => p5.indexes.get('Default-Archive') as ArchiveIndex

/** Paths of requests without their base and query. */
export const callsTo = ({ requests }: ArchiwareSimulator): string[] =>
  requests.map(({ method, path }) => `${method} ${path.replace('/rest/v1/', '')}`)

/** Fails unless both have the same rows; says which differ. */
export function expectSame(found: ComparedRow[], wanted: ComparedRow[]): void {
  const lines = (rows: ComparedRow[]) => rows.map((row) => JSON.stringify(row))
  const [a, b] = [lines(found), lines(wanted)]
  const [inFound, inWanted] = [new Set(a), new Set(b)]
  const missing = b.filter((line) => !inFound.has(line)).slice(0, 5)
  const surplus = a.filter((line) => !inWanted.has(line)).slice(0, 5)
  expect({ missing, surplus, count: a.length }).toEqual({ missing: [], surplus: [], count: b.length })
}
