import { onTestFinished } from 'vitest'
import type { StorNextConnection } from '#events/actions/storNext.ts'
import type { ActionOrder } from '#events/actions/orders.ts'
import { runFiles } from '../../actions/runAction.ts'
import { type Crash, type FileList, newFileList } from '../../actions/testing/fileList.ts'
import { type StorNextOptions, type StorNextSimulator, startStorNext } from './simulator/index.ts'
import { openStorageManager, type StorageManagerOptions } from './storageManager.ts'

export const root = '/stornext/snfs1/proj'

/** Simulated seconds pass in microseconds, so that a tape is mounted within a millisecond. */
const speed = 200_000

/** Times in which the simulator finishes all of its work. */
const times = { minPollMs: 1, maxPollMs: 10, stallMs: 50, quietMs: 60, settleMs: 30 }

/** A simulator with some files of 300 MB in `root`, on disk. */
export async function withFiles(names: string[], options: StorNextOptions = {}) {
  const stornext = await startStorNext({ clock: { speed }, ...options })
  onTestFinished(() => stornext.close())
  for (const name of names) stornext.addFile(`${root}/${name}`, { size: 300e6 })
  return stornext
}

/** The same with one copy of each file, only on tape. File N is at the Nth place of its tape. */
export async function withTapes(tapes: Record<string, string[]>, options: StorNextOptions = {}) {
  const stornext = await withFiles([], options)
  for (const [mediaId, names] of Object.entries(tapes)) {
    const media = stornext.media.get(mediaId) ?? stornext.addMedia(mediaId)
    for (const name of names) {
      const copies = [
        { copy: 1, mediaId, startBlock: media.nextBlock, checksums: ['9e107d9d372bb6826bd81d3542a419d6'] },
      ]
      stornext.addFile(`${root}/${name}`, { size: 300e6, isOnDisk: false, copies })
      media.nextBlock += 1_000
    }
  }
  return stornext
}

export const connectionTo = (stornext: StorNextSimulator, password = 'planted-password'): StorNextConnection => ({
  host: stornext.url,
  username: 'dataintell',
  password,
})

export const listOf = (names: string[]): FileList =>
  newFileList(names.map((name) => ({ place: `${root}/${name}`, pathInStorage: `proj/${name}`, size: 300e6 })))

type Run = StorageManagerOptions & {
  verb?: 'store' | 'retrieve'
  relocate?: string | null
  connection?: StorNextConnection
  crash?: Crash | undefined
  signal?: AbortSignal
  attempt?: number
  notes?: string[]
  /** Called with each new state of files. */
  onRecord?: () => void
}

/** One attempt of the agent. */
export async function run(stornext: StorNextSimulator, list: FileList, options: Run = {}): Promise<void> {
  const { verb = 'store', relocate = null, connection, crash, attempt = 1, notes = [], onRecord, ...changed } = options
  const { signal = new AbortController().signal, ...changedTimes } = changed
  const system = { kind: 'storageManager', connection: connection ?? connectionTo(stornext), verb, relocate } as const
  const order: ActionOrder = { attempt, jobId: 5, product: '0190a6c0-0000-7000-8000-000000000000', system }
  const link = list.link(crash, ({ note }) => void (note && notes.push(note)))
  const watched = {
    ...link,
    record: async (...outcomes: Parameters<typeof link.record>) => {
      await link.record(...outcomes)
      onRecord?.()
    },
  }
  await runFiles(watched, order, signal, (_, context) =>
    openStorageManager(system, context, { ...times, ...changedTimes }),
  )
}

/** Attempts until one ends, as the server starts them. */
export async function runUntilDone(stornext: StorNextSimulator, list: FileList, options: Run = {}): Promise<void> {
  const { crash, ...later } = options
  try {
    await run(stornext, list, { ...later, crash })
  } catch {
    await run(stornext, list, { ...later, attempt: 2 })
  }
}

/** Number of requests to a call. */
export const requestsTo = ({ requests }: StorNextSimulator, call: string): number =>
  requests.filter(({ path }) => new RegExp(`/${call}(\\?|$)`).test(path)).length
