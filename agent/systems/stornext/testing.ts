import { forTest } from '#agent/simulator/testing.ts'
import type { StorNextConnection } from '#events/actions/storNext.ts'
import type { ActionContext } from '../../actions/action.ts'
import { type Attempt, runAttempt } from '../../actions/testing/attempts.ts'
import { type FileList, newFileList } from '../../actions/testing/fileList.ts'
import { type StorNextOptions, type StorNextSimulator, startStorNext } from './simulator/index.ts'
import { openStorageManager, type StorageManagerOptions } from './storageManager.ts'

export const root = '/stornext/snfs1/proj'

/** Simulated seconds pass in microseconds, so that a tape is mounted within a millisecond. */
const speed = 200_000

/** Times in which the simulator finishes all of its work. */
const times = { minPollMs: 1, maxPollMs: 10, stallMs: 50, quietMs: 60, settleMs: 30 }

/** A simulator with some files of 300 MB in `root`, on disk. */
export async function withFiles(names: string[], options: StorNextOptions = {}) {
  const stornext = await forTest(startStorNext({ clock: { speed }, ...options }))
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

type Run = StorageManagerOptions &
  Attempt & {
    verb?: 'store' | 'retrieve'
    relocate?: string | null
    connection?: StorNextConnection
    /** Called with each new state of files. */
    onRecord?: () => void
  }

/** One attempt of the agent. */
export async function run(stornext: StorNextSimulator, list: FileList, options: Run = {}): Promise<void> {
  const { verb = 'store', relocate = null, connection = connectionTo(stornext), onRecord, ...others } = options
  const { crash, signal, attempt, notes, ...changedTimes } = others
  const system = { kind: 'storageManager', connection, verb, relocate } as const
  const open = (context: ActionContext) => openStorageManager(system, context, { ...times, ...changedTimes })
  await runAttempt(list, system, open, {
    crash,
    ...(signal && { signal }),
    ...(attempt && { attempt }),
    ...(notes && { notes }),
    changeLink: (link) => ({
      ...link,
      async record(...outcomes) {
        await link.record(...outcomes)
        onRecord?.()
      },
    }),
  })
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
export const requestsTo = ({ matching }: StorNextSimulator, call: string): number =>
  matching(new RegExp(`/${call}(\\?|$)`)).length
